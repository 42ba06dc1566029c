"""Frames of ccTalk, in both of its unencrypted forms.

    simple  destination | length of data | source  | header | data | sum of all bytes is 0 modulo 256
    CRC     destination | length of data | CRC low | header | data | CRC high

Rules:
- There is no start byte: where a frame begins is known only from silence, or from what went before.
- The CRC (CRC-16/XMODEM) is taken over destination, length, header and data. Such a frame does not name its sender.
- The simple sum finds every single wrong byte, but not two that changed places nor errors that cancel each other out;
  whoever counts money by it must hear a thing twice.

Source: ccTalk Serial Communication Protocol, Generic Specification, part 1. Knows no headers, no time, no echo.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.checks import crc16_xmodem, sum_to_zero

HOST = 1
HIGHEST_ADDRESS = 255
LONGEST_DATA = 255
_OVERHEAD = 5


class Check(Enum):
    """The kinds of check sum a unit may be set to."""

    SIMPLE = "simple check sum"
    CRC = "CRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message, in either direction; `source` is 0 where the form has no room for it."""

    destination: int
    source: int
    header: int
    data: bytes = b""


def encode(frame: Frame, check: Check) -> bytes:
    """The frame as it goes over the wire."""
    start, end = bytes((frame.destination, len(frame.data))), bytes((frame.header,)) + frame.data
    if check is Check.CRC:
        low, high = crc16_xmodem(start + end).to_bytes(2, "little")
        return start + bytes((low,)) + end + bytes((high,))
    body = start + bytes((frame.source,)) + end
    return body + bytes((sum_to_zero(body),))


def measure(start: bytes) -> int | None:
    """How many bytes the frame has that begins with these; None while too few are known."""
    return start[1] + _OVERHEAD if len(start) > 1 else None


def decode(wire: bytes, check: Check) -> Frame | None:
    """The frame that is exactly these bytes; None when length or check sum are wrong."""
    if measure(wire) != len(wire):
        return None
    destination, source, header, data = wire[0], wire[2], wire[3], wire[4:-1]
    if check is Check.CRC:
        right = crc16_xmodem(wire[:2] + wire[3:-1]) == wire[2] | wire[-1] << 8
        source = 0
    else:
        right = sum(wire) % 256 == 0
    return Frame(destination=destination, source=source, header=header, data=data) if right else None
