"""The host's side of ICT's interface, in virtual time."""

import pytest
from support.ict_bench import IctWire, Script, accepted, join, running, said, scripted
from support.notes import CHANNELS
from support.wire import byte_by_byte

from drivers.bills.events import (
    BillEvent,
    Enabled,
    Offered,
    Rejected,
    Return,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ict.codec import Fault
from drivers.bills.ict.host import LINE, IctProtocol
from drivers.protocol import Confirm, LineSettings, Parity
from drivers.simulated.ict import Ict

TWENTY = Stacked(channel=5, value_cents=2000, receipt=None)
UNEXPECTED = Stacked(channel=0, value_cents=None, receipt=None)
NOT_ACCEPTED = TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="the unit says stacked (10), but no note was accepted")


def events_after(wire: IctWire, seconds: float = 3.0) -> list[BillEvent]:
    wire.events.clear()
    wire.run(seconds)
    return [event for event in wire.events if not isinstance(event, Enabled)]


# Start-up.


def test_the_line_is_9600_8e1() -> None:
    assert IctProtocol(CHANNELS).line == LINE == LineSettings(baud=9600, data_bits=8, parity=Parity.EVEN, stop_bits=1)


@pytest.mark.requirement("BA-07")
def test_the_start_up_sends_back_and_switches_off_before_it_asks() -> None:
    unit = Script()
    wire = join(unit)
    assert wire.run_until_event(Started) == Started(model="ICT, serial mode", firmware="", serial="", channels=CHANNELS)
    wire.run(0.1)
    assert unit.received.hex(" ").upper() == "0F 5E 0C 0C 3E 0C"


@pytest.mark.requirement("BA-07")
def test_a_power_up_is_acknowledged_at_once_and_everything_starts_again() -> None:
    wire, unit = scripted()
    assert said(wire, unit, "80 8F", seconds=5.0) == [
        Started(model="ICT, serial mode", firmware="", serial="", channels=CHANNELS)
    ]
    assert unit.received[:3] == b"\x02\x5e\x0c"
    assert unit.received.count(0x02) == 1


def test_a_unit_that_powers_up_is_running_within_its_two_seconds() -> None:
    unit = Ict(CHANNELS)
    unit.power_cycle()
    wire = join(unit)
    wire.run_until_event(Started, at_most_s=20.0)
    assert not unit.deaf
    wire.run(1.0)
    assert unit.enabled


@pytest.mark.parametrize("text", ["80", "8F", "80 80", "8F 80", "80 00 8F"])
def test_half_a_power_up_is_none(text: str) -> None:
    wire, unit = scripted()
    assert said(wire, unit, text) == []
    assert 0x02 not in unit.received


def test_two_halves_far_apart_are_no_message() -> None:
    wire, unit = scripted()
    said(wire, unit, "80", seconds=0.6)
    said(wire, unit, "8F 81", seconds=0.6)
    assert said(wire, unit, "44") == []
    assert 0x02 not in unit.received


# Notes.


@pytest.mark.requirement("BA-01", "BA-02")
def test_a_note_goes_in_once() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    assert unit.insert(2000)
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    wire.order(Stack())
    assert events_after(wire, 5.0) == [TWENTY]
    assert unit.stacked == [2000]


@pytest.mark.fault(28)
@pytest.mark.requirement("BA-01")
def test_02_goes_out_only_for_a_stack_order_while_a_note_is_held() -> None:
    wire, unit = scripted()
    wire.order(Stack())
    wire.order(Confirm(receipt=1))
    said(wire, unit, "10 11 20 2F 29 3E 5E 44 99 02")
    assert 0x02 not in unit.received
    said(wire, unit, "81 44")
    wire.order(Stack())
    wire.order(Stack())
    wire.run(0.1)
    assert unit.received.count(0x02) == 1


@pytest.mark.parametrize("end", ["11", "29"])
def test_return_gives_the_note_back(end: str) -> None:
    wire, unit = scripted()
    said(wire, unit, "81 41")
    wire.order(Return())
    wire.order(Stack())
    wire.run(0.1)
    assert 0x0F in unit.received
    assert 0x02 not in unit.received
    assert said(wire, unit, end) == [Returned()]


@pytest.mark.requirement("BA-01")
def test_stacked_out_of_nowhere_is_reported_without_a_value() -> None:
    wire, unit = scripted()
    assert said(wire, unit, "10") == [UNEXPECTED]


@pytest.mark.requirement("BA-02")
def test_a_second_stacked_for_one_note_has_no_value() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    assert said(wire, unit, "10 10") == [TWENTY, UNEXPECTED]


def test_returned_right_after_stacked_is_an_alarm() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    stacked, alarm = said(wire, unit, "10 11")
    assert (stacked, type(alarm)) == (TWENTY, TroubleBegan)
    wire.run(5.0)
    assert [type(event) for event in said(wire, unit, "11")] == [Rejected]


@pytest.mark.requirement("BA-03")
def test_a_failed_stacking_is_a_return() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    assert said(wire, unit, "11") == [Returned()]


@pytest.mark.requirement("BA-03")
def test_a_return_long_after_the_note_was_accepted_leaves_it_in_doubt() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    wire.run(5.0)
    alarm, started = said(wire, unit, "11", seconds=3.0)
    assert isinstance(alarm, TroubleBegan)
    assert alarm.trouble is Trouble.LOST_EVENTS
    assert isinstance(started, Started)


@pytest.mark.requirement("BA-03")
def test_a_reject_while_stacking_is_not_the_end_of_the_accepted_note() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    assert said(wire, unit, "29 10") == [TWENTY]


def test_the_same_note_reported_twice_is_one_note() -> None:
    wire, unit = scripted()
    assert said(wire, unit, "81 44 81 44") == [Offered(channel=5, value_cents=2000)]
    wire.order(Stack())
    assert said(wire, unit, "81 44 10") == [TWENTY]


@pytest.mark.requirement("BA-02")
def test_of_two_notes_reported_and_one_stacked_the_older_one_went_back() -> None:
    wire, unit = scripted()
    said(wire, unit, "81 41")
    assert said(wire, unit, "81 44") == [Returned(), Offered(channel=5, value_cents=2000)]
    wire.order(Stack())
    assert said(wire, unit, "10") == [TWENTY]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_new_note_while_an_accepted_one_is_open_is_an_alarm_and_a_new_start_up(*, wanted: bool) -> None:
    """The new start-up reports that the outcome of the accepted note stays unknown."""
    wire, unit = scripted()
    accepted(wire, unit, "81 41")
    if not wanted:
        wire.order(Take(channels=frozenset()))
    (alarm,) = said(wire, unit, "81 44")
    assert isinstance(alarm, TroubleBegan)
    assert alarm.trouble is Trouble.LOST_EVENTS
    unit.say("11")
    wire.run_until_event(Started)
    assert not [event for event in wire.events if isinstance(event, Offered | Stacked | Returned)]


def test_a_held_note_is_held_again_before_the_unit_gives_up() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert unit.phase == "escrow"
    wire.run_until_event(Returned, at_most_s=5.0)
    assert unit.returned == [500]


@pytest.mark.requirement("BA-04", "BA-06")
def test_a_note_of_a_type_not_wanted_goes_back_without_being_offered() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    wire.order(Take(channels=frozenset({3})))
    assert unit.insert(2000)
    assert events_after(wire) == [Rejected(code=0x11, reason="sent back by the cabinet")]
    assert unit.returned == [2000]


@pytest.mark.requirement("BA-06")
def test_a_note_of_a_type_without_a_value_goes_back() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit, IctProtocol(CHANNELS[:3]))
    unit.insert(2000)
    assert events_after(wire) == [Rejected(code=0x11, reason="sent back by the cabinet")]


@pytest.mark.requirement("BA-04")
def test_an_empty_take_disables_the_unit_at_once() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    wire.order(Take(channels=frozenset()))
    wire.run(0.1)
    assert not unit.enabled
    assert wire.events == [Enabled(taking=False)]


@pytest.mark.parametrize("answers", [True, False])
def test_a_note_sent_back_and_not_reported_again_has_gone_back(*, answers: bool) -> None:
    wire, unit = scripted()
    said(wire, unit, "81 41")
    unit.silent = not answers
    wire.order(Return())
    assert events_after(wire, 15.0)[:1] == [Returned()]
    assert unit.received.count(0x0F) >= 4


@pytest.mark.requirement("BA-03")
def test_a_slow_stacker_is_waited_for() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    wire.run(15.0)
    assert said(wire, unit, "10") == [TWENTY]


@pytest.mark.requirement("BA-03")
def test_a_jam_holds_an_accepted_note_up_and_its_time_begins_anew_with_the_end() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    assert [event.trouble for event in said(wire, unit, "22", seconds=120.0) if isinstance(event, TroubleBegan)] == [
        Trouble.JAM
    ]
    received = said(wire, unit, "2F", seconds=30.0)
    assert [event.trouble for event in received if isinstance(event, TroubleBegan)] == [Trouble.LOST_EVENTS]
    assert isinstance(received[-1], Started)


@pytest.mark.requirement("BA-03", "BA-08")
def test_a_jammed_unit_that_goes_silent_is_missing_and_its_note_does_not_stay_open() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    said(wire, unit, "22", seconds=60.0)
    unit.silent = True
    troubles = [event.trouble for event in events_after(wire, 60.0) if isinstance(event, TroubleBegan)]
    assert troubles == [Trouble.LOST_EVENTS, Trouble.LINK]


def test_a_note_that_comes_out_of_a_jam_has_gone_back() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    said(wire, unit, "22", seconds=60.0)
    assert set(said(wire, unit, "2F 11")) == {TroubleEnded(trouble=Trouble.JAM), Returned()}


@pytest.mark.requirement("BA-03")
def test_an_accepted_note_whose_end_is_never_reported_is_an_alarm_and_never_a_return() -> None:
    wire, unit = scripted()
    accepted(wire, unit)
    alarm, started = events_after(wire, 70.0)
    assert isinstance(alarm, TroubleBegan)
    assert alarm.trouble is Trouble.LOST_EVENTS
    assert isinstance(started, Started)


# Faults.


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        (Fault.MOTOR, Trouble.HARDWARE),
        (Fault.JAM, Trouble.JAM),
        (Fault.STACKER_OPEN, Trouble.CASHBOX_REMOVED),
        (Fault.SENSOR, Trouble.HARDWARE),
        (Fault.STACKER, Trouble.HARDWARE),
    ],
)
def test_a_fault_lasts_until_the_unit_reports_its_end(fault: Fault, trouble: Trouble, shift: int) -> None:
    unit = Ict(CHANNELS, fault_shift=shift)
    wire = running(unit, IctProtocol(CHANNELS, fault_shift=shift))
    unit.break_down(fault)
    unit.break_down(fault)
    assert [event.trouble for event in events_after(wire) if isinstance(event, TroubleBegan)] == [trouble]
    unit.repair(fault)
    assert events_after(wire) == [TroubleEnded(trouble=trouble)]
    wire.run(3.0)
    assert unit.enabled


@pytest.mark.requirement("BA-08")
def test_a_note_pulled_back_is_a_cheat_and_no_money() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(5000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
    unit.cheat()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note on a string")]


def test_a_note_that_is_not_recognised_is_rejected() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert_bad()
    assert events_after(wire) == [Rejected(code=0x29, reason="note not recognised")]


# The line and power.


@pytest.mark.requirement("BA-11")
def test_a_silent_unit_is_a_link_fault_once_and_is_started_anew_when_it_answers() -> None:
    wire, unit = scripted()
    unit.silent = True
    wire.run(30.0)
    assert [type(event) for event in wire.events] == [Enabled, TroubleBegan]
    assert wire.events[0] == Enabled(taking=False)
    unit.silent = False
    wire.events.clear()
    wire.run_until_event(Enabled)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]


def test_a_unit_that_switched_itself_off_is_switched_on_again_but_not_pestered() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.receive(b"\x5e", wire.now)
    wire.run(5.0)
    assert unit.enabled
    unit.break_down(Fault.JAM)
    wire.sent.clear()
    wire.run(20.0)
    assert 8 <= b"".join(wire.sent).count(0x3E) <= 12


def test_the_status_is_asked_for_at_least_every_five_seconds() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(500)
    wire.run(25.0)
    assert unit.phase == "escrow"
    wire.order(Return())
    wire.run(20.0)
    assert unit.enabled


@pytest.mark.requirement("BA-03", "BA-11")
def test_a_note_held_while_the_line_is_gone_goes_back() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(2000)
    wire.run_until_event(Offered)
    wire.disconnect()
    wire.order(Stack())
    wire.run(1.0)
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]
    assert unit.returned == [2000]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("gap", ["host", "line", "power"])
def test_an_accepted_note_is_never_claimed_after_a_gap(gap: str) -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
    match gap:
        case "host":
            wire.restart_host(IctProtocol(CHANNELS))
        case "line":
            wire.disconnect()
            wire.run(0.2)
            wire.connect()
        case _:
            unit.power_cycle()
    wire.events.clear()
    wire.run_until_event(Started)
    assert not [event for event in wire.events if isinstance(event, Stacked | Returned)]
    assert unit.stacked == [2000]


@pytest.mark.requirement("BA-01")
def test_stacked_before_the_start_up_is_done_is_an_alarm_and_no_money() -> None:
    unit = Script()
    wire = join(unit)
    assert said(wire, unit, "10") == [NOT_ACCEPTED]


@pytest.mark.requirement("BA-01")
def test_a_power_up_while_a_note_is_known_sends_it_back_before_the_acknowledgement() -> None:
    wire, unit = scripted()
    said(wire, unit, "81 44")
    unit.received = b""
    said(wire, unit, "80 8F")
    assert unit.received[:3] == b"\x0f\x02\x5e"


def test_bytes_one_by_one_make_no_difference() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    wire.damage = byte_by_byte
    unit.insert(100)
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert events_after(wire) == [Stacked(channel=1, value_cents=100, receipt=None)]
