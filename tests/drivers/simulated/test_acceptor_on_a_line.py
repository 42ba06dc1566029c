"""The whole way of a note on a real pseudo-terminal: pump, SSP, far end, NV9."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import pytest
from support.notes import CHANNELS, TAKE_ALL
from support.ssp_bench import draw

from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Enabled,
    Offered,
    Return,
    Returned,
    Stack,
    Stacked,
    Started,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ssp.host import LINE, SspProtocol, SspTiming
from drivers.bills.ssp.secret import Secrecy
from drivers.protocol import Confirm
from drivers.pump import Pump
from drivers.serial_link import open_link
from drivers.simulated.nv9 import INSTANT, NV9
from drivers.simulated.pty_line import PtyFarEnd

PATIENCE_S = 60.0
EventT = TypeVar("EventT")


class Bench:
    """A running acceptor and its events."""

    def __init__(self, directory: Path, chunk: int | None, *, sealed: bool) -> None:
        self.nv9 = NV9(CHANNELS, timings=INSTANT, encryption="demanded" if sealed else "offered")
        secrecy = Secrecy(draw=draw) if sealed else None
        self.far = PtyFarEnd(self.nv9, directory=directory, name="acceptor", chunk=chunk)
        self.received: SimpleQueue[BillEvent] = SimpleQueue()
        self.failures: list[BaseException] = []
        self.pump: Pump[BillEvent, BillOrder] = Pump(
            "acceptor",
            SspProtocol(timing=SspTiming(poll_interval_s=0.02, reply_timeout_s=2.0, repeats=2), secrecy=secrecy),
            lambda: open_link(self.far.path, LINE),
            self.received.put,
            failed=self.failures.append,
        )

    def await_event(self, kind: type[EventT]) -> EventT:
        """Returns the next event of this kind; skips others."""
        while True:
            event = self.received.get(timeout=PATIENCE_S)
            if isinstance(event, kind):
                return event

    def await_taking(self) -> None:
        while not self.await_event(Enabled).taking:
            pass

    def insert(self, value_cents: int) -> bool:
        return self.far.call(lambda: self.nv9.insert(value_cents))

    def take(self, value_cents: int) -> Stacked:
        """Run one note all the way into the box."""
        assert self.insert(value_cents)
        assert self.await_event(Offered).value_cents == value_cents
        self.pump.order(Stack())
        stacked = self.await_event(Stacked)
        assert stacked.receipt is not None
        self.pump.order(Confirm(receipt=stacked.receipt))
        return stacked


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(*, chunk: int | None = None, sealed: bool = False) -> Bench:
        bench = Bench(tmp_path, chunk, sealed=sealed)
        benches.append(bench)
        bench.far.start()
        bench.pump.order(TAKE_ALL)
        bench.pump.start()
        bench.await_event(Started)
        bench.await_taking()
        return bench

    yield make
    for bench in benches:
        assert bench.pump.stop(PATIENCE_S)
        bench.far.stop()
        assert bench.failures == []
        assert bench.far.failure is None


@pytest.mark.requirement("BA-01", "BA-02")
@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("chunk", [None, 1])
def test_a_note_goes_in_once(make_bench: Callable[..., Bench], *, chunk: int | None, sealed: bool) -> None:
    bench = make_bench(chunk=chunk, sealed=sealed)
    stacked = bench.take(2000)
    assert (stacked.value_cents, stacked.recovered) == (2000, False)
    assert bench.nv9.stacked == [2000]


def test_a_note_goes_back_on_return(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench()
    assert bench.insert(500)
    bench.await_event(Offered)
    bench.pump.order(Return())
    assert bench.await_event(Returned) == Returned()
    assert (bench.nv9.stacked, bench.nv9.returned) == ([], [500])


@pytest.mark.requirement("BA-11")
def test_an_unplugged_acceptor_is_reported_and_takes_notes_again_when_it_is_back(
    make_bench: Callable[..., Bench],
) -> None:
    bench = make_bench()
    bench.far.unplug()
    assert bench.await_event(Enabled) == Enabled(taking=False)
    assert bench.await_event(TroubleBegan).trouble is Trouble.LINK
    bench.far.replug()
    assert bench.await_event(TroubleEnded).trouble is Trouble.LINK
    bench.await_event(Started)
    bench.await_taking()
    assert bench.take(1000).value_cents == 1000


@pytest.mark.requirement("BA-03")
def test_a_note_held_while_the_line_is_pulled_goes_back(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench()
    assert bench.insert(5000)
    bench.await_event(Offered)
    bench.far.unplug()
    bench.await_event(TroubleBegan)
    bench.pump.order(Stack())
    bench.far.replug()
    bench.await_event(Returned)
    bench.await_event(Started)
    assert (bench.nv9.stacked, bench.nv9.returned) == ([], [5000])


@pytest.mark.requirement("BA-03")
def test_a_power_cut_in_escrow_gives_the_note_back(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench()
    assert bench.insert(5000)
    bench.await_event(Offered)
    bench.far.call(bench.nv9.power_cycle)
    assert bench.await_event(Returned).recovered
    bench.await_taking()
    assert (bench.nv9.stacked, bench.nv9.returned) == ([], [5000])


def test_stopping_after_an_inhibit_leaves_the_acceptor_disabled(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench()
    bench.pump.order(type(TAKE_ALL)(channels=frozenset()))
    assert bench.pump.stop(PATIENCE_S)
    assert not bench.nv9.enabled
