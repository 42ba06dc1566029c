"""The texts of the system's files, and the facts of the machine they are made for.

Lives here: boot files, mounts, sockets, drop-ins and boot loader as pure functions from text to text; what is read of
board and sockets. Writes nothing. Does not live here: the answers of the technician and the order of a set-up.
"""
