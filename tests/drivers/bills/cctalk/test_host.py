"""The host's side of ccTalk, in virtual time."""

import pytest
from support.cctalk_bench import Unit, events_after, join, running, stacking
from support.cctalk_vectors import decimal
from support.notes import CHANNELS

from drivers.bills.cctalk.codec import Header, Route
from drivers.bills.cctalk.frame import Check
from drivers.bills.cctalk.host import LINE, CcTalkProtocol, CcTalkTiming
from drivers.bills.events import (
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
from drivers.protocol import Confirm, LineSettings, Parity

TWENTY = Stacked(channel=5, value_cents=2000, receipt=1)

# Start-up.


def test_the_line_is_9600_8n1() -> None:
    assert CcTalkProtocol().line == LINE == LineSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=1)


@pytest.mark.requirement("BA-07")
def test_the_start_up_reads_the_events_before_anything_that_could_change_them() -> None:
    unit = Unit()
    running(unit)
    assert unit.headers() == [
        Header.POLL,
        Header.MAKER,
        Header.CATEGORY,
        Header.PRODUCT,
        Header.SERIAL_NUMBER,
        Header.EVENTS,
        Header.ROUTE,
        Header.SET_MASTER_INHIBIT,
        Header.BILL_ID,
        Header.COUNTRY_SCALING,
        Header.BILL_ID,
        Header.SELF_CHECK,
        Header.SET_OPERATING_MODE,
        Header.SOFTWARE,
        Header.POLLING_PRIORITY,
        Header.SET_MASTER_INHIBIT,
        Header.SET_OPERATING_MODE,
        Header.SET_INHIBITS,
    ]
    assert unit.routes() == [Route.RETURN]
    assert (Header.SET_INHIBITS, b"\x7f\x00") in unit.received
    assert (Header.SET_OPERATING_MODE, b"\x03") in unit.received


@pytest.mark.fault(16)
@pytest.mark.parametrize("check", list(Check))
def test_both_kinds_of_check_sum_are_found_and_distinguished(check: Check) -> None:
    wire = join(Unit(check=check))
    assert wire.run_until_event(Started) == Started(
        model=f"ccTalk NV9 by ITL, {check.value}", firmware="NV09-1.00", serial="1873452", channels=CHANNELS
    )


def test_the_bytes_on_the_wire_are_the_known_ones() -> None:
    unit = Unit()
    wire = running(unit)
    assert wire.sent[0] == decimal("40 0 1 254 217")
    stacking(unit, wire)
    for known in ("40 0 1 159 56", "40 1 1 228 1 241", "40 1 1 154 1 59"):
        assert decimal(known) in wire.sent


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("header", "answer", "trouble", "words"),
    [
        (Header.CATEGORY, (0, b"Coin Acceptor"), Trouble.WRONG_DEVICE, "a Coin Acceptor, not a bill validator"),
        (Header.CATEGORY, (0, b""), Trouble.WRONG_DEVICE, "device without a name"),
        (Header.EVENTS, (0, b"\1\2"), Trouble.HARDWARE, "not five events: OK 01 02"),
        (Header.EVENTS, (5, b""), Trouble.HARDWARE, "not five events: NAK"),
        (Header.EVENTS, (6, b""), Trouble.HARDWARE, "stays busy when asked for EVENTS"),
        (Header.SELF_CHECK, (0, b"\x2b"), Trouble.HARDWARE, "self-check reports fault 2B"),
        (Header.SET_OPERATING_MODE, (5, b""), Trouble.HARDWARE, "refuses stacker and escrow mode: NAK"),
        (Header.COUNTRY_SCALING, (0, bytes(3)), Trouble.WRONG_DEVICE, "reads no notes at all"),
    ],
)
def test_a_unit_that_cannot_be_used_is_a_fault_and_stays_off_until_it_can(
    header: Header, answer: tuple[int, bytes], trouble: Trouble, words: str
) -> None:
    unit = Unit({header: answer})
    wire = join(unit)
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is trouble
    assert words in fault.detail
    assert events_after(wire, 20.0) == []
    assert not unit.enabled
    del unit.answers[header]
    wire.run_until_event(Enabled)
    assert TroubleEnded(trouble=trouble) in wire.events


def test_a_unit_without_the_optional_headers_is_used_anyway() -> None:
    unit = Unit({Header.SOFTWARE: None, Header.POLLING_PRIORITY: (5, b""), Header.SELF_CHECK: (5, b"")})
    wire = join(unit)
    assert wire.run_until_event(Started).firmware == ""


def test_a_busy_unit_is_asked_again() -> None:
    unit = Unit({Header.SELF_CHECK: (6, b"")})
    wire = join(unit)
    wire.run_until(lambda: Header.SELF_CHECK in unit.headers())
    del unit.answers[Header.SELF_CHECK]
    wire.run_until_event(Started)
    assert not [event for event in wire.events if isinstance(event, TroubleBegan)]


def test_the_unit_reports_its_longest_poll_interval() -> None:
    unit = Unit({Header.POLLING_PRIORITY: (0, bytes((2, 5)))})
    wire = running(unit)
    unit.received.clear()
    wire.run(10.0)
    assert unit.received.count((Header.EVENTS, b"")) >= 10 / 0.08


def test_another_currency_is_the_wrong_device() -> None:
    wire = join(Unit(), CcTalkProtocol(currency="EUR"))
    fault = wire.run_until_event(TroubleBegan)
    assert fault == TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail="the unit reads USD, expected EUR")


@pytest.mark.requirement("BA-11")
def test_another_serial_number_after_a_gap_is_an_alarm_and_its_events_are_not_read() -> None:
    unit = Unit()
    wire = running(unit)
    wire.disconnect()
    unit.serial = 7
    unit.post(5, 0)
    wire.connect()
    wire.run(20.0)
    assert [event.trouble for event in wire.events if isinstance(event, TroubleBegan)] == [
        Trouble.LINK,
        Trouble.WRONG_DEVICE,
    ]
    assert not [event for event in wire.events if isinstance(event, Stacked | Started)]


# Notes.


@pytest.mark.requirement("BA-01", "BA-02")
def test_a_note_goes_in_once_and_the_next_one_waits_until_it_is_confirmed() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    assert events_after(wire, 5.0) == [TWENTY]
    assert not unit.enabled
    wire.order(Confirm(receipt=1))
    assert events_after(wire, 2.0) == []
    assert unit.enabled
    stacking(unit, wire)
    assert [event.receipt for event in events_after(wire, 5.0) if isinstance(event, Stacked)] == [2]
    assert unit.stacked == [2000, 2000]


def test_the_unit_is_inhibited_as_soon_as_a_note_is_routed_to_the_stacker() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    wire.run(0.1)
    assert not unit.enabled


@pytest.mark.requirement("BA-01")
def test_a_held_note_stays_in_escrow_and_is_no_money() -> None:
    unit = Unit()
    wire = running(unit)
    unit.insert(2000)
    wire.run_until_event(Offered)
    unit.received.clear()
    assert events_after(wire, 20.0) == []
    assert unit.phase == "escrow"
    assert set(unit.routes()) == {Route.HOLD}
    assert len(unit.routes()) >= 20 / 4


def test_return_gives_the_note_back() -> None:
    unit = Unit()
    wire = running(unit)
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.order(Return())
    assert events_after(wire) == [Returned()]
    assert (unit.stacked, unit.returned) == ([], [500])
    assert unit.enabled


def test_a_note_without_a_decision_goes_back() -> None:
    unit = Unit()
    wire = running(unit)
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert unit.phase == "escrow"
    wire.run_until_event(Returned, at_most_s=5.0)


def test_a_note_that_leaves_escrow_by_itself_is_returned_and_a_late_stack_takes_nothing() -> None:
    unit = Unit({Header.ROUTE: (0, bytes((255,)))})
    wire = running(unit)
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.run_until(lambda: unit.phase == "returning")
    unit.answers.clear()
    wire.order(Stack())
    assert events_after(wire) == [Returned()]
    assert unit.stacked == []


@pytest.mark.requirement("BA-06")
def test_denominations_are_let_through_singly() -> None:
    unit = Unit()
    wire = running(unit)
    wire.order(Take(channels=frozenset({3})))
    wire.run(1.0)
    assert unit.insert(2000)
    assert events_after(wire) == [Rejected(code=4, reason="this note type is switched off")]
    assert unit.insert(500)
    assert wire.run_until_event(Offered) == Offered(channel=3, value_cents=500)


@pytest.mark.requirement("BA-04")
def test_an_empty_take_inhibits_the_unit_at_once() -> None:
    unit = Unit()
    wire = running(unit)
    wire.order(Take(channels=frozenset()))
    wire.run(0.2)
    assert not unit.enabled
    assert wire.events == [Enabled(taking=False)]


@pytest.mark.parametrize("patience_s", [1.0, 60.0])
def test_a_route_that_fails_is_tried_again_and_in_the_end_the_note_goes_back(patience_s: float) -> None:
    unit = Unit()
    wire = running(unit, CcTalkProtocol(timing=CcTalkTiming(longest_hold_s=patience_s)))
    unit.insert(2000)
    wire.run_until_event(Offered)
    unit.answers[Header.ROUTE] = (0, bytes((255,)))
    wire.order(Stack())
    wire.run(3.0)
    unit.answers.clear()
    event = wire.run_until_event(Stacked if patience_s == 60.0 else Returned)
    assert event == (TWENTY if patience_s == 60.0 else Returned())


@pytest.mark.requirement("BA-03")
def test_a_slow_stacker_is_waited_for() -> None:
    unit = Unit()
    unit.timings = type(unit.timings)(stacking_s=15.0)
    wire = running(unit)
    stacking(unit, wire)
    assert events_after(wire, 20.0) == [TWENTY]


@pytest.mark.requirement("BA-03")
def test_a_note_given_up_is_not_wiped_out_by_a_reset_while_the_unit_still_moves_it() -> None:
    unit = Unit()
    unit.timings = type(unit.timings)(stacking_s=45.0)
    wire = running(unit)
    stacking(unit, wire)
    unit.received.clear()
    received = events_after(wire, 40.0)
    assert [type(event) for event in received if not isinstance(event, Enabled)] == [TroubleBegan, Started]
    assert Header.RESET not in unit.headers()
    assert wire.run_until_event(Stacked) == TWENTY
    assert Header.RESET not in unit.headers()
    wire.order(Confirm(receipt=1))
    wire.run_until_event(Started)
    assert Header.RESET in unit.headers()
    assert unit.stacked == [2000]


@pytest.mark.requirement("BA-03")
def test_a_jam_holds_an_accepted_note_up_and_its_time_begins_anew_with_the_end() -> None:
    unit = Unit()
    wire = running(unit, CcTalkProtocol(timing=CcTalkTiming(stacking_patience_s=3.0)))
    stacking(unit, wire)
    unit.jam()
    assert [event.trouble for event in events_after(wire, 60.0) if isinstance(event, TroubleBegan)] == [Trouble.JAM]
    unit.clear_jam()
    received = events_after(wire, 15.0)
    assert [event.trouble for event in received if isinstance(event, TroubleBegan)] == [Trouble.LOST_EVENTS]
    assert any(isinstance(event, Started) for event in received)


@pytest.mark.requirement("BA-03")
def test_an_accepted_note_without_an_end_is_an_alarm_and_starts_the_unit_again() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire)
    unit.jam()
    unit.clear_jam()
    wire.run_until_event(Started, at_most_s=80.0)
    alarms = [event.trouble for event in wire.events if isinstance(event, TroubleBegan)]
    assert alarms == [Trouble.JAM, Trouble.LOST_EVENTS]
    assert not [event for event in wire.events if isinstance(event, Stacked | Returned)]


# The ring of events.


@pytest.mark.requirement("BA-02")
def test_the_counter_wraps_from_255_to_1_without_losing_or_repeating_a_note() -> None:
    unit = Unit()
    wire = running(unit)
    for _ in range(90):
        unit.post(5, 0)
        wire.run(0.5)
        unit.post(0, 2)
        unit.post(0, 3)
        wire.run(0.5)
    stacked = [event for event in wire.events if isinstance(event, Stacked)]
    assert len(stacked) == 90
    assert unit.counter == 270 - 255


@pytest.mark.requirement("BA-01")
def test_five_events_at_once_are_read_from_the_oldest_on() -> None:
    unit = Unit()
    wire = running(unit)
    for pair in ((1, 0), (0, 11), (2, 0), (0, 12), (3, 0)):
        unit.post(*pair)
    assert events_after(wire, 1.0) == [
        Stacked(channel=1, value_cents=100, receipt=1),
        TroubleBegan(trouble=Trouble.CASHBOX_REMOVED),
        Stacked(channel=2, value_cents=200, receipt=2),
        TroubleEnded(trouble=Trouble.CASHBOX_REMOVED),
        Stacked(channel=3, value_cents=500, receipt=3),
    ]


@pytest.mark.requirement("BA-01", "BA-02")
def test_more_than_five_new_events_are_an_alarm_and_the_five_are_reported() -> None:
    unit = Unit()
    wire = running(unit)
    for channel in range(1, 8):
        unit.post(channel, 0)
    wire.run_until_event(TroubleBegan)
    alarm, *rest = [event for event in wire.events if not isinstance(event, Enabled)]
    assert alarm == TroubleBegan(
        trouble=Trouble.LOST_EVENTS,
        detail="the unit has restarted, or more than 5 events came since its counter was 0: "
        "counter 7, (3,0) (4,0) (5,0) (6,0) (7,0); a note may lie in its box uncounted",
    )
    assert [event.channel for event in rest if isinstance(event, Stacked)] == [3, 4, 5, 6, 7]


@pytest.mark.requirement("BA-02")
def test_an_event_counts_only_after_two_equal_reads() -> None:
    unit = Unit()
    wire = running(unit)
    good = bytes(11)
    unit.answers[Header.EVENTS] = (0, bytes((1, 5, 0)) + bytes(8))
    wire.run_until(lambda: unit.received[-1][0] == Header.EVENTS, at_most_s=2.0)
    unit.answers[Header.EVENTS] = (0, good)
    assert events_after(wire) == []


@pytest.mark.requirement("BA-08")
def test_a_jam_ends_when_the_self_check_finds_nothing() -> None:
    unit = Unit()
    wire = running(unit)
    unit.jam()
    assert events_after(wire, 20.0) == [
        TroubleBegan(trouble=Trouble.JAM, detail="in the outer part of the path, within reach from outside")
    ]
    unit.clear_jam()
    assert events_after(wire, 10.0) == [TroubleEnded(trouble=Trouble.JAM)]


@pytest.mark.requirement("BA-08")
def test_a_note_pulled_back_is_a_cheat_and_never_money() -> None:
    unit = Unit()
    wire = running(unit)
    stacking(unit, wire, 5000)
    unit.cheat()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back")]
    assert unit.stacked == []


def test_a_unit_that_refuses_to_be_switched_is_a_fault_until_it_obeys() -> None:
    unit = Unit({Header.SET_INHIBITS: (5, b"")})
    wire = join(unit)
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched: NAK"
    unit.answers.clear()
    assert wire.run_until_event(Enabled) == Enabled(taking=True)
    assert TroubleEnded(trouble=Trouble.HARDWARE) in wire.events


def test_a_refused_switch_that_is_not_wanted_any_more_is_no_fault_any_more() -> None:
    unit = Unit()
    wire = running(unit)
    wire.order(Take(channels=frozenset()))
    wire.run(2.0)
    unit.answers[Header.SET_INHIBITS] = (5, b"")
    wire.order(Take(channels=frozenset({1})))
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched: NAK"
    wire.order(Take(channels=frozenset()))
    unit.answers.clear()
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)
