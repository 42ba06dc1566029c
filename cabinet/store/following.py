"""Reads the journal in small parts, for readers that follow it: the newest row, and the log after a row. Read-only.

Rules: one call reads a limited number of rows by their keys, so that it costs the same in a long journal. Entries are
given with all others of their row, so that a row's number is enough to go on without a loss or a double.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, NamedTuple

from cabinet.store.reports import NEWEST, errors_explained


class NewestRow(NamedTuple):
    """The newest row of a journal: its number, its hash in hexadecimal digits, its time in milliseconds since 1970."""

    seq: int
    row_hash: str
    wall_ms: int
    clock_ok: bool = False
    """Whether the clock was valid then."""


class Entry(NamedTuple):
    """An entry of the event log, with the number of its row."""

    number: int
    seq: int
    wall_ms: int
    clock_ok: bool
    what: str
    detail: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesFound:
    """Entries after a row, oldest first. They are complete up to the row `through`, except in the gap."""

    entries: tuple[Entry, ...]
    through: int
    gap: tuple[int, int] | None = None
    """The first and the last row of those that were dropped after the asked one; some of their entries may be kept."""


@errors_explained
def newest_row(connection: Connection) -> NewestRow:
    """Returns the newest row; zeros for an empty journal."""
    found = connection.execute("SELECT seq, hash, wall_ms, clock_ok FROM steps ORDER BY seq DESC LIMIT 1").fetchone()
    return NewestRow(0, "", 0) if found is None else NewestRow(found[0], found[1].hex(), found[2], bool(found[3]))


@errors_explained
def entries_before(connection: Connection, *, limit: int, before: int = NEWEST) -> tuple[Entry, ...]:
    """Returns the newest entries before a number, newest first."""
    return tuple(_entries(connection, "number < ? ORDER BY number DESC LIMIT ?", before, limit))


@errors_explained
def entries_after(connection: Connection, *, seq: int, limit: int) -> EntriesFound:
    """Returns the entries of the rows after `seq`, at most `limit`, or more where one row alone has more."""
    (newest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM steps").fetchone()
    found = list(_entries(connection, "number >= ? ORDER BY number LIMIT ?", _first_after(connection, seq), limit + 1))
    through = newest
    if len(found) > limit:
        cut = found.pop().seq
        whole = [entry for entry in found if entry.seq != cut]
        found = whole or list(_entries(connection, "seq = ? AND number >= ? ORDER BY number", cut, found[0].number))
        through = found[-1].seq
    return EntriesFound(entries=tuple(found), through=max(through, seq), gap=_gap(connection, seq))


def _gap(connection: Connection, seq: int) -> tuple[int, int] | None:
    """Returns the dropped rows after `seq`."""
    (first,) = connection.execute("SELECT coalesce(max(seq), 1) FROM checkpoint").fetchone()
    return (seq + 1, first - 1) if seq + 1 < first else None


def _first_after(connection: Connection, seq: int) -> int:
    """Returns the number of the first entry after row `seq`; numbers and rows grow together, and numbers are missing
    where entries were dropped."""
    low, high = connection.execute(
        "SELECT coalesce(min(number), 1), coalesce(max(number), 0) + 1 FROM events"
    ).fetchone()
    while low < high:
        middle = (low + high) // 2
        number, row = connection.execute(
            "SELECT number, seq FROM events WHERE number >= ? ORDER BY number LIMIT 1", (middle,)
        ).fetchone()
        if row > seq:
            high = middle
        else:
            low = number + 1
    return int(low)


def _entries(connection: Connection, which: str, *values: Any) -> Iterator[Entry]:
    query = f"SELECT number, seq, wall_ms, clock_ok, what, detail, cents FROM events WHERE {which}"
    for number, seq, wall_ms, clock_ok, what, detail, cents in connection.execute(query, values):
        yield Entry(number, seq, wall_ms, bool(clock_ok), what, detail, cents)
