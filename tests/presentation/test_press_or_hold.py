"""Presses and holds: one push is one of them, whatever happens while the button is down."""

import pytest
from support.snapshot import Player, at, notes

from cabinet.engine.inputs import Bet, Button, ChooseGame, ClearBets, Deal, Door, DoorOpened, Stand
from cabinet.presentation.press_or_hold import HOLD_S, LANGUAGE, ONE_BACK, RULES, SESSION, PressOrHold, counts_late
from cabinet.presentation.snapshot import with_page_open
from cabinet.tools.screens_gallery import gallery

LATE = frozenset({LANGUAGE, RULES, SESSION})
SHORT_S = 0.2


def betting() -> Player:
    """Returns a European table with a chip placed."""
    return Player().put(*at("european"), Bet()).settle()


def presses(player: Player) -> PressOrHold:
    """Returns the state without a button down."""
    return PressOrHold(player.settings)


@pytest.mark.parametrize("button", sorted(set(Button) - LATE - {ONE_BACK}, key=lambda button: button.name))
def test_a_button_without_a_hold_counts_once_when_it_goes_down(button: Button):
    player = betting()
    found = presses(player)
    assert found.down(button, player.snapshot, player.now_s)
    assert not found.take(button), "a press is no hold"
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S)


@pytest.mark.parametrize("button", [LANGUAGE, RULES, ONE_BACK])
def test_a_button_with_a_hold_counts_on_release(button: Button):
    player = betting()
    found = presses(player)
    assert not found.down(button, player.snapshot, player.now_s)
    assert found.up(button, player.snapshot, player.now_s + SHORT_S)
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S), "once"


@pytest.mark.parametrize("button", [LANGUAGE, RULES])
def test_a_hold_is_no_press_and_is_taken_only_once(button: Button):
    player = betting()
    found = presses(player)
    found.down(button, player.snapshot, player.now_s)
    assert [found.take(button), found.take(button)] == [True, True]
    assert not found.up(button, player.snapshot, player.now_s + SHORT_S)
    assert not found.take(button)


def test_a_long_push_is_no_press_even_if_no_hold_was_taken():
    player = betting()
    found = presses(player)
    found.down(RULES, player.snapshot, player.now_s)
    assert not found.up(RULES, player.snapshot, player.now_s + HOLD_S)


def test_clear_counts_at_once_without_a_bet():
    player = betting().put(ClearBets()).settle()
    found = presses(player)
    assert found.down(ONE_BACK, player.snapshot, player.now_s)
    assert not found.take(ONE_BACK)


def test_stand_counts_at_once_while_lit_and_on_release_while_dark():
    deciding = Player().put(*at("classic"), Bet(), Deal(), cards="10S 9S 8H 7D").settle()
    assert not counts_late(deciding.snapshot, SESSION, deciding.now_s)
    found = presses(deciding)
    assert found.down(SESSION, deciding.snapshot, deciding.now_s)
    deciding.put(Stand(), cards="KH").settle()
    assert not found.take(SESSION), "it was a press and does not open the session too"
    assert counts_late(deciding.snapshot, SESSION, deciding.now_s)


@pytest.mark.parametrize("button", sorted(LATE, key=lambda button: button.name))
def test_a_press_that_skips_an_animation_does_nothing_else(button: Button):
    dealing = Player().put(*at("classic"), Bet(), Deal(), cards="10S 9S 8H 7D").wait(0.1)
    found = presses(dealing)
    assert found.down(button, dealing.snapshot, dealing.now_s)
    dealing.settle()
    assert not found.take(button)
    assert not found.up(button, dealing.snapshot, dealing.now_s)


def test_two_buttons_are_released_independently():
    player = betting()
    found = presses(player)
    for button in (LANGUAGE, RULES):
        found.down(button, player.snapshot, player.now_s)
    assert found.take(RULES)
    assert found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S)


def test_the_release_of_a_button_neither_skips_nor_plays_a_hand_dealt_meanwhile():
    player = betting()
    found = presses(player)
    found.down(LANGUAGE, player.snapshot, player.now_s)
    player.put(Deal(), cards="AS 6S AH 9D")
    assert not found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S)


def test_a_button_with_another_meaning_on_release_is_no_press():
    player = Player().put(*notes(10_000)).settle()
    found = presses(player)
    assert not found.down(LANGUAGE, player.snapshot, player.now_s)
    player.step(ChooseGame(game_id="european"))
    assert not found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S), "it pointed at a game, not at a chip"


def test_an_open_page_leaves_only_the_hold_of_a_button():
    player = betting()
    read, found = with_page_open(player.snapshot, reading=True), presses(player)
    found.down(RULES, read, player.now_s)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S), "the page was open when the button went down"
    found.down(RULES, player.snapshot, player.now_s)
    assert not found.up(RULES, read, player.now_s + SHORT_S), "the page is open when the button is released"
    found.down(RULES, read, player.now_s)
    assert found.take(RULES), "pages are turned by holding"


def test_presses_in_the_attendants_menu_count_at_once_and_earlier_ones_stay_outside():
    exhibit = gallery()["audit"]
    player = betting()
    found = presses(player)
    for button in LATE:
        assert found.down(button, exhibit.snapshot, player.now_s)
        assert not found.take(button)
        found.down(button, player.snapshot, player.now_s)
        assert not found.up(button, exhibit.snapshot, player.now_s + SHORT_S), "the key was turned meanwhile"


def test_a_press_under_a_new_lock_reaches_the_engine_and_is_refused():
    player = betting()
    found = presses(player)
    found.down(LANGUAGE, player.snapshot, player.now_s)
    chip = player.snapshot.machine.seat.chip_cents
    player.step(DoorOpened(door=Door.MAIN))
    if found.up(LANGUAGE, player.snapshot, player.now_s + SHORT_S):
        player.press(LANGUAGE)
    assert player.snapshot.machine.seat.chip_cents == chip


def test_a_button_down_before_the_first_check_is_neither_held_nor_pressed():
    player = betting()
    found = presses(player)
    assert not found.take(RULES)
    assert not found.up(RULES, player.snapshot, player.now_s + SHORT_S)
