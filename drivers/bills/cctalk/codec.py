"""ccTalk for bill validators: headers, the ring of events, bill types and their values.

Rules:
- The unit keeps its last five events, newest first, and counts them: 0 only after power-up or reset, then 1 to 255 and
  again 1. Reading changes nothing; the counter shows a host what is new since its last read.
- The first byte of an event is a bill type (then the second says escrow or stacked) or 0 (then it is a status).
- A bill type is seven characters: country, value, issue. The value counts in units that the country scaling explains.
- An unknown status is not skipped: it may concern money.

Source: ccTalk Serial Communication Protocol, Generic Specification, parts 2 and 3. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from drivers.bills.events import Channel

RING_SIZE = 5
HIGHEST_COUNT = 255
HIGHEST_TYPE = 16
OUR_OWN_RETURN = 1


class Header(IntEnum):
    """Commands of a host. Ours does not use all of them."""

    RESET = 1
    COMMS_REVISION = 4
    CURRENCY_REVISION = 145
    OPERATING_MODE = 152
    SET_OPERATING_MODE = 153
    ROUTE = 154
    COUNTRY_SCALING = 156
    BILL_ID = 157
    EVENTS = 159
    BUILD_CODE = 192
    MASTER_INHIBIT = 227
    SET_MASTER_INHIBIT = 228
    INHIBITS = 230
    SET_INHIBITS = 231
    SELF_CHECK = 232
    SOFTWARE = 241
    SERIAL_NUMBER = 242
    DATABASE_VERSION = 243
    PRODUCT = 244
    CATEGORY = 245
    MAKER = 246
    POLLING_PRIORITY = 249
    ADDRESS_POLL = 253
    POLL = 254


BROADCAST = 0
"""The broadcast address, which every unit of a line accepts."""


class Answer(IntEnum):
    """Header of a reply."""

    OK = 0
    NAK = 5
    BUSY = 6


class Route(IntEnum):
    """Where the note in escrow goes."""

    RETURN = 0
    STACK = 1
    HOLD = 255


ESCROW_EMPTY = 254
ROUTE_FAILED = 255
STACKER_AND_ESCROW = 3


class Status(IntEnum):
    """Second byte of an event whose first is 0."""

    MASTER_INHIBIT = 0
    RETURNED = 1
    NOT_VALIDATED = 2
    TRANSPORT = 3
    INHIBITED = 4
    INHIBITED_BY_SWITCH = 5
    UNSAFE_JAM = 6
    STACKER_JAM = 7
    PULLED_BACK = 8
    TAMPER = 9
    STACKER_OK = 10
    STACKER_REMOVED = 11
    STACKER_INSERTED = 12
    STACKER_FAULTY = 13
    STACKER_FULL = 14
    STACKER_BLOCKED = 15
    SAFE_JAM = 16
    OPTICAL_FRAUD = 17
    STRING_FRAUD = 18
    ANTI_STRING_FAULTY = 19
    TICKET_READ = 20


_STATUSES: Mapping[int, Status] = {status.value: status for status in Status}

REJECTS: Mapping[Status, str] = {
    Status.MASTER_INHIBIT: "the acceptor was switched off",
    Status.NOT_VALIDATED: "note not recognised",
    Status.TRANSPORT: "the note could not be drawn in",
    Status.INHIBITED: "this note type is switched off",
    Status.INHIBITED_BY_SWITCH: "this note type is switched off by a switch of the acceptor",
}
"""Statuses of a note that was refused before escrow -> the reason as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of the ring, as its two bytes."""

    first: int
    second: int

    @property
    def stacked(self) -> bool:
        """The machine's money."""
        return self.first > 0 and self.second == 0

    @property
    def escrow(self) -> bool:
        """Waits for a route."""
        return self.first > 0 and self.second == 1

    @property
    def returned(self) -> bool:
        """The note in escrow went back."""
        return self.first == 0 and self.second == OUR_OWN_RETURN

    @property
    def of_a_note(self) -> bool:
        """True if the event reports the place of a note that had reached escrow."""
        return self.stacked or self.escrow or self.returned

    @property
    def status(self) -> Status | None:
        """The status of this event; None for a bill or an unknown code."""
        return _STATUSES.get(self.second) if self.first == 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """The result of one read of the events: the counter, and the events from the oldest to the newest.

    Shortly after power-up the oldest places are still unused; they read like status 0.
    """

    counter: int
    events: tuple[Event, ...]

    @property
    def whole(self) -> bool:
        """True if the ring holds every event since the reset of the unit: some places are still unused."""
        unused = self.events[: max(0, RING_SIZE - self.counter)]
        return bool(unused) and all((event.first, event.second) == (0, 0) for event in unused)

    def __str__(self) -> str:
        return f"counter {self.counter}, " + " ".join(f"({event.first},{event.second})" for event in self.events)


def read_ring(data: bytes) -> Ring | None:
    """Parses the reply to EVENTS. Returns None when it is not one."""
    if len(data) != 1 + 2 * RING_SIZE:
        return None
    newest_first = [Event(first=data[at], second=data[at + 1]) for at in range(1, len(data), 2)]
    return Ring(counter=data[0], events=tuple(reversed(newest_first)))


def count_new(before: int, after: int) -> int:
    """Returns the number of events between two counters, 0 to 254; after a restart (0), all events counted since."""
    if after == 0 or before == 0:
        return after
    return (after - before) % HIGHEST_COUNT


def follows(before: Ring, after: Ring) -> bool:
    """Returns True if `after` is `before` plus newer events, with none lost between.

    If not, the unit has restarted, or more events came than it keeps. The events in both rings must be equal, and a
    used place cannot become unused again by counting on. A restart can look like five new events, because refused
    notes are counted too; then the wait for the end of the note runs out.
    """
    new = count_new(before.counter, after.counter)
    if before.counter == 0 or new > RING_SIZE:
        return new <= RING_SIZE
    if after.counter == 0 or (after.counter < before.counter and after.whole):
        return False
    return after.events[: RING_SIZE - new] == before.events[new:]


def inhibits(types: frozenset[int]) -> bytes:
    """Returns the two bytes of SET_INHIBITS: a set bit enables the type."""
    return sum(1 << (number - 1) for number in types if 1 <= number <= HIGHEST_TYPE).to_bytes(2, "little")


@dataclass(frozen=True, slots=True, kw_only=True)
class BillId:
    """A bill type as the unit names it."""

    country: str
    value: int
    issue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """Values of a country are multiplied by `factor` and have `decimals` digits behind the point."""

    factor: int
    decimals: int


def read_bill_id(data: bytes) -> BillId | None:
    """Parses the reply to BILL_ID. Returns None for an unused type."""
    text = data.decode("ascii", "replace")
    if len(text) != 7 or not (text[:2].isalpha() and text[2:6].isascii() and text[2:6].isdigit()) or not int(text[2:6]):
        return None
    return BillId(country=text[:2], value=int(text[2:6]), issue=text[6])


def read_scaling(data: bytes) -> Scaling | None:
    """Parses the reply to COUNTRY_SCALING. Returns None for a country that the unit does not know."""
    if len(data) != 3 or not (data[0] or data[1]):
        return None
    return Scaling(factor=data[0] | data[1] << 8, decimals=data[2])


_CURRENCIES: Mapping[str, str] = {
    "AU": "AUD",
    "BR": "BRL",
    "CA": "CAD",
    "CH": "CHF",
    "CZ": "CZK",
    "DK": "DKK",
    "EU": "EUR",
    "GB": "GBP",
    "MX": "MXN",
    "NO": "NOK",
    "PL": "PLN",
    "SE": "SEK",
    "US": "USD",
}


def make_channel(number: int, bill: BillId, scaling: Scaling) -> Channel | None:
    """Returns the note type in cents of its currency; None when its value is not a whole number of cents."""
    divisor = 10 ** max(0, scaling.decimals - 2)
    value = bill.value * scaling.factor * 10 ** max(0, 2 - scaling.decimals)
    if value % divisor:
        return None
    return Channel(
        number=number, value_cents=value // divisor, currency=_CURRENCIES.get(bill.country, bill.country.upper())
    )


def read_text(data: bytes) -> str:
    """Decodes text of the unit; unprintable bytes become question marks."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in data).strip()


def read_serial(data: bytes, maker: str) -> str:
    """Returns the serial number. Innovative Technology sends it big-endian, other makers little-endian."""
    return str(int.from_bytes(data, "big" if maker.upper().startswith("ITL") else "little"))
