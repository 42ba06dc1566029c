"""The forms of the journal: its tables, as numbered migrations, and when a journal moves to a newer form.

Rules:
- Each migration runs once, together with the record that it ran, in one transaction.
- A journal with rows stays in form `KEPT`, which the program before this one can read, until a technician has confirmed
  the new program.
- A released migration is never edited; a change is a new migration.
- After the last migration a journal is equal to one that this program has written from the beginning: what older
  programs did not write is computed from the rows.
- A migration skips a row that cannot be read; the check after every opening names that row.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from cabinet.store import closings, codec, history
from cabinet.store.chain import StepRow
from cabinet.store.errors import StoreDamagedError, StoreNewerError
from cabinet.store.opening import leniently
from cabinet.store.record import SEAL, facts_problem, roll_back, seal_facts
from cabinet.store.sums import Sums

Change = str | Callable[[sqlite3.Connection], None]
"""An SQL statement, or a function for what needs more than a statement."""

# --- what older programs did not write --------------------------------------------------------------------------

_ENDS = frozenset({"TicketVoided", "TicketRedeemed"})


def _fill_in_tickets(connection: sqlite3.Connection) -> None:
    """Fills in the time and the expiry of each listed ticket, and when it became worthless, from the kept rows."""
    times = _tickets_at_checkpoint(connection)
    for wall_ms, clock_ok, event in _ticket_events(connection):
        sequence = event["sequence"]
        if event["is"] == "PayingOut":
            times.setdefault(sequence, [wall_ms, clock_ok, event.get("expires_days", 0), 0, 0])
        elif sequence in times and (event["is"] in _ENDS or event.get("duplicate")):
            times[sequence][3:] = wall_ms, clock_ok
    connection.executemany(
        "UPDATE tickets SET wall_ms = ?, clock_ok = ?, expires_days = ?, settled_ms = ?, settled_ok = ? "
        "WHERE sequence = ?",
        ((*values, sequence) for sequence, values in times.items()),
    )


def _tickets_at_checkpoint(connection: sqlite3.Connection) -> dict[int, list[int]]:
    """Returns the tickets that dropped rows began; an older checkpoint has fewer values of each."""
    found = connection.execute("SELECT CAST(tickets AS BLOB) FROM checkpoint").fetchone()
    listed = _plain(found[0]) if found else None
    times = {}
    for key, values in listed.items() if isinstance(listed, dict) else ():
        if key.isdecimal() and isinstance(values, list):
            _, _, _, wall_ms, clock_ok, _, expires_days, settled_ms, settled_ok = [*values, *[0] * 9][:9]
            times[int(key)] = [wall_ms, clock_ok, expires_days, settled_ms, settled_ok]
    return times


def _ticket_events(connection: sqlite3.Connection) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yields every event of a ticket after the checkpoint, with the time of its row."""
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
    """Returns the value of a JSON text; None if it is damaged."""
    try:
        return codec.decode_plain(text)
    except StoreDamagedError:
        return None


def _seal_facts(connection: sqlite3.Connection) -> None:
    """Adds a seal to the facts; the first programs stored them without one."""
    (there,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    (sealed,) = connection.execute("SELECT count(*) FROM facts WHERE name = ?", (SEAL,)).fetchone()
    if there and not sealed:
        seal_facts(connection)


def _fill_in_closings(connection: sqlite3.Connection) -> None:
    """Lists the closings and counts of the kept rows. Older programs numbered no closing, so theirs are in no list."""
    sums = Sums()
    with suppress(StoreDamagedError):
        found = connection.execute("SELECT body FROM snapshots JOIN checkpoint USING (seq)").fetchone()
        if found is not None:
            sums.begin_with(codec.decode_machine(found[0]))
    rows = connection.execute(
        f"SELECT {', '.join(StepRow._fields)} FROM steps "
        "WHERE seq > coalesce((SELECT seq FROM checkpoint), 0) ORDER BY seq"
    )
    counts = []
    with leniently(connection):
        for row in map(StepRow._make, rows):
            with suppress(StoreDamagedError, TypeError, AttributeError):
                sums.add(row)
                counts.append(closings.count_of(row))
    closings.write(connection, sums.closings, filter(None, counts))


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
    # New in form 5 are words too, and the sealed fact that says the form.
    (*closings.TABLES, *history.TABLES, _fill_in_closings),
)

NEWEST = len(MIGRATIONS)
"""The form of a new journal."""
KEPT = NEWEST - 1
"""The form that a journal may stay in while this program writes it, with the names of that form only."""
SIGNED = 5
"""From this form on the form is also a sealed fact, so that a damaged form number is detected."""
FORM = "form"
"""The fact that has the form."""


def form_of(connection: sqlite3.Connection, newest: int = NEWEST) -> int:
    """Returns the form of the tables, 0 before there are any.

    Raises StoreNewerError when it is newer than this program knows, StoreDamagedError when the form number and the
    sealed fact disagree.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    sealed = _form_in_facts(connection) if version else None
    if sealed != (str(version) if version >= SIGNED else None):
        raise StoreDamagedError(f"the journal's number of its form is {version}, its facts say {sealed or 'none'}")
    if version > newest:
        if problem := facts_problem(connection):
            raise StoreDamagedError(f"the journal's number of its form is {version}, but {problem}")
        raise StoreNewerError(
            f"the journal has form {version}, this program knows up to {newest}: a newer program wrote it. Install "
            "that program again; nothing was changed",
            found=f"{version} > {newest}",
        )
    return int(version)


def _form_in_facts(connection: sqlite3.Connection) -> str | None:
    """Returns the form in the facts, None if they have none. Every form, also a newer one, keeps this table
    unchanged."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (FORM,)).fetchone()
    return None if found is None else str(found[0])


def is_ready(connection: sqlite3.Connection) -> bool:
    """Returns True if this program writes the tables as they are. Raises as `form_of`."""
    form = form_of(connection)
    return form >= KEPT and (form < NEWEST or closings.is_there(connection))


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[Change, ...], ...] = MIGRATIONS) -> None:
    """Brings the tables to the newest form. Raises StoreNewerError when they are newer than this program."""
    for number in range(form_of(connection, len(migrations)), len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            _change(connection, number, migrations)
            connection.execute("COMMIT")
        except BaseException:
            roll_back(connection)
            raise


def _change(connection: sqlite3.Connection, number: int, migrations: tuple[tuple[Change, ...], ...]) -> None:
    """Runs one migration within the open transaction."""
    for change in migrations[number]:
        if isinstance(change, str):
            connection.execute(change)
        else:
            change(connection)
    form = number + 1
    connection.execute(f"PRAGMA user_version = {form}")
    if form >= SIGNED:
        connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (FORM, str(form)))
        seal_facts(connection)


def make_ready(connection: sqlite3.Connection, least: int = KEPT) -> int:
    """Brings the tables to a form that this program writes. Returns the form.

    A journal without a row gets the newest form, because no older program needs it. A journal with rows gets form
    `least` if it is older; `move_on` brings it further after a technician's confirmation.
    """
    form = form_of(connection)
    played = form and connection.execute("SELECT 1 FROM steps LIMIT 1").fetchone()
    wanted = max(form, least) if played else NEWEST
    migrate(connection, MIGRATIONS[:wanted])
    if wanted == NEWEST and not closings.is_there(connection):
        _complete(connection)
    return wanted


def _complete(connection: sqlite3.Connection) -> None:
    """Adds the tables that the newest form has gained since an unreleased program of that form began this journal."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        _change(connection, NEWEST - 1, MIGRATIONS)
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise


def move_on(connection: sqlite3.Connection) -> None:
    """Brings the tables to the newest form within the open transaction."""
    for number in range(form_of(connection), NEWEST):
        _change(connection, number, MIGRATIONS)
