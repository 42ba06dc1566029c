"""The whole way of a note on a real pseudo-terminal: pump, ccTalk or ICT, far end, simulated unit."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from support.notes import CHANNELS, TAKE_ALL, Keeper

from drivers.bills.cctalk.frame import Check
from drivers.bills.cctalk.host import CcTalkProtocol, CcTalkTiming
from drivers.bills.events import BillEvent, BillOrder, Enabled, Stacked
from drivers.bills.ict.host import IctProtocol, IctTiming
from drivers.protocol import WireProtocol
from drivers.pump import Pump
from drivers.serial_link import open_link
from drivers.simulated import cctalk_validator, ict
from drivers.simulated.cctalk_validator import CcTalkValidator
from drivers.simulated.ict import Ict
from drivers.simulated.pty_line import PtyFarEnd

PATIENCE_S = 60.0
Pair = tuple[CcTalkValidator | Ict, WireProtocol[BillEvent, BillOrder]]


def make_cctalk(check: Check) -> Pair:
    unit = CcTalkValidator(CHANNELS, check=check, timings=cctalk_validator.INSTANT)
    return unit, CcTalkProtocol(timing=CcTalkTiming(poll_interval_s=0.02, reply_timeout_s=2.0, repeats=2))


PAIRS: dict[str, Callable[[], Pair]] = {
    "cctalk": lambda: make_cctalk(Check.SIMPLE),
    "cctalk with crc": lambda: make_cctalk(Check.CRC),
    "ict": lambda: (Ict(CHANNELS, timings=ict.INSTANT), IctProtocol(CHANNELS, timing=IctTiming(settle_s=0.3))),
}


class Bench:
    """A running acceptor and the smallest cabinet that takes its notes; `taking` is the last report."""

    def __init__(self, directory: Path, pair: Pair, chunk: int | None) -> None:
        self.unit, protocol = pair
        self.far = PtyFarEnd(self.unit, directory=directory, name="acceptor", chunk=chunk)
        self.received: SimpleQueue[BillEvent] = SimpleQueue()
        self.failures: list[BaseException] = []
        self.keeper = Keeper()
        self.taking = False
        self.pump: Pump[BillEvent, BillOrder] = Pump(
            "acceptor",
            protocol,
            lambda: open_link(self.far.path, protocol.line),
            self.received.put,
            failed=self.failures.append,
        )

    def handle(self) -> BillEvent:
        event = self.received.get(timeout=PATIENCE_S)
        if isinstance(event, Enabled):
            self.taking = event.taking
        for order in self.keeper.handle(event):
            self.pump.order(order)
        return event

    def take(self, value_cents: int) -> None:
        """Wait until notes are taken, put one in, and act as the cabinet until it is stacked."""
        while not self.taking:
            self.handle()
        assert self.far.call(lambda: self.unit.insert(value_cents))
        while not isinstance(self.handle(), Stacked):
            pass


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(name: str, *, chunk: int | None) -> Bench:
        bench = Bench(tmp_path, PAIRS[name](), chunk)
        benches.append(bench)
        bench.far.start()
        bench.pump.order(TAKE_ALL)
        bench.pump.start()
        return bench

    yield make
    for bench in benches:
        assert bench.pump.stop(PATIENCE_S)
        bench.far.stop()
        assert (bench.failures, bench.far.failure) == ([], None)


@pytest.mark.requirement("BA-01", "BA-02")
@pytest.mark.parametrize(("name", "chunk"), [("cctalk", None), ("cctalk", 1), ("cctalk with crc", None), ("ict", 1)])
def test_notes_go_in_one_after_the_other(make_bench: Callable[..., Bench], name: str, chunk: int | None) -> None:
    bench = make_bench(name, chunk=chunk)
    for value_cents in (2000, 500):
        bench.take(value_cents)
    assert bench.keeper.credited == bench.unit.stacked == [2000, 500]
