"""The one note or ticket in the path of an acceptor, as far as all wire protocols agree on it.

The document in the path goes through these stages; each protocol's `notes` says which of them it has:

    ARRIVED    a ticket in escrow whose number is not read yet
    HELD       offered to the cabinet and kept in escrow
    ACCEPTED   the cabinet ordered Stack; the order is not sent to the unit yet
    STACKING   on its way into the stacker: Stack was ordered, or the unit reports it
    GOING      to be returned; the unit has not done it yet
    BACK       on its way out

Rules:
- Stack and Return count only while a note is held, and the first of them counts.
- When the contact is lost, a document whose Stack was not sent goes back.
- When the start-up ends, the unit has reported everything it kept. The outcome of a note still open stays unknown.
- Without a report of the unit no outcome is reported, but an alarm.

Knows no wire protocol, no time and no line.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from typing import ClassVar, Generic, TypeVar

from drivers.bills.active_faults import ActiveFaults
from drivers.bills.events import (
    BillEvent,
    Channel,
    Offered,
    Rejected,
    Returned,
    Stacked,
    Trouble,
    TroubleBegan,
)


class Stage(Enum):
    """The stage of the document in the path."""

    ARRIVED = auto()
    HELD = auto()
    ACCEPTED = auto()
    STACKING = auto()
    GOING = auto()
    BACK = auto()


@dataclass(slots=True, kw_only=True)
class NoteInPath:
    """The document in the path. `offered`: the cabinet was offered it."""

    channel: int
    stage: Stage
    offered: bool = False


NoteT = TypeVar("NoteT", bound=NoteInPath)


class PathNotes(ABC, Generic[NoteT]):
    """The notes of one acceptor; kept across a closed line. `faults` are the lasting faults.

    `unresolved`: an accepted note is gone without a report, so the unit needs a new start-up.
    """

    NAMED_ONCE: ClassVar[tuple[Trouble, ...]] = ()
    """The faults that the unit names only as they begin and as they end."""
    OVER_WHEN_STARTED: ClassVar[tuple[tuple[Trouble, str | None], ...]] = ((Trouble.HARDWARE, None),)
    """The causes of faults that a complete start-up disproves, besides those of the line; None: every cause."""
    STACK_ORDERED: ClassVar[Stage] = Stage.STACKING
    """The stage of a held note after Stack."""

    def __init__(self) -> None:
        self.faults = ActiveFaults(named_once=self.NAMED_ONCE)
        self.unresolved = False
        self._channels: dict[int, Channel] = {}
        self._note: NoteT | None = None
        self._receipts = count(1)
        self._starting = True
        self._out: list[BillEvent] = []

    @property
    def stage(self) -> Stage | None:
        """The stage of the document in the path; None without one."""
        return self._note.stage if self._note else None

    def set_channels(self, channels: Iterable[Channel]) -> None:
        """Sets the note types of the unit."""
        self._channels = {channel.number: channel for channel in channels}

    def begin_start_up(self) -> None:
        """Begins a start-up of the unit."""
        self._starting = True
        self.unresolved = False

    def finish_start_up(self) -> None:
        """Ends the start-up, and with it the faults that it disproves."""
        for trouble, cause in ((Trouble.LINK, None), (Trouble.WRONG_DEVICE, None), *self.OVER_WHEN_STARTED):
            self.faults.end(trouble, cause)
        self.faults.answer_again()
        self._starting = False
        self._note = None

    def lose_contact(self) -> None:
        """Handles a silent line or unit."""
        self._move(Stage.GOING, only_from=(Stage.ARRIVED, Stage.HELD, Stage.ACCEPTED))

    def order_stack(self) -> bool:
        """Orders Stack. Returns False when no note is held."""
        return self._move(self.STACK_ORDERED, only_from=(Stage.HELD,))

    def order_return(self) -> bool:
        """Orders the return of the note. Returns False when no note can go back."""
        return self._move(Stage.GOING, only_from=(Stage.HELD,))

    def begin_return(self) -> None:
        """Marks the document in escrow as on its way out; one on its way into the stacker keeps its stage."""
        self._move(Stage.BACK, only_from=(Stage.ARRIVED, Stage.HELD, Stage.GOING))

    @abstractmethod
    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""

    def events(self) -> list[BillEvent]:
        """Returns the events since the last call, each once, in order."""
        self._collect_edges()
        out, self._out = self._out, []
        return out

    def _move(self, stage: Stage, *, only_from: Collection[Stage]) -> bool:
        if self._note is None or self._note.stage not in only_from:
            return False
        self._note.stage = stage
        return True

    def _value_of(self, channel: int) -> int | None:
        """Returns the value of a note type in cents; None for an unknown one."""
        known = self._channels.get(channel)
        return known.value_cents if known is not None else None

    def _offer(self, note: NoteT, *, counter: int | None = None) -> None:
        """Offers this note to the cabinet; `counter` as in `Offered`."""
        self._note = note
        note.stage, note.offered = Stage.HELD, True
        value_cents = self._value_of(note.channel) or 0
        self._out.append(Offered(channel=note.channel, value_cents=value_cents, counter=counter))

    def _report_stacked(self, channel: int, *, receipt: int | None, recovered: bool) -> None:
        value_cents = self._value_of(channel)
        self._out.append(Stacked(channel=channel, value_cents=value_cents, receipt=receipt, recovered=recovered))

    def _report_return(self) -> None:
        self._out.append(Returned(recovered=self._starting))

    def _report_back(self, *, offered: bool, code: int, reason: str) -> None:
        """Reports a document that is out again: returned if the cabinet was offered it, otherwise rejected."""
        if offered:
            self._report_return()
        else:
            self._out.append(Rejected(code=code, reason=reason))

    def _close_earlier(self) -> bool:
        """Ends the earlier document, because another one is in escrow: the outcome of one on its way into the stacker
        is unknown, any other is out. Returns True when the outcome is unknown."""
        note, self._note = self._note, None
        if note is None or not note.offered:
            return False
        if self._is_stacked_unseen(note):
            self._report_lost_note(note)
            return True
        self._report_return()
        return False

    def _is_stacked_unseen(self, note: NoteT) -> bool:
        """Returns True if this document may have been stacked when the unit shows it no longer."""
        return note.stage is Stage.STACKING

    @abstractmethod
    def _report_lost_note(self, note: NoteT) -> None:
        """Raises the alarm for an accepted document whose outcome was not reported."""

    def _report_fraud(self, detail: str = "a note was pulled back") -> None:
        self._out.append(TroubleBegan(trouble=Trouble.CHEAT, detail=detail))

    def report_lost(self, detail: str) -> None:
        """Raises the alarm for lost events that may have concerned money."""
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    def _collect_edges(self) -> None:
        self._out.extend(self.faults.edges())
