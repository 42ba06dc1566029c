"""The set-up: answers become a plan, and a plan becomes changes that can be taken back.

Lives here: answers and questions, the plan, the changes of files with their undo. The command `cabinet setup` asks and
shows. Does not live here: the texts of the system's files, versions of the program.
"""
