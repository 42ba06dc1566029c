"""The whole way of a note on a real pseudo-terminal: pump, ID-003 or EBDS, far end, simulated unit."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import pytest
from support.id003_bench import NOTE_TYPES
from support.notes import CHANNELS, TAKE_ALL
from support.street import Acceptor

from drivers.bills.ebds.codec import NOTE_TABLES
from drivers.bills.ebds.host import EbdsProtocol, EbdsTiming
from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Enabled,
    Offered,
    Return,
    Returned,
    Stack,
    Stacked,
    Trouble,
    TroubleBegan,
)
from drivers.bills.id003.host import Id003Protocol, Id003Timing
from drivers.protocol import Confirm, WireProtocol
from drivers.pump import Pump
from drivers.serial_link import open_link
from drivers.simulated import cashflow, uba
from drivers.simulated.cashflow import Cashflow
from drivers.simulated.pty_line import PtyFarEnd
from drivers.simulated.uba import UBA

PATIENCE_S = 60.0
EventT = TypeVar("EventT")
Pair = tuple[Acceptor, WireProtocol[BillEvent, BillOrder]]

PAIRS: dict[str, Callable[[], Pair]] = {
    "id003": lambda: (
        UBA(NOTE_TYPES, timings=uba.INSTANT),
        Id003Protocol(currency="USD", timing=Id003Timing(poll_interval_s=0.02, reply_timeout_s=2.0)),
    ),
    "ebds": lambda: (
        Cashflow(CHANNELS, timings=cashflow.INSTANT),
        EbdsProtocol(currency="USD", timing=EbdsTiming(poll_interval_s=0.02, reply_timeout_s=2.0)),
    ),
    "pyramid": lambda: (
        Cashflow(CHANNELS, extended=False, timings=cashflow.INSTANT),
        EbdsProtocol(
            currency="USD",
            values_cents=NOTE_TABLES["USD"],
            timing=EbdsTiming(poll_interval_s=0.02, reply_timeout_s=2.0),
        ),
    ),
}


class Bench:
    """A running acceptor and its events."""

    def __init__(self, directory: Path, pair: Pair, chunk: int | None) -> None:
        self.unit, protocol = pair
        self.far = PtyFarEnd(self.unit, directory=directory, name="acceptor", chunk=chunk)
        self.received: SimpleQueue[BillEvent] = SimpleQueue()
        self.failures: list[BaseException] = []
        self.pump: Pump[BillEvent, BillOrder] = Pump(
            "acceptor",
            protocol,
            lambda: open_link(self.far.path, protocol.line),
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
        return self.far.call(lambda: self.unit.insert(value_cents))


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(name: str, *, chunk: int | None = None) -> Bench:
        bench = Bench(tmp_path, PAIRS[name](), chunk)
        benches.append(bench)
        bench.far.start()
        bench.pump.order(TAKE_ALL)
        bench.pump.start()
        bench.await_taking()
        return bench

    yield make
    for bench in benches:
        assert bench.pump.stop(PATIENCE_S)
        bench.far.stop()
        assert bench.failures == []
        assert bench.far.failure is None


@pytest.mark.requirement("BA-01", "BA-02", "BA-11")
@pytest.mark.parametrize("chunk", [None, 1])
@pytest.mark.parametrize("name", PAIRS)
def test_a_note_goes_in_once_another_comes_back_and_the_line_may_be_pulled(
    make_bench: Callable[..., Bench], name: str, chunk: int | None
) -> None:
    bench = make_bench(name, chunk=chunk)
    assert bench.insert(2000)
    assert bench.await_event(Offered).value_cents == 2000
    bench.pump.order(Stack())
    stacked = bench.await_event(Stacked)
    assert (stacked.value_cents, stacked.recovered) == (2000, False)
    assert stacked.receipt is not None
    bench.pump.order(Confirm(receipt=stacked.receipt))
    bench.far.unplug()
    assert bench.await_event(TroubleBegan).trouble is Trouble.LINK
    bench.far.replug()
    bench.await_taking()
    assert bench.insert(500)
    bench.await_event(Offered)
    bench.pump.order(Return())
    bench.await_event(Returned)
    assert (bench.unit.stacked, bench.unit.returned) == ([2000], [500])
