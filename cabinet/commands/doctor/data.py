"""What the doctor finds out about the place of the books: the file system they are on, and whether they are there.

Writes nothing.
"""

import os
from collections.abc import Callable
from pathlib import Path

from cabinet.commands.doctor.findings import Finding, bad, good, poor
from cabinet.store import mark, medium
from cabinet.store.errors import StoreBusyError, StoreError, StoreNewerError
from cabinet.store.ground import has_books, why_unreadable
from cabinet.store.mounts import mount_of, why_unfit
from cabinet.store.opening import FILE, is_there
from cabinet.store.verify import verify

UNFIT = frozenset({"vfat", "exfat", "msdos", "nfs", "nfs4", "cifs", "9p", "fuse.sshfs", "f2fs"})
"""File systems that do not keep what SQLite asks them to keep, or not on every Pi."""


def find_medium(mounts: str, data: Path, *, simulate: bool, own_partition: bool = False) -> Finding:
    """Checks what the data folder lies on, and the library that keeps the journal there."""
    mount = mount_of(mounts, data)
    found = f"file system {mount.kind if mount else 'unknown'}, SQLite {medium.library()}"
    trouble = why_unfit(mounts, data, own=own_partition and not simulate)
    if trouble and trouble.partition_missing:
        todo = f"the data partition is missing: {trouble}; connect its medium or mount it on {data}"
        return bad("Medium", found, todo)
    if trouble:
        todo = f"put the data folder on its own partition (ext4): {trouble}"
        return (poor if simulate else bad)("Medium", found, todo)
    if mount and mount.kind in UNFIT:
        return poor("Medium", found, "use ext4: this file system does not keep what it promises after a power cut")
    return good("Medium", found)


def find_copy(what: str, folder: Path) -> Finding:
    """Returns the finding for one copy. Raises StoreBusyError while a cabinet runs on it."""
    todo = "keep the folder as it is and call the technician; do not clear it"
    try:
        if not os.path.lexists(folder / FILE) and not mark.has_played(folder):
            return good(what, f"none in {folder}")
        verdict = verify(folder)
    except StoreBusyError:
        raise
    except StoreNewerError as error:
        return bad(what, str(error), "install the program that wrote it")
    except StoreError as error:
        return bad(what, str(error), todo)
    if not verdict.ok:
        return bad(what, "; ".join(verdict.problems), todo)
    return good(what, f"{verdict.rows} rows in {folder} are in order")


def find_commissioning(data: Path, marks: Path | None, may: Callable[[Path, int], bool]) -> Finding:
    """Checks whether the machine was commissioned, and whether a mark in `marks`, outside the data, remembers it."""
    had_books = marks is not None and has_books(marks)
    if marks is not None and (trouble := why_unreadable(marks)):
        found, _, todo = trouble.partition("; ")
        return (poor if is_there(data / FILE) else bad)("Commissioning", found, todo)
    if not is_there(data / FILE):
        todo = "on a new machine run `cabinet commission` once; otherwise connect the medium with the data"
        return bad("Commissioning", "no books, but this machine has had some" if had_books else "no books", todo)
    if marks is None:
        return poor(
            "Commissioning", "books; nothing outside them remembers it", "set data.mark to a folder outside the data"
        )
    if not (had_books or may(marks, os.W_OK | os.X_OK)):
        return poor("Commissioning", f"books; {marks} cannot be written", "make that folder for the cabinet's user")
    return good("Commissioning", f"books; their mark is in {marks}")
