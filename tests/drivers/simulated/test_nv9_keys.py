"""The simulated unit's end of a sealed line, asked in bytes."""

import pytest

from drivers.bills.ssp.secret import seal, shared_key, unseal
from drivers.simulated.nv9_keys import Keys, is_prime

GENERATOR, MODULUS, MINE = 982451653, 1287821, 77
SET_GENERATOR, SET_MODULUS, EXCHANGE = 0x4A, 0x4B, 0x4C


def sevens(size: int) -> bytes:
    return b"\x07" * size


def agreed() -> tuple[Keys, bytes]:
    """Keys after an exchange with other primes than our own host's, and the key the host worked out."""
    keys = Keys(sevens)
    assert keys.exchange(SET_GENERATOR, GENERATOR) == b"\xf0"
    assert keys.exchange(SET_MODULUS, MODULUS) == b"\xf0"
    answer = keys.exchange(EXCHANGE, pow(GENERATOR, MINE, MODULUS))
    assert (answer[0], len(answer)) == (0xF0, 9)
    return keys, shared_key(0x0123456701234567, pow(int.from_bytes(answer[1:], "little"), MINE, MODULUS))


def test_it_agrees_with_any_primes() -> None:
    keys, key = agreed()
    assert keys.agreed
    assert keys.unseal(seal(key, 0, b"\x07", sevens)) == b"\x07"
    assert unseal(key, keys.seal(b"\xf0\xee\x01")) == (1, b"\xf0\xee\x01")
    assert keys.unseal(seal(key, 1, b"\x18", sevens)) == b"\x18"
    assert unseal(key, keys.seal(b"\xf0")) == (2, b"\xf0")


@pytest.mark.parametrize("count", [1, 2, 2**32 - 1])
def test_a_wrong_count_is_dropped_and_changes_nothing(count: int) -> None:
    keys, key = agreed()
    assert keys.unseal(seal(key, count, b"\x07", sevens)) is None
    assert keys.unseal(seal(key, 0, b"\x07", sevens)) == b"\x07"


def test_another_key_is_dropped() -> None:
    keys, _ = agreed()
    assert keys.unseal(seal(bytes(16), 0, b"\x07", sevens)) is None


def test_without_primes_there_is_no_key() -> None:
    keys = Keys(sevens)
    assert keys.exchange(EXCHANGE, 5) == b"\xf5"
    assert keys.exchange(SET_GENERATOR, 982451655) == b"\xf4"
    assert keys.exchange(SET_MODULUS, 0) == b"\xf4"
    assert not keys.agreed
    with pytest.raises(ValueError, match="no key"):
        keys.seal(b"\xf0")


def test_a_new_exchange_begins_to_count_anew() -> None:
    keys, key = agreed()
    keys.unseal(seal(key, 0, b"\x07", sevens))
    answer = keys.exchange(EXCHANGE, pow(GENERATOR, MINE, MODULUS))
    again = shared_key(0x0123456701234567, pow(int.from_bytes(answer[1:], "little"), MINE, MODULUS))
    assert keys.unseal(seal(again, 0, b"\x07", sevens)) == b"\x07"


def test_primes_are_recognised() -> None:
    assert [number for number in range(60) if is_prime(number)] == [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59,
    ]  # fmt: skip
    assert is_prime(2**61 - 1)
    assert not is_prime(3215031751)  # fools the bases 2, 3, 5 and 7
    assert not is_prime((2**31 - 1) * (2**31 - 1))
