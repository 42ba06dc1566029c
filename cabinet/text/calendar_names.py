"""The names of months and days in a language, from the Unicode CLDR. Does not know who reads them."""

from datetime import date
from functools import lru_cache


@lru_cache(maxsize=512)
def month_and_year(day: date, language: str) -> str:
    """Returns the month of a day: `December 2026`."""
    return _formatted(day, "LLLL y", language)


@lru_cache(maxsize=512)
def weekday_and_day(day: date, language: str) -> str:
    """Returns the weekday and the number of a day: `Tuesday 1`."""
    return _formatted(day, "EEEE d", language)


def _formatted(day: date, pattern: str, language: str) -> str:
    # Babel takes as long to import as the rest of the texts; commands without a screen do without it.
    from babel.dates import format_date

    return format_date(day, pattern, locale=language)
