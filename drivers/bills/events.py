"""What a bill acceptor reports and what it can be ordered to do, whatever language its wire speaks.

Rules that hold for every protocol:
- `Offered` is never money. `Stacked` is the machine's money and is reported once per note and power cycle of ours.
- A `Stacked` with a receipt is acknowledged on the wire only after `Confirm(receipt)`; while the device repeats it,
  the protocol does not report it again.
- What holds for notes holds for tickets with a bar code: `TicketOffered`, then `TicketStacked` or `Returned`. Paper of
  which the device cannot say any more what it was is a `Stacked` without value. Without `Take(tickets=True)` every
  ticket goes back by itself and is told as `Rejected`.
- `Started` comes after every event that the device had kept from before (recovered notes included).
Values are in minor units (cents) of the device's currency. Nothing here knows credit.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.protocol import Confirm


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One note type the device knows."""

    number: int
    value_cents: int
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The start-up is done; everything the device had kept from before has been reported ahead of this."""

    model: str
    firmware: str
    serial: str
    channels: tuple[Channel, ...]
    reads_tickets: bool = False
    """Whether this device reads bar-coded tickets as it is set up."""
    counter: int | None = None
    """How many notes the device has ever kept, where it counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A note is in escrow and held there until `Stack` or `Return`, or until the device gives up."""

    channel: int
    value_cents: int
    counter: int | None = None
    """As in `Started`, before this note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacked:
    """The note is the machine's. `value_cents` is None when the device cannot say which note it was."""

    channel: int
    value_cents: int | None
    receipt: int | None
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsolicited:
    """Something is the machine's that was never offered, so it is no note that was. Nobody can say which note, or how
    many; `told_cents` is what the device told all of it to be worth, None when it told nothing that could be. `detail`
    is what an attendant must know to settle it, `evidence` what a technician may read more."""

    told_cents: int | None
    detail: str
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketOffered:
    """A ticket with a bar code is in escrow and held there as a note is; `number` is what the bar code says."""

    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketStacked:
    """The ticket is the machine's. `number` is None when the device knows of a ticket but not which one it was."""

    number: str | None
    receipt: int | None
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The note or ticket in escrow went back to the player (our wish, its own, or found at power-up)."""

    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A note was refused by the device before escrow; `reason` in plain words."""

    code: int
    reason: str


class Trouble(Enum):
    """Faults a cabinet must tell apart."""

    JAM = "jam"
    STACKER_FULL = "stacker full"
    STACKER_NEAR_FULL = "stacker near full"
    CASHBOX_REMOVED = "cash box removed"
    CHEAT = "cheat"
    COUNTERFEIT = "counterfeit"
    HARDWARE = "hardware"
    LINK = "link"
    WRONG_DEVICE = "wrong device"
    LOST_EVENTS = "lost events"


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleBegan:
    """A fault is there; reported once until it ends. CHEAT, COUNTERFEIT and LOST_EVENTS never end by themselves."""

    trouble: Trouble
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleEnded:
    """The device says the fault is over, or is silent or cannot be used, so that no device can report it any more."""

    trouble: Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Enabled:
    """The device now takes notes (True) or refuses them (False), as the wire says."""

    taking: bool


BillEvent = (
    Started
    | Offered
    | Stacked
    | Unsolicited
    | TicketOffered
    | TicketStacked
    | Returned
    | Rejected
    | TroubleBegan
    | TroubleEnded
    | Enabled
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Take the note or ticket that is in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Give back the note or ticket that is in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Take notes of these channels from now on, and tickets if the device reads them; with neither the acceptor is
    inhibited. Holds across reconnects."""

    channels: frozenset[int]
    tickets: bool = False


BillOrder = Stack | Return | Take | Confirm
