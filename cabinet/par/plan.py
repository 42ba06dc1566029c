"""Ways of playing, hand by hand: best play as a list of hands, and the return of any chart.

The module converts between arrays of the analysis and advice. It does not know how play is improved.
"""

import numpy as np

from cabinet.engine.rules import Rules
from cabinet.par.chart import Advice, BestPlay, Chart, Row
from cabinet.par.chart_search import ADVICE, Cells, play_of_cells, worth_of_play
from cabinet.par.hands import VALUES, Ints, Pack
from cabinet.par.play import play_best, set_table, sum_up
from cabinet.par.state_space import Policy


def list_best_play(rules: Rules, pack: Pack | None = None) -> BestPlay:
    """Returns the best play of the rules, with all decks or another pack."""
    table = set_table(rules, pack)
    best = play_best(table)
    counts = table.first.hands.counts[table.first.hand].tolist()
    codes = _advice_of(best.policy).tolist()
    return BestPlay(
        hands={_cards(count): tuple(ADVICE[code] for code in row) for count, row in zip(counts, codes, strict=True)},
        splits={pair + 1: tuple(row) for pair, row in enumerate(best.splits.tolist())},
    )


def value_of_chart(rules: Rules, chart: Chart, pack: Pack | None = None) -> float:
    """Returns the mean net result of play by a chart, in original bets. Raises KeyError for a chart that lacks a
    row."""
    table = set_table(rules, pack)
    totals = [chart.hard[total] for total in range(4, 22)] + [chart.soft[total] for total in range(12, 22)]
    cells = Cells(totals=_codes(totals), pairs=_codes([chart.pairs[value] for value in VALUES]))
    worth = worth_of_play(table, play_of_cells(table, cells), table.first_won, table.split_won)
    return float(table.opening.upcard @ sum_up(table.opening, worth))


def _advice_of(policy: Policy) -> Ints:
    """Returns codes of advice by [row, upcard]; a double has its alternative where it is not allowed."""
    plain = np.where(policy.hit, ADVICE.index(Advice.HIT), ADVICE.index(Advice.STAND))
    double = np.where(policy.hit, ADVICE.index(Advice.DOUBLE_OR_HIT), ADVICE.index(Advice.DOUBLE_OR_STAND))
    return np.where(policy.double, double, plain)


def _cards(counts: list[int]) -> tuple[int, ...]:
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))


def _codes(rows: list[Row]) -> Ints:
    return np.array([[ADVICE.index(cell) for cell in row] for row in rows])
