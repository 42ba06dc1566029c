"""Applies the replies of an EBDS unit to the one note in the path and to faults.

The note in the path goes through these stages:

    HELD       offered to the cabinet; the unit keeps it in escrow
    ACCEPTED   the cabinet ordered Stack; no poll with the stack bit is sent yet
    STACKING   Stack was sent, or the unit reports stacking (`moving`)
    GOING      to be returned: polls ask for it while the unit shows it in escrow
    BACK       the unit reports that it returns or rejects it

Rules:
- Only a rising STACKED makes a `Stacked`, with the value in the reply, or without one the value seen in escrow.
  STACKED and the value may stay for a few replies.
- After a `Stacked` another STACKED counts only after a further note was on its way, or after the unit was idle
  without it. So a note reported again after a power cut does not count twice.
- A note is offered when two replies in a row show the same index in escrow, because the check sum is weak; one
  extended message is enough. A note of unknown value goes back when it has been shown for a while without one.
- REJECTED and CHEATED may stay set; they count when they rise. A note pulled back and not stacked is dropped.
- An offered note that three replies in a row do not show went back, unless Stack was sent. Then the outcome is
  unknown: an alarm, no outcome is reported, and `unresolved` requests a new start-up, after which the cabinet treats
  the note as in doubt. No time-out decides an outcome.
- At a start-up a note in escrow goes back. It is `Returned` only if this run of the program offered it. Otherwise
  nothing is reported: an earlier run may have received a credit, and the returned note may be a later one.

Knows no commands, no time and no line.
"""

from dataclasses import dataclass

from drivers.bills.ebds.codec import (
    FAULTS,
    MOTIONS,
    NO_REASON_GIVEN,
    SENT_BACK_BY_HOST,
    Flag,
    NoteMessage,
    Status,
    explain_reject,
)
from drivers.bills.events import Rejected, Stacked, Trouble
from drivers.bills.path_notes import NoteInPath, PathNotes, Stage

QUIET_REPLIES = 3
NAMELESS_REPLIES = 8
OUT_OF_SERVICE_REPLIES = 50
RECHECK_REPLIES = 600
"""Replies, about one minute, after which a disabled unit with a fault is checked again."""
POWER_UP = "power-up"
"""The cause of the fault of a unit that stays in its power-up state."""
_CASSETTE, _SERVICE = "cassette", "service"


@dataclass(slots=True, kw_only=True)
class _Note(NoteInPath):
    """The note in the path. `quiet`: replies in a row that did not show it."""

    moving: bool = False
    cheated: bool = False
    reason: int = SENT_BACK_BY_HOST
    quiet: int = 0


class Notes(PathNotes[_Note]):
    """The notes of one acceptor; kept across a closed line. `by_index`: replies name a note by its index.

    `currency`: only notes of this ISO code count, None for any.
    """

    OVER_WHEN_STARTED = ((Trouble.HARDWARE, ""), (Trouble.HARDWARE, POWER_UP))
    STACK_ORDERED = Stage.ACCEPTED

    def __init__(self, *, by_index: bool, currency: str | None = None) -> None:
        super().__init__()
        self._by_index = by_index
        self._currency = currency
        self.last: Status | None = None
        self.lost_power = False
        self._to_confirm: int | None = None
        self._candidate = 0
        self._nameless = 0
        self._credited = False
        self._quiet = 0
        self._out_of_service = 0

    @property
    def in_path(self) -> bool:
        """True if a note is known or shown in the unit."""
        moving = self.last is not None and self.last.has(*MOTIONS[1:])
        return self._note is not None or moving

    @property
    def stack_due(self) -> bool:
        """True if Stack is ordered and the note is still in escrow; never in a start-up."""
        return self._in_escrow and not self._starting and self.stage in (Stage.ACCEPTED, Stage.STACKING)

    @property
    def return_due(self) -> bool:
        """True if the return is due and the note is still in escrow."""
        return self._in_escrow and self.stage is Stage.GOING

    @property
    def _in_escrow(self) -> bool:
        return self.last is not None and self.last.has(Flag.ESCROWED)

    @property
    def settled(self) -> bool:
        """True if nothing has moved for a while."""
        return self._quiet > QUIET_REPLIES

    def begin_start_up(self) -> None:
        """Begins a start-up of the unit."""
        super().begin_start_up()
        self.lost_power = False
        self._quiet = 0

    def finish_start_up(self) -> None:
        """Ends the start-up: the unit has reported everything it kept."""
        super().finish_start_up()
        self.unresolved = self.lost_power = False

    def lose_contact(self) -> None:
        """Handles a silent line or unit: a note without a decision, or still in escrow, goes back."""
        super().lose_contact()
        self._candidate = 0

    def stack_sent(self) -> None:
        """Marks Stack as sent."""
        self._move(Stage.STACKING, only_from=(Stage.ACCEPTED,))

    def awaits_confirmation(self) -> bool:
        """Returns True if a reported credit is not durable yet."""
        return self._to_confirm is not None

    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""
        if self._to_confirm == receipt:
            self._to_confirm = None

    def stop_waiting(self) -> None:
        """Lets the unit forget its reported credit, durable or not."""
        self._to_confirm = None

    def is_unlikely(self, status: Status) -> bool:
        """Returns True if a reply shows STACKED without an accepted note."""
        known = (
            self._credited or self.stage is Stage.STACKING or (self.last is not None and self.last.has(Flag.STACKED))
        )
        return status.has(Flag.STACKED) and not known

    def report_contradiction(self) -> None:
        """Raises the alarm for a reply with STACKED whose repetition did not show it."""
        self.report_lost("a reply said that a note was stacked, its repetition did not")

    def apply(self, status: Status, message: NoteMessage | None, *, allowed: frozenset[int]) -> None:
        """Applies a reply. `allowed`: channels that may be offered; without any, the unit is disabled."""
        before, self.last = self.last, status
        rose = [flag for flag in _EDGES if status.has(flag) and not (before is not None and before.has(flag))]
        if status.has(Flag.POWER_UP) and not self._starting:
            self.lost_power = True
        channel = self._find_channel(status, message)
        if Flag.CHEATED in rose:
            self._on_cheat()
        if Flag.STACKED in rose:
            self._on_credit(channel, message)
        if Flag.REJECTED in rose:
            self._on_reject()
        if Flag.RETURNED in rose:
            self._on_returned()
        self._on_motion(status, channel, sure=message is not None, allowed=allowed)
        self._watch_quiet(status)
        self._watch_faults(status, disabled=not allowed)

    def _find_channel(self, status: Status, message: NoteMessage | None) -> int:
        """Returns the note type in a reply, 0 for none or an unknown one."""
        if message is None:
            return status.index if self._by_index and status.index in self._channels else 0
        reported = (message.currency, message.value_cents)
        fitting = (each.number for each in self._channels.values() if (each.currency, each.value_cents) == reported)
        return next(fitting, 0)

    # Events.

    def _on_credit(self, channel: int, message: NoteMessage | None) -> None:
        """Reports the note as the machine's."""
        note, self._note = self._note, None
        if self._credited:
            return
        self._credited = True
        channel = channel or (note.channel if note is not None and message is None else 0)
        known = self._channels.get(channel)
        ours = message is not None and self._currency in (None, message.currency)
        reported_cents = message.value_cents if message is not None and ours else None
        self._to_confirm = next(self._receipts)
        self._out.append(
            Stacked(
                channel=channel,
                value_cents=known.value_cents if known is not None else reported_cents,
                receipt=self._to_confirm,
                recovered=self._starting or self.lost_power,
            )
        )

    def _on_returned(self) -> None:
        note, self._note = self._note, None
        if note is not None:
            self._report_back(offered=note.offered, code=note.reason, reason=explain_reject(note.reason))

    def _on_reject(self) -> None:
        note = self._note
        if note is None:
            self._out.append(Rejected(code=NO_REASON_GIVEN, reason=explain_reject(NO_REASON_GIVEN)))
        else:
            note.stage = Stage.BACK

    def _on_cheat(self) -> None:
        self._report_fraud()
        if self._note is not None:
            self._note.cheated = True

    # Motion.

    def _on_motion(self, status: Status, channel: int, *, sure: bool, allowed: frozenset[int]) -> None:
        if status.has(Flag.ACCEPTING, Flag.ESCROWED) or (
            status.has(Flag.IDLE) and not status.has(Flag.STACKED, Flag.POWER_UP)
        ):
            self._credited = False
        if status.has(Flag.ESCROWED):
            self._on_escrow(channel, sure=sure or channel == self._candidate, allowed=allowed)
        elif status.has(Flag.STACKING):
            self._on_stacking()
        elif status.has(Flag.RETURNING) and self._note is not None:
            self._note.stage = Stage.BACK
        elif status.has(Flag.RETURNING):
            self._note = _Note(channel=0, stage=Stage.BACK)
        self._candidate = channel if status.has(Flag.ESCROWED) else 0

    def _on_escrow(self, channel: int, *, sure: bool, allowed: frozenset[int]) -> None:
        note = self._note
        if note is not None and not note.moving and note.stage is not Stage.BACK and _may_be(note.channel, channel):
            note.stage = Stage.GOING if self._starting else note.stage
            return
        self._close_earlier()
        self._nameless = 0 if channel else self._nameless + 1
        if self._starting or self._nameless >= NAMELESS_REPLIES or (channel and channel not in allowed):
            self._note = _Note(channel=channel, stage=Stage.GOING)
        elif channel and sure:
            self._offer(_Note(channel=channel, stage=Stage.HELD))

    def _is_stacked_unseen(self, note: _Note) -> bool:
        return note.stage is Stage.STACKING and not note.cheated

    def _on_stacking(self) -> None:
        if self._note is None:
            self._note = _Note(channel=0, stage=Stage.STACKING)
        self._note.stage = Stage.STACKING
        self._note.moving = True

    def _watch_quiet(self, status: Status) -> None:
        """Counts the replies without a note on its way."""
        quiet = not status.has(Flag.POWER_UP, *MOTIONS[1:])
        self._quiet = self._quiet + 1 if quiet else 0
        note = self._note
        if note is None:
            return
        shown_nowhere = quiet and status.has(Flag.IDLE)
        note.quiet = note.quiet + 1 if shown_nowhere or status.has(Flag.ACCEPTING) else 0
        if note.quiet >= QUIET_REPLIES:
            self._let_go(note)

    def _let_go(self, note: _Note) -> None:
        self._note = None
        if self._is_stacked_unseen(note):
            self._report_lost_note(note)
            self.unresolved = not self._starting
        else:
            self._report_back(offered=note.offered, code=note.reason, reason=explain_reject(note.reason))

    def _report_lost_note(self, note: _Note) -> None:
        self.report_lost(f"the note of channel {note.channel} was to be stacked and is no longer shown")

    # Faults.

    def _watch_faults(self, status: Status, *, disabled: bool) -> None:
        for flag, (trouble, message) in FAULTS.items():
            self._watch(trouble, message, flag.name, there=status.has(flag))
        self._watch(Trouble.CASHBOX_REMOVED, "", _CASSETTE, there=not status.has(Flag.CASSETTE))
        explained = status.has(Flag.POWER_UP, *MOTIONS, *FAULTS) or not status.has(Flag.CASSETTE)
        self._out_of_service = 0 if explained else self._count_out_of_service(disabled=disabled)
        there = self._out_of_service >= OUT_OF_SERVICE_REPLIES
        self._watch(Trouble.HARDWARE, "out of service", _SERVICE, there=there)

    def _count_out_of_service(self, *, disabled: bool) -> int:
        """Returns the count of replies out of service in a row. A healthy disabled unit may show no state of motion.
        The cabinet disables a unit with a fault: then the fault stays, and is checked again after a while."""
        count = self._out_of_service
        if not disabled:
            return min(count + 1, OUT_OF_SERVICE_REPLIES)
        stands = OUT_OF_SERVICE_REPLIES <= count < OUT_OF_SERVICE_REPLIES + RECHECK_REPLIES
        return count + 1 if stands else 0

    def _watch(self, trouble: Trouble, message: str, cause: str, *, there: bool) -> None:
        if there:
            self.faults.begin(trouble, message, cause)
        else:
            self.faults.not_shown(trouble, cause)


_EDGES = (Flag.CHEATED, Flag.STACKED, Flag.REJECTED, Flag.RETURNED)


def _may_be(known: int, shown: int) -> bool:
    """Returns True if the note shown in escrow can be the known one; a reply may omit the value."""
    return 0 in (known, shown) or known == shown
