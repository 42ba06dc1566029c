"""Frames of ccTalk, in both of its unencrypted forms.

    simple  destination | length of data | source  | header | data | sum of all bytes is 0 modulo 256
    CRC     destination | length of data | CRC low | header | data | CRC high

Rules:
- There is no start byte: only silence, or the end of the frame before, shows where a frame begins.
- The CRC (CRC-16/XMODEM) covers destination, length, header and data. Such a frame does not name its sender.
- The simple sum detects every single wrong byte, but no swapped bytes and no errors that cancel out. Money is
  therefore counted only after two equal reads.

Source: ccTalk Serial Communication Protocol, Generic Specification, part 1. Knows no headers, no time, no echo.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.checks import crc16_xmodem, sum_to_zero

HOST = 1
LONGEST_DATA = 255
_OVERHEAD = 5


class Check(Enum):
    """The check sums that a unit may use."""

    SIMPLE = "simple check sum"
    CRC = "CRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message in either direction; `source` is 0 in the CRC form, which has no field for it."""

    destination: int
    source: int
    header: int
    data: bytes = b""


def encode(frame: Frame, check: Check) -> bytes:
    """Returns the bytes of the frame."""
    start, end = bytes((frame.destination, len(frame.data))), bytes((frame.header,)) + frame.data
    if check is Check.CRC:
        low, high = crc16_xmodem(start + end).to_bytes(2, "little")
        return start + bytes((low,)) + end + bytes((high,))
    body = start + bytes((frame.source,)) + end
    return body + bytes((sum_to_zero(body),))


def measure(start: bytes) -> int | None:
    """Returns the length of the frame that begins with these bytes; None while there are too few."""
    return start[1] + _OVERHEAD if len(start) > 1 else None


def decode(wire: bytes, check: Check) -> Frame | None:
    """Returns the frame of exactly these bytes; None when the length or the check sum is wrong."""
    if measure(wire) != len(wire):
        return None
    destination, source, header, data = wire[0], wire[2], wire[3], wire[4:-1]
    if check is Check.CRC:
        right = crc16_xmodem(wire[:2] + wire[3:-1]) == wire[2] | wire[-1] << 8
        source = 0
    else:
        right = sum(wire) % 256 == 0
    return Frame(destination=destination, source=source, header=header, data=data) if right else None
