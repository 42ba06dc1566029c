"""The checks of a running cabinet: time of day, player's session, open intents, wrong PINs, free space, both copies of
the data, program, board.

Rules: each finding is a fact for the machine; the controller steps it. No code here decides what a fault stops. `clock`
decides which time of day is valid. The module knows no device, no screen and no money.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cabinet.engine import locks
from cabinet.engine.inputs import (
    ClockJumped,
    CopiesCompared,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    MemoryRecovered,
    ProgramChecked,
    RecordsDoubted,
)
from cabinet.engine.state import LockKind, Machine
from cabinet.engine.step import Step
from cabinet.runtime.board_sensors import Condition
from cabinet.runtime.clock import Clock
from cabinet.runtime.intent_watch import IntentWatch
from cabinet.runtime.pin_watch import PinWatch
from cabinet.runtime.program import program_hash, program_version
from cabinet.runtime.session_timer import SessionWatch
from cabinet.store.journal import Copies, Journal, Stamp
from cabinet.store.record import confirms_time
from cabinet.store.vocabulary import NoWordError

LOW_BYTES = 64 * 2**20
"""With less free space than this no new hand begins. A step needs a few thousand bytes, so an open hand can end."""
ENOUGH_BYTES = 2 * LOW_BYTES
CHECK_EVERY_S = 60.0
SESSION_GAP_S = 120.0
"""Default time without money in the machine that ends a player's session."""
PAPER_S = 60
"""How long an acceptor may take to report a note or ticket that it was ordered to stack."""
PRINT_S = 180
"""How long a printer may take to report a ticket: longer than all waits of its driver, with a page ahead of it."""


@dataclass(slots=True, kw_only=True)
class Housekeeping:
    """All checks of one cabinet; only for the thread that owns the journal."""

    journal: Journal
    clock: Clock
    free_bytes: Callable[[], int]
    """Returns the free space of the fullest medium, in bytes."""
    program: Callable[[], str] | None = None
    """Returns the hash over the program's files; None without a check."""
    board: Callable[[], Iterable[Condition]] = tuple
    """Returns the conditions of the computer; none without a check."""
    session: SessionWatch = field(default_factory=lambda: SessionWatch(gap_s=SESSION_GAP_S))
    intents: IntentWatch = field(default_factory=lambda: IntentWatch(paper_s=PAPER_S, print_s=PRINT_S))
    pins: PinWatch = field(default_factory=PinWatch)
    _next_check_s: float = field(default=float("-inf"))

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """Yields the facts for the machine now. Cheap, except for a check of the media every minute."""
        yield from self._of_clock(machine, now)
        yield from self._of_session(machine, now)
        yield from self.intents.facts(machine, now)
        yield from self.pins.facts(machine, now)
        checking = now >= self._next_check_s
        if checking:
            self._next_check_s = now + CHECK_EVERY_S
            yield from _of_room(machine, self.free_bytes())
            for each in self.board():
                yield from _condition(machine, each.fault, begins=each.begins, ends=each.ends, detail=each.detail)
        yield from self._of_copies(machine, renew=checking)
        if not any(lock.kind is LockKind.PROGRAM_CHANGED for lock in machine.locks):
            yield from self.form_change()
        dropped = self.journal.find_droppable()
        if dropped is not None:
            yield dropped

    def form_change(self, why: str = "") -> Iterator[Fact]:
        """Yields the move of the journal to the newest form, if it has an older one: see `Journal.form_change`."""
        due = self.journal.form_change(why)
        if due is not None:
            yield due

    def commit(self, input_: Input, step: Step, stamp: Stamp, now: float) -> tuple[Fact, ...]:
        """Makes a step durable and returns no facts. Otherwise nothing was written: step the returned facts first, then
        the input again. A time that the technician confirmed in this step is valid from now on.

        Raises what `Journal.commit` raises, except NoWordError.
        """
        try:
            self.journal.commit(input_, step, stamp)
        except NoWordError as error:
            return tuple(self.form_change(str(error)))
        if confirms_time(step.events):
            self.clock.confirm(stamp.wall_ms, now)
        return ()

    def door_closed(self) -> Iterator[Fact]:
        """Yields the check of the program after a door was closed: a person may have changed it."""
        if self.program is not None:
            yield ProgramChecked(version=program_version(), program_hash=self.program())

    def _of_clock(self, machine: Machine, now: float) -> Iterator[Fact]:
        jumped_s = self.clock.check(now)
        if jumped_s:
            yield ClockJumped(seconds=jumped_s)
        doubt = self.clock.doubt
        lock = locks.find(machine, LockKind.CLOCK_INVALID)
        if doubt and lock is not None and lock.detail != doubt:
            yield FaultBegan(fault=Fault.CLOCK_INVALID, detail=doubt)
            return
        yield from _condition(machine, Fault.CLOCK_INVALID, begins=bool(doubt), ends=not doubt, detail=doubt)

    def _of_session(self, machine: Machine, now: float) -> Iterator[Fact]:
        wall_ms = self.clock.wall_ms()
        yield from self.session.facts(machine, now, wall_ms, clock_ok=self.clock.ok(wall_ms, now))

    def _of_copies(self, machine: Machine, *, renew: bool) -> Iterator[Fact]:
        trouble = self.journal.second_trouble
        if renew and Fault.SECOND_COPY_LOST in machine.faults:
            if renewed := self.journal.renew_lost_second():
                yield MemoryRecovered(detail=renewed)
            if self.journal.doubt:
                yield RecordsDoubted(detail=self.journal.doubt)
        if self.journal.second_trouble not in {"", trouble} and Fault.SECOND_COPY_LOST in machine.faults:
            yield FaultBegan(fault=Fault.SECOND_COPY_LOST, detail=self.journal.second_trouble)
            return
        yield from self._of_second(machine)

    def _of_second(self, machine: Machine) -> Iterator[Fact]:
        lost = self.journal.copies is Copies.SECOND_LOST
        trouble = self.journal.second_trouble
        yield from _condition(machine, Fault.SECOND_COPY_LOST, begins=lost, ends=not lost, detail=trouble)
        if self.journal.copies is Copies.TWO and self.journal.compared and _not_compared(machine):
            yield CopiesCompared()


def _not_compared(machine: Machine) -> bool:
    return any(lock.kind is LockKind.COPIES_NOT_COMPARED for lock in machine.locks)


def _of_room(machine: Machine, free_bytes: int) -> Iterator[Fact]:
    low, enough = free_bytes < LOW_BYTES, free_bytes >= ENOUGH_BYTES
    detail = f"{free_bytes // 2**20} MB free"
    yield from _condition(machine, Fault.STORAGE_LOW, begins=low, ends=enough, detail=detail)


def _condition(machine: Machine, fault: Fault, *, begins: bool, ends: bool, detail: str = "") -> Iterator[Fact]:
    """Yields the beginning or the end of a fault; nothing in between."""
    standing = fault in machine.faults
    if begins and not standing:
        yield FaultBegan(fault=fault, detail=detail)
    elif ends and standing:
        yield FaultEnded(fault=fault)


def free_bytes_of(*folders: Path) -> int:
    """Returns the free bytes of the fullest medium. A medium that does not answer has a fault already and does not
    count; 0 if none answers."""
    return min((free for folder in folders if (free := _free_bytes(folder)) is not None), default=0)


def _free_bytes(folder: Path) -> int | None:
    """Returns the free bytes of the folder's medium; None if the system does not report them."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def make_housekeeping(
    journal: Journal,
    folders: tuple[Path, ...],
    clock: Clock,
    *,
    check_program: bool,
    board: Callable[[], Iterable[Condition]] = tuple,
    session_gap_s: float = SESSION_GAP_S,
) -> Housekeeping:
    """Returns the housekeeping of a cabinet with its data in these folders; the first exists."""
    return Housekeeping(
        journal=journal,
        clock=clock,
        free_bytes=lambda: free_bytes_of(*folders),
        program=program_hash if check_program else None,
        board=board,
        session=SessionWatch(gap_s=session_gap_s),
    )
