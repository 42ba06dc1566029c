"""A cabinet under each kind of lock, brought there the way it happens wherever there is a way."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from support.inputs import ACCEPTOR
from support.machines import SETTINGS, Cabinet, dealt, seated
from support.rounds import seeded_draw

from cabinet.engine import locks
from cabinet.engine.inputs import (
    BillOffered,
    BillRejected,
    BillStacked,
    CashOut,
    CopiesNotCompared,
    Door,
    DoorClosed,
    DoorOpened,
    FaultBegan,
    Input,
    LimitTime,
    PoweredUp,
    PrintUnknown,
    RecordsDoubted,
    SessionBegan,
    SetOutOfService,
    TicketPrinted,
    TimeLimitReached,
)
from cabinet.engine.locks import DOOR_LOCKS, FAULT_LOCKS
from cabinet.engine.state import LockKind
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked


def _after(*inputs: Input, credit: int = 500) -> Cabinet:
    cabinet = seated(credit=credit)
    cabinet.do(*inputs)
    return cabinet


TICKET: Mapping[str, Any] = {"sequence": 1, "cents": 500, "standing": Standing.PAYABLE}
"""The ticket that `_ticket` prints first."""


def _ticket(*inputs: Input) -> Cabinet:
    return _after(CashOut(), TicketPrinted(sequence=1), BillOffered(cents=500), BillStacked(cents=500), *inputs)


def _locked_with(kind: LockKind) -> Cabinet:
    """For what no input of a sound machine leads to."""
    cabinet = seated(credit=500)
    draft = StepBuilder(cabinet.settings, cabinet.machine, cabinet.draw)
    locks.add_lock(draft, kind, "accounts sum to 5, expected 0" if kind is LockKind.SELF_AUDIT else "")
    cabinet.machine = draft.machine
    return cabinet


def _increment() -> Cabinet:
    cabinet = seated(credit=0, settings=replace(SETTINGS, increment_max_cents=10_000))
    cabinet.note(10_000)
    return cabinet


def _large_win() -> Cabinet:
    settings = replace(SETTINGS, large_win_cents=100)
    return dealt("table", "AS 6D KH 10C", settings=settings)


def _out_of_service() -> Cabinet:
    cabinet = seated(credit=500)
    cabinet.audit()
    cabinet.do(SetOutOfService(out=True))
    cabinet.audit(on=False)
    return cabinet


def _player_limit() -> Cabinet:
    cabinet = seated(credit=0)
    cabinet.note(500)
    cabinet.do(SessionBegan(at_ms=1_000), LimitTime(session_s=900), TimeLimitReached())
    return cabinet


def _changed_program() -> Cabinet:
    return _after(PoweredUp(clean=True, version="2.0", program_hash="bb"))


BY_HAND: Mapping[LockKind, Callable[[], Cabinet]] = {
    LockKind.MEMORY: lambda: _locked_with(LockKind.MEMORY),
    LockKind.SETTINGS_REFUSED: lambda: _locked_with(LockKind.SETTINGS_REFUSED),
    LockKind.DATA_REFUSED: lambda: _locked_with(LockKind.DATA_REFUSED),
    LockKind.DATA_PARTITION_MISSING: lambda: _locked_with(LockKind.DATA_PARTITION_MISSING),
    LockKind.SELF_AUDIT: lambda: _locked_with(LockKind.SELF_AUDIT),
    LockKind.DOOR_WHILE_OFF: lambda: _after(DoorOpened(door=Door.MAIN, while_off=True), DoorClosed(door=Door.MAIN)),
    LockKind.COPIES_NOT_COMPARED: lambda: _after(CopiesNotCompared(detail="the second copy is not there")),
    LockKind.RECORDS_IN_DOUBT: lambda: _after(RecordsDoubted(detail="from the second copy")),
    LockKind.PROGRAM_CHANGED: _changed_program,
    LockKind.NOTE_IN_DOUBT: lambda: _after(BillOffered(cents=2_000), ACCEPTOR),
    LockKind.UNEXPECTED_NOTE: lambda: _after(BillStacked(cents=2_000)),
    LockKind.TICKET_IN_DOUBT: lambda: _ticket(TicketOffered(**TICKET), ACCEPTOR),
    LockKind.UNEXPECTED_TICKET: lambda: _ticket(TicketStacked(**TICKET)),
    LockKind.EXCESSIVE_INCREMENT: _increment,
    LockKind.PRINT_UNKNOWN: lambda: _after(CashOut(), PrintUnknown(sequence=1, reason="no answer for 5 s")),
    LockKind.HAND_PAY: lambda: _after(CashOut(), credit=SETTINGS.ticket_max_cents + 100),
    LockKind.LARGE_WIN: _large_win,
    LockKind.OUT_OF_SERVICE: _out_of_service,
    LockKind.PLAYER_LIMIT: _player_limit,
    LockKind.EXCESSIVE_REJECTS: lambda: _after(*(BillRejected(reason="dirty") for _ in range(SETTINGS.rejects_max))),
}


def under(kind: LockKind) -> Cabinet:
    """A cabinet with exactly this lock."""
    cabinet = BY_HAND[kind]() if kind in BY_HAND else _after(_CAUSES[kind])
    cabinet.draw = seeded_draw(3)
    assert [lock.kind for lock in cabinet.machine.locks] == [kind]
    return cabinet


def without_cause(cabinet: Cabinet, *, technician: bool = False) -> Cabinet:
    """The same once the device or door no longer reports it, and perhaps with the technician in front of it."""
    cabinet.machine = replace(
        cabinet.machine,
        locks=tuple(replace(lock, present=False) for lock in cabinet.machine.locks),
        faults=(),
        access=replace(cabinet.machine.access, open_doors=(), technician=technician),
    )
    return cabinet


_CAUSES: Mapping[LockKind, Input] = {
    **{kind: FaultBegan(fault=fault, detail="as reported") for fault, kind in FAULT_LOCKS.items() if kind is not None},
    **{DOOR_LOCKS[door]: DoorOpened(door=door) for door in Door},
}
