"""The wires of a pulse acceptor as a link: records out of the pins, release and inhibit onto them."""

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from drivers.bills.pulse.line import INHIBIT, RELEASE, write_edge
from drivers.errors import ConfigurationError
from drivers.panel import pulse_link
from drivers.panel.layout import Level
from drivers.panel.pin_factory import make_factory
from drivers.panel.pulse_link import PulseLink

PULSE, FREE = 15, 9
RECORD = len(write_edge(True, 0.0))
PATIENCE_S = 15.0


@pytest.fixture
def factory() -> Iterator[Any]:
    made = make_factory("mock")
    yield made
    made.close()


def kinds(records: bytes) -> bytes:
    """The first letter of each record."""
    return records[::RECORD]


@pytest.mark.parametrize(("active", "idle"), [(Level.LOW, True), (Level.HIGH, False)])
def test_the_first_record_is_the_level_found_and_each_change_is_one_more(
    factory: Any, active: Level, idle: bool
) -> None:
    wire = factory.pin(PULSE)
    wire.hold(idle)
    with closing(PulseLink(pulse=PULSE, release=FREE, active=active, factory=factory)) as link:
        assert kinds(link.read(0.0)) == b"h"
        wire.hold(not idle)
        wire.hold(idle)
        assert kinds(link.read(PATIENCE_S)) == b"LH"
        assert link.read(0.0) == b""


def test_a_line_that_is_found_low_is_reported_as_such(factory: Any) -> None:
    factory.pin(PULSE).hold(False)
    with closing(PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)) as link:
        assert kinds(link.read(0.0)) == b"l"


@pytest.mark.requirement("BA-04")
def test_what_is_written_releases_and_inhibits_and_closing_inhibits(factory: Any) -> None:
    wire = factory.pin(FREE)
    link = PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)
    assert (wire.function, bool(wire.state)) == ("output", False)
    link.write(RELEASE)
    assert wire.state
    link.write(RELEASE + INHIBIT)
    assert not wire.state
    link.write(RELEASE)
    written: list[bool] = []
    wire.watch(written.append)
    link.close()
    link.close()
    assert written == [False]
    assert wire.function == "input"


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-04")
def test_an_edge_inhibits_at_once_and_outweighs_a_release_that_knew_nothing_of_it(factory: Any) -> None:
    pulses, free = factory.pin(PULSE), factory.pin(FREE)
    pulses.hold(True)
    with closing(PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)) as link:
        link.read(0.0)
        link.write(RELEASE)
        assert free.state
        pulses.hold(False)
        link.write(RELEASE)
        assert not free.state
        assert kinds(link.read(PATIENCE_S)) == b"L"
        link.write(RELEASE)
        assert free.state
        pulses.hold(True)
        link.read(PATIENCE_S)
        assert not free.state


@pytest.mark.requirement("BA-04")
def test_silence_inhibits(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse_link, "INHIBIT_AFTER_S", 0.02)
    wire = factory.pin(FREE)
    with closing(PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)) as link:
        link.read(0.0)
        link.write(RELEASE)
        assert link.read(PATIENCE_S) == b""
        assert not wire.state


def test_waking_ends_a_read(factory: Any) -> None:
    with closing(PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)) as link:
        link.read(0.0)
        reader = threading.Thread(target=link.read, args=(60.0,), daemon=True)
        reader.start()
        link.wake()
        reader.join(PATIENCE_S)
        assert not reader.is_alive()


def test_a_pin_that_is_taken_is_named_at_once(factory: Any) -> None:
    first = PulseLink(pulse=PULSE, release=FREE, active=Level.LOW, factory=factory)
    with closing(first), pytest.raises(ConfigurationError, match="acceptor release on GPIO9"):
        PulseLink(pulse=2, release=FREE, active=Level.LOW, factory=factory)
