"""The host's side of SSP, in virtual time: start-up, switching on and off, the line."""

import pytest
from support.notes import CHANNELS
from support.scripted_unit import SETUP, ScriptedUnit
from support.ssp_bench import SspWire, commands, events_after, join, running
from support.wire import Wire

from drivers.bills.events import (
    Enabled,
    Offered,
    Rejected,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ssp.codec import Answer, Command
from drivers.bills.ssp.frame import Frame, encode
from drivers.bills.ssp.host import LINE, SspProtocol, SspTiming
from drivers.protocol import LineSettings, Parity
from drivers.simulated.nv9 import NV9

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
        Command.BAR_CODE_READERS,
        Command.POLL_WITH_ACK,
        Command.COUNTERS,
        Command.SET_INHIBITS,
        Command.ENABLE,
        Command.POLL_WITH_ACK,
    ]
    assert unit.received[1] == bytes((Command.HOST_VERSION, 8))
    assert bytes((Command.SET_INHIBITS, 0x7F, 0x00)) in unit.received


def test_started_reports_model_firmware_serial_and_channels() -> None:
    wire = join(ScriptedUnit())
    assert wire.run_until_event(Started) == Started(
        model="SSP note validator, protocol 7", firmware="NV00090331498000", serial="1873452", channels=CHANNELS
    )


@pytest.mark.fault(12)
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
    asked = [data[1] for data in unit.received if data[0] == Command.HOST_VERSION]
    assert asked == [8, 7, 6, 5]


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
    assert bytes((Command.ENABLE,)) not in unit.received
    assert [event for event in wire.events if isinstance(event, TroubleBegan | Started)] == [fault]


def test_a_unit_that_becomes_usable_ends_its_fault() -> None:
    unit = ScriptedUnit(answers={Command.SETUP: b"\xf5"})
    wire = join(unit)
    wire.run_until_event(TroubleBegan)
    unit.answers[Command.SETUP] = b"\xf0" + SETUP
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)
    assert isinstance(wire.events[-1], Started)


def test_a_unit_without_firmware_command_reports_the_version_of_its_setup() -> None:
    wire = join(ScriptedUnit(answers={Command.FIRMWARE: b"\xf2"}))
    assert wire.run_until_event(Started).firmware == "0331"


@pytest.mark.requirement("BA-07")
def test_started_waits_until_the_unit_has_initialised_and_moves_nothing() -> None:
    unit = ScriptedUnit("F1 E8", "B6", "ED E8", "EC E8")
    wire = join(unit)
    wire.run_until_event(Started)
    assert unit.polls == []


def test_initialising_is_acknowledged_without_the_cabinet() -> None:
    unit = ScriptedUnit("B6", "B6")
    wire = join(unit)
    wire.run_until_event(Started)
    assert unit.received.count(bytes((Command.EVENT_ACK,))) >= 1
    assert [event for event in wire.events if not isinstance(event, Started)] == []


def test_notes_of_another_currency_are_not_let_through() -> None:
    mixed = SETUP.replace(b"USDUSD", b"EURUSD", 1)
    unit = ScriptedUnit(answers={Command.SETUP: b"\xf0" + mixed})
    running(unit, SspProtocol(currency="USD"))
    assert bytes((Command.SET_INHIBITS, 0x7E, 0x00)) in unit.received


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
    assert wire.run_until_event(Offered) == Offered(channel=3, value_cents=500, counter=0)
    assert nv9.returned == [2000]


@pytest.mark.requirement("BA-04")
def test_an_empty_take_disables_the_unit_at_once() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9)
    wire.order(Take(channels=frozenset()))
    wire.run(0.1)
    assert not nv9.enabled
    assert not nv9.insert(500)
    assert events_after(wire) == [Enabled(taking=False)]


def test_a_unit_with_no_channels_enabled_starts_disabled() -> None:
    unit = ScriptedUnit()
    wire: SspWire = Wire(SspProtocol(), unit)
    wire.connect()
    wire.run(5.0)
    assert bytes((Command.ENABLE,)) not in unit.received
    assert bytes((Command.SET_INHIBITS, 0, 0)) in unit.received
    assert wire.events[-1] == Enabled(taking=False)


@pytest.mark.fault(14)
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
    unit.received.clear()
    wire.run(3.0)
    unit.report("E8")
    assert wire.run_until_event(Enabled) == Enabled(taking=False)
    assert wire.run_until_event(Enabled) == Enabled(taking=True)
    assert unit.received.count(bytes((Command.ENABLE,))) == 1


def test_a_unit_that_stays_off_is_not_pestered() -> None:
    unit = ScriptedUnit(*["E8"] * 200)
    wire = join(unit)
    wire.run(20.0)
    assert 5 <= unit.received.count(bytes((Command.ENABLE,))) <= 11


def test_a_unit_that_refuses_to_be_switched_on_is_a_fault_until_it_obeys() -> None:
    unit = ScriptedUnit(answers={Command.ENABLE: b"\xf5"})
    wire = join(unit)
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched: F5"
    wire.run(10.0)
    del unit.answers[Command.ENABLE]
    wire.events.clear()
    wire.run_until_event(Enabled)
    assert wire.events == [TroubleEnded(trouble=Trouble.HARDWARE), Enabled(taking=True)]


def test_a_refused_switch_that_is_not_wanted_any_more_is_no_fault_any_more() -> None:
    unit = ScriptedUnit()
    wire = join(unit)
    wire.order(Take(channels=frozenset()))
    wire.run(2.0)
    unit.answers[Command.ENABLE] = b"\xf5"
    wire.order(Take(channels=frozenset({1})))
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched: F5"
    wire.order(Take(channels=frozenset()))
    unit.answers.clear()
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)


# The line.


@pytest.mark.requirement("BA-11")
def test_a_silent_unit_is_a_link_fault_once_and_is_started_anew_when_it_answers() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    received = events_after(wire, 60.0)
    assert [type(event) for event in received] == [Enabled, TroubleBegan]
    assert received[0] == Enabled(taking=False)
    unit.silent = False
    unit.received.clear()
    wire.events.clear()
    wire.run_until_event(Enabled, at_most_s=20.0)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]
    assert bytes((Command.SYNC,)) in unit.received


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
    wire = join(unit, SspProtocol(timing=SspTiming(repeats=0)))
    wire.run(120.0)
    assert 15 <= len(wire.sent) <= 30


@pytest.mark.fault(32)
@pytest.mark.requirement("BA-11")
def test_another_serial_number_after_a_gap_is_an_alarm_and_its_events_are_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.disconnect()
    unit.answers[Command.SERIAL_NUMBER] = bytes.fromhex("F0 00 00 00 07")
    unit.polls = [bytes.fromhex("EE 07")] * 9
    unit.received.clear()
    wire.events.clear()
    wire.connect()
    wire.run(20.0)
    assert [event.trouble for event in wire.events if isinstance(event, TroubleBegan)] == [Trouble.WRONG_DEVICE]
    assert not [event for event in wire.events if isinstance(event, Stacked | Started)]
    assert bytes((Command.ENABLE,)) not in unit.received
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
            wire.run_until(lambda: nv9.phase == "stacking")  # noqa: B023 - used within this round
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


@pytest.mark.requirement("BA-11")
def test_a_unit_swapped_without_a_gap_is_found_at_its_reset_and_its_events_are_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.answers[Command.SERIAL_NUMBER] = bytes.fromhex("F0 00 00 00 07")
    unit.report("F1 E2 07 E8")
    received = events_after(wire, 10.0)
    assert [event.trouble for event in received if isinstance(event, TroubleBegan)] == [Trouble.WRONG_DEVICE]
    assert not [event for event in received if isinstance(event, Stacked | Started)]
    unit.answers[Command.SERIAL_NUMBER] = bytes.fromhex("F0 00 1C 96 2C")
    wire.run_until_event(Started)
    assert not [event for event in wire.events if isinstance(event, Stacked)]
