"""Opens a journal's file: ownership of the folder, durability, and the meaning of errors while opening.

Rules: a folder has one owner, and the lock ends with the process; every connection requests WAL with full
synchronisation and verifies that it has it; two steps never share a sector, so that a torn write cannot damage the step
before. The module does not know the content of the file.
"""

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFolderError, StoreFullError

FILE = "journal.db"
LOCK_FILE = "cabinet.lock"
WAL, SHM, ROLLBACK = "-wal", "-shm", "-journal"
"""Endings of the files that SQLite keeps beside a journal: the write-ahead log, its index, and the rollback journal
while the first connection changes the file."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors raised while reading damaged data. The message of SQLite may contain names from the file that are no valid
text."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def refusal(error: sqlite3.Error, path: Path, *, outcome: str = "") -> StoreError:
    """Returns the error for a refused write: StoreFullError if the medium is the cause, StoreDamagedError if the file
    is.

    `outcome` is what happened to the data that was to be written. A refused write may be complete on the medium all the
    same: a failed sync does not undo the write.
    """
    then = f"; {outcome}" if outcome else ""
    if _code(error) in _FULL:
        return StoreFullError(f"{path}: the medium refused a write ({error}){then}; make room or check the medium")
    if _code(error) in _DAMAGED:
        return StoreDamagedError(f"{path}: {error}{then}; keep this file, call the technician")
    return StoreError(f"{path}: the journal refused a write: {error}{then}; call the technician")


def refusal_to_read(error: sqlite3.DatabaseError, connection: sqlite3.Connection) -> StoreError:
    """Returns the error for a failed read of an open journal."""
    path = next((name for _, _, name in _listed(connection) if name), "the journal")
    if _code(error) in _FULL:
        return StoreFullError(f"{path}: the medium cannot be read ({error}); check it")
    return StoreDamagedError(f"{path}: {error}; the machine stays locked, keep this file")


def _listed(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    try:
        return connection.execute("PRAGMA database_list").fetchall()
    except sqlite3.Error:
        return []


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Converts an error while opening or reading: the file is in use, its medium fails, or it is damaged."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreDamagedError(f"{path}: its tables have no readable names; the machine stays locked") from error
    except sqlite3.DatabaseError as error:
        if _code(error) in _BUSY:
            raise StoreBusyError(f"{path}: another program has this file open; close it first") from error
        if _code(error) in _FULL:
            raise StoreFullError(f"{path}: the medium refuses ({error}); make room or check the medium") from error
        raise StoreDamagedError(f"{path}: {error}; the machine stays locked, keep this file") from error


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Keeps every cabinet off the folder during the block. Raises StoreBusyError while a cabinet runs on it."""
    lock = own(folder)
    try:
        yield
    finally:
        os.close(lock)


@dataclass(slots=True, kw_only=True)
class Place:
    """The identity of an opened file, whatever its name refers to later. No file of a journal gets shorter while it is
    open."""

    path: Path
    device: int
    inode: int
    size: int
    """The largest size seen, in bytes."""

    @classmethod
    def of(cls, path: Path) -> "Place":
        """Returns the file that has this name now."""
        found = path.stat()
        return cls(path=path, device=found.st_dev, inode=found.st_ino, size=found.st_size)

    @classmethod
    def both_of(cls, path: Path) -> "tuple[Place, Place]":
        """Returns both files of an open journal: the newest steps are only in the write-ahead log."""
        return cls.of(path), cls.of(path.with_name(f"{path.name}{WAL}"))

    def trouble(self) -> str | None:
        """Returns what happened to the name; None if it is still that of the file."""
        try:
            found = self.path.stat()
        except OSError as error:
            return f"{self.path}: is no longer there ({error.strerror})"
        if (found.st_dev, found.st_ino) != (self.device, self.inode):
            return f"{self.path}: was replaced"
        if found.st_size < self.size:
            return f"{self.path}: was cut off at {found.st_size} bytes, it had {self.size}"
        self.size = found.st_size
        return None


def trouble_of(places: Iterable[Place]) -> str | None:
    """Returns the first problem with these files; None if all are in their place."""
    return next((trouble for place in places if (trouble := place.trouble()) is not None), None)


def is_there(path: Path) -> bool:
    """Returns True if a file or folder has this name. Raises OSError if that cannot be determined, where `Path.exists`
    may return False."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def why_out_of_reach(folder: Path) -> str:
    """Returns why the folder of a second copy cannot be used; empty if it is a folder."""
    try:
        return "" if stat.S_ISDIR(folder.stat().st_mode) else f"{folder} is no folder"
    except FileNotFoundError:
        return f"{folder} is not there"
    except OSError as error:
        return f"{folder} cannot be read: {error.strerror}"


def unusable(folder: Path, error: OSError) -> StoreFolderError:
    """Returns the error for a folder that the system refuses."""
    return StoreFolderError(
        f"{folder}: cannot be used as data folder: {error.strerror}; check the folder and the rights on it",
        found=f"{folder}: {errno.errorcode.get(error.errno or 0, '?')}",
    )


def own(folder: Path) -> int:
    """Creates the folder if necessary and locks it for this process. Closing the returned descriptor releases it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise unusable(folder, error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise StoreBusyError(f"{folder}: a cabinet is running on this data folder; stop it first") from error
    return lock


def own_known(folder: Path, reach: ExitStack) -> None:
    """Locks a folder that has had an owner, until `reach` closes. Creates nothing in any other; see `own_new`."""
    try:
        known = is_there(folder / LOCK_FILE)
    except OSError as error:
        raise unusable(folder, error) from error
    if known:
        reach.callback(os.close, own(folder))


def own_new(folder: Path, reach: ExitStack) -> None:
    """Locks an accepted folder that `own_known` has left free, because it had no owner yet."""
    if not is_there(folder / LOCK_FILE):
        reach.callback(os.close, own(folder))


def is_pending(folder: Path) -> bool:
    """Returns True if the journal's own file does not have all its content: a run has left some beside it. Raises
    OSError if that cannot be determined."""
    beside = (folder / f"{FILE}{ending}" for ending in (WAL, ROLLBACK))
    return any(is_there(path) and path.stat().st_size for path in beside)


def copy_files(folder: Path, place: Path) -> None:
    """Copies the journal, with what a run has left beside it, from `folder` to `place`. Raises OSError."""
    for ending in ("", WAL, ROLLBACK):
        source = folder / f"{FILE}{ending}"
        if is_there(source):
            shutil.copyfile(source, place / source.name)


def connect(path: Path) -> sqlite3.Connection:
    """Returns a connection that is ready for durable transactions. Raises StoreError if the medium cannot give that
    guarantee.

    The thread that builds the cabinet opens it and hands it over once; two threads never use it at the same time.
    """
    name = f"{path.absolute().as_uri()}?psow=0"
    connection = sqlite3.connect(
        name, uri=True, isolation_level=None, timeout=0, cached_statements=64, check_same_thread=False
    )
    try:
        _set_up(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    """Requests durability and verifies it: a medium without it cannot hold a journal."""
    for name, value, expected in (
        ("locking_mode", "EXCLUSIVE", "exclusive"),
        ("journal_mode", "WAL", "wal"),
        ("synchronous", "FULL", 2),
        ("foreign_keys", "ON", 1),
        ("trusted_schema", "OFF", 0),
    ):
        connection.execute(f"PRAGMA {name} = {value}")
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != expected:
            raise StoreError(f"{path}: {name} is {found!r}, expected {expected!r}; move the data to a local disk")


@contextmanager
def leniently(connection: sqlite3.Connection) -> Iterator[None]:
    """Lets damaged text be read, so that it can be compared and named, during the block."""
    before = connection.text_factory
    connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    try:
        yield
    finally:
        connection.text_factory = before
