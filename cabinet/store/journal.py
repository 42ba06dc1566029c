"""The journal: one durable transaction per step, read back at the next start.

Rules that hold: one connection, used by one thread at a time; WAL with full synchronisation, read back after setting;
input, drawn cards, transfers, counts, events, tickets and the new machine go to disk together or not at all; a card, a
credit or a byte for a device leaves the cabinet only after `commit` has returned.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cabinet.engine.draft import Step
from cabinet.engine.effects import Event, Logged, PaidOut, PayingOut, TicketInDoubt, TicketVoided
from cabinet.engine.inputs import Input
from cabinet.engine.state import Machine
from cabinet.store import codec, schema
from cabinet.store.chain import START, StepRow, digest, link
from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFullError

FILE = "journal.db"
LOCK_FILE = "cabinet.lock"

_INSERT_STEP = f"INSERT INTO steps VALUES ({', '.join('?' * (len(StepRow._fields) + 1))})"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """When a step happened. Order is the row number; these only tell a person."""

    boot: int
    wall_ms: int
    mono_ms: int
    clock_ok: bool


class Journal:
    """The open journal of one data folder."""

    def __init__(self, folder: Path, number_of: Callable[[int], str]) -> None:
        """Open or create the journal in `folder`; `number_of` gives a ticket sequence its validation number.

        Raises StoreBusyError when another process owns the folder, StoreDamagedError when what is there contradicts
        itself, StoreError when the folder cannot be used.
        """
        self._number_of = number_of
        with ExitStack() as undo:
            self._lock = _own(folder)
            undo.callback(os.close, self._lock)
            with _explained(folder / FILE):
                self._connection = _connect(folder / FILE)
                undo.callback(self._connection.close)
                _set_up(self._connection, folder / FILE)
                schema.migrate(self._connection)
                self._seq, self._last_hash, self.machine = _read_head(self._connection)
                self._events = _count(self._connection)
            undo.pop_all()

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close."""
        self.close()

    @property
    def seq(self) -> int:
        """The number of the last durable step; 0 before the first."""
        return self._seq

    @property
    def connection(self) -> sqlite3.Connection:
        """The one connection, for reports run on the same thread."""
        return self._connection

    def commit(self, input_: Input, step: Step, stamp: Stamp) -> None:
        """Make the step durable. StoreFullError when the medium refuses: then nothing of it is on disk."""
        body = codec.encode_machine(step.machine)
        numbers = self._numbered(step.events)
        row = StepRow(
            seq=self._seq + 1,
            boot=stamp.boot,
            wall_ms=stamp.wall_ms,
            mono_ms=stamp.mono_ms,
            clock_ok=int(stamp.clock_ok),
            round=step.machine.round_number,
            credit=step.machine.books.credit_cents,
            input=codec.encode_input(input_),
            drawn=codec.encode_plain(step.drawn),
            postings=codec.encode_postings(step.postings),
            counts=codec.encode_plain(step.counts),
            events=codec.encode_events(step.events),
            tickets=codec.encode_plain(numbers),
            machine_hash=digest(body),
        )
        hash_ = link(self._last_hash, row)
        try:
            written = self._write(row, hash_, body, step.events, numbers, stamp)
        except sqlite3.Error as error:
            self._roll_back()
            raise _refusal(error) from error
        self._seq, self._last_hash, self._events = row.seq, hash_, written
        self.machine = step.machine

    def _numbered(self, events: Iterable[Event]) -> dict[str, str]:
        """The validation number of each ticket that a step begins, by sequence."""
        return {
            str(event.sequence): self._number_of(event.sequence) for event in events if isinstance(event, PayingOut)
        }

    def _write(
        self,
        row: StepRow,
        hash_: bytes,
        body: bytes,
        events: Iterable[Event],
        numbers: Mapping[str, str],
        stamp: Stamp,
    ) -> int:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        execute(_INSERT_STEP, (*row, hash_))
        execute("INSERT OR REPLACE INTO machine VALUES (1, ?, ?)", (row.seq, body))
        number = self._events
        for event in events:
            if isinstance(event, Logged):
                number += 1
                execute(
                    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (number, row.seq, stamp.wall_ms, row.clock_ok, event.what.value, event.detail, event.cents),
                )
            else:
                self._write_ticket(event, numbers, stamp)
        execute("COMMIT")
        return number

    def _write_ticket(self, event: Event, numbers: Mapping[str, str], stamp: Stamp) -> None:
        execute = self._connection.execute
        match event:
            case PayingOut():
                execute(
                    "INSERT INTO tickets VALUES (?, ?, ?, 'printing', ?, ?, 0) "
                    "ON CONFLICT (sequence) DO UPDATE SET state = 'printing', duplicates = duplicates + 1",
                    (event.sequence, numbers[str(event.sequence)], event.cents, stamp.wall_ms, int(stamp.clock_ok)),
                )
            case PaidOut(sequence=int(sequence)):
                execute("UPDATE tickets SET state = 'issued' WHERE sequence = ?", (sequence,))
            case TicketInDoubt():
                execute("UPDATE tickets SET state = 'in doubt' WHERE sequence = ?", (event.sequence,))
            case TicketVoided():
                execute("UPDATE tickets SET state = 'void' WHERE sequence = ?", (event.sequence,))
            case _:
                pass

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise StoreError(f"a failed step could not be taken back: {error}") from error

    def fact(self, name: str) -> str | None:
        """A remembered fact about this installation, such as its secret."""
        found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def remember(self, name: str, value: str) -> None:
        """Remember a fact durably."""
        try:
            self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
        except sqlite3.Error as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Close the journal and give up the folder. Harmless when already closed."""
        if self._lock >= 0:
            self._connection.close()
            os.close(self._lock)
            self._lock = -1


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _refusal(error: sqlite3.Error) -> StoreError:
    if _code(error) in _FULL:
        return StoreFullError(f"the medium refused a write ({error}); nothing of this step was kept")
    return StoreError(f"the journal refused a write: {error}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say of an error while opening whether somebody else has the file, the medium fails, or the file is damaged."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _code(error) in _BUSY:
            raise StoreBusyError(f"{path}: another program has this file open; close it first") from error
        if _code(error) in _FULL:
            raise StoreFullError(f"{path}: the medium refuses ({error}); make room or check the medium") from error
        raise StoreDamagedError(f"{path}: {error}; the machine stays locked, keep this file") from error


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Keep every cabinet off the folder meanwhile. StoreBusyError while one runs on it."""
    lock = _own(folder)
    try:
        yield
    finally:
        os.close(lock)


def _own(folder: Path) -> int:
    """Make the folder ours; the lock goes with the process, whatever ends it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be used as data folder: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise StoreBusyError(f"{folder}: a cabinet is running on this data folder; stop it first") from error
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    # Opened by the thread that builds the cabinet, then handed over once: never used by two threads at a time.
    return sqlite3.connect(path, isolation_level=None, timeout=0, cached_statements=64, check_same_thread=False)


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    """Durability is asked for and read back: a medium that cannot give it is no place for a journal."""
    for name, value, expected in (
        ("locking_mode", "EXCLUSIVE", "exclusive"),
        ("journal_mode", "WAL", "wal"),
        ("synchronous", "FULL", 2),
        ("foreign_keys", "ON", 1),
        ("trusted_schema", "OFF", 0),
    ):
        connection.execute(f"PRAGMA {name} = {value}")
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != expected:
            raise StoreError(f"{path}: {name} is {found!r}, expected {expected!r}; move the data to a local disk")


def _read_head(connection: sqlite3.Connection) -> tuple[int, bytes, Machine | None]:
    """The last step's number and hash and the machine it led to, each checked against the others."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreDamagedError(f"the journal is damaged: {found}")
    columns = ", ".join(StepRow._fields)
    newest = connection.execute(f"SELECT {columns}, hash FROM steps ORDER BY seq DESC LIMIT 2").fetchall()
    stored = connection.execute("SELECT seq, body FROM machine").fetchone()
    if not newest:
        if stored is not None:
            raise StoreDamagedError("there is a machine but no journal that leads to it")
        return 0, START, None
    *values, hash_ = newest[0]
    row = StepRow(*values)
    before = newest[1][-1] if len(newest) > 1 else START
    if link(before, row) != hash_ or (len(newest) == 1 and row.seq != 1):
        raise StoreDamagedError(f"row {row.seq} of the journal does not fit its hash")
    if stored is None or stored[0] != row.seq or digest(stored[1]) != row.machine_hash:
        raise StoreDamagedError(f"the stored machine is not the one that row {row.seq} of the journal led to")
    return row.seq, hash_, codec.decode_machine(stored[1])


def _count(connection: sqlite3.Connection) -> int:
    (highest,) = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
    return int(highest)
