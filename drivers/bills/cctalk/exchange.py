"""Request and reply on a ccTalk line: one command out, its echo and one reply in.

    host  40  0   1 header sum        the host always sends first
    line  40  0   1 header sum        one wire for both directions: the host receives its echo
    unit   1  n  40 0 data sum

Rules:
- Replies carry no number and do not name their command. A reply counts only directly after an intact echo of the open
  command. Bytes before the echo are late or foreign; a different echo is a collision or a short.
- A silence of more than 50 ms inside a frame ends it; the rest of that attempt is ignored.
- A reply counts only with a correct check sum and the host's address; if it names its sender, only from our unit.
- The caller repeats a command without reply. `why_silent` explains what was received since the last reply.

Source: ccTalk Serial Communication Protocol, Generic Specification, part 1. Knows no meaning of a header.
"""

from drivers.bills.cctalk.frame import HOST, Check, Frame, decode, encode, measure

LONGEST_GAP_S = 0.05


class Exchange:
    """The open command of one line. `check` may change between commands."""

    def __init__(self, *, address: int) -> None:
        self.check = Check.SIMPLE
        self._address = address
        self._sent = b""
        self._received = bytearray()
        self._received_at = 0.0
        self._echoed = False
        self._spoiled = False
        self._received_any = self._received_echo = False

    @property
    def why_silent(self) -> str:
        """The reason for the silence, from what was received since the last reply."""
        if self._received_echo:
            return "no answer; check the unit's power and address, and that it is set to ccTalk without encryption"
        if self._received_any:
            return "our own bytes come back damaged: a collision, a short, or an adapter that swallows the echo"
        return "not even our own echo comes back; check the cable and the adapter"

    def write(self, header: int, data: bytes = b"") -> bytes:
        """Returns the bytes of a new command; `receive` returns its reply."""
        frame = Frame(destination=self._address, source=HOST, header=header, data=data)
        self._sent = encode(frame, self.check)
        self.begin_attempt()
        return self._sent

    def begin_attempt(self) -> None:
        """Drops what was received: the command goes out again, or the line is closed."""
        self._received.clear()
        self._echoed = self._spoiled = False

    def receive(self, data: bytes, now: float) -> Frame | None:
        """Handles received bytes. Returns the reply to the open command once it is complete."""
        if self._received and now - self._received_at > LONGEST_GAP_S:
            self._drop_broken()
        self._received_at = now
        if not self._sent or self._spoiled:
            return None
        self._received_any = True
        self._received += data
        return self._read_reply() if self._echoed or self._strip_echo() else None

    def _drop_broken(self) -> None:
        """Drops a frame that broke off. Half an echo may have been a late one; half a reply ends the attempt."""
        self._received.clear()
        self._spoiled = self._echoed

    def _strip_echo(self) -> bool:
        at = self._received.find(self._sent)
        if at < 0:
            del self._received[: -len(self._sent)]
            return False
        del self._received[: at + len(self._sent)]
        self._echoed = self._received_echo = True
        return True

    def _read_reply(self) -> Frame | None:
        length = measure(bytes(self._received[:2]))
        if length is None or len(self._received) < length:
            return None
        reply = decode(bytes(self._received[:length]), self.check)
        if reply is None or reply.destination != HOST or reply.source not in (0, self._address):
            self._spoiled = True
            return None
        self._sent = b""
        self._received_any = self._received_echo = False
        self._received.clear()
        return reply
