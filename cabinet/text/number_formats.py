"""The formats of amounts, numbers, percentages and dates in a language and the country of its money.

Rules: the formats are those of the Unicode CLDR. They are read through Babel once per language and currency and kept,
since every frame writes many amounts. An amount always has two decimals, a minus sign stands before everything, a date
names the month, and a time has 24 hours. Does not know the texts.
"""

from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel import Locale

MINUS: Final = "−"
_COUNTRIES: Final = {"USD": "US", "CAD": "CA", "AUD": "AU", "NZD": "NZ", "GBP": "GB", "CHF": "CH"}
"""The home country of each currency."""
_EURO: Final = {"en": "IE", "de": "DE", "fr": "FR", "es": "ES"}
"""A country of each language that pays in euro."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The signs before and after an amount, between its thousands and before its cents, and after a percentage."""

    before: str
    after: str
    thousands: str
    decimal: str
    percent: str

    def money(self, cents: int) -> str:
        """Returns an amount with two decimals and its currency: `$1,250.00`, `1.250,00 €`."""
        minus = MINUS if cents < 0 else ""
        return f"{minus}{self.before}{self.plain(abs(cents))}{self.after}"

    def plain(self, cents: int) -> str:
        """Returns an amount of at least 0 with two decimals and without its currency: `1,250.00`."""
        whole, part = divmod(cents, 100)
        return f"{self.count(whole)}{self.decimal}{part:02d}"

    def short_money(self, cents: int) -> str:
        """Returns an amount without decimals when it has no cents: `$100`, `2,50 €`."""
        return f"{MINUS if cents < 0 else ''}{self.before}{self.figures(abs(cents))}{self.after}"

    def figures(self, cents: int) -> str:
        """Returns an amount of at least 0 without its currency, as on a chip: `25`, `0.50`."""
        whole, part = divmod(cents, 100)
        return f"{self.count(whole)}{self.decimal}{part:02d}" if part else self.count(whole)

    def count(self, number: int) -> str:
        """Returns a whole number of at least 0 with its thousands marked."""
        return f"{number:,}".replace(",", self.thousands)

    def share(self, share: float) -> str:
        """Returns a share of one as a percentage with two decimals: `99.54%`, `99,54 %`."""
        return f"{100 * share:.2f}".replace(".", self.decimal) + self.percent


@lru_cache
def style_of(code: str, currency: str) -> Style:
    """Returns the format of a currency's amounts in the language of these two letters."""
    from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol

    locale = _locale(code, currency)
    # The program shows one currency only, so a dollar needs no country: the home country's sign serves.
    sign = get_currency_symbol(currency, _locale("en", currency))
    before, after = _around(locale.currency_formats["standard"])
    _, percent = _around(locale.percent_formats[None])
    return Style(
        before=before.replace("¤", sign),
        after=after.replace("¤", sign),
        thousands=get_group_symbol(locale),
        decimal=get_decimal_symbol(locale),
        percent=percent,
    )


def _around(pattern: object) -> tuple[str, str]:
    """Returns the texts before and after the figures in the positive part of a Babel pattern."""
    return pattern.prefix[0], pattern.suffix[0]  # type: ignore[attr-defined]  # Babel names no type for its patterns


def _locale(code: str, currency: str) -> "Locale":
    """Returns the language in the currency's country if it is spoken there, else the language alone."""
    from babel import Locale, localedata

    country = _EURO.get(code, "") if currency == "EUR" else _COUNTRIES.get(currency, "")
    name = f"{code}_{country}"
    return Locale.parse(name if localedata.exists(name) else code)


def date_of(code: str, currency: str, wall: datetime) -> str:
    """Returns an unambiguous date: `5 March 2031`, `5. März 2031`."""
    return _date(code, currency, wall.date())


@lru_cache(maxsize=8)
def _date(code: str, currency: str, day: date) -> str:
    from babel.dates import format_date

    return format_date(day, format="long", locale=_locale(code, currency))


def time_of(wall: datetime) -> str:
    """Returns the time of day on a 24-hour clock, `14:32`."""
    return f"{wall:%H:%M}"
