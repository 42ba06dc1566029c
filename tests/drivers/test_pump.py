"""The pump: one thread, orders in, events out, reconnects; a failure is always reported."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

import pytest

from drivers.errors import LineError, LineGoneError
from drivers.protocol import LineSettings
from drivers.pump import FIRST_BACK_OFF_S, STOP_GRACE_S, OutageLog, Pump

PATIENCE_S = 60.0


class Cable:
    """A line in memory whose far end is the test."""

    def __init__(self) -> None:
        self.incoming: SimpleQueue[bytes] = SimpleQueue()
        self.written: SimpleQueue[bytes] = SimpleQueue()
        self.gone = threading.Event()
        self.closed = threading.Event()

    def read(self, max_wait_s: float) -> bytes:
        if self.gone.is_set():
            raise LineGoneError("pulled")
        try:
            return self.incoming.get(timeout=max(max_wait_s, 0.001))
        except Empty:
            return b""

    def write(self, data: bytes) -> None:
        self.written.put(data)

    def wake(self) -> None:
        self.incoming.put(b"")

    def close(self) -> None:
        self.closed.set()


@dataclass(slots=True)
class Parrot:
    """A protocol that answers bytes with bytes and reports everything that is done to it."""

    out: list[str] = field(default_factory=list)
    owed: bytes = b""
    wake_at: float | None = None

    @property
    def line(self) -> LineSettings:
        return LineSettings(baud=9600)

    def opened(self, now: float) -> None:
        self.out.append("opened")

    def closed(self, now: float) -> None:
        self.out.append("closed")

    def receive(self, data: bytes, now: float) -> None:
        if data == b"bug":
            raise ZeroDivisionError("a mistake of ours")
        self.owed += data.upper()
        self.out.append(f"received {data.decode()}")

    def order(self, order: str, now: float) -> None:
        if order == "wake":
            self.wake_at = now
        self.out.append(f"ordered {order}")

    def tick(self, now: float) -> None:
        self.wake_at = None
        self.out.append("ticked")

    def due(self) -> float | None:
        return self.wake_at

    def bytes_to_send(self) -> bytes:
        owed, self.owed = self.owed, b""
        return owed

    def events(self) -> list[str]:
        out, self.out = self.out, []
        return out


class Rig:
    """A pump with its protocol, cables handed out one after the other, and everything that came out."""

    def __init__(self, openings: list[Cable | LineError]) -> None:
        self.received: SimpleQueue[str] = SimpleQueue()
        self.failures: SimpleQueue[BaseException] = SimpleQueue()
        self.openings = openings
        self.pump: Pump[str, str] = Pump("test", Parrot(), self.open, self.received.put, failed=self.failures.put)

    def open(self) -> Cable:
        opening = self.openings.pop(0) if self.openings else LineError("none left")
        if isinstance(opening, LineError):
            raise opening
        return opening

    def expect(self, *events: str) -> None:
        assert [self.received.get(timeout=PATIENCE_S) for _ in events] == list(events)


@pytest.fixture
def make_rig() -> Iterator[Callable[..., Rig]]:
    rigs: list[Rig] = []

    def make(*openings: Cable | LineError) -> Rig:
        rigs.append(Rig(list(openings)))
        return rigs[-1]

    yield make
    for rig in rigs:
        assert rig.pump.stop(PATIENCE_S)


def test_bytes_orders_and_ticks_reach_the_protocol_and_its_answers_come_out(make_rig: Callable[..., Rig]) -> None:
    cable = Cable()
    rig = make_rig(cable)
    rig.pump.start()
    rig.expect("opened")
    cable.incoming.put(b"hello")
    rig.expect("received hello")
    assert cable.written.get(timeout=PATIENCE_S) == b"HELLO"
    rig.pump.order("wake")
    rig.expect("ordered wake", "ticked")


def test_a_second_start_never_makes_a_second_thread(make_rig: Callable[..., Rig]) -> None:
    rig = make_rig(Cable())
    rig.pump.start()
    rig.expect("opened")
    before = threading.active_count()
    rig.pump.start()
    assert threading.active_count() == before
    assert rig.openings == []


@pytest.mark.requirement("BA-11")
def test_a_line_that_goes_is_reported_and_opened_again(make_rig: Callable[..., Rig]) -> None:
    first, second = Cable(), Cable()
    rig = make_rig(first, second)
    rig.pump.start()
    rig.expect("opened")
    first.gone.set()
    rig.expect("closed", "opened")
    assert first.closed.is_set()
    second.incoming.put(b"x")
    rig.expect("received x")
    assert rig.pump.connected


@pytest.mark.requirement("BA-11")
def test_a_line_that_opens_and_fails_at_once_is_not_opened_without_a_rest(make_rig: Callable[..., Rig]) -> None:
    broken = [Cable() for _ in range(3)]
    for cable in broken:
        cable.gone.set()
    rig = make_rig(*broken, Cable())
    began = time.monotonic()

    rig.pump.start()
    rig.expect("opened", "closed", "opened", "closed", "opened", "closed", "opened")

    assert time.monotonic() - began >= 3 * FIRST_BACK_OFF_S


@pytest.mark.requirement("BA-11")
def test_a_line_that_cannot_be_opened_is_tried_again_and_orders_are_taken_meanwhile(
    make_rig: Callable[..., Rig],
) -> None:
    rig = make_rig(LineError("not there"), Cable())
    rig.pump.order("early")
    rig.pump.start()
    rig.expect("closed", "ordered early", "opened")


class MovedTime:
    """A clock that only the pauses of the pump move."""

    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        return self.now

    def wait(self, stopping: threading.Event, seconds: float) -> bool:
        self.now += seconds
        return stopping.is_set()


@pytest.mark.requirement("BA-11")
def test_the_pause_between_attempts_doubles_to_five_seconds_and_is_reset_by_a_line() -> None:
    """The line can be opened at the ninth attempt, is gone at once, and can be opened again two attempts later."""
    time_, attempts, done = MovedTime(), list[float](), threading.Event()
    gone = Cable()
    gone.gone.set()

    def open_line() -> Cable:
        attempts.append(time_.now)
        if len(attempts) == 12:
            done.set()
        if len(attempts) == 9:
            return gone
        raise LineError("not there")

    pump: Pump[str, str] = Pump(
        "test", Parrot(), open_line, lambda _: None, failed=lambda _: None, clock=time_.read, wait=time_.wait
    )
    pump.start()
    assert done.wait(PATIENCE_S)
    assert pump.stop(PATIENCE_S)

    assert attempts[:12] == [0.0, 0.5, 1.5, 3.5, 7.5, 12.5, 17.5, 22.5, 27.5, 28.0, 28.5, 29.5]


def test_a_pump_without_a_line_is_alive_for_the_watchdog(make_rig: Callable[..., Rig]) -> None:
    rig = make_rig()
    rig.pump.start()
    rig.expect("closed")
    before = rig.pump.last_alive
    rig.pump.order("ping")
    rig.expect("ordered ping")
    assert rig.pump.last_alive >= before
    assert not rig.pump.connected
    assert rig.pump.failure is None


def test_a_mistake_of_ours_ends_the_pump_and_is_reported(make_rig: Callable[..., Rig]) -> None:
    cable = Cable()
    rig = make_rig(cable)
    rig.pump.start()
    cable.incoming.put(b"bug")
    failure = rig.failures.get(timeout=PATIENCE_S)
    assert isinstance(failure, ZeroDivisionError)
    assert rig.pump.stop(PATIENCE_S)
    assert rig.pump.failure is failure
    assert cable.closed.is_set()
    assert not rig.pump.connected


def test_a_broken_delivery_ends_the_pump_too() -> None:
    failures: SimpleQueue[BaseException] = SimpleQueue()

    def refuse(event: str) -> None:
        raise RuntimeError(event)

    pump: Pump[str, str] = Pump("test", Parrot(), Cable, refuse, failed=failures.put)
    pump.start()
    assert str(failures.get(timeout=PATIENCE_S)) == "opened"
    assert pump.stop(PATIENCE_S)


def test_stop_lets_the_last_orders_out_and_closes_the_line(make_rig: Callable[..., Rig]) -> None:
    cable = Cable()
    rig = make_rig(cable)
    rig.pump.start()
    rig.expect("opened")
    rig.pump.order("inhibit")
    assert rig.pump.stop(PATIENCE_S)
    rig.expect("ordered inhibit")
    assert cable.closed.is_set()
    assert rig.pump.stop(PATIENCE_S)


def test_stop_takes_what_the_device_still_answers() -> None:
    moment = [0.0]

    class LastAnswer(Cable):
        """A line whose device still answers; with the reply the time for it is over."""

        def wake(self) -> None:
            self.incoming.put(b"")
            self.incoming.put(b"done")

        def write(self, data: bytes) -> None:
            super().write(data)
            moment[0] += STOP_GRACE_S

    received: SimpleQueue[str] = SimpleQueue()
    pump: Pump[str, str] = Pump(
        "test", Parrot(), LastAnswer, received.put, failed=received.put, clock=lambda: moment[0]
    )
    pump.start()
    assert received.get(timeout=PATIENCE_S) == "opened"
    assert pump.stop(PATIENCE_S)
    assert received.get_nowait() == "received done"


def test_stop_interrupts_the_wait_for_a_line(make_rig: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.pump.FIRST_BACK_OFF_S", 6 * PATIENCE_S)
    rig = make_rig(LineError("not there"))
    rig.pump.start()
    rig.expect("closed")
    assert rig.pump.stop(PATIENCE_S)


def test_a_pump_never_started_stops_at_once(make_rig: Callable[..., Rig]) -> None:
    assert make_rig(Cable()).pump.stop(0.0)


def test_a_lost_line_is_reported_at_once_then_ever_more_rarely_and_once_when_it_is_back(caplog):
    complaint, gone = OutageLog("printer"), LineGoneError("pulled")
    for second in range(0, 24 * 3600, 5):
        complaint.report(gone, float(second))
    reported = [record.getMessage() for record in caplog.records]
    assert reported[:3] == [
        "pump printer: pulled",
        "pump printer: for 60 s so far: pulled",
        "pump printer: for 120 s so far: pulled",
    ]
    assert len(reported) < 40
    caplog.clear()
    for now in (86_400.0, 86_401.0):
        complaint.end(now)
    assert [record.getMessage() for record in caplog.records] == ["pump printer: the line is back after 86400 s"]
    complaint.report(gone, 86_402.0)
    assert caplog.records[-1].getMessage() == "pump printer: pulled"
