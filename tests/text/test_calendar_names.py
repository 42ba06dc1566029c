"""The names of months and days."""

from datetime import date

import pytest

from cabinet.text.calendar_names import month_and_year, weekday_and_day

DAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("language", "month", "weekday"),
    [
        ("en", "December 2026", "Tuesday 1"),
        ("de", "Dezember 2026", "Dienstag 1"),
        ("fr", "décembre 2026", "mardi 1"),
        ("es", "diciembre 2026", "martes 1"),
    ],
)
def test_a_day_has_its_names_in_the_language(language: str, month: str, weekday: str):
    assert (month_and_year(DAY, language), weekday_and_day(DAY, language)) == (month, weekday)
