"""The errors of the store. Each message has the finding, the place and the remedy; no default replaces an error."""


class StoreError(Exception):
    """Base of every error the store raises."""


class StoreBusyError(StoreError):
    """Another cabinet process owns this data folder."""


class StoreDamagedError(StoreError):
    """The data on disk contradicts itself. The machine must lock; it repairs and clears nothing by itself."""


class StoreMissingError(StoreError):
    """The data of a machine that has played is missing. The machine must not start as new; the data must be found."""


class StoreRefusedError(StoreError):
    """The data is sound, but the machine may not use it: the installation is wrong."""

    def __init__(self, message: str, *, found: str) -> None:
        """`found` is the problem in a few characters that need no translation, for the screen."""
        super().__init__(message)
        self.found = found


class StoreFolderError(StoreRefusedError):
    """The folder cannot be used at all: it may not be read or written, or it is a file."""


class StoreNewerError(StoreRefusedError):
    """A newer program wrote the data and used names that this program does not know. The data is sound and stays
    unchanged."""


class StorePlaceError(StoreRefusedError):
    """The data is on a medium that loses it or that cannot be written."""


class StorePartitionError(StorePlaceError):
    """The partition of the data is missing: the folder is one of the system, with other books or none."""


class StoreNewError(StoreRefusedError):
    """There is no data, and only a technician may declare a new machine."""


class StoreFullError(StoreError):
    """The medium refused the write. No effect of the step may follow, even if the medium has kept the step."""
