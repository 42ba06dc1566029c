"""The two wires of a pulse acceptor on mock pins."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from gpiozero import Factory
from support.panel import Clock, pins_by

from drivers.errors import ConfigurationError
from drivers.panel.gpio import PulsePins

PULSE, RELEASE = 9, 3


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def factory(clock: Clock) -> Iterator[Factory]:
    made = pins_by(clock)
    yield made
    made.close()


def open_pins(factory: Factory, clock: Clock, woken: list[bool] | None = None) -> PulsePins:
    received = woken if woken is not None else []
    return PulsePins(PULSE, RELEASE, lambda: received.append(True), factory, clock=clock)


def test_edges_come_out_with_level_and_time_once_and_in_order(factory: Factory, clock: Clock) -> None:
    woken: list[bool] = []
    wire = factory.pin(PULSE)
    with closing(open_pins(factory, clock, woken)) as pins:
        assert pins.level()
        wire.hold(False)
        clock.move(0.05)
        wire.hold(True)
        edges = pins.edges()
        assert [level for level, _ in edges] == [False, True]
        assert [at_s for _, at_s in edges] == pytest.approx([100.0, 100.05])
        assert pins.edges() == ()
    assert len(woken) == 2


@pytest.mark.parametrize(("age_s", "stamp_s"), [(0.0, 100.0), (0.25, 99.75), (7.0, 100.0), (-3.0, 100.0)])
def test_an_edge_has_the_time_of_the_kernel_unless_that_is_another_clock(
    factory: Factory, clock: Clock, age_s: float, stamp_s: float
) -> None:
    with closing(open_pins(factory, clock)) as pins:
        factory.pin(PULSE).when_changed(factory.ticks() - age_s, 0)
        ((level, at_s),) = pins.edges()
        assert level is False
        assert at_s == pytest.approx(stamp_s)


@pytest.mark.requirement("BA-04")
def test_the_release_wire_is_low_from_the_start_and_floats_after_the_end(factory: Factory, clock: Clock) -> None:
    wire = factory.pin(RELEASE)
    pins = open_pins(factory, clock)
    assert (wire.function, bool(wire.state)) == ("output", False)
    pins.release(True)
    assert wire.state
    written: list[bool] = []
    wire.watch(written.append)
    pins.close()
    pins.close()
    assert written == [False]
    assert wire.function == "input"


def test_a_pin_that_is_taken_is_named(factory: Factory, clock: Clock) -> None:
    with closing(open_pins(factory, clock)), pytest.raises(ConfigurationError, match="acceptor release on GPIO3"):
        open_pins(factory, clock)
