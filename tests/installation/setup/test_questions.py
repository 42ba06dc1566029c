"""The table of questions."""

import re

import pytest

from cabinet.config.reader import ConfigError
from cabinet.installation.setup.answers import HINTS, NEEDED, check_answer
from cabinet.installation.setup.questions import DEFAULTS, QUESTIONS, Form, Question, read_typed, show_typed

BY_NAME = {each.name: each for each in QUESTIONS}


def _asked(**given: object) -> set[str]:
    return {each.name for each in QUESTIONS if each.applies(given)}


def test_each_answer_has_one_question():
    assert sorted(each.name for each in QUESTIONS) == sorted(HINTS)


def test_each_default_can_be_used():
    for name, value in DEFAULTS.items():
        check_answer(name, value, simulated=True)


def test_no_default_identifies_a_machine():
    assert {"number", "venue", "technician_pin", "time_zone"} <= set(NEEDED) - set(DEFAULTS)


def test_an_acceptor_on_pins_has_pulses_and_no_socket():
    pulse, line = _asked(acceptor="pulse"), _asked(acceptor="ssp")
    assert ("pulse_notes" in pulse, "acceptor_socket" in pulse) == (True, False)
    assert ("pulse_notes" in line, "acceptor_socket" in line) == (False, True)


def test_values_are_asked_where_a_unit_does_not_report_them():
    assert ("note_values" in _asked(acceptor="ict"), "note_values" in _asked(acceptor="ssp")) == (True, False)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("number", " 17 ", 17),
        ("venue", "The House ", "The House"),
        ("ssh", "Yes", True),
        ("ssh", "n", False),
        ("note_values", "100, 500 1000", [100, 500, 1000]),
        ("note_values", "", []),
        ("pulse_notes", "2=100 10=500", {"2": 100, "10": 500}),
        ("technician_pin", "493817", "493817"),
    ],
)
def test_a_typed_answer_is_read(name: str, text: str, value: object):
    assert read_typed(BY_NAME[name], text) == value


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("number", "17a", 'found "17a", expected a whole number'),
        ("number", "", 'found "", expected a whole number'),
        ("ssh", "maybe", 'found "maybe", expected yes or no'),
        ("note_values", "1.5", 'found "1.5", expected amounts in cents, such as 500 1000 2000'),
        ("note_values", "500 5,00", 'found "5,00", expected amounts in cents, such as 500 1000 2000'),
        ("pulse_notes", "2", 'found "2", expected pulses=cents, such as 2=100 10=500'),
        ("pulse_notes", "2:100", 'found "2:100", expected pulses=cents, such as 2=100 10=500'),
        ("pulse_notes", "2=100 =500", 'found "=500", expected pulses=cents, such as 2=100 10=500'),
        ("pulse_notes", "2=1.00", 'found "2=1.00", expected pulses=cents, such as 2=100 10=500'),
        ("pulse_notes", "2=100 2=500", 'found "2" twice, expected pulses=cents, such as 2=100 10=500'),
        ("pulse_notes", "", "found nothing, expected pulses=cents, such as 2=100 10=500"),
    ],
)
def test_a_wrong_typed_answer_is_named(name: str, text: str, sentence: str):
    with pytest.raises(ConfigError, match=f"^{name}: {re.escape(sentence)}$"):
        read_typed(BY_NAME[name], text)


@pytest.mark.parametrize("name", ["number", "venue", "ssh", "note_values", "pulse_notes", "sound"])
def test_a_shown_answer_reads_back(name: str):
    value = {"number": 17, "venue": "A b", "ssh": True, "note_values": [100, 500], "pulse_notes": {"2": 100}}.get(
        name, "hdmi1"
    )
    assert read_typed(BY_NAME[name], show_typed(BY_NAME[name], value)) == value


def test_each_question_that_is_answered_yes_or_no_begins_like_one():
    asked = {each.ask.partition(" ")[0] for each in QUESTIONS if each.form is Form.YES_NO}
    assert asked <= {"Is", "Are", "Do", "May", "Can"}


def test_a_secret_is_never_shown():
    assert show_typed(Question(name="technician_pin", ask="", form=Form.SECRET), "493817") == ""


def test_what_is_not_known_is_shown_as_nothing():
    assert show_typed(BY_NAME["venue"], None) == ""
