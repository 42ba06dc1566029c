"""Checks a whole journal: chain, transfers, meters, log and tickets against one another; names the first wrong row.

The meters and balances are summed anew from the transfers and counts of every row; nothing stored is believed.
"""

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cabinet.engine import ledger
from cabinet.engine.effects import Logged, PaidOut, PayingOut, TicketInDoubt, TicketVoided
from cabinet.engine.ledger import ROUTES, Account, Books
from cabinet.store import codec
from cabinet.store.chain import START, StepRow, digest, link
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE, own_folder

PROGRESS_EVERY = 20_000
"""Rows between two calls of the progress callback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What `verify` found. `first_bad` is the number of the first wrong row, None when every row fits."""

    ok: bool
    rows: int
    first_bad: int | None
    problems: tuple[str, ...]
    accounts: dict[str, int]
    credit: int
    seconds: float


class Ticket(NamedTuple):
    """A ticket as the rows tell of it."""

    number: str
    cents: int
    state: str
    wall_ms: int
    clock_ok: int
    duplicates: int


@dataclass(slots=True)
class _Totals:
    """What the rows add up to."""

    balances: dict[str, int] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)
    log: int = 0
    tickets: dict[int, Ticket] = field(default_factory=dict)
    row: StepRow | None = None

    def add(self, row: StepRow) -> str | None:
        """Add a row; a sentence when its own words disagree with the sums."""
        for posting in codec.decode_postings(row.postings) if row.postings != "[]" else ():
            rule = ROUTES[posting.route]
            self._raise(self.balances, rule.source.value, -posting.cents)
            self._raise(self.balances, rule.target.value, posting.cents)
            for name in rule.meters:
                self._raise(self.meters, name, posting.cents)
        for name, raised in codec.decode_plain(row.counts).items() if row.counts != "{}" else ():
            self._raise(self.meters, name, raised)
        self.row = row
        credit = self.balances.get(Account.CREDIT.value, 0)
        return (
            None if credit == row.credit else f"the transfers lead to a credit of {credit}, the row says {row.credit}"
        )

    @staticmethod
    def _raise(sums: dict[str, int], name: str, step: int) -> None:
        sums[name] = sums.get(name, 0) + step


def verify(folder: Path, progress: Callable[[int, int], None] | None = None) -> Verdict:
    """Check the journal in `folder`. Raises StoreBusyError while a cabinet runs on it, StoreDamagedError when there is
    no journal or it cannot be read at all."""
    began = time.perf_counter()
    path = folder / FILE
    if not path.is_file():
        raise StoreDamagedError(f"{path}: there is no journal here; check --data")
    with own_folder(folder):
        connection = sqlite3.connect(path, isolation_level=None, timeout=0)
        connection.text_factory = _lenient
        try:
            totals, first_bad, problems, rows = _walk(connection, progress)
            if not problems:
                problems = _check_rest(connection, totals)
        except sqlite3.DatabaseError as error:
            raise StoreDamagedError(f"{path}: cannot be read: {error}") from error
        finally:
            connection.close()
    return Verdict(
        ok=not problems,
        rows=rows,
        first_bad=first_bad,
        problems=tuple(problems),
        accounts=totals.balances,
        credit=totals.balances.get(Account.CREDIT.value, 0),
        seconds=round(time.perf_counter() - began, 3),
    )


def _lenient(raw: bytes) -> str:
    """Text that may be damaged: it is to be compared and named, not to stop the reading."""
    return raw.decode(errors="surrogateescape")


def _walk(
    connection: sqlite3.Connection, progress: Callable[[int, int], None] | None
) -> tuple[_Totals, int | None, list[str], int]:
    """Every row in order; stops at the first that is wrong."""
    (rows,) = connection.execute("SELECT count(*) FROM steps").fetchone()
    totals, before = _Totals(), START
    columns = ", ".join(StepRow._fields)
    log = connection.execute("SELECT number, seq, wall_ms, clock_ok, what, detail, cents FROM events ORDER BY number")
    for expected, (*values, hash_) in enumerate(
        connection.execute(f"SELECT {columns}, hash FROM steps ORDER BY seq"), start=1
    ):
        row = StepRow(*values)
        wrong = _check_row(row, hash_, before, expected, totals, log)
        if wrong:
            return totals, expected, [f"row {expected}: {wrong}"], rows
        before = hash_
        if progress is not None and expected % PROGRESS_EVERY == 0:
            progress(expected, rows)
    left = log.fetchone()
    return totals, None, [] if left is None else [f"log entry {left[0]} belongs to no row of the journal"], rows


def _check_row(
    row: StepRow, hash_: bytes, before: bytes, expected: int, totals: _Totals, log: sqlite3.Cursor
) -> str | None:
    if row.seq != expected:
        return f"it is missing; row {row.seq} stands in its place"
    if link(before, row) != hash_:
        return "its words do not fit its hash"
    try:
        return totals.add(row) or _check_told(row, totals, log)
    except StoreDamagedError as error:
        return str(error)


def _check_told(row: StepRow, totals: _Totals, log: sqlite3.Cursor) -> str | None:
    """The log's entries and the tickets that this row speaks of."""
    if row.events == "[]":
        return None
    for event in codec.decode_events(row.events):
        match event:
            case Logged():
                totals.log += 1
                entry = (totals.log, row.seq, row.wall_ms, row.clock_ok, event.what.value, event.detail, event.cents)
                if log.fetchone() != entry:
                    return f"log entry {totals.log} is not what the row says"
            case PayingOut():
                _begin_ticket(totals, row, event)
            case PaidOut(sequence=int(sequence)):
                _set_state(totals, sequence, "issued")
            case TicketInDoubt():
                _set_state(totals, event.sequence, "in doubt")
            case TicketVoided():
                _set_state(totals, event.sequence, "void")
            case _:
                pass
    return None


def _begin_ticket(totals: _Totals, row: StepRow, event: PayingOut) -> None:
    before = totals.tickets.get(event.sequence)
    if before is not None:
        totals.tickets[event.sequence] = before._replace(state="printing", duplicates=before.duplicates + 1)
        return
    number = codec.decode_plain(row.tickets).get(str(event.sequence), "")
    totals.tickets[event.sequence] = Ticket(number, event.cents, "printing", row.wall_ms, row.clock_ok, 0)


def _set_state(totals: _Totals, sequence: int, state: str) -> None:
    if sequence not in totals.tickets:
        raise StoreDamagedError(f"it speaks of ticket {sequence}, which no row before it has begun")
    totals.tickets[sequence] = totals.tickets[sequence]._replace(state=state)


def _check_rest(connection: sqlite3.Connection, totals: _Totals) -> list[str]:
    """The stored machine, its books and the ticket list against the sums."""
    stored = connection.execute("SELECT seq, body FROM machine").fetchone()
    if totals.row is None:
        return [] if stored is None else ["there is a machine but no journal that leads to it"]
    if stored is None or stored[0] != totals.row.seq or digest(stored[1]) != totals.row.machine_hash:
        return [f"the stored machine is not the one row {totals.row.seq} led to"]
    books = codec.decode_machine(stored[1]).books
    problems = list(ledger.faults_of(Books(balances=totals.balances, meters=totals.meters)))
    problems += _differences("account", books.balances, totals.balances)
    problems += _differences("meter", books.meters, totals.meters)
    columns = ", ".join(Ticket._fields)
    listed = {
        sequence: Ticket(*values)
        for sequence, *values in connection.execute(f"SELECT sequence, {columns} FROM tickets")
    }
    for sequence in sorted(listed.keys() | totals.tickets.keys()):
        found, expected = listed.get(sequence), totals.tickets.get(sequence)
        if found != expected:
            problems.append(f"ticket {sequence} is listed as {_told(found)}, the journal says {_told(expected)}")
    return problems


def _told(ticket: Ticket | None) -> str:
    """A ticket in words, without its number: who reads this may not be who may pay it."""
    return "absent" if ticket is None else f"{ticket.state}, {ticket.cents} cents, {ticket.duplicates} duplicates"


def _differences(kind: str, stored: object, summed: dict[str, int]) -> list[str]:
    found = dict(stored) if isinstance(stored, dict) else {}
    return [
        f"{kind} {name} is {found.get(name, 0)}, the journal adds up to {summed.get(name, 0)}"
        for name in sorted(found.keys() | summed.keys())
        if found.get(name, 0) != summed.get(name, 0)
    ]
