"""The band of an actual return."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.books import RETURNS, SPREADS, desk

from cabinet.attendant.charts import BandRow, Tone
from cabinet.attendant.returns import SURE, half_band, return_row


def row(staked: int, paid: int, games: int, **changes: object) -> BandRow:
    return return_row(desk(**changes), "table", {"coin_in": staked, "coin_out": paid, "games_played": games})


def test_the_band_narrows_with_the_root_of_the_games():
    assert half_band(desk(), "table", 100) == pytest.approx(SURE * SPREADS["table"] / 10)
    assert half_band(desk(), "table", 10_000) == pytest.approx(SURE * SPREADS["table"] / 100)


def test_without_games_or_a_known_spread_there_is_no_band():
    assert half_band(desk(), "table", 0) is None
    assert half_band(desk(spreads={}), "table", 100) is None


@given(st.integers(1, 10**9), st.integers(0, 2 * 10**9), st.integers(1, 10**7))
def test_only_the_band_decides_whether_a_return_is_right(staked: int, paid: int, games: int):
    found = row(staked, paid, games)
    apart = abs(paid / staked - RETURNS["table"])
    assert (found.tone is Tone.WARN) == (apart > SURE * SPREADS["table"] / sqrt(games))


def test_a_return_far_off_after_five_games_is_in_its_band():
    found = row(5_000, 7_000, 5)
    assert (found.tone, found.words) == (Tone.OK, "140.00%, in its band")


def test_a_return_outside_its_band_says_on_which_side():
    assert row(1_000_000, 900_000, 10_000).words == "90.00%, below its band"
    assert row(1_000_000, 1_100_000, 10_000).words == "110.00%, above its band"


def test_the_detail_has_theory_band_and_games():
    assert row(1_000_000, 990_000, 10_000).detail == "Theory: 99.54% · band: 96.55% to 102.53% · games: 10,000"


def test_a_game_without_play_has_no_return():
    found = row(0, 0, 0)
    assert (found.actual, found.low, found.words, found.detail) == (
        None,
        None,
        "no game yet",
        "Theory: 99.54% · games: 0",
    )


def test_a_return_without_a_known_band_is_not_judged():
    assert row(1_000, 0, 5, spreads={}).words == "0.00%, band not known"


def test_a_band_never_begins_below_nothing():
    assert row(100, 0, 1).low == 0.0
