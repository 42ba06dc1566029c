"""Request and reply on a ccTalk line: one command out, its echo and one reply in.

    host  40  0   1 header sum        the host always sends first
    line  40  0   1 header sum        one wire for both directions: the host receives its echo
    unit   1  n  40 0 data sum

Rules:
- Replies carry no number and do not name their command. A reply counts only directly after an intact echo of the open
  command. Bytes before the echo are late or foreign; a different echo is a collision or a short.
- A silence of more than 50 ms inside a frame ends it; the rest of that attempt is ignored.
- A reply counts only with a correct check sum and the host's address; if it names its sender, only from our unit.
- Without a reply within the time-out the same bytes go out again. After the last repeat `silent` is true, and
  `why_silent` explains what was received.

Source: ccTalk Serial Communication Protocol, Generic Specification, part 1. Knows no meaning of a header.
"""

from drivers.bills.cctalk.frame import HOST, Check, Frame, decode, encode, measure

LONGEST_GAP_S = 0.05


class Exchange:
    """The open command of one line. `check` may change between commands."""

    def __init__(self, *, address: int, reply_timeout_s: float, repeats: int) -> None:
        self.check = Check.SIMPLE
        self.silent = False
        self._address = address
        self._reply_timeout_s = reply_timeout_s
        self._repeats = repeats
        self._sent = b""
        self._owed = b""
        self._received = bytearray()
        self._received_at = 0.0
        self._echoed = False
        self._spoiled = False
        self._received_any = self._received_echo = False
        self._repeats_left = 0
        self._ask_at: float | None = None

    @property
    def why_silent(self) -> str:
        """The reason for the silence, from what was received since the last reply."""
        if self._received_echo:
            return "no answer; check the unit's power and address, and that it is set to ccTalk without encryption"
        if self._received_any:
            return "our own bytes come back damaged: a collision, a short, or an adapter that swallows the echo"
        return "not even our own echo comes back; check the cable and the adapter"

    def ask(self, header: int, data: bytes, now: float, *, once: bool = False) -> None:
        """Sends a new command. `receive` returns the reply, or `silent` becomes true. `once`: never repeat it."""
        frame = Frame(destination=self._address, source=HOST, header=header, data=data)
        self._sent = encode(frame, self.check)
        self._send(now, repeats=0 if once else self._repeats)

    def receive(self, data: bytes, now: float) -> Frame | None:
        """Handles received bytes. Returns the reply to the open command once it is complete."""
        if self._received and now - self._received_at > LONGEST_GAP_S:
            self._drop_broken()
        self._received_at = now
        if self._ask_at is None or self._spoiled:
            return None
        self._received_any = True
        self._received += data
        return self._read_reply() if self._echoed or self._strip_echo() else None

    def tick(self, now: float) -> None:
        """Repeats the command after its time-out, or gives it up."""
        if self._ask_at is None or now < self._ask_at:
            return
        if self._repeats_left > 0:
            self._send(now, repeats=self._repeats_left - 1)
        else:
            self._ask_at = None
            self.silent = True

    def due(self) -> float | None:
        """Returns when the open command must be repeated or given up."""
        return self._ask_at

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send, each once."""
        owed, self._owed = self._owed, b""
        return owed

    def forget(self) -> None:
        """Drops the command, the bytes to send and the bytes received; the line is closed."""
        self._owed = b""
        self._received.clear()
        self._ask_at = None
        self.silent = False

    def _send(self, now: float, *, repeats: int) -> None:
        self._owed += self._sent
        self._received.clear()
        self._echoed = self._spoiled = self.silent = False
        self._repeats_left = repeats
        self._ask_at = now + self._reply_timeout_s

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
        self._ask_at = None
        self._received_any = self._received_echo = False
        self._received.clear()
        return reply
