"""Frames of SSP, the serial protocol of Innovative Technology.

    7F | sequence bit + address | length | data | CRC low | CRC high

Rules:
- After the start byte every 7F is sent twice; the CRC covers address, length and data before this doubling.
- A single 7F starts a new frame and drops the bytes collected before.
- A frame counts only with a correct CRC; others are dropped silently, because the sender repeats.

Source: Innovative Technology, SSP Protocol Manual GA138. Knows no commands.
"""

from dataclasses import dataclass

from drivers.checks import crc16_cms

START = 0x7F
LONGEST_DATA = 255
_SEQUENCE_BIT = 0x80
_ADDRESS_BITS = 0x7F
_OVERHEAD = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message, in either direction."""

    sequence: bool
    address: int
    data: bytes


def encode(frame: Frame) -> bytes:
    """Returns the bytes of the frame."""
    head = frame.address | (_SEQUENCE_BIT if frame.sequence else 0)
    body = bytes((head, len(frame.data))) + frame.data
    body += crc16_cms(body).to_bytes(2, "little")
    return bytes((START,)) + body.replace(b"\x7f", b"\x7f\x7f")


class Decoder:
    """Collects frames from bytes that may be cut or damaged anywhere."""

    def __init__(self) -> None:
        self._body: bytearray | None = None
        self._start_seen = False

    def feed(self, data: bytes) -> tuple[Frame, ...]:
        """Returns the undamaged frames that these bytes completed."""
        return tuple(frame for byte in data if (frame := self._add_byte(byte)) is not None)

    def forget(self) -> None:
        """Drops the collected bytes."""
        self._body = None
        self._start_seen = False

    def _add_byte(self, byte: int) -> Frame | None:
        """Adds one byte. A 7F waits for the next byte, which distinguishes a doubled 7F from the start of a frame."""
        if byte == START and not self._start_seen:
            self._start_seen = True
            return None
        if self._start_seen:
            if byte == START and not self._body:
                return None
            self._start_seen = False
            if byte != START:
                self._body = bytearray()
        if self._body is None:
            return None
        self._body.append(byte)
        return self._complete(self._body)

    def _complete(self, body: bytearray) -> Frame | None:
        if len(body) < _OVERHEAD or len(body) < body[1] + _OVERHEAD:
            return None
        self._body = None
        if crc16_cms(bytes(body[:-2])) != int.from_bytes(body[-2:], "little"):
            return None
        return Frame(sequence=bool(body[0] & _SEQUENCE_BIT), address=body[0] & _ADDRESS_BITS, data=bytes(body[2:-2]))
