"""The base of the errors of this package, so that a command can turn each of them into a sentence."""


class InstallationError(Exception):
    """What the installation, the set-up or an update cannot do; the message gives the reason and the way out."""


def describe(error: Exception) -> str:
    """Returns an error as a sentence without its end; an error of the system names the file and has no number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error).rstrip(".")
