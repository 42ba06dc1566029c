"""Opens a journal's file: ownership of the folder, durability, and the meaning of errors while opening.

Rules: a folder has one owner, and the lock ends with the process; every connection requests WAL with full
synchronisation and verifies that it has it; two steps never share a sector, so that a torn write cannot damage the step
before. The module does not know the content of the file.
"""

import errno
import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFolderError, StoreFullError

FILE = "journal.db"
LOCK_FILE = "cabinet.lock"
WAL, SHM = "-wal", "-shm"
"""Endings of the files that the library keeps beside a journal: the write-ahead log and its index."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What the reading of damaged data raises. The library words damage with names from the file itself; where these are no
text, Python cannot repeat them."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def refusal(error: sqlite3.Error, path: Path, *, outcome: str = "") -> StoreError:
    """What a refused write is: StoreFullError where the medium is the cause, StoreDamagedError where the file is.

    `outcome` says what has become of what was to be written. A refused write may be whole on the medium all the same:
    a sync that fails does not take back what it could not confirm.
    """
    then = f"; {outcome}" if outcome else ""
    if _code(error) in _FULL:
        return StoreFullError(f"{path}: the medium refused a write ({error}){then}; make room or check the medium")
    if _code(error) in _DAMAGED:
        return StoreDamagedError(f"{path}: {error}{then}; keep this file, call the technician")
    return StoreError(f"{path}: the journal refused a write: {error}{then}; call the technician")


def refusal_to_read(error: sqlite3.DatabaseError, connection: sqlite3.Connection) -> StoreError:
    """What an error while reading an open journal is."""
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
    """Say of an error while opening or reading whether the file is in use, its medium fails, or it is damaged."""
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
    """Keep every cabinet off the folder meanwhile. StoreBusyError while one runs on it."""
    lock = own(folder)
    try:
        yield
    finally:
        os.close(lock)


@dataclass(slots=True, kw_only=True)
class Place:
    """Which file was opened, whatever its name stands for later. None of a journal's files ever gets shorter while it
    is open."""

    path: Path
    device: int
    inode: int
    size: int
    """The most it was ever seen to hold, in bytes."""

    @classmethod
    def of(cls, path: Path) -> "Place":
        """The file that has this name now."""
        found = path.stat()
        return cls(path=path, device=found.st_dev, inode=found.st_ino, size=found.st_size)

    @classmethod
    def both_of(cls, path: Path) -> "tuple[Place, Place]":
        """The files of an open journal: what is newest lies in the write-ahead log, and nowhere else."""
        return cls.of(path), cls.of(path.with_name(f"{path.name}{WAL}"))

    def trouble(self) -> str | None:
        """What has become of the name, None when it is still that of the file."""
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
    """The first trouble with these files, None when all are in their place."""
    return next((trouble for place in places if (trouble := place.trouble()) is not None), None)


def is_there(path: Path) -> bool:
    """Whether something has this name. OSError where that is not known: `Path.exists` also says no to some of these."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def why_out_of_reach(folder: Path) -> str:
    """Why the folder of a second copy cannot be had; empty where it is a folder."""
    try:
        return "" if stat.S_ISDIR(folder.stat().st_mode) else f"{folder} is no folder"
    except FileNotFoundError:
        return f"{folder} is not there"
    except OSError as error:
        return f"{folder} cannot be read: {error.strerror}"


def unusable(folder: Path, error: OSError) -> StoreFolderError:
    """What it means that the system refuses this folder."""
    return StoreFolderError(
        f"{folder}: cannot be used as data folder: {error.strerror}; check the folder and the rights on it",
        found=f"{folder}: {errno.errorcode.get(error.errno or 0, '?')}",
    )


def own(folder: Path) -> int:
    """Make the folder ours, and make it if it is not there; closing the returned descriptor gives it up."""
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


def connect(path: Path) -> sqlite3.Connection:
    """A connection that is ready for durable transactions. StoreError where the medium cannot promise them.

    It is opened by the thread that builds the cabinet, then handed over once: never used by two threads at a time.
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
    """Durability is asked for and read back: a medium that cannot give it is no place for a journal."""
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
