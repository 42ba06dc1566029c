"""A note reported again after a restart of ours is in the books once."""

import pytest

from cabinet.engine import bills_in, ledger
from cabinet.engine.inputs import (
    AcceptorStarted,
    BillOffered,
    BillStacked,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    PoweredUp,
    SettleLock,
    Settlement,
)
from cabinet.engine.machine import starting, step
from cabinet.engine.state import LockKind, Machine, Settings

SETTINGS = Settings()


def given(machine: Machine, *facts: object) -> Machine:
    for fact in facts:
        machine = step(SETTINGS, machine, fact, lambda _: 0).machine  # type: ignore[arg-type]
        ledger.audit(machine.books)
    return machine


STARTED = AcceptorStarted(model="NV9", firmware="1", serial="1")


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("value", [2_000, None])
def test_a_credited_note_repeated_after_a_restart_changes_no_account(value: int | None) -> None:
    before = given(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000))

    after = given(before, PoweredUp(clean=False), BillStacked(cents=value, recovered=True), STARTED)

    assert after.books.balances == before.books.balances
    assert after.locks == ()


@pytest.mark.requirement("BA-02")
def test_a_suspended_note_repeated_after_a_restart_is_suspended_once() -> None:
    before = given(starting(SETTINGS), BillStacked(cents=2_000))

    after = given(before, PoweredUp(clean=False), BillStacked(cents=2_000, recovered=True))

    assert after.books.balances == before.books.balances
    assert len(after.locks) == 1


@pytest.mark.requirement("BA-01")
def test_a_recovered_note_of_another_value_is_still_unexpected() -> None:
    before = given(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000))

    after = given(before, PoweredUp(clean=False), BillStacked(cents=5_000, recovered=True))

    assert [lock.cents for lock in after.locks] == [5_000]


@pytest.mark.requirement("BA-01")
def test_once_the_acceptor_has_reported_everything_a_recovered_note_is_unexpected() -> None:
    before = given(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000), STARTED)

    after = given(before, BillStacked(cents=2_000, recovered=True))

    assert [lock.cents for lock in after.locks] == [2_000]
    assert bills_in.why_not_note(SETTINGS, after, 2_000) is not None


def settled_by_hand(how: Settlement) -> Machine:
    """A note of 20.00 in doubt, of which the attendant has said what became of it; the line has come back."""
    doubted = given(starting(SETTINGS), BillOffered(cents=2_000), FaultBegan(fault=Fault.ACCEPTOR_LINK))
    (lock,) = (lock for lock in doubted.locks if lock.kind is LockKind.NOTE_IN_DOUBT)
    return given(
        doubted,
        KeyTurned(key=Key.AUDIT, on=True),
        SettleLock(lock_id=lock.lock_id, how=how),
        KeyTurned(key=Key.AUDIT, on=False),
        FaultEnded(fault=Fault.ACCEPTOR_LINK),
    )


@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.parametrize("recovered", [True, False], ids=["after a restart", "plainly"])
@pytest.mark.parametrize("value", [2_000, None])
def test_a_note_credited_by_the_attendant_and_reported_after_all_is_booked_once(
    value: int | None, *, recovered: bool
) -> None:
    after = given(settled_by_hand(Settlement.CREDIT_NOTE), BillStacked(cents=value, recovered=recovered), STARTED)

    assert after.books.credit_cents == 2_000
    assert after.books.meter("bills_in") == 2_000
    assert after.locks == ()


@pytest.mark.requirement("BA-01", "BA-02")
def test_a_second_report_of_a_note_credited_by_the_attendant_is_another_note() -> None:
    report = BillStacked(cents=2_000)
    after = given(settled_by_hand(Settlement.CREDIT_NOTE), report, report)

    assert [(lock.kind, lock.cents) for lock in after.locks] == [(LockKind.UNEXPECTED_NOTE, 2_000)]


@pytest.mark.requirement("BA-01", "BA-02")
def test_after_the_next_offer_a_report_is_about_that_note() -> None:
    credited = settled_by_hand(Settlement.CREDIT_NOTE)

    after = given(credited, BillOffered(cents=2_000), BillStacked(cents=2_000), BillStacked(cents=2_000))

    assert (after.books.credit_cents, after.books.meter("bills_in")) == (4_000, 6_000)
    assert [(lock.kind, lock.cents) for lock in after.locks] == [(LockKind.UNEXPECTED_NOTE, 2_000)]


@pytest.mark.requirement("BA-01", "BA-03")
def test_a_note_that_the_attendant_said_was_back_and_is_in_the_box_is_unexpected() -> None:
    after = given(settled_by_hand(Settlement.NOTE_RETURNED), BillStacked(cents=2_000))

    assert after.books.credit_cents == 0
    assert [(lock.kind, lock.cents) for lock in after.locks] == [(LockKind.UNEXPECTED_NOTE, 2_000)]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("fault", [Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG, Fault.ACCEPTOR_HARDWARE])
def test_an_open_note_of_a_silent_acceptor_is_in_doubt_until_a_late_report_settles_it(fault: Fault) -> None:
    doubted = given(starting(SETTINGS), BillOffered(cents=2_000), FaultBegan(fault=fault))

    assert doubted.acceptor.in_path is None
    assert any(lock.kind is LockKind.NOTE_IN_DOUBT and lock.cents == 2_000 for lock in doubted.locks)
    after = given(doubted, BillStacked(cents=2_000, recovered=True))
    assert after.books.credit_cents == 2_000
    assert all(lock.kind is not LockKind.NOTE_IN_DOUBT for lock in after.locks)
