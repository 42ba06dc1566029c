"""The errors of the store. Each says what was found, where, and what to do; none is ever answered by a default."""


class StoreError(Exception):
    """Base of every error the store raises."""


class StoreBusyError(StoreError):
    """Another cabinet process owns this data folder."""


class StoreDamagedError(StoreError):
    """What is on disk contradicts itself. The machine must lock; nothing is repaired or cleared by itself."""


class StoreMissingError(StoreError):
    """A machine that has played finds its data gone. It must not begin anew; somebody has to find the data."""


class StoreRefusedError(StoreError):
    """The data is not damaged, but the machine may not use what it finds: it is a matter of the installation."""

    def __init__(self, message: str, *, found: str) -> None:
        """`found` is what is wrong, in a few signs that need no language, for the screen."""
        super().__init__(message)
        self.found = found


class StoreFolderError(StoreRefusedError):
    """The folder cannot be used at all: it may not be read or written, or it is a file."""


class StoreNewerError(StoreRefusedError):
    """The data was written by a newer program, in words that this one does not know. It is whole and stays as it is."""


class StorePlaceError(StoreRefusedError):
    """The data lies where it would be lost, or where it cannot be written."""


class StoreNewError(StoreRefusedError):
    """There is no data, and only a technician may say that this is a new machine."""


class StoreFullError(StoreError):
    """The medium refused the write. The step was not acted upon, whether the medium has kept it or not."""
