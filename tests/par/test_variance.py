"""Whole rounds: what a place wins, and how hands that share a dealer hang together."""

from collections import Counter

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, LateBlackjackTakes, Rules, vary
from cabinet.par.chart_search import SPLIT, Cells, learn_chart, play_of_best, play_of_cells
from cabinet.par.dealer import FINALS, final_totals
from cabinet.par.hands import full_pack
from cabinet.par.play import play_best, set_table
from cabinet.par.terminal_payoffs import DEALER_POINTS
from cabinet.par.variance import MOST, kinds_of, rounds_of, split_rounds

VARIANTS: dict[str, Rules] = {
    **GAMES,
    "one deck, no double after split": vary(
        CLASSIC, decks=1, double_after_split=False, resplit_aces=True, splits_max=2
    ),
    "late, original stakes": vary(
        EUROPEAN, splits_max=1, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES, dealer_hits_soft_17=True
    ),
    "no splits": vary(EUROPEAN, splits_max=0),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_results_average_to_the_exact_return_and_their_chances_sum_to_one(rules: Rules):
    table = set_table(rules)
    best = play_best(table)
    learned = learn_chart(table, best)
    for play, value in ((learned.play, learned.value), (play_of_best(table, best), best.value)):
        rounds = rounds_of(table, play)
        by_upcard = (rounds.played.nets.sum(axis=1) @ np.arange(-MOST, MOST + 1)) + 1.5 * rounds.natural.sum(axis=1)
        assert table.opening.upcard @ by_upcard == pytest.approx(value, abs=1e-14)
        total = rounds.played.nets.sum(axis=(1, 2)) + rounds.natural.sum(axis=1)
        assert total == pytest.approx(np.ones(10), abs=1e-12)
        assert rounds.played.nets.min() > -1e-18


def test_every_split_makes_one_hand_more_where_it_is_the_only_one():
    table = set_table(CLASSIC)
    rounds = rounds_of(table, play_of_best(table, play_best(table)))
    assert rounds.played.hands + rounds.natural.sum(axis=1) == pytest.approx(1 + rounds.split)


def _deal_aces(rules: Rules, up: int, most: int) -> dict[tuple[int, ...], float]:
    """Split aces of one card each, dealt one by one: chances of the second cards of all hands, sorted."""
    deals: Counter[tuple[int, ...]] = Counter()

    def deal(hands: int, open_: int, out: tuple[int, ...], left: np.ndarray, chance: float) -> None:
        if not open_:
            deals[tuple(sorted(out))] += chance
            return
        for value in range(1, 11):
            share = chance * left[value - 1] / left.sum()
            rest = left.copy()
            rest[value - 1] -= 1
            if value == 1 and hands < most:
                deal(hands + 1, open_ + 1, out, rest, share)
            elif share:
                deal(hands, open_ - 1, (*out, value), rest, share)

    start = full_pack(rules.decks).array.astype(float)
    start[0] -= 2
    start[up - 1] -= 1
    deal(2, 2, (), start, 1.0)
    return dict(deals)


def _aces_by_dealing(rules: Rules, up: int, most: int) -> np.ndarray:
    """The chance of each net result of split aces, at net + MOST, against an upcard that makes no blackjack."""
    deals = _deal_aces(rules, up, most)
    packs = np.array([full_pack(rules.decks).array] * len(deals))
    for row, out in enumerate(deals):
        np.subtract.at(packs[row], np.array(out) - 1, 1)
        packs[row, 0] -= len(out)
    finals = final_totals(packs, hits_soft_17=rules.dealer_hits_soft_17)[:, up - 1]
    nets = np.zeros(2 * MOST + 1)
    for row, (out, chance) in enumerate(deals.items()):
        for final in range(len(FINALS)):
            points = [12 if value == 1 else 11 + value for value in out]
            net = sum(int(np.sign(total - DEALER_POINTS[final])) for total in points)
            nets[net + MOST] += chance * finals[row, final]
    return nets


@pytest.mark.sample(2)
@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize("up", [6, 9])
def test_split_aces_win_what_dealing_them_one_by_one_gives(most: int, up: int):
    rules = vary(CLASSIC, resplit_aces=True, splits_max=most - 1)
    table = set_table(rules)
    totals = learn_chart(table, play_best(table)).cells.totals
    pairs = np.full((10, 10), -1)
    pairs[0] = SPLIT
    play = play_of_cells(table, Cells(totals=totals, pairs=pairs))
    nets = split_rounds(rules, 0, kinds_of(table, play)).nets[up - 1].sum(axis=0)
    exact = _aces_by_dealing(rules, up, most)
    scale = np.arange(-MOST, MOST + 1)

    assert nets @ scale == pytest.approx(exact @ scale, abs=1e-13)
    assert nets @ scale**2 == pytest.approx(exact @ scale**2, abs=3e-5)
    assert nets == pytest.approx(exact, abs=1e-5)


def test_places_hang_together_by_less_than_a_variance_and_more_than_not_at_all():
    table = set_table(CLASSIC)
    shared = rounds_of(table, play_of_best(table, play_best(table))).covariance
    assert 0.4 < shared < 0.55
