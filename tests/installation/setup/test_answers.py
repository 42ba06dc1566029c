"""The answers, checked one by one; the sentences of wrong ones are proved with the command."""

import tomllib

import pytest
from support.card import ANSWERS

from cabinet.config.reader import ConfigError
from cabinet.installation.setup.answers import HINTS, check_answer, make_answers, read_answers

RAW = tomllib.loads(ANSWERS)


def test_a_complete_file_is_read():
    answers = read_answers(ANSWERS, simulated=False)
    assert (answers.number, answers.venue, answers.second_copy) == (17, "The House", True)


def test_what_is_known_may_be_left_out():
    text = ANSWERS.replace('currency = "EUR"\n', "")
    assert read_answers(text, simulated=False, known={"currency": "GBP"}).currency == "GBP"


def test_an_answer_counts_more_than_what_is_known():
    assert read_answers(ANSWERS, simulated=False, known={"currency": "GBP"}).currency == "EUR"


def test_the_pin_is_in_no_message_and_in_no_text():
    with pytest.raises(ConfigError) as caught:
        check_answer("technician_pin", "12345x", simulated=False)
    assert "12345x" not in str(caught.value)
    assert RAW["technician_pin"] not in repr(make_answers(RAW, simulated=False))


@pytest.mark.parametrize("name", ["venue", "location", "helpline"])
def test_a_text_of_several_lines_is_refused(name: str):
    with pytest.raises(ConfigError, match=rf"^{name}: .* expected one line of plain text$"):
        check_answer(name, "a\nb", simulated=False)


@pytest.mark.parametrize("name", ["number", "venue", "technician_pin"])
def test_a_default_that_identifies_no_machine_is_refused_unless_simulated(name: str):
    sample = {"number": 42, "venue": "Blackjack Cabinet", "technician_pin": ""}[name]
    assert check_answer(name, sample, simulated=True) == sample
    with pytest.raises(ConfigError, match=f"^{name}: found"):
        check_answer(name, sample, simulated=False)


@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "UTC"])
def test_names_of_zones_are_taken(zone: str):
    assert check_answer("time_zone", zone, simulated=False) == zone


def test_every_answer_has_a_type():
    assert set(RAW) <= set(HINTS)


def test_a_table_in_the_table_of_pulses_is_named():
    with pytest.raises(ConfigError, match=r"^pulse_notes\[\.\.\.\]: found .* expected a whole number$"):
        check_answer("pulse_notes", {"2": {"cents": 100}}, simulated=False)
