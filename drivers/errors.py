"""The errors of the drivers.

A fault of a device is an event, not an error. An error here is a program error or a set-up that cannot work; its text
has what was found and what was expected.
"""


class DriverError(Exception):
    """Base of every error of this package."""


class LineError(DriverError):
    """A serial line cannot be opened, or another program owns it."""


class LineGoneError(DriverError):
    """An open line is gone (unplugged adapter, closed far end). The pump opens it again."""


class ConfigurationError(DriverError):
    """The settings are contradictory: two functions on one pin, an unknown protocol, a bar code that is too wide."""
