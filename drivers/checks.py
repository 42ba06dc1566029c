"""Check sums of the wires.

Each has its name from the public catalogue of parametrised CRC algorithms; its test checks the catalogue's value over
ASCII 123456789. Knows no frames.
"""


def _table(polynomial: int) -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        register = byte << 8
        for _ in range(8):
            register = (register << 1) ^ (polynomial if register & 0x8000 else 0)
        rows.append(register & 0xFFFF)
    return tuple(rows)


def _reflected_table(polynomial: int) -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        register = byte
        for _ in range(8):
            register = (register >> 1) ^ (polynomial if register & 1 else 0)
        rows.append(register)
    return tuple(rows)


_TABLE_8005 = _table(0x8005)
_TABLE_8408 = _reflected_table(0x8408)
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
    """Returns the byte that makes the sum of all bytes a multiple of 256. Used by ccTalk.

    It detects every single wrong byte. It misses swapped bytes, and changes that cancel out.
    """
    return -sum(data) & 0xFF


def crc16_kermit(data: bytes) -> int:
    """CRC-16/KERMIT: polynomial 1021 reflected (8408), start 0, no final xor. Used by ID-003 and CCNET."""
    register = 0
    for byte in data:
        register = (register >> 8) ^ _TABLE_8408[(register ^ byte) & 0xFF]
    return register


def xor(data: bytes) -> int:
    """Returns the xor of all bytes. Used by EBDS; it misses swapped bytes and two flips in the same column."""
    register = 0
    for byte in data:
        register ^= byte
    return register
