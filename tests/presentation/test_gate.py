"""The outcome of a press: a step, a skipped animation, or nothing."""

import pytest
from support.snapshot import Player, at, notes

from cabinet.engine.inputs import Bet, Button, CallAttendant, Deal, Hit, Insure, Stand
from cabinet.presentation.gate import SkipAnimation, accept
from cabinet.presentation.snapshot import with_page_open


def dealt() -> Player:
    """Returns a hand of twelve against a six, after its animation."""
    return Player().put(*at("classic"), Bet(), Deal(), cards="5S 6S 7H 9D").settle()


def ask(player: Player, wish, *, pressed_at_s: float | None = None):
    pressed_at_s = player.now_s if pressed_at_s is None else pressed_at_s
    return accept(player.settings, player.snapshot, wish, player.now_s, pressed_at_s=pressed_at_s)


def test_a_press_becomes_the_present_command_of_its_button():
    player = dealt()
    assert (ask(player, Button.HIT), ask(player, Button.STAND), ask(player, Button.REBET)) == (Hit(), Stand(), None)


def test_every_button_but_the_call_skips_an_animation():
    player = Player().put(*at("classic"), Bet())
    player.now_s += 5.0
    player.step(Deal())
    assert {ask(player, button) for button in Button} == {SkipAnimation(), CallAttendant()}
    assert ask(player, Button.SERVICE) == CallAttendant()


@pytest.mark.requirement("PD-17")
def test_a_press_before_the_round_was_visible_is_dropped():
    player = dealt()
    player.step(Hit())
    before_s, player.now_s = player.now_s - 0.05, player.snapshot.open_at_s + 0.01
    assert {ask(player, button, pressed_at_s=before_s) for button in (Button.HIT, Button.STAND, Button.DEAL)} == {None}
    assert ask(player, Button.SERVICE, pressed_at_s=before_s) == CallAttendant()
    assert ask(player, Hit(), pressed_at_s=player.now_s) == Hit()


def test_a_bet_before_the_last_one_was_visible_counts():
    player = Player().put(*at("classic"), Bet()).settle()
    assert ask(player, Button.BET, pressed_at_s=player.snapshot.began_at_s - 0.05) is not None


@pytest.mark.requirement("PD-17")
def test_a_yes_to_insurance_before_a_note_raised_the_amount_is_dropped():
    short = (*at("european", 500, 10_000), *(Bet(place=0),) * 15, Deal())
    player = Player().put(*short, cards="KS AC 9H").settle()
    yes_s = player.now_s
    player.now_s += 0.05
    for given in notes(10_000):
        player.step(given)
    player.now_s += 0.05
    assert {ask(player, button, pressed_at_s=yes_s) for button in (Button.HIT, Button.CHIP)} == {None}
    assert ask(player, Button.HIT) == Insure()


def test_a_press_that_plays_under_an_open_page_is_dropped():
    player = dealt()
    player.snapshot = with_page_open(player.snapshot, reading=True)
    assert (ask(player, Button.HIT), ask(player, Button.SERVICE)) == (None, CallAttendant())
