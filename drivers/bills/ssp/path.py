"""What an SSP host remembers of the one note in the path, of the ticket in its place, and of events owed an ack.

The note in the path, or the ticket with a bar code, goes through these stages:

    ARRIVED    a ticket in escrow whose number has still to be asked for
    HELD       offered to the cabinet, held with HOLD; any poll would accept it
    STACKING   accepted: the cabinet ordered Stack, or the device says that it stacks
    GOING      to be given back: our REJECT has still to go out
    BACK       given back: REJECT was answered, or the device says that it rejects

Values only; `ssp_notes` moves them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from drivers.bills.ssp.codec import Code, Event, TicketPlace

CREDITS = frozenset({Code.CREDIT, Code.CLEARED_TO_CASHBOX})
"""Events that make a note the machine's money."""
KEPT: Mapping[TicketPlace, bool] = {TicketPlace.STACKED: True, TicketPlace.REJECTED: False}
"""Where the unit says that a ticket is, and whether it has kept it there."""


class Stage(Enum):
    """Where the note in the path stands."""

    ARRIVED = auto()
    HELD = auto()
    STACKING = auto()
    GOING = auto()
    BACK = auto()


@dataclass(slots=True, kw_only=True)
class PathNote:
    """The note in the path. `moving`: the device said that it stacks it; `quiet`: replies that did not show it.

    `counter` is the unit's before this note; `number` is a ticket's.
    """

    channel: int
    offered: bool
    stage: Stage
    is_ticket: bool = False
    number: str | None = None
    counter: int | None = None
    moving: bool = False
    quiet: int = 0

    @property
    def name(self) -> str:
        """What it is, in words for an alarm."""
        return f"ticket {self.number}" if self.is_ticket else f"note of channel {self.channel}"


@dataclass(slots=True, kw_only=True)
class Owed:
    """An event the device repeats until it is acknowledged; `fresh`: the last complete reply still had it."""

    code: Code
    channel: int
    receipt: int | None
    confirmed: bool
    fresh: bool = True

    def is_repeated_by(self, event: Event) -> bool:
        """Whether this event is the one that is owed, reported once more."""
        if self.code in CREDITS and event.code in CREDITS:
            return self.channel == event.channel or event.channel == 0
        return (self.code, self.channel) == (event.code, event.channel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """A stacked ticket whose number has to be asked for."""

    receipt: int | None
    recovered: bool
