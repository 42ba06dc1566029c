"""The counting of split hands, against dealing them one by one."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, SplitBy, vary
from cabinet.par.hands import full_pack
from cabinet.par.splits import (
    Deal,
    count_hands,
    hands_max,
    list_deals,
    list_ends,
    pair_chance,
    second_cards,
    split_starts,
    splittable,
    upcard_cases,
)


def _hands_by_dealing(most: int, pairs: int, others: int) -> Fraction:
    """Returns the mean number of hands of a split, from a pack of `pairs` pair cards and others, dealt one by one."""

    def deal(hands: int, open_: int, pairs: int, others: int) -> Fraction:
        if hands == most or not open_:
            return Fraction(hands)
        chance = Fraction(pairs, pairs + others)
        result = (1 - chance) * deal(hands, open_ - 1, pairs, others - 1)
        return result + (chance * deal(hands + 1, open_ + 1, pairs - 1, others) if pairs else 0)

    return deal(2, 2, pairs, others)


@pytest.mark.parametrize("splits", [1, 2, 3])
@pytest.mark.parametrize("decks", [1, 6])
def test_the_starts_of_a_split_sum_to_its_mean_number_of_hands(splits: int, decks: int):
    rules = vary(EUROPEAN, splits_max=splits, decks=decks)
    starts = sum(split_starts(rules, full_pack(rules.decks), deal) for deal in list_deals(rules, 7, apart=False))

    hands = starts.sum(axis=0)
    assert hands[2] == pytest.approx(float(_hands_by_dealing(splits + 1, 4 * decks - 2, 48 * decks - 1)), abs=1e-12)
    assert hands[7] == pytest.approx(float(_hands_by_dealing(splits + 1, 4 * decks - 3, 48 * decks)), abs=1e-12)


def test_one_split_is_twice_one_hand():
    weights = count_hands(2, None)
    assert (weights.any_card, weights.no_pair) == ({2: 2}, {})


def test_the_original_hand_and_the_others_make_up_all_hands():
    for most in (2, 3, 4):
        parts = [count_hands(most, original) for original in (True, False)]
        for name in ("any_card", "no_pair"):
            together = Counter()
            for part in parts:
                together.update(getattr(part, name))
            assert {gone: n for gone, n in together.items() if n} == {
                gone: n for gone, n in getattr(count_hands(most, None), name).items() if n
            }


def test_second_cards_of_four_hands_can_come_in_these_orders():
    assert list_ends(4) == {(4, 0): 1, (4, 1): 2, (4, 2): 2, (3, 3): 2, (2, 2): 1}


def test_aces_are_split_once_unless_they_may_be_split_again():
    assert hands_max(EUROPEAN, 0) == 2
    assert hands_max(vary(EUROPEAN, resplit_aces=True), 0) == 4
    assert hands_max(EUROPEAN, 7) == 4
    assert hands_max(vary(EUROPEAN, splits_max=0, resplit_aces=False), 0) == 1
    assert list_deals(vary(EUROPEAN, splits_max=0), 7, apart=False) == ()


def test_ranks_make_fewer_pairs_of_ten_values_than_values_do():
    by_rank, by_value = splittable(EUROPEAN, full_pack(6), 9), splittable(CLASSIC, full_pack(6), 9)
    ranks = [(rank, deck) for rank in range(4) for deck in range(24)]
    pairs = [(a, b) for index, a in enumerate(ranks) for b in ranks[:index]]
    same = sum(a[0] == b[0] for a, b in pairs) / len(pairs)

    assert by_value == pytest.approx(np.ones(10))
    assert by_rank[3] == pytest.approx(same)
    assert by_rank[9] == pytest.approx(23 / 95)
    assert splittable(EUROPEAN, full_pack(6), 4) == pytest.approx(np.ones(10))
    assert splittable(vary(CLASSIC, splits_max=0), full_pack(6), 4) == pytest.approx(np.zeros(10))


def test_a_pair_card_is_less_likely_once_the_upcard_was_one():
    rules = vary(EUROPEAN, split_by=SplitBy.RANK)
    (plain, none), (chance, same) = upcard_cases(rules, full_pack(rules.decks), 9)

    assert plain + chance == pytest.approx(np.ones(10))
    assert chance[9] == pytest.approx(22 / 94)
    assert pair_chance(rules, full_pack(rules.decks), 9, 2, none)[9] == pytest.approx(22 / 309)
    assert pair_chance(rules, full_pack(rules.decks), 9, 2, same)[9] == pytest.approx(21 / 309)


def test_second_cards_come_from_the_pack_without_pair_and_upcard():
    chances = second_cards(full_pack(6), Deal(pair=7, gone=2))
    assert chances.sum(axis=0) == pytest.approx(np.ones(10))
    assert chances[7, 7] == pytest.approx(21 / 309)
    assert chances[7, 2] == pytest.approx(22 / 309)


def test_a_deal_without_a_pair_is_no_split():
    with pytest.raises(ValueError, match="needs its pair"):
        split_starts(CLASSIC, full_pack(6), Deal())
