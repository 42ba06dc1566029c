"""EBDS messages: the data of a poll and of a reply, and the table of notes.

Rules:
- Every reply except an auxiliary one carries the whole state in six bytes of flags. STACKED and RETURNED are events,
  shown in one reply or a few; the other flags are set as long as they hold.
- A unit is in one state of motion at a time; without any it is out of service. A reply with two of them, or with
  STACKED and RETURNED together, is damaged even if its check sum is correct.
- Without extended note reporting a note is an index from 1 to 7, with its value in the maker's table. With it, the
  unit reports the currency and the value of each note.
- Values are in cents of a currency with hundred cents.

Source: EBDS and Pyramid RS-232 as open implementations have them. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from drivers.bills.events import Channel, Trouble

NOTE_INDEXES = 7
HIGHEST_NOTE = 50

# From the host.

_FOUR_WAY, _ESCROW, _STACK, _RETURN = 0x0C, 0x10, 0x20, 0x40
_EXTENDED_NOTES = 0x10
_POLICY_SHIFT = 2
EVERY_INDEX = 0x7F
SOFT_RESET = b"\x7f\x7f\x7f"


class Policy(IntEnum):
    """The handling of a note that a unit finds in its path at power-up."""

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
class PollData:
    """The three data bytes of a poll. `mask`: enabled note indexes, bit 0 for index 1. Escrow mode is always set."""

    mask: int = 0
    stack: bool = False
    give_back: bool = False
    policy: Policy = Policy.A
    extended: bool = False


def write_poll(poll: PollData) -> bytes:
    """Returns the data bytes of a poll."""
    mode = _FOUR_WAY | _ESCROW | (_STACK if poll.stack else 0) | (_RETURN if poll.give_back else 0)
    return bytes((poll.mask, mode, poll.policy << _POLICY_SHIFT | (_EXTENDED_NOTES if poll.extended else 0)))


def note_mask(channels: frozenset[int]) -> bytes:
    """Returns the bytes that enable these notes of the unit's table: seven notes a byte, a set bit enables."""
    mask = bytearray(8)
    for channel in channels:
        if 1 <= channel <= HIGHEST_NOTE:
            mask[(channel - 1) // 7] |= 1 << (channel - 1) % 7
    return bytes(mask)


# From the unit.

STATUS_SIZE = 6


class Flag(Enum):
    """A bit of the six bytes: (byte, bit)."""

    def __init__(self, byte: int, bit: int) -> None:
        self.byte, self.mask = byte, 1 << bit

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
        """Returns True if any of these is set."""
        data = self.data
        return any(data[flag.byte] & flag.mask for flag in flags)

    @property
    def index(self) -> int:
        """The note index in the reply, 0 for none."""
        return self.data[2] >> _INDEX_SHIFT & NOTE_INDEXES

    @property
    def make(self) -> str:
        """Model and software revision, the only identity that every unit reports."""
        return f"model {self.data[4]:02X} revision {self.data[5]:02X}"


def read_status(data: bytes) -> Status | None:
    """Parses six bytes as a status. Returns None for a contradiction."""
    if len(data) != STATUS_SIZE:
        return None
    status = Status(data=data)
    motions = sum(status.has(motion) for motion in MOTIONS)
    if motions > 1 or (status.has(Flag.STACKED) and status.has(Flag.RETURNED)):
        return None
    return status


def write_status(*flags: Flag, index: int = 0, model: int = 0x01, revision: int = 0x02) -> bytes:
    """Returns the six bytes with these flags set."""
    data = bytearray((0, 0, index << _INDEX_SHIFT, 0, model, revision))
    for flag in flags:
        data[flag.byte] |= flag.mask
    return bytes(data)


# Notes.


NOTE_IN_PATH = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMessage:
    """The data of an extended note message: a line of the table, or with index NOTE_IN_PATH the note in the path."""

    index: int
    currency: str
    value_cents: int


def read_note(data: bytes) -> NoteMessage | None:
    """Parses the 18 bytes behind the status of an extended note message. Returns None for an empty line of the
    table."""
    if len(data) != 18 or not any(data[1:10]):
        return None
    currency, value, sign, exponent = data[1:4], data[4:7], data[7:8], data[8:10]
    if not (value.isdigit() and exponent.isdigit() and currency.isalpha() and sign in (b"+", b"-")):
        return None
    cents, power = int(value) * 100, 10 ** int(exponent)
    if sign == b"-" and cents % power:
        return None
    value_cents = cents * power if sign == b"+" else cents // power
    return NoteMessage(index=data[0], currency=currency.decode("ascii"), value_cents=value_cents)


def write_note(note: NoteMessage | None) -> bytes:
    """Returns the 18 bytes of `note`, in whole units of the currency; all zero for None."""
    if note is None:
        return bytes(18)
    value, power = note.value_cents // 100, 0
    while value > 999:
        value, power = value // 10, power + 1
    return bytes((note.index,)) + f"{note.currency}{value:03d}+{power:02d}".encode("ascii") + b"\x00AAAA\x00\x00\x00"


NOTE_TABLES: Mapping[str, tuple[int, ...]] = {"USD": (100, 200, 500, 1000, 2000, 5000, 10000)}
"""Values in cents of the note indexes 1 to 7, for units that do not report them. Other currencies differ."""


def number_channels(values_cents: tuple[int, ...], currency: str) -> tuple[Channel, ...]:
    """Returns the channels of a table of note indexes; an index with value 0 is not in use."""
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
    """Returns the reason of a rejection as text; EBDS itself has no reasons."""
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
"""Flags that are faults while they are shown; a missing CASSETTE is one too."""
