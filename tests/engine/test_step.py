"""A draft collects what one step does, and leaves the machine it began with alone."""

import pytest
from support.machines import seated

from cabinet.engine.effects import Credited, Logged, Significant, StackBill
from cabinet.engine.errors import LedgerError
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.step import Draft, Step


def _draft() -> Draft:
    cabinet = seated("table", credit=1_000)
    return Draft(cabinet.settings, cabinet.machine, len)


def test_nothing_done_is_the_very_same_machine() -> None:
    draft = _draft()
    before = draft.machine
    assert draft.done() == Step(machine=before)
    assert draft.done().machine is before


def test_everything_done_is_in_the_step_in_order() -> None:
    draft = _draft()
    before = draft.machine
    draft.post(Route.WAGER, 300)
    draft.count(games_played=1)
    draft.count_named({"table.coin_in": 300, "games_played": 2})
    draft.tell(Credited(cents=5))
    draft.log(Significant.CASH_OUT, "why", 7)
    draft.act(StackBill())
    draft.set(turbo=True)
    assert [draft.draw(()), draft.draw((0,))] == [0, 1]
    step = draft.done()
    assert step.postings == (Posting(route=Route.WAGER, cents=300),)
    assert step.counts == {"games_played": 3, "table.coin_in": 300}
    assert step.events == (Credited(cents=5), Logged(what=Significant.CASH_OUT, detail="why", cents=7))
    assert (step.effects, step.drawn, step.machine.turbo) == ((StackBill(),), (0, 1), True)
    assert (step.machine.books.credit_cents, step.machine.books.meter("games_played")) == (700, 3)
    assert (before.books.credit_cents, before.turbo) == (1_000, False)


def test_nothing_is_posted_for_nothing() -> None:
    draft = _draft()
    draft.post(Route.WIN, 0)
    assert draft.postings == []


def test_a_transfer_that_cannot_be_is_our_own_mistake() -> None:
    draft = _draft()
    with pytest.raises(LedgerError):
        draft.post(Route.WAGER, 1_001)
