"""Public hosts at the simulated units: their start-up, and one note, as data.

Each sequence is what a public host sends, in its order, and what it needs to hear to go on. A simulated unit that is
poorer than a real one stops such a host, and hides what a real unit would do to ours.
"""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from support.notes import CHANNELS
from support.nv9_host import Host

from drivers.bills.cctalk.frame import Check, encode
from drivers.bills.cctalk.frame import Frame as CcTalkFrame
from drivers.bills.id003.codec import NoteType
from drivers.bills.id003.frame import Decoder, Frame
from drivers.bills.id003.frame import encode as encode_id003
from drivers.bills.ssp.secret import FIXED_KEY, Seal, shared_key
from drivers.simulated.cctalk_validator import INSTANT as INSTANT_CCTALK
from drivers.simulated.cctalk_validator import CcTalkValidator
from drivers.simulated.nv9 import INSTANT, NV9
from drivers.simulated.uba import UBA
from drivers.simulated.uba import Timings as UbaTimings
from drivers.simulated.units import US_CHANNELS, US_RESERVED

Steps = tuple[tuple[str, str], ...]
"""What is sent, and a pattern that the answer must match from its beginning to its end."""

NOTE_CENTS = 2000
WIDE = r"(55 53 44 ){7}01 00 00 00 02 00 00 00 05 00 00 00 0A 00 00 00 14 00 00 00 32 00 00 00 64 00 00 00"
SETUP = r"F0 00 30 33 33 31 55 53 44 00 00 64 07 .*"
POLL_QUIET = r"F0( E8)?"

# SSP: a step is the data of a frame in hex; "keys" is the exchange of keys, from which on all is sealed.

KYBARG: Steps = (
    ("11", "F0"),
    ("06 06", "F0"),
    ("keys", ""),
    ("0C", "F0 00 1C 96 2C"),
    ("0D", "F0 00 30 33 33 31 55 53 44 00 00 64 06"),
    ("05", SETUP),
    ("02 FF 00", "F0"),
    ("0A", "F0"),
    ("07", "F0 F1.*"),
)
"""kybarg/ssp, example.js: every command behind the exchange of keys is sealed."""

ITL_SDK: Steps = (
    ("11", "F0"),
    ("keys", ""),
    ("06 06", "F0"),
    ("06 07", "F0"),
    ("06 08", "F8"),
    ("06 07", "F0"),
    ("05", SETUP),
    ("0C", "F0 00 1C 96 2C"),
    ("02 FF FF", "F0"),
    ("0A", "F0"),
    ("07", "F0 F1.*"),
)
"""The examples of the maker's SDK (validator, in several languages): they search the highest protocol version."""

QUESTIONS: Steps = (
    ("11", "F0"),
    ("06 07", "F0"),
    ("0D", "F0 00 30 33 33 31 55 53 44 00 00 64 07"),
    ("0E", f"F0 07 01 02 05 0A 14 32 64 {WIDE}"),
    ("0F", "F0 07( 02){7}"),
    ("10", "F0( 00){7}"),
    ("17", "F0 00"),
    ("20", r"F0 4E 56 30 30 30 39.*"),
    ("21", "F0 55 53 44 30 31 36 31 30"),
    ("25", "F0 FE"),
    ("4F", "F0 00 02 00"),
    ("03", "F0"),
    ("04", "F0"),
    ("58", "F0 05( 00){20}"),
    ("59", "F0"),
    ("02 FF FF", "F0"),
    ("0A", "F0"),
    ("07", "F0 F1.*"),
)
"""What sixtyeight/kassomat-payout and SmileySecure can ask a validator for."""

OLD_HOST: Steps = (
    ("11", "F0"),
    ("0E", "F0 07 01 02 05 0A 14 32 64"),
    ("05", r"F0 00 30 33 33 31 55 53 44 00 00 64 07 .* 03"),
    ("02 FF FF", "F0"),
    ("0A", "F0"),
    ("07", "F0 F1.*"),
)
"""A host of the first protocol versions, which agrees on none: short forms of all replies."""


TAKE_NOTE: Steps = (("07", "F0 EF 05"), ("18", "F0"), ("07", "F0 CC"), ("07", "F0 EE 05 EB"), ("07", "F0"))


class SspHost(Host):
    """Seals its commands once keys were exchanged."""

    def __init__(self, unit: NV9) -> None:
        super().__init__(unit)
        self.seal: Seal | None = None

    def say(self, command: str) -> str:
        if command == "keys":
            return self._exchange_keys()
        if self.seal is None:
            return self.ask(command)
        answer = self.seal.open(bytes.fromhex(self.ask(self.seal.close(bytes.fromhex(command)).hex())))
        assert answer is not None, f"{command} is not answered under seal"
        return answer.hex(" ").upper()

    def _exchange_keys(self) -> str:
        generator, modulus, mine = 982451653, 1287821, 77
        numbers = ((0x4A, generator), (0x4B, modulus), (0x4C, pow(generator, mine, modulus)))
        answer = ""
        for command, number in numbers:
            answer = self.ask(f"{command:02X} {number.to_bytes(8, 'little').hex()}")
            assert answer.startswith("F0")
        agreed = pow(int.from_bytes(bytes.fromhex(answer)[1:], "little"), mine, modulus)
        self.seal = Seal(shared_key(FIXED_KEY, agreed), lambda size: b"\x07" * size)
        return ""


@pytest.mark.parametrize(
    ("steps", "encryption"),
    [
        (KYBARG, "offered"),
        (KYBARG, "demanded"),
        (ITL_SDK, "offered"),
        (ITL_SDK, "demanded"),
        (QUESTIONS, "offered"),
        (OLD_HOST, "unknown"),
    ],
    ids=["kybarg", "kybarg, sealed", "itl", "itl, sealed", "questions", "old"],
)
def test_an_ssp_host_runs_through_and_takes_a_note(
    steps: Steps, encryption: Literal["offered", "demanded", "unknown"]
) -> None:
    unit = NV9(CHANNELS, encryption=encryption, has_reader=True, timings=INSTANT)
    host = SspHost(unit)
    run(host.say, steps)
    assert unit.insert(NOTE_CENTS)
    host.wait(0.1)
    run(host.say, TAKE_NOTE)
    assert unit.stacked == [NOTE_CENTS]


@pytest.mark.parametrize("unit_type", [6, 7])
def test_a_payout_unit_reports_what_its_payout_does_once(unit_type: int) -> None:
    unit = NV9(CHANNELS, unit_type=unit_type, protocol_version=8, timings=INSTANT)
    host = SspHost(unit)
    run(host.say, (("11", "F0"), ("keys", ""), ("06 08", "F0")))
    unit.report(b"\xc6")
    run(host.say, (("07", "F0 F1 E8 C6"), ("07", "F0 E8")))


# ccTalk: a step is header and data in decimal; the answer is header and data in decimal.

TYPES = tuple(
    (f"157 {number}", "0 " + " ".join(str(byte) for byte in f"US{channel.value_cents // 100:04}A".encode("ascii")))
    for number, channel in enumerate(CHANNELS, start=1)
)
UNUSED = "0( 0){7}"
SCALING = ("156 85 83", "0 100 0 2")
QUIET_RING = "0( 0){11}"

VLTGROUP: Steps = (
    ("scan", "40"),
    ("245", "0( \\d+){14}"),
    ("246", "0 73 84 76"),
    ("244", "0 78 86 57"),
    ("242", "0 0 28 150 44"),
    ("249", "0 2 20"),
    ("241", "0( \\d+)+"),
    ("159", QUIET_RING),
    *TYPES,
    *((f"157 {number}", UNUSED) for number in range(8, 16)),
    SCALING,
    ("153 2", "0"),
    ("231 255 255", "0"),
    ("228 1", "0"),
    ("159", QUIET_RING),
)
"""vltgroup/ccTalk: it finds units by an address poll, which is answered without a frame."""

CCTALK4J: Steps = (
    *TYPES,
    ("157 8", UNUSED),
    SCALING,
    ("145 85 83", "0 85 83 68( \\d+){5}"),
    ("153 3", "0"),
    ("231 255 255", "0"),
    ("228 1", "0"),
    ("159", QUIET_RING),
)
"""PierreBeucher/ccTalk4j, its handler of bill validators."""

RUST_NV9: Steps = (
    ("254", "0"),
    *TYPES,
    *((f"157 {number}", UNUSED) for number in range(8, 17)),
    SCALING,
    ("145", "0 85 83 68( \\d+){5}"),
    ("153 1", "0"),
    ("231 255 255", "0"),
    ("228 1", "0"),
    ("159", QUIET_RING),
)
"""A host in Rust for NV9 and NV10, without escrow; types not in use are seven zeros there."""

INTERACTIVE: Steps = (
    ("4", "0 1 4 4"),
    ("192", "0 78 86 57"),
    ("243", "0 1"),
    ("152", "0 1"),
    ("230", "0 0 0"),
    ("227", "0 0"),
    ("232", "0 0"),
    ("153 3", "0"),
    ("231 255 0", "0"),
    ("228 1", "0"),
    ("152", "0 3"),
    ("230", "0 255 0"),
    ("227", "0 1"),
)
"""What a person can ask with mydev-online/cctalk-host."""


WITH_ESCROW: Steps = (("159", "0 1 5 1( 0){8}"), ("154 1", "0"), ("159", "0 2 5 0 5 1( 0){6}"))
AT_ONCE: Steps = (("159", "0 1 5 0( 0){8}"),)


class CcTalkHost:
    """Sends frames with the check sum that the unit is set to."""

    def __init__(self, unit: CcTalkValidator) -> None:
        self.unit = unit
        self.now = 0.0

    def say(self, step: str) -> str:
        if step == "scan":
            return self._scan()
        header, *data = (int(word) for word in step.split())
        answer = self._send(CcTalkFrame(destination=40, source=1, header=header, data=bytes(data)))
        if self.unit.check is Check.SIMPLE:
            assert (answer[0], answer[2], sum(answer) % 256) == (1, 40, 0)
        return " ".join(str(byte) for byte in answer[3 : 4 + answer[1]])

    def _scan(self) -> str:
        """Sends an address poll to all units: each answers with its address, one byte, after a pause."""
        assert self._send(CcTalkFrame(destination=0, source=1, header=253, data=b"")) == b""
        due = self.unit.due()
        assert due is not None
        assert due - self.now == pytest.approx(0.16)
        self.wait(1.5)
        return " ".join(str(byte) for byte in self.unit.bytes_to_send())

    def _send(self, frame: CcTalkFrame) -> bytes:
        wire = encode(frame, self.unit.check)
        self.unit.receive(wire, self.now)
        answer = self.unit.bytes_to_send()
        assert answer[: len(wire)] == wire, "the echo comes first"
        return answer[len(wire) :]

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.unit.tick(self.now)


@pytest.mark.parametrize("check", list(Check))
@pytest.mark.parametrize(
    ("steps", "note"),
    [(VLTGROUP, WITH_ESCROW), (CCTALK4J, WITH_ESCROW), (RUST_NV9, AT_ONCE), (INTERACTIVE, WITH_ESCROW)],
    ids=["vltgroup", "cctalk4j", "rust", "interactive"],
)
def test_a_cctalk_host_runs_through_and_takes_a_note(steps: Steps, note: Steps, check: Check) -> None:
    unit = CcTalkValidator(CHANNELS, check=check, timings=INSTANT_CCTALK)
    host = CcTalkHost(unit)
    run(host.say, steps)
    assert unit.insert(NOTE_CENTS)
    host.wait(0.1)
    run(host.say, note)
    assert unit.stacked == [NOTE_CENTS]


# ID-003: a step is code and data in hex.

US_NOTES = tuple(NoteType(channel=channel, country=1, value_cents=cents) for cents, channel in US_CHANNELS.items())
US_TABLE = "8A 61 01 01 00 62 00 00 00 63 01 05 00 64 01 01 01 65 01 02 01 66 01 05 01 67 01 01 02 68 00 00 00"

PY_ID003: Steps = (
    ("11", "40"),
    ("88", r"88 55 28 55 53 41 29.*"),
    ("40", "50"),
    ("11", "1B"),
    ("C0 82 00", "C0 82 00"),
    ("C1 00 00", "C1 00 00"),
    ("C4 00", "C4 00"),
    ("C5 00 00", "C5 00 00"),
    ("C3 00", "C3 00"),
    ("C6 01 12", "C6 01 12"),
    ("C7 00", "C7 00"),
    ("wait", ""),
    ("11", "11"),
)
"""Kopachris/py-id003: it knows 62 and 68 as reserved and switches them off."""

LAMASSU: Steps = (
    ("11", "40"),
    ("8A", US_TABLE),
    ("40", "50"),
    ("11", "1B"),
    ("C2 01", "C2 01"),
    ("wait", "05"),
    ("11", "1A"),
    ("80", "80 FF FF"),
    ("C0 00 00", "C0 00 00"),
    ("C3 00", "C3 00 05"),
    ("11", "11"),
)
"""lamassu-machine: it asks for the table before the reset, and from then on polls only after an ENQ of the unit."""


class Id003Host:
    """Sends frames and returns all that comes back."""

    def __init__(self, unit: UBA) -> None:
        self.unit = unit
        self.now = 0.0

    def say(self, step: str) -> str:
        if step == "wait":
            self.now += 1.0
            self.unit.tick(self.now)
        else:
            code, *data = bytes.fromhex(step)
            self.unit.receive(encode_id003(Frame(code=code, data=bytes(data))), self.now)
        frames = Decoder().feed(self.unit.bytes_to_send())
        return " ".join((bytes((frame.code,)) + frame.data).hex(" ").upper() for frame in frames)


@pytest.mark.parametrize(("steps", "enquiry"), [(PY_ID003, ""), (LAMASSU, "05")], ids=["py-id003", "lamassu"])
def test_an_id003_host_runs_through_and_takes_a_note(steps: Steps, enquiry: str) -> None:
    timings = UbaTimings(reading_s=0, stacking_s=0, stacked_s=0, initialising_s=0.5)
    unit = UBA(US_NOTES, reserved=US_RESERVED, timings=timings)
    host = Id003Host(unit)
    run(host.say, steps)
    assert unit.insert(NOTE_CENTS)
    asks = f"( {enquiry})?" if enquiry else ""
    run(
        host.say,
        (
            ("wait", enquiry),
            ("11", "13 65"),
            ("41", f"50{asks}"),
            ("11", "15"),
            ("50", f"({enquiry})?"),
            ("11", "11"),
        ),
    )
    assert unit.stacked == [NOTE_CENTS]


def run(say: Callable[[str], str], steps: Steps) -> None:
    """Each step gets the answer that the host needs."""
    for at, (step, pattern) in enumerate(steps, start=1):
        answer = say(step)
        assert re.fullmatch(pattern, answer), f"step {at}: {step!r} is answered {answer!r}, expected {pattern!r}"
