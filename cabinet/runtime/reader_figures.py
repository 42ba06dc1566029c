"""What readers of a cabinet get: figures of a machine, and answers from its journal. The same for a running cabinet and
for a folder, so that both give the same figures for the same books.

Rules: pure but for the connection. An answer is plain data: numbers, texts, lists, objects. A ticket is shown with the
end of its number only, because the whole number is worth money. No row holds more than the wire's limits.
"""

from collections.abc import Mapping
from typing import Any

from cabinet.engine.effects import Event
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import state_of
from cabinet.engine.rules import GAMES
from cabinet.engine.state import LockKind, Machine
from cabinet.link import wire
from cabinet.runtime.shown_values import TAIL
from cabinet.store import following, reports
from cabinet.store.following import NewestRow
from cabinet.store.reports import Connection

NOTE_IN = (LogKind.NOTE_ACCEPTED, LogKind.NOTE_RECOVERED)
"""The entries of a note that became credit."""

Figures = Mapping[str, Any]


def meter_figures(machine: Machine) -> dict[str, Any]:
    """Returns every meter, lifetime and period, and the accounts."""
    return reports.meters(machine, GAMES)


def status_figures(machine: Machine, newest: NewestRow, last_note: Figures | None) -> dict[str, Any]:
    """Returns the state of a machine after its newest row; amounts are cents."""
    books = machine.books
    cash_box = reports.meters(machine, ())
    return {
        "state": state_of(machine).value,
        "locks": [{"kind": lock.kind.value, "detail": lock.detail, "cents": lock.cents} for lock in machine.locks],
        "faults": [fault.value for fault in machine.faults],
        "open_doors": [door.value for door in machine.access.open_doors],
        "credit": books.credit_cents,
        "cash_box": cash_box["in_cashbox"],
        "cash_box_by_denomination": cash_box["in_cashbox_by_denomination"],
        "last_note": last_note,
        "hand_pays_waiting": [lock.cents for lock in machine.locks if lock.kind is LockKind.HAND_PAY],
        "tickets_out": books.balance(Account.TICKETS),
        "seq": newest.seq,
        "row_hash": newest.row_hash,
        "row_ms": newest.wall_ms,
    }


def note_of(events: tuple[Event, ...], wall_ms: int) -> Figures | None:
    """Returns the last note that these events report as credit; None for none."""
    for event in reversed(events):
        if isinstance(event, LogEntry) and event.what in NOTE_IN:
            return {"cents": event.cents, "wall_ms": wall_ms}
    return None


def last_note(connection: Connection) -> Figures | None:
    """Returns the last note that became credit; None before the first."""
    for row in reports.events(connection, limit=1, what=(kind.value for kind in NOTE_IN)):
        return {"cents": row.cents, "wall_ms": row.wall_ms}
    return None


def answer(
    connection: Connection, seq: int, question: wire.Rows | wire.Events | wire.Tickets | wire.Games
) -> wire.Reply:
    """Returns the answer from the journal whose newest row is `seq`. Raises StoreError."""
    if isinstance(question, wire.Rows):
        return rows_after(connection, seq, question)
    return wire.Answer(seq=seq, data=page(connection, question))


def page(connection: Connection, question: wire.Events | wire.Tickets | wire.Games) -> list[dict[str, Any]]:
    """Returns entries, tickets or games before a number, newest first. Raises StoreError."""
    before = question.before or reports.NEWEST
    match question:
        case wire.Events(limit=limit):
            return [entry._asdict() for entry in following.entries_before(connection, limit=limit, before=before)]
        case wire.Tickets(limit=limit):
            return [_ticket(row) for row in reports.tickets_before(connection, before=before, limit=limit)]
        case wire.Games(limit=limit):
            return reports.recall(connection, rounds=limit, before=before)[::-1]


def rows_after(connection: Connection, seq: int, question: wire.Rows) -> wire.Entries:
    """Returns the entries of the log after a row, oldest first. Raises StoreError."""
    found = following.entries_after(connection, seq=question.after, limit=question.limit)
    lost_from, lost_to = found.gap or (0, 0)
    rows = [entry._asdict() for entry in found.entries]
    return wire.Entries(seq=seq, rows=rows, through=found.through, lost_from=lost_from, lost_to=lost_to)


def _ticket(row: reports.TicketRow) -> dict[str, Any]:
    return {
        "sequence": row.sequence,
        "tail": row.number[-TAIL:],
        "cents": row.cents,
        "state": row.state,
        "wall_ms": row.wall_ms,
        "clock_ok": row.clock_ok,
        "duplicates": row.duplicates,
        "settled_ms": row.settled_ms,
        "settled_ok": row.settled_ok,
        "expires_days": row.expires_days,
    }
