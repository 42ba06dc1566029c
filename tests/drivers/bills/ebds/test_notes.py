"""Notes on an EBDS line, in virtual time: escrow, credit, the ack bit, power cuts, faults."""

from collections.abc import Sequence

import pytest
from support.ebds_bench import (
    BACK,
    DOWN,
    IDLE,
    IN,
    RETURNED,
    STACKED,
    UP,
    EbdsWire,
    ScriptedUnit,
    cashflow,
    escrow,
    events_after,
    pyramid,
    running,
)
from support.notes import CHANNELS

from drivers.bills.ebds.codec import Flag, Policy, Status, write_status
from drivers.bills.ebds.frame import Decoder, Kind
from drivers.bills.ebds.host import EbdsTiming
from drivers.bills.ebds.notes import Notes
from drivers.bills.events import (
    BillOrder,
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
from drivers.bills.path_notes import Stage
from drivers.protocol import Confirm
from drivers.simulated.cashflow import Cashflow, Timings

SENT_BACK = Rejected(code=-2, reason="sent back by the cabinet")


def stacking(unit: ScriptedUnit, *after: bytes) -> EbdsWire:
    """A wire with a note of 20 on its way down; `after` is what the unit shows next."""
    wire = running(unit)
    unit.report(IN, escrow(5), escrow(5), escrow(5))
    wire.run_until_event(Offered)
    unit.states = [DOWN, DOWN, *after]
    wire.order(Stack())
    return wire


# Escrow.


@pytest.mark.requirement("BA-01")
def test_a_note_in_escrow_stays_there_and_is_no_money() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(2000)
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    assert events_after(wire, 25.0) == []
    assert unit.phase == "escrow"


def test_a_note_is_offered_when_two_replies_agree() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(IN, escrow(5), escrow(6), escrow(6))
    assert events_after(wire, 0.5) == [Offered(channel=6, value_cents=5000)]


def test_stack_and_return_are_wished_for_as_long_as_the_note_is_in_escrow() -> None:
    for order, bit in ((Stack(), 0x20), (Return(), 0x40)):
        unit = ScriptedUnit()
        wire = running(unit)
        unit.report(IN, *[escrow(5)] * 5)
        wire.run_until_event(Offered)
        unit.polls.clear()
        wire.order(order)
        wire.run(0.6)
        assert [poll[1] & 0x60 for poll in unit.polls][:5] == [bit] * 4 + [0]


def test_a_decision_goes_out_without_waiting_for_the_next_poll() -> None:
    unit = ScriptedUnit()
    wire = running(unit, pyramid(timing=EbdsTiming(poll_interval_s=5.0)))
    unit.report(*[escrow(5)] * 4)
    wire.run_until_event(Offered, at_most_s=20.0)
    wire.run(1.0)
    unit.polls.clear()
    wire.order(Stack())
    wire.run(0.02)
    assert unit.polls[0][1] & 0x20


def test_return_gives_the_note_back() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.order(Return())
    assert wire.run_until_event(Returned) == Returned()
    assert (unit.stacked, unit.returned, events_after(wire)) == ([], [500], [])


@pytest.mark.parametrize(
    ("orders", "box"),
    [
        ((Stack(), Return(), Return(), Stack()), "stacked"),
        ((Return(), Stack(), Stack(), Return()), "returned"),
        ((Stack(), Take(channels=frozenset())), "stacked"),
        ((Take(channels=frozenset()), Stack()), "stacked"),
        ((Confirm(receipt=1), Confirm(receipt=77), Return()), "returned"),
    ],
)
def test_the_first_decision_counts_and_the_others_are_harmless(orders: Sequence[BillOrder], box: str) -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(500)
    wire.run_until_event(Offered)
    for order in orders:
        wire.order(order)
    outcomes = [type(event) for event in events_after(wire, 5.0) if isinstance(event, Stacked | Returned)]
    assert (unit.stacked, unit.returned) == (([500], []) if box == "stacked" else ([], [500]))
    assert outcomes == [Stacked if box == "stacked" else Returned]


def test_a_note_without_a_decision_goes_back() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert unit.phase == "escrow"
    wire.run_until_event(Returned, at_most_s=5.0)


def test_a_held_note_that_leaves_by_itself_is_returned() -> None:
    unit = Cashflow(CHANNELS, timings=Timings(escrow_s=1.0))
    wire = running(unit, cashflow())
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.run_until(lambda: unit.phase == "returning")
    wire.order(Stack())
    wire.run_until_event(Returned)
    assert (events_after(wire), unit.stacked, unit.returned) == ([], [], [500])


def test_a_returned_event_that_was_missed_is_made_up_for_by_what_is_shown() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(escrow(5), escrow(5), BACK)
    assert events_after(wire, 1.0) == [Offered(channel=5, value_cents=2000), Returned()]


@pytest.mark.fault(29)
@pytest.mark.requirement("BA-04", "BA-06")
def test_a_note_not_wanted_goes_back_without_being_offered() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.order(Take(channels=frozenset({1})))
    wire.run(0.5)
    unit.report(IN, escrow(5), escrow(5), BACK, RETURNED)
    assert events_after(wire) == [SENT_BACK]


def test_a_note_of_unknown_value_goes_back() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(IN, *[UP] * 12, BACK, RETURNED)
    assert events_after(wire) == [SENT_BACK]


def test_a_rejection_is_reported_when_it_rises() -> None:
    rejected = write_status(Flag.IDLE, Flag.REJECTED, Flag.CASSETTE)
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(IN, *[rejected] * 20)
    assert events_after(wire) == [Rejected(code=-1, reason="the acceptor gives no reason")]


# Credit.


@pytest.mark.requirement("BA-01", "BA-02")
@pytest.mark.parametrize("lingering", [0, 1, 5])
def test_stacked_is_reported_once_however_long_it_and_the_value_linger(lingering: int) -> None:
    valued = write_status(Flag.IDLE, Flag.STACKED, Flag.CASSETTE, index=5)
    wire = stacking(ScriptedUnit(), *[valued] * (1 + lingering))
    assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=1)
    wire.order(Confirm(receipt=1))
    assert events_after(wire) == []


def test_a_credit_that_is_shown_again_before_the_unit_was_idle_counts_once() -> None:
    wire = stacking(ScriptedUnit(), STACKED, DOWN, STACKED)
    wire.run_until_event(Stacked)
    wire.order(Confirm(receipt=1))
    assert events_after(wire) == []


def test_the_value_of_a_stacked_note_is_that_of_the_reply_or_of_the_escrow() -> None:
    for reply, value_cents in ((STACKED, 2000), (write_status(Flag.IDLE, Flag.STACKED, Flag.CASSETTE, index=1), 100)):
        wire = stacking(ScriptedUnit(), reply)
        assert wire.run_until_event(Stacked).value_cents == value_cents


@pytest.mark.requirement("BA-02")
def test_the_ack_bit_is_kept_until_the_credit_is_durable() -> None:
    unit = ScriptedUnit()
    wire = stacking(unit, STACKED)
    wire.run_until_event(Stacked)
    new, sent = len(unit.polls), len(unit.frames)
    assert events_after(wire, 2.0) == []
    assert len(unit.polls) == new
    assert len(unit.frames) > sent + 10
    assert len({frame.ack for frame in unit.frames[sent:]}) == 1
    wire.order(Confirm(receipt=1))
    wire.run(0.3)
    assert len(unit.polls) > new


def test_the_ack_bit_is_not_kept_for_ever() -> None:
    unit = ScriptedUnit()
    wire = stacking(unit, STACKED)
    wire.run_until_event(Stacked)
    new = len(unit.polls)
    assert events_after(wire, 10.0) == []
    assert len(unit.polls) > new + 20


def test_a_unit_that_does_not_repeat_itself_loses_nothing() -> None:
    wire = stacking(ScriptedUnit(ignores_bit=True), STACKED)
    wire.run_until_event(Stacked)
    assert events_after(wire, 10.0) == []


@pytest.mark.requirement("BA-02")
def test_a_lost_reply_is_repeated() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
    wire.run(0.8)
    wire.damage = lambda chunk: [] if chunk[1] == 0x1E or chunk[1] == 0x0B else [(0.0, chunk)]
    wire.run(1.5)
    assert unit.stacked == [1000]
    wire.damage = lambda chunk: [(0.0, chunk)]
    assert wire.run_until_event(Stacked) == Stacked(channel=4, value_cents=1000, receipt=1)


@pytest.mark.requirement("BA-01")
def test_a_credit_out_of_nowhere_is_reported_only_when_it_is_repeated() -> None:
    valued = write_status(Flag.IDLE, Flag.STACKED, Flag.CASSETTE, index=4)
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(valued)
    assert events_after(wire) == [Stacked(channel=4, value_cents=1000, receipt=1)]
    doubtful = ScriptedUnit(ignores_bit=True)
    wire = running(doubtful)
    doubtful.report(valued)
    (alarm,) = events_after(wire)
    assert isinstance(alarm, TroubleBegan)
    assert alarm.trouble is Trouble.LOST_EVENTS


@pytest.mark.requirement("BA-03")
def test_a_note_being_stacked_that_is_shown_nowhere_any_more_is_in_doubt() -> None:
    wire = stacking(ScriptedUnit())
    received = events_after(wire, 5.0)
    assert [event.trouble for event in received if isinstance(event, TroubleBegan)] == [Trouble.LOST_EVENTS]
    assert [type(event) for event in received if isinstance(event, Started | Stacked | Returned)] == [Started]


def test_another_note_in_escrow_closes_the_one_before() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(escrow(5), escrow(5), escrow(1), escrow(1))
    assert events_after(wire, 0.5)[:3] == [
        Offered(channel=5, value_cents=2000),
        Returned(),
        Offered(channel=1, value_cents=100),
    ]


@pytest.mark.requirement("BA-03")
def test_another_note_in_escrow_leaves_one_that_was_being_stacked_in_doubt() -> None:
    wire = stacking(ScriptedUnit(), escrow(1), escrow(1), escrow(1))
    alarm, offered = events_after(wire, 1.0)[:2]
    assert isinstance(alarm, TroubleBegan)
    assert (alarm.trouble, offered) == (Trouble.LOST_EVENTS, Offered(channel=1, value_cents=100))


@pytest.mark.requirement("BA-02", "BA-11")
@pytest.mark.parametrize("accepted", [True, False])
def test_a_unit_that_falls_silent_with_a_credit_reports_it_once_when_it_is_back(*, accepted: bool) -> None:
    unit = ScriptedUnit()
    wire = stacking(unit, STACKED) if accepted else running(unit)
    if accepted:
        wire.run_until_event(Stacked)
    else:
        unit.report(STACKED)
        new = len(unit.polls)
        wire.run_until(lambda: len(unit.polls) > new)
    unit.silent = True
    wire.run_until_event(TroubleBegan, at_most_s=20.0)
    unit.silent = False
    wire.run_until_event(TroubleEnded, at_most_s=30.0)
    assert len([event for event in wire.events if isinstance(event, Stacked)]) == 1


# Power cuts and restarts.


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("stage", ["escrow", "stacking"])
def test_a_power_cut_ends_in_one_outcome_or_leaves_it_open_by_the_policy(stage: str, policy: Policy) -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, pyramid(policy=policy))
    unit.insert(1000)
    wire.run_until_event(Offered)
    if stage == "stacking":
        wire.order(Stack())
        wire.run_until(lambda: unit.phase == "stacking")
    unit.power_cycle()
    wire.run(20.0)
    wire.order(Confirm(receipt=1))
    unit.take_out()
    wire.run(20.0)
    outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned)]
    if stage == "stacking":
        assert outcomes == [Stacked(channel=4, value_cents=1000, receipt=1, recovered=True)]
        assert (unit.stacked, unit.returned) == ([1000], [])
    else:
        assert outcomes == ([Returned(recovered=True)] if policy is Policy.A else [])
        assert (unit.stacked, unit.returned) == ([], [1000])


@pytest.mark.requirement("BA-02")
def test_a_credit_reported_before_the_power_cut_is_not_reported_again() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until_event(Stacked)
    unit.power_cycle()
    wire.run(20.0)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [
        Stacked(channel=4, value_cents=1000, receipt=1)
    ]
    assert unit.stacked == [1000]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("stage", ["escrow", "stacking"])
def test_after_a_restart_of_the_host_a_note_in_escrow_goes_back_and_one_on_its_way_is_reported(stage: str) -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    if stage == "stacking":
        wire.order(Stack())
        wire.run_until(lambda: unit.phase == "stacking")
    wire.events.clear()
    wire.restart_host(cashflow())
    wire.run(5.0)
    outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned | Rejected)]
    if stage == "escrow":
        assert (outcomes, unit.returned) == ([SENT_BACK], [1000])
    else:
        assert outcomes == [Stacked(channel=4, value_cents=1000, receipt=1, recovered=True)]


def report_a_credit(pause_s: float) -> EbdsWire:
    """A wire with an unconfirmed stacked note of 10; the pause decides its bit."""
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    wire.run(pause_s)
    wire.order(Stack())
    wire.run_until_event(Stacked)
    return wire


@pytest.mark.requirement("BA-03")
def test_an_unconfirmed_credit_is_reported_again_after_a_restart_if_the_bit_fits() -> None:
    heard_again: dict[bool, int] = {}
    for tenths in range(8):
        wire = report_a_credit(tenths / 10)
        bit = bool(wire.sent[-1][2] & 1)
        wire.events.clear()
        wire.restart_host(cashflow())
        wire.run_until_event(Started)
        again = [event for event in wire.events if isinstance(event, Stacked)]
        assert all((event.value_cents, event.recovered) == (1000, True) for event in again)
        heard_again[bit] = len(again)
    assert heard_again == {False: 1, True: 0}


@pytest.mark.requirement("BA-03")
def test_a_stack_ordered_while_the_line_is_gone_is_too_late_and_the_note_goes_back() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    wire.disconnect()
    wire.order(Stack())
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]
    assert unit.returned == [1000]


@pytest.mark.requirement("BA-03", "BA-11")
@pytest.mark.parametrize("lost", ["before it is sent", "on the line"])
def test_a_stack_whose_bytes_are_lost_with_the_line_is_not_sent_again_by_the_start_up(lost: str) -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.insert(1000)
    wire.run_until_event(Offered)
    wire.protocol.order(Stack(), wire.now)
    if lost == "on the line":
        wire.protocol.tick(wire.now)
        assert any(frame.data[1] & 0x20 for frame in Decoder().feed(wire.protocol.bytes_to_send()))
    wire.disconnect()
    wire.run(2.0)
    wire.sent.clear()
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    polls = [frame for chunk in wire.sent for frame in Decoder().feed(chunk) if frame.kind is Kind.POLL]
    assert polls[0].data[1] & 0x60 == 0, "the first poll orders nothing about the note"
    assert [frame for frame in polls if frame.data[1] & 0x20] == []
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]
    assert unit.returned == [1000]


def test_stages_move_with_what_is_shown() -> None:
    notes = Notes(by_index=True)
    notes.set_channels(CHANNELS)
    notes.finish_start_up()
    allowed = frozenset({5})
    for _ in range(2):
        notes.apply(Status(data=escrow(5)), None, allowed=allowed)
    assert (notes.stage, notes.in_path) == (Stage.HELD, True)
    assert notes.order_stack()
    assert not notes.order_return()
    assert (notes.stage, notes.stack_due) == (Stage.ACCEPTED, True)
    notes.stack_sent()
    assert (notes.stage, notes.stack_due) == (Stage.STACKING, True)
    notes.apply(Status(data=DOWN), None, allowed=allowed)
    assert notes.stage is Stage.STACKING
    assert not notes.is_unlikely(Status(data=STACKED))
    notes.apply(Status(data=STACKED), None, allowed=allowed)
    assert (notes.stage, notes.awaits_confirmation()) == (None, True)
    notes.confirm(1)
    assert not notes.awaits_confirmation()
    notes.apply(Status(data=IDLE), None, allowed=allowed)
    assert notes.is_unlikely(Status(data=STACKED))
