"""One identity holds over all meters in random play with large wins: every win is won once, however it is paid."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from support.journals import random_steps
from support.machines import one_table

from cabinet.engine.effects import PaidOut, RoundSettled
from cabinet.engine.inputs import Input, SettleLock, Settlement
from cabinet.engine.ledger import Account
from cabinet.engine.rules import TABLE
from cabinet.engine.state import Machine
from cabinet.engine.step import Step
from cabinet.store import reports

OFTEN = one_table(TABLE, large_win_cents=100)
"""Almost every win is a large one."""
SEEDS = range(12)


@cache
def played(seed: int) -> tuple[tuple[Input, Step], ...]:
    """Returns the steps of random play."""
    return tuple(random_steps(seed, 500, OFTEN))


def lifetime(machine: Machine) -> Mapping[str, Any]:
    """Returns the lifetime meters as every report has them."""
    report: Mapping[str, Any] = reports.meters(machine, ())["lifetime"]
    return report


def cleared(seed: int) -> bool:
    """Returns whether the memory was cleared in this play."""
    return played(seed)[-1][1].machine.books.meter("memory_clears") > 0


def lives() -> Iterator[tuple[tuple[Input, Step], ...]]:
    """Yields the plays without a memory clear, in which events and meters count the same."""
    yield from (played(seed) for seed in SEEDS if not cleared(seed))


@pytest.mark.requirement("ME-06", "ME-01", "CO-01", "CM-05")
def test_what_went_in_and_was_won_less_what_went_out_and_was_staked_is_the_credit() -> None:
    for seed in SEEDS:
        for _, step in played(seed):
            found, balance = lifetime(step.machine), step.machine.books.balance
            inside = found["total_drop"] + found["total_won"] + found["voided"]
            outside = found["coin_in"] + found["tickets_out"] + found["total_hand_paid"] + found["suspense_kept"]
            held = (Account.CREDIT, Account.IN_TRANSIT, Account.SUSPENSE)
            assert inside - outside == sum(balance(account) for account in held)


@pytest.mark.requirement("ME-06", "ME-01", "CO-01")
def test_won_is_what_the_rounds_have_paid_also_where_a_large_win_is_paid_by_hand() -> None:
    by_hand = 0
    for steps in lives():
        settled = [event for _, step in steps for event in step.events if isinstance(event, RoundSettled)]
        found = lifetime(steps[-1][1].machine)
        assert found["total_won"] == sum(event.returned_cents for event in settled)
        assert found["jackpots"] <= found["total_won"]
        by_hand += found["jackpots"]
    assert by_hand > 0, "random play pays large wins by hand"


@pytest.mark.requirement("ME-06", "AT-08")
def test_hand_paid_is_what_was_paid_by_hand_and_a_large_win_is_a_part_of_it() -> None:
    for steps in lives():
        hands = [
            event.cents
            for _, step in steps
            for event in step.events
            if isinstance(event, PaidOut) and event.receipt is not None
        ]
        found = lifetime(steps[-1][1].machine)
        assert found["total_hand_paid"] == sum(hands)
        assert found["total_hand_paid"] == (found["cancelled_credit"] + found["jackpots"] + found["suspense_paid"])
        assert found["hand_pays"] == len(hands) == sum(found["hand_pays_by_kind"].values())


@pytest.mark.requirement("ME-01", "ME-03")
def test_no_meter_falls_when_a_large_win_is_paid_by_hand() -> None:
    paid = 0
    for steps in lives():
        for (_, before), (input_, step) in pairwise(steps):
            then, now = before.machine.books.meters, step.machine.books.meters
            assert all(now[name] >= value for name, value in then.items())
            paid += isinstance(input_, SettleLock) and input_.how is Settlement.PAID_BY_HAND
    assert paid > 0
