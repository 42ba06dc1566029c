"""Faults of an EBDS unit, in virtual time: each begins once and ends once, with its own kind."""

from itertools import pairwise

import pytest
from support.ebds_bench import ScriptedUnit, cashflow, events_after, join, running
from support.notes import CHANNELS, TAKE_ALL

from drivers.bills.ebds.codec import Flag, write_status
from drivers.bills.events import Offered, Returned, Stack, Started, Take, Trouble, TroubleBegan, TroubleEnded
from drivers.simulated.cashflow import Cashflow


@pytest.mark.requirement("BA-08", "BA-09")
@pytest.mark.parametrize(
    ("fault", "trouble", "detail"),
    [
        (Flag.JAMMED, Trouble.JAM, ""),
        (Flag.FULL, Trouble.STACKER_FULL, ""),
        (Flag.FAILURE, Trouble.HARDWARE, "the unit has failed"),
        (Flag.PAUSED, Trouble.HARDWARE, "paused: a second note is in the way, take it out"),
        (Flag.TRANSPORT_OPEN, Trouble.HARDWARE, "the note path is open"),
        (Flag.STALLED, Trouble.HARDWARE, "the note path is stalled"),
        (Flag.CALIBRATING, Trouble.HARDWARE, "calibrating"),
    ],
)
def test_a_fault_begins_once_and_ends_once(fault: Flag, trouble: Trouble, detail: str) -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.break_down(fault)
    wire.run(10.0)
    unit.repair(fault)
    wire.run(3.0)
    assert [event for event in wire.events if isinstance(event, TroubleBegan | TroubleEnded)] == [
        TroubleBegan(trouble=trouble, detail=detail),
        TroubleEnded(trouble=trouble),
    ]


@pytest.mark.requirement("BA-08")
def test_a_missing_cassette_is_distinguished() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.remove_cashbox()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CASHBOX_REMOVED)]
    unit.replace_cashbox()
    assert events_after(wire) == [TroubleEnded(trouble=Trouble.CASHBOX_REMOVED)]


def test_a_unit_out_of_service_without_a_reason_is_a_fault() -> None:
    nothing = write_status(Flag.CASSETTE)
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*[nothing] * 100)
    assert TroubleBegan(trouble=Trouble.HARDWARE, detail="out of service") in events_after(wire, 8.0)
    assert TroubleEnded(trouble=Trouble.HARDWARE) in events_after(wire, 8.0)


def test_a_unit_that_stays_out_of_service_is_reported_now_and_then_not_over_and_over() -> None:
    """The cabinet disables the unit during the fault, and a disabled unit may show no state of motion."""
    nothing = write_status(Flag.CASSETTE)
    unit = ScriptedUnit(*[nothing] * 10_000)
    wire = join(unit)
    reported_s: list[float] = []
    for _ in range(5):
        wire.run_until_event(TroubleBegan, at_most_s=120.0)
        reported_s.append(wire.now)
        wire.order(Take(channels=frozenset()))
        wire.run_until_event(TroubleEnded, at_most_s=120.0)
        wire.order(TAKE_ALL)
    assert min(after - before for before, after in pairwise(reported_s)) > 50.0


@pytest.mark.parametrize("taking", [True, False])
def test_a_unit_that_is_in_service_again_is_reported_at_once(*, taking: bool) -> None:
    unit = ScriptedUnit(*[write_status(Flag.CASSETTE)] * 80)
    wire = join(unit)
    wire.run_until_event(TroubleBegan)
    if not taking:
        wire.order(Take(channels=frozenset()))
    wire.run_until_event(TroubleEnded, at_most_s=5.0)


@pytest.mark.requirement("BA-08")
def test_a_note_pulled_back_is_void_and_an_alarm() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
    unit.cheat()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"), Returned()]
    assert unit.stacked == []


def test_a_start_up_meets_what_is_there() -> None:
    unit = ScriptedUnit(write_status(Flag.JAMMED, Flag.CASSETTE), *[write_status(Flag.JAMMED, Flag.CASSETTE)] * 20)
    wire = join(unit)
    wire.run_until_event(Started)
    assert TroubleBegan(trouble=Trouble.JAM) in wire.events
