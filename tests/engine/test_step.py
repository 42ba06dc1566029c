"""The step builder collects what one step does and does not change the machine that it began with."""

import pytest
from support.machines import seated

from cabinet.engine.effects import Credited, StackBill
from cabinet.engine.errors import LedgerError
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.step import Step, StepBuilder


def _builder() -> StepBuilder:
    cabinet = seated("table", credit=1_000)
    return StepBuilder(cabinet.settings, cabinet.machine, len)


def test_a_builder_without_changes_returns_the_same_machine() -> None:
    step = _builder()
    before = step.machine
    assert step.done() == Step(machine=before)
    assert step.done().machine is before


def test_every_change_is_in_the_step_in_order() -> None:
    step = _builder()
    before = step.machine
    step.post(Route.WAGER, 300)
    step.count(games_played=1)
    step.count_named({"table.coin_in": 300, "games_played": 2})
    step.emit(Credited(cents=5))
    step.log(LogKind.CASH_OUT, "why", 7)
    step.request(StackBill())
    step.update_seat(turbo=True)
    assert [step.draw(()), step.draw((0,))] == [0, 1]
    step = step.done()
    assert step.postings == (Posting(route=Route.WAGER, cents=300),)
    assert step.counts == {"games_played": 3, "table.coin_in": 300}
    assert step.events == (Credited(cents=5), LogEntry(what=LogKind.CASH_OUT, detail="why", cents=7))
    assert (step.effects, step.drawn, step.machine.seat.turbo) == ((StackBill(),), (0, 1), True)
    assert (step.machine.books.credit_cents, step.machine.books.meter("games_played")) == (700, 3)
    assert (before.books.credit_cents, before.seat.turbo) == (1_000, False)


def test_nothing_is_posted_for_nothing() -> None:
    step = _builder()
    step.post(Route.WIN, 0)
    assert step.postings == []


def test_a_transfer_that_cannot_be_is_our_own_mistake() -> None:
    step = _builder()
    with pytest.raises(LedgerError):
        step.post(Route.WAGER, 1_001)
