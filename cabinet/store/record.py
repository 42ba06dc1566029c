"""One step on disk: the row, the machine, the log entries and the tickets, written in one transaction.

Rules: a record is computed once and written to every copy, so that the copies have the same rows with the same hashes;
facts about the installation have a common seal. The module does not know which copies exist.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from cabinet.engine.effects import Event
from cabinet.engine.inputs import Input
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import Machine
from cabinet.engine.step import Step
from cabinet.store import closings, codec, history
from cabinet.store.chain import START, Checkpoint, StepRow, digest, link
from cabinet.store.closings import Closing, Count, closings_after, count_of
from cabinet.store.errors import StoreError
from cabinet.store.tickets import sequence_of, write_ticket
from cabinet.store.vocabulary import Vocabulary

Progress = Callable[[int, int], None]
"""Receives rows done and rows in all, while many rows are checked or dropped."""
DROPPED_AT_ONCE = 5_000
"""Rows dropped between two calls of the progress callback; a slow card needs a second for them."""
SEAL = "seal"
"""The fact that seals all others."""

_STEP_COLUMNS = len(StepRow._fields) + 1
_INSERT_STEP = f"INSERT INTO steps VALUES ({', '.join('?' * _STEP_COLUMNS)})"
_INSERT_CHECKPOINT = f"INSERT OR REPLACE INTO checkpoint VALUES (1, {', '.join('?' * (len(Checkpoint._fields) + 1))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The time of a step, for people to read; the row number gives the order."""

    boot: int
    wall_ms: int
    mono_ms: int
    clock_ok: bool


class Entry(NamedTuple):
    """An entry of the log, in the order of its columns."""

    number: int
    seq: int
    wall_ms: int
    clock_ok: int
    what: str
    detail: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What stays of the closings and the hours up to the checkpoint."""

    closings: tuple[Closing, ...] = ()
    counts: tuple[Count, ...] = ()
    hours: Mapping[int, str] = field(default_factory=dict)

    def seal(self) -> str:
        """Returns the hash over all of it; empty if there is nothing."""
        words = [word for part in (self.closings, self.counts, self.hours.items()) for each in part for word in each]
        return link(START, words).hex() if words else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropping:
    """The oldest records that this step drops: the checkpoint that replaces them, and the log entries to remove."""

    checkpoint: Checkpoint
    entries: tuple[int, ...]
    kept: Kept | None = None
    """The closings and the hours that stay of all dropped rows; None in the form before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything one step writes."""

    row: StepRow
    hash: bytes
    body: bytes
    entries: tuple[Entry, ...]
    events: tuple[Event, ...]
    numbers: Mapping[str, str]
    closings: tuple[Closing, ...] = ()
    count: Count | None = None
    """The count of a closing that this step enters."""
    snapshot: bool = False
    """True if the machine is also kept beside this row, so that a later checkpoint may stand here."""
    dropping: Dropping | None = None
    prepare: Callable[[sqlite3.Connection], None] | None = None
    """Changes the tables in the same transaction, before the rest is written."""


def make_record(
    input_: Input,
    step: Step,
    stamp: Stamp,
    *,
    seq: int,
    before: bytes,
    entry: int,
    numbers: Mapping[str, str],
    words: Vocabulary | None = None,
    machine: Machine | None = None,
) -> Record:
    """Returns the record of a step that follows the row with hash `before`; `entry` is the newest log number so far.

    `words` are the names of the journal's form, None for the newest. `machine` is the machine before the step, None for
    the first. Raises NoWordError when that form has no word for a value of the step.
    """
    body = codec.encode_machine(step.machine, words)
    row = StepRow(
        seq=seq,
        boot=stamp.boot,
        wall_ms=stamp.wall_ms,
        mono_ms=stamp.mono_ms,
        clock_ok=int(stamp.clock_ok),
        round=step.machine.round_number,
        credit=step.machine.books.credit_cents,
        input=codec.encode_input(input_, words),
        drawn=codec.encode_plain(step.drawn),
        postings=codec.encode_postings(step.postings, words),
        counts=codec.encode_plain(step.counts),
        events=codec.encode_events(step.events, words),
        tickets=codec.encode_plain(numbers),
        machine_hash=digest(body),
    )
    entries = tuple(entries_of(row, step.events, entry))
    return Record(
        row=row,
        hash=link(before, row),
        body=body,
        entries=entries,
        events=step.events,
        numbers=dict(numbers),
        closings=closings_after(row, step.counts, machine) if words is None else (),
        count=count_of(row) if words is None else None,
    )


def confirms_time(events: Iterable[Event]) -> bool:
    """Returns True if the technician confirmed the present time in a step with these events. From its row on the time
    is trusted, and newer times in earlier rows no longer count."""
    return any(isinstance(event, LogEntry) and event.what is LogKind.TIME_CONFIRMED for event in events)


def entries_of(row: StepRow, events: Iterable[Event], entry: int) -> Iterable[Entry]:
    """Returns the entries that a row's events add to a log whose newest number is `entry`."""
    logged = (event for event in events if isinstance(event, LogEntry))
    for number, event in enumerate(logged, start=entry + 1):
        yield Entry(number, row.seq, row.wall_ms, row.clock_ok, event.what.value, event.detail, event.cents)


def write(connection: sqlite3.Connection, record: Record, progress: Progress | None = None) -> None:
    """Writes the record in one durable transaction. After an error this connection sees no part of it, but a failed
    sync may have left it complete on the medium. `progress` is called while many old rows are dropped.

    Raises StoreDamagedError when the record does not fit the journal.
    """
    execute, row = connection.execute, record.row
    try:
        execute("BEGIN IMMEDIATE")
        if record.prepare is not None:
            record.prepare(connection)
        execute(_INSERT_STEP, (*row, record.hash))
        execute("INSERT OR REPLACE INTO machine VALUES (1, ?, ?)", (row.seq, record.body))
        if record.snapshot:
            execute("INSERT INTO snapshots VALUES (?, ?)", (row.seq, record.body))
        for entry in record.entries:
            execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", entry)
        for event in record.events:
            write_ticket(connection, event, row, record.numbers.get(str(sequence_of(event)), ""))
        if record.closings or record.count is not None:
            closings.write(connection, record.closings, () if record.count is None else (record.count,))
        if record.dropping is not None:
            _drop(connection, record.dropping, progress)
        execute("COMMIT")
    except (sqlite3.Error, StoreError):
        roll_back(connection)
        raise


def roll_back(connection: sqlite3.Connection) -> None:
    """Rolls an unfinished transaction back, if there is one.

    An error of the rollback is ignored: the caller raises the first error, and no part of an open transaction is kept.
    """
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _drop(connection: sqlite3.Connection, dropping: Dropping, progress: Progress | None) -> None:
    execute, point = connection.execute, dropping.checkpoint
    (oldest,) = execute("SELECT coalesce(min(seq), 0) FROM steps").fetchone()
    for until in range(oldest + DROPPED_AT_ONCE, point.seq, DROPPED_AT_ONCE):
        execute("DELETE FROM steps WHERE seq < ?", (until,))
        if progress is not None:
            progress(until - oldest, point.seq - oldest)
    execute("DELETE FROM steps WHERE seq < ?", (point.seq,))
    if progress is not None and point.seq - oldest > DROPPED_AT_ONCE:
        progress(point.seq - oldest, point.seq - oldest)
    execute("DELETE FROM snapshots WHERE seq < ?", (point.seq,))
    connection.executemany("DELETE FROM events WHERE number = ?", ((number,) for number in dropping.entries))
    kept = {int(sequence) for sequence in codec.decode_plain(point.tickets)}
    listed = [sequence for (sequence,) in execute("SELECT sequence FROM tickets ORDER BY sequence")]
    gone = [sequence for sequence in listed if sequence not in kept and sequence < max(kept, default=0)]
    connection.executemany("DELETE FROM tickets WHERE sequence = ?", ((sequence,) for sequence in gone))
    if dropping.kept is not None:
        closings.drop(connection, point.seq, dropping.kept.closings, dropping.kept.counts)
        history.replace(connection, dropping.kept.hours)
    execute(_INSERT_CHECKPOINT, (*point, link(START, point)))


# --- facts about the installation -------------------------------------------------------------------------------


def seal_of(connection: sqlite3.Connection) -> str:
    """Returns the seal that the facts should have."""
    named = connection.execute("SELECT name, value FROM facts WHERE name <> ? ORDER BY name", (SEAL,))
    return link(START, (word for pair in named for word in pair)).hex()


def seal_facts(connection: sqlite3.Connection) -> None:
    """Seals the facts, within the open transaction."""
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (SEAL, seal_of(connection)))


def write_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Stores a fact in one durable transaction. After an error this connection sees no part of it."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
        seal_facts(connection)
        connection.execute("COMMIT")
    except sqlite3.Error:
        roll_back(connection)
        raise


def facts_problem(connection: sqlite3.Connection) -> str | None:
    """Returns what is wrong with the facts; None if they fit their seal."""
    (there,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    if not there:
        return None
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (SEAL,)).fetchone()
    return None if found and found[0] == seal_of(connection) else "what is remembered of the installation is not sealed"
