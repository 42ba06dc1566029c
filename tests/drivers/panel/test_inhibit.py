"""The release line is inhibited unless a running program releases it."""

import pytest

from drivers.panel.inhibit import InhibitLine


class Wire:
    """Keeps the written levels."""

    def __init__(self) -> None:
        self.written: list[bool] = []

    def write(self, released: bool) -> None:
        self.written.append(released)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.mark.requirement("BA-04")
def test_it_starts_inhibited(wire: Wire) -> None:
    line = InhibitLine(wire.write)
    assert wire.written == [False]
    assert not line.released
    assert line.due() is None


def test_it_is_released_while_the_release_is_repeated_in_time(wire: Wire) -> None:
    line = InhibitLine(wire.write, alive_s=1.0)
    for now in (10.0, 10.9, 11.8):
        line.release(now)
        line.tick(now + 0.99)
    assert wire.written == [False, True]
    assert line.due() == pytest.approx(12.8)


@pytest.mark.requirement("BA-04")
def test_silence_inhibits_it(wire: Wire) -> None:
    line = InhibitLine(wire.write, alive_s=1.0)
    line.release(10.0)
    line.tick(11.0)
    assert wire.written == [False, True, False]
    line.tick(99.0)
    assert wire.written == [False, True, False]


@pytest.mark.parametrize("end", ["inhibit", "close"])
def test_the_end_inhibits_it_once(wire: Wire, end: str) -> None:
    line = InhibitLine(wire.write)
    line.release(10.0)
    for _ in range(2):
        getattr(line, end)()
    assert wire.written == [False, True, False]
    assert not line.released
