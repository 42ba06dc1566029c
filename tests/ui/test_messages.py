"""The catalogue is whole, and amounts, dates and times are written one way."""

import re
import string
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.ui.messages import CATALOGUES, Key, Language, MoneyStyle, Words

WORDS = Words()
WALL = datetime(2031, 3, 5, 9, 7)  # noqa: DTZ001 - what a wall clock shows
MAY_EXCLAIM = {Key.YOU_WIN, Key.LARGE_WIN_TITLE}


def parts(text: str) -> set[str]:
    """The names a text wants filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", Language)
def test_every_language_has_every_key_with_the_same_parts(language: Language):
    catalogue, english = CATALOGUES[language], CATALOGUES[Language.EN]
    assert set(catalogue) == set(Key)
    assert {key: parts(text) for key, text in catalogue.items()} == {k: parts(t) for k, t in english.items()}


@pytest.mark.parametrize("language", Language)
def test_only_a_real_win_has_an_exclamation_mark(language: Language):
    assert {key for key, text in CATALOGUES[language].items() if "!" in text} <= MAY_EXCLAIM


@pytest.mark.parametrize("language", Language)
def test_nothing_speaks_of_a_full_cash_box(language: Language):
    told = " ".join(CATALOGUES[language].values()).lower()
    assert not re.search(r"cash ?box|stacker|full", told)


def test_lists_of_names_are_complete():
    assert len(WORDS.say(Key.MONTHS).split()) == 12
    assert len(WORDS.say(Key.HAND_NAMES).split()) == 4
    assert len(WORDS.say(Key.UPCARD_NAMES).split("|")) == 10


def test_a_part_that_is_missing_is_a_mistake():
    with pytest.raises(KeyError):
        WORDS.say(Key.YOU_WIN)


@pytest.mark.requirement("PD-05")
@pytest.mark.parametrize(("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (125_000, "$1,250.00"), (-5_000, "−$50.00")])
def test_amounts_are_written_with_two_decimals(cents: int, text: str):
    assert WORDS.money(cents) == text


@given(cents=st.integers(-(10**9), 10**9))
def test_an_amount_can_be_read_back(cents: int):
    digits = re.sub(r"[^0-9]", "", WORDS.money(cents))
    assert int(digits) == abs(cents)
    assert WORDS.signed(cents).startswith("+" if cents >= 0 else "−")


def test_short_amounts_leave_out_empty_decimals():
    assert [WORDS.short_money(cents) for cents in (100, 250, 100_000)] == ["$1", "$2.50", "$1,000"]
    assert [WORDS.chip(cents) for cents in (50, 2_500)] == ["0.50", "25"]
    assert WORDS.count(44_000) == "44,000"


def test_another_style_of_money_is_followed():
    words = Words(style=MoneyStyle(sign="€", thousands=".", decimal=","))
    assert words.money(125_050) == "€1.250,50"
    assert words.count(44_000) == "44.000"


@pytest.mark.requirement("PD-25")
def test_dates_name_the_month_and_times_have_24_hours():
    assert WORDS.date(WALL) == "5 March 2031"
    assert WORDS.clock(WALL) == "09:07"
    assert WORDS.clock(WALL.replace(hour=21)) == "21:07"
