"""The state of an SSP host: the one note or ticket in the path, and events that wait for an ack.

Values only; `drivers.bills.ssp.notes` changes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.bills.path_notes import NoteInPath
from drivers.bills.ssp.codec import Code, Event, TicketPlace

CREDITS = frozenset({Code.CREDIT, Code.CLEARED_TO_CASHBOX})
"""Events that make a note the machine's money."""
KEPT: Mapping[TicketPlace, bool] = {TicketPlace.STACKED: True, TicketPlace.REJECTED: False}
"""The place of a ticket -> whether the unit has kept it."""


@dataclass(slots=True, kw_only=True)
class PathNote(NoteInPath):
    """The document in the path. `moving`: the device reported stacking; `quiet`: replies in a row that did not show it.

    `counter` is the unit's counter before this note; `number` is the number of a ticket.
    """

    is_ticket: bool = False
    number: str | None = None
    counter: int | None = None
    moving: bool = False
    quiet: int = 0

    @property
    def name(self) -> str:
        """The name of the document in the text of an alarm."""
        return f"ticket {self.number}" if self.is_ticket else f"note of channel {self.channel}"


@dataclass(slots=True, kw_only=True)
class Owed:
    """An event that the device repeats until its ack; `fresh`: the last complete reply still had it."""

    code: Code
    channel: int
    receipt: int | None
    confirmed: bool
    fresh: bool = True

    def is_repeated_by(self, event: Event) -> bool:
        """Returns True if this event is the waiting one, repeated."""
        if self.code in CREDITS and event.code in CREDITS:
            return self.channel == event.channel or event.channel == 0
        return (self.code, self.channel) == (event.code, event.channel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """A stacked ticket whose number must be read."""

    receipt: int | None
    recovered: bool
