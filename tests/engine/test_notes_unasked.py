"""Notes that were never offered, and notes of unknown value: each waits for the attendant, and none settles another."""

from dataclasses import replace

import pytest
from support.inputs import ACCEPTOR
from support.machines import Cabinet, seated

from cabinet.engine.bills_in import values_of
from cabinet.engine.inputs import (
    BillOffered,
    BillStacked,
    BillUnasked,
    Fault,
    FaultBegan,
    Input,
    SettleLock,
    Settlement,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import LockKind, NoteIntent

OFFER, STACKED = BillOffered(cents=2_000), BillStacked(cents=2_000)
TOGETHER = BillUnasked(reported_cents=600, detail="6 pulses, some notes together", evidence="in ms: low 50")
GARBLED = BillUnasked(reported_cents=None, detail="9 pulses, an edge was lost", evidence="in ms: low 51")


@pytest.mark.requirement("BA-01")
def test_notes_that_were_never_offered_wait_for_the_attendant_with_what_is_known_of_them() -> None:
    cabinet = seated("table", credit=0)
    step = cabinet.do(TOGETHER)
    lock = cabinet.lock(LockKind.UNEXPECTED_NOTE)
    assert (lock.reported_cents, lock.detail) == (600, "value unknown: 6 pulses, some notes together")
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE), cabinet.meter("bills_in")) == (0, 0, 0)
    logged = [event for event in step.events if isinstance(event, LogEntry)]
    assert logged[0].what is LogKind.NOTE_UNEXPECTED
    assert logged[0].detail == "value unknown: 6 pulses, some notes together; in ms: low 50"
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE, cents=600)
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE), cabinet.meter("bills_in")) == (600, 0, 600)
    assert cabinet.locked() == []
    cabinet.do(GARBLED)
    assert cabinet.lock(LockKind.UNEXPECTED_NOTE).detail == "value unknown: 9 pulses, an edge was lost"
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE, cents=1_000)
    assert (cabinet.credit, cabinet.locked()) == (1_600, [])


@pytest.mark.requirement("BA-01")
def test_a_note_that_was_never_offered_has_its_reported_value_or_that_of_a_known_note() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(TOGETHER)
    lock = cabinet.lock(LockKind.UNEXPECTED_NOTE)
    assert values_of(cabinet.settings, lock) == (*cabinet.settings.notes_cents, 600)
    assert values_of(cabinet.settings, replace(lock, reported_cents=500)) == cabinet.settings.notes_cents
    assert values_of(cabinet.settings, replace(lock, reported_cents=0)) == cabinet.settings.notes_cents
    cabinet.audit()
    for cents, refusal in ((700, "NOT_ALLOWED"), (None, "NOT_ALLOWED"), (600, None), (2_000, None)):
        asked = SettleLock(lock_id=lock.lock_id, how=Settlement.CREDIT_NOTE, cents=cents)
        other = Cabinet(machine=cabinet.machine)
        assert other.refusal(asked) == refusal


@pytest.mark.requirement("BA-01", "BA-02")
@pytest.mark.parametrize("unsolicited", [GARBLED, replace(GARBLED, reported_cents=2_000)])
def test_a_note_that_was_never_offered_settles_none_that_was(unsolicited: BillUnasked) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, unsolicited)
    assert (cabinet.credit, cabinet.machine.acceptor.in_path) == (0, NoteIntent(cents=2_000))
    cabinet.do(STACKED)
    assert (cabinet.credit, cabinet.locked()) == (2_000, [LockKind.UNEXPECTED_NOTE])
    doubted = seated("table", credit=0)
    doubted.do(OFFER, FaultBegan(fault=Fault.ACCEPTOR_LINK), unsolicited)
    assert doubted.credit == 0
    assert [kind for kind in doubted.locked() if kind is not LockKind.ACCEPTOR_LINK] == [
        LockKind.NOTE_IN_DOUBT,
        LockKind.UNEXPECTED_NOTE,
    ]


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("first", [STACKED, BillStacked(cents=None), TOGETHER, GARBLED])
@pytest.mark.parametrize("second", [BillStacked(cents=None), GARBLED])
def test_a_note_of_unknown_value_is_not_lost_behind_another_that_waits(first: Input, second: Input) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(first, second)
    assert cabinet.locked() == [LockKind.UNEXPECTED_NOTE] * 2
    assert cabinet.machine.locks[0].lock_id != cabinet.machine.locks[1].lock_id


@pytest.mark.requirement("BA-02")
def test_a_note_of_unknown_value_reported_again_after_a_restart_waits_once() -> None:
    cabinet = seated("table", credit=0)
    again = BillStacked(cents=None, recovered=True)
    cabinet.do(again, ACCEPTOR, again)
    assert cabinet.locked() == [LockKind.UNEXPECTED_NOTE]
    late = seated("table", credit=0)
    late.do(STACKED, ACCEPTOR, again)
    assert [lock.cents for lock in late.machine.locks] == [2_000, 0]
