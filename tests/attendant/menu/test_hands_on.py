"""The tests of lamps and buttons, and what they show."""

from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.locked import under
from support.machines import seated

from cabinet.attendant import menu
from cabinet.attendant.menu.hands_on import LAMPS, LANGUAGE, LANGUAGES, TESTS
from cabinet.engine.inputs import (
    Button,
    Key,
    KeyTurned,
)
from cabinet.engine.state import LockKind
from cabinet.text import messages


@pytest.mark.requirement("AT-06")
def test_in_the_test_every_lamp_is_lit_and_test_stands_above():
    hand = MenuHand(data=bare_desk(seated()))
    assert not menu.testing(hand.menu)
    hand.choose(TESTS, LAMPS)
    assert menu.testing(hand.menu)
    assert menu.lit(hand.menu, hand.data) == frozenset(Button)
    assert hand.page.lines[0].cells == ("TEST", "press every button but CLEAR: each goes dark")


@pytest.mark.requirement("AT-06")
def test_in_the_test_a_button_is_seen_and_does_nothing_else():
    hand = MenuHand(data=bare_desk(under(LockKind.HAND_PAY)))
    hand.choose(TESTS, LAMPS)
    for button in Button:
        if button is not Button.CLEAR:
            hand.press(button)
    text = "\n".join("  ".join(line.cells) for line in hand.page.lines)
    assert text.count("works") == len(Button) - 1
    assert "not pressed yet" not in text
    assert "CLEAR  ends the test" in text
    assert menu.lit(hand.menu, hand.data) == {Button.CLEAR}, "a lamp goes dark with its own button and no other"
    assert hand.asked == []
    hand.press(Button.CLEAR)
    assert not menu.testing(hand.menu)


def test_the_test_begins_anew_each_time():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose(TESTS, LAMPS)
    hand.press(Button.HIT, Button.CLEAR)
    hand.choose("Lamps")
    assert not any("works" in line.cells for line in hand.page.lines)


def test_the_test_shows_how_every_door_and_the_audit_key_stand():
    cabinet = under(LockKind.MAIN_DOOR)
    cabinet.do(KeyTurned(key=Key.AUDIT, on=True))
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose(TESTS, LAMPS)
    rows = {line.cells[0]: line.cells[1] for line in hand.page.lines if len(line.cells) == 2}
    assert (rows["Main door"], rows["Cash box door"], rows["Logic door"]) == ("open", "shut", "shut")
    assert rows["Audit key"] == "turned"


def test_a_language_is_chosen_without_a_question_and_every_page_is_in_it():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose(LANGUAGE, "Deutsch")
    assert hand.asked == [menu.UseLanguage(code="de")]
    hand.data = replace(hand.data, language="de")
    hand.press(Button.CLEAR, Button.CLEAR)
    assert "Geld" in [entry.label for entry in menu.entries(hand.menu, hand.data)]


def test_every_language_of_the_settings_can_be_chosen():
    assert set(LANGUAGES) == set(messages.LANGUAGES)
