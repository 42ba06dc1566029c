"""The tables, as numbered migrations. Each runs once, together with the record that it ran, in one transaction.

A migration that has been released is never edited; a change is a new one.
"""

import sqlite3

from cabinet.store.errors import StoreDamagedError
from cabinet.store.record import roll_back

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE steps (
            seq INTEGER PRIMARY KEY,
            boot INTEGER NOT NULL,
            wall_ms INTEGER NOT NULL,
            mono_ms INTEGER NOT NULL,
            clock_ok INTEGER NOT NULL,
            round INTEGER NOT NULL,
            credit INTEGER NOT NULL,
            input TEXT NOT NULL,
            drawn TEXT NOT NULL,
            postings TEXT NOT NULL,
            counts TEXT NOT NULL,
            events TEXT NOT NULL,
            tickets TEXT NOT NULL,
            machine_hash BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT""",
        "CREATE INDEX steps_by_round ON steps (round)",
        """CREATE TABLE machine (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            seq INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT""",
        """CREATE TABLE events (
            number INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            wall_ms INTEGER NOT NULL,
            clock_ok INTEGER NOT NULL,
            what TEXT NOT NULL,
            detail TEXT NOT NULL,
            cents INTEGER
        ) STRICT""",
        "CREATE INDEX events_by_what ON events (what)",
        """CREATE TABLE tickets (
            sequence INTEGER PRIMARY KEY,
            number TEXT NOT NULL,
            cents INTEGER NOT NULL,
            state TEXT NOT NULL,
            wall_ms INTEGER NOT NULL,
            clock_ok INTEGER NOT NULL,
            duplicates INTEGER NOT NULL
        ) STRICT""",
        "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    ),
    (
        "CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT",
        """CREATE TABLE checkpoint (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            seq INTEGER NOT NULL,
            before BLOB NOT NULL,
            identity BLOB NOT NULL,
            wall_ms INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            log BLOB NOT NULL,
            tickets TEXT NOT NULL,
            hash BLOB NOT NULL
        ) STRICT""",
    ),
    (
        "ALTER TABLE tickets ADD COLUMN expires_days INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tickets ADD COLUMN settled_ms INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tickets ADD COLUMN settled_ok INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX tickets_by_number ON tickets (number)",
    ),
)


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring the tables to the newest form. StoreDamagedError when they are newer than this program."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(migrations):
        raise StoreDamagedError(
            f"the journal has form {version}, this program knows up to {len(migrations)}: "
            "it was written by a newer version; install that one"
        )
    for number in range(version, len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in migrations[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except sqlite3.Error:
            roll_back(connection)
            raise
