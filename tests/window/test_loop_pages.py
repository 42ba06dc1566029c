"""Pages over the table: a reader counts as present, and the table and its buttons are blocked."""

from dataclasses import replace

import pytest
from support.stage import SIZE, Stage

from cabinet.engine.inputs import Bet, Button, CashOut, Door, DoorClosed, DoorOpened, PlayerLeft, TicketPrinted
from cabinet.presentation.snapshot import OVER_A_PAGE, lit_now
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.layout.screen import layout
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Kind, NoticeView, Slot, TopItem
from cabinet.ui.visits import READ_S
from cabinet.window.loop import VANISHED_S

pytestmark = pytest.mark.screen


def _item(stage: Stage, item: TopItem) -> tuple[int, int]:
    nth = next(n for n, view in enumerate(stage.screen.top.items) if view.item is item)
    return stage.middle(Kind.TOP_ITEM, nth=nth)


def _rules_and_next(stage: Stage) -> tuple[int, int]:
    """Opens the rules; returns the place of the button for the next page."""
    stage.click(_item(stage, TopItem.RULES))
    shown = replace(UiState(), help_page=0)
    screen = present(stage.cabinet.snapshot(), shown, stage.now, WALL, stage.cabinet.settings, SAMPLE_FACTS)
    return layout(SIZE, screen).rect(Slot(Kind.OVERLAY_BUTTON, nth=1)).centre


def test_turning_and_touching_pages_reports_a_present_player(stage: Stage):
    forward = _rules_and_next(stage)
    stage.cabinet.attendance.clear()
    stage.click(forward, seconds=40.0)
    assert stage.play.ui.help_page == 1
    assert stage.cabinet.attendance == [True]
    stage.click((640, 300), seconds=40.0)
    assert stage.cabinet.attendance == [True, True]
    stage.cabinet.held = frozenset({Button.PLACE})
    for _ in range(3):
        stage.turn(0.6)
    assert stage.cabinet.attendance == [True] * 3


def test_a_page_over_the_demonstration_stays_open_while_it_is_touched(stage: Stage):
    stage.cabinet.step(PlayerLeft(), now=stage.now)
    stage.turn(0.1)
    _rules_and_next(stage)
    for _ in range(4):
        stage.click((640, 300), seconds=READ_S - 5)
    assert stage.play.ui.help_page == 0


def test_a_touch_just_after_a_page_timed_out_does_nothing_at_the_table(stage: Stage):
    spot = stage.middle(Kind.PLACE)
    stage.cabinet.step(DoorOpened(door=Door.MAIN), now=stage.now)
    stage.turn(5.0)
    stage.cabinet.step(DoorClosed(door=Door.MAIN), now=stage.now)
    stage.turn(0.02)
    assert stage.screen.overlay is None
    stage.cabinet.wishes.clear()
    stage.click(spot, seconds=0.1)
    assert stage.cabinet.wishes == []
    stage.turn(VANISHED_S)
    stage.click(spot, seconds=0.1)
    assert stage.cabinet.wishes == [Bet(place=0)]


def test_a_touch_just_after_a_page_was_closed_counts(stage: Stage):
    spot = stage.middle(Kind.PLACE)
    rules = _item(stage, TopItem.RULES)
    stage.click(rules)
    stage.click(rules)
    stage.click(spot, seconds=0.1)
    assert stage.cabinet.wishes == [Bet(place=0)]


@pytest.mark.requirement("PD-06")
def test_under_an_open_page_no_button_plays(stage: Stage):
    rules = _item(stage, TopItem.RULES)
    stage.click(rules)
    assert lit_now(stage.cabinet.snapshot(), stage.now) <= OVER_A_PAGE
    for button in Button:
        if button not in OVER_A_PAGE:
            stage.click(stage.legend(button))
            stage.cabinet.put(button, stage.now)
    assert sum(stage.cabinet.snapshot().machine.seat.bets) == 0
    stage.click(rules)
    assert Button.BET in lit_now(stage.cabinet.snapshot(), stage.now)
    stage.click(stage.legend(Button.BET))
    assert sum(stage.cabinet.snapshot().machine.seat.bets) > 0


@pytest.mark.requirement("PD-24")
def test_the_notice_to_take_a_ticket_replaces_any_open_page(stage: Stage):
    _rules_and_next(stage)
    assert stage.play.ui.help_page == 0
    stage.cabinet.step(CashOut(), now=stage.now)
    stage.turn(0.1)
    assert stage.play.ui.help_page is None
    stage.cabinet.step(TicketPrinted(sequence=1), now=stage.now)
    stage.turn(0.1)
    assert not stage.cabinet.snapshot().reading
    assert isinstance(stage.screen.overlay, NoticeView)
    assert stage.screen.overlay.title == "Please take your ticket"
    _rules_and_next(stage)
    assert stage.play.ui.help_page == 0, "a page opened after that stays"
