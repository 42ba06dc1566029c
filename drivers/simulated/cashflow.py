"""A simulated Cashflow SC, or Pyramid Apex: the unit's side of EBDS, byte for byte.

It behaves like a real unit. It answers a repeated ack bit with its last reply and does nothing else. It accepts notes
only when it is polled, enabled and out of its power-up state. It reports an event once (and may show it and the value
for longer). It does not answer a soft reset and is silent for a while. It never leaves its power-up state when it is
polled too slowly.

Rules:
- A note is `stacked` when it is in the cassette, reported or not. An event is in one reply; the next ack bit
  acknowledges it, and only then it is dropped. `keeps_event`: whether an event without an ack survives a power cut.
- At power-up the last policy decides: A shows a note from escrow again, without a value; B and C stay out of service
  until `take_out`. An accepted note is stacked; its value is reported only with B.
- No clock: `receive` and `tick` get the time; an action between them takes effect at the next call.

`stacked` and `returned` are the true notes, in cents, for tests to compare with the cabinet's books.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.bills.ebds.codec import (
    NOTE_IN_PATH,
    NOTE_INDEXES,
    SOFT_RESET,
    Extended,
    Flag,
    NoteMessage,
    Policy,
    Query,
    write_note,
    write_status,
)
from drivers.bills.ebds.frame import Decoder, Frame, Kind, encode
from drivers.bills.events import Channel

_LONGEST_GAP_S = 0.05
_SLOW_POLL_S = 0.25
_POLLS_TO_WAKE = 3
_SOFT_RESET_S = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The durations of the movements, in seconds."""

    reading_s: float = 0.8
    stacking_s: float = 1.0
    returning_s: float = 0.6
    boot_s: float = 2.0
    escrow_s: float = 60.0
    unpolled_s: float = 5.0


INSTANT = Timings(reading_s=0, stacking_s=0, returning_s=0, boot_s=0)


class _Phase(Enum):
    READING = auto()
    ESCROW = auto()
    STUCK = auto()
    STACKING = auto()
    RETURNING = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `until` is the end of its phase, None before the first `tick`."""

    value_cents: int
    number: int
    phase: _Phase = _Phase.READING
    until: float | None = None
    known: bool = True


@dataclass(slots=True, kw_only=True)
class _Event:
    """STACKED or RETURNED with its note; `reported`: a reply has carried it."""

    flag: Flag
    number: int
    reported: bool = False


@dataclass(slots=True, kw_only=True)
class _Volatile:
    """The state that a power cut deletes."""

    mask: int = 0
    notes: int = 0
    stack: bool = False
    escrow: bool = False
    extended: bool = False
    bit: bool | None = None
    reply: bytes = b""
    last_poll: float | None = None
    quick_polls: int = 0
    lingering: list[_Event] = field(default_factory=list)
    reject_shown: bool = False
    cheat_shown: int = 0
    invalid: bool = False


class Cashflow:
    """One unit. `extended` False makes it a Pyramid: indexes only, no extended or auxiliary messages.

    `lingers` is the number of replies that still show an event after its ack.
    """

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        extended: bool = True,
        serial: str = "SN0012345",
        keeps_event: bool = True,
        lingers: int = 0,
        timings: Timings | None = None,
    ) -> None:
        self.channels = tuple(channels)
        self.extended = extended
        self.serial = serial
        self.keeps_event = keeps_event
        self.lingers = lingers
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self._policy = Policy.A
        self._note: _Note | None = None
        self._event: _Event | None = None
        self._faults: set[Flag] = set()
        self._cassette = True
        self._waking = True
        self._boot_ends: float | None = None
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._now = 0.0
        self._last_bytes = 0.0

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        number = next((each.number for each in self.channels if each.value_cents == value_cents), 0)
        if not self.enabled:
            return False
        self._note = _Note(value_cents=value_cents, number=number)
        self._state.reject_shown = False
        return True

    def break_down(self, fault: Flag) -> None:
        """Shows this fault (jammed, full, failed, ...) from now on."""
        self._faults.add(fault)

    def mend(self, fault: Flag) -> None:
        """Ends the fault."""
        self._faults.discard(fault)

    def remove_cassette(self) -> None:
        """Removes the cassette."""
        self._cassette = False

    def replace_cassette(self) -> None:
        """Puts the cassette back."""
        self._cassette = True

    def cheat(self) -> None:
        """Pulls the note back on a string; shown in a few replies."""
        self._state.cheat_shown = 5
        if self._note is not None:
            self.returned.append(self._note.value_cents)
            self._note = None

    def take_out(self) -> None:
        """Takes out the note that keeps the unit out of service."""
        if self._note is not None and self._note.phase is _Phase.STUCK:
            self.returned.append(self._note.value_cents)
            self._note = None

    def power_cycle(self, *, away_s: float | None = None) -> None:
        """Cuts the power and restores it."""
        note = self._note
        self._state = _Volatile(bit=None)
        self._decoder = Decoder()
        self._owed = b""
        self._waking = True
        self._boot_ends = self._now + (self.timings.boot_s if away_s is None else away_s)
        if self._event is not None:
            self._event.reported = False
            self._event.number = self._event.number if self._policy is Policy.B else 0
            self._event = self._event if self.keeps_event else None
        if note is None:
            return
        note.known = note.phase is _Phase.STACKING and self._policy is Policy.B
        if note.phase is _Phase.STACKING or note.phase is _Phase.RETURNING:
            note.until = self._boot_ends + self.timings.stacking_s
        elif note.phase is _Phase.READING:
            self._enter(note, _Phase.RETURNING, self.timings.boot_s + self.timings.returning_s)
        elif self._policy is Policy.A:
            note.phase, note.until = _Phase.ESCROW, self._boot_ends + self.timings.escrow_s
        else:
            note.phase, note.until = _Phase.STUCK, None

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether the unit would draw a note in."""
        polled = self._state.last_poll is not None and self._now < self._state.last_poll + self.timings.unpolled_s
        ready = not (self._booting() or self._waking or self._faults) and self._cassette and self._event is None
        return ready and polled and bool(self._state.mask) and self._note is None

    @property
    def phase(self) -> str:
        """The phase of the note in the path, such as "escrow" or "stacking"; "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; drops half a frame after a short time."""
        if now > self._last_bytes + _LONGEST_GAP_S:
            self._decoder.forget()
        self._last_bytes = now
        self.tick(now)
        for frame in self._decoder.feed(data):
            if not self._booting():
                self._owed += self._answer(frame)
                self.tick(self._now)

    def bytes_to_send(self) -> bytes:
        """Returns the replies to send."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: notes move, the escrow times out."""
        self._now = max(self._now, now)
        if self._booting():
            return
        while (note := self._note) is not None and self._moves(note):
            if note.until is None:
                note.until = self._now + self.timings.reading_s
            if self._now < note.until:
                return
            self._finish_phase(note)

    def due(self) -> float | None:
        """Returns the time of the next movement."""
        if self._booting():
            return self._boot_ends
        if self._note is None or not self._moves(self._note):
            return None
        return self._note.until if self._note.until is not None else self._now

    def _booting(self) -> bool:
        return self._boot_ends is not None and self._now < self._boot_ends

    def _moves(self, note: _Note) -> bool:
        waits = note.phase is _Phase.STUCK or (self._event is not None and note.phase is not _Phase.READING)
        return not waits and not self._faults & {Flag.JAMMED, Flag.FAILURE}

    # Notes.

    def _finish_phase(self, note: _Note) -> None:
        match note.phase:
            case _Phase.READING:
                self._judge(note)
            case _Phase.ESCROW:
                self._enter(note, _Phase.RETURNING, self.timings.returning_s)
            case _Phase.STACKING:
                self._note = None
                self.stacked.append(note.value_cents)
                self._event = _Event(flag=Flag.STACKED, number=note.number if note.known else 0)
            case _:
                self._note = None
                self.returned.append(note.value_cents)
                self._event = _Event(flag=Flag.RETURNED, number=0)

    def _judge(self, note: _Note) -> None:
        state = self._state
        allowed = state.notes if state.extended else state.mask
        if not note.number or not state.mask or not allowed >> (note.number - 1) & 1:
            state.reject_shown = True
            self._note = None
            self.returned.append(note.value_cents)
        elif state.escrow:
            self._enter(note, _Phase.ESCROW, self.timings.escrow_s)
        else:
            self._enter(note, _Phase.STACKING, self.timings.stacking_s)

    def _enter(self, note: _Note, phase: _Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

    # Messages.

    def _answer(self, frame: Frame) -> bytes:
        """Returns the reply to a message; the same ack bit gets the same reply again."""
        state = self._state
        if frame.kind is Kind.AUXILIARY and frame.data == SOFT_RESET:
            self.power_cycle(away_s=_SOFT_RESET_S)
            return b""
        self._count_poll()
        if frame.ack is not state.bit:
            state.bit = frame.ack
            self._drop_reported()
            kind, data = self._execute(frame)
            state.reply = encode(Frame(kind=kind, ack=frame.ack, data=data))
        return state.reply

    def _count_poll(self) -> None:
        state = self._state
        quick = state.last_poll is not None and self._now <= state.last_poll + _SLOW_POLL_S
        state.quick_polls = state.quick_polls + 1 if quick else 0
        state.last_poll = self._now
        waits = self._note is not None and self._note.phase is _Phase.STACKING
        if self._waking and state.quick_polls >= _POLLS_TO_WAKE and not waits:
            self._waking = False

    def _drop_reported(self) -> None:
        """Drops the reported event: a new ack bit acknowledges the last reply."""
        state = self._state
        state.lingering = state.lingering[1:]
        if self._event is not None and self._event.reported:
            state.lingering = [self._event] * self.lingers
            self._event = None
        state.cheat_shown = max(0, state.cheat_shown - 1)
        state.invalid = False

    def _execute(self, frame: Frame) -> tuple[Kind, bytes]:
        if frame.kind is Kind.POLL and len(frame.data) == 3:
            self._obey(frame.data)
            return self._report()
        if frame.kind is Kind.AUXILIARY and self.extended and frame.data in _QUERIES:
            return Kind.AUXILIARY, self._describe(Query(frame.data[2]))
        if frame.kind is Kind.EXTENDED and self.extended and len(frame.data) >= 5:
            return self._execute_extended(frame.data)
        self._state.invalid = True
        return self._report()

    def _execute_extended(self, data: bytes) -> tuple[Kind, bytes]:
        self._obey(data[1:4])
        if data[0] == Extended.NOTE:
            line = next((each for each in self.channels if each.number == data[4]), None)
            return Kind.EXTENDED, bytes((Extended.NOTE,)) + self._show() + write_note(_words(line, data[4]))
        if data[0] == Extended.SET_NOTES:
            self._state.notes = sum(byte << 7 * at for at, byte in enumerate(data[4:]))
        else:
            self._state.invalid = True
        return self._report()

    def _obey(self, poll: bytes) -> None:
        state, note = self._state, self._note
        state.mask, state.escrow = poll[0], bool(poll[1] & 0x10)
        self._policy = Policy(min(poll[2] >> 2 & 3, Policy.C))
        state.extended = bool(poll[2] & 0x10) and self.extended
        if note is None or note.phase is not _Phase.ESCROW:
            return
        if poll[1] & 0x20:
            self._enter(note, _Phase.STACKING, self.timings.stacking_s)
        elif poll[1] & 0x40:
            self._enter(note, _Phase.RETURNING, self.timings.returning_s)

    def _describe(self, query: Query) -> bytes:
        texts = {Query.TYPE: "SC66-U", Query.SERIAL: self.serial, Query.APPLICATION: "280000123"}
        return texts[query].encode("ascii")

    # Replies.

    def _report(self) -> tuple[Kind, bytes]:
        """Returns the reply to a poll; with extended reporting a note with a value has a separate message."""
        status = self._show()
        number = self._shown_number()
        if self._state.extended and number:
            line = next(each for each in self.channels if each.number == number)
            return Kind.EXTENDED, bytes((Extended.NOTE,)) + status + write_note(_words(line, NOTE_IN_PATH))
        return Kind.REPLY, status

    def _shown_number(self) -> int:
        if self._event is not None:
            return self._event.number
        if self._state.lingering:
            return self._state.lingering[0].number
        note = self._note
        return note.number if note is not None and note.phase is _Phase.ESCROW and note.known else 0

    def _show(self) -> bytes:
        flags = [*self._faults, *self._motion()]
        if self._event is not None:
            self._event.reported = True
            flags.append(self._event.flag)
        elif self._state.lingering:
            flags.append(self._state.lingering[0].flag)
        for flag, shown in (
            (Flag.CASSETTE, self._cassette),
            (Flag.POWER_UP, self._waking),
            (Flag.REJECTED, self._state.reject_shown),
            (Flag.CHEATED, self._state.cheat_shown > 0),
            (Flag.INVALID_COMMAND, self._state.invalid),
        ):
            if shown:
                flags.append(flag)
        number = self._shown_number()
        return write_status(*flags, index=number if 1 <= number <= NOTE_INDEXES and not self._state.extended else 0)

    def _motion(self) -> list[Flag]:
        note = self._note
        if self._faults & {Flag.JAMMED, Flag.FULL, Flag.FAILURE} or (note is not None and note.phase is _Phase.STUCK):
            return []
        return [_MOTION[note.phase] if note is not None else Flag.IDLE]


_MOTION = {
    _Phase.READING: Flag.ACCEPTING,
    _Phase.ESCROW: Flag.ESCROWED,
    _Phase.STACKING: Flag.STACKING,
    _Phase.RETURNING: Flag.RETURNING,
}
_QUERIES = tuple(bytes((0, 0, query)) for query in Query)


def _words(line: Channel | None, index: int) -> NoteMessage | None:
    if line is None:
        return None
    return NoteMessage(index=index, currency=line.currency, value_cents=line.value_cents)
