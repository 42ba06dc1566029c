"""The analysis against rounds dealt at random by a program that shares nothing with it but the chart."""

import numpy as np
import pytest
from support.dealt_rounds import Tables

from cabinet.engine.rules import CLASSIC, EUROPEAN, Rules, SplitBy, vary
from cabinet.par import ParSheet, analyse, cached_sheet

VARIED = vary(
    CLASSIC, decks=1, places_max=2, dealer_hits_soft_17=True, splits_max=2, split_by=SplitBy.RANK,
    double_after_split=False, resplit_aces=True, blackjack_pays=(6, 5),
)  # fmt: skip


def _off(values: np.ndarray, expected: float) -> float:
    """How many standard errors the mean of the values is away from what is expected."""
    return float(abs(values.mean() - expected) / (values.std() / np.sqrt(len(values))))


def _deal(rules: Rules, sheet: ParSheet, rounds: int) -> np.ndarray:
    return np.concatenate([Tables(rules, sheet.chart, rounds // 4, 2, seed).net for seed in range(4)])


@pytest.mark.sample(1)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize("rules", [EUROPEAN, CLASSIC, VARIED], ids=["european", "classic", "varied"])
def test_dealt_rounds_return_and_spread_as_the_sheet_says(rules: Rules):
    sheet = analyse(rules) if rules is VARIED else cached_sheet(rules, None)
    one, other = _deal(rules, sheet, 400_000).T

    assert _off(one, sheet.ev_chart) < 4
    assert _off(other, sheet.ev_chart) < 4
    assert _off((one - sheet.ev_chart) ** 2, sheet.variance) < 4
    assert _off((one - sheet.ev_chart) * (other - sheet.ev_chart), sheet.covariance) < 4
    assert _off(one > 0, sheet.hit_frequency) < 4
    assert _off(one == 0, sheet.events.push) < 4
