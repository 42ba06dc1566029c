"""The layer below the journal: the library's version, and a bare durable commit as the base of measurements.

Rules: a bare commit requires the same guarantee of the medium as the journal (WAL, full synchronisation) and does no
other work. The module does not know the journal, its tables or money.
"""

import sqlite3
from pathlib import Path
from typing import Self

FILE = "bare.db"


def library() -> str:
    """Returns the version of SQLite."""
    return sqlite3.sqlite_version


class BareCommits:
    """Durable commits of plain rows, one transaction each, into a separate file."""

    def __init__(self, folder: Path) -> None:
        """Creates the file in `folder`; it must not exist yet."""
        self._connection = sqlite3.connect(folder / FILE, isolation_level=None)
        for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
            self._connection.execute(f"PRAGMA {pragma}").fetchone()
        self._connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT")

    def __enter__(self) -> Self:
        """Returns the object itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Closes the file; it is not removed."""
        self._connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """Returns the connection, for a check of its settings."""
        return self._connection

    def commit(self, body: bytes) -> None:
        """Makes one row durable."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO rows (body) VALUES (?)", (body,))
        self._connection.execute("COMMIT")

    def count(self) -> int:
        """Returns the number of rows."""
        (rows,) = self._connection.execute("SELECT count(*) FROM rows").fetchone()
        return int(rows)
