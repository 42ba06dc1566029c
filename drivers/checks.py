"""Check sums of the wires.

Each is named as in the public catalogue of parametrised CRC algorithms, whose check value (over ASCII 123456789)
its test repeats. Knows no frames.
"""


def _table(polynomial: int) -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        register = byte << 8
        for _ in range(8):
            register = (register << 1) ^ (polynomial if register & 0x8000 else 0)
        rows.append(register & 0xFFFF)
    return tuple(rows)


_TABLE_8005 = _table(0x8005)
_TABLE_1021 = _table(0x1021)


def crc16_cms(data: bytes) -> int:
    """CRC-16/CMS: polynomial 8005, start FFFF, most significant bit first, no final xor. Used by SSP."""
    register = 0xFFFF
    for byte in data:
        register = ((register << 8) & 0xFF00) ^ _TABLE_8005[(register >> 8) ^ byte]
    return register


def crc16_xmodem(data: bytes) -> int:
    """CRC-16/XMODEM: polynomial 1021, start 0, most significant bit first, no final xor. Used by ccTalk."""
    register = 0
    for byte in data:
        register = ((register << 8) & 0xFF00) ^ _TABLE_1021[(register >> 8) ^ byte]
    return register


def sum_to_zero(data: bytes) -> int:
    """The byte that brings the sum of all bytes to a multiple of 256. Used by ccTalk.

    It finds every single wrong byte. It misses bytes that have changed places, and changes that cancel each other out.
    """
    return -sum(data) & 0xFF
