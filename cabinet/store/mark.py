"""The marks beside a journal that has been played on. With them, a folder that once held a journal never becomes a new
machine by itself, and a journal that has lost its end is detected.

Rules:
- The mark that a machine has played is a small file. It is durable before any step depends on it.
- The number of the newest row is written after each step and synced when money leaves the machine. It may be older than
  the journal but never newer, so a power cut causes no false alarm.
- That number has two slots (`slots.py`). The slot with the last synced number is not written until the other slot
  durably has a newer one, so no power cut and no damaged sector can destroy both.
- A file without a valid slot is damaged; it does not count as missing.
- Each copy of the journal has separate marks.

The module does not know the content of a journal.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from cabinet.store import slots
from cabinet.store.errors import StoreDamagedError, StoreError, StoreFullError

MARK = "played"
REACHED = "newest-row"

_MOST_BYTES = 4 * slots.PAGE
"""Longest mark in bytes; of a longer file only the beginning is read."""
_MOST_SHOWN = 400
_TO_WRITE = os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC
"""Opens without waiting, because the file may be a pipe."""


class UnreadableNumberError(StoreDamagedError):
    """The number of the newest row is invalid: the newest row is unknown."""


# --- a small file beside a journal ------------------------------------------------------------------------------


def read(path: Path) -> bytes | None:
    """Returns the content of a mark, None if it does not exist. Raises StoreDamagedError when it is not a file or
    cannot be read; it never waits, and such a mark never counts as missing."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                return os.read(handle, _MOST_BYTES)
        finally:
            os.close(handle)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreDamagedError(_unreadable(path, f"cannot be read: {error.strerror}")) from error
    raise StoreDamagedError(_unreadable(path, "found something that is no file"))


def _unreadable(path: Path, found: str) -> str:
    return (
        f"{path}: {found}; expected a mark of the machine or nothing; the machine stays locked, keep the folder as it "
        "is and call the technician"
    )


def one_line(found: bytes) -> str:
    """Returns the content of a mark as one readable line, shortened if it is long."""
    words = " ".join(found.decode(errors="replace").split())
    line = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in words)
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}..."


def write(path: Path, content: bytes) -> None:
    """Writes a mark, whole or not at all, over an older one. Durable on return; raises OSError otherwise."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with new.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync(path.parent)


def remove(path: Path) -> None:
    """Removes a mark durably, if it exists. Raises StoreFullError when the medium refuses."""
    try:
        path.unlink()
        sync(path.parent)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreFullError(f"{path}: cannot be removed: {error.strerror}") from error


def sync(path: Path) -> None:
    """Syncs a file, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- that a machine has played ----------------------------------------------------------------------------------


def is_marked(folder: Path) -> bool:
    """True if the folder has held a journal with steps."""
    return read(folder / MARK) is not None


def has_played(folder: Path) -> bool:
    """True if any mark in the folder shows that there were steps. StoreDamagedError for an unreadable mark."""
    return is_marked(folder) or reached(folder) > 0


def leave(folder: Path) -> None:
    """Writes the mark if it does not exist. Raises StoreFullError when the medium refuses."""
    if is_marked(folder):
        return
    try:
        write(folder / MARK, b"A machine has played on this folder. Do not remove anything from it.\n")
    except OSError as error:
        raise StoreFullError(f"{folder / MARK}: the medium refused a write: {error.strerror}") from error


def check(folder: Path, path: Path, *, steps: int) -> None:
    """Refuses an empty journal on a folder that has been played on, and a journal that has lost its end. `steps` is the
    number of its newest row. Raises StoreDamagedError, which names what is missing."""
    if steps == 0 and has_played(folder):
        raise StoreDamagedError(
            f"{path}: is missing or empty, but a machine has played on this folder; the machine stays locked, "
            "keep the folder as it is and call the technician"
        )
    check_end(folder, path, steps=steps)


def check_end(folder: Path, path: Path, *, steps: int) -> None:
    """Raises StoreDamagedError for a journal that ends before a row that it has had."""
    if steps < (known := reached(folder)):
        raise StoreDamagedError(
            f"{path}: ends at row {steps}, but the machine had got to row {known}: the file is an old one, or its "
            "write-ahead log is gone; put the newest files back, or keep the folder as it is and call the technician"
        )


def reached(folder: Path) -> int:
    """Returns the number of a row that the journal in the folder has certainly had; 0 if there is no mark.

    Raises UnreadableNumberError when the mark has no valid number, StoreDamagedError when it is not a file.
    """
    path = folder / REACHED
    found = read(path)
    if found is None:
        return 0
    known = slots.newest(found)
    if known is None:
        raise UnreadableNumberError(f"{path}: found nothing that fits its check, expected the number of the newest row")
    return known


def reached_if_known(folder: Path) -> int:
    """As `reached`, but returns 0 if no number is valid."""
    try:
        return reached(folder)
    except UnreadableNumberError:
        return 0


def keep_reached(folder: Path, seq: int) -> None:
    """Writes the number of the last row of a journal that will replace the one here. It is durable before the old files
    are removed, so that after a power cut in between the new journal is not accepted with a missing end. Raises OSError
    when the medium refuses."""
    write(folder / REACHED, slots.whole(seq))


def forget_reached(folder: Path) -> None:
    """Removes the number of the newest row, because it is invalid."""
    remove(folder / REACHED)


class Reached:
    """Writes the number of the newest row beside an open journal."""

    def __init__(self, folder: Path) -> None:
        """Creates no file before the first number."""
        self._path = folder / REACHED
        self._file: int | None = None
        self._newest = 0
        self._free = 0
        """The slot to write next; the other has the last synced number."""

    def record(self, seq: int, *, wait: bool) -> None:
        """Writes the number of a row that is durable already; with `wait` the number is durable on return.

        Without `wait`, a refused number is only late and is written the next time. With `wait`, raises StoreError when
        the medium refuses.
        """
        try:
            self._write(seq, wait=wait)
        except OSError as error:
            self._drop()
            if wait:
                raise StoreError(
                    f"{self._path}: the number of the newest row cannot be kept: {error.strerror}; check the medium, "
                    "then start the machine again"
                ) from error

    def _write(self, seq: int, *, wait: bool) -> None:
        if wait and self._file is not None and not self._is_whole(self._file):
            self._drop()
        if self._file is None:
            self._file = self._opened(seq)
        self._newest = seq
        os.pwrite(self._file, slots.slot(seq), slots.place(self._free))
        if wait:
            os.fsync(self._file)
            self._free = 1 - self._free

    def _opened(self, seq: int) -> int:
        """Returns the open file, whose slots are overwritten in turn. Writes it again if no slot is valid."""
        with suppress(OSError):
            file = os.open(self._path, _TO_WRITE)
            if self._is_whole(file) and self._choose(slots.numbers(os.pread(file, slots.SIZE, 0))):
                os.fsync(file)  # what a run that was killed has left in memory only
                return file
            os.close(file)
        write(self._path, slots.whole(seq))
        return os.open(self._path, _TO_WRITE)

    def _choose(self, numbers: tuple[int | None, ...]) -> bool:
        """Chooses the slot with the lower number to be written next. Returns False if no slot has a number."""
        one, other = (-1 if number is None else number for number in numbers)
        self._free = 0 if one < other else 1
        return max(one, other) >= 0

    def _is_whole(self, file: int) -> bool:
        """Returns True if this open file is the one that the next start opens and has the right length."""
        opened = os.fstat(file)
        with suppress(OSError):
            named = self._path.stat()
            return stat.S_ISREG(opened.st_mode) and opened.st_size == slots.SIZE and os.path.samestat(named, opened)
        return False

    def _drop(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None

    def close(self) -> None:
        """Writes the newest number to both slots and closes the file. Harmless when already closed."""
        if self._file is not None:
            with suppress(OSError):
                for _ in range(slots.COUNT):
                    self._write(self._newest, wait=True)
        self._drop()
