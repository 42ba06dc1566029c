"""The coach: worths of actions, kept."""

from pathlib import Path

import pytest

from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, vary
from cabinet.par import value_of_hand
from cabinet.par.coach import make_coach


@pytest.mark.parametrize("values", [(10, 6), (1, 7), (8, 8), (2, 3, 4, 5)], ids=str)
def test_the_coach_says_what_the_analysis_says(values: tuple[int, ...], tmp_path: Path):
    worths = make_coach(EUROPEAN, tmp_path).worths_of(values, 9)

    assert worths == pytest.approx(value_of_hand(EUROPEAN, values, 9), abs=1e-6)


def test_the_order_of_the_cards_does_not_matter(tmp_path: Path):
    coach = make_coach(TABLE, tmp_path)

    assert coach.worths_of((2, 9, 5), 4) == coach.worths_of((9, 5, 2), 4) != {}


def test_a_bust_hand_has_no_worths(tmp_path: Path):
    assert make_coach(TABLE, tmp_path).worths_of((10, 9, 5), 4) == {}


def test_21_that_is_no_blackjack_is_worth_what_standing_is(tmp_path: Path):
    """Ace and ten after a split are 21: they do not pay three to two."""
    assert make_coach(CLASSIC, tmp_path).worths_of((1, 10), 5)[Action.STAND] < 1


def test_insurance_loses_the_more_the_more_tens_are_in_the_hand(tmp_path: Path):
    coach = make_coach(CLASSIC, tmp_path)

    assert coach.insurance_worth((5, 6)) == pytest.approx(96 / 309 * 2 - 213 / 309)
    assert coach.insurance_worth((10, 10)) == pytest.approx(94 / 309 * 2 - 215 / 309)


def test_what_was_computed_is_kept_and_read_again(tmp_path: Path):
    computed = make_coach(CLASSIC, tmp_path)
    (kept,) = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns

    read = make_coach(CLASSIC, tmp_path)

    assert kept.stat().st_mtime_ns == written
    assert read.worths_of((10, 6), 10) == computed.worths_of((10, 6), 10)


def test_other_rules_have_a_coach_of_their_own(tmp_path: Path):
    soft = vary(CLASSIC, dealer_hits_soft_17=True)

    assert make_coach(CLASSIC, tmp_path).worths_of((1, 7), 2) != make_coach(soft, tmp_path).worths_of((1, 7), 2)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nothing", b"no archive at all"], ids=["empty", "cut", "other"])
def test_a_damaged_file_is_computed_anew(damage: bytes, tmp_path: Path):
    make_coach(CLASSIC, tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(damage)

    assert make_coach(CLASSIC, tmp_path).worths_of((10, 6), 10)
    assert kept.stat().st_size > 10_000
