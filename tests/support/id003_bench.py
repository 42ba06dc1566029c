"""An ID-003 host and a unit on a wire in virtual time, and a unit that says what the test wants."""

from collections.abc import Sequence

from support.notes import CHANNELS, TAKE_ALL
from support.wire import Wire

from drivers.bills.events import BillEvent, BillOrder, Enabled
from drivers.bills.id003.codec import ACKNOWLEDGED, OPERATIONS, Command, NoteType, write_note_table
from drivers.bills.id003.frame import Decoder, Frame, encode
from drivers.bills.id003.host import Id003Protocol
from drivers.simulated.pty_line import Device

Id003Wire = Wire[BillEvent, BillOrder]

USA = 0x01
NOTE_TYPES = tuple(NoteType(channel=each.number, country=USA, value_cents=each.value_cents) for each in CHANNELS)
VERSION = "U(USA)-03-SS ID003-05V275-51 19AUG05 C0E2"


class ScriptedUnit:
    """Agrees to everything. `states` holds the coming states, in order, each as hex; then idle or inhibited.

    `answers` replaces the answer to a command, code included; None is silence. `received` lists the frames.
    """

    def __init__(self, *states: str, answers: dict[int, str | None] | None = None) -> None:
        self.states = [bytes.fromhex(state) for state in states]
        self.answers: dict[int, str | None] = dict(answers or {})
        self.received: list[bytes] = []
        self.silent = False
        self.inhibited = True
        self._decoder = Decoder()
        self._owed = b""

    def report(self, *states: str) -> None:
        """These states come in the next answers to status requests."""
        self.states.extend(bytes.fromhex(state) for state in states)

    def receive(self, data: bytes, now: float) -> None:
        for frame in self._decoder.feed(data):
            if self.silent:
                continue
            self.received.append(bytes((frame.code,)) + frame.data)
            answer = self._answer(frame)
            if answer is not None:
                self._owed += encode(Frame(code=answer[0], data=answer[1:]))

    def _answer(self, frame: Frame) -> bytes | None:
        if frame.code in self.answers:
            scripted = self.answers[frame.code]
            return None if scripted is None else bytes.fromhex(scripted)
        if frame.code == Command.SET_INHIBIT:
            self.inhibited = frame.data == b"\x01"
        if frame.code == Command.STATUS:
            return self.states.pop(0) if self.states else bytes((0x1A if self.inhibited else 0x11,))
        if frame.code in OPERATIONS:
            return bytes((ACKNOWLEDGED,))
        if frame.code == Command.VERSION:
            return bytes((frame.code,)) + VERSION.encode("ascii")
        if frame.code == Command.NOTE_TABLE:
            return bytes((frame.code,)) + write_note_table(NOTE_TYPES)
        return None if frame.code == Command.ACK else bytes((frame.code,)) + frame.data

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


def join(device: Device, protocol: Id003Protocol | None = None) -> Id003Wire:
    wire: Id003Wire = Wire(protocol or Id003Protocol(currency="USD"), device)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(device: Device, protocol: Id003Protocol | None = None) -> Id003Wire:
    """A wire whose start-up is done and whose unit takes notes; what was reported until then is dropped."""
    wire = join(device, protocol)
    wire.run_until(lambda: Enabled(taking=True) in wire.events)
    wire.events.clear()
    return wire


def events_after(wire: Id003Wire, seconds: float = 3.0) -> Sequence[BillEvent]:
    """All that is reported within this time."""
    wire.events.clear()
    wire.run(seconds)
    return list(wire.events)


def commands(unit: ScriptedUnit) -> list[int]:
    """Command bytes received, status requests left out."""
    return [data[0] for data in unit.received if data[0] != Command.STATUS]
