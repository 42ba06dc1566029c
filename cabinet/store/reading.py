"""Reads a journal without a running cabinet, for read-only commands, also on a read-only medium.

Rules: the module writes nothing in the data folder, neither a lock file nor the library's files; it refuses a folder on
which a cabinet runs; it also reads the content of the write-ahead log, from a copy in another place.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from cabinet.store import mark, schema
from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFullError
from cabinet.store.opening import FILE, LOCK_FILE, copy_files, explained, is_pending, is_there


@contextmanager
def reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """Yields a connection that reads the journal in `folder`; no cabinet can start on the folder meanwhile.

    Raises StoreBusyError while a cabinet runs on it, StoreDamagedError when there is no journal or it cannot be read,
    StoreFullError when its medium fails.
    """
    path = folder / FILE
    if not path.is_file():
        mark.check(folder, path, steps=0)
        raise StoreDamagedError(f"{path}: there is no journal here; check --data")
    with ExitStack() as resources:
        _keep_away(folder, resources)
        with explained(path):
            connection = _open(folder, resources)
        yield connection


def _keep_away(folder: Path, resources: ExitStack) -> None:
    """Holds the lock of the folder if there is one; a folder without a lock has never belonged to a cabinet."""
    try:
        lock = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{folder / LOCK_FILE}: cannot be read: {error.strerror}; check the rights on it") from error
    resources.callback(os.close, lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StoreBusyError(f"{folder}: a cabinet is running on this data folder; stop it first") from error


def _open(folder: Path, resources: ExitStack) -> sqlite3.Connection:
    connection = open_unchanged(folder, resources)
    return connection if schema.form_of(connection) >= schema.KEPT else _copied(folder, resources)


def open_unchanged(folder: Path, resources: ExitStack) -> sqlite3.Connection:
    """Opens the journal in `folder` and changes nothing there: its own file if that has all the content, otherwise a
    copy in another place. The caller owns the folder. Raises StoreFullError when a medium refuses."""
    try:
        pending = is_pending(folder)
    except OSError as error:
        raise StoreFullError(f"{folder / FILE}: cannot be read: {error.strerror}; check the medium") from error
    return _copied_as_it_is(folder, resources) if pending else _connected(folder / FILE, resources)


def lost_file(folder: Path) -> str:
    """Returns that the journal's own file is gone or empty although a run has left some of its content beside it; empty
    if that is not so. Opening such a file would remove that content. Raises OSError if a file cannot be examined."""
    path = folder / FILE
    if (is_there(path) and path.stat().st_size) or not is_pending(folder):
        return ""
    return f"{path}: is missing or empty, but content of it is beside it; keep the folder as it is"


def made_ready(connection: sqlite3.Connection, folder: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns this connection of `open_unchanged` if its tables have a form that this program writes; otherwise a copy
    of the journal, brought to that form."""
    if schema.is_ready(connection):
        return connection
    copied = _copied_as_it_is(folder, resources)
    schema.make_ready(copied)
    return copied


def _connected(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Opens the file itself; `immutable` stops SQLite from creating files beside it."""
    name = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(name, uri=True, isolation_level=None)
    resources.callback(connection.close)
    return connection


def _copied(folder: Path, resources: ExitStack) -> sqlite3.Connection:
    """Opens a copy in another place, with the content of the write-ahead log, in the newest form."""
    connection = _copied_as_it_is(folder, resources)
    schema.migrate(connection)
    return connection


def _copied_as_it_is(folder: Path, resources: ExitStack) -> sqlite3.Connection:
    """Opens a copy in another place, with the content of the write-ahead log."""
    try:
        place = Path(resources.enter_context(TemporaryDirectory(prefix="journal-")))
        copy_files(folder, place)
    except OSError as error:
        raise StoreFullError(
            f"{folder / FILE}: cannot be copied to {gettempdir()}: {error.strerror}; make room there, or check the "
            "medium"
        ) from error
    connection = sqlite3.connect(place / FILE, isolation_level=None)
    resources.callback(connection.close)
    return connection


def find_form(folder: Path) -> int:
    """Returns the form in which the journal in `folder` is written. Writes nothing there.

    Raises StoreBusyError while a cabinet runs on the folder, StoreDamagedError when there is no journal or it cannot be
    read, StoreNewerError when a newer program wrote it.
    """
    path = folder / FILE
    if not path.is_file():
        raise StoreDamagedError(f"{path}: there is no journal here; check --data")
    with ExitStack() as resources:
        _keep_away(folder, resources)
        with explained(path):
            return schema.form_of(open_unchanged(folder, resources))


def find_fact(folder: Path, name: str) -> str | None:
    """Returns a fact that the journal in `folder` has about its installation; None without it or without a journal.

    Raises StoreBusyError while a cabinet runs on the folder, StoreDamagedError when the journal cannot be read.
    """
    path = folder / FILE
    if not is_there(path):
        return None
    with reading(folder) as connection, explained(path):
        found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


# --- the books in a folder ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksFound:
    """The books found in a folder."""

    rows: int = 0
    """The number of the newest row; 0 if there are no books."""
    problem: str = ""
    """Why the books cannot be read, or what shows that they have lost their end."""


def find_books(folder: Path) -> BooksFound:
    """Returns the books in `folder`. Writes nothing; a cabinet that runs there is a problem."""
    path = folder / FILE
    try:
        if is_there(path):
            with reading(folder) as connection, explained(path):
                (seq,) = connection.execute("SELECT coalesce(max(seq), 0) FROM steps").fetchone()
            mark.check(folder, path, steps=seq)
            return BooksFound(rows=int(seq))
        mark.check(folder, path, steps=0)
    except StoreError as error:
        return BooksFound(problem=str(error))
    except OSError as error:
        return BooksFound(problem=f"{path} cannot be read: {error.strerror}")
    return BooksFound()
