"""Amounts in words, read back by an independent reader."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.words import CURRENCIES, amount_in_digits, amount_in_words, amount_with_code

VALUES = {
    **{
        word: value
        for value, word in enumerate(
            ["NO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN"]
        )
    },
    **dict(
        zip(
            ["TWELVE", "THIRTEEN", "FOURTEEN", "FIFTEEN", "SIXTEEN", "SEVENTEEN", "EIGHTEEN", "NINETEEN"],
            range(12, 20),
            strict=True,
        )
    ),
    **dict(
        zip(
            ["TWENTY", "THIRTY", "FORTY", "FIFTY", "SIXTY", "SEVENTY", "EIGHTY", "NINETY"],
            range(20, 100, 10),
            strict=True,
        )
    ),
}
SCALES = {"THOUSAND": 10**3, "MILLION": 10**6, "BILLION": 10**9, "TRILLION": 10**12}


def read_number(words: str) -> int:
    total = group = 0
    for word in re.split("[ -]", words):
        if word == "HUNDRED":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
        else:
            group += VALUES[word]
    return total + group


def read_amount(words: str) -> int:
    whole, part = words.split(" AND ")
    return read_number(whole.rsplit(" ", 1)[0]) * 100 + read_number(part.rsplit(" ", 1)[0])


@pytest.mark.requirement("TP-01")
def test_an_amount_with_its_code_is_plain_ascii_in_every_currency() -> None:
    assert amount_with_code(12_345, "EUR") == "EUR 123.45"
    for currency in CURRENCIES:
        assert amount_with_code(123_456_705, currency) == f"{currency} 1,234,567.05"


@pytest.mark.requirement("TP-01")
@pytest.mark.parametrize(
    ("cents", "currency", "words"),
    [
        (13450, "USD", "ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS"),
        (0, "USD", "NO DOLLARS AND NO CENTS"),
        (1, "EUR", "NO EUROS AND ONE CENT"),
        (101, "GBP", "ONE POUND AND ONE PENNY"),
        (2002, "GBP", "TWENTY POUNDS AND TWO PENCE"),
        (100_00, "CHF", "ONE HUNDRED FRANCS AND NO CENTIMES"),
        (1_000_17, "AUD", "ONE THOUSAND DOLLARS AND SEVENTEEN CENTS"),
        (1_000_001_00, "NZD", "ONE MILLION ONE DOLLARS AND NO CENTS"),
        (999_999_99, "CAD", "NINE HUNDRED NINETY-NINE THOUSAND NINE HUNDRED NINETY-NINE DOLLARS AND NINETY-NINE CENTS"),
        (10**10, "USD", "ONE HUNDRED MILLION DOLLARS AND NO CENTS"),
    ],
)
def test_amounts_read_as_people_write_them(cents: int, currency: str, words: str) -> None:
    assert amount_in_words(cents, currency) == words


def test_every_amount_up_to_two_thousand_reads_back() -> None:
    for cents in range(200_000):
        assert read_amount(amount_in_words(cents, "USD")) == cents


@given(st.integers(0, 10**10), st.sampled_from(sorted(CURRENCIES)))
def test_any_amount_up_to_ten_thousand_million_cents_reads_back(cents: int, currency: str) -> None:
    words = amount_in_words(cents, currency)
    assert read_amount(words) == cents
    assert words == words.upper()


@given(st.integers(0, 10**17 - 1))
def test_the_largest_amounts_read_back_too(cents: int) -> None:
    assert read_amount(amount_in_words(cents, "EUR")) == cents


@pytest.mark.parametrize(
    ("cents", "currency", "digits"),
    [(13450, "USD", "$134.50"), (5, "EUR", "€0.05"), (123456789, "GBP", "£1,234,567.89"), (100, "CHF", "CHF 1.00")],
)
def test_amounts_in_digits_carry_sign_and_two_places(cents: int, currency: str, digits: str) -> None:
    assert amount_in_digits(cents, currency) == digits


@pytest.mark.parametrize("cents", [-1, 10**17])
def test_an_impossible_amount_is_refused(cents: int) -> None:
    with pytest.raises(ValueError, match="from 0 to below"):
        amount_in_words(cents, "USD")


def test_an_unknown_currency_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'XYZ'; known are USD, CAD, AUD, NZD, EUR, GBP, CHF"):
        amount_in_digits(1, "XYZ")
