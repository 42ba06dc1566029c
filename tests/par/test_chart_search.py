"""The best chart."""

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, Rules, vary
from cabinet.par.chart import Advice, write_rows
from cabinet.par.chart_search import ADVICE, Cells, learn_chart, play_of_best, play_of_cells, worth_of_play
from cabinet.par.play import play_best, set_table, sum_up

games = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def _return(rules: Rules, cells: Cells) -> float:
    table = set_table(rules)
    worth = worth_of_play(table, play_of_cells(table, cells), table.first_won, table.split_won)
    return float(table.opening.upcard @ sum_up(table.opening, worth))


@pytest.mark.sample(1)
@games
def test_no_chart_beats_best_play_and_the_best_one_comes_close(rules: Rules):
    best = play_best(set_table(rules))
    learned = learn_chart(set_table(rules), best)
    assert 0 < best.value - learned.value < 5e-5


@games
def test_best_play_as_a_way_of_playing_returns_the_best_return(rules: Rules):
    table = set_table(rules)
    best = play_best(table)
    worth = worth_of_play(table, play_of_best(table, best), table.first_won, table.split_won)
    assert table.opening.upcard @ sum_up(table.opening, worth) == pytest.approx(best.value, abs=1e-15)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_chart_improves_to_the_same_return(seed: int):
    table = set_table(EUROPEAN)
    best = play_best(table)
    random = np.random.default_rng(seed)
    anywhere = Cells(totals=random.integers(0, 4, (28, 10)), pairs=random.integers(0, 5, (10, 10)))

    assert learn_chart(table, best, anywhere).value == pytest.approx(learn_chart(table, best).value, abs=1e-15)


def test_no_single_cell_can_be_bettered():
    table = set_table(CLASSIC)
    learned = learn_chart(table, play_best(table))
    now = _return(CLASSIC, learned.cells)
    assert now == pytest.approx(learned.value, abs=1e-15)
    for cell in range(28):
        for code in range(4):
            totals = learned.cells.totals.copy()
            totals[cell] = code
            assert _return(CLASSIC, Cells(totals=totals, pairs=learned.cells.pairs)) <= now + 1e-14
    for pair in range(10):
        for code in range(5):
            pairs = learned.cells.pairs.copy()
            pairs[pair] = code
            assert _return(CLASSIC, Cells(totals=learned.cells.totals, pairs=pairs)) <= now + 1e-14


def test_the_chart_of_the_classic_game_is_the_one_in_every_book():
    chart = learn_chart(set_table(CLASSIC), play_best(set_table(CLASSIC))).chart
    hard, soft, pairs = (write_rows(rows) for rows in (chart.hard, chart.soft, chart.pairs))

    assert [hard[str(total)] for total in (8, 9, 10, 11)] == ["HHHHHHHHHH", "HHDDDDHHHH", "HDDDDDDDDH", "HDDDDDDDDD"]
    assert [hard[str(total)] for total in (12, 13, 16, 17)] == ["HHHSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH", "SSSSSSSSSS"]
    assert [soft[str(total)] for total in (13, 15, 17)] == ["HHHHDDHHHH", "HHHDDDHHHH", "HHDDDDHHHH"]
    assert [soft[str(total)] for total in (18, 19)] == ["HSddddSSHH", "SSSSSSSSSS"]
    assert [pairs[str(value)] for value in (1, 2, 4)] == ["PPPPPPPPPP", "HPPPPPPHHH", "HHHHPPHHHH"]
    assert [pairs[str(value)] for value in (5, 8, 9)] == ["HDDDDDDDDH", "PPPPPPPPPP", "SPPPPPSPPS"]
    assert pairs["10"] == "SSSSSSSSSS"


def test_without_a_hole_card_less_is_risked_against_ace_and_ten():
    chart = learn_chart(set_table(EUROPEAN), play_best(set_table(EUROPEAN))).chart

    assert chart.hard[11][9] is chart.hard[11][0] is Advice.HIT
    assert chart.pairs[8][9] is chart.pairs[8][0] is Advice.HIT
    assert chart.pairs[1][0] is Advice.HIT
    assert chart.pairs[1][9] is Advice.SPLIT


def test_pairs_that_may_not_be_split_follow_their_total():
    rules = vary(CLASSIC, splits_max=0)
    chart = learn_chart(set_table(rules), play_best(set_table(rules))).chart
    assert chart.pairs[8] == chart.hard[16]
    assert chart.pairs[5] == chart.hard[10]
    assert chart.pairs[1] == chart.soft[12]


def test_a_pair_is_worth_what_its_advice_is():
    table = set_table(CLASSIC)
    best = play_best(table)
    totals = learn_chart(table, best).cells.totals
    row = table.pairs[8]
    for advice, worth in (
        (Advice.STAND, table.first_won.stand[row]),
        (Advice.DOUBLE_OR_STAND, table.first_won.double[row]),
    ):
        play = play_of_cells(table, Cells(totals=totals, pairs=np.full((10, 10), ADVICE.index(advice))))
        assert worth_of_play(table, play, table.first_won, table.split_won)[row] == pytest.approx(worth)
