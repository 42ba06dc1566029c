"""The errors of the pure engine. Each means a mistake of ours, never a player's or a device's.

A player's mistake is a value (`Refused`), a device's fault is a fact. What is raised here stops the machine.
"""


class EngineError(Exception):
    """Base of every error the engine raises."""


class OddAmountError(EngineError):
    """A fraction of an amount is not a whole number of cents."""


class RulesError(EngineError):
    """A rule set or a table's limits contradict themselves."""


class LedgerError(EngineError):
    """A transfer would break an account: below zero where that cannot be, or an unknown route."""


class SelfAuditError(EngineError):
    """The meters and the credit disagree."""
