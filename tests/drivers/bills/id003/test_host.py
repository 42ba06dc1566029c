"""The host's side of ID-003, in virtual time: start-up, switching on and off, the line."""

import pytest
from support.id003_bench import NOTE_TYPES, VERSION, Id003Wire, ScriptedUnit, commands, events_after, join, running
from support.notes import CHANNELS
from support.wire import Wire

from drivers.bills.events import (
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
from drivers.bills.id003.codec import SETTINGS, Command, NoteType
from drivers.bills.id003.frame import Frame, encode
from drivers.bills.id003.host import LINE, Id003Protocol
from drivers.protocol import Confirm, LineSettings, Parity
from drivers.simulated.uba import UBA
from drivers.simulated.units import US_CHANNELS, US_RESERVED

ONE_DOLLAR_OF_EACH = "8A 61 01 01 00 62 E0 01 00"


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


class Echoing(ScriptedUnit):
    """A unit behind an adapter with an echo."""

    def receive(self, data: bytes, now: float) -> None:
        self._owed += data
        super().receive(data, now)


class Stranger(Loopback):
    """Gives the same reply to every message."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = bytes.fromhex(words)

    def receive(self, data: bytes, now: float) -> None:
        self._owed += self.words


# Start-up.


def test_the_line_is_9600_8e1() -> None:
    assert Id003Protocol().line == LINE == LineSettings(baud=9600, data_bits=8, parity=Parity.EVEN, stop_bits=1)


@pytest.mark.requirement("BA-07")
def test_a_unit_that_had_lost_its_power_is_reset_and_set_up_in_the_makers_order() -> None:
    unit = ScriptedUnit("40", "1B", "1B", "1A")
    wire = join(unit)
    wire.run_until_event(Enabled)
    settings = [command for command, _ in SETTINGS]
    switched_on = [Command.SET_DENOMINATIONS, Command.SET_INHIBIT]
    assert commands(unit) == [Command.VERSION, Command.RESET, Command.NOTE_TABLE, *settings, *switched_on]


@pytest.mark.parametrize("state", ["11", "1A", "12", "14", "17 71", "18", "1B"])
def test_a_unit_that_did_not_lose_its_power_is_not_reset(state: str) -> None:
    unit = ScriptedUnit(state)
    wire = join(unit)
    wire.run_until_event(Enabled)
    assert Command.RESET not in commands(unit)


def test_started_reports_model_firmware_and_channels() -> None:
    wire = join(ScriptedUnit())
    assert wire.run_until_event(Started) == Started(
        model="ID-003 note acceptor, countries 01", firmware=VERSION, serial="", channels=CHANNELS, reads_tickets=True
    )


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("answers", "trouble", "words"),
    [
        ({Command.NOTE_TABLE: "4B"}, Trouble.HARDWARE, "not a table of notes"),
        ({Command.NOTE_TABLE: "8A 61 01"}, Trouble.HARDWARE, "not a table of notes"),
        ({Command.SET_INHIBIT: "4B"}, Trouble.HARDWARE, "refuses setting C3"),
        ({Command.SET_DENOMINATIONS: "C0 00 00"}, Trouble.HARDWARE, "refuses setting C0"),
        ({Command.SET_DIRECTION: "C4 0F"}, Trouble.HARDWARE, "refuses setting C4"),
        ({Command.NOTE_TABLE: ONE_DOLLAR_OF_EACH}, Trouble.WRONG_DEVICE, "countries 01, E0"),
    ],
)
def test_a_unit_that_cannot_be_used_is_a_fault_and_stays_off(
    answers: dict[int, str | None], trouble: Trouble, words: str
) -> None:
    unit = ScriptedUnit(answers=answers)
    wire = join(unit)
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is trouble
    assert words in fault.detail
    wire.run(30.0)
    assert bytes.fromhex("C3 00") not in unit.received
    assert [event for event in wire.events if isinstance(event, TroubleBegan | Started)] == [fault]


def test_a_unit_that_becomes_usable_ends_its_fault() -> None:
    unit = ScriptedUnit(answers={Command.NOTE_TABLE: "4B"})
    wire = join(unit)
    wire.run_until_event(TroubleBegan)
    unit.answers.clear()
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)
    wire.run_until_event(Enabled)


@pytest.mark.parametrize(
    "setting", [Command.SET_SECURITY, Command.SET_OPTIONS, Command.SET_TICKET_TYPE, Command.SET_TICKET_INHIBIT]
)
def test_a_setting_that_a_unit_does_not_know_may_be_refused(setting: int) -> None:
    wire = join(ScriptedUnit(answers={setting: "4B"}))
    wire.run_until_event(Enabled)


def test_a_unit_may_refuse_settings_for_as_long_as_it_initialises() -> None:
    unit = ScriptedUnit(*["1B"] * 60, answers={Command.SET_INHIBIT: "4B"})
    wire = join(unit)
    wire.run(5.0)
    assert wire.events == []
    unit.answers.clear()
    wire.run_until_event(Enabled)


@pytest.mark.parametrize("answer", ["4B", None])
def test_a_unit_that_does_not_report_its_version_works(answer: str | None) -> None:
    wire = join(ScriptedUnit(answers={Command.VERSION: answer}))
    assert wire.run_until_event(Started).firmware == ""


def test_countries_can_be_given_names() -> None:
    unit = ScriptedUnit(answers={Command.NOTE_TABLE: ONE_DOLLAR_OF_EACH})
    running(unit, Id003Protocol(currency="USD", countries={0x01: "USD", 0xE0: "EUR"}))
    assert bytes.fromhex("C0 FE FF") in unit.received


def test_a_table_with_reserved_codes_is_taken_without_them() -> None:
    """A UBA for US dollars lists 62 and 68 with zeros."""
    notes = tuple(NoteType(channel=channel, country=1, value_cents=cents) for cents, channel in US_CHANNELS.items())
    uba = UBA(notes, reserved=US_RESERVED)
    wire = join(uba, Id003Protocol(currency="USD"))
    started = wire.run_until_event(Started)
    assert {each.number: each.value_cents for each in started.channels} == {
        channel: cents for cents, channel in US_CHANNELS.items()
    }
    wire.order(Take(channels=frozenset(US_CHANNELS.values())))
    wire.run(1.0)
    for cents in US_CHANNELS:
        assert uba.insert(cents)
        assert wire.run_until_event(Offered).value_cents == cents
        wire.order(Stack())
        receipt = wire.run_until_event(Stacked).receipt
        assert receipt is not None
        wire.order(Confirm(receipt=receipt))
        wire.run(2.0)
    assert uba.stacked == list(US_CHANNELS)


def test_a_unit_that_another_host_left_in_interrupt_mode_is_started() -> None:
    uba = UBA(NOTE_TYPES)
    for code, data in ((Command.RESET, b""), (Command.SET_MODE, b"\x01"), (Command.SET_INHIBIT, b"\x00")):
        uba.receive(encode(Frame(code=code, data=data)), 0.0)
    uba.bytes_to_send()
    wire = running(uba)
    assert not [event for event in events_after(wire, 5.0) if isinstance(event, TroubleBegan)]
    assert uba.insert(500)
    wire.run_until_event(Offered)


def test_a_power_cut_in_the_start_up_begins_the_start_up_again() -> None:
    uba = UBA(NOTE_TYPES)
    wire = join(uba)
    wire.run_until(lambda: uba.shown.name == "INITIALISING")
    wire.run(0.2)
    uba.power_cycle()
    wire.run_until_event(Enabled)
    assert uba.enabled
    assert len([event for event in wire.events if isinstance(event, Started)]) == 1


# Lines without a unit.


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize("device", [Loopback, Echoing])
def test_a_line_that_gives_back_what_is_sent_is_no_unit(device: type[Loopback] | type[Echoing]) -> None:
    wire: Id003Wire = Wire(Id003Protocol(), device())
    wire.connect()
    wire.run(10.0)
    assert [type(event) for event in wire.events] == [TroubleBegan]
    assert isinstance(wire.events[0], TroubleBegan)
    assert "loop-back" in wire.events[0].detail


@pytest.mark.parametrize(
    ("words", "trouble", "hint"),
    [
        ("02 0B 20 01 10 00 00 54 2A 03 44", Trouble.WRONG_DEVICE, "looks like EBDS"),
        ("7F 80 01 F0 23 80", Trouble.WRONG_DEVICE, "looks like SSP"),
        ("00 FF 00", Trouble.LINK, "only noise"),
        ("", Trouble.LINK, "no answer"),
    ],
)
def test_silence_is_reported_with_a_hint_at_what_is_there(words: str, trouble: Trouble, hint: str) -> None:
    wire: Id003Wire = Wire(Id003Protocol(), Stranger(words))
    wire.connect()
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is trouble
    assert hint in fault.detail


# Switching on and off.


@pytest.mark.requirement("BA-06")
def test_denominations_are_let_through_singly() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    wire.order(Take(channels=frozenset({3})))
    wire.run(1.0)
    assert uba.insert(2000)
    assert wire.run_until_event(Rejected) == Rejected(code=0x79, reason="this note type is switched off")
    wire.run_until(lambda: uba.insert(500))
    assert wire.run_until_event(Offered) == Offered(channel=3, value_cents=500)
    assert uba.returned == [2000]


@pytest.mark.requirement("BA-04")
def test_an_empty_take_inhibits_the_unit_at_once() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    wire.order(Take(channels=frozenset()))
    wire.run(0.1)
    assert not uba.enabled
    assert not uba.insert(500)
    assert wire.events == [Enabled(taking=False)]
    assert events_after(wire) == []


def test_a_unit_with_no_channels_enabled_stays_inhibited() -> None:
    unit = ScriptedUnit()
    wire: Id003Wire = Wire(Id003Protocol(), unit)
    wire.connect()
    wire.run(5.0)
    assert unit.inhibited
    assert wire.events[-1] == Enabled(taking=False)


@pytest.mark.requirement("BA-11")
def test_take_holds_across_a_power_cut_of_the_unit_and_a_reconnect() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.power_cycle()
    wire.run(20.0)
    assert uba.enabled
    wire.disconnect()
    wire.run(5.0)
    wire.connect()
    wire.run(5.0)
    assert uba.enabled


def test_settings_wait_until_the_path_is_clear() -> None:
    uba = UBA(NOTE_TYPES)
    wire = running(uba)
    uba.insert(500)
    wire.run_until_event(Offered)
    wire.sent.clear()
    wire.order(Take(channels=frozenset()))
    wire.run(2.0)
    assert not any(sent[2:3] == b"\xc3" for sent in wire.sent)


def test_a_unit_that_is_not_as_it_was_set_is_set_again() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.run(3.0)
    unit.inhibited = True
    assert wire.run_until_event(Enabled) == Enabled(taking=False)
    assert wire.run_until_event(Enabled) == Enabled(taking=True)


def test_a_refused_switch_is_a_fault_until_it_works() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.answers[Command.SET_INHIBIT] = "4B"
    wire.order(Take(channels=frozenset()))
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched"
    wire.run(10.0)
    unit.answers.clear()
    assert wire.run_until_event(TroubleEnded) == TroubleEnded(trouble=Trouble.HARDWARE)


def test_a_refused_switch_that_is_not_wanted_any_more_is_no_fault_any_more() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.order(Take(channels=frozenset()))
    wire.run(2.0)
    unit.answers[Command.SET_INHIBIT] = "4B"
    wire.order(Take(channels=frozenset({1})))
    assert wire.run_until_event(TroubleBegan).detail == "the unit refuses to be switched"
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
    wire.events.clear()
    wire.run_until_event(Enabled, at_most_s=20.0)
    assert [type(event) for event in wire.events] == [TroubleEnded, Started, Enabled]


def test_a_command_without_answer_is_repeated_with_the_same_bytes_after_a_third_of_a_second() -> None:
    unit = ScriptedUnit()
    unit.silent = True
    wire = join(unit)
    wire.run(1.0)
    assert wire.sent == [encode(Frame(code=Command.VERSION))] * 4


@pytest.mark.requirement("BA-11")
def test_another_version_after_a_gap_is_an_alarm_and_what_that_unit_shows_is_not_read() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    wire.disconnect()
    unit.answers[Command.VERSION] = "88 41 42"
    unit.states = [bytes.fromhex("15")] * 9
    wire.events.clear()
    wire.connect()
    wire.run(20.0)
    assert [event.trouble for event in wire.events if isinstance(event, TroubleBegan)] == [Trouble.WRONG_DEVICE]
    assert not [event for event in wire.events if isinstance(event, Stacked | Started)]
    unit.answers.clear()
    unit.states.clear()
    wire.run_until_event(Started)
    assert TroubleEnded(trouble=Trouble.WRONG_DEVICE) in wire.events


def test_a_late_answer_to_an_earlier_command_decides_nothing() -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(*["13 65"] * 30)
    wire.run_until_event(Offered)
    for _ in range(10):
        wire.protocol.receive(encode(Frame(code=0x50)), wire.now)
        wire.run(0.15)
    assert events_after(wire, 1.0) == []
