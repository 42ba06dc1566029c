"""What the attendant's pages are made from, handed in whole: nothing here asks a store, a device or a clock.

Amounts are cents; times are already text, because only the machine's side knows whether the clock could be trusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cabinet.engine.state import Machine, Settings
from cabinet.engine.tickets_in import in_acceptor

ISSUED = "issued"
"""The state of a ticket that is out, and good."""
IN_DOUBT = "in doubt"
"""The state of a ticket of which nobody knows whether it came out."""
IN_ACCEPTOR = "in the acceptor"
"""The state of a ticket that was put in and is not settled: it is not paid by hand meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """An entry of the significant-event log."""

    number: int
    when: str
    what: str
    detail: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketRow:
    """A ticket; `tail` is all that may be shown of its number. `settled` is when it became worth nothing or, of a good
    one, when its newest duplicate came out; `good_until` its last day, empty where it has none."""

    sequence: int
    when: str
    cents: int
    state: str
    tail: str
    duplicates: int
    settled: str = ""
    good_until: str = ""
    expired_days: int = 0
    """How many days ago it expired; 0 for one that is good, and while the clock is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantData:
    """All an attendant may read. `meters` is the report of the store, `rounds` its recall, oldest first."""

    machine: Machine
    settings: Settings
    sign: str
    meters: Mapping[str, Any] = field(default_factory=dict)
    returns: Mapping[str, float] = field(default_factory=dict)
    """What each game returns in theory, per amount staked and played by the chart; 1 for all of it."""
    spreads: Mapping[str, float] = field(default_factory=dict)
    """The standard deviation of one round's return per amount staked, one place played, by game."""
    events: tuple[LogRow, ...] = ()
    notes: tuple[LogRow, ...] = ()
    hand_pays: tuple[LogRow, ...] = ()
    tickets: tuple[TicketRow, ...] = ()
    tickets_in: tuple[LogRow, ...] = ()
    """What became of the tickets that were put in, newest first."""
    unpaid: tuple[TicketRow, ...] = ()
    """Every ticket that is out, newest first."""
    rounds: tuple[Mapping[str, Any], ...] = ()
    identity: tuple[tuple[str, str], ...] = ()
    time: str = ""
    """What the clock shows, marked with a question mark while it is not believed."""
    time_believed: bool = True

    def state_of(self, ticket: TicketRow) -> str:
        """What has become of a ticket, as its list and the machine have it together."""
        return IN_ACCEPTOR if in_acceptor(self.machine, ticket.sequence) else ticket.state

    def money(self, cents: int) -> str:
        """An amount as text."""
        whole, part = divmod(abs(cents), 100)
        return f"{'-' if cents < 0 else ''}{self.sign}{whole:,}.{part:02d}"
