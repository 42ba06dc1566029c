"""The tables, as numbered migrations. Each runs once, together with the record that it ran, in one transaction.

A migration that has been released is never edited; a change is a new one. After the last one a journal is what it would
be had this program kept every row of it: what older programs did not write is taken from the rows, which hold it all. A
row that cannot be read is passed over here; the check that follows every opening names it.
"""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from cabinet.store import codec
from cabinet.store.errors import StoreDamagedError
from cabinet.store.record import SEAL, roll_back, seal_facts

Change = str | Callable[[sqlite3.Connection], None]
"""A statement, or what takes more than a statement."""

# --- what older programs did not write --------------------------------------------------------------------------

_ENDS = frozenset({"TicketVoided", "TicketRedeemed"})


def _fill_in_tickets(connection: sqlite3.Connection) -> None:
    """The time and the expiry of each listed ticket, and when it became worth nothing, as the kept rows tell."""
    told = _tickets_at_checkpoint(connection)
    for wall_ms, clock_ok, event in _ticket_events(connection):
        sequence = event["sequence"]
        if event["is"] == "PayingOut":
            told.setdefault(sequence, [wall_ms, clock_ok, event.get("expires_days", 0), 0, 0])
        elif sequence in told and (event["is"] in _ENDS or event.get("duplicate")):
            told[sequence][3:] = wall_ms, clock_ok
    connection.executemany(
        "UPDATE tickets SET wall_ms = ?, clock_ok = ?, expires_days = ?, settled_ms = ?, settled_ok = ? "
        "WHERE sequence = ?",
        ((*values, sequence) for sequence, values in told.items()),
    )


def _tickets_at_checkpoint(connection: sqlite3.Connection) -> dict[int, list[int]]:
    """Those that were begun by rows which are gone; an older checkpoint says less of each."""
    found = connection.execute("SELECT CAST(tickets AS BLOB) FROM checkpoint").fetchone()
    listed = _plain(found[0]) if found else None
    told = {}
    for key, values in listed.items() if isinstance(listed, dict) else ():
        if key.isdecimal() and isinstance(values, list):
            _, _, _, wall_ms, clock_ok, _, expires_days, settled_ms, settled_ok = [*values, *[0] * 9][:9]
            told[int(key)] = [wall_ms, clock_ok, expires_days, settled_ms, settled_ok]
    return told


def _ticket_events(connection: sqlite3.Connection) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every event of a ticket after the checkpoint, with the time of its row."""
    rows = connection.execute(
        "SELECT wall_ms, clock_ok, CAST(events AS BLOB) FROM steps WHERE events LIKE '%\"sequence\"%' "
        "AND seq > coalesce((SELECT seq FROM checkpoint), 0) ORDER BY seq"
    )
    for wall_ms, clock_ok, text in rows:
        events = _plain(text)
        for event in events if isinstance(events, list) else ():
            if isinstance(event, dict) and isinstance(event.get("is"), str) and isinstance(event.get("sequence"), int):
                yield wall_ms, clock_ok, event


def _plain(text: Any) -> Any:
    """What a text says; None when it is damaged."""
    try:
        return codec.decode_plain(text)
    except StoreDamagedError:
        return None


def _seal_facts(connection: sqlite3.Connection) -> None:
    """The first programs remembered facts without a seal."""
    (there,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    (sealed,) = connection.execute("SELECT count(*) FROM facts WHERE name = ?", (SEAL,)).fetchone()
    if there and not sealed:
        seal_facts(connection)


# --- the migrations ---------------------------------------------------------------------------------------------

MIGRATIONS: tuple[tuple[Change, ...], ...] = (
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
    (_fill_in_tickets, _seal_facts),
)


def form_of(connection: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> int:
    """The form of the tables, 0 before there are any. StoreDamagedError when it is newer than this program knows."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > newest:
        raise StoreDamagedError(
            f"the journal has form {version}, this program knows up to {newest}: "
            "it was written by a newer version; install that one"
        )
    return int(version)


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[Change, ...], ...] = MIGRATIONS) -> None:
    """Bring the tables to the newest form. StoreDamagedError when they are newer than this program."""
    version = form_of(connection, len(migrations))
    for number in range(version, len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for change in migrations[number]:
                if isinstance(change, str):
                    connection.execute(change)
                else:
                    change(connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            roll_back(connection)
            raise
