"""Closed periods and removed cash boxes in the journal, and the counts of their money.

Rules: a closing and a count are computed from the row that made them, for the written list and for its check; neither
changes afterwards, and the newest count of a closing holds. What an older program closed is in no list. Tables of the
form before have none.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.closings import NUMBERS, box_growth, closed_in, period_growth
from cabinet.engine.log import LogKind
from cabinet.engine.state import Machine
from cabinet.store import codec
from cabinet.store.chain import StepRow

TABLES = (
    """CREATE TABLE IF NOT EXISTS closings (
        kind TEXT NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        wall_ms INTEGER NOT NULL,
        clock_ok INTEGER NOT NULL,
        meters TEXT NOT NULL,
        PRIMARY KEY (kind, number)
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS closing_counts (
        seq INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        number INTEGER NOT NULL,
        cents INTEGER NOT NULL
    ) STRICT""",
)


class Closing(NamedTuple):
    """A closing, in the order of its columns. `meters` is what grew over it, as JSON."""

    kind: str
    number: int
    seq: int
    wall_ms: int
    clock_ok: int
    meters: str


class Count(NamedTuple):
    """A count of the money of a closing, in the order of its columns."""

    seq: int
    kind: str
    number: int
    cents: int


class ListedClosing(NamedTuple):
    """A closing with its beginning and its newest count. `began` and `ended` are (milliseconds since 1970, whether the
    clock was valid); `began` is None where no row or log entry says it, `counted_cents` until a count is entered."""

    kind: ClosingKind
    number: int
    began: tuple[int, bool] | None
    ended: tuple[int, bool]
    meters: Mapping[str, int]
    counted_cents: int | None


# --- from rows --------------------------------------------------------------------------------------------------


def closings_of(
    row: StepRow,
    counts: Mapping[str, int],
    meters: Mapping[str, int],
    period_start: Mapping[str, int],
    marks: Mapping[str, int],
) -> tuple[Closing, ...]:
    """Returns the closings of a row that raised the meters `counts`. `meters`, `period_start` and `marks` are those
    before the row."""
    grown = {
        ClosingKind.PERIOD: lambda: period_growth(meters, period_start),
        ClosingKind.CASH_BOX: lambda: box_growth(meters, marks),
    }
    return tuple(
        Closing(
            kind.value,
            meters.get(NUMBERS[kind], 0) + 1,
            row.seq,
            row.wall_ms,
            row.clock_ok,
            codec.encode_plain(dict(sorted(grown[kind]().items()))),
        )
        for kind in closed_in(counts)
    )


def closings_after(row: StepRow, counts: Mapping[str, int], before: Machine | None) -> tuple[Closing, ...]:
    """Returns the closings of a row that followed this machine; None for the first row."""
    machine = before or Machine()
    return closings_of(row, counts, machine.books.meters, machine.period_start, machine.marks)


def count_of(row: StepRow) -> Count | None:
    """Returns the count that a row enters; None if it enters none."""
    if f'"{EnterCount.__name__}"' not in row.input:
        return None
    entered = codec.decode_input(row.input)
    if not isinstance(entered, EnterCount):
        return None
    return Count(row.seq, entered.kind.value, entered.number, entered.cents)


# --- in the tables ----------------------------------------------------------------------------------------------


def is_there(connection: sqlite3.Connection) -> bool:
    """Returns True if the tables of this journal have closings."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'closings'").fetchone()
    return found is not None


def write(connection: sqlite3.Connection, closings: Iterable[Closing], counts: Iterable[Count]) -> None:
    """Adds closings and counts within the open transaction."""
    connection.executemany("INSERT INTO closings VALUES (?, ?, ?, ?, ?, ?)", closings)
    connection.executemany("INSERT INTO closing_counts VALUES (?, ?, ?, ?)", counts)


def read(connection: sqlite3.Connection) -> tuple[list[Closing], list[Count]]:
    """Returns every listed closing and every count, oldest first."""
    if not is_there(connection):
        return [], []
    listed = connection.execute(f"SELECT {', '.join(Closing._fields)} FROM closings ORDER BY seq, kind")
    counts = connection.execute(f"SELECT {', '.join(Count._fields)} FROM closing_counts ORDER BY seq")
    return [Closing(*values) for values in listed], [Count(*values) for values in counts]


def staying(
    closings: Iterable[Closing], counts: Iterable[Count], keep: int
) -> tuple[tuple[Closing, ...], tuple[Count, ...]]:
    """Returns the newest `keep` closings of each kind, and the newest count of each of them."""
    listed = sorted(closings, key=lambda each: each.number)
    kept = {each[:2]: each for kind in ClosingKind for each in [c for c in listed if c.kind == kind.value][-keep:]}
    newest = {(each.kind, each.number): each for each in sorted(counts) if (each.kind, each.number) in kept}
    return tuple(sorted(kept.values(), key=lambda each: (each.seq, each.kind))), tuple(sorted(newest.values()))


def drop(connection: sqlite3.Connection, until: int, closings: Iterable[Closing], counts: Iterable[Count]) -> None:
    """Leaves of the closings and counts up to row `until` only these, within the open transaction."""
    for table in ("closings", "closing_counts"):
        connection.execute(f"DELETE FROM {table} WHERE seq <= ?", (until,))
    write(connection, closings, counts)


# --- for people -------------------------------------------------------------------------------------------------

_BEGINS = {
    ClosingKind.PERIOD: f"what = '{LogKind.PERIOD_RESET.value}'",
    ClosingKind.CASH_BOX: f"what = '{LogKind.FAULT_BEGAN.value}' AND detail LIKE 'cash box removed%'",
}
"""The entries of the log that end a closing of each kind, and so begin the next."""
_ALWAYS = f"what = '{LogKind.COMMISSIONED.value}'"
_CLEARED = f"what = '{LogKind.MEMORY_CLEARED.value}'"


def listed(connection: sqlite3.Connection, limit: int) -> tuple[ListedClosing, ...]:
    """Returns the newest closings, newest first."""
    closings, counts = read(connection)
    counted = {(each.kind, each.number): each.cents for each in counts}
    newest = sorted(closings, reverse=True, key=lambda each: each.seq)[:limit]
    return tuple(_listed(connection, each, counted.get((each.kind, each.number))) for each in newest)


def _listed(connection: sqlite3.Connection, closing: Closing, counted: int | None) -> ListedClosing:
    kind = ClosingKind(closing.kind)
    return ListedClosing(
        kind=kind,
        number=closing.number,
        began=_began(connection, kind, closing.seq),
        ended=(closing.wall_ms, bool(closing.clock_ok)),
        meters=codec.decode_plain(closing.meters),
        counted_cents=counted,
    )


def _began(connection: sqlite3.Connection, kind: ClosingKind, seq: int) -> tuple[int, bool] | None:
    """Returns when the newest closing before row `seq` ended, else when the machine was commissioned."""
    cleared = (_CLEARED,) if kind is ClosingKind.PERIOD else ()
    which = " OR ".join((_BEGINS[kind], _ALWAYS, *cleared))
    found = connection.execute(
        "SELECT wall_ms, clock_ok FROM (SELECT seq, wall_ms, clock_ok FROM closings WHERE kind = ?1 AND seq < ?2 "
        f"UNION ALL SELECT seq, wall_ms, clock_ok FROM events WHERE seq < ?2 AND ({which})) ORDER BY seq DESC LIMIT 1",
        (kind.value, seq),
    ).fetchone()
    return None if found is None else (found[0], bool(found[1]))


def count_to_enter(connection: sqlite3.Connection, entered: EnterCount) -> EnterCount | None:
    """Returns the count with the amount that the books expect; None if no such closing is listed."""
    closings, _ = read(connection)
    for each in closings:
        if (each.kind, each.number) == (entered.kind.value, entered.number):
            return EnterCount(
                kind=entered.kind,
                number=entered.number,
                cents=entered.cents,
                expected_cents=expected_cents(codec.decode_plain(each.meters)),
            )
    return None


def notes_of(meters: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Yields the notes among the growth of meters: denomination in cents and count, smallest first."""
    named = ((int(name.removeprefix("bills:")), n) for name, n in meters.items() if name.startswith("bills:"))
    yield from sorted(named)


def expected_cents(meters: Mapping[str, int]) -> int:
    """Returns the value of the notes among the growth of meters, in cents."""
    return sum(cents * number for cents, number in notes_of(meters))
