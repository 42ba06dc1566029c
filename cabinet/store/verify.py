"""Checks a whole journal: chain, transfers, meters, log and tickets against one another; names the first wrong row.

It sums meters, balances and closings from the transfers and counts of every row and trusts no stored sum. If the oldest
rows have been dropped, the sums begin with the machine beside the checkpoint, which the chain confirms. The row that
dropped them has the seal of their closings and hours.
Every start, every compaction and `cabinet verify` use the same walk.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cabinet.engine import ledger
from cabinet.engine.effects import Event, MemoryCleared
from cabinet.engine.inputs import RecordsDropped
from cabinet.engine.ledger import Account, Books
from cabinet.engine.log import LogKind
from cabinet.engine.money import plain_amount
from cabinet.store import closings, codec, history, mark, schema
from cabinet.store.chain import START, Checkpoint, StepRow, digest, link
from cabinet.store.closings import Count, count_of
from cabinet.store.codec import UnknownWordError
from cabinet.store.errors import StoreDamagedError, StoreNewerError
from cabinet.store.opening import FILE, explained, leniently
from cabinet.store.reading import reading
from cabinet.store.record import Entry, Kept, Progress, confirms_time, entries_of, facts_problem
from cabinet.store.sums import Sums
from cabinet.store.tickets import ISSUED, Ticket, after, after_clear, read_all, sequence_of

PROGRESS_EVERY = 20_000
"""Rows between two calls of the progress callback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of `verify`. `first_bad` is the number of the first wrong row, None if every row fits."""

    ok: bool
    rows: int
    first_bad: int | None
    problems: tuple[str, ...]
    accounts: dict[str, int]
    credit: int
    seconds: float
    since: int = 1
    """The number of the first kept row."""


@dataclass(slots=True)
class Totals(Sums):
    """The sums over the rows up to the last one walked."""

    counts: list[Count] = field(default_factory=list)
    """The counts of closings."""
    log: int = 0
    """The newest number of the log."""
    tickets: dict[int, Ticket] = field(default_factory=dict)
    forgotten: int = 0
    """What the books owe on tickets that are no longer listed, in cents."""
    row: StepRow | None = None
    hash: bytes = START
    """The hash of that row."""
    before: bytes = START
    """The hash of the row before it."""
    since: int = 1
    rows: int = 0
    checkpoint: Checkpoint | None = None
    seal: bytes = b""
    """The hash of the checkpoint."""
    history: str = ""
    """The seal of the closings and the hours up to the checkpoint."""
    wall_ms: int = 0
    """The newest trusted time, counted from the row in which the technician last confirmed the present time."""
    newer: bool = False
    """True if a part whose hash fits has names that this program does not know."""

    @property
    def newest(self) -> int:
        """Returns the number of the last row walked; -1 before the first."""
        return self.row.seq if self.row else -1

    def record_unknown(self, error: UnknownWordError) -> str:
        """Records names that this program does not know although the hash fits. Returns what they are."""
        self.newer = True
        return f"{error}; its hash fits, so a newer program wrote it: install that program again, nothing was changed"

    def add(self, row: StepRow) -> str | None:
        """As `Sums.add`, with the newest time and the counts."""
        self.wall_ms = row.wall_ms if _confirms_time(row) else max(self.wall_ms, row.wall_ms * row.clock_ok)
        if (count := count_of(row)) is not None:
            self.counts.append(count)
        return Sums.add(self, row)


def _confirms_time(row: StepRow) -> bool:
    if f'"{LogKind.TIME_CONFIRMED.value}"' not in row.events:
        return False
    return confirms_time(codec.decode_events(row.events))


def verify(folder: Path, progress: Progress | None = None) -> Verdict:
    """Checks the journal in `folder`. Raises StoreBusyError while a cabinet runs on it, StoreDamagedError when there is
    no journal or it cannot be read at all."""
    began = time.perf_counter()
    with reading(folder) as connection, explained(folder / FILE):
        found = examine(connection, progress)
    totals = found.totals
    problems = found.problems or tuple(_emptied(folder, found))
    return Verdict(
        ok=not problems,
        rows=found.rows,
        first_bad=found.first_bad,
        problems=problems,
        accounts=totals.balances,
        credit=totals.balances.get(Account.CREDIT.value, 0),
        seconds=round(time.perf_counter() - began, 3),
        since=totals.since,
    )


def _emptied(folder: Path, found: "Examined") -> Iterator[str]:
    """Yields what the marks contradict: a journal without rows on a folder that has been played on, or one that has
    lost its end."""
    try:
        mark.check(folder, folder / FILE, steps=max(found.totals.newest, 0))
    except StoreDamagedError as error:
        yield str(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The result of a walk through a journal; `totals` as far as it went."""

    totals: Totals
    rows: int
    first_bad: int | None
    problems: tuple[str, ...]

    def refuse(self) -> None:
        """Raises StoreNewerError if a newer program wrote the journal, StoreDamagedError if it is damaged."""
        if not self.problems:
            return
        if self.totals.newer:
            raise StoreNewerError(self.problems[0], found=self.problems[0].partition(":")[0])
        raise StoreDamagedError(f"the journal is damaged: {self.problems[0]}")


def examine(connection: sqlite3.Connection, progress: Progress | None = None) -> Examined:
    """Checks everything in an open journal. Raises one of `UNREADABLE` when it cannot be read."""
    with leniently(connection):
        (rows,) = connection.execute("SELECT count(*) FROM steps").fetchone()
        totals = Totals()
        try:
            begin(connection, totals)
        except StoreDamagedError as error:
            return Examined(totals=totals, rows=rows, first_bad=totals.since, problems=(str(error),))
        wrong = walk(connection, totals, progress=lambda done: progress and progress(done, rows))
        if wrong is not None:
            return Examined(totals=totals, rows=rows, first_bad=wrong[0], problems=(f"row {wrong[0]}: {wrong[1]}",))
        problems = _check_file(connection) or _check_log_end(connection, totals) or _check_rest(connection, totals)
        return Examined(totals=totals, rows=rows, first_bad=None, problems=tuple(problems))


def _check_file(connection: sqlite3.Connection) -> list[str]:
    """Returns damage that a start would refuse although every row is right, such as a damaged list of free pages.

    After it the rows are reliable: each row agrees with its indexes, and no column that must have a value is empty.
    """
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        return [f"the file is damaged: {found}"]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        (form,) = connection.execute("PRAGMA user_version").fetchone()
        # A journal of the newest form may be older than the lists of closings and hours; a start adds them.
        older = form == schema.NEWEST and not closings.is_there(connection)
        schema.migrate(fresh, schema.MIGRATIONS[: form - older])
        expected = set(fresh.execute(_TABLES))
    wrong = sorted({str(name) for _, name, _ in expected.symmetric_difference(connection.execute(_TABLES))})
    return [f"the file is damaged: its tables are not as they were made: {', '.join(wrong)}"] if wrong else []


_TABLES = "SELECT type, name, sql FROM sqlite_master"
"""Selects every table and index with its SQL text; a changed text may give the rows another meaning."""


# --- where the walk begins --------------------------------------------------------------------------------------


def begin(connection: sqlite3.Connection, totals: Totals) -> None:
    """Sets the totals to the beginning of the kept rows: to zero, or to the checkpoint.

    Raises StoreDamagedError when the checkpoint, its row, its machine or the old part of the log do not fit.
    """
    columns = ", ".join(Checkpoint._fields)
    found = connection.execute(f"SELECT {columns}, hash FROM checkpoint").fetchone()
    if found is None:
        return
    *values, totals.seal = found
    point = totals.checkpoint = Checkpoint(*values)
    totals.since = point.seq
    if link(START, point) != totals.seal:
        raise StoreDamagedError("the checkpoint does not fit its hash")
    columns = ", ".join(StepRow._fields)
    anchor = connection.execute(f"SELECT {columns}, hash FROM steps WHERE seq = ?", (point.seq,)).fetchone()
    if anchor is None or link(point.before, anchor[:-1]) != anchor[-1]:
        raise StoreDamagedError(f"row {point.seq}: its words do not fit its hash, or it is missing")
    (oldest,) = connection.execute("SELECT min(seq) FROM steps").fetchone()
    if oldest < point.seq:
        raise StoreDamagedError(f"row {oldest} stands before the checkpoint at row {point.seq}")
    totals.row, totals.hash, totals.before, totals.rows = StepRow(*anchor[:-1]), anchor[-1], point.before, 1
    _begin_sums(connection, totals, point, totals.row)
    totals.history = _kept_history(connection, point.seq).seal()
    if log_digest(old_entries(connection, point.entry)) != point.log:
        raise StoreDamagedError(f"the log up to entry {point.entry} is not what was sealed")


def _begin_sums(connection: sqlite3.Connection, totals: Totals, point: Checkpoint, row: StepRow) -> None:
    kept = connection.execute("SELECT body FROM snapshots WHERE seq = ?", (point.seq,)).fetchone()
    if kept is None or digest(kept[0]) != row.machine_hash:
        raise StoreDamagedError(f"the machine kept beside row {point.seq} is not the one it led to")
    machine = codec.decode_machine(kept[0])
    books = machine.books
    totals.begin_with(machine)
    totals.log, totals.wall_ms = point.entry, point.wall_ms
    totals.tickets = {int(key): Ticket(*values) for key, values in codec.decode_plain(point.tickets).items()}
    totals.forgotten = books.balance(Account.TICKETS) - _owed_on(totals.tickets)


def _kept_history(connection: sqlite3.Connection, until: int) -> Kept:
    """Returns the closings, counts and hours in the tables up to row `until`."""
    listed, counts = closings.read(connection)
    return Kept(
        closings=tuple(each for each in listed if each.seq <= until),
        counts=tuple(each for each in counts if each.seq <= until),
        hours=history.read(connection),
    )


def old_entries(connection: sqlite3.Connection, entry: int) -> list[Entry]:
    """Returns the kept log entries up to this number."""
    columns = ", ".join(Entry._fields)
    rows = connection.execute(f"SELECT {columns} FROM events WHERE number <= ? ORDER BY number", (entry,))
    return [Entry(*values) for values in rows]


def log_digest(entries: Iterable[Entry]) -> bytes:
    """Returns the digest that seals the old part of the log."""
    return link(START, (word for entry in entries for word in entry))


# --- row by row -------------------------------------------------------------------------------------------------


def walk(
    connection: sqlite3.Connection,
    totals: Totals,
    *,
    until: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[int, str] | None:
    """Walks to row `until`, or to the last row. Returns the first wrong row with the problem, None if all are right."""
    columns = ", ".join(StepRow._fields)
    log = connection.execute(
        f"SELECT {', '.join(Entry._fields)} FROM events WHERE number > ? ORDER BY number", (totals.log,)
    )
    after = totals.row.seq if totals.row else 0
    rows = connection.execute(
        f"SELECT {columns}, hash FROM steps WHERE seq > ? ORDER BY seq LIMIT ?",
        (totals.newest, -1 if until is None else until - after),
    )
    for expected, (*values, hash_) in enumerate(rows, start=after + 1):
        row = StepRow(*values)
        wrong = _check_row(row, hash_, totals.hash, expected, totals, log)
        if wrong:
            return expected, wrong
        totals.row, totals.hash, totals.before, totals.rows = row, hash_, totals.hash, totals.rows + 1
        if progress is not None and totals.rows % PROGRESS_EVERY == 0:
            progress(totals.rows)
    return None


def _check_log_end(connection: sqlite3.Connection, totals: Totals) -> list[str]:
    left = connection.execute("SELECT number FROM events WHERE number > ? ORDER BY number", (totals.log,)).fetchone()
    return [] if left is None else [f"log entry {left[0]} belongs to no row of the journal"]


_WORDS = ("input", "drawn", "postings", "counts", "events", "tickets")
"""The text columns of a row; a value that a damaged file marks as bytes would have the same hash."""


def _check_row(
    row: StepRow, hash_: bytes, before: bytes, expected: int, totals: Totals, log: sqlite3.Cursor
) -> str | None:
    if row.seq != expected:
        return f"it is missing; row {row.seq} stands in its place"
    if link(before, row) != hash_:
        return "its words do not fit its hash"
    if not all(isinstance(getattr(row, name), str) for name in _WORDS):
        return "its words are no text"
    try:
        return totals.add(row) or _check_records(row, totals, log)
    except UnknownWordError as error:
        return totals.record_unknown(error)
    except StoreDamagedError as error:
        return str(error)


def _check_records(row: StepRow, totals: Totals, log: sqlite3.Cursor) -> str | None:
    """Checks the log entries, the tickets and the dropped rows that this row names."""
    if row.events == "[]":
        return None
    events = codec.decode_events(row.events)
    for entry in entries_of(row, events, totals.log):
        totals.log = entry.number
        if log.fetchone() != entry:
            return f"log entry {entry.number} is not what the row says"
    for event in events:
        _follow_ticket(totals, row, event)
    return _check_dropped(row, totals)


def _follow_ticket(totals: Totals, row: StepRow, event: Event) -> None:
    if isinstance(event, MemoryCleared):
        totals.forgotten = 0
        totals.tickets = {number: after_clear(ticket) for number, ticket in totals.tickets.items()}
    sequence = sequence_of(event)
    if sequence is None:
        return
    number = codec.decode_plain(row.tickets).get(str(sequence), "")
    changed = after(event, totals.tickets.get(sequence), row, number)
    if changed is None:
        raise StoreDamagedError(f"it speaks of ticket {sequence}, which no row before it has begun")
    totals.tickets[sequence] = changed


def _check_dropped(row: StepRow, totals: Totals) -> str | None:
    """Checks that the last step that dropped old rows left this checkpoint."""
    if f'"{RecordsDropped.__name__}"' not in row.input:
        return None
    said = codec.decode_input(row.input)
    if not isinstance(said, RecordsDropped):
        return None
    point = totals.checkpoint
    if point is None or said.row > point.seq:
        return f"it drops the rows before {said.row}, which are still there"
    if said.row == point.seq and said.digest != totals.seal.hex():
        return f"it seals other words than those of the checkpoint before row {point.seq}"
    if said.row == point.seq and said.history != totals.history:
        return f"the closings or the hours before row {point.seq} are not what was sealed"
    return None


def _check_rest(connection: sqlite3.Connection, totals: Totals) -> list[str]:
    """Checks the stored machine, its books and the ticket list against the sums."""
    stored = connection.execute("SELECT seq, body FROM machine").fetchone()
    if totals.row is None:
        return [] if stored is None else ["there is a machine but no journal that leads to it"]
    if stored is None or stored[0] != totals.row.seq or digest(stored[1]) != totals.row.machine_hash:
        return [f"the stored machine is not the one row {totals.row.seq} led to"]
    try:
        books = codec.decode_machine(stored[1]).books
    except UnknownWordError as error:
        return [f"the stored machine: {totals.record_unknown(error)}"]
    problems = list(filter(None, (facts_problem(connection),)))
    problems += list(ledger.faults_of(Books(balances=totals.balances, meters=totals.meters)))
    problems += _differences("account", books.balances, totals.balances)
    problems += _differences("meter", books.meters, totals.meters)
    problems += _wrong_snapshots(connection)
    problems += _wrong_liability(totals)
    problems += _wrong_closings(connection, totals)
    return problems + _wrong_tickets(connection, totals)


def _wrong_liability(totals: Totals) -> list[str]:
    """Checks the tickets that are out against what the books owe on tickets; dropped expired ones are still owed."""
    owed = totals.balances.get(Account.TICKETS.value, 0)
    out = totals.forgotten + _owed_on(totals.tickets)
    if owed == out and totals.forgotten >= 0:
        return []
    listed = f"{plain_amount(out - totals.forgotten)} and {plain_amount(totals.forgotten)} are forgotten"
    return [f"the listed tickets that are out are worth {listed}, the tickets account says {plain_amount(owed)}"]


def _wrong_closings(connection: sqlite3.Connection, totals: Totals) -> list[str]:
    """Returns what differs between the listed closings and those of the rows. The form before has no list."""
    if not closings.is_there(connection):
        return []
    after = totals.checkpoint.seq if totals.checkpoint else 0
    listed, counts = closings.read(connection)
    found = [each for each in listed if each.seq > after]
    if found != totals.closings or [each for each in counts if each.seq > after] != totals.counts:
        return [f"the list of closings after row {after} is not what the rows say"]
    if not after and _kept_history(connection, 0).seal():
        return ["the journal has closings or hours of dropped rows, but no row was dropped"]
    return []


def _owed_on(tickets: dict[int, Ticket]) -> int:
    return sum(ticket.cents for ticket in tickets.values() if ticket.state == ISSUED)


def _wrong_snapshots(connection: sqlite3.Connection) -> list[str]:
    """Returns the machines kept for a later checkpoint that differ from those that their rows led to."""
    kept = connection.execute(
        "SELECT snapshots.seq, body, machine_hash FROM snapshots LEFT JOIN steps ON steps.seq = snapshots.seq"
    )
    return [
        f"the machine kept beside row {seq} is not the one it led to"
        for seq, body, known in kept
        if digest(body) != known
    ]


def _wrong_tickets(connection: sqlite3.Connection, totals: Totals) -> list[str]:
    listed = read_all(connection)
    return [
        f"ticket {sequence} is listed as {_as_text(found)}, the journal says {_as_text(expected)}"
        for sequence in sorted(listed.keys() | totals.tickets.keys())
        if (found := listed.get(sequence)) != (expected := totals.tickets.get(sequence))
    ]


def _as_text(ticket: Ticket | None) -> str:
    """Returns a ticket as text without its number, because not every reader of the report may be paid for it."""
    return (
        "absent" if ticket is None else f"{ticket.state}, {plain_amount(ticket.cents)}, {ticket.duplicates} duplicates"
    )


def _differences(kind: str, stored: object, summed: dict[str, int]) -> list[str]:
    found = dict(stored) if isinstance(stored, dict) else {}
    return [
        f"{kind} {name} is {found.get(name, 0)}, the journal adds up to {summed.get(name, 0)}"
        for name in sorted(found.keys() | summed.keys())
        if found.get(name, 0) != summed.get(name, 0)
    ]
