"""The error of a statement."""


class StatementError(Exception):
    """A statement that cannot be checked, or is not what the machine has signed. The message says where and why."""
