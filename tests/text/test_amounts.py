"""Amounts in words, read back by an independent reader."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.text.amounts import CURRENCIES, amount_in_words
from cabinet.text.messages import LANGUAGES

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


@pytest.mark.requirement("TP-01")
@pytest.mark.parametrize(
    ("language", "cents", "currency", "words"),
    [
        ("de", 13_450, "EUR", "EINHUNDERTVIERUNDDREISSIG EURO UND FÜNFZIG CENT"),
        ("de", 0, "CHF", "NULL FRANKEN UND NULL RAPPEN"),
        ("de", 101, "GBP", "EIN PFUND UND EIN PENNY"),
        ("fr", 13_450, "EUR", "CENT TRENTE-QUATRE EUROS ET CINQUANTE CENTIMES"),
        ("fr", 0, "USD", "ZÉRO DOLLAR ET ZÉRO CENT"),
        ("fr", 2_100, "GBP", "VINGT ET UNE LIVRES ET ZÉRO PENNY"),
        ("fr", 200_000_000, "EUR", "DEUX MILLIONS D\u2019EUROS ET ZÉRO CENTIME"),
        ("fr", 200_000_000, "CHF", "DEUX MILLIONS DE FRANCS ET ZÉRO CENTIME"),
        ("es", 13_450, "USD", "CIENTO TREINTA Y CUATRO DÓLARES CON CINCUENTA CENTAVOS"),
        ("es", 2_101, "EUR", "VEINTIÚN EUROS CON UN CÉNTIMO"),
        ("es", 20_100, "GBP", "DOSCIENTAS UNA LIBRAS CON CERO PENIQUES"),
        ("es", 100_000_000, "EUR", "UN MILLÓN DE EUROS CON CERO CÉNTIMOS"),
        ("pt", 100, "EUR", "ONE EURO AND NO CENTS"),
    ],
)
def test_other_languages_write_them_as_on_a_cheque(language: str, cents: int, currency: str, words: str) -> None:
    assert amount_in_words(cents, currency, language) == words


def test_every_language_of_the_screen_has_words_for_every_currency() -> None:
    for currency in CURRENCIES:
        assert len({amount_in_words(2_102, currency, language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("cents", [-1, 10**17])
def test_an_impossible_amount_is_refused(cents: int) -> None:
    with pytest.raises(ValueError, match="from 0 to below"):
        amount_in_words(cents, "USD")


def test_an_unknown_currency_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'XYZ'; known are USD, CAD, AUD, NZD, EUR, GBP, CHF"):
        amount_in_words(1, "XYZ")
