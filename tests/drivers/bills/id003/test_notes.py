"""Notes on an ID-003 line, in virtual time: escrow, credit, power cuts, faults."""

from collections.abc import Sequence

import pytest
from support.id003_bench import NOTE_TYPES, ScriptedUnit, commands, events_after, join, running

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
from drivers.bills.id003.codec import Command, State, Status
from drivers.bills.id003.host import Id003Protocol, Id003Timing
from drivers.bills.id003.notes import Notes
from drivers.bills.path_notes import Stage
from drivers.protocol import Confirm
from drivers.simulated.uba import UBA, Timings

ACK = Command.ACK

# Escrow.


@pytest.mark.requirement("BA-01")
def test_a_note_in_escrow_is_held_and_is_no_money() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(2000)
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    assert events_after(wire, 25.0) == []
    assert uba.phase == "held"


def test_hold_goes_out_every_three_seconds() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*["13 65"] * 200)
    wire.run_until_event(Offered)
    unit.received.clear()
    wire.run(9.5)
    assert commands(unit) == [Command.HOLD] * 4


def test_a_decision_goes_out_without_waiting_for_the_next_poll() -> None:
    unit = ScriptedUnit()
    wire = running(unit, Id003Protocol(currency="USD", timing=Id003Timing(poll_interval_s=5.0)))
    unit.report(*["13 65"] * 9)
    wire.run_until_event(Offered, at_most_s=10.0)
    wire.run(0.5)
    unit.received.clear()
    wire.order(Stack())
    wire.run(0.02)
    assert unit.received[0] == bytes((Command.STACK_2,))


def test_return_gives_the_note_back() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(500)
    wire.run_until_event(Offered)
    wire.order(Return())
    assert wire.run_until_event(Returned) == Returned()
    assert (uba.stacked, uba.returned, events_after(wire)) == ([], [500], [])


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
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(500)
    wire.run_until_event(Offered)
    for order in orders:
        wire.order(order)
    outcomes = [type(event) for event in events_after(wire, 5.0) if isinstance(event, Stacked | Returned)]
    assert (uba.stacked, uba.returned) == (([500], []) if box == "stacked" else ([], [500]))
    assert outcomes == [Stacked if box == "stacked" else Returned]


def test_orders_without_a_note_do_nothing() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    for order in (Stack(), Return(), Confirm(receipt=3)):
        wire.order(order)
    assert events_after(wire) == []
    unit.report("13 63", "13 63")
    wire.run_until_event(Offered)


def test_a_note_without_a_decision_goes_back() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert uba.phase == "held"
    wire.run_until_event(Returned, at_most_s=5.0)
    assert uba.returned == [500]


def test_a_held_note_that_leaves_by_itself_is_returned_and_a_late_stack_takes_nothing() -> None:
    uba = UBA(NOTE_TYPES, timings=Timings(escrow_s=1.0))
    wire = running(uba)
    uba.insert(500)
    wire.run_until_event(Offered)
    wire.run_until(lambda: uba.phase == "returning")
    wire.order(Stack())
    wire.run_until_event(Returned)
    assert (events_after(wire), uba.stacked, uba.returned) == ([], [], [500])


@pytest.mark.requirement("BA-04", "BA-06")
def test_a_note_not_wanted_goes_back_without_being_offered() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.order(Take(channels=frozenset({1})))
    wire.run(1.0)
    unit.report("12", "13 65", "13 65", "18", "18")
    assert events_after(wire) == [Rejected(code=0x43, reason="sent back by the cabinet")]
    assert Command.RETURN in commands(unit)
    assert Command.STACK_2 not in commands(unit)


def test_a_ticket_goes_back_politely() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("12", "13 6F 30 30 31 32", "13 6F 30 30 31 32", "18")
    assert events_after(wire) == [Rejected(code=0x6F, reason="a ticket; only notes are taken")]
    assert Command.RETURN in commands(unit)


def test_a_unit_with_tickets_disabled_rejects_them_itself() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert_ticket("001234567890123456")
    assert wire.run_until_event(Rejected).code == 0x79


@pytest.mark.parametrize(("code", "words"), [("71", "put in crooked"), ("98", "several notes at once")])
def test_a_rejected_note_is_reported_once_with_its_reason(code: str, words: str) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("12", f"17 {code}", f"17 {code}", f"17 {code}")
    assert events_after(wire) == [Rejected(code=int(code, 16), reason=words)]
    unit.report("12", f"17 {code}")
    assert len(events_after(wire)) == 1


# Credit.


@pytest.mark.requirement("BA-01", "BA-02")
def test_vend_valid_is_reported_once_and_acknowledged_only_when_confirmed() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "14", *["15"] * 100)
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=1)
    assert events_after(wire, 5.0) == []
    assert ACK not in commands(unit)
    wire.order(Confirm(receipt=1))
    unit.states.clear()
    unit.report("16")
    wire.run(0.05)
    assert commands(unit)[-1] == ACK
    assert events_after(wire) == []
    assert commands(unit).count(ACK) == 1


def test_stacking_goes_by_stack_2_which_reports_its_credit_when_the_note_is_stored() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65")
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run(0.1)
    assert Command.STACK_2 in commands(unit)
    assert Command.STACK_1 not in commands(unit)


def test_an_ack_that_got_lost_is_sent_again_and_the_note_is_not_reported_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "14", "15")
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until_event(Stacked)
    wire.order(Confirm(receipt=1))
    unit.report("15", "15", "16", "16")
    assert events_after(wire) == []
    assert commands(unit).count(ACK) == 3


def test_a_stack_that_got_lost_is_ordered_again_while_the_note_is_in_escrow() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*["13 65"] * 6, "14", "15")
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until_event(Stacked)
    assert commands(unit).count(Command.STACK_2) >= 3


@pytest.mark.requirement("BA-02")
def test_two_notes_of_the_same_value_are_two_credits() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    for receipt in (1, 2):
        wire.run_until(lambda: uba.insert(2000))
        wire.run_until_event(Offered)
        wire.order(Stack())
        assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=receipt)
        wire.order(Confirm(receipt=receipt))
    assert uba.stacked == [2000, 2000]


def test_stacked_alone_is_no_credit() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "16", "16")
    wire.run_until_event(Offered)
    assert events_after(wire) == [Returned()]


@pytest.mark.requirement("BA-01")
def test_a_credit_out_of_nowhere_is_reported_without_a_value() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("15", "15")
    assert events_after(wire) == [Stacked(channel=0, value_cents=None, receipt=1)]
    assert ACK not in commands(unit)


@pytest.mark.requirement("BA-03")
def test_a_note_being_stacked_that_is_shown_nowhere_any_more_is_in_doubt() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "14")
    wire.run_until_event(Offered)
    wire.order(Stack())
    received = events_after(wire, 5.0)
    assert [event.trouble for event in received if isinstance(event, TroubleBegan)] == [Trouble.LOST_EVENTS]
    assert [type(event) for event in received if isinstance(event, Started | Stacked | Returned)] == [Started]


def test_a_note_whose_stacking_failed_is_returned() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "14", "17 7C")
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert events_after(wire) == [Returned()]


def test_another_note_in_escrow_closes_the_one_before() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "13 61", "13 61")
    wire.run_until_event(Offered)
    assert events_after(wire, 0.8)[:2] == [Returned(), Offered(channel=1, value_cents=100)]


@pytest.mark.requirement("BA-03")
def test_another_note_in_escrow_leaves_one_that_was_being_stacked_in_doubt() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "14", "13 61", "13 61")
    wire.run_until_event(Offered)
    wire.order(Stack())
    alarm, offered = events_after(wire, 0.5)[:2]
    assert isinstance(alarm, TroubleBegan)
    assert (alarm.trouble, offered) == (Trouble.LOST_EVENTS, Offered(channel=1, value_cents=100))


# Power cuts.


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("to_stacker", [True, False])
@pytest.mark.parametrize("stage", ["escrow", "held", "stacking"])
def test_a_power_cut_in_any_stage_ends_in_one_outcome(stage: str, *, to_stacker: bool) -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(1000)
    wire.run_until_event(Offered)
    if stage == "held":
        wire.run(5.0)
    if stage == "stacking":
        wire.order(Stack())
        wire.run_until(lambda: uba.phase == "stacking")
    uba.power_cycle(to_stacker=to_stacker)
    wire.run_until_event(Stacked if stage == "stacking" and to_stacker else Started)
    wire.order(Confirm(receipt=1))
    wire.run(20.0)
    outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned)]
    if stage == "stacking" and to_stacker:
        assert outcomes == [Stacked(channel=4, value_cents=1000, receipt=1, recovered=True)]
        assert (uba.stacked, uba.returned) == ([1000], [])
    else:
        assert outcomes == [Returned(recovered=True)]
        assert (uba.stacked, uba.returned) == ([], [1000])


@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.parametrize("confirmed", [True, False])
@pytest.mark.parametrize("reports_recovered", [True, False])
def test_a_credit_reported_before_the_power_cut_is_not_reported_again(
    *, reports_recovered: bool, confirmed: bool
) -> None:
    uba = UBA(NOTE_TYPES, reports_recovered=reports_recovered)
    wire = running(uba)
    uba.insert(1000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until_event(Stacked)
    if confirmed:
        wire.protocol.order(Confirm(receipt=1), wire.now)
    uba.power_cycle()
    wire.run(10.0)
    wire.order(Confirm(receipt=1))
    wire.run(20.0)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [
        Stacked(channel=4, value_cents=1000, receipt=1)
    ]
    assert (uba.stacked, uba.enabled) == ([1000], True)


@pytest.mark.requirement("BA-03")
def test_the_reset_waits_until_a_note_in_the_stacker_is_reported_and_durable() -> None:
    unit = ScriptedUnit(*["42"] * 200)
    wire = join(unit)
    assert wire.run_until_event(Stacked) == Stacked(channel=0, value_cents=None, receipt=1, recovered=True)
    wire.run(10.0)
    assert Command.RESET not in commands(unit)
    unit.states.clear()
    unit.report("42", "1B")
    wire.order(Confirm(receipt=1))
    wire.run_until_event(Started)
    assert commands(unit).count(Command.RESET) == 1
    assert len([event for event in wire.events if isinstance(event, Stacked)]) == 1


@pytest.mark.requirement("BA-03")
def test_a_credit_the_unit_forgot_with_its_power_is_claimed_neither_way() -> None:
    uba = UBA(NOTE_TYPES, remembers_credit=False, timings=Timings(stacking_s=0.05))
    wire = running(uba, Id003Protocol(currency="USD", timing=Id003Timing(poll_interval_s=1.0)))
    uba.insert(1000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: uba.phase == "vend_valid")
    uba.power_cycle()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == []


def test_a_note_held_at_the_power_cut_but_found_nowhere_went_back() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("13 65", "13 65", "40", "40", "40", "1B")
    wire.run_until_event(Offered)
    wire.run_until_event(Started)
    assert Returned(recovered=True) in wire.events


# Restarts of the host.


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("stage", ["escrow", "stacking", "credited"])
def test_a_restart_of_the_host_in_any_stage_ends_in_one_outcome_without_a_reset(stage: str) -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(1000)
    wire.run_until_event(Offered)
    if stage != "escrow":
        wire.order(Stack())
        wire.run_until(lambda: uba.phase == "stacking")
    if stage == "credited":
        wire.run_until_event(Stacked)
    wire.events.clear()
    wire.sent.clear()
    wire.restart_host(Id003Protocol(currency="USD"))
    wire.run_until_event(Returned if stage == "escrow" else Stacked)
    wire.order(Confirm(receipt=1))
    wire.run_until_event(Started)
    outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned)]
    if stage == "escrow":
        assert (outcomes, uba.returned) == ([Returned(recovered=True)], [1000])
    else:
        assert outcomes == [Stacked(channel=0, value_cents=None, receipt=1, recovered=True)]
        assert uba.stacked == [1000]
    assert not any(sent[2:3] == b"\x40" for sent in wire.sent)


@pytest.mark.requirement("BA-03")
def test_a_stack_ordered_while_the_line_is_gone_is_too_late_and_the_note_goes_back() -> None:
    uba = UBA(NOTE_TYPES, timings=Timings(escrow_s=100.0))
    wire = running(uba)
    uba.insert(1000)
    wire.run_until_event(Offered)
    wire.disconnect()
    wire.order(Stack())
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]
    assert uba.returned == [1000]


# Faults.


@pytest.mark.requirement("BA-08", "BA-09")
@pytest.mark.parametrize(
    ("state", "trouble", "detail"),
    [
        (State.STACKER_FULL, Trouble.STACKER_FULL, ""),
        (State.STACKER_OPEN, Trouble.CASHBOX_REMOVED, ""),
        (State.JAM_IN_ACCEPTOR, Trouble.JAM, "in the acceptor"),
        (State.JAM_IN_STACKER, Trouble.JAM, "in the stacker"),
        (State.PAUSED, Trouble.HARDWARE, "paused: a second note is in the way, take it out"),
        (State.FAILURE, Trouble.HARDWARE, "transport motor"),
    ],
)
def test_a_fault_begins_once_and_ends_once(state: State, trouble: Trouble, detail: str) -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.break_down(state)
    assert events_after(wire, 5.0) == [TroubleBegan(trouble=trouble, detail=detail)]
    uba.repair(state)
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=trouble)
    assert not [event for event in events_after(wire, 10.0) if isinstance(event, TroubleBegan | TroubleEnded)]


def test_a_cash_box_put_back_makes_the_unit_start_again_and_take_notes() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.break_down(State.STACKER_OPEN)
    wire.run(3.0)
    uba.repair(State.STACKER_OPEN)
    wire.run_until_event(Started)
    wire.run(3.0)
    assert uba.enabled


@pytest.mark.requirement("BA-08")
def test_a_note_pulled_back_is_void_and_an_alarm() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: uba.phase == "stacking")
    uba.cheat()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"), Returned()]
    assert uba.stacked == []


def test_stages_move_only_with_what_is_shown() -> None:
    notes = Notes()
    notes.finish_start_up()
    every = frozenset({5})
    notes.apply(Status(state=State.ESCROW, data=b"\x65"), allowed=every)
    assert (notes.stage, notes.in_escrow, notes.stack_due) == (Stage.HELD, True, False)
    assert notes.order_stack()
    assert not notes.order_return()
    assert notes.stack_due
    notes.command_sent()
    assert not notes.stack_due
    notes.apply(Status(state=State.STACKING), allowed=every)
    assert notes.stage is Stage.STACKING
    notes.apply(Status(state=State.VEND_VALID), allowed=every)
    assert (notes.stage, notes.awaits_confirmation, notes.ack_due) == (None, True, False)
    notes.confirm(1)
    assert notes.ack_due
