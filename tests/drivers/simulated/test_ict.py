"""The simulated ICT unit behaves like a real one, checked by plain bytes."""

import pytest
from support.notes import CHANNELS

from drivers.bills.ict.codec import Fault
from drivers.simulated.ict import INSTANT, Ict


class Host:
    """Sends and receives plain bytes, in hex."""

    def __init__(self, unit: Ict) -> None:
        self.unit = unit
        self.now = 0.0

    def say(self, text: str) -> str:
        self.unit.receive(bytes.fromhex(text), self.now)
        return self.on_report()

    def on_report(self) -> str:
        return self.unit.bytes_to_send().hex(" ").upper()

    def wait(self, seconds: float) -> str:
        end = self.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.unit.tick(self.now)
        self.now = end
        self.unit.tick(end)
        return self.on_report()


@pytest.fixture
def unit() -> Ict:
    return Ict(CHANNELS)


@pytest.fixture
def host(unit: Ict) -> Host:
    return Host(unit)


def test_it_reports_its_state_and_executes_commands(unit: Ict, host: Host) -> None:
    assert host.say("0C") == "5E"
    assert not unit.insert(500)
    assert host.say("3E") == ""
    assert host.say("0C") == "3E"
    assert host.say("5E 0C") == "5E"


@pytest.mark.parametrize("command", ["02", "0F", "99"])
def test_a_command_out_of_place_is_invalid(host: Host, command: str) -> None:
    assert host.say(command) == "2A"


def test_a_note_goes_in(unit: Ict, host: Host) -> None:
    host.say("3E")
    assert unit.insert(2000)
    assert host.wait(1.0) == "81 44"
    assert host.say("02") == ""
    assert host.wait(1.0) == "10"
    assert (unit.stacked, unit.returned, unit.phase) == ([2000], [], "")


def test_a_note_is_sent_back(unit: Ict, host: Host) -> None:
    host.say("3E")
    unit.insert(200)
    assert host.wait(1.0) == "81 41"
    assert host.say("0F") == ""
    assert host.wait(1.0) == "11"
    assert unit.returned == [200]


def test_an_escrow_lasts_five_seconds_after_the_last_hold(unit: Ict, host: Host) -> None:
    host.say("3E")
    unit.insert(200)
    host.wait(0.5)
    host.wait(4.0)
    assert host.say("18") == ""
    assert host.wait(4.9) == ""
    assert unit.phase == "escrow"
    assert host.wait(1.0) == "11"


def test_a_bad_note_is_rejected(unit: Ict, host: Host) -> None:
    host.say("3E")
    unit.insert_bad()
    assert host.wait(1.5) == "29"


def test_without_a_question_for_five_seconds_it_switches_itself_off(unit: Ict, host: Host) -> None:
    host.say("3E")
    host.wait(4.0)
    host.say("0C")
    host.wait(4.9)
    assert unit.enabled
    host.wait(0.2)
    assert not unit.enabled


@pytest.mark.parametrize(("acknowledged", "answer"), [(True, "5E"), (False, "")])
def test_a_power_up_must_be_acknowledged_within_two_seconds(
    unit: Ict, host: Host, *, acknowledged: bool, answer: str
) -> None:
    unit.power_cycle()
    assert host.say("0C") == ""
    assert host.wait(2.0) == "80 8F"
    if acknowledged:
        host.say("02")
    host.wait(2.0)
    assert host.say("02 0C").removeprefix("2A ") == answer
    assert unit.deaf is not acknowledged


@pytest.mark.parametrize("to_cashbox", [False, True])
def test_a_power_cut_while_stacking_ends_somewhere_and_is_not_reported(
    unit: Ict, host: Host, *, to_cashbox: bool
) -> None:
    host.say("3E")
    unit.insert(2000)
    host.wait(1.0)
    host.say("02")
    unit.power_cycle(to_cashbox=to_cashbox)
    assert host.wait(3.0) == "80 8F"
    assert (unit.stacked, unit.returned) == (([2000], []) if to_cashbox else ([], [2000]))


@pytest.mark.parametrize(("shift", "code"), [(0, "22"), (1, "23")])
def test_a_fault_is_reported_once_and_its_end_too(shift: int, code: str) -> None:
    unit = Ict(CHANNELS, fault_shift=shift)
    host = Host(unit)
    host.say("3E")
    unit.insert(2000)
    host.wait(1.0)
    unit.break_down(Fault.JAM)
    assert host.on_report() == code
    assert host.say("0C") == "5E"
    assert host.wait(4.0) == ""
    unit.repair(Fault.JAM)
    assert host.on_report() == "2F"
    assert unit.returned == [2000]


def test_a_note_pulled_out_is_gone(unit: Ict, host: Host) -> None:
    host.say("3E")
    unit.insert(2000)
    host.wait(1.0)
    unit.cheat()
    assert host.on_report() == "27"
    assert (unit.phase, unit.returned) == ("", [2000])


def test_an_instant_unit_needs_no_time() -> None:
    unit = Ict(CHANNELS, timings=INSTANT)
    host = Host(unit)
    host.say("3E")
    unit.insert(100)
    assert host.say("0C") == "81 40 3E"
