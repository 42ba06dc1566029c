"""The tickets of this machine: how each step changes them, and the value of one that comes back.

Rules: one function computes the effect of a row's events on a ticket, for the written list and for its check. A ticket,
duplicate or not, is good until the end of the day printed on it; without limit if no day was printed, because no expiry
was set or the clock was not. While it is good it stays listed, and long after, because the clock may be wrong. A memory
clear ends the debt of the books: tickets that are out then stay listed, and only an attendant may pay them.
"""

import sqlite3
from typing import NamedTuple

from cabinet.engine.effects import (
    Event,
    Fate,
    MemoryCleared,
    PaidOut,
    PayingOut,
    TicketInDoubt,
    TicketRedeemed,
    TicketVoided,
)
from cabinet.engine.inputs import PayTicket
from cabinet.engine.ticket_facts import Standing, TicketOffered
from cabinet.store.chain import StepRow
from cabinet.store.errors import StoreDamagedError

PRINTING, ISSUED, IN_DOUBT, REDEEMED = "printing", "issued", "in doubt", "redeemed"
CLEARED = "issued before a memory clear"
"""A state of a ticket, besides the fates that the engine knows."""

_ENDED = frozenset({REDEEMED, *(fate.value for fate in Fate)})
_OUT = (ISSUED, CLEARED)

DAY_MS = 86_400_000


class Ticket(NamedTuple):
    """A ticket from the rows, in the order of its columns. `settled` is when it became worthless or, while it is good,
    when its newest duplicate came out."""

    number: str
    cents: int
    state: str
    wall_ms: int
    clock_ok: int
    duplicates: int
    expires_days: int = 0
    settled_ms: int = 0
    settled_ok: int = 0

    @property
    def is_out(self) -> bool:
        """True if the ticket is out and unpaid."""
        return self.state in _OUT

    def is_over(self, now_ms: int) -> bool:
        """True if the ticket cannot come back any more."""
        return self.state in _ENDED or self.expired_days(now_ms) > 0

    def expired_days(self, now_ms: int) -> int:
        """Returns for how many days a ticket that is out has been expired; 0 for a good one, and for `now_ms` 0. Its
        last day counts whole in every time zone."""
        if not (self.is_out and self.expires_days and self.clock_ok):
            return 0
        return max(0, (now_ms - self.wall_ms - self.expires_days * DAY_MS - 1) // DAY_MS)


def sequence_of(event: Event) -> int | None:
    """Returns the ticket that an event changes; None if it changes none."""
    match event:
        case PayingOut() | TicketInDoubt() | TicketVoided() | TicketRedeemed():
            return event.sequence
        case PaidOut():
            return event.sequence
        case _:
            return None


def after(event: Event, before: Ticket | None, row: StepRow, number: str) -> Ticket | None:
    """Returns the ticket after an event of a row; `number` is the one reserved in that row. None if no row has begun
    it. A duplicate has the time and the expiry of the first print, because it is the same ticket."""
    if isinstance(event, PayingOut):
        if before is None:
            return Ticket(number, event.cents, PRINTING, row.wall_ms, row.clock_ok, 0, event.expires_days)
        return before._replace(state=PRINTING, duplicates=before.duplicates + 1)
    if before is None:
        return None
    match event:
        case PaidOut(duplicate=False):
            return before._replace(state=ISSUED)
        case TicketInDoubt():
            return before._replace(state=IN_DOUBT)
        case _:
            return before._replace(state=_state_after(event), settled_ms=row.wall_ms, settled_ok=row.clock_ok)


def _state_after(event: Event) -> str:
    """Returns the state of a ticket after this event."""
    if isinstance(event, TicketVoided):
        return event.fate.value
    return REDEEMED if isinstance(event, TicketRedeemed) else ISSUED


def after_clear(ticket: Ticket) -> Ticket:
    """Returns a ticket after a memory clear."""
    return ticket._replace(state=CLEARED) if ticket.state == ISSUED else ticket


def write_ticket(connection: sqlite3.Connection, event: Event, row: StepRow, number: str) -> None:
    """Changes the list by an event of a row, within the open transaction. Raises StoreDamagedError for a ticket that no
    row has begun."""
    if isinstance(event, MemoryCleared):
        for listed, ticket in read_all(connection).items():
            _put(connection, listed, after_clear(ticket))
    sequence = sequence_of(event)
    if sequence is None:
        return
    changed = after(event, _read(connection, sequence), row, number)
    if changed is None:
        raise StoreDamagedError(f"row {row.seq} speaks of ticket {sequence}, which is not listed; call the technician")
    _put(connection, sequence, changed)


def _put(connection: sqlite3.Connection, sequence: int, ticket: Ticket) -> None:
    places = ", ".join("?" * len(ticket))
    connection.execute(f"INSERT OR REPLACE INTO tickets VALUES (?, {places})", (sequence, *ticket))


def _read(connection: sqlite3.Connection, sequence: int) -> Ticket | None:
    columns = ", ".join(Ticket._fields)
    found = connection.execute(f"SELECT {columns} FROM tickets WHERE sequence = ?", (sequence,)).fetchone()
    return None if found is None else Ticket(*found)


def read_all(connection: sqlite3.Connection) -> dict[int, Ticket]:
    """Returns the list, by sequence; also of a journal that an older program wrote."""
    known = {name for _, name, *_ in connection.execute("PRAGMA table_info(tickets)")}
    columns = ", ".join(name if name in known else "0" for name in Ticket._fields)
    rows = connection.execute(f"SELECT sequence, {columns} FROM tickets ORDER BY sequence")
    return {sequence: Ticket(*values) for sequence, *values in rows}


_STANDINGS = {
    PRINTING: Standing.OPEN,
    IN_DOUBT: Standing.OPEN,
    CLEARED: Standing.CLEARED,
    REDEEMED: Standing.USED,
    **{fate.value: Standing.VOID for fate in Fate},
    Fate.PAID_BY_HAND.value: Standing.USED,
}


def look_up(connection: sqlite3.Connection, number: str, now_ms: int) -> TicketOffered:
    """Returns the ticket with this validation number as it is now. `now_ms` is 0 while the clock is not trusted; then
    no ticket has expired."""
    columns = ", ".join(Ticket._fields)
    found = connection.execute(f"SELECT sequence, {columns} FROM tickets WHERE number = ?", (number,)).fetchone()
    if found is None:
        return TicketOffered(sequence=None, cents=0, standing=Standing.UNKNOWN)
    sequence, *values = found
    ticket = Ticket(*values)
    payable = Standing.EXPIRED if ticket.is_over(now_ms) else Standing.PAYABLE
    return TicketOffered(sequence=sequence, cents=ticket.cents, standing=_STANDINGS.get(ticket.state, payable))


def to_pay(connection: sqlite3.Connection, sequence: int, now_ms: int) -> PayTicket | None:
    """Returns the fact that pays this ticket by hand; None if it is not out. An attendant may also pay an expired one.
    `now_ms` is 0 while the clock is not trusted."""
    ticket = _read(connection, sequence)
    if ticket is None or not ticket.is_out:
        return None
    return PayTicket(
        sequence=sequence,
        cents=ticket.cents,
        owed=ticket.state == ISSUED,
        expired_days=ticket.expired_days(now_ms),
    )
