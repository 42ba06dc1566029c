"""The `cabinet` command: one module or package per subcommand.

Lives here: argument parsing, what a subcommand prints, and tools about the product (bench, doctor, simulate, screens).
Does not live here: anything the running cabinet needs. No other room imports this one.
"""
