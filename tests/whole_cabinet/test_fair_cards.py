"""Dealt cards look like cards from a well-shuffled pack: ranks, suits, positions, pairs, runs, gaps, spacings.

Cards are dealt by the cabinet's own code from the system's generator. 70 statistics must stay below LIMIT, which true
randomness passes with a chance of less than one in 10^7 over all of them: an alarm means a fault. That the statistics
raise as many false alarms as they should, and that they find what is wrong, is shown with generators that repeat
themselves. `make thorough` deals ten million cards.
"""

import os
import random
from collections.abc import Callable
from math import erfc, sqrt

import pytest
from hypothesis import settings
from support.card_statistics import ONE_SIDED, PACK, WIDTH, alarms, deal_cards, deviates

from cabinet.runtime.shoe import SYSTEM, ByteSource

LIMIT = 6.5
LOW_LIMIT = 2.5
"""One in 161 statistics that are alarming one way, one in 81 of the others, passes this by chance."""
SEEDS = range(60)
ROUNDS = 4_000


def _seeded(seed: int) -> ByteSource:
    return random.Random(seed).randbytes


def _chance_beyond(limit: float, *, either_way: bool) -> float:
    return erfc(limit / sqrt(2)) * (1.0 if either_way else 0.5)


@pytest.mark.requirement("RN-01", "RN-04")
def test_dealt_cards_raise_no_alarm():
    thorough = settings().max_examples >= 2_000
    deals = deal_cards(SYSTEM, (10_000_000 if thorough else 500_000) // WIDTH)

    assert all(len(set(deal)) == WIDTH for deal in deals[:1_000].tolist())
    assert deals.min() == 0
    assert deals.max() == PACK - 1
    assert alarms(deals, LIMIT) == []
    assert SYSTEM is os.urandom


def test_an_alarm_by_chance_is_not_to_be_feared():
    names = [name for name, _ in deviates(deal_cards(_seeded(1), 1_024))]
    risk = sum(_chance_beyond(LIMIT, either_way=not name.startswith(ONE_SIDED)) for name in names)
    assert len(names) == len(set(names)) == 70
    assert risk < 1e-7


@pytest.mark.requirement("RN-01")
def test_false_alarms_come_as_often_as_they_should():
    found, expected = 0, 0.0
    for seed in SEEDS:
        deals = deal_cards(_seeded(seed), ROUNDS)
        found += len(alarms(deals, LOW_LIMIT))
        expected += sum(
            _chance_beyond(LOW_LIMIT, either_way=not name.startswith(ONE_SIDED)) for name, _ in deviates(deals)
        )
    assert abs(found - expected) < 4 * sqrt(expected)


# --- what is wrong is found --------------------------------------------------------------------------------------


def _too_many_low_numbers(seed: int) -> ByteSource:
    """One number in ten is halved."""
    generator = random.Random(seed)

    def source(count: int) -> bytes:
        number = generator.randrange(1 << 16)
        return (number // 2 if generator.random() < 0.1 else number).to_bytes(count, "big")

    return source


def _holding_on(seed: int) -> ByteSource:
    """One number in twenty is near the one of ten cards before, as if the generator had a memory."""
    generator = random.Random(seed)
    past = [0] * WIDTH

    def source(count: int) -> bytes:
        number = generator.randrange(1 << 16)
        if generator.random() < 0.05:
            number = (past[0] + generator.randrange(500)) % (1 << 16)
        past[:] = [*past[1:], number]
        return number.to_bytes(count, "big")

    return source


def _congruential(seed: int) -> ByteSource:
    """The low half of a linear congruential generator of 32 bits."""
    state = [seed]

    def source(count: int) -> bytes:
        state[0] = (state[0] * 1_103_515_245 + 12_345) % (1 << 32)
        return (state[0] % (1 << 16)).to_bytes(count, "big")

    return source


@pytest.mark.parametrize("broken", [_too_many_low_numbers, _holding_on, _congruential])
def test_a_generator_that_is_not_random_raises_an_alarm(broken: Callable[[int], ByteSource]):
    assert alarms(deal_cards(broken(1), 30_000), LIMIT) != []
