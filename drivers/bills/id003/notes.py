"""Applies the states of an ID-003 unit to the one note in the path, to the credit that waits for an ack,
and to faults.

The note in the path goes through these stages:

    HELD       offered to the cabinet; HOLD keeps it in escrow
    STACKING   the cabinet ordered Stack, or the unit reports stacking (`moving`)
    GOING      to be returned: RETURN goes out while the unit shows it in escrow
    BACK       the unit reports that it returns or rejects it

Rules:
- Only VEND VALID (15) and a power-up with the note in the stacker (42) make a `Stacked`; STACKED (16) is information.
  The unit shows each until the ack, or until the reset; it is reported once. After a 42 some units still send a 15,
  others do not: it is the same note and is not reported again.
- A reported credit waits for its ack. It stays known until the ack is sent and the path is shown clear, or until the
  next note is in escrow (impossible before the ack), or until a power-up without a note in the stacker.
- Only a state of the unit changes the stage of a note. A frame that acknowledges a command does not: frames carry no
  number, so it may belong to an earlier command.
- An offered note that is no longer shown went back, unless the unit had begun to stack it. Then the outcome is
  unknown: an alarm, no outcome is reported, and `unresolved` requests a new start-up, after which the cabinet treats
  the note as in doubt. No time-out decides an outcome.
- At a start-up, a note in escrow or on its way out is `Returned`: with an earlier stacked note without our ack, the
  unit would show 15 and could not accept another note.
- A power-up without a note (40) proves no outcome for a note that was on its way in.
- A ticket with a bar code is handled like a note. One that is not enabled, or whose number is not all digits, goes
  back and is reported as `Rejected`. After a restart of the host a unit that has stacked does not report whether it
  was a ticket or a note: that is a `Stacked` without value.

Knows no commands, no time and no line.
"""

from dataclasses import dataclass

from drivers.bills.events import Rejected, Returned, TicketOffered, TicketStacked, Trouble
from drivers.bills.id003.codec import (
    FAULTS,
    IN_ESCROW,
    POWER_UPS,
    SENT_BACK_BY_HOST,
    TICKET,
    State,
    Status,
    explain_failure,
    explain_reject,
)
from drivers.bills.path_notes import NoteInPath, PathNotes, Stage

_PAST_THE_PATH = frozenset({State.IDLE, State.INHIBITED, State.ACCEPTING})


@dataclass(slots=True, kw_only=True)
class _Note(NoteInPath):
    """The note or ticket in the path. `found`: it was there at a start-up and may close an open intent."""

    ticket: str = ""
    found: bool = False
    moving: bool = False
    reason: int = SENT_BACK_BY_HOST

    def may_be(self, status: Status) -> bool:
        """Returns True if the document shown in escrow can be this one."""
        known = bool(self.channel or self.ticket or self.reason == TICKET)
        return not known or (self.channel == status.channel and self.ticket == status.ticket)


@dataclass(slots=True, kw_only=True)
class _Owed:
    """A reported credit that waits for its ack."""

    receipt: int
    confirmed: bool = False
    acknowledged: bool = False


class Notes(PathNotes[_Note]):
    """The notes of one acceptor; kept across a closed line. `state` is the last one shown, None when it is unknown."""

    OVER_WHEN_STARTED = ((Trouble.HARDWARE, ""),)

    def __init__(self) -> None:
        super().__init__()
        self.state: State | None = None
        self._owed: _Owed | None = None
        self._reported: set[State] = set()

    @property
    def in_escrow(self) -> bool:
        """True if the last state showed a note in escrow."""
        return self.state in IN_ESCROW

    @property
    def stack_due(self) -> bool:
        """True if Stack is ordered and the note is still in escrow."""
        return self.stage is Stage.STACKING and self.in_escrow

    @property
    def return_due(self) -> bool:
        """True if the return is ordered and the note is still in escrow."""
        return self.stage is Stage.GOING and self.in_escrow

    @property
    def ack_due(self) -> bool:
        """True if the unit waits for an ack and the reported credit is durable."""
        return self.state is State.VEND_VALID and self._owed is not None and self._owed.confirmed

    @property
    def awaits_confirmation(self) -> bool:
        """True if a reported credit is not durable yet."""
        return self._owed is not None and not self._owed.confirmed

    def begin_start_up(self) -> None:
        """Begins a start-up of the unit."""
        super().begin_start_up()
        self.state = None

    def lose_contact(self) -> None:
        """Handles a silent line or unit: a note without a decision goes back."""
        super().lose_contact()
        self.state = None

    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""
        if self._owed is not None and self._owed.receipt == receipt:
            self._owed.confirmed = True

    def acknowledged(self) -> None:
        """Marks the ack as sent; the next state shows whether it arrived."""
        self.state = None
        if self._owed is not None:
            self._owed.acknowledged = True

    def command_sent(self) -> None:
        """Marks a command as sent that changes the state; only the next state shows its effect."""
        self.state = None

    def apply(self, status: Status, *, allowed: frozenset[int], tickets: bool = False) -> None:
        """Applies a state. `allowed`: channels that may be offered; `tickets`: whether tickets may."""
        self.state = status.state
        self._watch_faults(status)
        if self._owed is not None and self._owed.acknowledged and status.state in _PAST_THE_PATH:
            self._owed = None
        if status.state in POWER_UPS:
            self._on_power_up(status.state)
        else:
            self._apply_status(status, allowed, tickets=tickets)

    def _apply_status(self, status: Status, allowed: frozenset[int], *, tickets: bool) -> None:
        match status.state:
            case State.ESCROW:
                self._on_escrow(status, allowed, tickets=tickets)
            case State.HOLDING if self._note is None:
                self._note = _Note(channel=0, stage=Stage.GOING, found=self._starting)
            case State.STACKING:
                self._on_stacking()
            case State.VEND_VALID:
                self._on_credit(recovered=self._starting)
            case State.REJECTING | State.RETURNING:
                self._on_way_back(status)
            case State.CHEATED:
                self._on_cheat()
            case state if state in _PAST_THE_PATH:
                self._clear_path()
            case _:
                pass

    # The note in the path.

    def _on_escrow(self, status: Status, allowed: frozenset[int], *, tickets: bool) -> None:
        note = self._note
        if note is not None and note.may_be(status) and not note.moving and note.stage is not Stage.BACK:
            note.stage = Stage.GOING if self._starting else note.stage
            return
        self._owed = None
        self._reported.clear()
        lost = self._close_earlier()
        wanted = tickets and not self._starting and bool(status.ticket)
        if status.is_ticket and wanted:
            self._note = _Note(channel=0, ticket=status.ticket, stage=Stage.HELD, offered=True)
            self._out.append(TicketOffered(number=status.ticket))
        elif status.is_ticket:
            found = self._starting and not lost
            self._note = _Note(channel=0, ticket=status.ticket, stage=Stage.GOING, reason=TICKET, found=found)
        elif self._starting or status.channel not in allowed:
            self._note = _Note(channel=status.channel, stage=Stage.GOING, found=self._starting and not lost)
        else:
            self._offer(_Note(channel=status.channel, stage=Stage.HELD))

    def _is_stacked_unseen(self, note: _Note) -> bool:
        return note.moving

    def _on_stacking(self) -> None:
        if self._note is None:
            self._note = _Note(channel=0, stage=Stage.STACKING, found=self._starting)
        self._note.stage = Stage.STACKING
        self._note.moving = True

    def _on_credit(self, *, recovered: bool) -> None:
        """Reports the note as the machine's, once, however long the unit shows it."""
        note, self._note = self._note, None
        if self._owed is not None:
            return
        self._owed = _Owed(receipt=next(self._receipts))
        receipt = self._owed.receipt
        if note is not None and note.ticket:
            self._out.append(TicketStacked(number=note.ticket, receipt=receipt, recovered=recovered))
            return
        self._report_stacked(note.channel if note is not None else 0, receipt=receipt, recovered=recovered)

    def _on_way_back(self, status: Status) -> None:
        note = self._note
        if note is None:
            found = self._starting and status.state is State.RETURNING
            if found:
                self._note = _Note(channel=0, stage=Stage.BACK, found=True)
            elif not self._reported & {State.REJECTING, State.RETURNING}:
                reason = status.data[0] if status.data and status.state is State.REJECTING else SENT_BACK_BY_HOST
                self._out.append(Rejected(code=reason, reason=explain_reject(reason)))
            self._reported.add(status.state)
            return
        note.stage = Stage.BACK

    def _on_cheat(self) -> None:
        """Handles a note that was pulled back: no credit follows, and an offered note is dropped."""
        if State.CHEATED in self._reported:
            return
        self._reported.add(State.CHEATED)
        note, self._note = self._note, None
        self._report_fraud()
        if note is not None and note.offered:
            self._report_return()

    def _clear_path(self) -> None:
        """Ends the note: the path is clear."""
        note, self._note = self._note, None
        self._reported.clear()
        if note is None:
            return
        if note.stage is Stage.STACKING and note.moving:
            self._report_lost_note(note)
            self.unresolved = not self._starting
        else:
            self._report_back(offered=note.offered or note.found, code=note.reason, reason=explain_reject(note.reason))

    def _report_lost_note(self, note: _Note) -> None:
        what = "the ticket" if note.ticket else f"the note of channel {note.channel}"
        self.report_lost(f"{what} was being stacked and is no longer shown")

    # Power.

    def _on_power_up(self, state: State) -> None:
        """Handles a power-up state; the unit shows it until the reset."""
        note = self._note
        match state:
            case State.POWER_UP_IN_STACKER:
                self._on_credit(recovered=True)
            case State.POWER_UP_IN_ACCEPTOR:
                self._owed = None
                self._note = note or _Note(channel=0, stage=Stage.BACK, found=True)
                self._note.stage, self._note.moving = Stage.BACK, False
            case _:
                self._note = self._owed = None
                if note is not None and note.offered and note.stage is not Stage.STACKING:
                    self._out.append(Returned(recovered=True))

    # Faults.

    def _watch_faults(self, status: Status) -> None:
        for state, (trouble, words) in FAULTS.items():
            if state is status.state:
                detail = explain_failure(status.data) if state is State.FAILURE else words
                self.faults.begin(trouble, detail, state.name)
            else:
                self.faults.not_shown(trouble, state.name)
