"""The simulated UBA behaves like a real one and sends the known bytes."""

import random

import pytest
from support.id003_bench import NOTE_TYPES
from support.id003_vectors import VECTORS

from drivers.bills.id003.codec import State
from drivers.bills.id003.frame import Frame, encode
from drivers.simulated.uba import INSTANT, UBA, Timings

WIRE = {meaning: wire.hex(" ").upper() for meaning, _, _, wire in VECTORS}
STATUS, RESET, ACK = WIRE["status request, or idle"], WIRE["reset, or power up"], WIRE["ack"]
IDLE, INHIBITED = WIRE["status request, or idle"], WIRE["inhibited"]
STACK, RETURN, HOLD = (
    WIRE["stack-2, or power up with a note in the stacker"],
    WIRE["return, or stacker full"],
    WIRE["hold, or stacker open"],
)
REFUSED = "FC 05 4B F8 AB"
VEND_VALID, STACKED = WIRE["vend valid"], WIRE["stacked"]


def spell(body: str) -> str:
    """The frame with this code and data, in hex."""
    code, *data = bytes.fromhex(body)
    return encode(Frame(code=code, data=bytes(data))).hex(" ").upper()


class Host:
    """Sends plain bytes to the unit."""

    def __init__(self, unit: UBA) -> None:
        self.unit = unit
        self.now = 0.0

    def ask(self, wire: str) -> str:
        """Returns the answer of the unit, in hex; "" for silence."""
        self.unit.receive(bytes.fromhex(wire), self.now)
        return self.unit.bytes_to_send().hex(" ").upper()

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.unit.tick(self.now)
        self.now = end
        self.unit.tick(end)

    def enable(self) -> None:
        assert self.ask(RESET) == ACK
        self.wait(3.0)
        for setting in ("all denominations on", "take notes"):
            assert self.ask(WIRE[setting]) == WIRE[setting]
        assert self.ask(STATUS) == IDLE

    def offer(self, value_cents: int) -> None:
        assert self.unit.insert(value_cents)
        self.wait(1.0)


@pytest.fixture
def unit() -> UBA:
    return UBA(NOTE_TYPES)


@pytest.fixture
def host(unit: UBA) -> Host:
    return Host(unit)


def test_it_shows_power_up_until_it_is_reset_and_takes_nothing_before_it_is_enabled(unit: UBA, host: Host) -> None:
    for _ in range(3):
        assert host.ask(STATUS) == RESET
        host.wait(10.0)
    assert host.ask(RESET) == ACK
    assert host.ask(STATUS) == WIRE["initialising"]
    host.wait(3.0)
    assert host.ask(STATUS) == INHIBITED
    assert not unit.insert(500)


def test_before_the_reset_it_reports_its_state_and_executes_nothing(host: Host) -> None:
    assert host.ask(WIRE["version"]).startswith("FC 2E 88 55 28 55 53 41 29")
    assert host.ask(WIRE["table of notes"]).startswith("FC 21 8A 61 01 01 00")
    for wire in (WIRE["take notes"], STACK, RETURN, HOLD):
        assert host.ask(wire) == REFUSED


def test_a_whole_note_in_known_bytes(unit: UBA, host: Host) -> None:
    host.enable()
    assert unit.insert(500)
    assert host.ask(STATUS) == WIRE["accepting"]
    host.wait(1.0)
    assert host.ask(STATUS) == WIRE["escrow of denomination 63"]
    assert host.ask(HOLD) == ACK
    assert host.ask(STATUS) == WIRE["holding"]
    assert host.ask(STACK) == ACK
    assert host.ask(STATUS) == WIRE["stacking"]
    host.wait(1.0)
    for _ in range(5):
        assert host.ask(STATUS) == VEND_VALID
        host.wait(60.0)
    assert not unit.insert(100)
    assert host.ask(ACK) == ""
    assert host.ask(STATUS) == STACKED
    host.wait(0.5)
    assert host.ask(STATUS) == IDLE
    assert (unit.stacked, unit.returned) == ([500], [])


def test_return_and_an_expired_hold_give_the_note_back(unit: UBA, host: Host) -> None:
    host.enable()
    host.offer(500)
    assert host.ask(RETURN) == ACK
    assert host.ask(STATUS) == WIRE["returning"]
    host.wait(1.0)
    host.offer(100)
    host.ask(HOLD)
    host.wait(9.0)
    assert host.ask(HOLD) == ACK
    host.wait(9.0)
    assert host.ask(STATUS) == WIRE["holding"]
    host.wait(2.0)
    assert host.ask(STATUS) in (WIRE["returning"], IDLE)
    host.wait(1.0)
    assert unit.returned == [500, 100]


def test_orders_about_a_note_that_is_not_in_escrow_are_refused(unit: UBA, host: Host) -> None:
    host.enable()
    for wire in (STACK, RETURN, HOLD):
        assert host.ask(wire) == REFUSED
    host.offer(500)
    assert host.ask(STACK) == ACK
    for wire in (STACK, RETURN, HOLD, WIRE["inhibit"]):
        assert host.ask(wire) == REFUSED


@pytest.mark.parametrize("body", ["C0 00", "C3", "C7 00 00", "99"])
def test_settings_of_the_wrong_size_and_unknown_commands_are_refused(host: Host, body: str) -> None:
    host.enable()
    assert host.ask(spell(body)) == REFUSED
    assert host.ask(STATUS) == IDLE


def test_a_note_switched_off_or_not_recognised_is_rejected_with_a_reason(unit: UBA, host: Host) -> None:
    host.enable()
    host.ask(spell("C0 FE FF"))
    assert unit.insert(500)
    host.wait(0.9)
    assert host.ask(STATUS) == spell("17 79")
    host.wait(2.0)
    assert unit.insert_bad(700)
    host.wait(0.9)
    assert host.ask(STATUS) == spell("17 77")
    host.wait(2.0)
    host.offer(100)
    assert host.ask(STATUS) == WIRE["escrow of denomination 61"]
    assert unit.returned == [500, 700]


def test_a_ticket_shows_its_number(unit: UBA, host: Host) -> None:
    host.enable()
    host.ask(spell("C7 00"))
    assert unit.insert_ticket("001234567890123456")
    host.wait(1.0)
    assert host.ask(STATUS) == WIRE["ticket 001234567890123456 in escrow"]


@pytest.mark.parametrize(
    ("phase", "to_stacker", "found", "stacked", "returned"),
    [
        ("accepting", True, State.POWER_UP_IN_ACCEPTOR, [], [500]),
        ("escrow", True, State.POWER_UP_IN_ACCEPTOR, [], [500]),
        ("stacking", False, State.POWER_UP_IN_ACCEPTOR, [], [500]),
        ("stacking", True, State.POWER_UP_IN_STACKER, [500], []),
        ("credit", True, State.POWER_UP_IN_STACKER, [500], []),
    ],
)
def test_after_a_power_cut_it_shows_where_the_note_is_and_sends_it_there_once(
    unit: UBA, host: Host, *, phase: str, to_stacker: bool, found: State, stacked: list[int], returned: list[int]
) -> None:
    host.enable()
    assert unit.insert(500)
    host.wait(0.1 if phase == "accepting" else 1.0)
    if phase in ("stacking", "credit"):
        host.ask(STACK)
    if phase == "credit":
        host.wait(2.0)
    unit.power_cycle(to_stacker=to_stacker)
    assert host.ask(STATUS) == ""
    host.wait(2.0)
    for _ in range(2):
        assert bytes.fromhex(host.ask(STATUS))[2] == found
    unit.power_cycle(to_stacker=False)
    host.wait(2.0)
    assert bytes.fromhex(host.ask(STATUS))[2] == found
    host.ask(RESET)
    host.wait(10.0)
    assert host.ask(STATUS) == INHIBITED
    assert (unit.stacked, unit.returned) == (stacked, returned)


def test_a_unit_with_power_recovery_reports_its_credit_after_the_reset(host: Host, unit: UBA) -> None:
    unit.reports_recovered = True
    host.enable()
    host.offer(500)
    host.ask(STACK)
    unit.power_cycle()
    host.wait(2.0)
    host.ask(RESET)
    host.wait(10.0)
    assert host.ask(STATUS) == VEND_VALID
    host.ask(ACK)
    host.wait(1.0)
    assert host.ask(STATUS) == INHIBITED
    assert unit.stacked == [500]


def test_a_reset_without_a_power_cut_forgets_the_unreported_credit(host: Host, unit: UBA) -> None:
    host.enable()
    host.offer(500)
    host.ask(STACK)
    host.wait(2.0)
    assert host.ask(STATUS) == VEND_VALID
    host.ask(RESET)
    host.wait(10.0)
    assert host.ask(STATUS) == INHIBITED
    assert unit.stacked == [500]


@pytest.mark.parametrize(
    ("fault", "wire"),
    [
        (State.STACKER_FULL, RETURN),
        (State.STACKER_OPEN, HOLD),
        (State.JAM_IN_ACCEPTOR, WIRE["jam in the acceptor"]),
        (State.JAM_IN_STACKER, WIRE["jam in the stacker"]),
        (State.PAUSED, WIRE["paused"]),
        (State.FAILURE, spell("49 A2")),
    ],
)
def test_a_fault_is_shown_while_it_is_there_and_no_note_is_drawn_in(
    unit: UBA, host: Host, fault: State, wire: str
) -> None:
    host.enable()
    unit.break_down(fault, failure=0xA2)
    assert host.ask(STATUS) == wire
    assert not unit.insert(500)
    unit.repair(fault)
    host.wait(5.0)
    assert host.ask(STATUS) == (INHIBITED if fault is State.STACKER_OPEN else IDLE)


def test_a_jammed_note_stays_where_it_is(unit: UBA, host: Host) -> None:
    host.enable()
    host.offer(500)
    host.ask(STACK)
    unit.break_down(State.JAM_IN_STACKER)
    host.wait(60.0)
    assert (unit.stacked, unit.returned, unit.phase) == ([], [], "stacking")
    unit.repair(State.JAM_IN_STACKER)
    host.wait(2.0)
    assert unit.stacked == [500]


def test_cheating_is_shown_for_a_moment_and_the_note_is_gone(unit: UBA, host: Host) -> None:
    host.enable()
    host.offer(500)
    unit.cheat()
    assert host.ask(STATUS) == WIRE["cheated"]
    host.wait(1.5)
    assert host.ask(STATUS) == IDLE
    assert (unit.stacked, unit.returned) == ([], [500])


def test_without_time_everything_happens_at_once() -> None:
    unit = UBA(NOTE_TYPES, timings=INSTANT)
    host = Host(unit)
    host.enable()
    assert unit.insert(500)
    assert host.ask(STATUS) == WIRE["escrow of denomination 63"]
    assert host.ask(STACK) == ACK
    assert host.ask(STATUS) == VEND_VALID


def test_noise_moves_nothing(unit: UBA, host: Host) -> None:
    host.enable()
    rng = random.Random(2)
    for _ in range(200):
        unit.receive(rng.randbytes(500), host.now)
    host.wait(1.0)
    unit.bytes_to_send()
    assert host.ask(STATUS) == IDLE


def test_half_a_command_is_not_waited_for(host: Host) -> None:
    host.enable()
    assert host.ask("FC FF 11") == ""
    host.wait(1.0)
    assert host.ask(STATUS) == IDLE


def test_it_boots_for_as_long_as_set() -> None:
    host = Host(UBA(NOTE_TYPES, timings=Timings(boot_s=5.0)))
    host.unit.power_cycle()
    host.wait(4.0)
    assert host.ask(STATUS) == ""
    host.wait(2.0)
    assert host.ask(STATUS) == RESET
