"""Command and reply on an SSP line: the bytes of a command, and which received bytes are its reply.

    host  7F seq|address len command ...      the host always sends first
    unit  7F seq|address len answer ...       with the same sequence bit and address

Rules:
- Each new command flips the sequence bit. SYNC goes out with the bit set, the command after it with the bit clear.
- A repeat has the same bytes; the unit then repeats its stored reply without executing twice.
- A reply counts only with our address and the bit of the open command. Others are late or foreign and are dropped.
- A command without reply stays known: the lost reply may have carried money. The reply may still come late, and the
  command can be repeated with the same bit.
- SYNC is answered by a bare OK; anything longer is a late reply to something else.
- While there is a `seal`, every command but SYNC and the key exchange goes out sealed. A sealed command is answered
  sealed, or in the clear by KEY NOT SET alone; a clear one never sealed.

Source: Innovative Technology, SSP Protocol Manual GA138. Knows no meaning of a reply beyond this, and no time.
"""

from dataclasses import dataclass

from drivers.bills.ssp.codec import KEY_EXCHANGE, Answer, Command
from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.secret import SEALED, Seal

_SYNC = bytes((Command.SYNC,))
_BARE_OK = bytes((Answer.OK,))
_KEY_NOT_SET = bytes((Answer.KEY_NOT_SET,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A sent command; `seal` is the seal in use for it."""

    command: bytes
    wire: bytes
    sequence: bool
    seal: Seal | None


class Exchange:
    """The open command of one line. `seal` may change between commands."""

    def __init__(self, *, address: int) -> None:
        self.seal: Seal | None = None
        self._address = address
        self._decoder = Decoder()
        self._sequence = False
        self._question: Question | None = None

    @property
    def unanswered(self) -> Question | None:
        """The command without reply, open or given up."""
        return self._question

    def write(self, command: bytes) -> bytes:
        """Returns the bytes of a new command; `receive` returns its reply."""
        self._sequence = True if command == _SYNC else not self._sequence
        seal = None if command[0] in KEY_EXCHANGE else self.seal
        data = seal.close(command) if seal else command
        wire = encode(Frame(sequence=self._sequence, address=self._address, data=data))
        self._question = Question(command=command, wire=wire, sequence=self._sequence, seal=seal)
        return wire

    def receive(self, data: bytes) -> bytes | None:
        """Handles received bytes. Returns the reply to the unanswered command once it is complete."""
        answer = None
        for frame in self._decoder.feed(data):
            answer = self._match(frame) or answer
        return answer

    def forget_line(self) -> None:
        """Drops half a frame of a closed line; the unanswered command stays known."""
        self._decoder.forget()

    def forget_question(self) -> None:
        """Drops the unanswered command; a late reply no longer counts."""
        self._question = None

    def _match(self, frame: Frame) -> bytes | None:
        question = self._question
        if question is None or not frame.data or frame.address != self._address:
            return None
        if frame.sequence != question.sequence or (question.command == _SYNC and frame.data != _BARE_OK):
            return None
        reply = _open(question, frame.data)
        if reply:
            self.forget_question()
        return reply


def _open(question: Question, data: bytes) -> bytes | None:
    if question.seal is None:
        return data if data[0] != SEALED else None
    return data if data == _KEY_NOT_SET else question.seal.open(data)
