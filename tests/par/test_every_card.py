"""The analysis against the cabinet's own engine, card by card: every way a small pack can fall, to the last digit.

Packs of a few values make up to four hands of one round possible to go through. The plays are arbitrary charts, so
that agreement is not owed to play that is good: whatever a chart says, both must return the same.
"""

import random

import pytest
from support.every_card import EveryCard

from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    TABLE,
    DoubleOn,
    HitAt21,
    LateBlackjackTakes,
    SplitBy,
    vary,
)
from cabinet.par.chart import Advice, Chart, Row
from cabinet.par.chart_search import learn_chart
from cabinet.par.hands import Pack
from cabinet.par.plan import list_best_play, value_of_chart
from cabinet.par.play import play_best, set_table
from cabinet.tools.simulate import follow

FEW = {0: 3, 4: 4, 7: 6, 12: 8}
"""Aces, fives, eights and kings."""
LOW = {0: 2, 1: 3, 5: 4, 12: 7}
"""Aces, twos, sixes and kings: hands of many cards."""
ACES = {0: 5, 6: 6, 12: 7}
"""Many aces, sevens and kings."""
SEVENS = {0: 2, 6: 6, 12: 9}
"""Aces, sevens and kings: up to four hands of sevens or of kings."""
RANKS = {0: 3, 7: 6, 9: 2, 10: 2, 11: 2, 12: 2}
"""Aces, eights and ten-values of four ranks."""


def values_of(ranks: dict[int, int]) -> Pack:
    """A pack of ranks as the analysis counts it."""
    counts = [ranks.get(rank, 0) for rank in range(9)] + [sum(ranks.get(rank, 0) for rank in range(9, 13))]
    return Pack(counts=tuple(counts))


def random_chart(seed: int) -> Chart:
    """Any advice below 17, so that no pack is used up; splits wherever there is a pair, mostly."""
    generator = random.Random(seed)

    def row(advice: str) -> Row:
        return tuple(Advice(generator.choice(advice)) for _ in range(10))

    return Chart(
        hard={total: row("SHHDd" if total < 17 else "SSd" if total < 21 else "SH") for total in range(4, 22)},
        soft={total: row("SHDd" if total < 19 else "S") for total in range(12, 22)},
        pairs={value: row("PPPPH") for value in range(1, 11)},
    )


VALUES = vary(EUROPEAN, split_by=SplitBy.VALUE, places_max=1)
"""The European game where any two ten-values are a pair: packs with kings only would have too many pairs otherwise."""

VARIED = {
    "european": (vary(EUROPEAN, splits_max=2), RANKS),
    "european, few values": (vary(VALUES, splits_max=1), FEW),
    "four hands": (VALUES, SEVENS),
    "three hands, hole card": (vary(CLASSIC, splits_max=2, double_after_split=False), FEW),
    "classic": (CLASSIC, FEW),
    "classic, more values": (CLASSIC, LOW),
    "table": (TABLE, FEW),
    "no splits": (vary(CLASSIC, splits_max=0), LOW),
    "late blackjack takes the first stake": (
        vary(VALUES, splits_max=1, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES),
        FEW,
    ),
    "late blackjack, three hands": (
        vary(VALUES, splits_max=2, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES),
        ACES,
    ),
    "late blackjack and five cards": (
        vary(VALUES, splits_max=1, cards_max=5, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES),
        LOW,
    ),
    "soft 17 is hit": (vary(CLASSIC, dealer_hits_soft_17=True), LOW),
    "aces are played on": (vary(CLASSIC, split_aces_one_card=False), FEW),
    "aces are split again": (vary(CLASSIC, resplit_aces=True, splits_max=3), ACES),
    "aces are split again and played on": (
        vary(VALUES, resplit_aces=True, split_aces_one_card=False, splits_max=2, double_after_split=False),
        ACES,
    ),
    "five cards win": (vary(TABLE, cards_max=5), LOW),
    "other pays": (vary(CLASSIC, blackjack_pays=(6, 5), double_on=DoubleOn.UNDER_21), FEW),
    "hard 21 may be hit": (vary(CLASSIC, hit_at_21=HitAt21.HARD_ONLY), FEW),
    "pairs by rank": (vary(CLASSIC, split_by=SplitBy.RANK, splits_max=2, double_after_split=False), RANKS),
}
"""Rules, and a pack that leaves something to happen under them."""
PLAYED_WELL = ("european", "four hands", "table", "no splits", "late blackjack, three hands", "aces are split again")


@pytest.mark.sample(6)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize("name", VARIED)
def test_any_chart_returns_what_the_engine_pays_over_all_cards(name: str):
    rules, ranks = VARIED[name]
    pack = values_of(ranks)
    chart = random_chart(len(name))

    dealt = EveryCard(rules, ranks, follow(rules, chart))
    assert value_of_chart(rules, chart, pack) == pytest.approx(dealt.mean(), abs=1e-12)


@pytest.mark.sample(3)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize("name", PLAYED_WELL)
def test_best_play_and_the_best_chart_return_what_the_engine_pays_over_all_cards(name: str):
    rules, ranks = VARIED[name]
    pack = values_of(ranks)
    table = set_table(rules, pack)
    best = play_best(table)
    learned = learn_chart(table, best)

    dealt = EveryCard(rules, ranks, follow(rules, list_best_play(rules, pack))).mean()
    by_chart = EveryCard(rules, ranks, follow(rules, learned.chart)).mean()
    assert best.value == pytest.approx(dealt, abs=1e-12)
    assert learned.value == pytest.approx(by_chart, abs=1e-12)
    assert value_of_chart(rules, random_chart(1), pack) < learned.value
