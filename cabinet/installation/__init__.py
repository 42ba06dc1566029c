"""The installation: the files around the program on the Pi, and the changes that set it up, update it and remove it.

Lives here: the paths of an installed cabinet, the texts of its system files (boot files, mounts, sockets, settings),
the steps that write and undo them, the versions of the program, and the wiring picture. A text is made by a pure
function; only the modules that apply changes write. Does not live here: money, play, the books' contents, threads and
devices of the panel. No module of this package runs during play.
"""
