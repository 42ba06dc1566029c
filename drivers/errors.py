"""The errors of the hardware side.

A device's fault is reality and travels as an event. What is raised here is either our own mistake or a set-up that
cannot work, and it always says what was found and what was expected.
"""


class DriverError(Exception):
    """Base of every error this package raises."""


class LineError(DriverError):
    """A serial line could not be opened, or is already owned by somebody else."""


class LineGoneError(DriverError):
    """The line vanished under us (unplugged adapter, closed far end). The pump opens it again."""


class ConfigurationError(DriverError):
    """The wiring asked for is contradictory: two functions on one pin, an unknown protocol, too wide a bar code."""
