"""Frames of ID-003, the serial protocol of JCM.

    FC | length of the whole frame | command or status | data | CRC low | CRC high

Rules:
- The CRC covers everything before it, including the start byte. Nothing is doubled: an FC may occur anywhere.
- Bytes before an FC are skipped. A frame with a wrong length or CRC drops its first byte only, so that a true frame
  behind a false start is found.
- Half a frame does not stay: the host calls `forget` before it asks again.

Source: JCM, ID-003 communication specification, as open implementations have it. Knows no commands.
"""

from dataclasses import dataclass

from drivers.checks import crc16_kermit

START = 0xFC
OVERHEAD = 5
LONGEST_DATA = 255 - OVERHEAD


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message, in either direction; `code` is the command or the status."""

    code: int
    data: bytes = b""


def encode(frame: Frame) -> bytes:
    """Returns the bytes of the frame."""
    body = bytes((START, OVERHEAD + len(frame.data), frame.code)) + frame.data
    return body + crc16_kermit(body).to_bytes(2, "little")


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
            if len(pending) < 2 or (pending[1] >= OVERHEAD and len(pending) < pending[1]):
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


def _read(body: bytes) -> Frame | None:
    if len(body) < OVERHEAD or crc16_kermit(body[:-2]) != int.from_bytes(body[-2:], "little"):
        return None
    return Frame(code=body[2], data=body[3:-2])
