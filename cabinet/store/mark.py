"""The mark a played journal leaves beside itself: a folder that once held one never becomes a new machine by itself.

The mark is a small file, durable before anything depends on it. It knows nothing of what the journal holds.
"""

import os
from pathlib import Path

from cabinet.store.errors import StoreDamagedError, StoreFullError

MARK = "played"


def is_marked(folder: Path) -> bool:
    """Whether the folder has held a journal with steps in it."""
    return (folder / MARK).exists()


def leave(folder: Path) -> None:
    """Leave the mark; harmless when it is there. StoreFullError when the medium refuses."""
    if is_marked(folder):
        return
    try:
        with (folder / MARK).open("x", encoding="ascii") as file:
            file.write("A machine has played on this folder. Do not remove anything from it.\n")
            file.flush()
            os.fsync(file.fileno())
        directory = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        raise StoreFullError(f"{folder / MARK}: the medium refused a write: {error.strerror}") from error


def check(folder: Path, path: Path, *, steps: int) -> None:
    """Refuse an empty journal where one has been played. StoreDamagedError says what is gone."""
    if steps == 0 and is_marked(folder):
        raise StoreDamagedError(
            f"{path}: is missing or empty, but a machine has played on this folder; the machine stays locked, "
            "keep the folder as it is and call the maker"
        )
