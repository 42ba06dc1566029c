"""Everything the cabinet's thread is connected to: what `build` builds and `controller` lives on.

Decides nothing and does nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu import Extra
from cabinet.engine.cards import Draw
from cabinet.engine.effects import PrintTicket
from cabinet.engine.inputs import Fact
from cabinet.engine.state import Machine, Settings
from cabinet.runtime.housekeeping import Housekeeping
from cabinet.store.journal import Journal
from drivers.panel.gpio import Panel
from drivers.printers.document import Document


class TicketPage(Protocol):
    """Lays out the page of a cash-out."""

    def __call__(self, effect: PrintTicket, moment: datetime, *, clock_trusted: bool) -> Document:
        """`moment` is when the ticket was first issued, as far as the clock could be trusted then."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """Everything the heart is connected to; built by `build`."""

    settings: Settings
    journal: Journal
    draws: Callable[[int], Draw]
    """The draw from a pack of so many decks."""
    panel: Panel
    boot: int
    facts: tuple[Fact, ...]
    """What to tell the machine first: that it was powered up, and what has changed since the last run."""
    currency: str
    ticket: TicketPage
    data: Callable[[Machine], AttendantData]
    extra: Callable[[Extra, AttendantData], Document]
    """The pages an attendant may print that are no money."""
    pin_fits: Callable[[str], bool]
    """Whether these digits are the technician's PIN."""
    housekeeping: Housekeeping
    """What is looked after besides, the time of day among it."""
    attract_after_s: float
    abandoned_after_s: float
    told: Callable[[], None]
    """Called once `facts` are durable: only now may what they said count as known."""
    escrow: bool = True
    """False for an acceptor that cannot give a note back: it takes notes only while every note fits."""
    human_pace: bool = True
    """False tells stories in no time: for the cabinet that plays by itself."""
