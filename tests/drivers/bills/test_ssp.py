"""The host's side of SSP, in virtual time against a scripted unit and a simulated NV9."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import ALL, CHANNELS, TAKE_ALL
from support.scripted_unit import POLLS, SETUP, ScriptedUnit
from support.wire import Harm, Wire

from drivers.bills.events import (
    BillEvent,
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
from drivers.bills.ssp import LINE, SspProtocol
from drivers.bills.ssp_frame import Frame, encode
from drivers.bills.ssp_words import Answer, Command
from drivers.protocol import Confirm, LineSettings, Parity
from drivers.simulated.nv9 import NV9, Timings
from drivers.simulated.pty_line import Device

SspWire = Wire[BillEvent, BillOrder]
ACK = Command.EVENT_ACK


def join(device: Device, protocol: SspProtocol | None = None) -> SspWire:
    wire: SspWire = Wire(protocol or SspProtocol(), device)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(device: Device, protocol: SspProtocol | None = None) -> SspWire:
    """A wire whose start-up is done and whose unit is switched on; what was told until then is dropped."""
    wire = join(device, protocol)
    wire.run_until_event(Enabled)
    wire.events.clear()
    return wire


def told(wire: SspWire, seconds: float = 3.0) -> Sequence[BillEvent]:
    """All that is told within this time."""
    wire.events.clear()
    wire.run(seconds)
    return list(wire.events)


def commands(unit: ScriptedUnit) -> list[int]:
    """Command bytes heard, repeated polls and holds shortened to one."""
    heard = [data[0] for data in unit.heard]
    return [code for at, code in enumerate(heard) if at == 0 or code != heard[at - 1] or code not in POLLS]


# Start-up.


def test_the_line_is_9600_8n2() -> None:
    assert SspProtocol().line == LINE == LineSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=2)


@pytest.mark.requirement("BA-07")
def test_the_start_up_goes_in_the_makers_order_and_sends_back_before_it_polls() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.run(1.0)
    assert commands(unit) == [
        Command.SYNC,
        Command.HOST_VERSION,
        Command.SETUP,
        Command.SERIAL_NUMBER,
        Command.FIRMWARE,
        Command.REJECT,
        Command.DISABLE,
        Command.POLL_WITH_ACK,
        Command.SET_INHIBITS,
        Command.ENABLE,
        Command.POLL_WITH_ACK,
    ]
    assert unit.heard[1] == bytes((Command.HOST_VERSION, 7))
    assert bytes((Command.SET_INHIBITS, 0x7F, 0x00)) in unit.heard


def test_started_tells_model_firmware_serial_and_channels() -> None:
    wire = join(ScriptedUnit())
    assert wire.run_until_event(Started) == Started(
        model="SSP note validator, protocol 7", firmware="NV00090331498000", serial="1873452", channels=CHANNELS
    )


@pytest.mark.parametrize("refusal", [Answer.FAIL, Answer.OUT_OF_RANGE])
def test_the_host_version_steps_down_until_the_unit_agrees(refusal: Answer) -> None:
    class OldUnit(ScriptedUnit):
        def _answer(self, frame: Frame) -> Frame | None:
            too_new = frame.data[0] == Command.HOST_VERSION and frame.data[1] > 5
            self.answers[Command.HOST_VERSION] = bytes((refusal if too_new else Answer.OK,))
            return super()._answer(frame)

    unit = OldUnit()
    wire = join(unit)
    wire.run_until_event(Started)
    asked = [data[1] for data in unit.heard if data[0] == Command.HOST_VERSION]
    assert asked == [7, 6, 5]


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({Command.HOST_VERSION: b"\xf8"}, "refuses every protocol version"),
        ({Command.SETUP: b"\xf0\x03" + SETUP[1:]}, "not the setup of a note validator"),
        ({Command.SETUP: b"\xf0" + SETUP[:20]}, "not the setup of a note validator"),
        ({Command.SETUP: b"\xf5"}, "not the setup of a note validator: F5"),
        ({Command.SETUP: b"\xfa"}, "encrypted"),
        ({Command.POLL: b"\xf5", Command.POLL_WITH_ACK: b"\xf5"}, "refuses to be polled: F5"),
    ],
)
def test_a_unit_that_cannot_be_used_is_a_hardware_fault_and_stays_off(answers: dict[int, bytes], words: str) -> None:
    unit = ScriptedUnit(answers=dict(answers))
    wire = join(unit)
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is Trouble.HARDWARE
    assert words in fault.detail
    wire.run(30.0)
    assert bytes((Command.ENABLE,)) not in unit.heard
    assert [event for event in wire.events if isinstance(event, TroubleBegan | Started)] == [fault]


def test_a_unit_that_becomes_usable_ends_its_fault() -> None:
    unit = ScriptedUnit(answers={Command.SETUP: b"\xf5"})
    wire = join(unit)
    wire.run_until_event(TroubleBegan)
    unit.answers[Command.SETUP] = b"\xf0" + SETUP
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)
    assert isinstance(wire.events[-1], Started)


def test_a_unit_without_firmware_command_tells_the_version_of_its_setup() -> None:
    wire = join(ScriptedUnit(answers={Command.FIRMWARE: b"\xf2"}))
    assert wire.run_until_event(Started).firmware == "0331"


@pytest.mark.requirement("BA-07")
def test_started_waits_until_the_unit_has_initialised_and_moves_nothing() -> None:
    unit = ScriptedUnit("F1 E8", "B6", "ED E8", "EC E8")
    wire = join(unit)
    wire.run_until_event(Started)
    assert unit.polls == []


def test_notes_of_another_currency_are_not_let_through() -> None:
    mixed = SETUP.replace(b"USDUSD", b"EURUSD", 1)
    unit = ScriptedUnit(answers={Command.SETUP: b"\xf0" + mixed})
    running(unit, SspProtocol(currency="USD"))
    assert bytes((Command.SET_INHIBITS, 0x7E, 0x00)) in unit.heard


def test_a_unit_that_reads_only_other_money_is_the_wrong_device() -> None:
    unit = ScriptedUnit()
    wire = join(unit, SspProtocol(currency="EUR"))
    fault = wire.run_until_event(TroubleBegan)
    assert fault == TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail="the unit reads USD, expected EUR")


# Switching on and off.


@pytest.mark.requirement("BA-06")
def test_denominations_are_let_through_singly() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    wire.order(Take(channels=frozenset({3})))
    wire.run(1.0)
    assert nv9.insert(2000)
    assert wire.run_until_event(Rejected) == Rejected(code=6, reason="this note type is switched off")
    assert nv9.insert(500)
    assert wire.run_until_event(Offered) == Offered(channel=3, value_cents=500)
    assert nv9.returned == [2000]


@pytest.mark.requirement("BA-04")
def test_an_empty_take_disables_the_unit_at_once() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    wire.order(Take(channels=frozenset()))
    wire.run(0.1)
    assert not nv9.enabled
    assert not nv9.insert(500)
    assert told(wire) == [Enabled(taking=False)]


def test_a_unit_nobody_wants_notes_from_starts_disabled() -> None:
    unit = ScriptedUnit()
    wire: SspWire = Wire(SspProtocol(), unit)
    wire.connect()
    wire.run(5.0)
    assert bytes((Command.ENABLE,)) not in unit.heard
    assert bytes((Command.SET_INHIBITS, 0, 0)) in unit.heard
    assert wire.events[-1] == Enabled(taking=False)


@pytest.mark.requirement("BA-11")
def test_take_holds_across_a_reset_of_the_unit_and_a_reconnect() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.power_cycle()
    wire.run(15.0)
    assert nv9.enabled
    wire.disconnect()
    wire.run(30.0)
    assert not nv9.enabled
    wire.connect()
    wire.run(5.0)
    assert nv9.enabled


def test_a_unit_that_switched_itself_off_is_switched_on_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.heard.clear()
    wire.run(3.0)
    unit.tell("E8")
    assert wire.run_until_event(Enabled) == Enabled(taking=False)
    assert wire.run_until_event(Enabled) == Enabled(taking=True)
    assert unit.heard.count(bytes((Command.ENABLE,))) == 1


def test_a_unit_that_stays_off_is_not_pestered() -> None:
    unit = ScriptedUnit(*["E8"] * 200)
    wire = join(unit)
    wire.run(20.0)
    assert 5 <= unit.heard.count(bytes((Command.ENABLE,))) <= 11


def test_a_unit_that_refuses_to_be_switched_on_is_a_fault_until_it_obeys() -> None:
    unit = ScriptedUnit(answers={Command.ENABLE: b"\xf5"})
    wire = join(unit)
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched: F5"
    wire.run(10.0)
    del unit.answers[Command.ENABLE]
    wire.events.clear()
    wire.run_until_event(Enabled)
    assert wire.events == [TroubleEnded(trouble=Trouble.HARDWARE), Enabled(taking=True)]


# Escrow.


@pytest.mark.requirement("BA-01")
def test_a_held_note_is_never_polled_and_never_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EF 00", "EF 05")
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    unit.heard.clear()
    assert told(wire, 20.0) == []
    assert set(unit.heard) == {bytes((Command.HOLD,))}
    assert len(unit.heard) >= 20 / 3


def test_a_decision_goes_out_without_waiting_for_the_next_hold() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EF 05")
    wire.run_until_event(Offered)
    wire.run(0.5)
    unit.heard.clear()
    wire.order(Stack())
    wire.run(0.02)
    assert unit.heard == [bytes((Command.POLL_WITH_ACK,))]


def test_return_gives_the_note_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.order(Return())
    wire.run_until_event(Returned)
    assert (nv9.stacked, nv9.returned) == ([], [500])
    assert told(wire) == []


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
    told_of = told(wire, 5.0)
    assert (nv9.stacked, nv9.returned) == (([500], []) if box == "stacked" else ([], [500]))
    outcomes = [type(event) for event in told_of if isinstance(event, Stacked | Returned)]
    assert outcomes == [Stacked if box == "stacked" else Returned]


def test_orders_without_a_note_do_nothing() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    for order in (Stack(), Return(), Confirm(receipt=3)):
        wire.order(order)
    assert told(wire) == []
    unit.tell("EF 03")
    wire.run_until_event(Offered)


def test_a_note_nobody_decides_on_goes_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.run(29.0)
    assert nv9.phase == "escrow"
    wire.run_until_event(Returned, at_most_s=5.0)
    assert nv9.returned == [500]


def test_a_held_note_that_leaves_by_itself_is_returned_and_a_late_stack_takes_nothing() -> None:
    nv9 = NV9(CHANNELS, timings=Timings(escrow_s=1.0))
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.run_until(lambda: nv9.phase == "rejecting")
    wire.order(Stack())
    wire.run_until_event(Returned)
    assert told(wire) == []
    assert (nv9.stacked, nv9.returned) == ([], [500])


def test_a_hold_that_is_refused_sends_reject_before_any_poll() -> None:
    unit = ScriptedUnit(answers={Command.HOLD: b"\xf2"})
    wire = running(unit)
    unit.tell("EF 05")
    wire.run_until_event(Offered)
    unit.heard.clear()
    assert told(wire, 2.0) == [Returned()]
    assert commands(unit)[:3] == [Command.HOLD, Command.REJECT, Command.POLL_WITH_ACK]


@pytest.mark.requirement("BA-04", "BA-06")
def test_a_note_on_a_channel_not_wanted_goes_back_without_being_offered() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: bytes.fromhex("F0 08")})
    wire = running(unit)
    wire.order(Take(channels=frozenset({1})))
    wire.run(1.0)
    unit.heard.clear()
    unit.tell("EF 05", "ED", "EC")
    assert told(wire, 2.0) == [Rejected(code=8, reason="sent back by the cabinet")]
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
    unit.heard.clear()
    unit.tell("E5", "ED", "EC")
    told(wire, 2.0)
    assert commands(unit)[:2] == [Command.POLL_WITH_ACK, Command.REJECT]


def test_a_note_refused_before_escrow_is_told_with_the_reason_in_words() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: bytes.fromhex("F0 1C")})
    wire = running(unit)
    unit.tell("EF 00", "ED", "EC")
    assert told(wire) == [Rejected(code=0x1C, reason="two notes at once")]


def test_a_refused_note_without_a_reason_is_told_all_the_same() -> None:
    unit = ScriptedUnit(answers={Command.LAST_REJECT: b"\xf2"})
    wire = running(unit)
    unit.tell("ED EC")
    assert told(wire) == [Rejected(code=-1, reason="the acceptor gives no reason")]


# Credit.


@pytest.mark.requirement("BA-01", "BA-02")
def test_a_credit_is_told_once_and_acknowledged_only_after_confirm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EE 04", "EE 04 EB", *["EE 04"] * 40)
    stacked = wire.run_until_event(Stacked)
    assert stacked == Stacked(channel=4, value_cents=1000, receipt=1)
    assert told(wire, 3.0) == []
    assert bytes((ACK,)) not in unit.heard
    wire.order(Confirm(receipt=2))
    wire.run(1.0)
    assert bytes((ACK,)) not in unit.heard
    unit.polls.clear()
    wire.order(Confirm(receipt=1))
    assert told(wire, 3.0) == []
    assert unit.heard.count(bytes((ACK,))) == 1


@pytest.mark.requirement("BA-01")
def test_every_event_of_one_reply_is_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EC EE 01 EB E3 E7 EF 02")
    assert told(wire, 1.0) == [
        Stacked(channel=1, value_cents=100, receipt=1),
        TroubleBegan(trouble=Trouble.CASHBOX_REMOVED),
        TroubleBegan(trouble=Trouble.STACKER_FULL),
        Offered(channel=2, value_cents=200),
    ]


@pytest.mark.requirement("BA-01")
def test_stacked_without_credit_is_not_money() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EF 03")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.tell("CC", "EB")
    assert told(wire) == []


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
def test_a_credit_repeated_after_a_reconnect_is_not_told_again(*, confirmed: bool) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EE 04")
    wire.run_until_event(Stacked)
    wire.disconnect()
    if confirmed:
        wire.order(Confirm(receipt=1))
    unit.polls = [bytes.fromhex("EE 04")] * (1 if confirmed else 30)
    unit.heard.clear()
    wire.connect()
    wire.run(3.0)
    assert not [event for event in wire.events if isinstance(event, Stacked)][1:]
    assert (bytes((ACK,)) in unit.heard) is confirmed


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
    unit.tell("EE 04", "", "EE 04")
    assert [event.receipt for event in told(wire) if isinstance(event, Stacked)] == [1, 2]


@pytest.mark.requirement("BA-03")
def test_a_note_moved_to_the_cash_box_at_power_up_is_recovered_before_started() -> None:
    unit = ScriptedUnit("F1 E2 03 E8", "E2 03 E8", *["E2 03"] * 20)
    wire = join(unit)
    wire.run_until_event(Started)
    recovered = Stacked(channel=3, value_cents=500, receipt=1, recovered=True)
    assert wire.events[:-1] == [recovered]
    assert told(wire, 2.0) == [Enabled(taking=True)]


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
    unit.tell("EE 03", "F1 E2 03 E8")
    stacked = [event for event in told(wire, 5.0) if isinstance(event, Stacked)]
    assert stacked == [Stacked(channel=3, value_cents=500, receipt=None)]


@pytest.mark.parametrize("refusal", ["F2", "F3", "F8"])
def test_a_unit_without_poll_with_ack_is_polled_plainly_and_its_credits_have_no_receipt(refusal: str) -> None:
    unit = ScriptedUnit(answers={Command.POLL_WITH_ACK: bytes.fromhex(refusal)})
    wire = running(unit)
    unit.tell("EE 04", "EE 04")
    credit = Stacked(channel=4, value_cents=1000, receipt=None)
    assert told(wire, 2.0) == [credit, credit]
    assert bytes((ACK,)) not in unit.heard
    assert unit.heard.count(bytes((Command.POLL_WITH_ACK,))) == 1


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
    unit.tell("EE 04")
    assert told(wire, 3.0) == [Stacked(channel=4, value_cents=1000, receipt=None)]
    assert lost


@pytest.mark.requirement("BA-02", "BA-11")
def test_a_credit_in_the_reply_that_the_unplugging_cut_off_is_asked_for_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit, SspProtocol(wants_ack=False))
    unit.tell("EE 04")
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
    unit.tell("EE 04")
    assert wire.run_until_event(TroubleBegan).trouble is Trouble.LINK
    wire.damage = lambda chunk: [(0.0, chunk)]
    wire.run(15.0)
    assert [event.value_cents for event in wire.events if isinstance(event, Stacked)] == [1000]


# Faults.


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize(
    ("code", "trouble", "detail"),
    [
        ("E9", Trouble.JAM, "within reach"),
        ("EA", Trouble.JAM, "out of reach"),
        ("E7", Trouble.STACKER_FULL, ""),
        ("E0", Trouble.HARDWARE, "the note path is open"),
    ],
)
def test_a_fault_shown_again_and_again_begins_once_and_ends_once(code: str, trouble: Trouble, detail: str) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell(*[code] * 20)
    assert told(wire, 10.0) == [TroubleBegan(trouble=trouble, detail=detail), TroubleEnded(trouble=trouble)]


@pytest.mark.requirement("BA-08")
def test_a_removed_cash_box_is_a_fault_until_it_is_back() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.remove_cashbox()
    assert told(wire, 10.0) == [TroubleBegan(trouble=Trouble.CASHBOX_REMOVED), Enabled(taking=False)]
    nv9.replace_cashbox()
    assert told(wire, 10.0) == [TroubleEnded(trouble=Trouble.CASHBOX_REMOVED), Enabled(taking=True)]


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
def test_a_cheat_is_told_each_time_and_acknowledged_without_the_cabinet() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("E6 02", "", "E6 00")
    assert told(wire) == [
        TroubleBegan(trouble=Trouble.CHEAT, detail="channel 2"),
        TroubleBegan(trouble=Trouble.CHEAT),
    ]
    assert bytes((ACK,)) in unit.heard


@pytest.mark.requirement("BA-08", "BA-01")
def test_a_note_pulled_back_while_stacking_is_a_cheat_and_not_ours() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(5000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.phase == "stacking")
    nv9.cheat()
    assert told(wire) == [TroubleBegan(trouble=Trouble.CHEAT, detail="channel 6"), Returned()]
    assert (nv9.stacked, nv9.returned) == ([], [5000])


@pytest.mark.requirement("BA-08")
def test_an_unknown_event_is_an_alarm_with_the_bytes_and_the_rest_of_the_reply_is_not_guessed() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EE 02 C2 01 EE 03", "", "EE 05")
    heard = told(wire)
    assert heard == [
        Stacked(channel=2, value_cents=200, receipt=1),
        TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="unreadable part of a poll reply: C2 01 EE 03"),
        Stacked(channel=5, value_cents=2000, receipt=2),
    ]


def test_an_unknown_event_in_every_reply_is_one_alarm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell(*["C2"] * 10)
    assert [type(event) for event in told(wire)] == [TroubleBegan]


def test_a_stacked_ticket_is_an_alarm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("D1")
    assert [event.trouble for event in told(wire) if isinstance(event, TroubleBegan)] == [Trouble.LOST_EVENTS]


def test_a_new_note_while_the_last_was_never_credited_is_an_alarm() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.tell("EF 03")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.tell("CC", "EF 05")
    heard = told(wire)
    assert [type(event) for event in heard] == [TroubleBegan, Offered]
    assert isinstance(heard[0], TroubleBegan)
    assert heard[0].trouble is Trouble.LOST_EVENTS


# The line.


@pytest.mark.requirement("BA-11")
def test_a_silent_unit_is_a_link_fault_once_and_is_started_anew_when_it_answers() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    heard = told(wire, 60.0)
    assert [type(event) for event in heard] == [Enabled, TroubleBegan]
    assert heard[0] == Enabled(taking=False)
    unit.silent = False
    unit.heard.clear()
    wire.events.clear()
    wire.run_until_event(Enabled, at_most_s=20.0)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]
    assert bytes((Command.SYNC,)) in unit.heard


def test_a_command_without_answer_is_repeated_with_the_same_bytes_after_a_second() -> None:
    unit = ScriptedUnit()
    unit.silent = True
    wire = join(unit)
    wire.run(3.5)
    sync = encode(Frame(sequence=True, address=0, data=bytes((Command.SYNC,))))
    assert wire.sent == [sync] * 4


def test_attempts_come_less_and_less_often_but_never_stop() -> None:
    unit = ScriptedUnit()
    unit.silent = True
    wire = join(unit, SspProtocol(repeats=0))
    wire.run(120.0)
    assert 15 <= len(wire.sent) <= 30


@pytest.mark.requirement("BA-11")
def test_another_serial_number_after_a_gap_is_an_alarm_and_its_events_are_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.disconnect()
    unit.answers[Command.SERIAL_NUMBER] = bytes.fromhex("F0 00 00 00 07")
    unit.polls = [bytes.fromhex("EE 07")] * 9
    unit.heard.clear()
    wire.events.clear()
    wire.connect()
    wire.run(20.0)
    assert [event.trouble for event in wire.events if isinstance(event, TroubleBegan)] == [Trouble.WRONG_DEVICE]
    assert not [event for event in wire.events if isinstance(event, Stacked | Started)]
    assert bytes((Command.ENABLE,)) not in unit.heard
    unit.answers[Command.SERIAL_NUMBER] = bytes.fromhex("F0 00 1C 96 2C")
    unit.polls.clear()
    wire.run_until_event(Started)
    assert TroubleEnded(trouble=Trouble.WRONG_DEVICE) in wire.events


@pytest.mark.parametrize("stage", ["escrow", "held", "stacking"])
@pytest.mark.requirement("BA-03")
def test_a_power_cut_in_any_stage_ends_in_one_outcome(stage: str) -> None:
    for to_cashbox in (False, True):
        nv9 = NV9(CHANNELS)
        wire = running(nv9)
        nv9.insert(1000)
        wire.run_until_event(Offered)
        if stage == "held":
            wire.run(5.0)
        if stage == "stacking":
            wire.order(Stack())
            wire.run_until(lambda: nv9.phase == "stacking")  # noqa: B023 - used up within this round
        nv9.power_cycle(to_cashbox=to_cashbox)
        wire.run_until_event(Started)
        outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned)]
        stacked = stage == "stacking" and to_cashbox
        assert [type(event) for event in outcomes] == [Stacked if stacked else Returned]
        assert (nv9.stacked, nv9.returned) == (([1000], []) if stacked else ([], [1000]))


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("stage", ["escrow", "stacking", "credited"])
def test_a_restart_of_the_host_in_any_stage_ends_in_one_outcome(stage: str) -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    nv9.insert(1000)
    wire.run_until_event(Offered)
    if stage != "escrow":
        wire.order(Stack())
        wire.run_until(lambda: nv9.phase == "stacking")
    if stage == "credited":
        wire.run_until_event(Stacked)
    wire.events.clear()
    wire.restart_host(SspProtocol())
    wire.run_until_event(Started)
    outcomes = [event for event in wire.events if isinstance(event, Stacked | Returned)]
    if stage == "escrow":
        assert outcomes == [Returned(recovered=True)]
        assert nv9.returned == [1000]
    else:
        assert outcomes == [Stacked(channel=4, value_cents=1000, receipt=1, recovered=True)]
        assert nv9.stacked == [1000]


def test_a_note_sent_back_after_a_restart_proves_nothing_with_the_plain_poll() -> None:
    nv9 = NV9(CHANNELS, knows_acks=False)
    wire = running(nv9)
    nv9.insert(1000)
    wire.run_until_event(Offered)
    wire.events.clear()
    wire.restart_host(SspProtocol())
    wire.run_until_event(Started)
    assert wire.events[:-1] == [Rejected(code=8, reason="sent back by the cabinet")]
    assert nv9.returned == [1000]


# Any bytes.

PIECES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.builds(
            lambda sequence, data: encode(Frame(sequence=sequence, address=0, data=data)),
            st.booleans(),
            st.one_of(
                st.binary(min_size=1, max_size=12),
                st.lists(st.integers(0xB5, 0xFF), max_size=8).map(lambda events: b"\xf0" + bytes(events)),
            ),
        ),
        st.sampled_from([Stack(), Return(), TAKE_ALL, Take(channels=frozenset()), Confirm(receipt=1)]),
        st.floats(0.0, 3.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)


@given(PIECES)
def test_no_bytes_orders_or_times_make_it_raise(pieces: list[bytes | BillOrder | float | str]) -> None:
    protocol = SspProtocol(repeats=1)
    protocol.opened(0.0)
    now = 0.0
    for piece in pieces:
        match piece:
            case bytes():
                protocol.receive(piece, now)
            case float():
                now += piece
                protocol.tick(now)
            case "open":
                protocol.opened(now)
            case "close":
                protocol.closed(now)
            case str():
                raise AssertionError(piece)
            case _:
                protocol.order(piece, now)
        protocol.bytes_to_send()
        protocol.events()


class Babbler:
    """A unit that answers each command with a right frame of random contents, and sometimes with plain noise."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        rng = self._rng
        answer = rng.choice([b"\xf0", b"\xf0", b"\xf0", rng.randbytes(1)])
        codes = b"\xb5\xb6\xcc\xd1\xe1\xe2\xe3\xe4\xe6\xe9\xeb\xec\xed\xee\xef\xf1\x01\x02\x03"
        body = answer + bytes(rng.choices(codes, k=rng.randrange(4))) + rng.randbytes(rng.randrange(3))
        if len(data) > 3 and data[3] == Command.SETUP:
            body = b"\xf0" + SETUP
        sequence = len(data) > 1 and data[1] >= 0x80
        self._owed += encode(Frame(sequence=sequence, address=0, data=body)) + rng.randbytes(rng.randrange(3))

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.parametrize("seed", range(8))
def test_a_babbling_unit_never_makes_it_raise_or_stop_asking(seed: int) -> None:
    rng = random.Random(seed)
    wire = join(Babbler(seed))
    for _ in range(300):
        wire.run(rng.random())
        wire.order(rng.choice([Stack(), Return(), TAKE_ALL, Confirm(receipt=rng.randrange(9))]))
    asked = len(wire.sent)
    wire.run(30.0)
    assert len(wire.sent) > asked


def test_noise_in_bulk_is_dropped() -> None:
    protocol = SspProtocol()
    protocol.opened(0.0)
    noise = random.Random(1).randbytes(300_000)
    protocol.receive(noise, 0.1)
    assert [event for event in protocol.events() if not isinstance(event, TroubleBegan)] == []


def test_twenty_percent_loss_each_way_only_slows_a_note_down() -> None:
    nv9 = NV9(CHANNELS)
    wire: SspWire = Wire(SspProtocol(), nv9, damage=Harm(lost=0.2).by(random.Random(5)))
    wire.connect()
    wire.order(Take(channels=ALL))
    wire.run_until_event(Enabled, at_most_s=300.0)
    wire.run_until(lambda: nv9.insert(2000), at_most_s=300.0)
    wire.run_until_event(Offered, at_most_s=300.0)
    wire.order(Stack())
    wire.run_until_event(Stacked, at_most_s=300.0)
    assert nv9.stacked == [2000]
