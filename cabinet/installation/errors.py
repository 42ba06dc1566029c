"""The base of the errors of this package, so that a command can turn each of them into a sentence."""


class InstallationError(Exception):
    """What the installation, the set-up or an update cannot do; the message gives the reason and the way out."""
