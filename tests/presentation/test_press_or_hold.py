"""Presses and holds: one push of a finger is one of them, whatever happens while it is down."""

import pytest
from support.snapshot import Player, at

from cabinet.commands.screens_gallery import gallery
from cabinet.engine.inputs import Bet, Button, ClearBets, Deal, Door, DoorOpened, Stand
from cabinet.presentation.press_or_hold import HOLD_S, LANGUAGE, ONE_BACK, RULES, SESSION, PressOrHold, counts_late
from cabinet.presentation.snapshot import with_page_open

LATE = frozenset({LANGUAGE, RULES, SESSION})
SHORT_S = 0.2


def betting() -> Player:
    """A European table with a chip laid."""
    return Player().put(*at("european"), Bet()).settle()


def presses(player: Player) -> PressOrHold:
    """Nothing is down."""
    return PressOrHold(player.settings)


@pytest.mark.parametrize("button", sorted(set(Button) - LATE - {ONE_BACK}, key=lambda button: button.name))
def test_a_button_that_is_only_pressed_counts_as_it_goes_down_and_never_again(button: Button):
    player = betting()
    found = presses(player)
    assert found.down(button, player.snapshot, player.now_s)
    assert not found.take(button), "a press is no hold"
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S)


@pytest.mark.parametrize("button", [LANGUAGE, RULES, ONE_BACK])
def test_a_button_that_may_be_held_counts_when_it_is_let_go(button: Button):
    player = betting()
    found = presses(player)
    assert not found.down(button, player.snapshot, player.now_s)
    assert found.up(button, player.snapshot, player.now_s + SHORT_S)
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S), "once"


@pytest.mark.parametrize("button", [LANGUAGE, RULES])
def test_what_was_taken_for_held_is_no_press_however_often_it_is_taken(button: Button):
    player = betting()
    found = presses(player)
    found.down(button, player.snapshot, player.now_s)
    assert [found.take(button), found.take(button)] == [True, True]
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S)
    assert not found.take(button)


def test_what_is_down_long_is_no_press_though_nobody_took_it_for_held():
    player = betting()
    found = presses(player)
    found.down(RULES, player.snapshot, player.now_s)
    assert not found.up(RULES, player.snapshot, player.now_s + HOLD_S)


def test_clear_counts_at_once_when_there_is_no_bet_to_take_a_chip_from():
    player = betting().put(ClearBets()).settle()
    found = presses(player)
    assert found.down(ONE_BACK, player.snapshot, player.now_s)
    assert not found.take(ONE_BACK)


def test_stand_counts_at_once_while_it_stands_and_late_while_it_is_dark():
    deciding = Player().put(*at("classic"), Bet(), Deal(), cards="10S 9S 8H 7D").settle()
    assert not counts_late(deciding.snapshot, SESSION, deciding.now_s)
    found = presses(deciding)
    assert found.down(SESSION, deciding.snapshot, deciding.now_s)
    deciding.put(Stand(), cards="KH").settle()
    assert not found.take(SESSION), "it has stood and does not open the session too, however long it is held on"
    assert counts_late(deciding.snapshot, SESSION, deciding.now_s)


@pytest.mark.parametrize("button", sorted(LATE, key=lambda button: button.name))
def test_a_press_that_hurries_a_story_does_nothing_else(button: Button):
    dealing = Player().put(*at("classic"), Bet(), Deal(), cards="10S 9S 8H 7D").wait(0.1)
    found = presses(dealing)
    assert found.down(button, dealing.snapshot, dealing.now_s)
    dealing.settle()
    assert not found.take(button)
    assert not found.up(button, dealing.snapshot, dealing.now_s)


def test_two_buttons_are_let_go_each_for_itself():
    player = betting()
    found = presses(player)
    for button in (LANGUAGE, RULES):
        found.down(button, player.snapshot, player.now_s)
    assert found.take(RULES)
    assert found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S)


def test_a_hand_dealt_while_the_button_was_down_is_neither_hurried_nor_played_by_letting_go():
    player = betting()
    found = presses(player)
    found.down(LANGUAGE, player.snapshot, player.now_s)
    player.put(Deal(), cards="AS 6S AH 9D")
    assert not found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S)


def test_a_page_that_is_open_when_the_button_goes_down_or_up_leaves_only_the_hold():
    player = betting()
    read, found = with_page_open(player.snapshot, reading=True), presses(player)
    found.down(RULES, read, player.now_s)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S), "it lay there as the button went down"
    found.down(RULES, player.snapshot, player.now_s)
    assert not found.up(RULES, read, player.now_s + SHORT_S), "it lies there as the button is let go"
    found.down(RULES, read, player.now_s)
    assert found.take(RULES), "pages are turned by holding"


def test_in_the_attendants_menu_every_press_counts_at_once_and_none_reaches_into_it():
    exhibit = gallery()["audit"]
    player = betting()
    found = presses(player)
    for button in LATE:
        assert found.down(button, exhibit.snapshot, player.now_s)
        assert not found.take(button)
        found.down(button, player.snapshot, player.now_s)
        assert not found.up(button, exhibit.snapshot, player.now_s + SHORT_S), "the key was turned meanwhile"


def test_a_lock_that_came_meanwhile_leaves_the_press_to_the_engine_which_refuses_it():
    player = betting()
    found = presses(player)
    found.down(LANGUAGE, player.snapshot, player.now_s)
    chip = player.snapshot.machine.chip_cents
    player.step(DoorOpened(door=Door.MAIN))
    if found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S):
        player.press(LANGUAGE)
    assert player.snapshot.machine.chip_cents == chip


def test_what_was_down_before_anybody_looked_is_neither_held_nor_pressed():
    player = betting()
    found = presses(player)
    assert not found.take(RULES)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S)
