"""The best chart: total-dependent play, improved one cell at a time until no change of a cell improves it.

A cell gathers all hands of one total and softness, whatever their cards, in the first hand and in split hands alike. No
hand meets the same cell twice, so changing one cell changes the return by exactly the sum over its hands of (how often
met) x (worth of the new action - worth of the old). For the chart found all these sums are losses. The module knows
cells and their gains, not how worths are computed.
"""

from dataclasses import dataclass

import numpy as np

from cabinet.par.chart import Advice, Chart
from cabinet.par.hands import Floats, Ints
from cabinet.par.play import Best, Table, pair_of_rows, sum_by_pair, sum_up
from cabinet.par.state_space import Field, Payoffs, Policy, reach_of, spread_policy, worth_of

ADVICE = (Advice.STAND, Advice.HIT, Advice.DOUBLE_OR_HIT, Advice.DOUBLE_OR_STAND, Advice.SPLIT)
"""Codes of advice in arrays are places in this tuple."""
STAND, HIT, DOUBLE_OR_HIT, DOUBLE_OR_STAND, SPLIT = range(5)
_HARD_ROWS = 18
_CELLS = 28
_CLEAR = 1e-14
"""A gain below this, in bets, is a rounding error of the sums."""
_TOGETHER = 4
"""Number of sweeps that change every cell at once; later ones change one cell per upcard, which cannot repeat a
chart."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Play:
    """A complete way of playing a table: first hands, split hands, and pairs that may be split."""

    first: Policy
    split: Policy
    pairs: Ints
    """Codes of advice by [pair column, upcard]; -1 plays the pair like any other first hand."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """A chart as codes of advice: by [cell, upcard] and by [pair column, upcard]."""

    totals: Ints
    pairs: Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned:
    """The best chart and what it returns."""

    chart: Chart
    cells: Cells
    play: Play
    value: float
    by_upcard: Floats


def learn_chart(table: Table, best: Best, start: Cells | None = None) -> Learned:
    """Returns the best chart, beginning with the cells of best play or with the given cells."""
    cells = start or _summarise(table, play_of_best(table, best))
    sweep = 0
    while True:
        sweep += 1
        total_gains, pair_gains = _gains(table, play_of_cells(table, cells))
        better = _improve(cells, total_gains, pair_gains, together=sweep <= _TOGETHER)
        if better is None:
            break
        cells = better
    play = play_of_cells(table, cells)
    by_upcard = sum_up(table.opening, worth_of_play(table, play, table.first_won, table.split_won))
    value = float(table.opening.upcard @ by_upcard)
    return Learned(chart=_as_chart(table, cells), cells=cells, play=play, value=value, by_upcard=by_upcard)


def play_of_best(table: Table, best: Best) -> Play:
    """Returns best play as a way of playing."""
    return Play(
        first=best.policy,
        split=spread_policy(table.first, best.policy, table.split),
        pairs=np.where(best.splits, SPLIT, -1),
    )


def play_of_cells(table: Table, cells: Cells) -> Play:
    """Returns a chart as a way of playing."""
    return Play(first=_obey(table.first, cells.totals), split=_obey(table.split, cells.totals), pairs=cells.pairs)


def worth_of_play(table: Table, play: Play, first: Payoffs, split: Payoffs) -> Floats:
    """Returns the worth of each first hand in these payoffs, over the cases that are played, by [row, upcard]."""
    worth, hit = worth_of(table.first, first, play.first)
    split_worth, _ = worth_of(table.split, split, play.split)
    splits = sum_by_pair(table, split_worth)
    result = worth.copy()
    for pair, row in table.pairs.items():
        codes = play.pairs[pair]
        options = np.stack([first.stand[row], hit[row], first.double[row], first.double[row], splits[pair], worth[row]])
        own = options[codes, np.arange(10)]
        share = table.share[pair]
        result[row] = share * own + (1 - share) * worth[row]
    return result


def starts_of_play(table: Table, play: Play) -> tuple[Floats, Floats]:
    """Returns how often play meets first hands, and split hands, by [row, upcard].

    A pair with separate advice is not among the first hands; if it is hit, the hands that follow are.
    """
    first = table.opening.chance * ~table.first.natural[:, None]
    split = np.zeros((table.split.size, 10))
    pairs = pair_of_rows(table.split)
    for pair, row in table.pairs.items():
        own = table.share[pair] * (play.pairs[pair] >= 0)
        met = first[row] * own
        first[row] -= met
        for card in range(10):
            after = table.first.after[row, card]
            if after < table.first.size:
                draw = table.first.draw(np.array([row]), card)[0]
                first[after] += met * (play.pairs[pair] == HIT) * draw
        rows = np.flatnonzero(pairs == pair)
        split[rows] = table.starts[rows] * met * (play.pairs[pair] == SPLIT)
    return first, split


def _obey(field: Field, totals: Ints) -> Policy:
    codes = totals[_cell_of(field)]
    return Policy(
        hit=((codes == HIT) | (codes == DOUBLE_OR_HIT)) & field.may_hit[:, None],
        double=(codes >= DOUBLE_OR_HIT) & field.may_double[:, None],
    )


def _cell_of(field: Field) -> Ints:
    points, soft = field.hands.points[field.hand], field.hands.soft[field.hand]
    return np.where(soft, _HARD_ROWS + points - 12, np.maximum(points - 4, 0))


def _summarise(table: Table, play: Play) -> Cells:
    """Returns the chart nearest to a way of playing: in each cell the advice with the highest worth over its hands."""
    total_gains, pair_gains = _gains(table, play)
    return Cells(totals=total_gains.argmax(axis=0), pairs=pair_gains.argmax(axis=0))


def _gains(table: Table, play: Play) -> tuple[Floats, Floats]:
    """Returns the worth of each advice, summed over the hands met: by [advice, cell, upcard] and [advice, pair,
    upcard]."""
    first_met, split_met = starts_of_play(table, play)
    first, _ = _options(table.first, table.first_won, play.first)
    split, split_worth = _options(table.split, table.split_won, play.split)
    met = reach_of(table.first, first_met, play.first)
    totals = _by_cell(table.first, met * first)
    totals += _by_cell(table.split, reach_of(table.split, split_met, play.split) * split)
    unmet = _by_cell(table.first, met[None])[0] <= 0
    totals = np.where(unmet, _by_cell(table.first, first), totals)
    totals = np.concatenate([totals, np.full((1, _CELLS, 10), -np.inf)])
    splits = sum_by_pair(table, split_worth)
    pairs = np.full((5, 10, 10), -np.inf)
    pairs[STAND] = 0
    for pair, row in table.pairs.items():
        weight = table.opening.chance[row] * table.share[pair]
        pairs[:SPLIT, pair] = weight * first[:, row]
        pairs[SPLIT, pair] = np.where(weight > 0, weight * splits[pair], -np.inf)
    return totals, pairs


def _options(field: Field, won: Payoffs, policy: Policy) -> tuple[Floats, Floats]:
    """Returns the worth of each advice on a total, by [advice, row, upcard], and the worth under the policy."""
    worth, hit = worth_of(field, won, policy)
    hit = np.where(field.may_hit[:, None], hit, won.stand)
    double = field.may_double[:, None]
    options = [won.stand, hit, np.where(double, won.double, hit), np.where(double, won.double, won.stand)]
    return np.stack(options), worth


def _by_cell(field: Field, worths: Floats) -> Floats:
    """Returns the sums of [advice, row, upcard] over the rows of each cell."""
    member = np.zeros((_CELLS, field.size))
    member[_cell_of(field), np.arange(field.size)] = 1
    return np.stack([member @ worth for worth in worths])


def _improve(cells: Cells, total_gains: Floats, pair_gains: Floats, *, together: bool) -> Cells | None:
    """Returns the cells with better advice; None if no change is an improvement."""
    codes = np.concatenate([cells.totals, cells.pairs])
    worths = np.concatenate([total_gains, pair_gains], axis=1)
    now = np.take_along_axis(worths, codes[None], axis=0)[0]
    gains = worths.max(axis=0) - now
    change = gains > _CLEAR
    if not change.any():
        return None
    if not together:
        change &= gains == gains.max(axis=0)
    codes = np.where(change, worths.argmax(axis=0), codes)
    return Cells(totals=codes[:_CELLS], pairs=codes[_CELLS:])


def _as_chart(table: Table, cells: Cells) -> Chart:
    def rows(codes: Ints, first: int) -> dict[int, tuple[Advice, ...]]:
        return {first + index: tuple(ADVICE[code] for code in row) for index, row in enumerate(codes)}

    hard, soft = rows(cells.totals[:_HARD_ROWS], 4), rows(cells.totals[_HARD_ROWS:], 12)
    pairs = {
        pair: row if table.share[pair - 1].any() else soft[12] if pair == 1 else hard[2 * pair]
        for pair, row in rows(cells.pairs, 1).items()
    }
    return Chart(hard=hard, soft=soft, pairs=pairs)
