"""The pseudo-terminal far end."""

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.errors import LineError
from drivers.simulated.pty_line import PtyFarEnd

PATIENCE_S = 15.0


class Echo:
    """A device that sends received bytes back, inverted, and counts its ticks."""

    def __init__(self) -> None:
        self.owed = b""
        self.ticks = 0

    def receive(self, data: bytes, now: float) -> None:
        self.owed += data[::-1]

    def tick(self, now: float) -> None:
        self.ticks += 1

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self.owed = self.owed, b""
        return owed


@pytest.fixture
def far(tmp_path: Path) -> Iterator[PtyFarEnd]:
    end = PtyFarEnd(Echo(), directory=tmp_path, name="acceptor")
    end.start()
    yield end
    end.stop()


def read(port: int, size: int) -> bytes:
    data = b""
    while len(data) < size and select.select([port], [], [], PATIENCE_S)[0]:
        data += os.read(port, size)
    return data


def test_bytes_reach_the_device_and_its_answer_comes_back(far: PtyFarEnd) -> None:
    port = os.open(far.path, os.O_RDWR | os.O_NOCTTY)
    os.write(port, b"\x7f\x0d\x0a\x03")
    assert read(port, 4) == b"\x03\x0a\x0d\x7f"
    os.close(port)


def test_the_name_goes_with_the_plug_and_returns_with_it(far: PtyFarEnd, tmp_path: Path) -> None:
    port = os.open(far.path, os.O_RDWR | os.O_NOCTTY)
    far.unplug()
    assert not Path(far.path).exists()
    with pytest.raises(OSError, match="Input/output error"):
        os.write(port, b"x")
    os.close(port)
    far.replug()
    assert far.path == str(tmp_path / "acceptor")
    port = os.open(far.path, os.O_RDWR | os.O_NOCTTY)
    os.write(port, b"ab")
    assert read(port, 2) == b"ba"
    os.close(port)


def test_a_call_runs_in_the_device_thread_and_returns_its_result(far: PtyFarEnd) -> None:
    assert far.call(lambda: 6 * 7) == 42
    with pytest.raises(ZeroDivisionError):
        far.call(lambda: 1 // 0)
    assert far.call(lambda: "still running") == "still running"


def test_stop_removes_the_name_and_may_be_repeated(far: PtyFarEnd) -> None:
    far.stop()
    far.stop()
    assert not Path(far.path).exists()


def test_a_broken_device_is_reported_to_its_owner(tmp_path: Path) -> None:
    class Broken(Echo):
        def tick(self, now: float) -> None:
            raise RuntimeError("gears")

    def call_twice() -> None:
        end.call(lambda: None)
        end.call(lambda: None)

    end = PtyFarEnd(Broken(), directory=tmp_path)
    end.start()
    with pytest.raises(LineError, match="gears"):
        call_twice()
    assert isinstance(end.failure, RuntimeError)
    end.stop()
