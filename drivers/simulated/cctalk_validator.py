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
- No clock: `receive` and `tick` get the time; an action between them takes effect at the next call.

`stacked` and `returned` are the true notes, in cents, for tests to compare with the cabinet's books.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.bills.cctalk.codec import BROADCAST, ESCROW_EMPTY, RING_SIZE, ROUTE_FAILED, Answer, Header, Route, Status
from drivers.bills.cctalk.frame import Check, Frame, decode, encode, measure
from drivers.bills.events import Channel

LONGEST_GAP_S = 0.05
ADDRESS_STEP_S = 0.004
_COUNTRY = {"USD": "US", "EUR": "EU", "GBP": "GB", "CAD": "CA"}
_STACKER_BIT, _ESCROW_BIT = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The durations of the movements, in seconds."""

    reading_s: float = 0.5
    stacking_s: float = 1.0
    returning_s: float = 0.5
    boot_s: float = 2.0
    escrow_s: float = 10.0


INSTANT = Timings(reading_s=0.0, stacking_s=0.0, returning_s=0.0, boot_s=0.0)


class _Phase(Enum):
    READING = auto()
    ESCROW = auto()
    STACKING = auto()
    RETURNING = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `until` is the end of its phase, None before the first `tick`."""

    value_cents: int
    channel: int
    phase: _Phase = _Phase.READING
    until: float | None = None
    reported_as: Status = Status.RETURNED


@dataclass(slots=True, kw_only=True)
class _Volatile:
    """The state that a reset or a power cut deletes."""

    counter: int = 0
    newest_first: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * RING_SIZE)
    enabled: bool = False
    allowed: int = 0
    mode: int = _STACKER_BIT


class CcTalkValidator:
    """One unit. `check` is its kind of check sum."""

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        serial: int = 1873452,
        maker: str = "ITL",
        address: int = 40,
        check: Check = Check.SIMPLE,
        timings: Timings | None = None,
    ) -> None:
        self.channels = {channel.number: channel for channel in channels}
        self.serial = serial
        self.maker = maker
        self.address = address
        self.check = check
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self.fault = 0
        self._note: _Note | None = None
        self._jammed = self._full = self._cashbox_out = False
        self._state = _Volatile()
        self._received = bytearray()
        self._received_at = self._now = 0.0
        self._owed = b""
        self._says_address_at: float | None = None
        self._boot_ends: float | None = None

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        channel = next((number for number, each in self.channels.items() if each.value_cents == value_cents), 0)
        return self._draw_in(_Note(value_cents=value_cents, channel=channel))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Puts in a document that the unit does not recognise."""
        return self._draw_in(_Note(value_cents=value_cents, channel=0))

    def jam(self, *, safe: bool = False) -> None:
        """Jams the path, with or without a note in it; `safe` means out of the player's reach."""
        self._jammed, self.fault = True, 43
        self.post(0, Status.SAFE_JAM if safe else Status.UNSAFE_JAM)

    def clear_jam(self) -> None:
        """Frees the path by hand; a stuck note goes back to the player, without a report of the unit."""
        self._jammed, self.fault = False, 0
        if self._note is not None:
            self._hand_out(self._note)

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        if self._note is not None:
            self._hand_out(self._note)
        self.post(0, Status.PULLED_BACK)

    def remove_cashbox(self) -> None:
        """Removes the cash box."""
        self._cashbox_out = True
        self.post(0, Status.STACKER_REMOVED)

    def replace_cashbox(self) -> None:
        """Puts the cash box back, empty."""
        self._cashbox_out = self._full = False
        self.post(0, Status.STACKER_INSERTED)

    def fill(self) -> None:
        """Makes the stacker full."""
        self._full = True
        self.post(0, Status.STACKER_FULL)

    def empty(self) -> None:
        """Makes room in the stacker."""
        self._full = False
        self.post(0, Status.STACKER_OK)

    def post(self, first: int, second: int) -> None:
        """Adds an event to the ring."""
        state = self._state
        state.counter = state.counter % 255 + 1
        state.newest_first = [(first, second), *state.newest_first][:RING_SIZE]

    def power_cycle(self, *, to_cashbox: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; others come out."""
        note, self._note = self._note, None
        self._state = _Volatile()
        self._received.clear()
        self._says_address_at = None
        self._boot_ends = self._now + self.timings.boot_s
        if note is not None:
            stacking = note.phase is _Phase.STACKING and to_cashbox
            (self.stacked if stacking else self.returned).append(note.value_cents)
        if self._cashbox_out:
            self.post(0, Status.STACKER_REMOVED)

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether the unit would draw a note in."""
        return self._state.enabled and not (self._jammed or self._full or self._cashbox_out)

    @property
    def busy(self) -> bool:
        """Whether a note is in the path."""
        return self._note is not None

    @property
    def counter(self) -> int:
        """The unit's count of posted events."""
        return self._state.counter

    @property
    def phase(self) -> str:
        """The phase of the note in the path: "reading", "escrow", "stacking", "returning", or "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; the wire echoes them."""
        self.tick(now)
        self._owed += data
        if self._received and now - self._received_at > LONGEST_GAP_S:
            self._received.clear()
        self._received_at = now
        if not self._booting():
            self._received += data
            self._read_frames()

    def bytes_to_send(self) -> bytes:
        """Returns the echo and the replies to send."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: notes move, the escrow times out."""
        self._now = max(self._now, now)
        if self._booting():
            return
        if self._says_address_at is not None and self._now >= self._says_address_at:
            self._says_address_at = None
            self._owed += bytes((self.address,))
        while not self._jammed and (note := self._note) is not None:
            if note.until is None:
                note.until = now + self.timings.reading_s
            if now < note.until:
                return
            self._finish_phase(note)

    def due(self) -> float | None:
        """Returns the time of the next movement."""
        if self._booting():
            return self._boot_ends
        ends = [] if self._says_address_at is None else [self._says_address_at]
        if self._note is not None and not self._jammed:
            ends.append(self._note.until if self._note.until is not None else self._now)
        return min(ends, default=None)

    def _booting(self) -> bool:
        return self._boot_ends is not None and self._now < self._boot_ends

    def _read_frames(self) -> None:
        while (length := measure(bytes(self._received[:2]))) is not None and len(self._received) >= length:
            wire = bytes(self._received[:length])
            del self._received[:length]
            frame = decode(wire, self.check)
            if frame is None:
                self._received.clear()
            elif frame.header == Header.ADDRESS_POLL and frame.destination in (BROADCAST, self.address):
                self._says_address_at = self._now + self.address * ADDRESS_STEP_S
            elif frame.destination == self.address:
                self._answer(frame)

    def _answer(self, frame: Frame) -> None:
        answer = self._execute(frame.header, frame.data)
        if answer is not None:
            header, data = answer
            reply = Frame(destination=1, source=self.address, header=header, data=data)
            self._owed += encode(reply, self.check)
        self.tick(self._now)

    # Notes.

    def _draw_in(self, note: _Note) -> bool:
        if self._booting() or self._note is not None:
            return False
        if not self.enabled:
            self.post(0, Status.MASTER_INHIBIT)
            return False
        self._note = note
        return True

    def _hand_out(self, note: _Note) -> None:
        self._note = None
        self.returned.append(note.value_cents)

    def _finish_phase(self, note: _Note) -> None:
        match note.phase:
            case _Phase.READING:
                self._judge(note)
            case _Phase.ESCROW:
                self._enter(note, _Phase.RETURNING, self.timings.returning_s)
            case _Phase.STACKING:
                self._note = None
                self.stacked.append(note.value_cents)
                self.post(note.channel, 0)
            case _Phase.RETURNING:
                self._hand_out(note)
                self.post(0, note.reported_as)

    def _judge(self, note: _Note) -> None:
        allowed = note.channel and self._state.allowed >> (note.channel - 1) & 1
        if not allowed:
            note.reported_as = Status.INHIBITED if note.channel else Status.NOT_VALIDATED
            self._enter(note, _Phase.RETURNING, self.timings.returning_s)
        elif self._state.mode & _ESCROW_BIT:
            self.post(note.channel, 1)
            self._enter(note, _Phase.ESCROW, self.timings.escrow_s)
        else:
            self._enter(note, _Phase.STACKING, self.timings.stacking_s)

    def _enter(self, note: _Note, phase: _Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

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
        note = self._note
        if note is None or note.phase is not _Phase.ESCROW:
            return bytes((ESCROW_EMPTY,))
        if self._jammed or way not in list(Route):
            return bytes((ROUTE_FAILED,))
        if way == Route.STACK:
            self._enter(note, _Phase.STACKING, self.timings.stacking_s)
        elif way == Route.RETURN:
            self._enter(note, _Phase.RETURNING, self.timings.returning_s)
        else:
            note.until = self._now + self.timings.escrow_s
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
                return bytes((self.fault,))
            case Header.MASTER_INHIBIT:
                return bytes((self._state.enabled,))
            case Header.INHIBITS:
                return self._state.allowed.to_bytes(2, "little")
            case Header.CURRENCY_REVISION:
                return f"{next(iter(self.channels.values())).currency}01610".encode("ascii") if self.channels else b""
            case Header.OPERATING_MODE:
                return bytes((self._state.mode,))
            case _:
                return _SAYINGS.get(header)

    def _describe(self, number: int) -> bytes:
        channel = self.channels.get(number)
        if channel is None:
            return bytes(7) if self.maker == "ITL" else b"." * 7
        return f"{_COUNTRY[channel.currency]}{channel.value_cents // 100:04}A".encode("ascii")

    def _countries(self) -> set[str]:
        return {_COUNTRY[channel.currency] for channel in self.channels.values()}


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
    **dict.fromkeys(_SAYINGS, (0,)),
    Header.CURRENCY_REVISION: (0, 2),
    Header.EVENTS: (0,),
    Header.SERIAL_NUMBER: (0,),
    Header.MAKER: (0,),
    Header.SELF_CHECK: (0,),
    Header.MASTER_INHIBIT: (0,),
    Header.INHIBITS: (0,),
    Header.OPERATING_MODE: (0,),
    Header.BILL_ID: (1,),
    Header.COUNTRY_SCALING: (2,),
    Header.POLL: (0,),
    Header.RESET: (0,),
    Header.SET_INHIBITS: (2,),
    Header.SET_MASTER_INHIBIT: (1,),
    Header.SET_OPERATING_MODE: (1,),
    Header.ROUTE: (1,),
}
"""The known headers and the lengths of their data."""
