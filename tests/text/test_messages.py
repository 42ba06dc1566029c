"""Texts in each language, and its formats of amounts, dates and times."""

import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.engine.rules import EUROPEAN, GAMES, vary
from cabinet.text.messages import ENGLISH, LANGUAGES, Key, Language, Words, sentence

WORDS = Words()
GERMAN = Words(language=LANGUAGES["de"], currency="EUR")
WALL = datetime(2031, 3, 5, 9, 7)  # noqa: DTZ001 - what a wall clock shows
languages = pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)


def test_there_are_four_languages_and_english_is_the_first():
    assert list(LANGUAGES) == ["en", "de", "fr", "es"]
    assert next(iter(LANGUAGES.values())) == ENGLISH


def test_a_text_is_filled_in():
    assert WORDS.say(Key.YOU_WIN, amount="$25.00") == "You win $25.00!"
    assert GERMAN.say(Key.PRESS_DEAL) == "Zum Start GEBEN drücken"


def test_a_missing_part_raises_an_error():
    with pytest.raises(KeyError):
        WORDS.say(Key.YOU_WIN)


@pytest.mark.parametrize(
    ("code", "none", "one", "many"),
    [
        ("en", "0 credits", "1 credit", "1,000 credits"),
        ("de", "0 Kredite", "1 Kredit", "1.000 Kredite"),
        ("fr", "0 crédit", "1 crédit", "1\u202f000 crédits"),
        ("es", "0 créditos", "1 crédito", "1.000 créditos"),
    ],
)
def test_a_count_takes_the_plural_form_of_its_language(code: str, none: str, one: str, many: str):
    words = Words(language=LANGUAGES[code], currency="EUR")
    assert [words.say_count(Key.CREDITS, count) for count in (0, 1, 1000)] == [none, one, many]


def test_small_numbers_are_words_and_begin_a_sentence_with_a_capital():
    assert WORDS.number(12) == "twelve"
    assert WORDS.number(13) == "13"
    assert GERMAN.say_count(Key.TABLE_DECKS, 6).startswith("Sechs Kartenspiele")
    assert sentence("") == ""


@languages
def test_lists_of_names_are_complete(language: Language):
    words = Words(language=language)
    assert len(words.say(Key.NUMBERS).split("|")) == 13
    assert len(words.say(Key.HAND_NAMES).split("|")) == 4
    assert len(words.say(Key.UPCARD_NAMES).split("|")) == 10
    assert words.listed(Key.UPCARD_NAMES, 9) == words.say(Key.UPCARD_NAMES).rpartition("|")[2]


@languages
def test_the_pieces_of_advice_on_a_chart_have_signs_of_their_own(language: Language):
    words = Words(language=language)
    signs = [words.listed(key, 0) for key in Key if key.name.startswith("CHART_")]
    assert len(set(signs)) == len(signs) == 5
    assert all(len(sign) <= 2 for sign in signs)


@languages
def test_no_two_buttons_share_a_name(language: Language):
    words = Words(language=language)
    names = [words.say(key) for key in Key if key.name.startswith("BUTTON_")]
    assert len(set(names)) == len(names) == 12


def test_games_as_delivered_have_a_name_in_the_catalogue_and_others_keep_theirs():
    assert [WORDS.title(rules) for rules in GAMES.values()] == [rules.title for rules in GAMES.values()]
    assert WORDS.title(vary(EUROPEAN, title="House Blackjack")) == "House Blackjack"
    assert WORDS.title(vary(EUROPEAN, game_id="house")) == EUROPEAN.title


def test_a_payoff_is_shown_as_a_ratio():
    assert [Words(language=language).ratio((3, 2)) for language in LANGUAGES.values()] == [
        "3 to 2",
        "3 zu 2",
        "3 pour 2",
        "3 a 2",
    ]


# --- figures --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PD-05")
@pytest.mark.parametrize(("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (125_000, "$1,250.00"), (-5_000, "−$50.00")])
def test_amounts_are_written_with_two_decimals(cents: int, text: str):
    assert WORDS.money(cents) == text


@languages
@given(cents=st.integers(-(10**9), 10**9))
def test_an_amount_can_be_read_back(language: Language, cents: int):
    words = Words(language=language, currency="EUR")
    digits = re.sub(r"[^0-9]", "", words.money(cents))
    assert int(digits) == abs(cents)
    assert words.signed(cents).startswith("+" if cents >= 0 else "−")


def test_short_amounts_leave_out_empty_decimals():
    assert [WORDS.short_money(cents) for cents in (100, 250, 100_000)] == ["$1", "$2.50", "$1,000"]
    assert [GERMAN.short_money(cents) for cents in (100, 250, 100_000)] == ["1\xa0€", "2,50\xa0€", "1.000\xa0€"]
    assert [WORDS.chip(cents) for cents in (50, 2_500)] == ["0.50", "25"]
    assert WORDS.count(44_000) == "44,000"


@pytest.mark.requirement("PD-25")
@pytest.mark.parametrize(
    ("code", "date"),
    [("en", "March 5, 2031"), ("de", "5. März 2031"), ("fr", "5 mars 2031"), ("es", "5 de marzo de 2031")],
)
def test_dates_name_the_month_and_times_have_24_hours(code: str, date: str):
    words = Words(language=LANGUAGES[code])
    assert words.date(WALL) == date
    assert words.clock(WALL) == "09:07"
    assert words.clock(WALL.replace(hour=21)) == "21:07"


def test_a_return_is_a_percentage_with_two_decimals():
    assert WORDS.percent(0.99543) == "99.54%"
    assert GERMAN.percent(0.99543) == "99,54\xa0%"
