"""Check sums against the values of the public catalogue and of other implementations."""

import pytest

from drivers.checks import crc16_cms


@pytest.mark.parametrize(
    ("text", "crc"),
    [(b"123456789", 0xAEE7), (b"", 0xFFFF), (b"A", 0xFC84), (b"ABC", 0x069B), (b"ABCD", 0x9A8C)],
)
def test_crc16_cms_has_its_known_values(text: bytes, crc: int) -> None:
    assert crc16_cms(text) == crc


def test_crc16_cms_over_text_and_its_own_crc_is_zero() -> None:
    text = bytes(range(256))
    assert crc16_cms(text + crc16_cms(text).to_bytes(2, "big")) == 0
