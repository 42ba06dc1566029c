"""Ways of playing that can be followed hand by hand."""

import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, Rules, vary
from cabinet.par import Advice, BestPlay, Chart, cached_sheet, value_of_hand
from cabinet.par.plan import list_best_play, value_of_chart

FEW = vary(CLASSIC, splits_max=0)


def stop_at(hard: int, soft: int) -> Chart:
    """Hit below these totals, never double or split."""
    rows = [
        {total: (Advice.STAND if total >= stop else Advice.HIT,) * 10 for total in range(first, 22)}
        for first, stop in ((4, hard), (12, soft))
    ]
    pairs = {value: rows[0][2 * value] for value in range(2, 11)} | {1: rows[1][12]}
    return Chart(hard=rows[0], soft=rows[1], pairs=pairs)


@pytest.mark.sample(3)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(
    ("hard", "soft", "percent"), [(0, 0, "-15.97465626"), (12, 18, "-6.01311182"), (17, 17, "-5.67564759")]
)
def test_plays_without_double_or_split_return_what_is_known_of_them(rules: Rules, hard: int, soft: int, percent: str):
    assert f"{100 * value_of_chart(rules, stop_at(hard, soft)):.8f}" == percent


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_best_chart_returns_what_its_sheet_says(rules: Rules):
    sheet = cached_sheet(rules, None)
    assert value_of_chart(rules, sheet.chart) == pytest.approx(sheet.ev_chart, abs=1e-14)


@pytest.fixture(scope="module")
def best() -> BestPlay:
    return list_best_play(EUROPEAN)


@pytest.mark.parametrize(
    ("cards", "up", "advice"),
    [
        ((2, 10), 4, Advice.HIT),
        ((3, 9), 4, Advice.STAND),
        ((2, 4, 10), 10, Advice.STAND),
        ((5, 6), 6, Advice.DOUBLE_OR_HIT),
        ((1, 7), 5, Advice.DOUBLE_OR_STAND),
        ((10, 10), 6, Advice.STAND),
    ],
)
def test_best_play_looks_at_the_cards_and_not_at_the_total_alone(
    best: BestPlay, cards: tuple[int, ...], up: int, advice: Advice
):
    assert best.hands[cards][up - 1] is advice


def test_best_play_is_the_play_worth_most(best: BestPlay):
    for cards in ((1, 7), (5, 5), (4, 6, 6), (2, 3, 8)):
        for up in (1, 4, 9, 10):
            worths = value_of_hand(EUROPEAN, cards, up)
            single = {action.value: worth for action, worth in worths.items() if action.value != "split"}
            words = {"S": "stand", "H": "hit", "D": "double", "d": "double"}
            assert words[best.hands[cards][up - 1].value] == max(single, key=single.__getitem__)


def test_pairs_are_split_where_that_is_worth_most(best: BestPlay):
    assert best.splits[8] == (False, *[True] * 8, False)
    assert best.splits[10] == best.splits[5] == (False,) * 10
    assert not any(map(any, list_best_play(FEW).splits.values()))
