"""Compaction: decides which old records may leave a journal, so that its size and the time of a check stay constant.

Rules:
- The newest rows stay, and with them every round of the recall, the open one included.
- A checkpoint replaces the dropped rows: their hash, the machine beside the first kept row (confirmed by the chain)
  with all its meters, and the tickets of that moment.
- The newest log entries stay, and the newest of doors, keys, locks, settlements and settings, whatever a player does.
  So do the newest few of each kind: rare entries (a hand-pay, a changed program) outlive daily ones. The entry of a
  memory clear never leaves.
- A ticket that a player may still bring back, or that an attendant must settle, never leaves. A limited number of
  expired tickets stays too: the clock may be wrong, and the books still owe them.
- The newest closings of each kind stay, and the growth of each hour of the last 400 days.
- Only rows checked in the same run are dropped. The check runs in parts, because an old journal may have a hundred
  thousand rows and play must go on.

This module does not write; the step that drops the rows does.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.engine.inputs import RecordsDropped
from cabinet.engine.log import LASTING, LogKind
from cabinet.engine.state import BookedTicket, PrintIntent, TicketIntent
from cabinet.store import closings, codec, history
from cabinet.store.chain import START, Checkpoint, link
from cabinet.store.errors import StoreDamagedError
from cabinet.store.record import Dropping, Kept
from cabinet.store.tickets import Ticket, sequence_of
from cabinet.store.verify import Totals, begin, log_digest, old_entries, walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """The minimum of each kind that stays in the journal."""

    rows: int = 5_000
    step: int = 500
    """Rows between two possible places of a checkpoint. The journal may grow by this number above `rows`."""
    rounds: int = 12
    entries: int = 5_000
    lasting: int = 1_000
    """Entries kept of the kinds in `LASTING`, in addition to the newest entries."""
    of_a_kind: int = 50
    """Entries kept of each kind, in addition to the newest entries."""
    closings: int = 100
    """Closings kept of each kind, in addition to those of the kept rows."""
    tickets: int = 100
    expired: int = 5_000
    """Expired unpaid tickets kept, the newest."""
    at_once: int = 500
    """Rows checked in one call before they are dropped: about 40 ms, on a Pi about 150 ms."""


KEEPING = Keeping()
PERMANENT = (LogKind.MEMORY_CLEARED.value, LogKind.METERS_ZEROED.value)
"""Kinds of log entries that are never dropped."""


def identity(connection: sqlite3.Connection) -> bytes | None:
    """Returns the identity of the machine: the hash of its very first row. None before there is one."""
    found = connection.execute(
        "SELECT identity FROM checkpoint UNION ALL SELECT hash FROM steps WHERE seq = 1 LIMIT 1"
    ).fetchone()
    return None if found is None else bytes(found[0])


def first_kept(connection: sqlite3.Connection) -> int:
    """Returns the number of the first kept row; 1 for a journal without rows."""
    (found,) = connection.execute("SELECT coalesce(min(seq), 1) FROM steps").fetchone()
    return int(found)


@dataclass(slots=True, kw_only=True)
class Checking:
    """The progress of the check of the rows to drop. Rows up to `place` never change, so the check may pause while the
    journal grows."""

    place: int
    """The row of the future checkpoint."""
    totals: Totals


def begin_check(connection: sqlite3.Connection, head: int, keeping: Keeping) -> Checking | None:
    """Begins the check of the rows that can be dropped; `head` is the newest row. Returns None while there are too
    few."""
    place = _place(connection, head, keeping)
    if place is None:
        return None
    totals = Totals()
    begin(connection, totals)
    return Checking(place=place, totals=totals)


def go_on(connection: sqlite3.Connection, checking: Checking, keeping: Keeping) -> bool:
    """Checks the next rows. Returns True when all are checked.

    Raises StoreDamagedError when a row to drop does not fit its hash; then no row may be dropped.
    """
    totals = checking.totals
    wrong = walk(connection, totals, until=min(checking.place, max(0, totals.newest) + keeping.at_once))
    if wrong is not None:
        raise StoreDamagedError(f"row {wrong[0]}: {wrong[1]}")
    return totals.newest >= checking.place


def plan(connection: sqlite3.Connection, checking: Checking, keeping: Keeping) -> Dropping:
    """Returns what to drop, after all of it has been checked."""
    place, totals = checking.place, checking.totals
    first = identity(connection)
    if first is None:
        raise StoreDamagedError("the journal begins nowhere")
    leaving = _leaving_entries(connection, totals.log, keeping)
    staying = [entry for entry in old_entries(connection, totals.log) if entry.number not in leaving]
    point = Checkpoint(
        seq=place,
        before=totals.before,
        identity=first,
        wall_ms=totals.wall_ms,
        entry=totals.log,
        log=log_digest(staying),
        tickets=codec.encode_plain(_staying_tickets(connection, totals, keeping)),
    )
    return Dropping(
        checkpoint=point, entries=tuple(sorted(leaving)), kept=_staying_history(connection, totals, keeping)
    )


def _staying_history(connection: sqlite3.Connection, totals: Totals, keeping: Keeping) -> Kept | None:
    """Returns the closings and the hours to keep of all rows up to the checkpoint; None in the form before."""
    if not closings.is_there(connection):
        return None
    listed, counts = closings.read(connection)
    kept, counted = closings.staying(
        (each for each in listed if each.seq <= totals.newest),
        (each for each in counts if each.seq <= totals.newest),
        keeping.closings,
    )
    return Kept(closings=kept, counts=counted, hours=history.merged(history.read(connection), totals.hours))


def seal(dropping: Dropping) -> str:
    """Returns the hash of the checkpoint. The step that drops the rows contains it."""
    return link(START, dropping.checkpoint).hex()


def fact_of(connection: sqlite3.Connection, dropping: Dropping, keeping: Keeping) -> RecordsDropped:
    """Returns the fact of the step that drops these records, with their seals."""
    return RecordsDropped(
        row=dropping.checkpoint.seq,
        entry=oldest_entry(connection, keeping),
        digest=seal(dropping),
        history="" if dropping.kept is None else dropping.kept.seal(),
    )


def oldest_entry(connection: sqlite3.Connection, keeping: Keeping) -> int:
    """Returns the number of the first log entry from which the log is complete."""
    (newest,) = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
    return max(1, int(newest) - keeping.entries + 1)


def _place(connection: sqlite3.Connection, head: int, keeping: Keeping) -> int | None:
    """Returns the place of the next checkpoint: the newest row with a kept machine and enough rows and rounds after it.
    None if there is no such row."""
    if head - first_kept(connection) < keeping.rows + keeping.step:
        return None
    (newest,) = connection.execute("SELECT coalesce(max(round), 0) FROM steps").fetchone()
    (rounds_begin,) = connection.execute(
        "SELECT coalesce(min(seq), ?) FROM steps WHERE round > ?", (head, max(0, newest - keeping.rounds))
    ).fetchone()
    latest = min(head - keeping.rows, rounds_begin - 1)
    (place,) = connection.execute("SELECT max(seq) FROM snapshots WHERE seq <= ?", (latest,)).fetchone()
    return int(place) if place is not None and place > first_kept(connection) else None


def _leaving_entries(connection: sqlite3.Connection, entry: int, keeping: Keeping) -> frozenset[int]:
    """Returns the entries up to `entry` that are neither among the newest, nor lasting, nor rare."""
    lasting = ", ".join("?" * len(LASTING))
    rows = connection.execute(
        f"WITH listed AS (SELECT number, what IN ({lasting}) AS lasts, "
        "row_number() OVER (PARTITION BY what ORDER BY number DESC) AS of_kind FROM events WHERE what NOT IN (?, ?)), "
        "placed AS (SELECT *, row_number() OVER (PARTITION BY lasts ORDER BY number DESC) AS of_lasting FROM listed) "
        "SELECT number FROM placed WHERE of_kind > ? AND NOT (lasts AND of_lasting <= ?) "
        "AND number <= ? AND number < ?",
        (
            *(what.value for what in LASTING),
            *PERMANENT,
            keeping.of_a_kind,
            keeping.lasting,
            entry,
            oldest_entry(connection, keeping),
        ),
    )
    return frozenset(number for (number,) in rows)


def _staying_tickets(connection: sqlite3.Connection, totals: Totals, keeping: Keeping) -> dict[str, Ticket]:
    """Returns the tickets to keep: the newest, those that are not over, the newest of the expired, and those that the
    kept rows or the machine name."""
    out = sorted((number for number, ticket in totals.tickets.items() if ticket.is_out), reverse=True)
    staying = {
        *sorted(totals.tickets)[-keeping.tickets :],
        *out[: keeping.expired],
        *_named_in_rows(connection, totals.newest),
        *_in_work(connection),
    }
    return {
        str(sequence): ticket
        for sequence, ticket in sorted(totals.tickets.items())
        if sequence in staying or not ticket.is_over(totals.wall_ms)
    }


def _named_in_rows(connection: sqlite3.Connection, place: int) -> Iterator[int | None]:
    """Yields the tickets that rows after this one change: an expired ticket may have been paid by hand."""
    for (events,) in connection.execute(
        "SELECT events FROM steps WHERE seq > ? AND events LIKE '%\"Ticket%'", (place,)
    ):
        yield from map(sequence_of, codec.decode_events(events))


def _in_work(connection: sqlite3.Connection) -> Iterator[int | None]:
    """Yields the tickets that the machine is printing or redeeming, or has a lock for: its next step may change
    them."""
    for (body,) in connection.execute("SELECT body FROM machine"):
        machine = codec.decode_machine(body)
        found = (machine.acceptor.document, machine.printer.printing)
        yield from (each.sequence for each in found if isinstance(each, TicketIntent | BookedTicket | PrintIntent))
        yield from (lock.sequence for lock in machine.locks)
