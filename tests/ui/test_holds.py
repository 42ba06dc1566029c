"""Holding a button down: another language, the rules, and nothing else."""

from dataclasses import replace

import pytest

from cabinet.engine.inputs import Button
from cabinet.ui.gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.holds import HOLD_S, LANGUAGE, RULES, Holds, held_wish
from cabinet.ui.messages import ENGLISH
from cabinet.ui.ui_state import CloseOverlay, NextLanguage, OpenHelp, TurnPage
from cabinet.ui.view import HelpView, Screen

BETTING = screen_of(gallery()["betting"])


def _help(page: int) -> Screen:
    exhibit = gallery()["help"]
    return screen_of(replace(exhibit, ui=replace(exhibit.ui, help_page=page)))


def test_a_button_is_due_after_each_second_it_is_down():
    holds, chip = Holds(), frozenset({Button.CHIP})
    found = [holds.due(chip, 10 + half * HOLD_S / 2) for half in range(6)]
    assert found == [(), (), (Button.CHIP,), (), (Button.CHIP,), ()]


def test_letting_go_begins_anew():
    holds, chip = Holds(), frozenset({Button.CHIP})
    holds.due(chip, 10.0)
    assert holds.due(frozenset(), 10.9) == ()
    assert holds.due(chip, 11.1) == ()
    assert holds.due(chip, 11.1 + HOLD_S) == (Button.CHIP,)


def test_chip_held_goes_to_the_next_language_where_there_is_one():
    assert held_wish(LANGUAGE, BETTING) == NextLanguage()
    alone = screen_of(gallery()["betting"], replace(SAMPLE_FACTS, languages=(ENGLISH,)))
    assert held_wish(LANGUAGE, alone) is None


@pytest.mark.requirement("PD-11")
def test_place_held_opens_the_rules_turns_their_pages_and_closes_them():
    assert held_wish(RULES, BETTING) == OpenHelp()
    assert held_wish(RULES, _help(0)) == TurnPage(by=1)
    last = _help(99)
    assert isinstance(last.overlay, HelpView)
    assert held_wish(RULES, last) == CloseOverlay()


@pytest.mark.parametrize("button", [button for button in Button if button not in {LANGUAGE, RULES}])
def test_other_buttons_do_nothing_more_when_held(button: Button):
    assert held_wish(button, BETTING) is None


@pytest.mark.parametrize("button", Button)
def test_nothing_is_held_in_the_attendants_pages(button: Button):
    assert held_wish(button, screen_of(gallery()["audit"])) is None
