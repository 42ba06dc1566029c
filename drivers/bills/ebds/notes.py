"""What the replies of an EBDS unit mean for the one note in the path, and for faults.

The note in the path goes through these stages:

    HELD       offered to the cabinet; the unit keeps it in escrow
    STACKING   the cabinet ordered Stack, or the unit says that it stacks (`moving`)
    GOING      to be given back: polls ask for it as long as the unit shows it in escrow
    BACK       the unit says that it returns or rejects it

Rules:
- Only the rising STACKED makes a `Stacked`. Its value is that of the reply if it shows one, otherwise that of the note
  in escrow before; STACKED and the value may linger for a few replies.
- After a `Stacked` another STACKED counts only once a further note was on its way or the unit was seen idle without it;
  so a unit that tells the note again after a power cut is not believed twice.
- A note is offered when two replies in a row show the same index in escrow, because the check sum is weak; one extended
  message is enough. A note whose value nobody knows goes back when it has been shown for a while without one.
- REJECTED and CHEATED are levels and count when they rise. A note pulled back and not stacked is void.
- A note that was offered and is shown nowhere in three replies in a row went back, unless Stack was ordered. Then
  nobody knows: that is an alarm, nothing is claimed, and `unresolved` asks for a new start-up, after which the cabinet
  knows the note to be in doubt. No time-out decides anything.
- At a start-up a note in escrow goes back. It is `Returned` only if this life of the cabinet had offered it: a credit
  may have been told to an earlier life, and the note that goes back be a later one, so nothing else is claimed.

Knows no commands, no time and no line.
"""

from dataclasses import dataclass
from enum import Enum, auto
from itertools import count

from drivers.bills.active_faults import ActiveFaults
from drivers.bills.ebds.codec import (
    FAULTS,
    MOTIONS,
    NO_REASON_GIVEN,
    SENT_BACK_BY_HOST,
    Flag,
    NoteWords,
    Status,
    explain_reject,
)
from drivers.bills.events import BillEvent, Channel, Offered, Rejected, Returned, Stacked, Trouble, TroubleBegan

QUIET_REPLIES = 3
NAMELESS_REPLIES = 8
OUT_OF_SERVICE_REPLIES = 50
LOOK_AGAIN_REPLIES = 600
"""About a minute."""
_CASSETTE, _SERVICE = "cassette", "service"


class Stage(Enum):
    """Where the note in the path stands."""

    HELD = auto()
    STACKING = auto()
    GOING = auto()
    BACK = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path. `quiet`: replies in a row that did not show it."""

    channel: int
    stage: Stage
    offered: bool = False
    moving: bool = False
    cheated: bool = False
    reason: int = SENT_BACK_BY_HOST
    quiet: int = 0


class Notes:
    """Memory of one acceptor's notes; it outlives the line. `by_index`: replies name a note by its index.

    `currency` is that of every note that counts, None for any.
    """

    def __init__(self, *, by_index: bool, currency: str | None = None) -> None:
        self._by_index = by_index
        self._currency = currency
        self.levels = ActiveFaults()
        self.last: Status | None = None
        self.unresolved = False
        self.lost_power = False
        self._to_confirm: int | None = None
        self._channels: dict[int, Channel] = {}
        self._note: _Note | None = None
        self._candidate = 0
        self._nameless = 0
        self._credited = False
        self._receipts = count(1)
        self._starting = True
        self._quiet = 0
        self._out_of_service = 0
        self._out: list[BillEvent] = []

    @property
    def stage(self) -> Stage | None:
        """Where the note in the path stands; None without one."""
        return self._note.stage if self._note else None

    @property
    def in_path(self) -> bool:
        """Whether a note is known or shown to be anywhere in the unit."""
        moving = self.last is not None and self.last.has(*MOTIONS[1:])
        return self._note is not None or moving

    @property
    def settled(self) -> bool:
        """Nothing has moved for a while."""
        return self._quiet > QUIET_REPLIES

    def know_channels(self, channels: tuple[Channel, ...]) -> None:
        """The notes of the unit."""
        self._channels = {channel.number: channel for channel in channels}

    def begin_start_up(self) -> None:
        """The unit is being started (again)."""
        self._starting = True
        self.unresolved = self.lost_power = False
        self._quiet = 0

    def finish_start_up(self) -> None:
        """The unit has told all it had kept; a note still unknown by now will not be told of."""
        self._starting = self.unresolved = self.lost_power = False
        self._note = None

    def lose_contact(self) -> None:
        """Line or unit are silent: a note nobody has decided on shall go back, and so shall one still in escrow."""
        self._candidate = 0
        if self.stage is Stage.HELD:
            self.order_return()

    def order_stack(self) -> bool:
        """The cabinet takes the note; False when there is none to take."""
        return self._decide(Stage.STACKING)

    def order_return(self) -> bool:
        """The note shall go back; False when there is none that still can."""
        return self._decide(Stage.GOING)

    def _decide(self, stage: Stage) -> bool:
        if self._note is None or self._note.stage is not Stage.HELD:
            return False
        self._note.stage = stage
        return True

    def awaits_confirmation(self) -> bool:
        """A credit was told that is not durable yet."""
        return self._to_confirm is not None

    def confirm(self, receipt: int) -> None:
        """The event with this receipt is durable now."""
        if self._to_confirm == receipt:
            self._to_confirm = None

    def stop_waiting(self) -> None:
        """The unit may forget what it told, durable or not."""
        self._to_confirm = None

    def events(self) -> list[BillEvent]:
        """What has happened, each event once."""
        self._out.extend(self.levels.edges())
        out, self._out = self._out, []
        return out

    def is_unlikely(self, status: Status) -> bool:
        """Whether a reply says that a note was stacked which nobody had accepted."""
        known = (
            self._credited or self.stage is Stage.STACKING or (self.last is not None and self.last.has(Flag.STACKED))
        )
        return status.has(Flag.STACKED) and not known

    def report_contradiction(self) -> None:
        """A reply said that a note was stacked, and when asked again it did not."""
        detail = "a reply said that a note was stacked, its repetition did not"
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    def take_in(self, status: Status, words: NoteWords | None, *, allowed: frozenset[int]) -> None:
        """Digest a reply. `allowed`: channels that may be offered; without any, the unit was told to take nothing."""
        before, self.last = self.last, status
        rose = [flag for flag in _EDGES if status.has(flag) and not (before is not None and before.has(flag))]
        if status.has(Flag.POWER_UP) and not self._starting:
            self.lost_power = True
        channel = self._find_channel(status, words)
        if Flag.CHEATED in rose:
            self._take_cheat()
        if Flag.STACKED in rose:
            self._take_credit(channel, words)
        if Flag.REJECTED in rose:
            self._take_reject()
        if Flag.RETURNED in rose:
            self._take_returned()
        self._take_motion(status, channel, sure=words is not None, allowed=allowed)
        self._watch_quiet(status)
        self._watch_faults(status, disabled=not allowed)

    def _find_channel(self, status: Status, words: NoteWords | None) -> int:
        """The note type a reply shows, 0 for none or an unknown one."""
        if words is None:
            return status.index if self._by_index and status.index in self._channels else 0
        told = (words.currency, words.value_cents)
        fitting = (each.number for each in self._channels.values() if (each.currency, each.value_cents) == told)
        return next(fitting, 0)

    # Events.

    def _take_credit(self, channel: int, words: NoteWords | None) -> None:
        """The note is the machine's."""
        note, self._note = self._note, None
        if self._credited:
            return
        self._credited = True
        channel = channel or (note.channel if note is not None and words is None else 0)
        known = self._channels.get(channel)
        ours = words is not None and self._currency in (None, words.currency)
        told_cents = words.value_cents if words is not None and ours else None
        self._to_confirm = next(self._receipts)
        self._out.append(
            Stacked(
                channel=channel,
                value_cents=known.value_cents if known is not None else told_cents,
                receipt=self._to_confirm,
                recovered=self._starting or self.lost_power,
            )
        )

    def _take_returned(self) -> None:
        note, self._note = self._note, None
        if note is not None and note.offered:
            self._out.append(Returned(recovered=self._starting))
        elif note is not None:
            self._out.append(Rejected(code=note.reason, reason=explain_reject(note.reason)))

    def _take_reject(self) -> None:
        note = self._note
        if note is None:
            self._out.append(Rejected(code=NO_REASON_GIVEN, reason=explain_reject(NO_REASON_GIVEN)))
        else:
            note.stage = Stage.BACK

    def _take_cheat(self) -> None:
        self._out.append(TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back"))
        if self._note is not None:
            self._note.cheated = True

    # Motion.

    def _take_motion(self, status: Status, channel: int, *, sure: bool, allowed: frozenset[int]) -> None:
        if status.has(Flag.ACCEPTING, Flag.ESCROWED) or (
            status.has(Flag.IDLE) and not status.has(Flag.STACKED, Flag.POWER_UP)
        ):
            self._credited = False
        if status.has(Flag.ESCROWED):
            self._take_escrow(channel, sure=sure or channel == self._candidate, allowed=allowed)
        elif status.has(Flag.STACKING):
            self._take_stacking()
        elif status.has(Flag.RETURNING) and self._note is not None:
            self._note.stage = Stage.BACK
        elif status.has(Flag.RETURNING):
            self._note = _Note(channel=0, stage=Stage.BACK)
        self._candidate = channel if status.has(Flag.ESCROWED) else 0

    def _take_escrow(self, channel: int, *, sure: bool, allowed: frozenset[int]) -> None:
        note = self._note
        if note is not None and not note.moving and note.stage is not Stage.BACK and _may_be(note.channel, channel):
            note.stage = Stage.GOING if self._starting else note.stage
            return
        self._close_before_next()
        self._nameless = 0 if channel else self._nameless + 1
        if self._starting or self._nameless >= NAMELESS_REPLIES or (channel and channel not in allowed):
            self._note = _Note(channel=channel, stage=Stage.GOING)
        elif channel and sure:
            self._note = _Note(channel=channel, stage=Stage.HELD, offered=True)
            self._out.append(Offered(channel=channel, value_cents=self._channels[channel].value_cents))

    def _close_before_next(self) -> None:
        """Another note is in escrow, so the one before has left the path."""
        note, self._note = self._note, None
        if note is not None and note.offered:
            if note.stage is Stage.STACKING and not note.cheated:
                self._lose(note)
            else:
                self._out.append(Returned(recovered=self._starting))

    def _take_stacking(self) -> None:
        if self._note is None:
            self._note = _Note(channel=0, stage=Stage.STACKING)
        self._note.stage = Stage.STACKING
        self._note.moving = True

    def _watch_quiet(self, status: Status) -> None:
        """Count the replies that show nothing on its way."""
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
        if note.stage is Stage.STACKING and not note.cheated:
            self._lose(note)
            self.unresolved = not self._starting
        elif note.offered:
            self._out.append(Returned(recovered=self._starting))
        else:
            self._out.append(Rejected(code=note.reason, reason=explain_reject(note.reason)))

    def _lose(self, note: _Note) -> None:
        detail = f"the note of channel {note.channel} was to be stacked and is shown nowhere any more"
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    # Faults.

    def _watch_faults(self, status: Status, *, disabled: bool) -> None:
        for flag, (trouble, words) in FAULTS.items():
            self._watch(trouble, words, flag.name, there=status.has(flag))
        self._watch(Trouble.CASHBOX_REMOVED, "", _CASSETTE, there=not status.has(Flag.CASSETTE))
        explained = status.has(Flag.POWER_UP, *MOTIONS, *FAULTS) or not status.has(Flag.CASSETTE)
        self._out_of_service = 0 if explained else self._count_out_of_service(disabled=disabled)
        there = self._out_of_service >= OUT_OF_SERVICE_REPLIES
        self._watch(Trouble.HARDWARE, "out of service", _SERVICE, there=there)

    def _count_out_of_service(self, *, disabled: bool) -> int:
        """A disabled unit may show no motion and be well. The cabinet disables one with a fault: then the fault stands,
        and after a while it is looked at again."""
        count = self._out_of_service
        if not disabled:
            return min(count + 1, OUT_OF_SERVICE_REPLIES)
        stands = OUT_OF_SERVICE_REPLIES <= count < OUT_OF_SERVICE_REPLIES + LOOK_AGAIN_REPLIES
        return count + 1 if stands else 0

    def _watch(self, trouble: Trouble, words: str, cause: str, *, there: bool) -> None:
        if there:
            self.levels.begin(trouble, words, cause)
        else:
            self.levels.not_shown(trouble, cause)


_EDGES = (Flag.CHEATED, Flag.STACKED, Flag.REJECTED, Flag.RETURNED)


def _may_be(known: int, shown: int) -> bool:
    """Whether a note in escrow can be the one that is known: a reply may leave the value out."""
    return 0 in (known, shown) or known == shown
