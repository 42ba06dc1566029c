"""The dependencies of the controller, as one value; `build` builds it. It decides nothing and does nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu import Extra, PrintClosing, PrintReceipt
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Event, PrintTicket
from cabinet.engine.inputs import Fact
from cabinet.engine.state import Machine, Settings
from cabinet.runtime.attendant_export import Exporter
from cabinet.runtime.housekeeping import Housekeeping
from cabinet.store.journal import Journal
from drivers.panel.gpio import Panel
from drivers.printers.document import Document


class TicketPage(Protocol):
    """Builds the page of a cash-out."""

    def __call__(self, effect: PrintTicket, moment: datetime, *, clock_trusted: bool) -> Document:
        """`moment` is the time of the ticket's first issue; `clock_trusted` whether the clock was valid then."""
        ...


def _ignore(_machine: Machine, _events: tuple[Event, ...], _wall_ms: int) -> None:
    """Publishes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """Everything the controller depends on."""

    settings: Settings
    journal: Journal
    draws: Callable[[int], Draw]
    """Number of decks -> the draw from a pack of them."""
    panel: Panel
    boot: int
    facts: tuple[Fact, ...]
    """The facts of the first steps: the power-up, and the changes since the last run."""
    currency: str
    ticket: TicketPage
    data: Callable[[Machine], AttendantData]
    extra: Callable[[Extra | PrintClosing | PrintReceipt, AttendantData], Document | None]
    """Builds the pages without value that an attendant may print; None for one that is no longer listed."""
    pin_fits: Callable[[str], bool]
    """True if these digits are the technician's PIN."""
    housekeeping: Housekeeping
    """The checks besides play, and the time of day."""
    attract_after_s: float
    abandoned_after_s: float
    acknowledge: Callable[[], None]
    """Called after `facts` are durable; it marks their content as known."""
    escrow: bool = True
    """False for an acceptor that cannot return a note: it takes notes only while every note fits under the limit."""
    publish: Callable[[Machine, tuple[Event, ...], int], None] = _ignore
    """Called after each commit with the machine, its events and the time of day; it must be quick."""
    exporter: Exporter | None = None
    """Saves the books as files; None where nothing is saved."""
    human_pace: bool = True
    """False skips all animations, for autoplay."""
