"""The long lists of the journal, read in parts; without a journal the lists of the data stand for them.

Rules: lists are newest first; a count and the rows of a list have the same condition.
"""

from collections.abc import Set as AbstractSet

from cabinet.attendant.data import AttendantData, LogRow, TicketRow
from cabinet.attendant.pictures import PastGame

MOST_FOUND = 40
"""Tickets that a search returns at most."""


def count_log(data: AttendantData, kinds: AbstractSet[str]) -> int:
    """Returns the number of log entries of these kinds."""
    return len(_listed(data, kinds)) if data.records is None else data.records.count_log(kinds)


def read_log(data: AttendantData, kinds: AbstractSet[str], first: int, count: int) -> tuple[LogRow, ...]:
    """Returns `count` log entries of these kinds, from the `first` newest on."""
    if data.records is None:
        return _listed(data, kinds)[first : first + count]
    return data.records.read_log(kinds, first, count)


def read_step(data: AttendantData, number: int) -> tuple[LogRow, ...]:
    """Returns the log entries of the step that made the entry of this number, oldest first. Without a journal it is
    that entry alone."""
    if data.records is None:
        rows = (*data.tickets_in, *data.hand_pays, *data.notes, *data.events)
        return tuple(row for row in rows if row.number == number)[:1]
    return data.records.read_step(number)


def _listed(data: AttendantData, kinds: AbstractSet[str]) -> tuple[LogRow, ...]:
    rows = {row.number: row for row in (*data.tickets_in, *data.hand_pays, *data.notes, *data.events)}
    return tuple(rows[number] for number in sorted(rows, reverse=True) if rows[number].what in kinds)


def count_tickets(data: AttendantData, states: AbstractSet[str]) -> int:
    """Returns the number of tickets in these states; of all without a state."""
    if data.records is None:
        return len(_tickets(data, states))
    return data.records.count_tickets(states)


def read_tickets(data: AttendantData, states: AbstractSet[str], first: int, count: int) -> tuple[TicketRow, ...]:
    """Returns `count` tickets in these states, from the `first` newest on."""
    if data.records is None:
        return _tickets(data, states)[first : first + count]
    return data.records.read_tickets(states, first, count)


def find_tickets(data: AttendantData, digits: str) -> tuple[TicketRow, ...]:
    """Returns the newest tickets whose bar code or printed number ends with these digits, at most MOST_FOUND."""
    if data.records is None:
        ends = (row for row in _tickets(data, set()) if _ends(row, digits))
        return tuple(ends)[:MOST_FOUND]
    return data.records.find_tickets(digits, MOST_FOUND)


def read_game(data: AttendantData, number: int) -> PastGame:
    """Returns a past game step by step; without its rows a game without steps."""
    if data.records is None:
        known = (game for game in data.games if game.number == number)
        return next(known, PastGame(number=number, kept=False))
    return data.records.read_game(number)


def _ends(row: TicketRow, digits: str) -> bool:
    return row.tail.endswith(digits) or f"{row.sequence:06d}".endswith(digits)


def _tickets(data: AttendantData, states: AbstractSet[str]) -> tuple[TicketRow, ...]:
    rows = {row.sequence: row for row in (*data.unpaid, *data.tickets)}
    found = (rows[sequence] for sequence in sorted(rows, reverse=True))
    return tuple(row for row in found if not states or row.state in states)
