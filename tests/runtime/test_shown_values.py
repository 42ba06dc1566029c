"""How times are shown."""

from datetime import datetime

from cabinet.runtime.shown_values import day, when

NOON_MS = int(datetime(2026, 12, 1, 12, 0, 5).astimezone().timestamp() * 1000)


def test_a_time_is_local_with_its_seconds_and_a_question_mark_while_the_clock_is_not_valid():
    assert when(NOON_MS, clock_ok=True) == "01 Dec 2026 12:00:05"
    assert when(NOON_MS, clock_ok=False) == "01 Dec 2026 12:00:05 ?"


def test_a_day_is_the_local_one():
    assert day(NOON_MS) == "01 Dec 2026"
