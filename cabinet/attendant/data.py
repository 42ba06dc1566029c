"""The data of the attendant's pages, as one value. It reads no store, no device and no clock.

Amounts are cents. Times are already text, because only the runtime knows whether the clock was valid.
"""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Protocol

from cabinet.attendant.pictures import PastGame
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.effects import Fate
from cabinet.engine.state import Machine, Settings
from cabinet.engine.tickets_in import in_acceptor
from cabinet.text import attendant_words

ISSUED = "issued"
"""The state of a ticket that is out, and good."""
IN_DOUBT = "in doubt"
"""The state of a ticket whose printer did not report whether it came out."""
IN_ACCEPTOR = "in the acceptor"
"""The state of a ticket that was put in and is not settled. It cannot be paid by hand."""
REDEEMED = "redeemed"
"""The state of a ticket that came back through the acceptor."""
PAID_BY_HAND = Fate.PAID_BY_HAND.value
CLEARED = "issued before a memory clear"
PUBLIC_KEY = attendant_words.text("Public key")
"""The name of the machine's public key among its parts."""
OUT_STATES = frozenset({ISSUED, CLEARED})
"""The states of a ticket that is out and unpaid."""


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
    """A ticket. `tail` is the part of its number that may be shown. `settled` is when it became worthless; for a good
    ticket it is when the newest duplicate came out. `good_until` is its last day, empty where it never expires."""

    sequence: int
    when: str
    cents: int
    state: str
    tail: str
    duplicates: int
    settled: str = ""
    good_until: str = ""
    expired_days: int = 0
    """Days since it expired; 0 for a good ticket, and while the clock is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A closed period or a removed cash box, as it was at that moment. `meters` and `notes` (count by denomination in
    cents) are what was added between `began` and `ended`; both times are text, empty where they are not known."""

    kind: ClosingKind
    number: int
    began: str
    ended: str
    meters: Mapping[str, int]
    notes: Mapping[int, int]
    expected_cents: int
    """The value of the notes: what a count must find."""
    tickets_cents: int = 0
    """The value of the tickets that were taken in."""
    counted_cents: int | None = None
    """The sum that a person has counted; None until it is entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """The growth of the meters within one hour of local time; `weekday` is 0 on a Monday."""

    day: str
    hour: int
    weekday: int
    meters: Mapping[str, int]


class Records(Protocol):
    """The long lists of the journal, newest first, of which a part is read at a time."""

    def count_log(self, kinds: AbstractSet[str]) -> int:
        """Returns the number of log entries of these kinds."""

    def read_log(self, kinds: AbstractSet[str], first: int, count: int) -> tuple[LogRow, ...]:
        """Returns log entries of these kinds from the `first` newest on."""

    def read_step(self, number: int) -> tuple[LogRow, ...]:
        """Returns the log entries of the step that made the entry of this number, oldest first."""

    def count_tickets(self, states: AbstractSet[str]) -> int:
        """Returns the number of tickets in these states; of all without a state."""

    def read_tickets(self, states: AbstractSet[str], first: int, count: int) -> tuple[TicketRow, ...]:
        """Returns tickets in these states from the `first` newest on."""

    def find_tickets(self, digits: str, most: int) -> tuple[TicketRow, ...]:
        """Returns the newest tickets whose bar code or printed number ends with these digits."""

    def read_game(self, number: int) -> PastGame:
        """Returns a past game step by step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """A setting by its key in the settings file, as text; `delivered` is its value without a file."""

    key: str
    value: str
    delivered: str
    allowed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantData:
    """Everything an attendant may read. `meters` is the store's report, `rounds` its recall, oldest first."""

    machine: Machine
    settings: Settings
    sign: str
    meters: Mapping[str, Any] = field(default_factory=dict)
    returns: Mapping[str, float] = field(default_factory=dict)
    """Theoretical return of each game, as a share of the stakes, played by the chart; 1 is all of them."""
    spreads: Mapping[str, float] = field(default_factory=dict)
    """The standard deviation of one round's return per amount staked, one place played, by game."""
    events: tuple[LogRow, ...] = ()
    notes: tuple[LogRow, ...] = ()
    hand_pays: tuple[LogRow, ...] = ()
    tickets: tuple[TicketRow, ...] = ()
    tickets_in: tuple[LogRow, ...] = ()
    """The outcomes of tickets that were put in, newest first."""
    unpaid: tuple[TicketRow, ...] = ()
    """Every ticket that is out, newest first."""
    rounds: tuple[Mapping[str, Any], ...] = ()
    games: tuple[PastGame, ...] = ()
    """Games step by step, where there are no `records` to read them from."""
    identity: tuple[tuple[str, str], ...] = ()
    time: str = ""
    """The time of the clock, with a question mark while the clock is not valid."""
    time_believed: bool = True
    closings: tuple[Closing, ...] = ()
    """Closed periods and removed cash boxes, newest first."""
    hours: tuple[Hour, ...] = ()
    """The last 31 days that are known, oldest first. An hour without growth is left out."""
    today: str = ""
    """The present day as in `Hour.day`; empty while the clock is not valid."""
    stacker_notes: int = 0
    """The count of notes that the cash box can hold; 0 where it is not known."""
    every_setting: tuple[SettingRow, ...] = ()
    """Every setting in the order of the file; a secret without its value."""
    machine_name: str = ""
    venue: str = ""
    records: Records | None = None
    """The long lists; without them the lists of this value stand for all rows."""
    doubtful: bool = False
    """True if the data is what can be read of refused data: then the pages only show it, and say so."""
    pin_wait_s: float = 0.0
    """Seconds in which no PIN is taken after too many wrong ones; 0 without a lock-out."""
    language: str = "en"
    """The language of the attendant's pages, by its two letters."""
    statement: "Callable[[AttendantData], str] | None" = None
    """Signs the figures of this data; None where there is no key to sign with."""

    def say(self, english: str, /, **parts: object) -> str:
        """Returns a text in the language of the pages, with its parts filled in."""
        return attendant_words.say(self.language, english, **parts)

    def state_of(self, ticket: TicketRow) -> str:
        """Returns the state of a ticket; the machine knows of one in the acceptor before the list does."""
        return IN_ACCEPTOR if in_acceptor(self.machine, ticket.sequence) else ticket.state

    def money(self, cents: int) -> str:
        """An amount as text."""
        whole, part = divmod(abs(cents), 100)
        return f"{'-' if cents < 0 else ''}{self.sign}{whole:,}.{part:02d}"
