"""Guesses the protocol of bytes that the configured protocol cannot read. A hint for the installer of the cabinet.

Rules:
- A guess needs two complete frames with correct check sums; one may be chance when the check is weak.
- A hint changes only the text of a fault. The host never sends in a protocol that is not configured, because in some
  of them a status request already accepts a note.
- Parity is not known here. A device with other line settings is usually unreadable.

Frames known here: SSP, ID-003, CCNET, EBDS. Source: the makers' frame layouts. Knows no commands.
"""

from collections.abc import Callable, Mapping

from drivers.bills.events import Trouble
from drivers.checks import crc16_cms, crc16_kermit, xor

LONGEST_MEMORY = 256
_ENOUGH = 2
_SHORTEST_EBDS = 8


class ProtocolSniffer:
    """Keeps the last unreadable bytes and guesses their protocol."""

    def __init__(self, *, ours: str) -> None:
        self._ours = ours
        self._received = b""

    def feed(self, data: bytes) -> None:
        """Adds received bytes."""
        self._received = (self._received + data)[-LONGEST_MEMORY:]

    def forget(self) -> None:
        """Drops the bytes, after a frame of the configured protocol."""
        self._received = b""

    def explain(self, hint: str) -> tuple[Trouble, str]:
        """Returns the fault for a silent device: another protocol, noise, or, without any byte, no answer with
        `hint`."""
        noise = f"only noise; check baud rate and parity, and that the unit is set to {self._ours}"
        return self.find_fault(otherwise=noise if self._received else f"no answer; {hint}")

    def find_fault(self, *, otherwise: str) -> tuple[Trouble, str]:
        """Returns the fault for a device without a valid answer: another protocol, or a line fault with text
        `otherwise`."""
        other = self.guess()
        if other is not None:
            return Trouble.WRONG_DEVICE, f"this looks like {other}, but {self._ours} is configured"
        return Trouble.LINK, otherwise

    def guess(self) -> str | None:
        """Returns the name of the other protocol of these bytes; None when it is unknown."""
        for name, size_of in _LANGUAGES.items():
            if name != self._ours and _count(self._received, size_of) >= _ENOUGH:
                return name
        return None


def _count(data: bytes, size_of: Callable[[bytes], int]) -> int:
    """Returns the number of complete frames; `size_of` returns the size of the frame at the beginning, 0 without
    one."""
    found = at = 0
    while at < len(data):
        size = size_of(data[at:])
        found += size > 0
        at += size or 1
    return found


def _size_of_ssp(data: bytes) -> int:
    if len(data) < 6 or data[0] != 0x7F or data[2] == 0:
        return 0
    size = 5 + data[2]
    if len(data) < size or crc16_cms(data[1 : size - 2]) != int.from_bytes(data[size - 2 : size], "little"):
        return 0
    return size


def _size_of_id003(data: bytes) -> int:
    return _size_of_kermit(data, b"\xfc", 1)


def _size_of_ccnet(data: bytes) -> int:
    return _size_of_kermit(data, b"\x02\x03", 2)


def _size_of_kermit(data: bytes, head: bytes, length_at: int) -> int:
    if not data.startswith(head) or len(data) <= length_at:
        return 0
    size = data[length_at]
    if size < length_at + 4 or len(data) < size:
        return 0
    return size if crc16_kermit(data[: size - 2]) == int.from_bytes(data[size - 2 : size], "little") else 0


def _size_of_ebds(data: bytes) -> int:
    if len(data) < _SHORTEST_EBDS or data[0] != 0x02 or not _SHORTEST_EBDS <= data[1] <= len(data):
        return 0
    size = data[1]
    plain = max(data[:size]) <= 0x7F
    return size if plain and data[size - 2] == 0x03 and xor(data[1 : size - 2]) == data[size - 1] else 0


_LANGUAGES: Mapping[str, Callable[[bytes], int]] = {
    "SSP": _size_of_ssp,
    "ID-003": _size_of_id003,
    "CCNET": _size_of_ccnet,
    "EBDS": _size_of_ebds,
}
