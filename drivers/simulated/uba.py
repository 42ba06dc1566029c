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
"""

from collections.abc import Iterable, Mapping

from drivers.bills.events import Channel
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
from drivers.simulated.note_path import INSTANT, Note, Phase, SimulatedAcceptor, Timings

__all__ = ["INSTANT", "UBA", "Timings"]

_WRONG_PATTERN, _SWITCHED_OFF = 0x77, 0x79
REAL = Timings(reading_s=0.8, returning_s=0.6)
_LONGEST_GAP_S = 0.05


_SHOWN: Mapping[Phase, State] = {
    Phase.READING: State.ACCEPTING,
    Phase.ESCROW: State.ESCROW,
    Phase.HELD: State.HOLDING,
    Phase.STACKING: State.STACKING,
    Phase.VEND_VALID: State.VEND_VALID,
    Phase.STACKED: State.STACKED,
    Phase.REJECTING: State.REJECTING,
    Phase.RETURNING: State.RETURNING,
}


class UBA(SimulatedAcceptor[State]):
    """One unit. `reserved` are channels of its table that have no note."""

    JAM, BOX_OUT, FULL = State.JAM_IN_ACCEPTOR, State.STACKER_OPEN, State.STACKER_FULL
    STOPPING = frozenset({State.JAM_IN_ACCEPTOR, State.JAM_IN_STACKER, State.FAILURE})

    def __init__(
        self,
        notes: Iterable[NoteType],
        *,
        reserved: tuple[int, ...] = (),
        version: str = "U(USA)-03-SS ID003-05V275-51 19AUG05 C0E2",
        remembers_credit: bool = True,
        reports_recovered: bool = False,
        knows_tickets: bool = True,
        timings: Timings = REAL,
    ) -> None:
        self.notes = tuple(notes)
        channels = (Channel(number=each.channel, value_cents=each.value_cents, currency="") for each in self.notes)
        super().__init__(channels, timings)
        self.stacked_tickets, self.returned_tickets = self.path.stacked_tickets, self.path.returned_tickets
        self.reserved = reserved
        self.version = version
        self.remembers_credit = remembers_credit
        self.reports_recovered = reports_recovered
        self.knows_tickets = knows_tickets
        self._power_up: State | None = State.POWER_UP
        self._ready_at: float | None = None
        self._failure = 0xA6
        self._cheated_until: float | None = None
        self._settings = dict(_AFTER_RESET)
        self._decoder = Decoder()
        self._last_bytes = 0.0
        self._reported_state = State.POWER_UP

    # Actions of users.

    def insert_ticket(self, digits: str) -> bool:
        """Puts in a ticket with this bar code."""
        return self._draw_in(Note(ticket=digits))

    def break_down(self, fault: State, *, failure: int = 0xA6) -> None:
        """Begins a fault (full, open, jammed, paused, failed with this code)."""
        super().break_down(fault)
        self._failure = failure

    def repair(self, fault: State) -> None:
        """Ends the fault; a cash box put back makes the unit initialise again."""
        super().repair(fault)
        if fault is self.BOX_OUT:
            self._settings = dict(_AFTER_RESET)
            self._begin_initialising()

    def cheat(self) -> None:
        """Pulls the note back on a string; shown for a second."""
        self._cheated_until = self.path.now + 1.0
        if self.phase != "vend_valid":
            self.path.hand_out()

    def power_cycle(self, *, to_stacker: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked is then in the stacker or in the acceptor."""
        self._settings = dict(_AFTER_RESET)
        self._decoder = Decoder()
        self._owed = b""
        self._ready_at = self._cheated_until = None
        self.path.boot(self.timings.boot_s)
        note = self.path.note
        if note is None:
            self._power_up = self._power_up or State.POWER_UP
        elif note.phase is Phase.STACKED or (note.phase is Phase.VEND_VALID and not self.remembers_credit):
            self._power_up, self.path.note = State.POWER_UP, None
        elif note.phase is Phase.VEND_VALID:
            self._power_up = State.POWER_UP_IN_STACKER
        elif note.in_stacker or (note.phase is Phase.STACKING and to_stacker):
            note.in_stacker = True
            self._power_up = State.POWER_UP_IN_STACKER
        else:
            note.phase = Phase.RETURNING
            self._power_up = State.POWER_UP_IN_ACCEPTOR

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        at_rest = not self.path.booting and self._power_up is None and self._ready_at is None
        return at_rest and not self._inhibited and not self.faults and not self.busy

    @property
    def _inhibited(self) -> bool:
        return self._settings[Command.SET_INHIBIT] != b"\x00"

    @property
    def shown(self) -> State:
        """The state in the answer to a status request."""
        note = self.path.note
        if self._power_up is not None:
            return self._power_up
        if note is not None and note.phase is Phase.VEND_VALID:
            return State.VEND_VALID
        if self._cheated_until is not None and self.path.now < self._cheated_until:
            return State.CHEATED
        if self.faults:
            return self.faults[0]
        if self._ready_at is not None:
            return State.INITIALISING
        if note is not None:
            return _SHOWN[note.phase]
        return State.INHIBITED if self._inhibited else State.IDLE

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host; drops half a frame after a short time."""
        if now > self._last_bytes + _LONGEST_GAP_S:
            self._decoder.forget()
        self._last_bytes = now
        self.tick(now)
        if self.path.booting:
            return
        for frame in self._decoder.feed(data):
            answer = self._answer(frame)
            if answer is not None:
                self._owed += encode(answer)
            self.tick(self.path.now)

    def tick(self, now: float) -> None:
        """Handles what is due at `now`; in interrupt mode reports a change of state by an enquiry."""
        super().tick(now)
        interrupting = self._settings[Command.SET_MODE] == _INTERRUPT
        if interrupting and self.shown is not self._reported_state:
            self._owed += encode(Frame(code=ENQUIRY))
        self._reported_state = self.shown

    def _waits(self) -> tuple[float | None, ...]:
        return (self._ready_at if self._power_up is None else None,)

    def _end_waits(self) -> None:
        """Ends the initialising: a note in the acceptor has come out, one in the stacker is stacked."""
        if self._power_up is not None or self._ready_at is None or self.path.now < self._ready_at:
            return
        note, self._ready_at = self.path.note, None
        if note is None:
            return
        if note.phase is Phase.STACKING:
            self.path.keep()
            self.path.enter(note, Phase.VEND_VALID)
        elif note.phase not in (Phase.VEND_VALID, Phase.STACKED):
            self.path.hand_out()
        if not self.reports_recovered:
            self.path.note = None

    # Notes.

    def halted(self) -> bool:
        """Returns True if the note cannot move now: after a power cut, while the unit initialises, in a jam."""
        return self._power_up is not None or self._ready_at is not None or super().halted()

    def judge(self, note: Note) -> None:
        """Rejects a document that is unknown or disabled; another waits in escrow."""
        if not note.channel and not note.ticket:
            note.reason = _WRONG_PATTERN
        elif self._inhibited or self._is_switched_off(note):
            note.reason = _SWITCHED_OFF
        self.path.enter(note, Phase.REJECTING if note.reason else Phase.ESCROW)

    def _is_switched_off(self, note: Note) -> bool:
        if note.ticket:
            return bool(self._settings[Command.SET_TICKET_INHIBIT][0] & 0x02)
        switched_off = int.from_bytes(self._settings[Command.SET_DENOMINATIONS], "little")
        return bool(switched_off >> (note.channel - 1) & 1)

    def on_stacked(self, note: Note) -> None:
        """Shows the credit until it is acknowledged."""
        self.path.enter(note, Phase.VEND_VALID)

    def _begin_initialising(self) -> None:
        self._ready_at = self.path.now + self.timings.initialising_s

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
                return Frame(code=code, data=self._settings[_ASKED[code]])
            case code if code in _AFTER_ESCROW:
                return self._obey(code)
            case code if code in _AFTER_RESET and self._is_settable():
                return self._set(frame)
            case _:
                return Frame(code=REFUSED)

    def _show(self) -> Frame:
        shown, note = self.shown, self.path.note
        if note is not None and shown is State.ESCROW:
            code = TICKET if note.ticket else LOWEST_ESCROW_CODE + note.channel - 1
            return Frame(code=shown, data=bytes((code,)) + note.ticket.encode("ascii"))
        if note is not None and shown is State.REJECTING:
            return Frame(code=shown, data=bytes((note.reason,)))
        return Frame(code=shown, data=bytes((self._failure,)) if shown is State.FAILURE else b"")

    def _on_ack(self) -> None:
        note = self.path.note
        if note is not None and note.phase is Phase.VEND_VALID and self._power_up is None:
            self.path.enter(note, Phase.STACKED)

    def _reset(self) -> Frame:
        """Initialises again. Without a power cut before, an unreported credit is lost."""
        if self._power_up is None and self.phase in ("vend_valid", "stacked"):
            self.path.note = None
        self._power_up = None
        self._settings = dict(_AFTER_RESET)
        self._begin_initialising()
        return Frame(code=ACKNOWLEDGED)

    def _is_settable(self) -> bool:
        return self._power_up is None and self.shown in (State.INITIALISING, State.IDLE, State.INHIBITED)

    def _obey(self, command: int) -> Frame:
        note = self.path.note
        if note is None or self.shown not in (State.ESCROW, State.HOLDING):
            return Frame(code=REFUSED)
        self.path.enter(note, _AFTER_ESCROW[command])
        return Frame(code=ACKNOWLEDGED)

    def _set(self, frame: Frame) -> Frame:
        """Applies a setting and returns its echo; refuses a wrong size, or a setting of a missing part."""
        about_tickets = frame.code in (Command.SET_TICKET_TYPE, Command.SET_TICKET_INHIBIT)
        if len(frame.data) != len(_AFTER_RESET[frame.code]) or (about_tickets and not self.knows_tickets):
            return Frame(code=REFUSED)
        self._settings[frame.code] = frame.data
        return frame


_INTERRUPT = b"\x01"
_AFTER_ESCROW: Mapping[int, Phase] = {
    Command.STACK_1: Phase.STACKING,
    Command.STACK_2: Phase.STACKING,
    Command.RETURN: Phase.RETURNING,
    Command.HOLD: Phase.HELD,
}
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
    Command.SET_SECURITY: b"\x00\x00",
    Command.SET_MODE: b"\x00",
    Command.SET_INHIBIT: b"\x01",
    Command.SET_DIRECTION: b"\x00",
    Command.SET_OPTIONS: b"\x00\x00",
    Command.SET_TICKET_TYPE: b"\x00\x00",
    Command.SET_TICKET_INHIBIT: b"\x02",
}
"""The settings, which a power cut deletes, too: everything off."""
