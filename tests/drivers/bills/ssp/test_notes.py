"""Notes on an SSP line, in virtual time: escrow, credit, faults."""

from collections.abc import Sequence

import pytest
from support.notes import CHANNELS
from support.scripted_unit import ScriptedUnit
from support.ssp_bench import ACK, commands, events_after, join, running

from drivers.bills.events import (
    BillOrder,
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
from drivers.bills.ssp.codec import Command
from drivers.bills.ssp.host import SspProtocol
from drivers.protocol import Confirm
from drivers.simulated.nv9 import NV9, Timings

# Escrow.


@pytest.mark.fault(2)
@pytest.mark.requirement("BA-01")
def test_a_held_note_is_never_polled_and_never_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 00", "EF 05")
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    unit.received.clear()
    assert events_after(wire, 20.0) == []
    assert set(unit.received) == {bytes((Command.HOLD,))}
    assert len(unit.received) >= 20 / 3


def test_a_decision_goes_out_without_waiting_for_the_next_hold() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.run(0.5)
    unit.received.clear()
    wire.order(Stack())
    wire.run(0.02)
    assert unit.received == [bytes((Command.POLL_WITH_ACK,))]


@pytest.mark.fault(7)
def test_return_gives_the_note_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.order(Return())
    wire.run_until_event(Returned)
    assert (nv9.stacked, nv9.returned) == ([], [500])
    assert events_after(wire) == []


@pytest.mark.fault(3)
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
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    for order in orders:
        wire.order(order)
    after = events_after(wire, 5.0)
    assert (nv9.stacked, nv9.returned) == (([500], []) if box == "stacked" else ([], [500]))
    outcomes = [type(event) for event in after if isinstance(event, Stacked | Returned)]
    assert outcomes == [Stacked if box == "stacked" else Returned]


def test_orders_without_a_note_do_nothing() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    for order in (Stack(), Return(), Confirm(receipt=3)):
        wire.order(order)
    assert events_after(wire) == []
    unit.report("EF 03")
    wire.run_until_event(Offered)


@pytest.mark.fault(6)
def test_a_note_without_a_decision_goes_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert nv9.phase == "escrow"
    wire.run_until_event(Returned, at_most_s=5.0)
    assert nv9.returned == [500]


@pytest.mark.fault(19)
def test_a_held_note_that_leaves_by_itself_is_returned_and_a_late_stack_takes_nothing() -> None:
    nv9 = NV9(CHANNELS, timings=Timings(escrow_s=1.0))
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.run_until(lambda: nv9.phase == "rejecting")
    wire.order(Stack())
    wire.run_until_event(Returned)
    assert events_after(wire) == []
    assert (nv9.stacked, nv9.returned) == ([], [500])


@pytest.mark.requirement("BA-03")
def test_a_stack_ordered_while_the_line_is_gone_is_too_late_and_the_note_goes_back() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.disconnect()
    wire.order(Stack())
    wire.events.clear()
    wire.connect()
    wire.run_until_event(Started)
    assert [event for event in wire.events if isinstance(event, Stacked | Returned)] == [Returned(recovered=True)]


def test_a_hold_that_is_refused_sends_reject_before_any_poll() -> None:
    unit = ScriptedUnit(answers={Command.HOLD: b"\xf2"})
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    unit.received.clear()
    assert events_after(wire, 2.0) == [Returned()]
    assert commands(unit)[:3] == [Command.HOLD, Command.REJECT, Command.POLL_WITH_ACK]


@pytest.mark.requirement("BA-04", "BA-06")
def test_a_note_on_a_channel_not_wanted_goes_back_without_being_offered() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: bytes.fromhex("F0 08")})
    wire = running(unit)
    wire.order(Take(channels=frozenset({1})))
    wire.run(1.0)
    unit.received.clear()
    unit.report("EF 05", "ED", "EC")
    assert events_after(wire, 2.0) == [Rejected(code=8, reason="sent back by the cabinet")]
    assert commands(unit) == [
        Command.POLL_WITH_ACK,
        Command.REJECT,
        Command.POLL_WITH_ACK,
        Command.LAST_REJECT,
        Command.POLL_WITH_ACK,
    ]


def test_a_ticket_in_escrow_goes_back() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.received.clear()
    unit.report("E5", "ED", "EC")
    events_after(wire, 2.0)
    assert commands(unit)[:2] == [Command.POLL_WITH_ACK, Command.REJECT]


@pytest.mark.fault(7)
def test_a_note_refused_before_escrow_is_reported_with_the_reason_in_words() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: bytes.fromhex("F0 1C")})
    wire = running(unit)
    unit.report("EF 00", "ED", "EC")
    assert events_after(wire) == [Rejected(code=0x1C, reason="two notes at once")]


def test_a_refused_note_without_a_reason_is_reported() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: b"\xf2"})
    wire = running(unit)
    unit.report("ED EC")
    assert events_after(wire) == [Rejected(code=-1, reason="the acceptor gives no reason")]


# Credit.


@pytest.mark.fault(17)
@pytest.mark.requirement("BA-01", "BA-02")
def test_a_credit_is_reported_once_and_acknowledged_only_after_confirm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EE 04", "EE 04 EB", *["EE 04"] * 40)
    stacked = wire.run_until_event(Stacked)
    assert stacked == Stacked(channel=4, value_cents=1000, receipt=1)
    assert events_after(wire, 3.0) == []
    assert bytes((ACK,)) not in unit.received
    wire.order(Confirm(receipt=2))
    wire.run(1.0)
    assert bytes((ACK,)) not in unit.received
    unit.polls.clear()
    wire.order(Confirm(receipt=1))
    assert events_after(wire, 3.0) == []
    assert unit.received.count(bytes((ACK,))) == 1


@pytest.mark.fault(10)
@pytest.mark.requirement("BA-01")
def test_every_event_of_one_reply_is_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EC EE 01 EB E3 E7 EF 02")
    assert events_after(wire, 1.0) == [
        Stacked(channel=1, value_cents=100, receipt=1),
        TroubleBegan(trouble=Trouble.CASHBOX_REMOVED),
        TroubleBegan(trouble=Trouble.STACKER_FULL),
        Offered(channel=2, value_cents=200),
    ]


@pytest.mark.requirement("BA-01")
def test_stacked_without_credit_is_not_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 03")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("CC", "EB")
    assert not [event for event in events_after(wire, 30.0) if isinstance(event, Stacked | Returned)]


@pytest.mark.requirement("BA-02")
def test_two_notes_of_one_kind_are_two_credits() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    for receipt in (1, 2, 3):
        assert nv9.insert(2000)
        wire.run_until_event(Offered)
        wire.order(Stack())
        assert wire.run_until_event(Stacked).receipt == receipt
        wire.order(Confirm(receipt=receipt))
        wire.run(1.0)
    assert nv9.stacked == [2000] * 3


@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.parametrize("confirmed", [False, True])
def test_a_credit_repeated_after_a_reconnect_is_not_reported_again(*, confirmed: bool) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EE 04")
    wire.run_until_event(Stacked)
    wire.disconnect()
    if confirmed:
        wire.order(Confirm(receipt=1))
    unit.polls = [bytes.fromhex("EE 04")] * (1 if confirmed else 30)
    unit.received.clear()
    wire.connect()
    wire.run(3.0)
    assert not [event for event in wire.events if isinstance(event, Stacked)][1:]
    assert (bytes((ACK,)) in unit.received) is confirmed


@pytest.mark.fault(1)
@pytest.mark.requirement("BA-02", "BA-03")
def test_a_power_cut_between_credit_and_confirm_does_not_credit_twice() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    receipt = wire.run_until_event(Stacked).receipt
    nv9.power_cycle()
    wire.run(20.0)
    wire.order(Confirm(receipt=receipt))
    wire.run(3.0)
    assert len([event for event in wire.events if isinstance(event, Stacked)]) == 1
    assert nv9.enabled
    assert nv9.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert wire.run_until_event(Stacked).receipt == receipt + 1


@pytest.mark.requirement("BA-02")
def test_a_credit_the_unit_has_forgotten_cannot_hide_the_next_one() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EE 04", "", "EE 04")
    assert [event.receipt for event in events_after(wire) if isinstance(event, Stacked)] == [1, 2]


@pytest.mark.requirement("BA-03")
def test_a_note_moved_to_the_cash_box_at_power_up_is_recovered_before_started() -> None:
    unit = ScriptedUnit("F1 E2 03 E8", "E2 03 E8", *["E2 03"] * 20)
    wire = join(unit)
    wire.run_until_event(Started)
    recovered = Stacked(channel=3, value_cents=500, receipt=1, recovered=True)
    assert wire.events[:-1] == [recovered]
    assert events_after(wire, 2.0) == [Enabled(taking=True)]


@pytest.mark.requirement("BA-03")
def test_a_recovered_note_of_unknown_value_has_none() -> None:
    wire = join(ScriptedUnit("F1 E2 00"))
    assert wire.run_until_event(Stacked) == Stacked(channel=0, value_cents=None, receipt=1, recovered=True)


@pytest.mark.requirement("BA-03")
def test_a_note_out_of_the_front_at_power_up_is_returned_before_started() -> None:
    wire = join(ScriptedUnit("F1 E1 00 E8"))
    wire.run_until_event(Started)
    assert wire.events[:-1] == [Returned(recovered=True)]


@pytest.mark.requirement("BA-02")
def test_a_note_credited_and_then_cleared_to_the_cash_box_is_one_note() -> None:
    unit = ScriptedUnit()
    wire = running(unit, SspProtocol(wants_ack=False))
    unit.report("EE 03", "F1 E2 03 E8")
    stacked = [event for event in events_after(wire, 5.0) if isinstance(event, Stacked)]
    assert stacked == [Stacked(channel=3, value_cents=500, receipt=None)]


@pytest.mark.parametrize("refusal", ["F2", "F3", "F8"])
def test_a_unit_without_poll_with_ack_is_polled_plainly_and_its_credits_have_no_receipt(refusal: str) -> None:
    unit = ScriptedUnit(answers={Command.POLL_WITH_ACK: bytes.fromhex(refusal)})
    wire = running(unit)
    unit.report("EE 04", "EE 04")
    credit = Stacked(channel=4, value_cents=1000, receipt=None)
    assert events_after(wire, 2.0) == [credit, credit]
    assert bytes((ACK,)) not in unit.received
    assert unit.received.count(bytes((Command.POLL_WITH_ACK,))) == 1


@pytest.mark.requirement("BA-02")
def test_a_lost_reply_with_a_credit_comes_again_and_counts_once() -> None:
    lost: list[bytes] = []

    def lose_first_credit(chunk: bytes) -> list[tuple[float, bytes]]:
        if b"\xee\x04" in chunk and not lost:
            lost.append(chunk)
            return []
        return [(0.0, chunk)]

    unit = ScriptedUnit()
    wire = running(unit, SspProtocol(wants_ack=False))
    wire.damage = lose_first_credit
    unit.report("EE 04")
    assert events_after(wire, 3.0) == [Stacked(channel=4, value_cents=1000, receipt=None)]
    assert lost


@pytest.mark.requirement("BA-02", "BA-11")
def test_a_credit_in_the_reply_that_the_unplugging_cut_off_is_asked_for_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit, SspProtocol(wants_ack=False))
    unit.report("EE 04")
    wire.run_until(lambda: not unit.polls)
    wire.disconnect()
    wire.run(5.0)
    wire.connect()
    assert wire.run_until_event(Stacked) == Stacked(channel=4, value_cents=1000, receipt=None, recovered=True)


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("delay_s", [6.2, 7.0])
def test_a_reply_later_than_all_patience_still_counts(delay_s: float) -> None:
    unit = ScriptedUnit()
    wire = running(unit, SspProtocol(wants_ack=False))
    wire.damage = lambda chunk: [(delay_s if b"\xee\x04" in chunk else 0.0, chunk)]
    unit.report("EE 04")
    assert wire.run_until_event(TroubleBegan).trouble is Trouble.LINK
    wire.damage = lambda chunk: [(0.0, chunk)]
    wire.run(15.0)
    assert [event.value_cents for event in wire.events if isinstance(event, Stacked)] == [1000]


# Faults.


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize(
    ("code", "trouble", "detail"),
    [
        ("E9", Trouble.JAM, "in the outer part of the path, within reach from outside"),
        ("EA", Trouble.JAM, "deep in the unit, out of reach from outside"),
        ("E7", Trouble.STACKER_FULL, ""),
        ("E0", Trouble.HARDWARE, "the note path is open"),
    ],
)
def test_a_fault_shown_again_and_again_begins_once_and_ends_once(code: str, trouble: Trouble, detail: str) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*[code] * 20)
    assert events_after(wire, 10.0) == [TroubleBegan(trouble=trouble, detail=detail), TroubleEnded(trouble=trouble)]


@pytest.mark.fault(8)
@pytest.mark.requirement("BA-08")
def test_a_removed_cash_box_is_a_fault_until_it_is_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.remove_cashbox()
    assert events_after(wire, 10.0) == [TroubleBegan(trouble=Trouble.CASHBOX_REMOVED), Enabled(taking=False)]
    nv9.replace_cashbox()
    assert events_after(wire, 10.0) == [TroubleEnded(trouble=Trouble.CASHBOX_REMOVED), Enabled(taking=True)]


@pytest.mark.requirement("BA-08")
def test_a_cash_box_put_back_while_the_power_was_off_ends_the_fault() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.remove_cashbox()
    wire.run(1.0)
    nv9.replace_cashbox()
    nv9.power_cycle()
    wire.run(10.0)
    assert TroubleEnded(trouble=Trouble.CASHBOX_REMOVED) in wire.events


@pytest.mark.requirement("BA-08")
def test_a_cheat_is_reported_each_time_and_acknowledged_without_the_cabinet() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("E6 02", "", "E6 00")
    assert events_after(wire) == [
        TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"),
        TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"),
    ]
    assert bytes((ACK,)) in unit.received


@pytest.mark.requirement("BA-08", "BA-01")
def test_a_note_pulled_back_while_stacking_is_a_cheat_and_not_ours() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(5000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.phase == "stacking")
    nv9.cheat()
    assert events_after(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"), Returned()]
    assert (nv9.stacked, nv9.returned) == ([], [5000])


@pytest.mark.fault(13)
@pytest.mark.requirement("BA-08")
def test_an_unknown_event_is_an_alarm_with_the_bytes_and_the_rest_of_the_reply_is_not_guessed() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EE 02 BC 01 EE 03", "", "EE 05")
    received = events_after(wire)
    assert received == [
        Stacked(channel=2, value_cents=200, receipt=1),
        TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="unreadable part of a poll reply: BC 01 EE 03"),
        Stacked(channel=5, value_cents=2000, receipt=2),
    ]


def test_an_unknown_event_in_every_reply_is_one_alarm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*["BC"] * 10)
    assert [type(event) for event in events_after(wire)] == [TroubleBegan]


@pytest.mark.fault(2)
def test_a_new_note_while_the_last_was_never_credited_is_an_alarm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report("EF 03")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("CC", "EF 05")
    received = events_after(wire)
    assert [type(event) for event in received] == [TroubleBegan, Offered]
    assert isinstance(received[0], TroubleBegan)
    assert received[0].trouble is Trouble.LOST_EVENTS
