"""The host's side of ccTalk, in virtual time: notes when line, host or power fail."""

import pytest
from support.cctalk_bench import Unit, events_after, join, running, stacking
from support.wire import byte_by_byte, unharmed

from drivers.bills.cctalk.codec import Header
from drivers.bills.cctalk.host import CcTalkProtocol
from drivers.bills.events import (
    Enabled,
    Offered,
    Returned,
    Stack,
    Stacked,
    Started,
    TroubleBegan,
    TroubleEnded,
)
from drivers.protocol import Confirm

TWENTY = Stacked(channel=5, value_cents=2000, receipt=1)


@pytest.mark.requirement("BA-11")
def test_a_silent_unit_is_a_link_fault_once_and_is_started_anew_when_it_answers() -> None:
    unit = Unit()
    wire = running(unit)
    unit.answers = dict.fromkeys(range(256))
    wire.run(60.0)
    assert [type(event) for event in wire.events] == [Enabled, TroubleBegan]
    assert wire.events[0] == Enabled(taking=False)
    unit.answers = {}
    wire.events.clear()
    wire.run_until_event(Enabled, at_most_s=30.0)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]


def test_a_swallowed_echo_is_named() -> None:
    unit = Unit()
    wire = running(unit)
    wire.damage = lambda chunk: [(0.0, chunk[chunk[1] + 5 :] if chunk[2] in (1, 182) else chunk)]
    assert "swallows the echo" in wire.run_until_event(TroubleBegan).detail


def test_bytes_one_by_one_make_no_difference() -> None:
    unit = Unit()
    wire = running(unit)
    wire.damage = byte_by_byte
    stacking(unit, wire)
    assert wire.run_until_event(Stacked) == TWENTY


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("stage", ["escrow", "stacking", "stacked", "confirmed"])
def test_a_restart_of_the_host_in_any_stage_ends_in_one_outcome(stage: str) -> None:
    unit = Unit()
    wire = running(unit)
    if stage == "escrow":
        unit.insert(2000)
        wire.run_until_event(Offered)
    else:
        stacking(unit, wire)
    if stage in ("stacked", "confirmed"):
        wire.run_until_event(Stacked)
    if stage == "confirmed":
        wire.order(Confirm(receipt=1))
        wire.run(1.0)
    wire.events.clear()
    wire.restart_host(CcTalkProtocol())
    if stage == "escrow":
        wire.run_until_event(Started)
        assert wire.events[:-1] == [Returned(recovered=True)]
        assert unit.returned == [2000]
        return
    assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=1, recovered=True)
    assert events_after(wire, 30.0) == []
    wire.order(Confirm(receipt=1))
    wire.run_until_event(Started)
    assert unit.stacked == [2000]


@pytest.mark.requirement("BA-02")
def test_a_recovered_note_is_wiped_out_once_it_is_confirmed_and_is_not_found_again() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    wire.run_until_event(Stacked)
    wire.restart_host(CcTalkProtocol())
    wire.run_until_event(Stacked)
    assert Header.RESET not in unit.headers()
    wire.order(Confirm(receipt=1))
    wire.run_until_event(Started)
    assert Header.RESET in unit.headers()
    wire.events.clear()
    wire.restart_host(CcTalkProtocol())
    wire.run_until_event(Started)
    assert [type(event) for event in wire.events] == [Started]


def test_a_unit_that_keeps_notes_across_a_reset_cannot_be_used() -> None:
    unit = Unit({Header.RESET: (0, b"")})
    unit.post(5, 0)
    wire = join(unit)
    wire.run_until_event(Stacked)
    wire.order(Confirm(receipt=1))
    assert "keeps its events across a reset" in wire.run_until_event(TroubleBegan).detail


@pytest.mark.requirement("BA-02", "BA-11")
def test_after_a_reconnect_only_what_is_new_is_reported() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    wire.run_until_event(Stacked)
    wire.order(Confirm(receipt=1))
    wire.run(1.0)
    stacking(unit, wire, 500)
    wire.disconnect()
    wire.events.clear()
    wire.run(10.0)
    wire.connect()
    assert wire.run_until_event(Stacked) == Stacked(channel=3, value_cents=500, receipt=2, recovered=True)
    wire.order(Confirm(receipt=2))
    wire.run_until_event(Started)
    assert len([event for event in wire.events if isinstance(event, Stacked)]) == 1


@pytest.mark.requirement("BA-03")
def test_a_stack_ordered_while_the_line_is_gone_is_too_late_and_the_note_goes_back() -> None:
    unit = Unit()
    wire = running(unit)
    unit.insert(2000)
    wire.run_until_event(Offered)
    wire.disconnect()
    wire.order(Stack())
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]
    assert unit.returned == [2000]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("to_cashbox", [False, True])
def test_a_power_cut_of_the_unit_while_stacking_is_never_claimed_either_way(*, to_cashbox: bool) -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    unit.power_cycle(to_cashbox=to_cashbox)
    wire.events.clear()
    wire.run_until_event(Started)
    assert not [event for event in wire.events if isinstance(event, Stacked | Returned)]
    wire.run_until_event(Enabled)
    assert unit.enabled


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("header", [Header.SET_MASTER_INHIBIT, Header.SET_OPERATING_MODE, Header.SET_INHIBITS])
def test_a_power_cut_while_the_unit_is_switched_on_never_leaves_it_taking_notes_without_escrow(header: Header) -> None:
    unit = Unit()
    wire = join(unit)
    wire.run_until_event(Started)
    wire.run_until(lambda: unit.received[-1][0] == header)
    unit.power_cycle()
    wire.run_until(lambda: unit.enabled)
    assert unit.insert(2000)
    wire.run_until_event(Offered)
    assert unit.phase == "escrow"


@pytest.mark.requirement("BA-11")
def test_a_unit_that_restarted_with_an_empty_ring_is_found_out_by_its_inhibit() -> None:
    unit = Unit()
    wire = running(unit)
    unit.power_cycle()
    wire.run(20.0)
    assert unit.enabled
    assert [type(event) for event in wire.events][-2:] == [Started, Enabled]


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("received", [False, True])
def test_a_route_without_an_answer_goes_out_again_only_with_further_notes_locked_out(*, received: bool) -> None:
    unit = Unit()
    wire = running(unit)
    unit.insert(2000)
    wire.run_until_event(Offered)
    wire.run(0.1)
    unit.received.clear()
    if received:
        wire.damage = lambda chunk: [] if chunk[3] == Header.ROUTE and len(chunk) > 6 else [(0.0, chunk)]
    else:
        unit.answers[Header.ROUTE] = None
    wire.order(Stack())
    wire.run(0.9)
    wire.damage = unharmed
    unit.answers.clear()
    wire.run_until_event(Stacked)
    orders = [each for each in unit.received if each[0] in (Header.ROUTE, Header.SET_MASTER_INHIBIT)]
    assert orders[:2] == [(Header.ROUTE, b"\x01"), (Header.SET_MASTER_INHIBIT, b"\0")]
    assert unit.stacked == [2000]
