"""The session on the window: opened and limited with the panel's buttons alone."""

import pytest
from support.stage import Stage

from cabinet.engine.inputs import (
    BillOffered,
    BillStacked,
    Button,
    CashOut,
    SessionBegan,
    SessionEnded,
    TicketPrinted,
)
from cabinet.tools.screens_gallery import WALL
from cabinet.ui.view import Kind, TopItem

pytestmark = pytest.mark.screen


def _push(stage: Stage, seconds: float) -> None:
    """Holds STAND on the panel for these seconds."""
    stage.cabinet.held = frozenset({Button.STAND})
    stage.play.wake()
    stage.turn(0.02)
    stage.turn(seconds)
    stage.cabinet.held = frozenset()
    stage.play.wake()
    stage.turn(0.6)


@pytest.mark.requirement("RG-02", "RG-03")
def test_with_stand_alone_the_session_is_opened_and_a_limit_is_set(stage: Stage):
    stage.cabinet.step(SessionBegan(at_ms=round(WALL.timestamp() * 1_000)))
    _push(stage, 0.2)
    assert not stage.play.ui.session_shown, "a short press does nothing"
    _push(stage, 1.2)
    assert stage.play.ui.session_shown
    for _ in range(2):
        _push(stage, 0.2)
    assert stage.play.ui.choice == 1
    _push(stage, 3.5)
    session = stage.cabinet.snapshot().machine.session
    assert session is not None
    assert session.time_limit_s == 30 * 60
    assert (stage.play.ui.session_shown, stage.play.ui.choice) == (True, None)
    _push(stage, 1.2)
    assert not stage.play.ui.session_shown


def test_the_language_of_a_player_is_gone_when_the_next_one_puts_money_in(stage: Stage):
    nth = next(n for n, view in enumerate(stage.screen.top.items) if view.item is TopItem.LANGUAGE)
    first = stage.play.ui.language
    stage.click(stage.middle(Kind.TOP_ITEM, nth=nth))
    assert stage.play.ui.language != first
    for input_ in (CashOut(), TicketPrinted(sequence=1), SessionEnded()):
        stage.cabinet.step(input_, now=stage.now)
        stage.turn(0.1)
    assert stage.play.ui.language != first, "the payment is still shown"
    for input_ in (BillOffered(cents=2_000), BillStacked(cents=2_000)):
        stage.cabinet.step(input_, now=stage.now)
        stage.turn(0.1)
    assert stage.play.ui.language == first
