"""The simulated ccTalk validator behaves like a real one, checked by plain bytes in decimal."""

import pytest
from support.cctalk_vectors import decimal
from support.notes import CHANNELS

from drivers.bills.cctalk.codec import Status
from drivers.bills.cctalk.frame import Check
from drivers.simulated.cctalk_validator import INSTANT, CcTalkValidator, Timings


class Host:
    """Sends plain bytes and returns the reply's header and data in decimal, "" for silence."""

    def __init__(self, unit: CcTalkValidator) -> None:
        self.unit = unit
        self.now = 0.0

    def ask(self, *header_and_data: int) -> str:
        header, *data = header_and_data
        body = bytes((40, len(data), 1, header, *data))
        return self.send(body + bytes((-sum(body) % 256,)))

    def send(self, wire: bytes) -> str:
        self.unit.receive(wire, self.now)
        answer = self.unit.bytes_to_send()
        assert answer[: len(wire)] == wire, "the echo comes first"
        reply = answer[len(wire) :]
        if not reply:
            return ""
        assert (reply[0], reply[1], reply[2], sum(reply) % 256) == (1, len(reply) - 5, 40, 0)
        return " ".join(str(byte) for byte in reply[3:-1])

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.unit.tick(self.now)
        self.now = end
        self.unit.tick(end)

    def enable(self) -> None:
        assert self.ask(153, 3) == self.ask(231, 255, 255) == self.ask(228, 1) == "0"


@pytest.fixture
def unit() -> CcTalkValidator:
    return CcTalkValidator(CHANNELS, timings=Timings(boot_s=2.0))


@pytest.fixture
def host(unit: CcTalkValidator) -> Host:
    return Host(unit)


def test_known_frames_are_answered(host: Host) -> None:
    assert host.send(decimal("40 0 1 254 217")) == "0"
    assert host.send(decimal("40 0 1 159 56")) == "0 0 0 0 0 0 0 0 0 0 0 0"
    assert host.send(decimal("40 1 1 154 1 59")) == "0 254"
    assert host.send(decimal("40 1 1 228 1 241")) == "0"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("40 0 182 254 33", "1 0 48 0 55"),
        ("40 1 234 228 1 73", "1 0 48 0 55"),
        ("40 0 49 159 93", "1 11 158 0 0 0 0 0 0 0 0 0 0 0 0 191"),
    ],
)
def test_frames_with_crc_are_answered_only_by_a_unit_set_to_it(unit: CcTalkValidator, asked: str, answer: str) -> None:
    frame = decimal(asked)
    unit.receive(frame, 0.0)
    assert unit.bytes_to_send() == frame
    other = CcTalkValidator(CHANNELS, check=Check.CRC)
    other.receive(frame, 0.0)
    assert other.bytes_to_send() == frame + decimal(answer)
    other.receive(decimal("40 0 1 254 217"), 1.0)
    assert other.bytes_to_send() == decimal("40 0 1 254 217")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ((246,), " ".join(str(byte) for byte in b"\0ITL")),
        ((245,), " ".join(str(byte) for byte in b"\0Bill Validator")),
        ((242,), "0 0 28 150 44"),
        ((157, 5), " ".join(str(byte) for byte in b"\0US0020A")),
        ((157, 9), "0 0 0 0 0 0 0 0"),
        ((145,), " ".join(str(byte) for byte in b"\0USD01610")),
        ((145, 85, 83), " ".join(str(byte) for byte in b"\0USD01610")),
        ((152,), "0 1"),
        ((230,), "0 0 0"),
        ((243,), "0 1"),
        ((156, 85, 83), "0 100 0 2"),
        ((156, 88, 88), "0 0 0 0"),
        ((232,), "0 0"),
        ((249,), "0 2 20"),
        ((227,), "0 0"),
        ((231, 1), "5"),
        ((99,), ""),
    ],
)
def test_questions_are_answered_as_in_the_specification(host: Host, question: tuple[int, ...], answer: str) -> None:
    assert host.ask(*question) == answer


def test_other_makers_send_their_serial_number_little_endian() -> None:
    host = Host(CcTalkValidator(CHANNELS, maker="Alberici", serial=12345678))
    assert host.ask(242) == "0 78 97 188"


@pytest.mark.parametrize("wire", ["40 0 1 254 216", "41 0 1 254 216", "40 1 1 254 217"])
def test_a_wrong_foreign_or_unfinished_frame_gets_only_its_echo(host: Host, wire: str) -> None:
    assert host.send(decimal(wire)) == ""


def test_a_gap_inside_a_frame_ends_it(unit: CcTalkValidator) -> None:
    unit.receive(decimal("40 0 1"), 0.0)
    unit.receive(decimal("254 217"), 0.06)
    assert unit.bytes_to_send() == decimal("40 0 1 254 217")
    unit.receive(decimal("40 0 1"), 1.0)
    unit.receive(decimal("254 217"), 1.04)
    assert unit.bytes_to_send() == decimal("40 0 1 254 217 1 0 40 0 215")


def test_a_note_goes_through_escrow_into_the_box(unit: CcTalkValidator, host: Host) -> None:
    assert not unit.insert(2000)
    host.enable()
    assert unit.insert(2000)
    host.wait(1.0)
    assert host.ask(159) == "0 2 5 1 0 0 0 0 0 0 0 0"
    assert host.ask(154, 1) == "0"
    assert host.ask(154, 1) == "0 254"
    host.wait(1.0)
    assert host.ask(159) == host.ask(159) == "0 3 5 0 5 1 0 0 0 0 0 0"
    assert (unit.stacked, unit.returned, unit.busy) == ([2000], [], False)


def test_an_escrow_that_is_not_extended_ends(unit: CcTalkValidator, host: Host) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(1.0)
    for _ in range(3):
        host.wait(8.0)
        assert host.ask(154, 255) == "0"
    host.wait(11.0)
    assert host.ask(159) == "0 2 0 1 5 1 0 0 0 0 0 0"
    assert unit.returned == [2000]


def test_without_escrow_mode_a_note_is_stacked_unasked(unit: CcTalkValidator, host: Host) -> None:
    host.enable()
    host.ask(153, 1)
    unit.insert(2000)
    host.wait(3.0)
    assert unit.stacked == [2000]


def test_notes_that_are_not_taken_are_distinguished(unit: CcTalkValidator, host: Host) -> None:
    unit.insert(500)
    host.enable()
    host.ask(231, 1, 0)
    unit.insert(500)
    host.wait(2.0)
    unit.insert_bad()
    host.wait(2.0)
    assert host.ask(159) == "0 3 0 2 0 4 0 0 0 0 0 0"
    assert unit.returned == [500, 0]


def test_the_counter_goes_from_255_to_1(unit: CcTalkValidator, host: Host) -> None:
    for _ in range(255):
        unit.post(0, 2)
    assert host.ask(159).startswith("0 255 ")
    unit.post(0, 3)
    assert host.ask(159) == "0 1 0 3 0 2 0 2 0 2 0 2"


def test_a_reset_takes_a_while_and_forgets_everything(unit: CcTalkValidator, host: Host) -> None:
    host.enable()
    unit.post(5, 0)
    assert host.ask(1) == "0"
    assert host.ask(254) == ""
    host.wait(2.1)
    assert host.ask(159) == "0 0 0 0 0 0 0 0 0 0 0 0"
    assert host.ask(227) == "0 0"


@pytest.mark.parametrize("to_cashbox", [False, True])
def test_a_power_cut_while_stacking_ends_somewhere_and_is_not_reported(
    unit: CcTalkValidator, host: Host, *, to_cashbox: bool
) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(1.0)
    host.ask(154, 1)
    unit.power_cycle(to_cashbox=to_cashbox)
    host.wait(3.0)
    assert host.ask(159) == "0 0 0 0 0 0 0 0 0 0 0 0"
    assert (unit.stacked, unit.returned) == (([2000], []) if to_cashbox else ([], [2000]))


def test_faults_are_reported_and_stop_it(unit: CcTalkValidator, host: Host) -> None:
    host.enable()
    unit.break_down(Status.SAFE_JAM)
    assert host.ask(232) == "0 43"
    assert not unit.enabled
    unit.repair(Status.SAFE_JAM)
    unit.fill()
    unit.empty()
    unit.remove_cashbox()
    assert not unit.enabled
    unit.replace_cashbox()
    assert host.ask(159) == "0 5 0 12 0 11 0 10 0 14 0 16"
    assert unit.enabled


def test_a_missing_cash_box_is_reported_again_after_power_up(unit: CcTalkValidator, host: Host) -> None:
    unit.remove_cashbox()
    unit.power_cycle()
    host.wait(3.0)
    assert host.ask(159).startswith("0 1 0 11 ")


def test_a_jammed_note_moves_nowhere_and_a_pulled_one_is_gone(unit: CcTalkValidator, host: Host) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(1.0)
    unit.jam()
    assert host.ask(154, 1) == "0 255"
    host.wait(60.0)
    assert unit.phase == "escrow"
    unit.clear_jam()
    unit.insert(500)
    host.wait(1.0)
    unit.cheat()
    assert host.ask(159).startswith("0 4 0 8 3 1 ")
    assert unit.returned == [2000, 500]


def test_an_instant_unit_needs_no_time() -> None:
    unit = CcTalkValidator(CHANNELS, timings=INSTANT)
    host = Host(unit)
    host.enable()
    unit.insert(100)
    host.ask(254)
    assert unit.phase == "escrow"
