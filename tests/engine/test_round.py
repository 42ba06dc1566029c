"""The results of a round as one value."""

import pytest

from cabinet.engine.round import Hand, HandResult, InsuranceResult, Outcome, Results


def _results(*returned: int, insurance: tuple[int, int] | None = None) -> Results:
    hands = tuple(
        HandResult(place=0, hand=number, outcome=Outcome.PUSH, stake_cents=100, returned_cents=cents)
        for number, cents in enumerate(returned)
    )
    taken = (InsuranceResult(place=0, stake_cents=insurance[0], returned_cents=insurance[1]),) if insurance else ()
    return Results(hands=hands, insurances=taken, dealer_blackjack=bool(insurance and insurance[1]))


@pytest.mark.requirement("CM-09")
def test_a_round_is_summed_over_all_its_hands_and_insurances() -> None:
    results = _results(0, 200, 250, insurance=(50, 150))
    assert (results.staked_cents, results.returned_cents) == (350, 600)


def test_a_round_without_insurance_is_the_sum_of_its_hands() -> None:
    results = _results(100)
    assert (results.staked_cents, results.returned_cents) == (100, 100)


def test_a_new_hand_is_neither_doubled_nor_split_nor_done() -> None:
    hand = Hand((1, 2), 100)
    assert (hand.doubled, hand.from_split, hand.done) == (False, False, False)
