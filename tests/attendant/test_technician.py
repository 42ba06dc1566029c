"""The technician's pages: who is here, the PIN with four buttons, the memory clear asked for twice."""

from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.machines import SETTINGS, seated

from cabinet.attendant.menu import PinTyped
from cabinet.attendant.menu.values import DIGIT_BUTTONS
from cabinet.attendant.technician import PIN_LENGTH
from cabinet.engine import technician
from cabinet.engine.inputs import BillStacked, Door, DoorOpened, Key, KeyTurned, PinEntered, PrepareMemoryClear

WITH_PIN = replace(SETTINGS, technician_pin=True)


def words(hand: MenuHand) -> str:
    return " ".join(cell for line in hand.page.lines for cell in line.cells)


@pytest.mark.requirement("SE-07")
def test_an_attendant_reads_what_is_missing_and_has_no_choice():
    cabinet = seated(credit=0)
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Technician")
    assert hand.page.menu == ()
    assert "Level attendant" in words(hand)
    assert "Open the logic door" in words(hand)


@pytest.mark.requirement("PL-09")
def test_a_clear_is_asked_for_twice_and_then_waits_for_the_reset_key():
    cabinet = seated(credit=0)
    cabinet.technician()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Technician")
    assert "Level technician" in words(hand)
    hand.choose("Clear the memory")
    assert "begin at zero" in words(hand)
    assert "for ever as clear no. 1" in words(hand)
    assert hand.asked == []
    hand.choose("Yes")
    assert hand.asked == [PrepareMemoryClear(on=True)]
    cabinet.do(*hand.asked)
    hand.data = bare_desk(cabinet)
    assert "NOW TURN THE RESET KEY" in words(hand)
    hand.choose("Keep the memory", "Yes")
    assert hand.asked[-1] == PrepareMemoryClear(on=False)


@pytest.mark.requirement("PL-09")
def test_with_a_players_money_in_it_the_clear_is_not_offered_and_the_reason_is_said():
    cabinet = seated(credit=500)
    cabinet.technician()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Technician")
    assert hand.page.menu == ()
    assert "a credit of 5.00" in words(hand)


@pytest.mark.requirement("PL-09")
def test_with_a_note_of_unknown_value_in_the_box_the_reason_is_said():
    cabinet = seated(credit=0)
    cabinet.do(BillStacked(cents=None))
    cabinet.technician()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Technician")
    assert hand.page.menu == ()
    assert "an unexpected note of unknown value" in words(hand)
    assert "can be cleared" not in words(hand)


@pytest.mark.requirement("SE-07")
def test_a_pin_is_entered_with_a_button_for_each_digit_and_never_shown():
    cabinet = seated(credit=0, settings=WITH_PIN)
    cabinet.do(KeyTurned(key=Key.AUDIT, on=True), DoorOpened(door=Door.LOGIC))
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Technician", "Enter the PIN")
    buttons = {digit: button for button, digit in DIGIT_BUTTONS.items()}
    for count, digit in enumerate("490317"[:PIN_LENGTH]):
        shown = next(line.cells[1] for line in hand.page.lines if line.cells[0] == "PIN")
        assert (shown.count("*"), shown.count("_")) == (count, PIN_LENGTH - count)
        assert not any(each.isdigit() for each in shown)
        hand.press(buttons[digit])
    assert hand.asked == [PinTyped(digits="490317")]
    assert hand.page.title == "Technician"
    assert "490317" not in repr(hand.asked)
    assert "490317" not in repr(hand.menu)


@pytest.mark.requirement("SE-07")
def test_after_too_many_wrong_pins_none_can_be_entered_and_it_is_said_why():
    cabinet = seated(credit=0, settings=WITH_PIN)
    cabinet.do(KeyTurned(key=Key.AUDIT, on=True), DoorOpened(door=Door.LOGIC))
    cabinet.do(*(PinEntered(right=False) for _ in range(technician.TRIES)))
    hand = MenuHand(data=replace(bare_desk(cabinet), pin_wait_s=841.0))
    hand.choose("Technician")
    assert hand.page.menu == ()
    assert "3 wrong PINs. Minutes until a PIN is taken again: 15." in words(hand)
