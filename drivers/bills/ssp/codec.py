"""SSP messages of note validators: commands, generic replies, poll events, reject reasons, the setup reply.

Rules:
- The length of an event depends on its code, on the agreed host protocol version, and on the type of unit. A code of
  unknown length ends the reading of that reply: the events after it cannot be separated.
- Events that do not concern an incoming note are in `drivers.bills.ssp.side_events`.
- A reset unit loses the version, so after a SLAVE RESET events have their short form again.
- The highest version used is 8: in 9 the events that carry money change, and their form is not published.
- Numbers are big-endian, except the four-byte channel values of the setup reply, which are little-endian.

Source: Innovative Technology, SSP Protocol Manual GA138 and SSP Implementation Guide GA973. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from drivers.bills.events import Channel
from drivers.bills.ssp.side_events import SIDE_EVENTS, VALUE_SIZE, measure_side_event, measure_value_if_there

HIGHEST_VERSION = 8
LOWEST_VERSION = 3
VALUES_IN_EVENTS = 8
"""From this version on the power-up events of payout units carry a value and a country."""


class Command(IntEnum):
    """First data byte from a host. Ours does not use all of them."""

    RESET = 0x01
    SET_INHIBITS = 0x02
    DISPLAY_ON = 0x03
    DISPLAY_OFF = 0x04
    SETUP = 0x05
    HOST_VERSION = 0x06
    POLL = 0x07
    REJECT = 0x08
    DISABLE = 0x09
    ENABLE = 0x0A
    SERIAL_NUMBER = 0x0C
    UNIT_DATA = 0x0D
    CHANNEL_VALUES = 0x0E
    CHANNEL_SECURITY = 0x0F
    CHANNEL_RETEACH = 0x10
    SYNC = 0x11
    LAST_REJECT = 0x17
    HOLD = 0x18
    FIRMWARE = 0x20
    DATASET = 0x21
    BAR_CODE_READERS = 0x23
    SET_UP_BAR_CODES = 0x24
    BAR_CODE_INHIBIT = 0x25
    SET_BAR_CODE_INHIBIT = 0x26
    BAR_CODE_DATA = 0x27
    SET_GENERATOR = 0x4A
    SET_MODULUS = 0x4B
    EXCHANGE_KEYS = 0x4C
    BUILD_REVISION = 0x4F
    POLL_WITH_ACK = 0x56
    EVENT_ACK = 0x57
    COUNTERS = 0x58
    RESET_COUNTERS = 0x59


KEY_EXCHANGE = frozenset({Command.SYNC, Command.SET_GENERATOR, Command.SET_MODULUS, Command.EXCHANGE_KEYS})
"""Commands that are not encrypted even on a sealed line: they come before the key."""

POLLS = frozenset({Command.POLL, Command.POLL_WITH_ACK})


class Answer(IntEnum):
    """First data byte from the device."""

    OK = 0xF0
    UNKNOWN_COMMAND = 0xF2
    WRONG_PARAMETER_COUNT = 0xF3
    OUT_OF_RANGE = 0xF4
    CANNOT_PROCESS = 0xF5
    FAIL = 0xF8
    KEY_NOT_SET = 0xFA


class Code(IntEnum):
    """Event codes of a poll reply."""

    SLAVE_RESET = 0xF1
    READ = 0xEF
    CREDIT = 0xEE
    REJECTING = 0xED
    REJECTED = 0xEC
    STACKED = 0xEB
    SAFE_JAM = 0xEA
    UNSAFE_JAM = 0xE9
    DISABLED = 0xE8
    STACKER_FULL = 0xE7
    FRAUD = 0xE6
    TICKET_IN_ESCROW = 0xE5
    CASHBOX_REPLACED = 0xE4
    CASHBOX_REMOVED = 0xE3
    CLEARED_TO_CASHBOX = 0xE2
    CLEARED_FROM_FRONT = 0xE1
    PATH_OPEN = 0xE0
    TICKET_STACKED = 0xD1
    HELD_IN_BEZEL = 0xCE
    DISPENSED_AT_POWER_UP = 0xCD
    STACKING = 0xCC
    STORED_AT_POWER_UP = 0xCB
    STACKED_AT_POWER_UP = 0xCA
    TRANSFERRED = 0xC9
    INITIALISING = 0xB6
    ALL_INHIBITED = 0xB5


_CODES: Mapping[int, Code] = {code.value: code for code in Code}

CARRIES_CHANNEL = frozenset(
    {Code.READ, Code.CREDIT, Code.FRAUD, Code.CLEARED_TO_CASHBOX, Code.CLEARED_FROM_FRONT},
)
"""Events followed by one byte, the channel (0: not known)."""

PAYOUT_EVENTS = frozenset(
    {
        Code.HELD_IN_BEZEL,
        Code.DISPENSED_AT_POWER_UP,
        Code.STORED_AT_POWER_UP,
        Code.STACKED_AT_POWER_UP,
        Code.TRANSFERRED,
    }
)
"""Events of payout units, bare or, from version `VALUES_IN_EVENTS` on, with a value of four bytes and a country."""

_WITH_CHANNEL = 2
_LISTS_FRAUDS = frozenset({0x06})
_LISTS_SINCE = 6
"""From this version on these units report a fraud with a list of values in place of the channel."""
_VALUE_IN_DOUBT = frozenset({Code.DISPENSED_AT_POWER_UP, Code.TRANSFERRED})
"""For versions 6 and 7 sources differ on whether these carry a value."""

ABOUT_NOTES = frozenset(
    {
        Code.READ,
        Code.CREDIT,
        Code.STACKING,
        Code.STACKED,
        Code.REJECTING,
        Code.REJECTED,
        Code.FRAUD,
        Code.TICKET_IN_ESCROW,
        Code.TICKET_STACKED,
        Code.CLEARED_TO_CASHBOX,
        Code.CLEARED_FROM_FRONT,
        Code.STACKED_AT_POWER_UP,
        Code.STORED_AT_POWER_UP,
    }
)
"""Events that report the place of a note or ticket that a player put in."""

REPEATED_UNTIL_ACK = frozenset(
    {Code.CREDIT, Code.FRAUD, Code.CLEARED_TO_CASHBOX, Code.TICKET_STACKED, Code.INITIALISING},
)
"""Events that poll-with-ack repeats until the event ack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a poll reply."""

    code: Code
    channel: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PollReport:
    """The events of one poll reply. `lost`: the unreadable part, from the first unknown byte on; `hides_note`:
    whether it may concern a note. `side`: the codes of events that do not concern an incoming note."""

    events: tuple[Event, ...]
    lost: bytes = b""
    hides_note: bool = False
    side: tuple[int, ...] = ()

    @property
    def unknown_code(self) -> int | None:
        """The unknown code that ended the reading; None without one."""
        return self.lost[0] if self.lost and not _is_known(self.lost[0]) else None

    def has(self, *codes: Code) -> bool:
        """Returns True if any of these codes was reported."""
        return any(event.code in codes for event in self.events)


def read_events(data: bytes, version: int = LOWEST_VERSION, unit_type: int = 0) -> PollReport:
    """Parses a poll reply behind its generic answer byte, for the agreed version and the type of unit.

    Never raises; see `PollReport.lost`.
    """
    events: list[Event] = []
    side: list[int] = []
    at = 0
    while at < len(data):
        code = _CODES.get(data[at])
        size = _measure(data[at:], version, unit_type)
        if size is None and data[at] in SIDE_EVENTS and not SIDE_EVENTS[data[at]].forms:
            rest = read_events(data[at + 1 :], version, unit_type)
            if not rest.lost:
                return PollReport(events=(*events, *rest.events), side=(*side, data[at], *rest.side))
        if size is None or at + size > len(data):
            hides_note = _hides_note(data[at:], version, unit_type)
            return PollReport(events=tuple(events), lost=data[at:], hides_note=hides_note, side=tuple(side))
        if code is None:
            side.append(data[at])
        else:
            has_channel = code in CARRIES_CHANNEL and size == _WITH_CHANNEL
            events.append(Event(code=code, channel=data[at + 1] if has_channel else 0))
        version = LOWEST_VERSION if code is Code.SLAVE_RESET else version
        at += size
    return PollReport(events=tuple(events), side=tuple(side))


def _is_known(code: int) -> bool:
    return code in _CODES or code in SIDE_EVENTS


def _hides_note(lost: bytes, version: int, unit_type: int) -> bool:
    """Returns True if this part may concern a note. It does not when it is one unknown byte, followed only by known
    events of other kinds."""
    if _is_known(lost[0]):
        return True
    at = 1
    while at < len(lost):
        size = _measure(lost[at:], version, unit_type)
        if size is None or at + size > len(lost) or _CODES.get(lost[at]) in ABOUT_NOTES:
            return True
        at += size
    return False


def _measure(data: bytes, version: int, unit_type: int) -> int | None:
    """Returns the length of the event at the beginning of `data`, including its code; None when it is unknown."""
    code = _CODES.get(data[0])
    if code is None:
        return measure_side_event(data, version) if data[0] in SIDE_EVENTS else None
    if code is Code.FRAUD and unit_type in _LISTS_FRAUDS and version >= _LISTS_SINCE:
        return 2 + VALUE_SIZE * data[1] if len(data) > 1 else None
    if code in PAYOUT_EVENTS:
        if code in _VALUE_IN_DOUBT and _LISTS_SINCE <= version < VALUES_IN_EVENTS:
            return 1 + measure_value_if_there(data[1:])
        return 1 + (VALUE_SIZE if version >= VALUES_IN_EVENTS else 0)
    return _WITH_CHANNEL if code in CARRIES_CHANNEL else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The setup of the device; values in cents of the channel's currency."""

    unit_type: int
    firmware: str
    country: str
    version: int
    channels: tuple[Channel, ...]


READABLE_UNITS: Mapping[int, str] = {
    0x00: "note validator",
    0x06: "note validator with payout",
    0x07: "note validator with note float",
    0x0D: "note validator with sealed bags",
    0x0E: "note validator with sealed bags and payout",
    0x0F: "note validator with sealed bags and tickets",
}
"""Unit types that accept notes and have the setup layout below; hoppers and printers differ."""

PAYOUT_UNITS = frozenset({0x06, 0x07, 0x0E})
"""Unit types that also pay out: these work on a sealed line only."""


STANDARD_SECURITY = 2


def read_setup(data: bytes) -> Setup | None:
    """Parses a setup reply behind its generic answer byte. Returns None when it is not from a note validator."""
    if len(data) < 12 or data[0] not in READABLE_UNITS:
        return None
    count = data[11]
    multipliers_at = 12 + 2 * count
    if len(data) < multipliers_at + 4:
        return None
    version = data[multipliers_at + 3]
    country = _text(data[5:8])
    channels = _wide_channels(data, count) if version >= 6 else _narrow_channels(data, count, country)
    if channels is None:
        return None
    return Setup(unit_type=data[0], firmware=_text(data[1:5]), country=country, version=version, channels=channels)


def _narrow_channels(data: bytes, count: int, country: str) -> tuple[Channel, ...]:
    """Parses the form before protocol version 6: one byte of value times the value multiplier."""
    multiplier = int.from_bytes(data[8:11], "big")
    return tuple(
        Channel(number=index + 1, value_cents=data[12 + index] * multiplier, currency=country)
        for index in range(count)
        if data[12 + index]
    )


def _wide_channels(data: bytes, count: int) -> tuple[Channel, ...] | None:
    """Parses the form from protocol version 6 on: a country and four bytes of value for each channel."""
    real_multiplier = int.from_bytes(data[12 + 2 * count : 15 + 2 * count], "big")
    countries_at = 16 + 2 * count
    values_at = countries_at + 3 * count
    if len(data) < values_at + 4 * count:
        return None
    values = [
        int.from_bytes(data[values_at + 4 * index : values_at + 4 * index + 4], "little") for index in range(count)
    ]
    return tuple(
        Channel(
            number=index + 1,
            value_cents=value * real_multiplier,
            currency=_text(data[countries_at + 3 * index : countries_at + 3 * index + 3]),
        )
        for index, value in enumerate(values)
        if value
    )


def write_setup(setup: Setup, *, value_multiplier: int, real_multiplier: int) -> bytes:
    """Returns the setup reply of `setup` behind its generic answer byte; channels must be numbered from 1 up."""
    channels = setup.channels
    narrow = bytes(min(255, channel.value_cents // max(1, value_multiplier)) for channel in channels)
    head = bytes((setup.unit_type,)) + setup.firmware.encode("ascii") + setup.country.encode("ascii")
    security = bytes((STANDARD_SECURITY,)) * len(channels)
    body = value_multiplier.to_bytes(3, "big") + bytes((len(channels),)) + narrow + security
    tail = real_multiplier.to_bytes(3, "big") + bytes((setup.version,))
    return head + body + tail + (write_wide_values(channels, real_multiplier) if setup.version >= 6 else b"")


def write_wide_values(channels: tuple[Channel, ...], real_multiplier: int) -> bytes:
    """Returns countries and four-byte values of all channels, in the form from protocol version 6 on."""
    countries = "".join(channel.currency for channel in channels).encode("ascii")
    return countries + b"".join((each.value_cents // real_multiplier).to_bytes(4, "little") for each in channels)


def _text(data: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in data).strip()


def inhibits(channels: frozenset[int], *, highest: int) -> bytes:
    """Returns the bit mask of set-inhibits: a set bit enables the channel; two bytes for each sixteen channels."""
    size = 2 * max(1, -(-highest // 16))
    mask = sum(1 << (channel - 1) for channel in channels if 1 <= channel <= 8 * size)
    return mask.to_bytes(size, "little")


REJECTED_BY_HOST = 0x08
REJECTED_BY_DISABLE = 0x0C
ESCROW_TIMED_OUT = 0x13
NO_REASON_GIVEN = -1

_REASONS: Mapping[int, str] = {
    0x00: "accepted",
    0x01: "wrong length",
    0x06: "this note type is switched off",
    0x07: "a second note was put in while reading",
    REJECTED_BY_HOST: "sent back by the cabinet",
    0x0B: "note too long",
    REJECTED_BY_DISABLE: "the acceptor was switched off",
    0x0D: "the mechanism is slow or stalled",
    0x0E: "an attempt to pull the note back",
    0x0F: "rejected as a fraud",
    0x10: "no notes put in",
    0x12: "the note was twisted",
    ESCROW_TIMED_OUT: "held too long",
    0x14: "the bar code could not be read",
    0x1A: "note too short",
    0x1C: "two notes at once",
    0x1D: "the note could not be stacked",
    NO_REASON_GIVEN: "the acceptor gives no reason",
}


def explain_reject(code: int) -> str:
    """Returns the last-reject code as text."""
    return _REASONS.get(code, f"note not recognised (code {code:02X})")


ALL_READERS = 0x03
INTERLEAVED_2_OF_5 = 0x01
TICKET_DIGITS = 18
BAR_CODE_SETUP = bytes((ALL_READERS, INTERLEAVED_2_OF_5, TICKET_DIGITS))
"""Readers on both sides, the only format, and the length of our ticket numbers."""

_NOTES_OFF = 0x01
_TICKETS_OFF = 0x02
_UNUSED_BITS = 0xFC


def bar_code_inhibit(*, notes: bool, tickets: bool) -> bytes:
    """Returns the parameter of set-bar-code-inhibit; here a set bit disables."""
    return bytes((_UNUSED_BITS | (0 if notes else _NOTES_OFF) | (0 if tickets else _TICKETS_OFF),))


class TicketPlace(IntEnum):
    """The place of the ticket in bar code data."""

    NOWHERE = 0
    ESCROW = 1
    STACKED = 2
    REJECTED = 3


_PLACES: Mapping[int, TicketPlace] = {place.value: place for place in TicketPlace}


@dataclass(frozen=True, slots=True, kw_only=True)
class BarCode:
    """The last ticket of the unit."""

    place: TicketPlace
    number: str


def read_bar_code(data: bytes) -> BarCode | None:
    """Parses bar code data behind its generic answer byte. Returns None when it is incomplete or not plain text."""
    place = _PLACES.get(data[0]) if data else None
    if place is None or len(data) < 2 or len(data) != 2 + data[1]:
        return None
    number = data[2:].decode("ascii", "replace")
    return BarCode(place=place, number=number) if number.isascii() and number.isprintable() else None


COUNTER_NAMES = ("stacked", "stored", "dispensed", "transferred", "rejected")
_COUNTER_SIZE = 4


def read_counters(data: bytes) -> Mapping[str, int] | None:
    """Parses the counters behind the generic answer byte, by name. Returns None when they are not these five."""
    if len(data) != 1 + _COUNTER_SIZE * len(COUNTER_NAMES) or data[0] != len(COUNTER_NAMES):
        return None
    values = (data[at : at + _COUNTER_SIZE] for at in range(1, len(data), _COUNTER_SIZE))
    return {name: int.from_bytes(value, "little") for name, value in zip(COUNTER_NAMES, values, strict=True)}


def write_counters(counters: Mapping[str, int]) -> bytes:
    """Returns the reply with these counters behind its generic answer byte."""
    values = (counters[name].to_bytes(_COUNTER_SIZE, "little") for name in COUNTER_NAMES)
    return bytes((len(COUNTER_NAMES),)) + b"".join(values)
