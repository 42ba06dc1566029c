"""The seal of eSSP: the known vector both ways, the key exchange, and dropped frames."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.secret import (
    FIXED_KEY,
    GENERATOR,
    LONGEST_PAYLOAD,
    MODULUS,
    Seal,
    agree,
    public_number,
    seal,
    shared_key,
    unseal,
)
from drivers.simulated.nv9_keys import is_prime

# A reply published with the eSSP library of kybarg, with the key that both sides had agreed on.
KEY = bytes.fromhex("67452301674523019565000000000000")
WIRE = bytes.fromhex("7F 00 11 7E 70 2F FE 1D 41 19 44 AD DA D1 DF D6 77 F5 33 CC 63 1D")
PAYLOAD = bytes.fromhex("F0 00 4A 78 B4")
PACKING = bytes.fromhex("A1 6C 6C D3")
COUNT = 1


def zeros(size: int) -> bytes:
    return bytes(size)


def test_the_known_frame_is_opened() -> None:
    (frame,) = Decoder().feed(WIRE)
    assert unseal(KEY, frame.data) == (COUNT, PAYLOAD)


def test_the_known_frame_is_written_byte_for_byte() -> None:
    data = seal(KEY, COUNT, PAYLOAD, lambda size: PACKING[:size])
    assert encode(Frame(sequence=False, address=0, data=data)) == WIRE


def test_the_key_of_the_known_frame_is_the_fixed_key_and_the_agreed_number() -> None:
    assert shared_key(FIXED_KEY, 0x6595) == KEY


def test_every_single_flipped_bit_of_the_known_frame_is_refused() -> None:
    (frame,) = Decoder().feed(WIRE)
    for bit in range(8 * len(frame.data)):
        damaged = bytearray(frame.data)
        damaged[bit // 8] ^= 1 << bit % 8
        assert unseal(KEY, bytes(damaged)) is None, f"bit {bit}"


def test_cut_empty_clear_or_foreign_data_is_refused() -> None:
    data = seal(KEY, 7, PAYLOAD, zeros)
    assert unseal(KEY, data) == (7, PAYLOAD)
    assert all(unseal(KEY, data[:length]) is None for length in range(len(data)))
    assert unseal(bytes(16), data) is None
    assert unseal(KEY, b"\xf0" + data[1:]) is None


@given(st.binary(min_size=16, max_size=16), st.integers(0, 2**32 - 1), st.binary(min_size=1, max_size=LONGEST_PAYLOAD))
def test_what_is_sealed_is_opened_again_and_fits_into_a_frame(key: bytes, count: int, payload: bytes) -> None:
    data = seal(key, count, payload, zeros)
    assert unseal(key, data) == (count, payload)
    assert len(data) <= 255
    assert len(data) % 16 == 1


def test_a_payload_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 233 bytes"):
        seal(KEY, 0, bytes(LONGEST_PAYLOAD + 1), zeros)


@given(st.binary(max_size=300))
def test_any_bytes_are_opened_or_refused(data: bytes) -> None:
    assert unseal(KEY, data) is None
    assert unseal(KEY, b"\x7e" + data) is None


def test_the_primes_are_primes_and_the_generator_makes_nearly_all_numbers() -> None:
    assert is_prime(MODULUS)
    assert is_prime(GENERATOR)
    assert is_prime((MODULUS - 1) // 2)
    assert MODULUS < GENERATOR < 2**64
    assert public_number((MODULUS - 1) // 2) != 1
    assert public_number(2) != 1


@given(st.integers(2, MODULUS - 2), st.integers(2, MODULUS - 2))
def test_both_sides_agree_on_the_same_number(mine: int, other: int) -> None:
    assert agree(mine, public_number(other)) == agree(other, public_number(mine))


@pytest.mark.parametrize("public", [0, 1, MODULUS - 1, MODULUS, 2**64 - 1])
def test_a_public_number_that_gives_the_secret_away_is_refused(public: int) -> None:
    assert agree(12345, public) is None


def test_the_count_moves_on_with_each_reply_and_not_before() -> None:
    line = Seal(KEY, zeros)
    assert unseal(KEY, line.close(b"\x07")) == (0, b"\x07")
    assert line.open(seal(KEY, 0, b"\xf0", zeros)) is None
    assert unseal(KEY, line.close(b"\x07")) == (0, b"\x07")
    assert line.open(seal(KEY, 1, b"\xf0", zeros)) == b"\xf0"
    assert line.open(seal(KEY, 1, b"\xf0", zeros)) is None
    assert unseal(KEY, line.close(b"\x07")) == (1, b"\x07")


def test_the_heavy_library_is_loaded_only_when_a_line_is_sealed() -> None:
    code = "import sys, drivers.bills.catalog; sys.exit('cryptography' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
