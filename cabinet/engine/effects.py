"""What a step requests from the outside (effects) and what it reports (events).

Effects are carried out only after the step is durable. Events are the story: the presenter shows them at human pace,
the log keeps those that matter. Neither has behaviour. Lamps, the acceptor's inhibit and the tower light are not
effects: they follow from the machine.
"""

from dataclasses import dataclass
from enum import Enum

from cabinet.engine.cards import Card
from cabinet.engine.log import LogEntry
from cabinet.engine.round import Outcome
from cabinet.engine.ticket_facts import Standing

# --- effects ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StackBill:
    """Take the note or ticket in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnBill:
    """Give back the note or ticket in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintTicket:
    """Print ticket number `sequence`; a `duplicate` is marked as one."""

    sequence: int
    cents: int
    duplicate: bool
    expires_days: int = 0
    """How many days it may be redeemed, as printed on it; 0 for ever."""


Effect = StackBill | ReturnBill | PrintTicket


# --- events -----------------------------------------------------------------------------------------------------


class Reason(Enum):
    """Why a command is refused, in the words of the message catalogue's keys."""

    NOT_NOW = "not now"
    LOCKED = "locked"
    AUDIT = "audit"
    NO_CREDIT = "no credit"
    OVER_LIMIT = "over limit"
    UNDER_LIMIT = "under limit"
    NO_BETS = "no bets"
    NO_LAST_BET = "no last bet"
    RULES = "rules"
    NO_SUCH = "no such"
    NOT_ALLOWED = "not allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A command changed nothing."""

    command: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsChanged:
    """Chips were put down or taken back; `before` and `after` per place."""

    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan:
    """Bets became stakes."""

    number: int
    game_id: str
    bets: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt:
    """A card went to a hand of a place, or (place None) to the dealer, at `position` in that hand."""

    card: Card
    place: int | None
    hand: int
    position: int
    face_down: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleTurned:
    """The dealer's face-down card was turned up."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerPeeked:
    """The dealer looked at the hole card under an ace or a ten."""

    blackjack: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuranceAnswered:
    """A place was insured, or not (0)."""

    place: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlayed:
    """A decision was carried out on a hand: the action's value, and the stake added for it."""

    place: int
    hand: int
    action: str
    added_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled:
    """A hand's result."""

    place: int
    hand: int
    outcome: Outcome
    stake_cents: int
    returned_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuranceSettled:
    """An insurance's result."""

    place: int
    stake_cents: int
    returned_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled:
    """The round is over and paid."""

    number: int
    staked_cents: int
    returned_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Credited:
    """A note, or a ticket, became credit."""

    cents: int
    ticket: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteGoesBack:
    """A note is refused by the machine, not by the acceptor."""

    cents: int
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketGoesBack:
    """A ticket is refused; `standing` is the cause unless the machine takes no ticket now."""

    reason: Reason
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketRedeemed:
    """Ticket number `sequence` came back and its money was booked; it is worth nothing any more."""

    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PayingOut:
    """A ticket is being printed; it may be redeemed for `expires_days` days, 0 for ever."""

    sequence: int
    cents: int
    expires_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOut:
    """Money has left the machine: by ticket (`sequence`; a second print of it is a `duplicate`) or by hand."""

    cents: int
    sequence: int | None = None
    receipt: int | None = None
    duplicate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketInDoubt:
    """It is not known whether ticket number `sequence` came out."""

    sequence: int


class Fate(Enum):
    """What became of the money of a ticket that is worth nothing and did not come back through the acceptor."""

    VOID = "void"
    """Not recorded: written by programs from before fates were recorded."""
    NOT_PRINTED = "not printed"
    PAID_BY_HAND = "paid by hand"
    GIVEN_BACK = "given back as credit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketVoided:
    """Ticket number `sequence` is worth nothing: its money went another way. The last such event holds."""

    sequence: int
    fate: Fate = Fate.VOID


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCleared:
    """A technician cleared the memory, as clear no. `number`: every balance and meter starts from zero, except the
    count of clears. Sums over the journal start from zero too."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided:
    """An attendant voided the open round; every stake went back to the credit."""

    number: int
    cents: int


Event = (
    Refused
    | BetsChanged
    | RoundBegan
    | CardDealt
    | HoleTurned
    | DealerPeeked
    | InsuranceAnswered
    | HandPlayed
    | HandSettled
    | InsuranceSettled
    | RoundSettled
    | Credited
    | NoteGoesBack
    | TicketGoesBack
    | TicketRedeemed
    | PayingOut
    | PaidOut
    | TicketInDoubt
    | TicketVoided
    | RoundVoided
    | MemoryCleared
    | LogEntry
)
