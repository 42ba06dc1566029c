"""The books of the gallery: believable, and in agreement with themselves."""

import pytest

from cabinet.attendant import statistics
from cabinet.engine.state import Machine, Settings
from cabinet.tools.gallery_books import DAYS, NOTES, PERIOD_DAYS, TODAY, busy_books, busy_data


def test_the_period_is_the_sum_of_its_hours():
    books = busy_books()
    first = min((TODAY - statistics.date_of(hour.day)).days for hour in books.hours)
    inside = [hour for hour in books.hours if (TODAY - statistics.date_of(hour.day)).days < PERIOD_DAYS]
    assert first == 0
    for name in ("bills_in", "coin_in", "coin_out"):
        assert books.meters["period"][name] == sum(hour.meters[name] for hour in inside)


def test_the_hours_cover_a_month_and_end_now():
    hours = busy_books().hours
    assert len({hour.day for hour in hours}) == DAYS
    assert (hours[-1].day, hours[-1].hour) == ("05 Mar 2031", 14)


@pytest.mark.parametrize("span", ["period", "lifetime"])
def test_notes_by_denomination_are_the_notes_in(span: str):
    report = busy_books().meters[span]
    assert sum(int(cents) * count for cents, count in report["bills_by_denomination"].items()) == report["bills_in"]


def test_the_games_sum_to_all_stakes():
    report = busy_books().meters["lifetime"]
    assert sum(game["coin_in"] for game in report["by_game"].values()) == report["coin_in"]


def test_the_machine_has_hours_in_which_it_lost():
    wins = [statistics.win_cents(hour.meters) for hour in busy_books().hours]
    assert min(wins) < 0 < sum(wins)


def test_the_data_is_of_the_machine_that_is_asked_for():
    machine = Machine(round_number=7)
    data = busy_data(machine, Settings(), sign="€", language="de")
    assert (data.machine.round_number, data.sign, data.language) == (7, "€", "de")
    assert set(data.meters["in_cashbox_by_denomination"]) == {f"{cents}" for cents in NOTES}
