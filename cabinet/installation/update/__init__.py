"""Updates of the program: signature, package, trial, change of versions, and the way out at every stage.

Lives here: the versions on the cabinet and the order of an update. `sequence` is the entry. Does not live here: money
and play; an update reads the books and never writes them.
"""
