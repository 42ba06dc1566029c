"""The `cabinet` command: one module or package per subcommand.

Lives here: argument parsing, and what a subcommand does and reports. Does not live here: anything the running cabinet
needs, how a report is printed (`cabinet.report`), and tools about the product (`cabinet.tools`). No other room imports
this one.
"""
