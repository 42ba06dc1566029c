"""The marks a played journal leaves beside itself: a folder that once held one never becomes a new machine by itself,
and a journal that has lost its end does not go on as if nothing had been played since.

The mark that a machine has played is a small file, durable before anything depends on it. The number of the newest row
is written after each step, and waited for where money leaves the machine: it may be older than the journal, never
newer, so that it raises no false alarm after any cut. It has two slots (`slots.py`). The slot with the last number that
was waited for is not written to until the other holds a newer one durably, so no cut and no spoilt sector takes both. A
file without a slot that holds was damaged, and is never taken for none. Each copy of the journal has its own marks.
Knows nothing of what the journal holds.
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
"""A pipe is never waited for."""


class UnreadableNumberError(StoreDamagedError):
    """The number of the newest row is invalid: the newest row is unknown."""


# --- a small file beside a journal ------------------------------------------------------------------------------


def read(path: Path) -> bytes | None:
    """What a mark holds, None where there is none. StoreDamagedError when it is no file or cannot be read: it is never
    waited for, and never taken for one that is not there."""
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
    """What a mark holds as a line that a person can read, whatever was written there; of a long one the beginning."""
    words = " ".join(found.decode(errors="replace").split())
    line = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in words)
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}..."


def write(path: Path, content: bytes) -> None:
    """Put a mark in its place, whole or not at all, whatever was there. Durable when it returns; OSError when not."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with new.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync(path.parent)


def remove(path: Path) -> None:
    """Take a mark away, durably; harmless when there is none. StoreFullError when the medium refuses."""
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
    """Leave the mark; harmless when it is there. StoreFullError when the medium refuses."""
    if is_marked(folder):
        return
    try:
        write(folder / MARK, b"A machine has played on this folder. Do not remove anything from it.\n")
    except OSError as error:
        raise StoreFullError(f"{folder / MARK}: the medium refused a write: {error.strerror}") from error


def check(folder: Path, path: Path, *, steps: int) -> None:
    """Refuse an empty journal where one has been played, and one that has lost its end; `steps` is the number of its
    newest row. StoreDamagedError says what is gone."""
    if steps == 0 and has_played(folder):
        raise StoreDamagedError(
            f"{path}: is missing or empty, but a machine has played on this folder; the machine stays locked, "
            "keep the folder as it is and call the technician"
        )
    check_end(folder, path, steps=steps)


def check_end(folder: Path, path: Path, *, steps: int) -> None:
    """Refuse a journal that ends before a row it has had. StoreDamagedError says so."""
    if steps < (known := reached(folder)):
        raise StoreDamagedError(
            f"{path}: ends at row {steps}, but the machine had got to row {known}: the file is an old one, or its "
            "write-ahead log is gone; put the newest files back, or keep the folder as it is and call the technician"
        )


def reached(folder: Path) -> int:
    """The number of a row that the journal in the folder has had for certain; 0 where none is there.

    UnreadableNumberError when no number in it can be believed, StoreDamagedError when it is no file.
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
    """As `reached`, 0 also where no number can be believed."""
    try:
        return reached(folder)
    except UnreadableNumberError:
        return 0


def keep_reached(folder: Path, seq: int) -> None:
    """Another journal, which ends with this row, is about to take the place of what is here: durable before anything
    of that goes, so that a cut in between does not leave a journal that may have got to anywhere. OSError when the
    medium refuses."""
    write(folder / REACHED, slots.whole(seq))


def forget_reached(folder: Path) -> None:
    """Forgets the marker: its content is invalid."""
    remove(folder / REACHED)


class Reached:
    """The number of the newest row, kept beside the journal that is written."""

    def __init__(self, folder: Path) -> None:
        """Creates no file before the first number."""
        self._path = folder / REACHED
        self._file: int | None = None
        self._said = 0
        self._free = 0
        """The slot that is written next: the other holds the last number that was waited for."""

    def say(self, seq: int, *, wait: bool) -> None:
        """This row is durable; `wait` until the number is, too. A medium that refuses the number has taken the row.
        Without `wait` a refused number only falls behind, and is written whole the next time; else StoreError says so.
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
        self._said = seq
        os.pwrite(self._file, slots.slot(seq), slots.place(self._free))
        if wait:
            os.fsync(self._file)
            self._free = 1 - self._free

    def _opened(self, seq: int) -> int:
        """The file, of which one slot is overwritten at a time; made anew where no slot of it can be believed."""
        with suppress(OSError):
            file = os.open(self._path, _TO_WRITE)
            if self._is_whole(file) and self._choose(slots.numbers(os.pread(file, slots.SIZE, 0))):
                os.fsync(file)  # what a run that was killed has left in memory only
                return file
            os.close(file)
        write(self._path, slots.whole(seq))
        return os.open(self._path, _TO_WRITE)

    def _choose(self, numbers: tuple[int | None, ...]) -> bool:
        """Free the slot that holds less; False when no slot holds anything."""
        one, other = (-1 if number is None else number for number in numbers)
        self._free = 0 if one < other else 1
        return max(one, other) >= 0

    def _is_whole(self, file: int) -> bool:
        """Whether this open file is the one that a next start finds, and of the right length."""
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
        """Let the medium have the newest number in both slots, and close the file. Harmless when already closed."""
        if self._file is not None:
            with suppress(OSError):
                for _ in range(slots.COUNT):
                    self._write(self._said, wait=True)
        self._drop()
