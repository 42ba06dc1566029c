"""Tools about the product: measurements, simulated rounds, raw random bytes, pictures of every screen.

Rules: only `cabinet.commands.tool_commands` imports this package, when one of its commands runs; the cabinet runs
without it.
"""
