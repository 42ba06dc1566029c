"""Holding a button: another language, the rules, the session, and nothing else."""

from dataclasses import replace
from functools import cache

import pytest
from support.snapshot import Player, at

from cabinet.engine.inputs import Bet, Button, ChoosePlace, Door, DoorOpened, LimitLoss, LimitTime, TakeChip
from cabinet.text.messages import ENGLISH
from cabinet.tools.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.ui_state import CloseOverlay, NextChoice, NextLanguage, OpenHelp, OpenSession, TurnPage
from cabinet.ui.view import HelpView, Screen
from cabinet.window.holds import HOLD_S, LANGUAGE, ONE_BACK, RULES, SESSION, STUCK_S, Holds, held_wish, tapped_wish


@cache
def betting() -> Screen:
    """Returns the screen of a table that takes bets."""
    return screen_of(gallery()["betting"])


def _help(page: int) -> Screen:
    exhibit = gallery()["help"]
    return screen_of(replace(exhibit, ui=replace(exhibit.ui, help_page=page)))


def test_a_button_is_due_after_each_second_it_is_down():
    holds, chip = Holds(), frozenset({Button.CHIP})
    found = [holds.due(chip, 10 + half * HOLD_S / 2) for half in range(6)]
    assert found == [(), (), (Button.CHIP,), (), (Button.CHIP,), ()]


def test_holds_report_when_the_next_button_is_due():
    holds = Holds()
    assert holds.next_s == float("inf")
    holds.due(frozenset({Button.CHIP, SESSION}), 10.0)
    assert holds.next_s == 10.0 + HOLD_S
    holds.due(frozenset({Button.CHIP, SESSION}), 11.0)
    assert holds.next_s == 11.0 + HOLD_S, "for CHIP"
    holds.due(frozenset({SESSION}), 12.0)
    assert holds.next_s == float("inf"), "STAND does nothing more"


def test_a_stuck_button_does_nothing_until_it_is_released():
    holds, chip = Holds(), frozenset({Button.CHIP})
    applied = [second for second in range(100) if holds.due(chip, float(second))]
    assert applied == list(range(1, round(STUCK_S)))
    assert holds.next_s == float("inf")
    holds.due(frozenset(), 100.0)
    holds.due(chip, 101.0)
    assert holds.due(chip, 101.0 + HOLD_S) == (Button.CHIP,)


def test_a_release_starts_the_hold_time_anew():
    holds, chip = Holds(), frozenset({Button.CHIP})
    holds.due(chip, 10.0)
    assert holds.due(frozenset(), 10.9) == ()
    assert holds.due(chip, 11.1) == ()
    assert holds.due(chip, 11.1 + HOLD_S) == (Button.CHIP,)


def test_chip_held_switches_to_the_next_language():
    assert held_wish(LANGUAGE, betting()) == NextLanguage()
    alone = screen_of(gallery()["betting"], replace(SAMPLE_FACTS, languages=(ENGLISH,)))
    assert held_wish(LANGUAGE, alone) is None


@pytest.mark.requirement("PD-11")
def test_place_held_opens_the_rules_turns_their_pages_and_closes_them():
    assert held_wish(RULES, betting()) == OpenHelp()
    assert held_wish(RULES, _help(0)) == TurnPage(by=1)
    last = _help(99)
    assert isinstance(last.overlay, HelpView)
    assert held_wish(RULES, last) == CloseOverlay()


def test_a_held_stand_is_due_once_and_a_short_one_is_a_tap():
    holds, stand = Holds(), frozenset({SESSION})
    assert [holds.due(stand, 10 + half * HOLD_S / 2) for half in range(6)] == [(), (), (SESSION,), (), (), ()]
    assert holds.tapped == ()
    holds.due(frozenset(), 20.0)
    assert holds.tapped == (), "a hold is no tap"
    holds.due(stand, 30.0)
    holds.due(frozenset(), 30.2)
    assert holds.tapped == (SESSION,)
    holds.due(frozenset(), 30.3)
    assert holds.tapped == ()


@pytest.mark.requirement("RG-02")
def test_stand_held_opens_the_session_where_it_is_dark():
    assert held_wish(SESSION, betting()) == OpenSession()
    for name in ("deciding", "dealing", "insurance"):
        assert held_wish(SESSION, screen_of(gallery()[name])) is None, name
        assert tapped_wish(SESSION, screen_of(gallery()[name])) is None, name


@pytest.mark.requirement("RG-03")
def test_in_the_session_a_tap_points_at_the_next_choice_and_holding_chooses_it():
    exhibit = gallery()["session"]
    assert held_wish(SESSION, screen_of(exhibit)) == CloseOverlay()
    assert tapped_wish(SESSION, screen_of(exhibit)) == NextChoice()
    wishes = [held_wish(SESSION, screen_of(replace(exhibit, ui=replace(exhibit.ui, choice=n)))) for n in range(9)]
    assert wishes[0] == LimitTime(session_s=87 * 60)
    assert wishes[4] == LimitLoss(cents=10_000)
    assert wishes[8] == CloseOverlay()


@pytest.mark.parametrize("button", Button)
def test_a_tap_has_no_extra_meaning_elsewhere(button: Button):
    assert tapped_wish(button, betting()) is None


def test_clear_held_takes_a_chip_from_the_place_pointed_at():
    player = Player().put(*at("european", 100), Bet(place=1), Bet(place=3)).settle()
    assert held_wish(ONE_BACK, player.screen()) == TakeChip(place=3)
    player.put(ChoosePlace(place=1))
    assert held_wish(ONE_BACK, player.screen()) == TakeChip(place=1)
    player.put(ChoosePlace(place=0))
    assert held_wish(ONE_BACK, player.screen()) is None, "there is no chip to take"


def test_clear_held_takes_none_where_clear_is_dark():
    player = Player().put(*at("classic"), Bet()).settle()
    assert held_wish(ONE_BACK, player.screen()) == TakeChip(place=0)
    player.step(DoorOpened(door=Door.MAIN))
    assert held_wish(ONE_BACK, player.settle().screen()) is None


@pytest.mark.parametrize("button", [button for button in Button if button not in {LANGUAGE, ONE_BACK, RULES, SESSION}])
def test_other_buttons_do_nothing_more_when_held(button: Button):
    assert held_wish(button, betting()) is None


@pytest.mark.parametrize("button", Button)
def test_holds_do_nothing_in_the_attendants_pages(button: Button):
    assert held_wish(button, screen_of(gallery()["audit"])) is None
