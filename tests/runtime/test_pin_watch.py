"""After too many wrong PINs only time lets another be tried; a restart begins it again."""

from dataclasses import replace

import pytest
from support.machines import SETTINGS, Cabinet, seated

from cabinet.engine import technician
from cabinet.engine.inputs import Door, DoorClosed, DoorOpened, Fact, Key, KeyTurned, PinEntered, PinWaitOver
from cabinet.runtime.pin_watch import PinWatch

WITH_PIN = replace(SETTINGS, technician_pin=True)


@pytest.fixture
def cabinet() -> Cabinet:
    """A cabinet on which the last PIN that is taken was wrong."""
    seat = seated(settings=WITH_PIN)
    wrong = [PinEntered(right=False)] * technician.TRIES
    seat.do(KeyTurned(key=Key.AUDIT, on=True), DoorOpened(door=Door.LOGIC), *wrong)
    return seat


def facts(watch: PinWatch, cabinet: Cabinet, now: float) -> list[Fact]:
    """The facts at a moment; the machine takes them."""
    found = list(watch.facts(cabinet.machine, now))
    cabinet.do(*found) if found else None
    return found


@pytest.mark.requirement("SE-07")
def test_the_lock_out_ends_after_its_time_and_not_before(cabinet: Cabinet) -> None:
    watch = PinWatch(lock_out_s=900)
    assert facts(watch, cabinet, 100.0) == []
    cabinet.do(DoorClosed(door=Door.LOGIC), DoorOpened(door=Door.LOGIC))
    assert facts(watch, cabinet, 999.9) == []
    assert watch.left_s == pytest.approx(0.1)
    assert facts(watch, cabinet, 1_000.0) == [PinWaitOver()]
    assert cabinet.machine.access.wrong_pins == 0
    assert facts(watch, cabinet, 1_001.0) == []
    assert watch.left_s == 0


@pytest.mark.requirement("SE-07")
def test_a_restart_begins_the_time_of_a_lock_out_again(cabinet: Cabinet) -> None:
    """The monotonic clock begins anew, too."""
    assert facts(PinWatch(lock_out_s=900), cabinet, 5_000.0) == []
    after = PinWatch(lock_out_s=900)
    assert facts(after, cabinet, 10.0) == []
    assert facts(after, cabinet, 909.0) == []
    assert facts(after, cabinet, 910.0) == [PinWaitOver()]


@pytest.mark.requirement("SE-07")
def test_a_second_lock_out_lasts_as_long_as_the_first(cabinet: Cabinet) -> None:
    watch = PinWatch(lock_out_s=900)
    for begun in (0.0, 10_000.0):
        assert facts(watch, cabinet, begun) == []
        assert facts(watch, cabinet, begun + 899) == []
        assert facts(watch, cabinet, begun + 900) == [PinWaitOver()]
        assert facts(watch, cabinet, begun + 901) == []
        cabinet.do(*[PinEntered(right=False)] * technician.TRIES)
