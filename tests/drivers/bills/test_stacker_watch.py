"""A stacker that never ends is a jam, in every protocol and report of stacking."""

from collections.abc import Callable

import pytest
from support import ebds_bench, id003_bench, ssp_bench
from support.notes import CHANNELS, TAKE_ALL
from support.wire import Wire

from drivers.bills.active_faults import ActiveFaults, StackerWatch
from drivers.bills.ebds.host import EbdsProtocol, EbdsTiming
from drivers.bills.events import Offered, Stack, Trouble, TroubleBegan, TroubleEnded
from drivers.bills.id003.host import Id003Protocol, Id003Timing
from drivers.bills.ssp.host import SspProtocol, SspTiming
from drivers.simulated import cashflow, nv9, uba

PATIENCE_S = 3.0
FOR_EVER_S = 100_000.0
JAM = TroubleBegan(trouble=Trouble.JAM, detail=f"a note is on its way into the stacker for more than {PATIENCE_S:g} s")


def ssp() -> Wire:
    unit = nv9.NV9(CHANNELS, timings=nv9.Timings(stacking_s=FOR_EVER_S))
    return ssp_bench.running(unit, SspProtocol(timing=SspTiming(stacking_patience_s=PATIENCE_S)))


def id003() -> Wire:
    unit = uba.UBA(id003_bench.NOTE_TYPES, timings=uba.Timings(stacking_s=FOR_EVER_S))
    return id003_bench.running(unit, Id003Protocol(currency="USD", timing=Id003Timing(stacking_patience_s=PATIENCE_S)))


def ebds() -> Wire:
    unit = cashflow.Cashflow(CHANNELS, timings=cashflow.Timings(stacking_s=FOR_EVER_S))
    return ebds_bench.running(unit, EbdsProtocol(currency="USD", timing=EbdsTiming(stacking_patience_s=PATIENCE_S)))


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("bench", [ssp, id003, ebds])
def test_a_note_that_is_stacked_for_ever_is_a_jam_in_every_language_that_shows_it(bench: Callable[[], Wire]) -> None:
    wire = bench()
    wire.order(TAKE_ALL)
    assert wire.device.insert(2000)  # type: ignore[attr-defined]
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until_event(TroubleBegan, at_most_s=10.0)
    wire.run(140.0)
    assert [event for event in wire.events if isinstance(event, TroubleBegan | TroubleEnded)] == [JAM]


def test_stacking_that_ends_in_time_is_no_jam_and_each_note_has_the_full_time() -> None:
    faults = ActiveFaults()
    watch = StackerWatch(faults, patience_s=PATIENCE_S)
    for now, stacking in ((0.0, True), (2.9, True), (3.0, False), (3.1, True), (6.0, True)):
        watch.watch(stacking=stacking, now=now)
        assert faults.edges() == []


def test_the_jam_ends_when_the_note_is_shown_no_more_and_another_cause_of_a_jam_stays() -> None:
    faults = ActiveFaults()
    watch = StackerWatch(faults, patience_s=PATIENCE_S)
    watch.watch(stacking=True, now=0.0)
    watch.watch(stacking=True, now=3.0)
    faults.begin(Trouble.JAM, "", "path")
    watch.watch(stacking=False, now=4.0)
    assert faults.edges() == [JAM]
    faults.end(Trouble.JAM, "path")
    assert faults.edges() == [TroubleEnded(trouble=Trouble.JAM)]
