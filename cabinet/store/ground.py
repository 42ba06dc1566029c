"""The checks of the data folders of a cabinet that takes money, and the mark that outlives them.

Rules: a cabinet takes money only where the books survive a power cut; an empty folder is a new machine only after a
technician has commissioned it; a mark in a separate folder outside the data records that this machine has books. The
mark is written after the first row is durable, so it never claims books that do not exist. A simulated cabinet has no
checks. The module does not know the content of a journal.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cabinet.store import mark
from cabinet.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreNewError,
    StorePartitionError,
    StorePlaceError,
    StoreRefusedError,
)
from cabinet.store.mounts import Unfit, why_unfit

HAS_BOOKS = "has-books"
"""The mark outside the data folder."""
_WORDS = b"This machine has books in its data folder. Without them it does not begin as a new machine by itself.\n"


def _fits(_folder: Path) -> None:
    return None


def _of_any_machine(_facts: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The conditions that the data folders must meet."""

    unfit: Callable[[Path], Unfit | None] = _fits
    """Returns why a folder cannot hold the books; None if it can."""
    not_new: StoreNewError | None = None
    """Why an empty folder may not begin as a new machine; None if it may."""
    had_books: bool = False
    """True if the mark outside the data shows that this machine has had books."""
    not_ours: Callable[[Mapping[str, str]], str] = _of_any_machine
    """Takes the facts in the books. Returns the name of the other machine that they belong to; empty if they are this
    machine's."""

    def check_owner(self, folder: Path, facts: Mapping[str, str]) -> None:
        """Raises StoreRefusedError if these facts from the books in `folder` belong to another machine."""
        if other := self.not_ours(facts):
            raise StoreRefusedError(
                f"{folder}: holds the books of {other}, and none are taken from it; connect this machine's medium, "
                "or correct machine.number, then restart the machine",
                found=f"{folder}: {other}",
            )

    def check_place(self, folder: Path) -> None:
        """Raises StorePartitionError if the partition of the data is missing, StorePlaceError if the data folder cannot
        hold the books for another reason."""
        trouble = self.unfit(folder)
        if trouble and trouble.partition_missing:
            raise StorePartitionError(
                f"the data partition is missing: {trouble}; connect its medium or mount it on {folder}, then the "
                "machine starts by itself; only where the books have no partition of their own, set "
                "data.own_partition to false",
                found=trouble.short,
            )
        if trouble:
            raise StorePlaceError(
                f"{trouble}: no money can be taken there; mount the medium with the data (ext4, writable), then "
                "restart the machine",
                found=trouble.short,
            )

    def check_new(self) -> None:
        """Raises StoreNewError if this empty folder may not begin as a new machine."""
        if self.not_new is not None:
            raise self.not_new


ANY = Ground()
"""The conditions of a simulated cabinet: none."""


def firm(mounts: str, data: Path, marks: Path | None, *, own_partition: bool = False) -> Ground:
    """Returns the conditions of a cabinet that takes money. `mounts` is the kernel's list of file systems; `marks` is
    the folder of the mark outside the data, None if no mark is wanted. With `own_partition` the data folder must be on
    a separate partition."""
    had_books = marks is not None and has_books(marks)
    trouble = why_unreadable(marks) if marks is not None else ""
    not_new = _why_not_new(data, marks if had_books else None, trouble)
    return Ground(
        unfit=lambda folder: why_unfit(mounts, folder, own=own_partition and folder == data),
        not_new=not_new,
        had_books=had_books,
    )


def _why_not_new(data: Path, marked: Path | None, trouble: str) -> StoreNewError:
    """Returns the refusal of a data folder without books, with the remedy. `marked` is the folder of an existing mark;
    `trouble` is why the mark cannot be read."""
    if trouble:
        return StoreNewError(
            f"{data} holds no books, and it is not known whether this machine has had some: {trouble}; then restart "
            "the machine",
            found=f"{data}={HAS_BOOKS}?",
        )
    if marked is not None:
        return StoreNewError(
            f"{data} holds no books, but this machine has had some, says {marked / HAS_BOOKS}: connect the medium with "
            "the data, or restore it with `cabinet restore`, then restart the machine; only where the books are "
            "given up for good `cabinet commission --anew`",
            found=f"{data}={HAS_BOOKS}?",
        )
    return StoreNewError(
        f"{data} holds no books: connect the medium with the data and restart the machine; on a new machine the "
        "technician runs `cabinet commission` once",
        found=f"{data}=?",
    )


# --- the mark outside the data ----------------------------------------------------------------------------------


def why_unreadable(marks: Path) -> str:
    """Returns why the mark in this folder cannot be read, with the remedy; empty if it can be read or does not
    exist."""
    try:
        mark.read(marks / HAS_BOOKS)
    except StoreDamagedError as error:
        cause = error.__cause__
        found = cause.strerror if isinstance(cause, OSError) else "it is no file"
        return (
            f"data.mark: {marks / HAS_BOOKS} cannot be read: {found}; make the folder readable for the cabinet's user, "
            "or name another one in data.mark"
        )
    return ""


def has_books(marks: Path) -> bool:
    """Returns True if this machine has ever had books. An unreadable mark counts as True."""
    try:
        return mark.read(marks / HAS_BOOKS) is not None
    except StoreDamagedError:
        return True


def remember_books(data: Path, marks: Path) -> None:
    """Writes the mark if it does not exist. Raises StoreError if the medium refuses."""
    if Path(os.path.realpath(marks)).is_relative_to(os.path.realpath(data)):
        raise StoreError(f"data.mark: {marks} is in the data folder and is lost with it; name a folder outside {data}")
    if trouble := why_unreadable(marks):
        raise StoreError(trouble)
    if has_books(marks):
        return
    try:
        mark.write(marks / HAS_BOOKS, _WORDS)
    except OSError as error:
        raise StoreError(
            f"{marks / HAS_BOOKS}: cannot be written: {error.strerror}; make the folder for the cabinet's user, or "
            "name another one in data.mark"
        ) from error
