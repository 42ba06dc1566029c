"""The host's side of EBDS, in virtual time: start-up, switching on and off, the line."""

from itertools import pairwise

import pytest
from support.ebds_bench import IDLE, EbdsWire, ScriptedUnit, cashflow, escrow, events_after, join, pyramid, running
from support.notes import CHANNELS
from support.wire import Wire

from drivers.bills.ebds.codec import Extended, Flag, write_status
from drivers.bills.ebds.frame import Decoder, Frame, Kind, encode
from drivers.bills.ebds.host import LINE, EbdsProtocol, EbdsTiming
from drivers.bills.events import (
    Channel,
    Enabled,
    Offered,
    Rejected,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.protocol import LineSettings, Parity
from drivers.simulated.cashflow import Cashflow

EURO = tuple(Channel(number=each.number, value_cents=each.value_cents, currency="EUR") for each in CHANNELS)


class Loopback:
    """A plug that echoes everything."""

    def __init__(self) -> None:
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        self._owed += data

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


class Stranger(Loopback):
    """Gives the same reply to every message."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = bytes.fromhex(words)

    def receive(self, data: bytes, now: float) -> None:
        self._owed += self.words


def sent_kinds(wire: EbdsWire) -> list[tuple[Kind, bytes]]:
    """Messages sent, without the bit; polls that repeat the one before are left out."""
    frames = [frame for chunk in wire.sent for frame in Decoder().feed(chunk)]
    messages = [(frame.kind, frame.data) for frame in frames]
    return [message for at, message in enumerate(messages) if at == 0 or message != messages[at - 1]]


# Start-up.


def test_the_line_is_9600_7e1() -> None:
    assert EbdsProtocol().line == LINE == LineSettings(baud=9600, data_bits=7, parity=Parity.EVEN, stop_bits=1)


@pytest.mark.requirement("BA-07")
def test_the_host_reads_identity_and_notes_before_it_enables_the_unit() -> None:
    wire = join(Cashflow(CHANNELS), cashflow())
    wire.run_until_event(Enabled)
    quiet = (Kind.POLL, bytes.fromhex("00 1C 10"))
    table = [(Kind.EXTENDED, bytes.fromhex("02 00 1C 10") + bytes((index,))) for index in range(1, 9)]
    assert sent_kinds(wire) == [
        quiet,
        (Kind.AUXILIARY, bytes.fromhex("00 00 04")),
        (Kind.AUXILIARY, bytes.fromhex("00 00 05")),
        (Kind.AUXILIARY, bytes.fromhex("00 00 07")),
        *table,
        (Kind.EXTENDED, bytes.fromhex("03 00 1C 10 7F 00 00 00 00 00 00 00")),
        (Kind.POLL, bytes.fromhex("7F 1C 10")),
    ]


def test_started_reports_model_serial_firmware_and_channels() -> None:
    wire = join(Cashflow(CHANNELS), cashflow())
    assert wire.run_until_event(Started) == Started(
        model="EBDS SC66-U", firmware="280000123", serial="SN0012345", channels=CHANNELS
    )


def test_a_pyramid_unit_has_the_notes_of_the_configuration_and_is_known_by_its_make() -> None:
    wire = join(Cashflow(CHANNELS, extended=False), pyramid())
    assert wire.run_until_event(Started) == Started(
        model="EBDS model 01 revision 02", firmware="", serial="", channels=CHANNELS
    )
    assert {kind for kind, _ in sent_kinds(wire)} == {Kind.POLL}


@pytest.mark.requirement("BA-07")
def test_a_unit_that_does_not_report_its_notes_is_a_fault_and_stays_off() -> None:
    unit = Cashflow(CHANNELS, extended=False)
    wire = join(unit, cashflow())
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is Trouble.HARDWARE
    assert "'pyramid'" in fault.detail
    wire.run(20.0)
    assert not unit.enabled


def test_a_unit_that_reads_only_other_money_is_the_wrong_device() -> None:
    wire = join(Cashflow(EURO), cashflow())
    fault = wire.run_until_event(TroubleBegan)
    assert fault == TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail="the unit reads EUR, expected USD")


def test_a_unit_that_stays_in_its_power_up_state_is_a_fault_until_it_leaves_it() -> None:
    unit = ScriptedUnit(*[write_status(Flag.IDLE, Flag.POWER_UP, Flag.CASSETTE)] * 300)
    wire = join(unit)
    fault = wire.run_until_event(TroubleBegan)
    assert fault == TroubleBegan(trouble=Trouble.HARDWARE, detail="the unit stays in its power-up state")
    assert wire.run_until_event(TroubleEnded).trouble is Trouble.HARDWARE
    wire.run_until_event(Enabled)


@pytest.mark.fault(29)
def test_polls_come_often_enough_for_a_unit_to_leave_its_power_up_state() -> None:
    slow = join(Cashflow(CHANNELS, extended=False), pyramid(timing=EbdsTiming(poll_interval_s=0.5)))
    slow.run(15.0)
    assert not [event for event in slow.events if isinstance(event, Started)]
    join(Cashflow(CHANNELS, extended=False), pyramid()).run_until_event(Started, at_most_s=5.0)


# Lines without a unit.


@pytest.mark.requirement("BA-07")
def test_a_line_that_gives_back_what_is_sent_is_no_unit() -> None:
    wire: EbdsWire = Wire(cashflow(), Loopback())
    wire.connect()
    fault = wire.run_until_event(TroubleBegan)
    assert (fault.trouble, "loop-back" in fault.detail) == (Trouble.LINK, True)


@pytest.mark.parametrize(
    ("words", "trouble", "hint"),
    [
        ("FC 05 11 27 56", Trouble.WRONG_DEVICE, "looks like ID-003"),
        ("7F 80 01 F0 23 80", Trouble.WRONG_DEVICE, "looks like SSP"),
        ("02 03 06 33 DA 81", Trouble.WRONG_DEVICE, "looks like CCNET"),
        ("00 FF 00", Trouble.LINK, "only noise"),
        ("", Trouble.LINK, "no answer"),
    ],
)
def test_silence_is_reported_with_a_hint_at_what_is_there(words: str, trouble: Trouble, hint: str) -> None:
    wire: EbdsWire = Wire(cashflow(), Stranger(words))
    wire.connect()
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is trouble
    assert hint in fault.detail


# Switching on and off.


@pytest.mark.requirement("BA-06")
@pytest.mark.parametrize("extended", [True, False])
def test_denominations_are_let_through_singly(*, extended: bool) -> None:
    unit = Cashflow(CHANNELS, extended=extended)
    wire = running(unit, cashflow() if extended else pyramid())
    wire.order(Take(channels=frozenset({3})))
    wire.run(1.0)
    assert unit.insert(2000)
    assert wire.run_until_event(Rejected).reason == "the acceptor gives no reason"
    wire.run(2.0)
    assert unit.insert(500)
    assert wire.run_until_event(Offered) == Offered(channel=3, value_cents=500)
    assert unit.returned == [2000]


class Refusing(Cashflow):
    """Refuses to have single notes set while `refuses` is set."""

    refuses = True

    def _execute_extended(self, data: bytes) -> tuple[Kind, bytes]:
        if data[0] == Extended.SET_NOTES and self.refuses:
            self._state.invalid = True
            return self._report()
        return super()._execute_extended(data)


@pytest.mark.requirement("BA-06", "BA-08")
def test_a_unit_that_refuses_its_notes_is_a_fault_stays_off_and_is_asked_again() -> None:
    unit = Refusing(CHANNELS)
    wire = join(unit, cashflow())
    began = wire.run_until_event(TroubleBegan)
    assert began.trouble is Trouble.HARDWARE
    assert began.detail.startswith("the unit refuses to be switched")
    wire.run(5.0)
    assert Enabled(taking=True) not in wire.events
    assert not unit.insert(500)
    unit.refuses = False
    wire.run_until(lambda: Enabled(taking=True) in wire.events)
    assert TroubleEnded(trouble=Trouble.HARDWARE) in wire.events


@pytest.mark.requirement("BA-04")
def test_an_empty_take_disables_the_unit_with_the_next_poll() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    wire.order(Take(channels=frozenset()))
    wire.run(0.15)
    assert not unit.insert(500)
    assert wire.events == [Enabled(taking=False)]


def test_the_mask_does_not_change_while_a_note_is_in_the_path() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*[escrow(5)] * 20)
    wire.run_until_event(Offered)
    wire.order(Take(channels=frozenset()))
    unit.polls.clear()
    wire.run(1.0)
    assert {poll[0] for poll in unit.polls} == {0x7F}
    unit.states.clear()
    wire.run(1.0)
    assert unit.polls[-1][0] == 0


@pytest.mark.requirement("BA-11")
def test_take_holds_across_a_power_cut_of_the_unit_and_a_reconnect() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.power_cycle()
    wire.run(20.0)
    assert unit.enabled
    wire.disconnect()
    wire.run(30.0)
    assert not unit.enabled
    wire.connect()
    wire.run(5.0)
    assert unit.enabled


# The line.


@pytest.mark.requirement("BA-11")
def test_a_silent_unit_is_a_link_fault_once_and_is_started_anew_when_it_answers() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    received = events_after(wire, 60.0)
    assert [type(event) for event in received] == [Enabled, TroubleBegan]
    unit.silent = False
    wire.events.clear()
    wire.run_until(lambda: Enabled(taking=True) in wire.events, at_most_s=20.0)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]


def test_the_bit_changes_with_each_reply_and_only_then() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.frames.clear()
    wire.run(1.0)
    bits = [frame.ack for frame in unit.frames]
    assert len(bits) >= 8
    assert all(first is not second for first, second in pairwise(bits))
    unit.silent = True
    unit.frames.clear()
    wire.run(1.0)
    assert len({frame.ack for frame in unit.frames}) == 1


def test_a_reply_with_the_other_bit_is_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    wire.run(0.3)
    wrong = not unit.frames[-1].ack
    for _ in range(3):
        wire.protocol.receive(encode(Frame(kind=Kind.REPLY, ack=wrong, data=escrow(5))), wire.now)
    assert events_after(wire, 0.5) == []


def test_a_reply_that_shows_what_cannot_be_is_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.silent = True
    wire.run(0.3)
    nonsense = write_status(Flag.IDLE, Flag.STACKING, Flag.STACKED)
    wire.protocol.receive(encode(Frame(kind=Kind.REPLY, ack=unit.frames[-1].ack, data=nonsense)), wire.now)
    assert events_after(wire, 0.5) == []


def test_a_stack_that_gets_no_answer_is_not_repeated_for_long() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*[escrow(5)] * 9)
    wire.run_until_event(Offered)
    unit.silent = True
    unit.frames.clear()
    wire.order(Stack())
    wire.run(3.0)
    stacks = [frame for frame in unit.frames if frame.data[1] & 0x20]
    assert 1 <= len(stacks) <= 3
    assert len(unit.frames) > 8


@pytest.mark.requirement("BA-11")
def test_another_serial_number_after_a_gap_is_an_alarm_and_what_that_unit_reports_is_not_read() -> None:
    unit = Cashflow(CHANNELS, serial="SN1")
    wire = running(unit, cashflow())
    unit.insert(500)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
    wire.disconnect()
    wire.run(5.0)
    unit.serial = "SN2"
    wire.events.clear()
    wire.connect()
    wire.run(20.0)
    assert [event.trouble for event in wire.events if isinstance(event, TroubleBegan)] == [Trouble.WRONG_DEVICE]
    assert not [event for event in wire.events if isinstance(event, Stacked | Started)]
    unit.serial = "SN1"
    wire.run_until_event(Started)
    assert TroubleEnded(trouble=Trouble.WRONG_DEVICE) in wire.events


def test_a_soft_reset_is_met_like_a_power_cut() -> None:
    unit = Cashflow(CHANNELS)
    wire = running(unit, cashflow())
    unit.receive(bytes.fromhex("02 08 60 7F 7F 7F 03 17"), wire.now)
    wire.run_until_event(Started)
    wire.run(3.0)
    assert unit.enabled


def test_a_quiet_unit_reports_nothing_twice() -> None:
    unit = ScriptedUnit(*[IDLE] * 10)
    wire = running(unit)
    assert events_after(wire, 20.0) == []
