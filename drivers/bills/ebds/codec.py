"""The words of EBDS: what a poll says, what a reply says, the table of notes.

Rules:
- Every reply but an auxiliary one carries the whole state: six bytes of flags. STACKED and RETURNED are events, shown
  for one reply or a few; the others are levels.
- A unit is in one state of motion at a time; with none of them it is out of service. A reply that shows two, or STACKED
  and RETURNED at once, is damaged whatever its check sum says.
- Without extended note reporting a note is an index from 1 to 7 whose value the maker's table says; with it, the unit
  tells the currency and the value of each note itself.
- Values are in cents of a currency with hundred cents.

Source: EBDS and Pyramid RS-232 as open implementations have them. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from drivers.bills.events import Channel, Trouble

NOTE_INDEXES = 7
HIGHEST_NOTE = 50

# What the host says.

_FOUR_WAY, _ESCROW, _STACK, _RETURN = 0x0C, 0x10, 0x20, 0x40
_EXTENDED_NOTES = 0x10
_POLICY_SHIFT = 2
EVERY_INDEX = 0x7F
SOFT_RESET = b"\x7f\x7f\x7f"


class Policy(IntEnum):
    """What a unit does with a note it finds in its path at power-up."""

    A = 0
    B = 1
    C = 2


class Query(IntEnum):
    """Auxiliary questions, answered in plain text."""

    TYPE = 0x04
    SERIAL = 0x05
    APPLICATION = 0x07


class Extended(IntEnum):
    """Extended messages, by their first data byte."""

    TICKET = 0x01
    NOTE = 0x02
    SET_NOTES = 0x03


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The three bytes of a poll. `mask`: note indexes let through, bit 0 for index 1; escrow is always asked for."""

    mask: int = 0
    stack: bool = False
    give_back: bool = False
    policy: Policy = Policy.A
    extended: bool = False


def write_wish(wish: Wish) -> bytes:
    """The bytes that say `wish`."""
    mode = _FOUR_WAY | _ESCROW | (_STACK if wish.stack else 0) | (_RETURN if wish.give_back else 0)
    return bytes((wish.mask, mode, wish.policy << _POLICY_SHIFT | (_EXTENDED_NOTES if wish.extended else 0)))


def note_mask(channels: frozenset[int]) -> bytes:
    """The bytes that let these notes of the unit's table through: seven a byte, a set bit takes the note."""
    mask = bytearray(8)
    for channel in channels:
        if 1 <= channel <= HIGHEST_NOTE:
            mask[(channel - 1) // 7] |= 1 << (channel - 1) % 7
    return bytes(mask)


# What the unit says.

STATUS_SIZE = 6


class Flag(Enum):
    """A bit of the six bytes: (byte, bit)."""

    IDLE = (0, 0)
    ACCEPTING = (0, 1)
    ESCROWED = (0, 2)
    STACKING = (0, 3)
    STACKED = (0, 4)
    RETURNING = (0, 5)
    RETURNED = (0, 6)
    CHEATED = (1, 0)
    REJECTED = (1, 1)
    JAMMED = (1, 2)
    FULL = (1, 3)
    CASSETTE = (1, 4)
    PAUSED = (1, 5)
    CALIBRATING = (1, 6)
    POWER_UP = (2, 0)
    INVALID_COMMAND = (2, 1)
    FAILURE = (2, 2)
    TRANSPORT_OPEN = (2, 6)
    STALLED = (3, 0)


MOTIONS = (Flag.IDLE, Flag.ACCEPTING, Flag.ESCROWED, Flag.STACKING, Flag.RETURNING)
_INDEX_SHIFT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The six bytes of a reply."""

    data: bytes

    def has(self, *flags: Flag) -> bool:
        """Whether any of these is set."""
        return any(self.data[flag.value[0]] >> flag.value[1] & 1 for flag in flags)

    @property
    def index(self) -> int:
        """The note index shown, 0 for none."""
        return self.data[2] >> _INDEX_SHIFT & NOTE_INDEXES

    @property
    def make(self) -> str:
        """Model and software revision, the only identity that every unit tells."""
        return f"model {self.data[4]:02X} revision {self.data[5]:02X}"


def read_status(data: bytes) -> Status | None:
    """Six bytes as a status; None when they say what cannot be."""
    if len(data) != STATUS_SIZE:
        return None
    status = Status(data=data)
    motions = sum(status.has(motion) for motion in MOTIONS)
    if motions > 1 or (status.has(Flag.STACKED) and status.has(Flag.RETURNED)):
        return None
    return status


def write_status(*flags: Flag, index: int = 0, model: int = 0x01, revision: int = 0x02) -> bytes:
    """The six bytes that show these flags."""
    data = bytearray((0, 0, index << _INDEX_SHIFT, 0, model, revision))
    for flag in flags:
        data[flag.value[0]] |= 1 << flag.value[1]
    return bytes(data)


# Notes.


NOTE_IN_PATH = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWords:
    """What an extended note message says: a line of the table, or with index NOTE_IN_PATH the note in the path."""

    index: int
    currency: str
    value_cents: int


def read_note(data: bytes) -> NoteWords | None:
    """The 18 bytes behind the status of an extended note message; None for an empty line of the table."""
    if len(data) != 18 or not any(data[1:10]):
        return None
    currency, value, sign, exponent = data[1:4], data[4:7], data[7:8], data[8:10]
    if not (value.isdigit() and exponent.isdigit() and currency.isalpha() and sign in (b"+", b"-")):
        return None
    cents, power = int(value) * 100, 10 ** int(exponent)
    if sign == b"-" and cents % power:
        return None
    value_cents = cents * power if sign == b"+" else cents // power
    return NoteWords(index=data[0], currency=currency.decode("ascii"), value_cents=value_cents)


def write_note(note: NoteWords | None) -> bytes:
    """The 18 bytes that say `note`, in whole units of the currency; all zero for None."""
    if note is None:
        return bytes(18)
    value, power = note.value_cents // 100, 0
    while value > 999:
        value, power = value // 10, power + 1
    return bytes((note.index,)) + f"{note.currency}{value:03d}+{power:02d}".encode("ascii") + b"\x00AAAA\x00\x00\x00"


NOTE_TABLES: Mapping[str, tuple[int, ...]] = {"USD": (100, 200, 500, 1000, 2000, 5000, 10000)}
"""Values of the note indexes 1 to 7 where the unit does not tell them. Other currencies begin elsewhere."""


def number_channels(values_cents: tuple[int, ...], currency: str) -> tuple[Channel, ...]:
    """The channels of a table of note indexes; an index worth 0 is not in use."""
    return tuple(
        Channel(number=index, value_cents=cents, currency=currency)
        for index, cents in enumerate(values_cents[:NOTE_INDEXES], start=1)
        if cents
    )


NO_REASON_GIVEN = -1
SENT_BACK_BY_HOST = -2

_REASONS: Mapping[int, str] = {
    NO_REASON_GIVEN: "the acceptor gives no reason",
    SENT_BACK_BY_HOST: "sent back by the cabinet",
}


def explain_reject(code: int) -> str:
    """The reason of a rejection in plain words; EBDS itself has none."""
    return _REASONS[code]


FAULTS: Mapping[Flag, tuple[Trouble, str]] = {
    Flag.JAMMED: (Trouble.JAM, ""),
    Flag.FULL: (Trouble.STACKER_FULL, ""),
    Flag.PAUSED: (Trouble.HARDWARE, "paused: a second note is in the way, take it out"),
    Flag.CALIBRATING: (Trouble.HARDWARE, "calibrating"),
    Flag.FAILURE: (Trouble.HARDWARE, "the unit has failed"),
    Flag.TRANSPORT_OPEN: (Trouble.HARDWARE, "the note path is open"),
    Flag.STALLED: (Trouble.HARDWARE, "the note path is stalled"),
}
"""Flags that are faults for as long as they are shown; so is a missing CASSETTE."""
