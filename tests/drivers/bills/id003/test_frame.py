"""ID-003 frames: known vectors both ways, noise, damage."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case
from support.id003_vectors import VECTORS

from drivers.bills.id003.frame import LONGEST_DATA, START, Decoder, Frame, encode

FRAMES = st.builds(Frame, code=st.integers(0, 255), data=st.binary(max_size=LONGEST_DATA))
NASTY = st.lists(st.sampled_from([START, 0x00, 0x05, 0x06, 0xFF]), max_size=40).map(bytes)


def test_a_known_frame_is_written_and_read_byte_for_byte() -> None:
    for meaning, code, data, wire in VECTORS:
        with case(meaning=meaning, code=code, data=data, wire=wire):
            assert encode(Frame(code=code, data=data)) == wire
            assert Decoder().feed(wire) == (Frame(code=code, data=data),)


def test_a_known_frame_is_read_byte_by_byte() -> None:
    for meaning, code, data, wire in VECTORS:
        with case(meaning=meaning, code=code, data=data, wire=wire):
            decoder = Decoder()
            pieces = [decoder.feed(bytes((byte,))) for byte in wire]
            assert pieces == [()] * (len(wire) - 1) + [(Frame(code=code, data=data),)]


def test_every_single_flipped_bit_is_refused() -> None:
    for meaning, code, data, wire in VECTORS:
        with case(meaning=meaning, code=code, data=data, wire=wire):
            for bit in range(8 * len(wire)):
                damaged = bytearray(wire)
                damaged[bit // 8] ^= 1 << bit % 8
                assert Decoder().feed(bytes(damaged)) == (), f"bit {bit}"


def test_every_pair_of_flipped_bits_is_refused() -> None:
    for meaning, code, data, wire in VECTORS:
        with case(meaning=meaning, code=code, data=data, wire=wire):
            bits = range(8 * min(len(wire), 8))
            for first in bits:
                for second in range(first):
                    damaged = bytearray(wire)
                    damaged[first // 8] ^= 1 << first % 8
                    damaged[second // 8] ^= 1 << second % 8
                    assert Decoder().feed(bytes(damaged)) == (), f"bits {first} and {second}"


@pytest.mark.parametrize("noise", ["00", "00 00 00", "7F FF 05", "FC 00", "FC 04", "FC 05 11", "11 27 56"])
def test_noise_before_a_frame_is_skipped(noise: str) -> None:
    wire = encode(Frame(code=0x15))
    assert Decoder().feed(bytes.fromhex(noise) + wire) == (Frame(code=0x15),)


def test_half_a_frame_that_is_forgotten_swallows_nothing() -> None:
    decoder = Decoder()
    assert decoder.feed(bytes.fromhex("FC FF 11")) == ()
    decoder.forget()
    assert decoder.feed(encode(Frame(code=0x15))) == (Frame(code=0x15),)


@given(FRAMES)
def test_what_is_written_is_read_again(frame: Frame) -> None:
    assert Decoder().feed(encode(frame)) == (frame,)


@given(st.lists(FRAMES, max_size=4), st.integers(1, 9))
def test_frames_in_a_row_are_read_however_they_are_cut(frames: list[Frame], size: int) -> None:
    wire = b"".join(encode(frame) for frame in frames)
    decoder = Decoder()
    pieces = [decoder.feed(wire[at : at + size]) for at in range(0, len(wire), size)]
    assert [frame for piece in pieces for frame in piece] == frames


@given(st.one_of(st.binary(max_size=200), NASTY), FRAMES)
def test_a_frame_behind_garbage_is_found_at_the_latest_when_enough_follows(garbage: bytes, frame: Frame) -> None:
    assert frame in Decoder().feed(garbage + encode(frame) + bytes(256))


def test_a_million_random_bytes_hold_no_frame() -> None:
    decoder, rng = Decoder(), random.Random(7)
    found = [frame for _ in range(1000) for frame in decoder.feed(rng.randbytes(1000))]
    assert len(found) <= 2
