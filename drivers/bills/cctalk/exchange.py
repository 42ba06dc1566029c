"""Question and answer on a ccTalk line: one command out, its echo and one reply in.

    host  40  0   1 header sum        the host always speaks first
    line  40  0   1 header sum        one wire for both directions: we hear ourselves
    unit   1  n  40 0 data sum

Rules:
- Replies carry no number and do not say what they answer. A reply counts only right behind an intact echo of the open
  command: bytes ahead of the echo are late or foreign, a differing echo is a collision or a short.
- A silence of more than 50 ms inside a frame ends it; the rest of that attempt is not believed.
- A reply counts only when its check sum is right and it goes to the host; where it names its sender, from our unit.
- No answer within the time-out: the same bytes again. After the last repeat `silent` is true and `why_silent` says how
  far the conversation got.

Source: ccTalk Serial Communication Protocol, Generic Specification, part 1. Knows no meaning of a header.
"""

from drivers.bills.cctalk.frame import HOST, Check, Frame, decode, encode, measure

LONGEST_GAP_S = 0.05


class Exchange:
    """The open command of one line, if any. `check` may be changed between commands."""

    def __init__(self, *, address: int, reply_timeout_s: float, repeats: int) -> None:
        self.check = Check.SIMPLE
        self.silent = False
        self._address = address
        self._reply_timeout_s = reply_timeout_s
        self._repeats = repeats
        self._sent = b""
        self._owed = b""
        self._heard = bytearray()
        self._heard_at = 0.0
        self._echoed = False
        self._spoiled = False
        self._heard_anything = self._heard_echo = False
        self._repeats_left = 0
        self._ask_at: float | None = None

    @property
    def why_silent(self) -> str:
        """In plain words, how far the conversation got since the last reply."""
        if self._heard_echo:
            return "no answer; check the unit's power and address, and that it is set to ccTalk without encryption"
        if self._heard_anything:
            return "our own bytes come back damaged: a collision, a short, or an adapter that swallows the echo"
        return "not even our own echo comes back; check the cable and the adapter"

    def ask(self, header: int, data: bytes, now: float, *, once: bool = False) -> None:
        """Send a new command; the reply comes out of `receive`, or `silent` becomes true. `once`: never repeat it."""
        frame = Frame(destination=self._address, source=HOST, header=header, data=data)
        self._sent = encode(frame, self.check)
        self._send(now, repeats=0 if once else self._repeats)

    def receive(self, data: bytes, now: float) -> Frame | None:
        """Take in bytes; returns the reply to the open command when they completed it."""
        if self._heard and now - self._heard_at > LONGEST_GAP_S:
            self._drop_broken()
        self._heard_at = now
        if self._ask_at is None or self._spoiled:
            return None
        self._heard_anything = True
        self._heard += data
        return self._read_reply() if self._echoed or self._strip_echo() else None

    def tick(self, now: float) -> None:
        """Repeat the command when its time is up, or give it up."""
        if self._ask_at is None or now < self._ask_at:
            return
        if self._repeats_left > 0:
            self._send(now, repeats=self._repeats_left - 1)
        else:
            self._ask_at = None
            self.silent = True

    def due(self) -> float | None:
        """When the open command must be repeated or given up."""
        return self._ask_at

    def bytes_to_send(self) -> bytes:
        """Bytes owed, each returned once."""
        owed, self._owed = self._owed, b""
        return owed

    def forget(self) -> None:
        """The line is gone: drop the command, what is owed and what was heard."""
        self._owed = b""
        self._heard.clear()
        self._ask_at = None
        self.silent = False

    def _send(self, now: float, *, repeats: int) -> None:
        self._owed += self._sent
        self._heard.clear()
        self._echoed = self._spoiled = self.silent = False
        self._repeats_left = repeats
        self._ask_at = now + self._reply_timeout_s

    def _drop_broken(self) -> None:
        """A frame broke off. Half an echo may have been a late one; half a reply spoils the attempt."""
        self._heard.clear()
        self._spoiled = self._echoed

    def _strip_echo(self) -> bool:
        at = self._heard.find(self._sent)
        if at < 0:
            del self._heard[: -len(self._sent)]
            return False
        del self._heard[: at + len(self._sent)]
        self._echoed = self._heard_echo = True
        return True

    def _read_reply(self) -> Frame | None:
        length = measure(bytes(self._heard[:2]))
        if length is None or len(self._heard) < length:
            return None
        reply = decode(bytes(self._heard[:length]), self.check)
        if reply is None or reply.destination != HOST or reply.source not in (0, self._address):
            self._spoiled = True
            return None
        self._ask_at = None
        self._heard_anything = self._heard_echo = False
        self._heard.clear()
        return reply
