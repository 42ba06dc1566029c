"""What a cabinet that takes money asks of the folders of its data, and the mark that outlives them.

Rules that hold: money is only taken where the books survive the power; an empty folder is a new machine only after a
technician has said so; a mark in a folder of its own, outside the data, remembers that this machine has books. The mark
is written after the first row is durable, so that it never speaks of a machine that has none. Does not know what is in
a journal. A simulated cabinet asks nothing: it is tried out on any folder.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cabinet.store import mark
from cabinet.store.errors import StoreDamagedError, StoreError, StoreNewError, StorePlaceError
from cabinet.store.mounts import Unfit, why_unfit

HAS_BOOKS = "has-books"
"""The mark outside the data folder."""
_WORDS = b"This machine has books in its data folder. Without them it does not begin as a new machine by itself.\n"


def _fits(_folder: Path) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is asked of the folders."""

    unfit: Callable[[Path], Unfit | None] = _fits
    """Why a folder cannot hold the books; None where it can."""
    not_new: StoreNewError | None = None
    """Why an empty folder may not begin as a new machine; None where it may."""
    had_books: bool = False
    """Whether the mark outside the data says that this machine has had books."""

    def check_place(self, folder: Path) -> None:
        """StorePlaceError where the data folder cannot hold the books."""
        if trouble := self.unfit(folder):
            raise StorePlaceError(
                f"{trouble}: no money can be taken there; mount the medium with the data (ext4, writable), then "
                "restart the machine",
                found=trouble.short,
            )

    def check_new(self) -> None:
        """StoreNewError where this folder, which is empty, may not begin as a new machine."""
        if self.not_new is not None:
            raise self.not_new


ANY = Ground()
"""The ground of a simulated cabinet."""


def firm(mounts: str, data: Path, marks: Path | None) -> Ground:
    """The ground of a cabinet that takes money. `mounts` is the kernel's list of file systems; `marks` is the folder of
    the mark outside the data, None where none is wanted."""
    had_books = marks is not None and has_books(marks)
    not_new = _why_not_new(data, marks if had_books else None)
    return Ground(unfit=lambda folder: why_unfit(mounts, folder), not_new=not_new, had_books=had_books)


def _why_not_new(data: Path, marked: Path | None) -> StoreNewError:
    """What is said of a data folder without books, with what to do; `marked` is the folder of a mark that is there."""
    if marked is not None:
        return StoreNewError(
            f"{data} holds no books, but this machine has had some, says {marked / HAS_BOOKS}: connect the medium with "
            "the data, or write it anew with `cabinet restore`, then restart the machine; only where the books are "
            "given up for good `cabinet commission --anew`",
            found=f"{data}={HAS_BOOKS}?",
        )
    return StoreNewError(
        f"{data} holds no books: connect the medium with the data and restart the machine; on a new machine the "
        "technician runs `cabinet commission` once",
        found=f"{data}=?",
    )


# --- the mark outside the data ----------------------------------------------------------------------------------


def has_books(marks: Path) -> bool:
    """Whether this machine has ever had books. A mark that cannot be read counts: in doubt it has."""
    try:
        return mark.read(marks / HAS_BOOKS) is not None
    except StoreDamagedError:
        return True


def remember_books(data: Path, marks: Path) -> None:
    """Leave the mark; harmless when it is there. StoreError when it cannot be kept."""
    if Path(os.path.realpath(marks)).is_relative_to(os.path.realpath(data)):
        raise StoreError(f"data.mark: {marks} is in the data folder and is lost with it; name a folder outside {data}")
    if has_books(marks):
        return
    try:
        mark.write(marks / HAS_BOOKS, _WORDS)
    except OSError as error:
        raise StoreError(
            f"{marks / HAS_BOOKS}: cannot be written: {error.strerror}; make the folder for the cabinet's user, or "
            "name another one in data.mark"
        ) from error
