"""An EBDS host and a unit on a wire in virtual time, and a unit that says what the test wants."""

from collections.abc import Sequence

from support.notes import TAKE_ALL
from support.wire import Wire

from drivers.bills.ebds.codec import NOTE_TABLES, Flag, Policy, write_status
from drivers.bills.ebds.frame import Decoder, Frame, Kind, encode
from drivers.bills.ebds.host import EbdsProtocol, EbdsTiming
from drivers.bills.events import BillEvent, BillOrder, Enabled
from drivers.simulated.pty_line import Device

EbdsWire = Wire[BillEvent, BillOrder]

IDLE = write_status(Flag.IDLE, Flag.CASSETTE)
IN, UP, DOWN, BACK = (
    write_status(flag, Flag.CASSETTE) for flag in (Flag.ACCEPTING, Flag.ESCROWED, Flag.STACKING, Flag.RETURNING)
)
STACKED, RETURNED = (write_status(Flag.IDLE, flag, Flag.CASSETTE) for flag in (Flag.STACKED, Flag.RETURNED))


def escrow(index: int, *flags: Flag) -> bytes:
    """A status that shows this note in escrow."""
    return write_status(Flag.ESCROWED, Flag.CASSETTE, *flags, index=index)


PYRAMID_TIMING = EbdsTiming()


def pyramid(*, policy: Policy = Policy.A, timing: EbdsTiming = PYRAMID_TIMING) -> EbdsProtocol:
    """The host of a Pyramid unit with US notes."""
    return EbdsProtocol(currency="USD", values_cents=NOTE_TABLES["USD"], policy=policy, timing=timing)


def cashflow() -> EbdsProtocol:
    """The host of a unit that reports its own table."""
    return EbdsProtocol(currency="USD")


class ScriptedUnit:
    """Answers every new poll with the next of `states`, then idle, and the same bit again with the same reply.

    `polls` lists the data of the new polls. `ignores_bit` makes it a unit that treats every poll as new.
    """

    def __init__(self, *states: bytes, ignores_bit: bool = False) -> None:
        self.states = list(states)
        self.polls: list[bytes] = []
        self.frames: list[Frame] = []
        self.silent = False
        self._ignores_bit = ignores_bit
        self._decoder = Decoder()
        self._reply: Frame | None = None
        self._owed = b""

    def report(self, *states: bytes) -> None:
        """These states come in the next replies."""
        self.states.extend(states)

    def receive(self, data: bytes, now: float) -> None:
        for frame in self._decoder.feed(data):
            self.frames.append(frame)
            if not self.silent:
                self._owed += encode(self._answer(frame))

    def _answer(self, frame: Frame) -> Frame:
        if self._reply is not None and self._reply.ack is frame.ack and not self._ignores_bit:
            return self._reply
        self.polls.append(frame.data)
        state = self.states.pop(0) if self.states else IDLE
        self._reply = Frame(kind=Kind.REPLY, ack=frame.ack, data=state)
        return self._reply

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


def join(device: Device, protocol: EbdsProtocol | None = None) -> EbdsWire:
    wire: EbdsWire = Wire(protocol or pyramid(), device)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(device: Device, protocol: EbdsProtocol | None = None) -> EbdsWire:
    """A wire whose start-up is done and whose unit takes notes; what was reported until then is dropped."""
    wire = join(device, protocol)
    wire.run_until(lambda: Enabled(taking=True) in wire.events)
    wire.events.clear()
    return wire


def events_after(wire: EbdsWire, seconds: float = 3.0) -> Sequence[BillEvent]:
    """All that is reported within this time."""
    wire.events.clear()
    wire.run(seconds)
    return list(wire.events)
