"""Events and orders of a bill acceptor, the same for every wire protocol.

Rules for every protocol:
- `Offered` is not money. `Stacked` is the machine's money and is reported once per note and run of the program.
- A `Stacked` with a receipt is acknowledged on the wire only after `Confirm(receipt)`; while the device repeats it,
  the protocol does not report it again.
- The same holds for tickets with a bar code: `TicketOffered`, then `TicketStacked` or `Returned`. A document that the
  device can no longer name is a `Stacked` without value. Without `Take(tickets=True)` every ticket goes back by
  itself and is reported as `Rejected`.
- `Started` comes after every event that the device had kept from before, including recovered notes.

  Values are in minor units (cents) of the device's currency. Knows no credit.
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
    """The start-up is complete; every event that the device had kept was reported before this one."""

    model: str
    firmware: str
    serial: str
    channels: tuple[Channel, ...]
    reads_tickets: bool = False
    """True if this device, as set up, reads tickets with a bar code."""
    counter: int | None = None
    """The count of all notes the device has ever kept; None when it does not count them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A note is in escrow and held there until `Stack` or `Return`, or until the device returns it by itself."""

    channel: int
    value_cents: int
    counter: int | None = None
    """As in `Started`, before this note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacked:
    """The note is the machine's. `value_cents` is None when the device cannot name the note."""

    channel: int
    value_cents: int | None
    receipt: int | None
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsolicited:
    """The device kept a document that was never offered. Which note, or how many, is unknown. `reported_cents` is the
    total value that the device reported, None without a possible one. `detail` is for the attendant who settles it,
    `evidence` for a technician."""

    reported_cents: int | None
    detail: str
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketOffered:
    """A ticket with a bar code is in escrow and held there like a note; `number` is the text of the bar code."""

    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketStacked:
    """The ticket is the machine's. `number` is None when the device does not know which ticket it was."""

    number: str | None
    receipt: int | None
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The note or ticket in escrow went back to the player: by order, by the device itself, or found so at
    power-up."""

    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The device refused a note before escrow; `reason` is a short text."""

    code: int
    reason: str


class Trouble(Enum):
    """The faults that a cabinet distinguishes."""

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
    """A fault began; reported once until it ends. CHEAT, COUNTERFEIT and LOST_EVENTS never end by themselves."""

    trouble: Trouble
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleEnded:
    """The fault is over: the device reports its end, or is silent or cannot be used and can no longer report it."""

    trouble: Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Enabled:
    """The device reports that it now accepts notes (True) or refuses them (False)."""

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
    """Order: stack the note or ticket in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Order: return the note or ticket in escrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Order: accept notes of these channels from now on, and tickets if `tickets` is set and the device reads them.
    With neither the acceptor is inhibited. The order holds across reconnects."""

    channels: frozenset[int]
    tickets: bool = False


TAKE_NOTHING = Take(channels=frozenset())
"""The order that inhibits the acceptor."""

BillOrder = Stack | Return | Take | Confirm
