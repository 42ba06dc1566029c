"""A simulated JCM UBA: the unit's side of ID-003, byte for byte.

It behaves like a real unit. It accepts notes only when it is reset, set up and enabled, answers a command that does
not fit its state with "invalid command" (4B), and does not answer the ack of a credit. It returns a note without a
hold, and a power cut deletes its settings.

Rules:
- A note is `stacked` when it is in the stacker, reported or not. VEND VALID is shown until the ack; meanwhile the
  unit draws no further note in.
- After a power cut the unit shows the place of a note (40 none, 41 acceptor, 42 stacker) until it is reset. Then a
  note in the acceptor comes out, and one in the stacker is stacked. Units differ in whether a credit without ack
  shows as 42 or is lost, and whether a 15 follows a 42: `remembers_credit`, `reports_recovered`.
- Both forms of Stack report their credit when the note is stored.
- In interrupt mode the unit reports every change of its state by an enquiry.
- No clock: `receive` and `tick` get the time; an action between them takes effect at the next call.

`stacked` and `returned` are the true notes, in cents, and `stacked_tickets` and `returned_tickets` the true tickets,
by number, for tests to compare with the cabinet's books.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.bills.id003.codec import (
    ACKNOWLEDGED,
    ENQUIRY,
    LOWEST_ESCROW_CODE,
    REFUSED,
    TICKET,
    Command,
    NoteType,
    State,
    write_note_table,
)
from drivers.bills.id003.frame import Decoder, Frame, encode

_WRONG_PATTERN, _SWITCHED_OFF = 0x77, 0x79
_LONGEST_GAP_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The durations of the movements, in seconds."""

    reading_s: float = 0.8
    stacking_s: float = 1.0
    going_back_s: float = 0.6
    stacked_s: float = 0.3
    initialising_s: float = 3.0
    boot_s: float = 2.0
    escrow_s: float = 10.0


INSTANT = Timings(reading_s=0, stacking_s=0, going_back_s=0, stacked_s=0, initialising_s=0, boot_s=0)


class _Phase(Enum):
    READING = auto()
    ESCROW = auto()
    HELD = auto()
    STACKING = auto()
    VEND_VALID = auto()
    STACKED = auto()
    REJECTING = auto()
    RETURNING = auto()


_SHOWN: Mapping[_Phase, State] = {
    _Phase.READING: State.ACCEPTING,
    _Phase.ESCROW: State.ESCROW,
    _Phase.HELD: State.HOLDING,
    _Phase.STACKING: State.STACKING,
    _Phase.VEND_VALID: State.VEND_VALID,
    _Phase.STACKED: State.STACKED,
    _Phase.REJECTING: State.REJECTING,
    _Phase.RETURNING: State.RETURNING,
}
_NOT_OURS_YET = (_Phase.READING, _Phase.ESCROW, _Phase.HELD, _Phase.REJECTING, _Phase.RETURNING)


@dataclass(slots=True, kw_only=True)
class _Note:
    """The document in the path; `until` is the end of its phase, None before the first `tick`."""

    value_cents: int
    code: int
    ticket: bytes = b""
    reason: int = 0
    phase: _Phase = _Phase.READING
    until: float | None = None
    in_stacker: bool = False


@dataclass(slots=True, kw_only=True)
class _Volatile:
    """The state that a power cut deletes."""

    inhibited: bool = True
    switched_off: int = 0xFFFF
    takes_tickets: bool = False
    settings: dict[int, bytes] = field(default_factory=dict)


class UBA:
    """One unit. `reserved` are channels of its table that have no note."""

    def __init__(
        self,
        notes: Iterable[NoteType],
        *,
        reserved: tuple[int, ...] = (),
        version: str = "U(USA)-03-SS ID003-05V275-51 19AUG05 C0E2",
        remembers_credit: bool = True,
        reports_recovered: bool = False,
        knows_tickets: bool = True,
        timings: Timings | None = None,
    ) -> None:
        self.notes = tuple(notes)
        self.reserved = reserved
        self.version = version
        self.remembers_credit = remembers_credit
        self.reports_recovered = reports_recovered
        self.knows_tickets = knows_tickets
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self.stacked_tickets: list[str] = []
        self.returned_tickets: list[str] = []
        self._note: _Note | None = None
        self._power_up: State | None = State.POWER_UP
        self._ready_at: float | None = None
        self._boot_ends: float | None = None
        self._faults: list[State] = []
        self._failure = 0xA6
        self._cheated_until: float | None = None
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._now = 0.0
        self._last_bytes = 0.0
        self._reported_state = State.POWER_UP

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        channel = next((note.channel for note in self.notes if note.value_cents == value_cents), 0)
        code = LOWEST_ESCROW_CODE + channel - 1
        return self._draw_in(_Note(value_cents=value_cents, code=code, reason=0 if channel else _WRONG_PATTERN))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Puts in a document that the unit does not recognise."""
        return self._draw_in(_Note(value_cents=value_cents, code=0, reason=_WRONG_PATTERN))

    def insert_ticket(self, digits: str) -> bool:
        """Puts in a ticket with this bar code."""
        return self._draw_in(_Note(value_cents=0, code=TICKET, ticket=digits.encode("ascii")))

    def break_down(self, fault: State, *, failure: int = 0xA6) -> None:
        """Shows this fault (full, open, jammed, paused, failed) from now on."""
        if fault not in self._faults:
            self._faults.append(fault)
        self._failure = failure

    def mend(self, fault: State) -> None:
        """Ends the fault; a cash box put back makes the unit initialise again."""
        self._faults = [each for each in self._faults if each is not fault]
        if fault is State.STACKER_OPEN:
            self._state = _Volatile()
            self._begin_initialising()

    def cheat(self) -> None:
        """Pulls the note back on a string; shown for a second."""
        self._cheated_until = self._now + 1.0
        if self._note is not None and self._note.phase is not _Phase.VEND_VALID:
            self._hand_out(self._note)

    def power_cycle(self, *, to_stacker: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked is then in the stacker or in the acceptor."""
        note = self._note
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._ready_at = self._cheated_until = None
        self._boot_ends = self._now + self.timings.boot_s
        if note is None:
            pending = self._power_up if self._power_up is not None else State.POWER_UP
            self._power_up = pending
        elif note.phase is _Phase.VEND_VALID:
            self._power_up = State.POWER_UP_IN_STACKER if self.remembers_credit else State.POWER_UP
            self._note = note if self.remembers_credit else None
        elif note.phase is _Phase.STACKED:
            self._power_up, self._note = State.POWER_UP, None
        elif note.in_stacker or (note.phase is _Phase.STACKING and to_stacker):
            note.in_stacker = True
            self._power_up = State.POWER_UP_IN_STACKER
        else:
            note.phase = _Phase.RETURNING
            self._power_up = State.POWER_UP_IN_ACCEPTOR

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether the unit would draw a note in."""
        return self._at_rest() and not self._state.inhibited and not self._faults and self._note is None

    @property
    def phase(self) -> str:
        """The phase of the note in the path, such as "escrow" or "stacking"; "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    @property
    def shown(self) -> State:
        """The state in the answer to a status request."""
        note = self._note
        if self._power_up is not None:
            return self._power_up
        if note is not None and note.phase is _Phase.VEND_VALID:
            return State.VEND_VALID
        if self._cheated_until is not None and self._now < self._cheated_until:
            return State.CHEATED
        if self._faults:
            return self._faults[0]
        if self._ready_at is not None:
            return State.INITIALISING
        if note is not None:
            return _SHOWN[note.phase]
        return State.INHIBITED if self._state.inhibited else State.IDLE

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; drops half a frame after a short time."""
        if now > self._last_bytes + _LONGEST_GAP_S:
            self._decoder.forget()
        self._last_bytes = now
        self.tick(now)
        if self._booting():
            return
        for frame in self._decoder.feed(data):
            answer = self._answer(frame)
            if answer is not None:
                self._owed += encode(answer)
            self.tick(self._now)

    def bytes_to_send(self) -> bytes:
        """Returns the replies to send."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: the unit initialises, notes move, the escrow times out."""
        self._now = max(self._now, now)
        self._move()
        interrupting = self._state.settings.get(Command.SET_MODE) == _INTERRUPT
        if interrupting and self.shown is not self._reported_state:
            self._owed += encode(Frame(code=ENQUIRY))
        self._reported_state = self.shown

    def _move(self) -> None:
        if self._booting() or self._power_up is not None:
            return
        if self._ready_at is not None and self._now >= self._ready_at:
            self._finish_initialising()
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
        if self._power_up is not None:
            return None
        if self._ready_at is not None:
            return self._ready_at
        if self._note is None or not self._moves(self._note):
            return None
        return self._note.until if self._note.until is not None else self._now

    def _booting(self) -> bool:
        return self._boot_ends is not None and self._now < self._boot_ends

    def _at_rest(self) -> bool:
        return not self._booting() and self._power_up is None and self._ready_at is None

    def _moves(self, note: _Note) -> bool:
        jammed = {State.JAM_IN_ACCEPTOR, State.JAM_IN_STACKER, State.FAILURE} & set(self._faults)
        return self._ready_at is None and not jammed and note.phase is not _Phase.VEND_VALID

    # Notes.

    def _draw_in(self, note: _Note) -> bool:
        if not self.enabled:
            return False
        self._note = note
        return True

    def _hand_out(self, note: _Note) -> None:
        self._note = None
        if note.code == TICKET:
            self.returned_tickets.append(note.ticket.decode("ascii"))
        else:
            self.returned.append(note.value_cents)

    def _keep(self, note: _Note) -> None:
        note.phase = _Phase.VEND_VALID
        if note.code == TICKET:
            self.stacked_tickets.append(note.ticket.decode("ascii"))
        else:
            self.stacked.append(note.value_cents)

    def _finish_phase(self, note: _Note) -> None:
        match note.phase:
            case _Phase.READING:
                self._judge(note)
            case _Phase.ESCROW | _Phase.HELD:
                self._enter(note, _Phase.RETURNING, self.timings.going_back_s)
            case _Phase.STACKING:
                self._keep(note)
            case _Phase.REJECTING | _Phase.RETURNING:
                self._hand_out(note)
            case _:
                self._note = None

    def _judge(self, note: _Note) -> None:
        if not note.reason and (self._state.inhibited or self._is_switched_off(note)):
            note.reason = _SWITCHED_OFF
        if note.reason:
            self._enter(note, _Phase.REJECTING, self.timings.going_back_s)
        else:
            self._enter(note, _Phase.ESCROW, self.timings.escrow_s)

    def _is_switched_off(self, note: _Note) -> bool:
        if note.code == TICKET:
            return not self._state.takes_tickets
        return bool(self._state.switched_off >> (note.code - LOWEST_ESCROW_CODE) & 1)

    def _enter(self, note: _Note, phase: _Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

    def _begin_initialising(self) -> None:
        self._ready_at = self._now + self.timings.initialising_s

    def _finish_initialising(self) -> None:
        """Ends the initialising: a note in the acceptor has come out, one in the stacker is stacked."""
        note, self._ready_at = self._note, None
        if note is None:
            return
        if note.phase in _NOT_OURS_YET:
            self._hand_out(note)
        elif note.phase is _Phase.STACKING:
            self._keep(note)
        if self._note is not None and not self.reports_recovered:
            self._note = None

    # Commands.

    def _answer(self, frame: Frame) -> Frame | None:
        match frame.code:
            case Command.STATUS:
                return self._show()
            case Command.ACK:
                self._on_ack()
                return None
            case Command.VERSION:
                return Frame(code=frame.code, data=self.version.encode("ascii"))
            case Command.BOOT_VERSION:
                return Frame(code=frame.code, data=b"B05")
            case Command.RESET:
                return self._reset()
            case Command.NOTE_TABLE:
                return Frame(code=frame.code, data=write_note_table(self.notes, self.reserved))
            case code if code in _ASKED:
                return Frame(code=code, data=self._setting(_ASKED[code]))
            case Command.STACK_1 | Command.STACK_2 | Command.RETURN | Command.HOLD:
                return self._obey(Command(frame.code))
            case code if code in _SIZES and self._is_settable():
                return self._set(frame)
            case _:
                return Frame(code=REFUSED)

    def _setting(self, setting: Command) -> bytes:
        """Returns the setting as sent, or its value after a reset: everything off."""
        otherwise = _AFTER_RESET.get(setting, bytes(_SIZES[setting]))
        return self._state.settings.get(setting, otherwise)

    def _show(self) -> Frame:
        shown, note = self.shown, self._note
        if note is not None and shown is State.ESCROW:
            return Frame(code=shown, data=bytes((note.code,)) + note.ticket)
        if note is not None and shown is State.REJECTING:
            return Frame(code=shown, data=bytes((note.reason,)))
        return Frame(code=shown, data=bytes((self._failure,)) if shown is State.FAILURE else b"")

    def _on_ack(self) -> None:
        if self._note is not None and self._note.phase is _Phase.VEND_VALID and self._power_up is None:
            self._enter(self._note, _Phase.STACKED, self.timings.stacked_s)

    def _reset(self) -> Frame:
        """Initialises again. Without a power cut before, an unreported credit is lost."""
        if self._power_up is None:
            self._drop_note()
        self._power_up = None
        self._state = _Volatile()
        self._begin_initialising()
        return Frame(code=ACKNOWLEDGED)

    def _drop_note(self) -> None:
        if self._note is not None and self._note.phase in (_Phase.VEND_VALID, _Phase.STACKED):
            self._note = None

    def _is_settable(self) -> bool:
        return self._power_up is None and self.shown in (State.INITIALISING, State.IDLE, State.INHIBITED)

    def _obey(self, command: Command) -> Frame:
        note = self._note
        if note is None or self.shown not in (State.ESCROW, State.HOLDING):
            return Frame(code=REFUSED)
        match command:
            case Command.HOLD:
                self._enter(note, _Phase.HELD, self.timings.escrow_s)
            case Command.RETURN:
                self._enter(note, _Phase.RETURNING, self.timings.going_back_s)
            case _:
                self._enter(note, _Phase.STACKING, self.timings.stacking_s)
        return Frame(code=ACKNOWLEDGED)

    def _set(self, frame: Frame) -> Frame:
        """Applies a setting and returns its echo; refuses a wrong size, or a setting of a missing part."""
        about_tickets = frame.code in (Command.SET_TICKET_TYPE, Command.SET_TICKET_INHIBIT)
        if len(frame.data) != _SIZES[frame.code] or (about_tickets and not self.knows_tickets):
            return Frame(code=REFUSED)
        state = self._state
        state.settings[frame.code] = frame.data
        match frame.code:
            case Command.SET_DENOMINATIONS:
                state.switched_off = int.from_bytes(frame.data, "little")
            case Command.SET_INHIBIT:
                state.inhibited = frame.data != b"\x00"
            case Command.SET_TICKET_INHIBIT:
                state.takes_tickets = not frame.data[0] & 0x02
            case _:
                pass
        return frame


_INTERRUPT = b"\x01"
_ASKED: Mapping[int, Command] = {
    Command.DENOMINATIONS: Command.SET_DENOMINATIONS,
    Command.SECURITY: Command.SET_SECURITY,
    Command.INHIBIT: Command.SET_INHIBIT,
    Command.DIRECTION: Command.SET_DIRECTION,
    Command.OPTIONS: Command.SET_OPTIONS,
    Command.TICKET_TYPE: Command.SET_TICKET_TYPE,
    Command.TICKET_INHIBIT: Command.SET_TICKET_INHIBIT,
}
"""Questions, and the settings that they read."""
_AFTER_RESET: Mapping[int, bytes] = {
    Command.SET_DENOMINATIONS: b"\xff\xff",
    Command.SET_INHIBIT: b"\x01",
    Command.SET_TICKET_INHIBIT: b"\x02",
}

_SIZES: Mapping[int, int] = {
    Command.SET_DENOMINATIONS: 2,
    Command.SET_SECURITY: 2,
    Command.SET_MODE: 1,
    Command.SET_INHIBIT: 1,
    Command.SET_DIRECTION: 1,
    Command.SET_OPTIONS: 2,
    Command.SET_TICKET_TYPE: 2,
    Command.SET_TICKET_INHIBIT: 1,
}
