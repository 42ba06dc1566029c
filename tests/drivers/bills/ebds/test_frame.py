"""EBDS frames: known vectors both ways, noise, damage, and what the check sum misses."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ebds_vectors import VECTORS

from drivers.bills.ebds.codec import read_status
from drivers.bills.ebds.frame import LONGEST_DATA, Decoder, Frame, Kind, encode

Vector = tuple[str, Kind, bool, bytes, bytes]
SEVEN_BITS = st.lists(st.integers(0, 0x7F), min_size=1, max_size=LONGEST_DATA).map(bytes)
FRAMES = st.builds(Frame, kind=st.sampled_from(Kind), ack=st.booleans(), data=SEVEN_BITS)
NASTY = st.lists(st.sampled_from([0x02, 0x03, 0x08, 0x0B, 0x20, 0x7F, 0x80]), max_size=40).map(bytes)

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector[0])


def frame_of(vector: Vector) -> Frame:
    return Frame(kind=vector[1], ack=vector[2], data=vector[3])


def flip(wire: bytes, *bits: int) -> bytes:
    damaged = bytearray(wire)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


@every_vector
def test_a_known_frame_is_written_and_read_byte_for_byte(vector: Vector) -> None:
    assert encode(frame_of(vector)) == vector[4]
    assert Decoder().feed(vector[4]) == (frame_of(vector),)


@every_vector
def test_a_known_frame_is_read_byte_by_byte(vector: Vector) -> None:
    decoder = Decoder()
    pieces = [decoder.feed(bytes((byte,))) for byte in vector[4]]
    assert pieces == [()] * (len(vector[4]) - 1) + [(frame_of(vector),)]


@every_vector
def test_every_single_flipped_bit_is_refused(vector: Vector) -> None:
    for bit in range(8 * len(vector[4])):
        assert Decoder().feed(flip(vector[4], bit)) == (), f"bit {bit}"


@every_vector
def test_two_flipped_bits_get_through_only_in_one_column(vector: Vector) -> None:
    wire = vector[4]
    for first in range(8 * len(wire)):
        for second in range(first):
            frames = Decoder().feed(flip(wire, first, second))
            if any(len(frame.data) == len(vector[3]) for frame in frames):
                assert first % 8 == second % 8 < 7


def test_two_flipped_bits_in_start_length_or_end_leave_no_reply() -> None:
    for _, kind, _, _, wire in VECTORS:
        frame_bytes = (0, 1, len(wire) - 2)
        pairs = [(first, second) for first in range(8 * len(wire)) for second in range(8 * len(wire))]
        for first, second in (pair for pair in pairs if kind is Kind.REPLY and pair[0] // 8 in frame_bytes):
            for frame in Decoder().feed(flip(wire, first, second)) if first != second else ():
                assert read_status(frame.data) is None, f"bits {first} and {second} of {wire.hex()}"


def test_two_flips_that_make_a_stacked_note_of_an_idle_unit_are_not_seen_by_the_check_sum() -> None:
    idle = bytes.fromhex("02 0B 21 01 10 00 00 01 02 03 38")
    stacked_without_cassette = flip(idle, 8 * 3 + 4, 8 * 4 + 4)
    assert Decoder().feed(stacked_without_cassette)[0].data[0] == 0x11


@pytest.mark.parametrize("noise", ["00", "FF FF", "02", "02 00", "02 05", "02 80", "03 02 0B", "02 02 02 02"])
def test_noise_before_a_frame_is_skipped(noise: str) -> None:
    wire = bytes.fromhex("02 0B 21 01 10 00 00 01 02 03 38")
    padding = bytes(16)
    assert Decoder().feed(bytes.fromhex(noise) + wire + padding)[0].data == wire[3:-2]


@pytest.mark.parametrize("control", [0x22, 0x24, 0x28, 0x00, 0x01])
def test_an_unused_bit_or_an_unknown_kind_is_refused(control: int) -> None:
    wire = bytes((0x02, 0x06, control, 0x01, 0x03, 0x06 ^ control ^ 0x01))
    assert Decoder().feed(wire) == ()


def test_half_a_frame_that_is_forgotten_swallows_nothing() -> None:
    wire = bytes.fromhex("02 0B 21 01 10 00 00 01 02 03 38")
    decoder = Decoder()
    assert decoder.feed(bytes.fromhex("02 7F 20 01")) == ()
    decoder.forget()
    assert len(decoder.feed(wire)) == 1


@given(FRAMES)
def test_what_is_written_is_read_again(frame: Frame) -> None:
    assert Decoder().feed(encode(frame)) == (frame,)


@given(st.lists(FRAMES, max_size=4), st.integers(1, 9))
def test_frames_in_a_row_are_read_however_they_are_cut(frames: list[Frame], size: int) -> None:
    wire = b"".join(encode(frame) for frame in frames)
    decoder = Decoder()
    pieces = [decoder.feed(wire[at : at + size]) for at in range(0, len(wire), size)]
    assert [frame for piece in pieces for frame in piece] == frames


@given(st.binary(max_size=200), FRAMES)
def test_a_frame_behind_garbage_is_found_at_the_latest_when_enough_follows(garbage: bytes, frame: Frame) -> None:
    assert frame in Decoder().feed(garbage + b"\xff" * 128 + encode(frame) + bytes(128))


@given(NASTY)
def test_no_bytes_make_it_raise(data: bytes) -> None:
    for frame in Decoder().feed(data):
        assert frame.data


def test_a_million_random_bytes_hold_hardly_a_frame() -> None:
    decoder, rng = Decoder(), random.Random(7)
    found = [frame for _ in range(1000) for frame in decoder.feed(rng.randbytes(1000))]
    assert len(found) <= 2
