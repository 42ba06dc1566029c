"""Best play, against the known decisions and against trying everything card by card."""

from functools import cache

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, LateBlackjackTakes, Rules, vary
from cabinet.par.hands import TEN
from cabinet.par.play import pair_of_rows, play_best, rows_of_second_cards, set_table, sum_by_pair, worth_of_splits

LATE = """
A,6     2   -0.14960918  +0.00069290  -0.00395458
2,10    4   -0.21111531  -0.21036426  -0.42072852
8,8     9   -0.53889019  -0.50570740  -1.01141479  -0.38937092
6,10    10  -0.57660846  -0.57081727  -1.14163453
A,7     9   -0.18263994  -0.09846902  -0.28482493
2,2     5   -0.15795940  -0.00496267  -0.31591881  +0.17410547
A,A     10  -0.57163321  -0.13278613  -0.61297289  +0.02663575
5,6     10  -0.57750729  +0.03170186  +0.00925141
2,4,10  10  -0.57694052  -0.57706392
10,10   6   +0.70282604  -0.85226285 -1.70452569  +0.54400639
9,9     9   -0.18523466  -0.61305170  -1.22610341  -0.08141591
3,3     7   -0.47396252  -0.15379744  -0.89024363  -0.05117350
"""
"""European: stand, hit, double, split, a dealer's blackjack counted."""

LOOKED = """
A,6     2   -0.14960918  +0.00069290  -0.00395458
2,10    4   -0.21111531  -0.21036426  -0.42072852
8,8     9   -0.53889019  -0.50570740  -1.01141479  -0.40502415
6,10    10  -0.54095444  -0.53467556  -1.06935112
A,7     9   -0.18263994  -0.09846902  -0.28482493
2,2     5   -0.15795940  -0.00496267  -0.31591881  +0.14885829
A,A     10  -0.53879673  -0.06630980  -0.50665025  +0.18198762
5,6     10  -0.54192896  +0.11858202  +0.17845153
2,4,10  10  -0.54118901  -0.54132284
10,10   6   +0.70282604  -0.85226285 -1.70452569  +0.56676721
9,9     9   -0.18523466  -0.61305170  -1.22610341  -0.09514347
3,3     7   -0.47396252  -0.15379744  -0.89024363  -0.06605692
"""
"""Classic: the same, given that the dealer has looked and has no blackjack."""

CASES = [(rules, line) for rules, text in ((EUROPEAN, LATE), (CLASSIC, LOOKED)) for line in text.strip().splitlines()]


def _row(rules: Rules, cards: list[int]) -> int:
    hands = set_table(rules).first.hands
    return hands.find(tuple(cards.count(value) for value in range(1, 11)))


@pytest.mark.parametrize(("rules", "line"), CASES, ids=[f"{rules.game_id} {line[:11]}" for rules, line in CASES])
def test_single_decisions_are_worth_what_is_known(rules: Rules, line: str):
    names, up, stand, hit, *more = line.replace("A", "1").split()
    cards = [int(name) for name in names.split(",")]
    table = set_table(rules)
    best = play_best(table)
    row, column = _row(rules, cards), int(up) - 1
    alive = table.first.alive[row, column]
    worths = [table.first_won.stand[row, column], best.hit[row, column]]
    if more:
        worths.append(table.first_won.double[row, column])
    if len(more) > 1:
        worths.append(best.split[cards[0] - 1, column])

    assert [worth / alive for worth in worths] == pytest.approx([float(x) for x in (stand, hit, *more)], abs=6e-9)


def test_classic_returns_what_its_text_states():
    assert f"{100 * (1 + play_best(set_table(CLASSIC)).value):.2f}" == "99.54"


@pytest.mark.requirement("PD-13")
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_best_play_returns_between_80_and_100_percent(rules: Rules):
    assert 0.8 <= 1 + play_best(set_table(rules)).value <= 1


def test_the_eleven_card_win_is_worth_next_to_nothing_but_something():
    worth = play_best(set_table(TABLE)).value - play_best(set_table(vary(TABLE, cards_max=None))).value
    assert 4e-11 < worth < 6e-11


def test_a_lower_limit_of_cards_is_worth_more():
    values = [play_best(set_table(vary(CLASSIC, cards_max=most, splits_max=0))).value for most in (None, 6, 5)]
    assert values == sorted(values)
    assert values[2] - values[0] > 0.01


def test_a_late_blackjack_that_takes_the_first_bet_alone_costs_what_an_early_one_does():
    late = vary(EUROPEAN, splits_max=1, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)
    assert play_best(set_table(late)).value == pytest.approx(play_best(set_table(vary(late, hole_card=True))).value)


def test_with_a_limit_of_cards_it_is_better_than_an_early_one():
    late = vary(EUROPEAN, cards_max=5, splits_max=1, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)
    gain = play_best(set_table(late)).value - play_best(set_table(vary(late, hole_card=True))).value
    assert 0.0001 < gain < 0.01


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("change", "better"),
    [
        ({"dealer_hits_soft_17": True}, False),
        ({"blackjack_pays": (6, 5)}, False),
        ({"double_after_split": False}, False),
        ({"splits_max": 0}, False),
        ({"decks": 1}, True),
        ({"resplit_aces": True, "splits_max": 3}, True),
        ({"split_aces_one_card": False}, True),
    ],
    ids=str,
)
def test_each_rule_moves_the_return_the_way_it_is_known_to(change: dict[str, object], better: bool):
    difference = play_best(set_table(vary(CLASSIC, **change))).value - play_best(set_table(CLASSIC)).value
    assert (difference > 0) is better
    assert abs(difference) > 1e-5


def _left(decks: int, out: tuple[int, ...]) -> list[int]:
    pack = [4 * decks] * 9 + [16 * decks]
    for card in out:
        pack[card - 1] -= 1
    return pack


@cache
def _dealer(decks: int, out: tuple[int, ...], points: int, dealer: tuple[int, ...]) -> float:
    """What standing wins, summed over the dealer's cards one by one; cases of a dealer's blackjack are left out."""
    hard = sum(dealer)
    total = hard + 10 if 1 in dealer and hard <= 11 else hard
    if len(dealer) == 2 and total == 21:
        return 0.0
    if len(dealer) > 1 and total >= 17:
        return 1.0 if total > 21 or points > total else -1.0 if points < total else 0.0
    left = _left(decks, (*out, *dealer))
    return sum(
        count / sum(left) * _dealer(decks, out, points, tuple(sorted((*dealer, card))))
        for card, count in enumerate(left, 1)
        if count
    )


@cache
def _tried_out(decks: int, cards: tuple[int, ...], up: int, most: int | None) -> float:
    """The worth of the best of standing and hitting, the dealer having looked; not divided by its chance."""
    hard = sum(cards)
    left = _left(decks, (*cards, up))
    if hard > 21 or len(cards) == most:
        bad = {1: left[9], 10: left[0]}.get(up, 0)
        return (-1 if hard > 21 else 1) * (1 - bad / sum(left))
    points = hard + 10 if 1 in cards and hard <= 11 else hard
    stand = _dealer(decks, cards, points, (up,))
    if points == 21:
        return stand
    hit = sum(
        count / sum(left) * _tried_out(decks, tuple(sorted((*cards, card))), up, most)
        for card, count in enumerate(left, 1)
        if count
    )
    return max(stand, hit)


@pytest.mark.parametrize(
    ("cards", "up", "most"),
    [((6, 10), 10, None), ((2, 10), 6, None), ((7, 8), 1, None), ((5, 7), 9, None), ((2, 10), 10, 5)],
)
def test_trying_everything_card_by_card_finds_the_same_worth(cards: tuple[int, ...], up: int, most: int | None):
    rules = vary(CLASSIC, decks=1, cards_max=most)
    table = set_table(rules)
    best = play_best(table)
    row, column = _row(rules, list(cards)), up - 1

    found = max(table.first_won.stand[row, column], best.hit[row, column])
    assert found == pytest.approx(_tried_out(1, cards, up, most), abs=1e-12)


def test_two_aces_of_one_card_each_are_worth_what_dealing_both_gives():
    rules = vary(CLASSIC, decks=1)
    up, total = 6, 0.0
    left = _left(1, (1, 1, up))
    for one in range(1, 11):
        for other in range(1, 11):
            rest = left[other - 1] - (one == other)
            chance = left[one - 1] / sum(left) * rest / (sum(left) - 1)
            if chance > 0:
                hands = [11 + card if card < 11 else 0 for card in (one, other)]
                points = [hand if hand <= 21 else hand - 10 for hand in hands]
                total += chance * sum(_dealer(1, tuple(sorted((1, 1, one, other))), hand, (up,)) for hand in points)
    assert play_best(set_table(rules)).split[0, up - 1] == pytest.approx(total, abs=1e-12)


def test_opening_hands_are_all_there_is():
    for rules in (EUROPEAN, vary(CLASSIC, decks=1)):
        opening = set_table(rules).opening
        assert opening.upcard.sum() == pytest.approx(1)
        assert opening.chance.sum(axis=0) == pytest.approx(np.ones(10))


def test_rows_of_split_hands_know_their_pair_and_their_second_card():
    table = set_table(CLASSIC)
    split = table.split
    chances = np.arange(len(split.deals) * 100, dtype=float).reshape(len(split.deals), 10, 10)
    rows = rows_of_second_cards(split, chances)
    used = np.flatnonzero(rows.any(axis=1))

    assert len(used) == len(split.deals) * 10
    for row in used[::7]:
        cards = split.hands.counts[split.hand[row]].copy()
        cards[pair_of_rows(split)[row]] -= 1
        assert rows[row].tolist() == chances[split.deal[row], cards.argmax()].tolist()


def test_a_split_sums_its_hands():
    table = set_table(CLASSIC)
    ones = np.ones((table.split.size, 10))
    assert sum_by_pair(table, ones) == pytest.approx(2 * np.ones((10, 10)))
    assert worth_of_splits(table, play_best(table).policy)[TEN, 5] == pytest.approx(play_best(table).split[TEN, 5])
