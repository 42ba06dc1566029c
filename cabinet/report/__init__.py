"""What a command or a page reports, as one value; a writer for each medium prints it.

`value` is the report, `terminal` writes it for people, `output` chooses between that and JSON, `progress` shows how far
a long command is.
"""
