"""The protocol of a wrongly configured device is guessed."""

import random

from support.cases import case
from support.ebds_vectors import VECTORS as EBDS
from support.id003_vectors import VECTORS as ID003
from support.ssp_vectors import VECTORS as SSP

from drivers.bills.events import Trouble
from drivers.bills.protocol_sniffer import LONGEST_MEMORY, ProtocolSniffer

CCNET = (
    "02 03 06 33 DA 81",
    "02 03 06 00 C2 82",
    "02 03 06 30 41 B3",
    "02 03 06 35 EC E4",
    "02 03 06 36 77 D6",
    "02 03 06 38 09 3F",
    "02 03 06 37 FE C7",
    "02 03 06 41 4F D1",
)
PLAIN_SSP = [wire for *_, wire in SSP if b"\x7f\x7f" not in wire]

SAMPLES = (
    *(("ID-003", wire) for *_, wire in ID003),
    *(("SSP", wire) for wire in PLAIN_SSP),
    *(("CCNET", bytes.fromhex(wire)) for wire in CCNET),
    *(("EBDS", wire) for *_, wire in EBDS),
)


def received(data: bytes, *, ours: str = "none of these") -> ProtocolSniffer:
    ears = ProtocolSniffer(ours=ours)
    ears.feed(data)
    return ears


def test_two_frames_with_right_sums_are_recognised_even_between_noise() -> None:
    for language, wire in SAMPLES:
        with case(language=language, wire=wire):
            assert received(wire + wire).guess() == language
            assert received(b"\x00" + wire + b"\xff\x00" + wire + b"\x55").guess() == language


def test_a_single_frame_may_be_chance() -> None:
    for language, wire in SAMPLES:
        with case(language=language, wire=wire):
            assert received(wire).guess() is None
            assert received(wire + wire[:-1]).guess() is None


def test_our_own_language_is_no_stranger() -> None:
    for language, wire in SAMPLES:
        with case(language=language, wire=wire):
            assert received(wire + wire, ours=language).guess() is None


def test_noise_is_no_protocol_but_is_noticed() -> None:
    ears = received(random.Random(3).randbytes(50_000))
    assert ears.guess() is None
    assert ears.explain("check it")[1].startswith("only noise")


def test_what_is_forgotten_counts_no_more() -> None:
    ears = received(EBDS[0][-1] * 3)
    ears.forget()
    assert ears.guess() is None
    assert ears.explain("check it") == (Trouble.LINK, "no answer; check it")


def test_only_the_last_bytes_are_remembered() -> None:
    ears = received(EBDS[0][-1] * 3 + bytes(LONGEST_MEMORY))
    assert ears.guess() is None
