"""Question and answer on an SSP line: one command out, one reply in.

    host  7F seq|address len command ...      the host always speaks first
    unit  7F seq|address len answer ...       with the very same sequence bit and address

Rules:
- Each new command flips the sequence bit. SYNC goes out with the bit set, the command after it with the bit clear.
- No answer within the time-out: the same bytes again; the unit then repeats its stored reply without executing twice.
  After the last repeat the exchange is over and `silent` is true.
- A reply counts only with our address and the bit of the open command. Others are late or foreign and are dropped.
- The command that got no answer stays known: a lost reply may have carried money. It can still be answered late, and
  can be asked again with the same bit.
- SYNC is answered by a bare OK; anything longer is a late reply to something else.

Source: Innovative Technology, SSP Protocol Manual GA138. Knows no meaning of a reply beyond this.
"""

from drivers.bills.ssp_frame import Decoder, Frame, encode
from drivers.bills.ssp_words import Answer, Command

_SYNC = bytes((Command.SYNC,))
_BARE_OK = bytes((Answer.OK,))


class Exchange:
    """The open command of one line, if any."""

    def __init__(self, *, address: int, reply_timeout_s: float, repeats: int) -> None:
        self._address = address
        self._reply_timeout_s = reply_timeout_s
        self._repeats = repeats
        self._decoder = Decoder()
        self._sequence = False
        self._owed = b""
        self._question: Frame | None = None
        self._repeats_left = 0
        self._ask_at: float | None = None
        self.silent = False

    @property
    def unanswered(self) -> bytes:
        """The command that has no answer yet, open or given up; empty when there is none."""
        return self._question.data if self._question else b""

    def ask(self, command: bytes, now: float) -> None:
        """Send a new command; the reply comes out of `receive`, or `silent` becomes true."""
        self._sequence = True if command == _SYNC else not self._sequence
        self._question = Frame(sequence=self._sequence, address=self._address, data=command)
        self._send(now, repeats=self._repeats)

    def ask_again(self, now: float) -> None:
        """Send the unanswered command once more, same sequence bit, without further repeats."""
        self._send(now, repeats=0)

    def receive(self, data: bytes) -> bytes | None:
        """Take in bytes; returns the reply to the unanswered command when they completed it."""
        answer = None
        for frame in self._decoder.feed(data):
            answer = self._match(frame) or answer
        return answer

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

    def forget_line(self) -> None:
        """The line is gone: drop half a frame and what is owed; the unanswered command stays known."""
        self._decoder.forget()
        self._owed = b""
        self._ask_at = None
        self.silent = False

    def forget_question(self) -> None:
        """Nobody wants the answer any more."""
        self._question = None
        self._ask_at = None

    def _send(self, now: float, *, repeats: int) -> None:
        if self._question is not None:
            self._owed += encode(self._question)
            self._repeats_left = repeats
            self._ask_at = now + self._reply_timeout_s
            self.silent = False

    def _match(self, frame: Frame) -> bytes | None:
        question = self._question
        if question is None or not frame.data or frame.address != question.address:
            return None
        if frame.sequence != question.sequence or (question.data == _SYNC and frame.data != _BARE_OK):
            return None
        self.forget_question()
        return frame.data
