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
from cabinet.store.opening import FILE, is_there

HAS_BOOKS = "has-books"
"""The mark outside the data folder."""
_WORDS = b"This machine has books in its data folder. Without them it does not begin as a new machine by itself.\n"


def _fits(_folder: Path) -> None:
    return None


def _of_any_machine(_facts: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is asked of the folders."""

    unfit: Callable[[Path], Unfit | None] = _fits
    """Why a folder cannot hold the books; None where it can."""
    not_new: StoreNewError | None = None
    """Why an empty folder may not begin as a new machine; None where it may."""
    had_books: bool = False
    """Whether the mark outside the data says that this machine has had books."""
    mark_trouble: str = ""
    """Why the mark outside the data cannot be read; empty where it can, or where none is wanted."""
    not_ours: Callable[[Mapping[str, str]], str] = _of_any_machine
    """Whose the books are that remember these facts, where it is another machine; empty where it is this one."""

    def check_owner(self, folder: Path, facts: Mapping[str, str]) -> None:
        """StoreRefusedError where the books in `folder`, which remember these facts, are another machine's."""
        if other := self.not_ours(facts):
            raise StoreRefusedError(
                f"{folder}: holds the books of {other}, and none are taken from it; connect this machine's medium, "
                "or correct machine.number, then restart the machine",
                found=f"{folder}: {other}",
            )

    def check_place(self, folder: Path) -> None:
        """StorePlaceError where the data folder cannot hold the books; StorePartitionError where it is another one."""
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

    def may_write(self, folder: Path) -> bool:
        """Whether a file beside the books may be written: not where they cannot be, and not before they have begun."""
        if self.not_new is None:
            return self.unfit(folder) is None
        try:
            return self.unfit(folder) is None and is_there(folder / FILE)
        except OSError:
            return False

    def check_new(self) -> None:
        """StoreNewError where this folder, which is empty, may not begin as a new machine."""
        if self.not_new is not None:
            raise self.not_new


ANY = Ground()
"""The ground of a simulated cabinet."""


def firm(mounts: str, data: Path, marks: Path | None, *, own_partition: bool = False) -> Ground:
    """The ground of a cabinet that takes money. `mounts` is the kernel's list of file systems; `marks` is the folder of
    the mark outside the data, None where none is wanted; with `own_partition` the data folder must be on a partition
    of its own."""
    had_books = marks is not None and has_books(marks)
    trouble = why_unreadable(marks) if marks is not None else ""
    not_new = _why_not_new(data, marks if had_books else None, trouble)
    return Ground(
        unfit=lambda folder: why_unfit(mounts, folder, own=own_partition and folder == data),
        not_new=not_new,
        had_books=had_books,
        mark_trouble=trouble,
    )


def _why_not_new(data: Path, marked: Path | None, trouble: str) -> StoreNewError:
    """What is said of a data folder without books, with what to do; `marked` is the folder of a mark that is there,
    `trouble` says why it cannot be read."""
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
    """Why the mark in this folder cannot be read, and what to do; empty where it can, or where there is none."""
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
    """Whether this machine has ever had books. A mark that cannot be read counts: in doubt it has."""
    try:
        return mark.read(marks / HAS_BOOKS) is not None
    except StoreDamagedError:
        return True


def remember_books(data: Path, marks: Path) -> None:
    """Leave the mark; harmless when it is there. StoreError when it cannot be kept."""
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
