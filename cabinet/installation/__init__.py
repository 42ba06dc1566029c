"""The installation: what surrounds the program on the Pi, and the changes that set it up, update it and remove it.

Here live the paths of an installed cabinet, the texts of its system files (boot files, mounts, sockets, settings), the
steps that write and undo them, the versions of the program, and the wiring picture. A text is made by a pure function;
only the modules that apply changes write. Not here: money, play, the books' contents, threads and devices of the panel;
nothing in this package runs while a player plays.
"""
