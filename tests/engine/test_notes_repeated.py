"""A note reported again after a restart of ours is in the books once."""

import pytest

from cabinet.engine import ledger, notes
from cabinet.engine.inputs import AcceptorStarted, BillOffered, BillStacked, PoweredUp
from cabinet.engine.machine import starting, step
from cabinet.engine.state import Machine, Settings

SETTINGS = Settings()


def told(machine: Machine, *facts: object) -> Machine:
    for fact in facts:
        machine = step(SETTINGS, machine, fact, lambda _: 0).machine  # type: ignore[arg-type]
        ledger.audit(machine.books)
    return machine


STARTED = AcceptorStarted(model="NV9", firmware="1", serial="1")


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("value", [2_000, None])
def test_a_credited_note_repeated_after_a_restart_changes_no_account(value: int | None) -> None:
    before = told(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000))

    after = told(before, PoweredUp(clean=False), BillStacked(cents=value, recovered=True), STARTED)

    assert after.books.balances == before.books.balances
    assert after.locks == ()


@pytest.mark.requirement("BA-02")
def test_a_suspended_note_repeated_after_a_restart_is_suspended_once() -> None:
    before = told(starting(SETTINGS), BillStacked(cents=2_000))

    after = told(before, PoweredUp(clean=False), BillStacked(cents=2_000, recovered=True))

    assert after.books.balances == before.books.balances
    assert len(after.locks) == 1


@pytest.mark.requirement("BA-01")
def test_a_recovered_note_of_another_value_is_still_unexpected() -> None:
    before = told(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000))

    after = told(before, PoweredUp(clean=False), BillStacked(cents=5_000, recovered=True))

    assert [lock.cents for lock in after.locks] == [5_000]


@pytest.mark.requirement("BA-01")
def test_once_the_acceptor_has_told_everything_a_recovered_note_is_unexpected() -> None:
    before = told(starting(SETTINGS), BillOffered(cents=2_000), BillStacked(cents=2_000), STARTED)

    after = told(before, BillStacked(cents=2_000, recovered=True))

    assert [lock.cents for lock in after.locks] == [2_000]
    assert notes.why_not_note(SETTINGS, after, 2_000) is not None
