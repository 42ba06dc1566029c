"""Faults known from the field on an SSP line, one by one, where no other test covers them."""

import pytest
from support.notes import CHANNELS
from support.scripted_unit import POLLS, ScriptedUnit
from support.ssp_bench import commands, events_after, join, running

from drivers.bills.events import (
    Channel,
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
from drivers.bills.ssp.codec import Command
from drivers.bills.ssp.host import SspProtocol
from drivers.simulated.nv9 import NV9, Timings


@pytest.mark.requirement("BA-01")
@pytest.mark.fault(2, 9)
def test_an_escrow_report_that_does_not_belong_to_the_state_of_the_note_is_no_offer_and_no_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("EF 05", "EF 05", "CC", "EE 05 EB", "", "EB", "CC")
    assert events_after(wire, 5.0) == [Stacked(channel=5, value_cents=2000, receipt=1)]


@pytest.mark.requirement("BA-02")
@pytest.mark.fault(2)
def test_of_two_escrow_reports_only_the_note_credited_is_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("CC", "EF 03")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("CC", "EE 03 EB")
    assert wire.run_until_event(Stacked) == Stacked(channel=3, value_cents=500, receipt=1)
    assert [event for event in wire.events if isinstance(event, Stacked)] == [wire.events[-1]]


@pytest.mark.requirement("BA-02")
@pytest.mark.fault(3)
def test_a_return_pressed_while_the_note_moves_in_is_too_late_and_the_note_is_credited() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.phase == "stacking")
    wire.order(Return())
    received = events_after(wire, 5.0)
    assert [event for event in received if isinstance(event, Stacked | Returned)] == [
        Stacked(channel=5, value_cents=2000, receipt=1)
    ]


@pytest.mark.requirement("BA-02")
@pytest.mark.fault(4)
@pytest.mark.parametrize("knows_acks", [True, False])
def test_a_note_that_takes_two_minutes_to_stack_is_a_jam_meanwhile_and_credited(*, knows_acks: bool) -> None:
    nv9 = NV9(CHANNELS, knows_acks=knows_acks, timings=Timings(stacking_s=120.0))
    wire = running(nv9)
    nv9.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    received = events_after(wire, 115.0)
    detail = "a note is on its way into the stacker for more than 20 s"
    assert received == [TroubleBegan(trouble=Trouble.JAM, detail=detail)]
    credit, end = events_after(wire, 10.0)
    assert (type(credit), end) == (Stacked, TroubleEnded(trouble=Trouble.JAM))


@pytest.mark.fault(4)
def test_a_stacked_note_reported_long_after_the_unit_went_quiet_is_credited() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert not [event for event in events_after(wire, 300.0) if isinstance(event, Stacked | Returned)]
    unit.report("EE 05")
    assert wire.run_until_event(Stacked).value_cents == 2000


@pytest.mark.requirement("BA-01")
@pytest.mark.fault(6, 19)
@pytest.mark.parametrize("escrow_s", [5.0, 10.0])
def test_escrow_lasts_as_long_as_the_decision_whichever_manual_is_right(escrow_s: float) -> None:
    nv9 = NV9(CHANNELS, timings=Timings(escrow_s=escrow_s))
    wire = running(nv9)
    nv9.insert(2000)
    wire.run_until_event(Offered)
    assert events_after(wire, 25.0) == []
    wire.order(Stack())
    assert wire.run_until_event(Stacked).value_cents == 2000


@pytest.mark.fault(11)
def test_a_line_opened_twice_is_polled_by_one_conversation() -> None:
    once, twice = ScriptedUnit(), ScriptedUnit()
    wires = running(once), running(twice)
    wires[1].connect()
    wires[1].connect()
    wires[1].run_until_event(Started)
    for wire, unit in zip(wires, (once, twice), strict=True):
        wire.run(1.0)
        unit.received.clear()
        wire.run(10.0)
    assert len(once.received) == len(twice.received)
    assert {data[0] for data in twice.received} <= set(POLLS)


@pytest.mark.fault(13)
def test_after_an_unknown_event_polling_goes_on() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("BC", "", "EF 05")
    assert [type(event) for event in events_after(wire)] == [TroubleBegan, Offered]


@pytest.mark.fault(13)
def test_an_unknown_byte_that_keeps_coming_is_no_second_alarm_whatever_is_around_it() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("BC", "", "BC E8", "", "EB BC", "", "BC")
    received = events_after(wire, 5.0)
    assert [event for event in received if isinstance(event, TroubleBegan)] == [
        TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="unreadable part of a poll reply: BC")
    ]


@pytest.mark.fault(13)
def test_an_unknown_byte_is_no_second_alarm_after_the_unit_was_started_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("BC")
    assert len(events_after(wire)) == 1
    wire.disconnect()
    wire.connect()
    wire.run_until_event(Started)
    unit.report("BC")
    assert not [event for event in events_after(wire) if isinstance(event, TroubleBegan)]


@pytest.mark.requirement("BA-08")
def test_a_unit_whose_replies_may_hide_a_note_takes_none_until_they_can_be_read() -> None:
    """Any poll accepts the note in escrow, so a note without a report would be lost."""
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*["BC 07"] * 5, *[""] * 20)
    received = events_after(wire, 6.0)
    assert [event for event in received if isinstance(event, TroubleBegan | TroubleEnded)] == [
        TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="unreadable part of a poll reply: BC 07"),
        TroubleBegan(trouble=Trouble.HARDWARE, detail="replies cannot be read completely: BC 07"),
        TroubleEnded(trouble=Trouble.HARDWARE),
    ]


PAYOUT_EVENTS = ("C6", "C7", "C8", "C0", "B0", "CF", "D2 01 88 13 00 00 55 53 44", "DA 01 E8 00 00 00 55 53 44")


@pytest.mark.fault(13)
@pytest.mark.requirement("BA-08")
def test_events_of_payout_and_float_units_are_no_fault_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    with caplog.at_level("INFO", logger="drivers.bills.ssp.side_events"):
        unit.report(*PAYOUT_EVENTS, *(f"{side} EF 05" for side in PAYOUT_EVENTS))
        assert [type(event) for event in events_after(wire, 6.0)] == [Offered]
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == len(PAYOUT_EVENTS)
    assert logged[0] == "acceptor: payout out of service (C6); later ones are not logged"


@pytest.mark.requirement("BA-11")
@pytest.mark.fault(14)
def test_after_time_outs_the_whole_start_up_is_done_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    assert wire.run_until_event(TroubleBegan).trouble is Trouble.LINK
    wire.run(20.0)
    unit.received.clear()
    unit.silent = False
    unit.report("E8", "E8")
    assert wire.run_until_event(TroubleEnded, at_most_s=20.0) == TroubleEnded(trouble=Trouble.LINK)
    wire.run(10.0)
    assert wire.events[-1] == Enabled(taking=True)
    asked = commands(unit)
    assert asked[asked.index(Command.SYNC) :][:3] == [Command.SYNC, Command.HOST_VERSION, Command.SETUP]
    assert Command.ENABLE in asked


@pytest.mark.requirement("BA-11")
@pytest.mark.fault(18)
def test_the_fault_of_a_silent_unit_names_what_to_check() -> None:
    unit = ScriptedUnit()
    unit.silent = True
    fault = join(unit).run_until_event(TroubleBegan)
    assert fault.trouble is Trouble.LINK
    assert all(word in fault.detail for word in ("power", "cable", "address", "set to SSP"))


@pytest.mark.fault(18)
def test_the_table_of_notes_comes_from_the_unit() -> None:
    table = (Channel(number=1, value_cents=700, currency="USD"), Channel(number=2, value_cents=1300, currency="USD"))
    wire = join(NV9(table), SspProtocol(currency="USD"))
    assert wire.run_until_event(Started).channels == table


class Mute(NV9):
    """Receives the host's bytes; its own bytes are lost in a broken wire."""

    def bytes_to_send(self) -> bytes:
        super().bytes_to_send()
        return b""


@pytest.mark.fault(20)
def test_nothing_is_switched_on_over_a_line_on_which_nothing_comes_back() -> None:
    nv9 = Mute(CHANNELS)
    wire = join(nv9)
    wire.run(60.0)
    assert not nv9.enabled
    assert not [event for event in wire.events if isinstance(event, Started | Enabled)]
