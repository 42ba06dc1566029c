"""An SSP unit that says what the test wants: for replies that no honest device gives on demand."""

from support.notes import CHANNELS

from drivers.bills.ssp.codec import Answer, Command, Setup, write_setup
from drivers.bills.ssp.frame import Decoder, Frame, encode

SETUP = write_setup(
    Setup(unit_type=0, firmware="0331", country="USD", version=7, channels=CHANNELS),
    value_multiplier=100,
    real_multiplier=100,
)
POLLS = (Command.POLL, Command.POLL_WITH_ACK)


class ScriptedUnit:
    """Answers OK to everything. `polls` holds the events of the coming poll replies, in order; then only OK.

    `answers` replaces the answer to a command, generic byte included; None is silence. `received` lists the commands
    received, without retransmissions.
    """

    def __init__(self, *polls: str, answers: dict[int, bytes | None] | None = None) -> None:
        self.polls = [bytes.fromhex(events) for events in polls]
        self.answers: dict[int, bytes | None] = {
            Command.SETUP: bytes((Answer.OK,)) + SETUP,
            Command.SERIAL_NUMBER: bytes.fromhex("F0 00 1C 96 2C"),
            Command.FIRMWARE: b"\xf0NV00090331498000",
            Command.LAST_REJECT: bytes.fromhex("F0 06"),
            **(answers or {}),
        }
        self.received: list[bytes] = []
        self.silent = False
        self._decoder = Decoder()
        self._stored: Frame | None = None
        self._owed = b""

    def report(self, *polls: str) -> None:
        """These events come in the next poll replies."""
        self.polls.extend(bytes.fromhex(events) for events in polls)

    def receive(self, data: bytes, now: float) -> None:
        for frame in self._decoder.feed(data):
            if self.silent:
                continue
            answer = self._answer(frame)
            if answer is not None:
                self._owed += encode(answer)

    def _answer(self, frame: Frame) -> Frame | None:
        stored = self._stored
        if frame.data[0] != Command.SYNC and stored is not None and stored.sequence == frame.sequence:
            return stored
        self.received.append(frame.data)
        data = self.answers.get(frame.data[0], bytes((Answer.OK,)))
        if data is None:
            return None
        if frame.data[0] in POLLS and data == bytes((Answer.OK,)) and self.polls:
            data += self.polls.pop(0)
        self._stored = Frame(sequence=frame.sequence, address=frame.address, data=data)
        return self._stored

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed
