"""The simulated Cashflow behaves like a real one and sends the known bytes."""

import random

import pytest
from support.ebds_vectors import VECTORS
from support.notes import CHANNELS

from drivers.bills.ebds.codec import Flag, NoteMessage, Policy, Status, read_note, read_status
from drivers.bills.ebds.frame import Decoder, Frame, Kind, encode
from drivers.simulated.cashflow import INSTANT, Cashflow, Timings

WIRE = {meaning: wire for meaning, *_, wire in VECTORS}


class Host:
    """Sends to the unit directly, one message at a time."""

    def __init__(self, unit: Cashflow) -> None:
        self.unit = unit
        self.now = 0.0
        self.bit = True

    def send(self, wire: bytes) -> bytes:
        self.unit.receive(wire, self.now)
        return self.unit.bytes_to_send()

    def ask(self, kind: Kind, data: str, *, again: bool = False) -> Frame:
        """The reply to a message under the next bit, or again under the same."""
        self.bit = self.bit if again else not self.bit
        reply = self.send(encode(Frame(kind=kind, ack=self.bit, data=bytes.fromhex(data))))
        (frame,) = Decoder().feed(reply)
        assert frame.ack is self.bit
        return frame

    def poll(self, wish: str = "7F 1C 00", *, again: bool = False) -> Status:
        """The state shown, 0.1 s after the one before."""
        self.wait(0.1)
        frame = self.ask(Kind.POLL, wish, again=again)
        status = read_status(frame.data if frame.kind is Kind.REPLY else frame.data[1:7])
        assert status is not None
        return status

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.unit.tick(self.now)
        self.now = end
        self.unit.tick(end)

    def wake(self, wish: str = "7F 1C 00") -> None:
        while self.poll(wish).has(Flag.POWER_UP):
            pass

    def poll_for(self, seconds: float, wish: str = "7F 1C 00") -> list[Status]:
        return [self.poll(wish) for _ in range(round(seconds / 0.1))]


@pytest.fixture
def unit() -> Cashflow:
    return Cashflow(CHANNELS, extended=False)


@pytest.fixture
def host(unit: Cashflow) -> Host:
    return Host(unit)


def shows(status: Status) -> set[Flag]:
    return {flag for flag in Flag if status.has(flag)}


def test_it_answers_the_known_poll_with_the_known_idle(unit: Cashflow, host: Host) -> None:
    host.wake()
    host.bit = True
    host.poll()
    reply = host.send(bytes.fromhex("02 08 11 7F 1C 00 03 7A"))
    assert reply == WIRE["idle, another firmware"]


def test_it_stays_in_its_power_up_state_when_it_is_polled_too_slowly(host: Host) -> None:
    for _ in range(40):
        host.wait(0.4)
        assert host.poll().has(Flag.POWER_UP)
    host.poll_for(0.5)
    assert not host.poll().has(Flag.POWER_UP)


def test_the_same_bit_again_gets_the_same_reply_and_does_nothing(unit: Cashflow, host: Host) -> None:
    host.wake()
    unit.insert(500)
    host.poll_for(1.0)
    assert host.poll().has(Flag.ESCROWED)
    for _ in range(5):
        assert host.poll("7F 3C 00", again=True).has(Flag.ESCROWED)
    assert unit.phase == "escrow"
    host.poll("7F 3C 00")
    assert unit.phase == "stacking"


def test_a_whole_note_in_known_bytes() -> None:
    unit = Cashflow(CHANNELS, extended=False, timings=INSTANT)
    host = Host(unit)
    host.wake()
    if not host.bit:
        host.poll()
    unit.insert(2000)
    assert host.send(bytes.fromhex("02 08 10 7F 1C 00 03 7B")) == bytes.fromhex("02 0B 20 04 10 28 00 01 02 03 14")
    assert host.send(bytes.fromhex("02 08 11 7F 3C 00 03 5A")) == bytes.fromhex("02 0B 21 08 10 00 00 01 02 03 31")
    assert host.send(bytes.fromhex("02 08 10 7F 1C 00 03 7B")) == bytes.fromhex("02 0B 20 11 10 28 00 01 02 03 01")
    assert host.send(bytes.fromhex("02 08 11 7F 1C 00 03 7A")) == WIRE["idle, another firmware"]
    assert unit.stacked == [2000]


def test_stacked_is_shown_once_unless_the_reply_was_lost(unit: Cashflow, host: Host) -> None:
    host.wake()
    unit.insert(2000)
    host.poll_for(1.0)
    host.poll("7F 3C 00")
    host.wait(1.0)
    stacked = host.poll()
    assert (shows(stacked), stacked.index) == ({Flag.IDLE, Flag.STACKED, Flag.CASSETTE}, 5)
    assert not unit.insert(100)
    for _ in range(3):
        assert host.poll(again=True).has(Flag.STACKED)
    after = host.poll()
    assert (shows(after), after.index) == ({Flag.IDLE, Flag.CASSETTE}, 0)
    assert unit.insert(100)


def test_the_event_and_the_value_may_linger() -> None:
    host = Host(Cashflow(CHANNELS, extended=False, lingers=2))
    host.wake()
    host.unit.insert(2000)
    host.poll_for(1.0)
    host.poll("7F 3C 00")
    host.wait(1.0)
    assert [host.poll().has(Flag.STACKED) for _ in range(5)] == [True, True, True, False, False]


def test_return_and_a_note_without_a_decision_come_out(unit: Cashflow, host: Host) -> None:
    unit.timings = Timings(escrow_s=3.0)
    host.wake()
    unit.insert(2000)
    host.poll_for(1.0)
    assert host.poll("7F 5C 00").has(Flag.RETURNING)
    assert any(status.has(Flag.RETURNED) for status in host.poll_for(1.0))
    unit.insert(500)
    assert any(status.has(Flag.RETURNED) for status in host.poll_for(6.0))
    assert (unit.stacked, unit.returned) == ([], [2000, 500])


def test_without_the_escrow_bit_a_note_goes_straight_down(unit: Cashflow, host: Host) -> None:
    host.wake("7F 00 00")
    unit.insert(500)
    assert any(status.has(Flag.STACKED) for status in host.poll_for(3.0, "7F 00 00"))
    assert unit.stacked == [500]


def test_it_takes_nothing_without_polls_mask_or_cassette(unit: Cashflow, host: Host) -> None:
    assert not unit.insert(500)
    host.wake()
    host.poll("00 1C 00")
    assert not unit.insert(500)
    host.poll()
    unit.remove_cashbox()
    assert not host.poll().has(Flag.CASSETTE)
    assert not unit.insert(500)
    unit.replace_cashbox()
    assert unit.enabled
    host.wait(6.0)
    assert not unit.insert(500)


def test_a_note_switched_off_is_rejected_and_the_flag_stays(unit: Cashflow, host: Host) -> None:
    host.wake("01 1C 00")
    assert unit.insert(500)
    replies = host.poll_for(3.0, "01 1C 00")
    assert replies[-1].has(Flag.REJECTED)
    assert (unit.returned, unit.stacked) == ([500], [])


@pytest.mark.parametrize(
    ("flag", "motion"), [(Flag.JAMMED, False), (Flag.FULL, False), (Flag.FAILURE, False), (Flag.PAUSED, True)]
)
def test_a_fault_is_shown_while_it_is_there(unit: Cashflow, host: Host, *, flag: Flag, motion: bool) -> None:
    host.wake()
    unit.break_down(flag)
    status = host.poll()
    assert (status.has(flag), status.has(Flag.IDLE)) == (True, motion)
    assert not unit.insert(500)
    unit.repair(flag)
    assert not host.poll().has(flag)


def test_cheating_is_shown_in_a_few_replies_and_the_note_is_gone(unit: Cashflow, host: Host) -> None:
    host.wake()
    unit.insert(500)
    host.poll_for(1.0)
    unit.cheat()
    shown = [status.has(Flag.CHEATED) for status in host.poll_for(1.0)]
    assert shown[0]
    assert not shown[-1]
    assert (unit.stacked, unit.returned) == ([], [500])


@pytest.mark.parametrize(
    ("policy", "in_escrow", "value_reported"),
    [(Policy.A, True, False), (Policy.B, False, True), (Policy.C, False, False)],
)
def test_after_a_power_cut_the_policy_decides(
    unit: Cashflow, host: Host, *, policy: Policy, in_escrow: bool, value_reported: bool
) -> None:
    wish = f"7F 1C {policy << 2:02X}"
    host.wake(wish)
    unit.insert(2000)
    host.poll_for(1.0, wish)
    unit.power_cycle()
    host.wait(3.0)
    status = host.poll(wish)
    assert (status.has(Flag.ESCROWED), status.index, status.has(Flag.POWER_UP)) == (in_escrow, 0, True)
    unit.take_out()
    host.poll_for(2.0, wish.replace("1C", "5C"))
    assert unit.returned == [2000]
    host.wake(wish)
    unit.insert(500)
    host.poll_for(1.0, wish)
    host.poll(wish.replace("1C", "3C"))
    unit.power_cycle()
    host.wait(6.0)
    status = host.poll(wish)
    assert status.has(Flag.STACKED)
    assert status.has(Flag.POWER_UP)
    assert status.index == (3 if value_reported else 0)
    assert unit.stacked == [500]


@pytest.mark.parametrize("keeps_event", [True, False])
def test_an_event_that_was_not_received_may_survive_a_power_cut(
    unit: Cashflow, host: Host, *, keeps_event: bool
) -> None:
    unit.keeps_event = keeps_event
    host.wake()
    unit.insert(500)
    host.poll_for(1.0)
    host.poll("7F 3C 00")
    host.wait(1.0)
    unit.power_cycle()
    host.wait(3.0)
    assert host.poll().has(Flag.STACKED) is keeps_event
    assert unit.stacked == [500]


def test_a_soft_reset_is_not_answered_and_takes_eight_seconds(host: Host) -> None:
    host.wake()
    assert host.send(WIRE["soft reset"]) == b""
    host.wait(7.0)
    assert host.send(WIRE["poll, plain"]) == b""
    host.wait(1.5)
    assert host.poll().has(Flag.POWER_UP)


# Extended messages.


def test_an_extended_unit_reports_its_identity_and_its_notes() -> None:
    host = Host(Cashflow(CHANNELS))
    host.wake()
    assert host.ask(Kind.AUXILIARY, "00 00 07").data == b"280000123"
    line = host.ask(Kind.EXTENDED, "02 00 10 10 05")
    assert (line.kind, len(encode(line))) == (Kind.EXTENDED, 30)
    assert read_note(line.data[7:]) == NoteMessage(index=5, currency="USD", value_cents=2000)
    beyond = host.ask(Kind.EXTENDED, "02 00 10 10 08")
    assert read_note(beyond.data[7:]) is None


def test_an_extended_unit_reports_a_note_in_escrow_in_a_separate_message() -> None:
    unit = Cashflow(CHANNELS)
    host = Host(unit)
    host.wake("7F 1C 10")
    host.ask(Kind.EXTENDED, "03 7F 1C 10 10 00 00 00 00 00 00 00")
    unit.insert(2000)
    host.poll_for(1.0, "7F 1C 10")
    frame = host.ask(Kind.POLL, "7F 1C 10")
    assert frame.kind is Kind.EXTENDED
    assert read_note(frame.data[7:]) == NoteMessage(index=0, currency="USD", value_cents=2000)
    status = read_status(frame.data[1:7])
    assert status is not None
    assert (status.has(Flag.ESCROWED), status.index) == (True, 0)
    host.poll("7F 5C 10")
    host.poll_for(1.5, "7F 1C 10")
    unit.insert(500)
    assert host.poll_for(1.5, "7F 1C 10")[-1].has(Flag.REJECTED)


@pytest.mark.parametrize(("kind", "data"), [(Kind.AUXILIARY, "00 00 07"), (Kind.EXTENDED, "02 00 10 10 01")])
def test_a_pyramid_unit_knows_no_such_messages(host: Host, kind: Kind, data: str) -> None:
    host.wake()
    frame = host.ask(kind, data)
    status = read_status(frame.data)
    assert status is not None
    assert status.has(Flag.INVALID_COMMAND)


def test_without_time_everything_happens_at_once() -> None:
    host = Host(Cashflow(CHANNELS, extended=False, timings=INSTANT))
    host.wake()
    assert host.unit.insert(500)
    assert host.poll().has(Flag.ESCROWED)
    host.poll("7F 3C 00")
    assert host.poll().has(Flag.STACKED)


def test_noise_moves_nothing(unit: Cashflow, host: Host) -> None:
    host.wake()
    rng = random.Random(2)
    for _ in range(200):
        unit.receive(rng.randbytes(500), host.now)
    unit.bytes_to_send()
    host.wait(1.0)
    assert host.poll().has(Flag.IDLE)


def test_half_a_message_is_not_waited_for(host: Host) -> None:
    host.wake()
    assert host.send(bytes.fromhex("02 7F 10 00")) == b""
    assert host.poll().has(Flag.IDLE)
