"""A simulated ccTalk bill validator: the unit's side of the line, byte for byte, echo included.

It behaves like a real unit. It accepts a frame only with its own kind of check sum and without a long gap inside. It
does not answer an unknown header. It keeps five events and never repeats one by itself. It returns a note whose
escrow is not extended, and accepts notes until it is inhibited, with or without a host.

Rules:
- The line is one wire: the host first receives an echo of every byte it sends, even while the unit has no power.
- It answers an address poll with its address, one byte without a frame, after a time that grows with the address, so
  that the units of a line do not send at once.
- A reset or a power cut deletes events, counter, inhibits and mode; the counter is then 0. A note in the path goes
  into the box or out of the front without a report.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from drivers.bills.cctalk.codec import BROADCAST, ESCROW_EMPTY, RING_SIZE, ROUTE_FAILED, Answer, Header, Route, Status
from drivers.bills.cctalk.frame import Check, Frame, decode, encode, measure
from drivers.bills.events import Channel
from drivers.simulated.note_path import INSTANT, REAL, Note, Phase, SimulatedAcceptor, Timings

__all__ = ["INSTANT", "CcTalkValidator", "Timings"]

LONGEST_GAP_S = 0.05
ADDRESS_STEP_S = 0.004
_COUNTRY = {"USD": "US", "EUR": "EU", "GBP": "GB", "CAD": "CA"}
_STACKER_BIT, _ESCROW_BIT = 1, 2
_JAMMED = 43
"""The fault code of a self check."""


@dataclass(slots=True, kw_only=True)
class _Volatile:
    """The state that a reset or a power cut deletes."""

    counter: int = 0
    newest_first: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * RING_SIZE)
    enabled: bool = False
    allowed: int = 0
    mode: int = _STACKER_BIT


class CcTalkValidator(SimulatedAcceptor[Status]):
    """One unit. `check` is its kind of check sum."""

    JAM, BOX_OUT, FULL = Status.UNSAFE_JAM, Status.STACKER_REMOVED, Status.STACKER_FULL
    STOPPING = frozenset({Status.UNSAFE_JAM, Status.SAFE_JAM})

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        serial: int = 1873452,
        maker: str = "ITL",
        address: int = 40,
        check: Check = Check.SIMPLE,
        timings: Timings = REAL,
    ) -> None:
        super().__init__(channels, timings)
        self.serial = serial
        self.maker = maker
        self.address = address
        self.check = check
        self._state = _Volatile()
        self._received = bytearray()
        self._received_at = 0.0
        self._says_address_at: float | None = None

    # Actions of users.

    def break_down(self, fault: Status) -> None:
        """Begins a fault and posts it."""
        super().break_down(fault)
        self.post(0, fault)

    def repair(self, fault: Status) -> None:
        """Ends a fault. A stuck note goes back to the player, without a report; a cash box put back is empty."""
        super().repair(fault)
        if fault in self.STOPPING:
            self.path.hand_out()
        elif fault is self.BOX_OUT:
            super().repair(self.FULL)
            self.post(0, Status.STACKER_INSERTED)
        else:
            self.post(0, Status.STACKER_OK)

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        self.path.hand_out()
        self.post(0, Status.PULLED_BACK)

    def post(self, first: int, second: int) -> None:
        """Adds an event to the ring."""
        state = self._state
        state.counter = state.counter % 255 + 1
        state.newest_first = [(first, second), *state.newest_first][:RING_SIZE]

    def power_cycle(self, *, to_cashbox: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; others come out."""
        self.path.cut_power(to_cashbox=to_cashbox)
        self._state = _Volatile()
        self._received.clear()
        self._says_address_at = None
        if self.BOX_OUT in self.faults:
            self.post(0, self.BOX_OUT)

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        return self._state.enabled and not self.faults

    @property
    def counter(self) -> int:
        """The unit's count of posted events."""
        return self._state.counter

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; the wire echoes them."""
        self.tick(now)
        self._owed += data
        if self._received and now - self._received_at > LONGEST_GAP_S:
            self._received.clear()
        self._received_at = now
        if not self.path.booting:
            self._received += data
            self._read_frames()

    def _waits(self) -> tuple[float | None, ...]:
        return (self._says_address_at,)

    def _end_waits(self) -> None:
        if self._says_address_at is not None and self.path.now >= self._says_address_at:
            self._says_address_at = None
            self._owed += bytes((self.address,))

    def _read_frames(self) -> None:
        while (length := measure(bytes(self._received[:2]))) is not None and len(self._received) >= length:
            wire = bytes(self._received[:length])
            del self._received[:length]
            frame = decode(wire, self.check)
            if frame is None:
                self._received.clear()
            elif frame.header == Header.ADDRESS_POLL and frame.destination in (BROADCAST, self.address):
                self._says_address_at = self.path.now + self.address * ADDRESS_STEP_S
            elif frame.destination == self.address:
                self._answer(frame)

    def _answer(self, frame: Frame) -> None:
        answer = self._execute(frame.header, frame.data)
        if answer is not None:
            header, data = answer
            reply = Frame(destination=1, source=self.address, header=header, data=data)
            self._owed += encode(reply, self.check)
        self.tick(self.path.now)

    # Notes.

    def _draw_in(self, note: Note) -> bool:
        if not (self.enabled or self.busy or self.path.booting):
            self.post(0, Status.MASTER_INHIBIT)
        return super()._draw_in(note)

    def judge(self, note: Note) -> None:
        """Sends a note back that is unknown or inhibited; posts another in escrow, if the host wants escrow."""
        allowed = note.channel and self._state.allowed >> (note.channel - 1) & 1
        if not allowed:
            note.reason = Status.INHIBITED if note.channel else Status.NOT_VALIDATED
            self.path.enter(note, Phase.RETURNING)
        elif self._state.mode & _ESCROW_BIT:
            self.post(note.channel, 1)
            self.path.enter(note, Phase.ESCROW)
        else:
            self.path.enter(note, Phase.STACKING)

    def on_stacked(self, note: Note) -> None:
        """Posts the credit."""
        self.post(note.channel, 0)

    def on_returned(self, note: Note) -> None:
        """Posts that the note is at the player, or why it was rejected."""
        self.post(0, note.reason or Status.RETURNED)

    # Commands.

    def _execute(self, header: int, data: bytes) -> tuple[int, bytes] | None:
        """Returns the header and data of the reply; None for silence."""
        if header not in _PARAMETERS:
            return None
        if len(data) not in _PARAMETERS[header]:
            return Answer.NAK, b""
        if header == Header.ROUTE:
            return Answer.OK, self._route(data[0])
        reported = self._report(header, data)
        if reported is None:
            self._obey(header, data)
        return Answer.OK, reported or b""

    def _obey(self, header: int, data: bytes) -> None:
        state = self._state
        match header:
            case Header.SET_INHIBITS:
                state.allowed = int.from_bytes(data, "little")
            case Header.SET_MASTER_INHIBIT:
                state.enabled = bool(data[0] & 1)
            case Header.SET_OPERATING_MODE:
                state.mode = data[0]
            case Header.RESET:
                self.power_cycle()
            case _:
                pass

    def _route(self, way: int) -> bytes:
        note = self.path.note
        if note is None or note.phase is not Phase.ESCROW:
            return bytes((ESCROW_EMPTY,))
        if self.halted() or way not in _AFTER_ESCROW:
            return bytes((ROUTE_FAILED,))
        self.path.enter(note, _AFTER_ESCROW[way])
        return b""

    def _report(self, header: int, data: bytes) -> bytes | None:
        """Returns the data of the answer to a question; None when the header is not a question."""
        match header:
            case Header.EVENTS:
                return bytes((self._state.counter, *(byte for pair in self._state.newest_first for byte in pair)))
            case Header.BILL_ID:
                return self._describe(data[0])
            case Header.COUNTRY_SCALING:
                return bytes((100, 0, 2)) if data.decode("ascii", "replace") in self._countries() else bytes(3)
            case Header.SERIAL_NUMBER:
                return self.serial.to_bytes(4, "big") if self.maker == "ITL" else self.serial.to_bytes(3, "little")
            case Header.MAKER:
                return self.maker.encode("ascii")
            case Header.SELF_CHECK:
                return bytes((_JAMMED if self.halted() else 0,))
            case Header.MASTER_INHIBIT:
                return bytes((self._state.enabled,))
            case Header.INHIBITS:
                return self._state.allowed.to_bytes(2, "little")
            case Header.CURRENCY_REVISION:
                return f"{self.channels[0].currency}01610".encode("ascii") if self.channels else b""
            case Header.OPERATING_MODE:
                return bytes((self._state.mode,))
            case _:
                return _SAYINGS.get(header)

    def _describe(self, number: int) -> bytes:
        channel = next((each for each in self.channels if each.number == number), None)
        if channel is None:
            return bytes(7) if self.maker == "ITL" else b"." * 7
        return f"{_COUNTRY[channel.currency]}{channel.value_cents // 100:04}A".encode("ascii")

    def _countries(self) -> set[str]:
        return {_COUNTRY[channel.currency] for channel in self.channels}


_AFTER_ESCROW: Mapping[int, Phase] = {
    Route.STACK: Phase.STACKING,
    Route.RETURN: Phase.RETURNING,
    Route.HOLD: Phase.ESCROW,
}

_SAYINGS: Mapping[int, bytes] = {
    Header.CATEGORY: b"Bill Validator",
    Header.PRODUCT: b"NV9",
    Header.SOFTWARE: b"NV09-1.00",
    Header.POLLING_PRIORITY: bytes((2, 20)),
    Header.COMMS_REVISION: bytes((1, 4, 4)),
    Header.DATABASE_VERSION: bytes((1,)),
    Header.BUILD_CODE: b"NV9",
}

_PARAMETERS: Mapping[int, tuple[int, ...]] = {
    **dict.fromkeys(set(Header) - {Header.ADDRESS_POLL}, (0,)),
    Header.CURRENCY_REVISION: (0, 2),
    Header.BILL_ID: (1,),
    Header.COUNTRY_SCALING: (2,),
    Header.SET_INHIBITS: (2,),
    Header.SET_MASTER_INHIBIT: (1,),
    Header.SET_OPERATING_MODE: (1,),
    Header.ROUTE: (1,),
}
"""The known headers and the lengths of their data."""
