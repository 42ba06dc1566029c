"""Check sums against the values of the public catalogue and of other implementations."""

import pytest

from drivers.checks import crc16_cms, crc16_kermit, crc16_xmodem, sum_to_zero, xor


@pytest.mark.parametrize(
    ("text", "crc"),
    [(b"123456789", 0xAEE7), (b"", 0xFFFF), (b"A", 0xFC84), (b"ABC", 0x069B), (b"ABCD", 0x9A8C)],
)
def test_crc16_cms_has_its_known_values(text: bytes, crc: int) -> None:
    assert crc16_cms(text) == crc


def test_crc16_cms_over_text_and_its_own_crc_is_zero() -> None:
    text = bytes(range(256))
    assert crc16_cms(text + crc16_cms(text).to_bytes(2, "big")) == 0


@pytest.mark.parametrize(("text", "crc"), [(b"123456789", 0x31C3), (b"", 0), (b"A", 0x58E5)])
def test_crc16_xmodem_has_its_known_values(text: bytes, crc: int) -> None:
    assert crc16_xmodem(text) == crc


def test_crc16_xmodem_over_text_and_its_own_crc_is_zero() -> None:
    text = bytes(range(256))
    assert crc16_xmodem(text + crc16_xmodem(text).to_bytes(2, "big")) == 0


@pytest.mark.parametrize(("data", "check"), [((2, 0, 1, 242), 11), ((1, 3, 2, 0, 78, 97, 188), 143), ((), 0)])
def test_the_simple_sum_has_its_known_values(data: tuple[int, ...], check: int) -> None:
    assert sum_to_zero(bytes(data)) == check


def test_the_simple_sum_misses_bytes_that_changed_places() -> None:
    assert sum_to_zero(b"\x01\x02") == sum_to_zero(b"\x02\x01")


@pytest.mark.parametrize(("text", "crc"), [(b"123456789", 0x2189), (b"", 0), (bytes.fromhex("FC 05 11"), 0x5627)])
def test_crc16_kermit_has_its_known_values(text: bytes, crc: int) -> None:
    assert crc16_kermit(text) == crc


def test_crc16_kermit_over_text_and_its_own_crc_is_zero() -> None:
    text = bytes(range(256))
    assert crc16_kermit(text + crc16_kermit(text).to_bytes(2, "little")) == 0


@pytest.mark.parametrize(("text", "check"), [(b"", 0), (b"\x5a", 0x5A), (bytes.fromhex("08 10 7F 1C 10"), 0x6B)])
def test_xor_has_its_known_values(text: bytes, check: int) -> None:
    assert xor(text) == check
