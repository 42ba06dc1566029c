"""Buttons that are down too long: when it is a fault, which buttons it names, and that it ends by itself."""

from cabinet.engine.inputs import Button, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine, Settings
from cabinet.presentation.press_or_hold import STUCK_S
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.button_watch import ButtonWatch

SETTINGS = Settings()
WELL = Machine()
NEWS = Snapshot(number=1, machine=WELL)
FAULTY = Machine(faults=(Fault.STUCK_BUTTON,))


def began(detail: str) -> list[FaultBegan]:
    return [FaultBegan(fault=Fault.STUCK_BUTTON, detail=detail)]


def test_a_button_that_is_down_for_half_a_minute_is_stuck_once():
    watch = ButtonWatch(SETTINGS, ())
    watch.press(Button.BET, NEWS, 10.0)
    assert list(watch.facts(WELL, 9.9 + STUCK_S)) == []
    assert list(watch.facts(WELL, 10.0 + STUCK_S)) == began("bet")
    assert list(watch.facts(FAULTY, 11.0 + STUCK_S)) == []


def test_a_button_that_is_let_go_in_time_was_never_stuck():
    watch = ButtonWatch(SETTINGS, ())
    watch.press(Button.BET, NEWS, 10.0)
    watch.release(Button.BET, NEWS, 0.0)
    watch.press(Button.BET, NEWS, 39.5)
    assert list(watch.facts(WELL, 60.0)) == []


def test_the_fault_is_over_when_the_last_button_is_free():
    watch = ButtonWatch(SETTINGS, ())
    watch.press(Button.HIT, NEWS, 10.0)
    watch.press(Button.BET, NEWS, 12.0)
    assert list(watch.facts(WELL, 50.0)) == began("bet, hit")
    watch.release(Button.HIT, NEWS, 0.0)
    assert list(watch.facts(FAULTY, 51.0)) == began("bet")
    watch.release(Button.BET, NEWS, 0.0)
    assert list(watch.facts(FAULTY, 52.0)) == [FaultEnded(fault=Fault.STUCK_BUTTON)]
    assert list(watch.facts(WELL, 53.0)) == []


def test_a_button_that_is_down_at_the_start_is_stuck_at_once_and_ends_by_itself():
    watch = ButtonWatch(SETTINGS, (Button.DEAL,))
    assert list(watch.facts(WELL, 5.0)) == began("deal")
    watch.release(Button.DEAL, NEWS, 0.0)
    assert list(watch.facts(FAULTY, 6.0)) == [FaultEnded(fault=Fault.STUCK_BUTTON)]


def test_a_fault_of_an_earlier_run_is_over_when_no_button_is_down():
    assert list(ButtonWatch(SETTINGS, ()).facts(FAULTY, 0.0)) == [FaultEnded(fault=Fault.STUCK_BUTTON)]
