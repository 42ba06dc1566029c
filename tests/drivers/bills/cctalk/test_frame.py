"""ccTalk frames: known vectors both ways, damage, and errors that the simple check sum misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cctalk_vectors import VECTORS, decimal

from drivers.bills.cctalk.frame import Check, Frame, decode, encode, measure

CHECKS = st.sampled_from(list(Check))
BYTES = st.integers(0, 255)


@pytest.mark.parametrize(("meaning", "check", "frame", "wire"), VECTORS)
def test_a_known_frame_is_written_and_read_byte_for_byte(meaning: str, check: Check, frame: Frame, wire: bytes) -> None:
    named = Frame(destination=frame.destination, source=frame.source or 1, header=frame.header, data=frame.data)
    assert encode(named, check) == wire
    assert decode(wire, check) == frame


@pytest.mark.parametrize(("meaning", "check", "frame", "wire"), VECTORS)
def test_a_known_frame_is_nothing_to_the_other_kind_of_check_sum(
    meaning: str, check: Check, frame: Frame, wire: bytes
) -> None:
    (other,) = set(Check) - {check}
    assert decode(wire, other) is None


@pytest.mark.parametrize(("meaning", "check", "frame", "wire"), VECTORS)
def test_every_single_flipped_bit_is_refused(meaning: str, check: Check, frame: Frame, wire: bytes) -> None:
    for bit in range(8 * len(wire)):
        damaged = bytearray(wire)
        damaged[bit // 8] ^= 1 << bit % 8
        assert decode(bytes(damaged), check) is None, f"bit {bit}"


@pytest.mark.parametrize(("meaning", "check", "frame", "wire"), VECTORS)
def test_a_frame_cut_or_lengthened_is_refused(meaning: str, check: Check, frame: Frame, wire: bytes) -> None:
    assert [length for length in range(len(wire)) if decode(wire[:length], check)] == []
    assert decode(wire + b"\0", check) is None


@given(CHECKS, BYTES, BYTES, BYTES, st.binary(max_size=255))
def test_what_is_written_is_read_again(check: Check, destination: int, source: int, header: int, data: bytes) -> None:
    source = 0 if check is Check.CRC else source
    frame = Frame(destination=destination, source=source, header=header, data=data)
    wire = encode(frame, check)
    assert decode(wire, check) == frame
    assert measure(wire[:2]) == len(wire)


@given(CHECKS, st.binary(max_size=300))
def test_no_bytes_make_reading_raise(check: Check, wire: bytes) -> None:
    frame = decode(wire, check)
    assert frame is None or measure(wire) == len(wire)


def test_the_length_is_not_known_before_the_second_byte() -> None:
    assert (measure(b""), measure(b"\x28"), measure(b"\x28\x02")) == (None, None, 7)


EVENTS_A, EVENTS_B = decimal("9 5 0 5 1 0 0 0 0 0 0"), decimal("5 9 0 5 1 0 0 0 0 0 0")


def test_the_simple_sum_does_not_see_two_bytes_that_changed_places_and_the_crc_does() -> None:
    """New events are read twice before they count."""
    for check, misses in ((Check.SIMPLE, True), (Check.CRC, False)):
        wire = encode(Frame(destination=1, source=40, header=0, data=EVENTS_A), check)
        swapped = wire.replace(EVENTS_A, EVENTS_B)
        assert (decode(swapped, check) is not None) is misses
