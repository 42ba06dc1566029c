"""A running cabinet with a button that comes to mean something else: CLEAR clears bets, or leaves the table."""

import time

import pytest
from support.live import running

from cabinet.engine.inputs import Button
from cabinet.engine.state import Phase
from cabinet.runtime.inbox import LetGo
from drivers.panel.layout import Input


@pytest.mark.requirement("PD-06", "PD-17")
def test_a_button_of_the_panel_that_means_something_else_is_dark_until_it_counts(tmp_path):
    with running(tmp_path, human_pace=True) as live:
        live.note(500)
        live.sit("table")
        live.press("bet")
        live.until(lambda: sum(live.machine.seat.bets), "the bet")
        live.settle()
        live.press("clear")
        live.until(lambda: not sum(live.machine.seat.bets), "the bets being cleared")
        assert live.controller.snapshot().meanings.changes[Button.CLEAR].pushed
        live.until(lambda: Input.CLEAR in live.simulated_devices.panel.lamps(), "the lamp being lit")
        assert live.machine.phase is Phase.BETTING
        live.press("clear")
        live.until(lambda: live.machine.phase is Phase.CHOOSING, "the game choice")


@pytest.mark.requirement("PD-06", "PD-17")
def test_a_finger_on_the_screen_is_followed_like_one_on_the_panel(tmp_path):
    with running(tmp_path, human_pace=True) as live:
        live.note(500)
        live.sit("table")
        live.touch(Button.BET)
        live.until(lambda: sum(live.machine.seat.bets), "the bet")
        live.settle()
        live.touch(Button.CLEAR)
        live.until(lambda: not sum(live.machine.seat.bets), "the bets being cleared")
        up_s = time.monotonic() + 60.0
        live.controller.put(LetGo(button=Button.CLEAR, at_s=up_s))
        live.until(
            lambda: live.controller.snapshot().meanings.changes[Button.CLEAR].up_s == up_s, "the finger being lifted"
        )
