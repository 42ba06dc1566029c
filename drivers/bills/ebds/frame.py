"""Frames of EBDS, the serial protocol of MEI/CPI acceptors, also known as Pyramid RS-232.

    02 | length of the whole frame | type and ack bit | data | 03 | xor

Rules:
- The xor covers everything between the 02 and the 03. It detects every single flipped bit, but no swapped bytes and
  no two flips in the same column. So a frame must also have its 03 at the place given by its length, no byte above 7F
  (the line has seven data bits) and no unused bit in its control byte. The reader checks its content.
- Bytes before a 02 are skipped. A wrong frame drops its first byte only, so that a true frame behind a false
  start is found.
- Half a frame does not stay: the host calls `forget` before it asks again.

Source: the EBDS frame layout as open implementations have it. Knows no commands.
"""

from dataclasses import dataclass
from enum import IntEnum

from drivers.checks import xor

START, END = 0x02, 0x03
OVERHEAD = 5
LONGEST_DATA = 0x7F - OVERHEAD
_ACK_BIT = 0x01
_UNUSED_BITS = 0x0E


class Kind(IntEnum):
    """The type of a message."""

    POLL = 1
    REPLY = 2
    BOOKMARK = 3
    CALIBRATE = 4
    DOWNLOAD = 5
    AUXILIARY = 6
    EXTENDED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message, in either direction."""

    kind: Kind
    ack: bool
    data: bytes


def encode(frame: Frame) -> bytes:
    """Returns the bytes of the frame."""
    body = bytes((OVERHEAD + len(frame.data), frame.kind << 4 | frame.ack)) + frame.data
    return bytes((START,)) + body + bytes((END, xor(body)))


class Decoder:
    """Collects frames from bytes that may be cut or damaged anywhere."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> tuple[Frame, ...]:
        """Returns the undamaged frames that these bytes completed."""
        pending = self._pending + data
        frames: list[Frame] = []
        while (start := pending.find(START)) >= 0:
            pending = pending[start:]
            if len(pending) < 2 or (_is_length(pending[1]) and len(pending) < pending[1]):
                break
            frame = _read(pending[: pending[1]])
            pending = pending[pending[1] :] if frame else pending[1:]
            if frame:
                frames.append(frame)
        self._pending = pending if start >= 0 else b""
        return tuple(frames)

    def forget(self) -> None:
        """Drops the collected bytes."""
        self._pending = b""


def _is_length(byte: int) -> bool:
    return OVERHEAD < byte <= OVERHEAD + LONGEST_DATA


def _read(body: bytes) -> Frame | None:
    if not _is_length(len(body)) or max(body) > 0x7F or body[-2] != END or xor(body[1:-2]) != body[-1]:
        return None
    control = body[2]
    if control & _UNUSED_BITS or control >> 4 not in _KINDS:
        return None
    return Frame(kind=Kind(control >> 4), ack=bool(control & _ACK_BIT), data=body[3:-2])


_KINDS = frozenset(Kind)
