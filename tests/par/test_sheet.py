"""What follows from a par sheet, and writing it down."""

import json
from dataclasses import replace

import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN
from cabinet.par.cache import cached_sheet
from cabinet.par.sheet import CONFIDENCES, ROUNDS, read_sheet, write_sheet

SHEET = cached_sheet(EUROPEAN, None)
PLAIN = replace(SHEET, ev_chart=-0.005, variance=1.44, covariance=0.5, average_stake=1.25)


def test_returns_are_what_is_left_of_a_bet():
    assert (SHEET.return_best, SHEET.return_chart) == (1 + SHEET.ev_best, 1 + SHEET.ev_chart)
    assert PLAIN.ev_per_staked == pytest.approx(-0.004)


def test_the_volatility_index_is_the_ninety_percent_width_of_one_round():
    assert PLAIN.deviation == pytest.approx(1.2)
    assert PLAIN.volatility_index == pytest.approx(1.6448536 * 1.2)
    assert SHEET.hit_frequency == SHEET.events.win


def test_places_of_one_round_add_their_covariances():
    assert PLAIN.variance_of_round(1) == pytest.approx(1.44)
    assert PLAIN.variance_of_round(5) == pytest.approx(5 * 1.44 + 20 * 0.5)


def test_a_band_lies_round_the_return_and_narrows_with_the_root_of_the_rounds():
    low, high = PLAIN.band(10_000, 0.95)
    assert (low + high) / 2 == pytest.approx(0.995)
    assert high - low == pytest.approx(2 * 1.959964 * 1.2 / 100)
    assert PLAIN.band(1_000_000, 0.95)[1] - 0.995 == pytest.approx((high - 0.995) / 10)


def test_a_surer_band_is_wider_and_several_places_narrow_it_less_than_as_many_rounds():
    widths = [PLAIN.band(ROUNDS[0], confidence)[1] for confidence in CONFIDENCES]
    assert widths == sorted(widths)
    assert PLAIN.band(5_000, 0.9)[1] < PLAIN.band(1_000, 0.9, places=5)[1] < PLAIN.band(1_000, 0.9)[1]


@pytest.mark.parametrize(("rounds", "confidence"), [(0, 0.9), (10, 0.0), (10, 1.0)])
def test_a_band_of_nothing_is_refused(rounds: int, confidence: float):
    with pytest.raises(ValueError, match="expected rounds from 1"):
        PLAIN.band(rounds, confidence)


def test_a_sheet_comes_back_from_plain_data():
    assert read_sheet(EUROPEAN, json.loads(json.dumps(write_sheet(SHEET)))) == SHEET


def test_a_sheet_is_read_for_the_rules_it_is_asked_for():
    assert read_sheet(CLASSIC, write_sheet(SHEET)).rules == CLASSIC


def test_the_distribution_is_that_of_the_figures():
    mean = sum(net * chance for net, chance in SHEET.distribution)
    assert sum(chance for _, chance in SHEET.distribution) == pytest.approx(1)
    assert mean == pytest.approx(SHEET.ev_chart, abs=1e-13)
    assert sum((net - mean) ** 2 * chance for net, chance in SHEET.distribution) == pytest.approx(SHEET.variance)
