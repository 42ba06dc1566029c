"""Amounts and dates equal Babel's, only quicker."""

from datetime import datetime
from decimal import Decimal

import pytest
from babel.numbers import format_currency
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case

from cabinet.text.amounts import CURRENCIES
from cabinet.text.number_formats import date_of, style_of, time_of

WALL = datetime(2031, 3, 5, 21, 7)  # noqa: DTZ001 - what a wall clock shows
HOMES = {
    ("en", "USD"): "en_US",
    ("en", "AUD"): "en_AU",
    ("en", "EUR"): "en_IE",
    ("de", "EUR"): "de_DE",
    ("de", "CHF"): "de_CH",
    ("fr", "EUR"): "fr_FR",
    ("fr", "CAD"): "fr_CA",
    ("fr", "CHF"): "fr_CH",
    ("es", "EUR"): "es_ES",
    ("es", "USD"): "es_US",
}
"""Language and currency -> a country that uses both."""


@pytest.mark.parametrize(("home", "locale"), HOMES.items(), ids=HOMES.values())
@given(cents=st.integers(0, 99_999_999))
def test_an_amount_at_home_is_written_as_babel_does(home: tuple[str, str], locale: str, cents: int):
    # Below a million: Babel reads the two apostrophes of a Swiss million as quotation marks and drops them.
    amount = Decimal(cents) / 100
    assert style_of(*home).money(cents) == format_currency(amount, home[1], locale=locale)


def test_every_currency_is_written_in_every_language_with_its_sign_and_two_decimals():
    for currency in CURRENCIES:
        for code in ["en", "de", "fr", "es"]:
            with case(currency=currency, code=code):
                style = style_of(code, currency)
                text = style.money(125_050)
                assert CURRENCIES[currency].strip() in text
                assert f"250{style.decimal}50" in text
                assert style.decimal != style.thousands
                assert not text[0].isspace()
                assert not text[-1].isspace()


@pytest.mark.parametrize(
    ("code", "currency", "text"),
    [("de", "USD", "1.250,50\xa0$"), ("fr", "AUD", "1\u202f250,50\xa0$"), ("de", "GBP", "1.250,50\xa0£")],
)
def test_a_language_far_from_its_money_keeps_its_customs_and_the_plain_sign(code: str, currency: str, text: str):
    assert style_of(code, currency).money(125_050) == text


@pytest.mark.parametrize(
    ("code", "currency", "text"),
    [("en", "USD", "$1,000,000.00"), ("de", "EUR", "1.000.000,00\xa0€"), ("fr", "EUR", "1\u202f000\u202f000,00\xa0€")],
)
def test_millions_are_marked_twice(code: str, currency: str, text: str):
    assert style_of(code, currency).money(100_000_000) == text


def test_a_minus_sign_stands_before_everything():
    assert style_of("en", "USD").money(-5) == "−$0.05"
    assert style_of("de", "EUR").money(-125_050) == "−1.250,50\xa0€"
    assert style_of("de", "CHF").short_money(-500) == "−CHF\xa05"


def test_dates_follow_the_country_and_times_have_24_hours():
    assert date_of("en", "USD", WALL) == "March 5, 2031"
    assert date_of("en", "GBP", WALL) == "5 March 2031"
    assert date_of("de", "EUR", WALL) == "5. März 2031"
    assert time_of(WALL) == "21:07"
