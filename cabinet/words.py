"""Amounts of money as people read them: in words and in digits, in English. Pure.

Rules:
- both parts are always written ("AND NO CENTS"), so that nothing can be added to a printed amount;
- only currencies of a hundredth part are known; asking for another is our own mistake and raises ValueError.
"""

from dataclasses import dataclass

_SMALL = (  # noqa: SIM905 - a table of words reads best as a line of words
    "ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN "
    "EIGHTEEN NINETEEN"
).split()
_TENS = ("-", "-", "TWENTY", "THIRTY", "FORTY", "FIFTY", "SIXTY", "SEVENTY", "EIGHTY", "NINETY")
_GROUPS = ("", " THOUSAND", " MILLION", " BILLION", " TRILLION")
_TOO_MUCH_CENTS = 10**17


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrencyNames:
    """How a currency and its hundredth part are called, and the sign before digits."""

    one: str
    many: str
    one_part: str
    many_parts: str
    sign: str


_DOLLARS = CurrencyNames(one="DOLLAR", many="DOLLARS", one_part="CENT", many_parts="CENTS", sign="$")
CURRENCIES: dict[str, CurrencyNames] = {
    "USD": _DOLLARS,
    "CAD": _DOLLARS,
    "AUD": _DOLLARS,
    "NZD": _DOLLARS,
    "EUR": CurrencyNames(one="EURO", many="EUROS", one_part="CENT", many_parts="CENTS", sign="\u20ac"),
    "GBP": CurrencyNames(one="POUND", many="POUNDS", one_part="PENNY", many_parts="PENCE", sign="\u00a3"),
    "CHF": CurrencyNames(one="FRANC", many="FRANCS", one_part="CENTIME", many_parts="CENTIMES", sign="CHF "),
}


def amount_in_words(cents: int, currency: str) -> str:
    """An amount such as "ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS".

    Raises ValueError for a negative amount, one of a thousand trillion or more, or an unknown currency.
    """
    names = _look_up(cents, currency)
    whole, part = divmod(cents, 100)
    return (
        f"{_count(whole)} {names.one if whole == 1 else names.many} AND "
        f"{_count(part)} {names.one_part if part == 1 else names.many_parts}"
    )


def amount_in_digits(cents: int, currency: str) -> str:
    """An amount such as "$1,134.50"; errors as in `amount_in_words`."""
    return f"{_look_up(cents, currency).sign}{_figures(cents)}"


def amount_with_code(cents: int, currency: str) -> str:
    """An amount such as "EUR 1,134.50", in letters that every printer has; errors as in `amount_in_words`."""
    _look_up(cents, currency)
    return f"{currency} {_figures(cents)}"


def _figures(cents: int) -> str:
    whole, part = divmod(cents, 100)
    return f"{whole:,}.{part:02d}"


def _look_up(cents: int, currency: str) -> CurrencyNames:
    if not 0 <= cents < _TOO_MUCH_CENTS:
        raise ValueError(f"an amount must be from 0 to below {_TOO_MUCH_CENTS} cents, not {cents}")
    if currency not in CURRENCIES:
        raise ValueError(f"no names for the currency {currency!r}; known are {', '.join(CURRENCIES)}")
    return CURRENCIES[currency]


def _count(number: int) -> str:
    return _spell(number) if number else "NO"


def _spell(number: int) -> str:
    groups: list[str] = []
    for name in _GROUPS:
        number, group = divmod(number, 1000)
        if group:
            groups.insert(0, _spell_group(group) + name)
    return " ".join(groups)


def _spell_group(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_SMALL[hundreds]} HUNDRED"] if hundreds else []
    if rest:
        words.append(_spell_rest(rest))
    return " ".join(words)


def _spell_rest(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]
