"""What an attendant takes away from a machine: the booklet as a value, as a page to print, and as files with figures.

Reads the attendant's data and the reports of the store. May not import the screen, the runtime or a command.
"""
