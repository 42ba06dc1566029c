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
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

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
from drivers.simulated.note_path import INSTANT, Note, Phase, SimulatedAcceptor, Timings

__all__ = ["INSTANT", "Cashflow", "Timings"]

REAL = Timings(reading_s=0.8, returning_s=0.6)
_LONGEST_GAP_S = 0.05
_SLOW_POLL_S = 0.25
_POLLS_TO_WAKE = 3
_SOFT_RESET_S = 8.0
_UNPOLLED_S = 5.0


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


class Cashflow(SimulatedAcceptor[Flag]):
    """One unit. `extended` False makes it a Pyramid: indexes only, no extended or auxiliary messages.

    `lingers` is the number of replies that still show an event after its ack.
    """

    JAM, BOX_OUT, FULL = Flag.JAMMED, Flag.CASSETTE, Flag.FULL
    STOPPING = frozenset({Flag.JAMMED, Flag.FAILURE})
    ESCROW_S = 60.0

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        extended: bool = True,
        serial: str = "SN0012345",
        keeps_event: bool = True,
        lingers: int = 0,
        timings: Timings = REAL,
    ) -> None:
        super().__init__(channels, timings)
        self.extended = extended
        self.serial = serial
        self.keeps_event = keeps_event
        self.lingers = lingers
        self._policy = Policy.A
        self._event: _Event | None = None
        self._waking = True
        self._state = _Volatile()
        self._decoder = Decoder()
        self._last_bytes = 0.0

    # Actions of users.

    def cheat(self) -> None:
        """Pulls the note back on a string; shown in a few replies."""
        self._state.cheat_shown = 5
        self.path.hand_out()

    def take_out(self) -> None:
        """Takes out the note that keeps the unit out of service."""
        if self.path.note is not None and self.path.note.phase is Phase.STUCK:
            self.path.hand_out()

    def power_cycle(self, *, away_s: float | None = None) -> None:
        """Cuts the power and restores it. The unit keeps the value only of a note being stacked, with policy B."""
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._waking = True
        self.path.boot(self.timings.boot_s if away_s is None else away_s)
        if self._event is not None:
            self._event.reported = False
            self._event.number = self._event.number if self._policy is Policy.B else 0
            self._event = self._event if self.keeps_event else None
        note = self.path.note
        if note is not None:
            keeps_value = note.phase is Phase.STACKING and self._policy is Policy.B
            note.channel = note.channel if keeps_value else 0
            waiting = Phase.ESCROW if self._policy is Policy.A else Phase.STUCK
            self.path.enter(note, _AFTER_POWER_UP.get(note.phase, waiting))

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        polled = self._state.last_poll is not None and self.path.now < self._state.last_poll + _UNPOLLED_S
        ready = not (self.path.booting or self._waking or self.faults or self.busy) and self._event is None
        return ready and polled and bool(self._state.mask)

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; drops half a frame after a short time."""
        if now > self._last_bytes + _LONGEST_GAP_S:
            self._decoder.forget()
        self._last_bytes = now
        self.tick(now)
        for frame in self._decoder.feed(data):
            if not self.path.booting:
                self._owed += self._answer(frame)
                self.tick(self.path.now)

    # Notes.

    def _draw_in(self, note: Note) -> bool:
        drawn_in = super()._draw_in(note)
        self._state.reject_shown = self._state.reject_shown and not drawn_in
        return drawn_in

    def halted(self) -> bool:
        """Returns True if the note cannot move now: an event without an ack keeps it from leaving the escrow."""
        return super().halted() or (self._event is not None and self.phase != "reading")

    def judge(self, note: Note) -> None:
        """Rejects an unknown or disabled note at once; the host decides whether another waits in escrow."""
        state = self._state
        allowed = state.notes if state.extended else state.mask
        if not note.channel or not state.mask or not allowed >> (note.channel - 1) & 1:
            state.reject_shown = True
            self.path.hand_out()
        else:
            self.path.enter(note, Phase.ESCROW if state.escrow else Phase.STACKING)

    def on_stacked(self, note: Note) -> None:
        """Reports the credit."""
        self._event = _Event(flag=Flag.STACKED, number=note.channel)

    def on_returned(self, _note: Note) -> None:
        """Reports that the note is at the player."""
        self._event = _Event(flag=Flag.RETURNED, number=0)

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
        quick = state.last_poll is not None and self.path.now <= state.last_poll + _SLOW_POLL_S
        state.quick_polls = state.quick_polls + 1 if quick else 0
        state.last_poll = self.path.now
        waits = self.path.note is not None and self.path.note.phase is Phase.STACKING
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
        state, note = self._state, self.path.note
        state.mask, state.escrow = poll[0], bool(poll[1] & 0x10)
        self._policy = Policy(min(poll[2] >> 2 & 3, Policy.C))
        state.extended = bool(poll[2] & 0x10) and self.extended
        if note is None or note.phase is not Phase.ESCROW:
            return
        if poll[1] & 0x20:
            self.path.enter(note, Phase.STACKING)
        elif poll[1] & 0x40:
            self.path.enter(note, Phase.RETURNING)

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
        note = self.path.note
        return note.channel if note is not None and note.phase is Phase.ESCROW else 0

    def _show(self) -> bytes:
        flags = [*(fault for fault in self.faults if fault is not Flag.CASSETTE), *self._motion()]
        if self._event is not None:
            self._event.reported = True
            flags.append(self._event.flag)
        elif self._state.lingering:
            flags.append(self._state.lingering[0].flag)
        for flag, shown in (
            (Flag.CASSETTE, Flag.CASSETTE not in self.faults),
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
        note = self.path.note
        if set(self.faults) & {Flag.JAMMED, Flag.FULL, Flag.FAILURE} or (note and note.phase is Phase.STUCK):
            return []
        return [_MOTION[note.phase] if note is not None else Flag.IDLE]


_MOTION = {
    Phase.READING: Flag.ACCEPTING,
    Phase.ESCROW: Flag.ESCROWED,
    Phase.STACKING: Flag.STACKING,
    Phase.RETURNING: Flag.RETURNING,
}
_AFTER_POWER_UP = {
    Phase.READING: Phase.RETURNING,
    Phase.RETURNING: Phase.RETURNING,
    Phase.STACKING: Phase.STACKING,
}
"""The phases of a note that do not depend on the policy."""
_QUERIES = tuple(bytes((0, 0, query)) for query in Query)


def _words(line: Channel | None, index: int) -> NoteMessage | None:
    if line is None:
        return None
    return NoteMessage(index=index, currency=line.currency, value_cents=line.value_cents)
