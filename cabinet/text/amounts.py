"""Amounts of money in words, as on a cheque, in the languages of a ticket. Pure.

Rules:
- both parts are always written ("AND NO CENTS"), so that nothing can be added to a printed amount;
- a language without a table here is written in English;
- only currencies with a hundredth part are known; any other is a programming error and raises ValueError.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cabinet.text.spelling import Speller, english, french, german, spanish

_TOO_MUCH_CENTS = 10**17
_MILLION = 10**6

CURRENCIES: Mapping[str, str] = {
    "USD": "$",
    "CAD": "$",
    "AUD": "$",
    "NZD": "$",
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "CHF": "CHF ",
}
"""Each currency with the sign before English digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noun:
    one: str
    many: str
    feminine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tongue:
    """`nouns`: the currency's own and that of its hundredth part. `nothing` is the word for 0 when the speller's
    differs; `no_is_one`: zero takes the singular; `of` stands between whole millions and the noun."""

    spell: Speller
    joint: str
    nouns: Mapping[str, tuple[_Noun, _Noun]]
    nothing: str = ""
    no_is_one: bool = False
    of: str = ""
    of_vowel: str = ""


def _nouns(
    dollar: tuple[_Noun, _Noun], euro: tuple[_Noun, _Noun], pound: tuple[_Noun, _Noun], franc: tuple[_Noun, _Noun]
) -> Mapping[str, tuple[_Noun, _Noun]]:
    dollars = dict.fromkeys(("USD", "CAD", "AUD", "NZD"), dollar)
    return {**dollars, "EUR": euro, "GBP": pound, "CHF": franc}


def _noun(one: str, many: str = "", *, feminine: bool = False) -> _Noun:
    """Returns a noun; without `many` the plural is the same."""
    return _Noun(one=one, many=many or one, feminine=feminine)


_TONGUES: Mapping[str, _Tongue] = {
    "en": _Tongue(
        spell=english,
        joint=" AND ",
        nothing="NO",
        nouns=_nouns(
            (_noun("DOLLAR", "DOLLARS"), _noun("CENT", "CENTS")),
            (_noun("EURO", "EUROS"), _noun("CENT", "CENTS")),
            (_noun("POUND", "POUNDS"), _noun("PENNY", "PENCE")),
            (_noun("FRANC", "FRANCS"), _noun("CENTIME", "CENTIMES")),
        ),
    ),
    "de": _Tongue(
        spell=german,
        joint=" UND ",
        nouns=_nouns(
            (_noun("DOLLAR"), _noun("CENT")),
            (_noun("EURO"), _noun("CENT")),
            (_noun("PFUND"), _noun("PENNY", "PENCE")),
            (_noun("FRANKEN"), _noun("RAPPEN")),
        ),
    ),
    "fr": _Tongue(
        spell=french,
        joint=" ET ",
        no_is_one=True,
        of="DE ",
        of_vowel="D\u2019",
        nouns=_nouns(
            (_noun("DOLLAR", "DOLLARS"), _noun("CENT", "CENTS")),
            (_noun("EURO", "EUROS"), _noun("CENTIME", "CENTIMES")),
            (_noun("LIVRE", "LIVRES", feminine=True), _noun("PENNY", "PENCE")),
            (_noun("FRANC", "FRANCS"), _noun("CENTIME", "CENTIMES")),
        ),
    ),
    "es": _Tongue(
        spell=spanish,
        joint=" CON ",
        of="DE ",
        of_vowel="DE ",
        nouns=_nouns(
            (_noun("DÓLAR", "DÓLARES"), _noun("CENTAVO", "CENTAVOS")),
            (_noun("EURO", "EUROS"), _noun("CÉNTIMO", "CÉNTIMOS")),
            (_noun("LIBRA", "LIBRAS", feminine=True), _noun("PENIQUE", "PENIQUES")),
            (_noun("FRANCO", "FRANCOS"), _noun("CÉNTIMO", "CÉNTIMOS")),
        ),
    ),
}


def amount_in_words(cents: int, currency: str, language: str = "en") -> str:
    """Returns an amount such as "ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS".

    Raises ValueError for a negative amount, one of a thousand trillion or more, or an unknown currency.
    """
    check_amount(cents, currency)
    tongue = _TONGUES.get(language, _TONGUES["en"])
    noun, part_noun = tongue.nouns[currency]
    whole, part = divmod(cents, 100)
    return _count(tongue, whole, noun) + tongue.joint + _count(tongue, part, part_noun)


def check_amount(cents: int, currency: str) -> None:
    """Raises ValueError for an amount that cannot be written in words."""
    if not 0 <= cents < _TOO_MUCH_CENTS:
        raise ValueError(f"an amount must be from 0 to below {_TOO_MUCH_CENTS} cents, not {cents}")
    if currency not in CURRENCIES:
        raise ValueError(f"no names for the currency {currency!r}; known are {', '.join(CURRENCIES)}")


def _count(tongue: _Tongue, number: int, noun: _Noun) -> str:
    spelled = tongue.spell(number, feminine=noun.feminine) if number else tongue.nothing or tongue.spell(0)
    name = noun.one if number == 1 or (tongue.no_is_one and not number) else noun.many
    of = ""
    if number and number % _MILLION == 0:
        of = tongue.of_vowel if name[0] in "AEIOU" else tongue.of
    return f"{spelled} {of}{name}"
