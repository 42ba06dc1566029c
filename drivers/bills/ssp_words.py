"""The words of SSP for note validators: commands, generic replies, poll events, reject reasons, the setup reply.

Rules:
- The length of an event depends on its code, and from host protocol version 8 on several codes change their length.
  We never agree on more than version 7, so one table is right. A code that is not in it ends the reading of that reply:
  what follows it cannot be told apart any more.
- Numbers are big-endian, except the four-byte channel values of the setup reply, which are little-endian.

Source: Innovative Technology, SSP Protocol Manual GA138 and SSP Implementation Guide GA973. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from drivers.bills.events import Channel

HIGHEST_VERSION = 7
LOWEST_VERSION = 3


class Command(IntEnum):
    """First data byte from the host."""

    RESET = 0x01
    SET_INHIBITS = 0x02
    SETUP = 0x05
    HOST_VERSION = 0x06
    POLL = 0x07
    REJECT = 0x08
    DISABLE = 0x09
    ENABLE = 0x0A
    SERIAL_NUMBER = 0x0C
    SYNC = 0x11
    LAST_REJECT = 0x17
    HOLD = 0x18
    FIRMWARE = 0x20
    POLL_WITH_ACK = 0x56
    EVENT_ACK = 0x57


class Answer(IntEnum):
    """First data byte from the device."""

    OK = 0xF0
    UNKNOWN_COMMAND = 0xF2
    WRONG_PARAMETER_COUNT = 0xF3
    OUT_OF_RANGE = 0xF4
    CANNOT_PROCESS = 0xF5
    SOFTWARE_ERROR = 0xF6
    FAIL = 0xF8
    KEY_NOT_SET = 0xFA


class Code(IntEnum):
    """What a poll reply can report."""

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
    STACKING = 0xCC
    INITIALISING = 0xB6
    ALL_INHIBITED = 0xB5


_CODES: Mapping[int, Code] = {code.value: code for code in Code}

CARRIES_CHANNEL = frozenset(
    {Code.READ, Code.CREDIT, Code.FRAUD, Code.CLEARED_TO_CASHBOX, Code.CLEARED_FROM_FRONT},
)
"""Events followed by one byte, the channel (0: not known)."""

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
    """The events of one poll reply; `lost` is what could not be read, from the first unknown byte on."""

    events: tuple[Event, ...]
    lost: bytes = b""

    def has(self, *codes: Code) -> bool:
        """Whether any of these codes was reported."""
        return any(event.code in codes for event in self.events)


def read_events(data: bytes) -> PollReport:
    """Read a poll reply behind its generic answer byte. Never raises; see `PollReport.lost`."""
    events: list[Event] = []
    at = 0
    while at < len(data):
        code = _CODES.get(data[at])
        size = 2 if code in CARRIES_CHANNEL else 1
        if code is None or at + size > len(data):
            return PollReport(events=tuple(events), lost=data[at:])
        events.append(Event(code=code, channel=data[at + 1] if size == 2 else 0))
        at += size
    return PollReport(events=tuple(events))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the device says of itself; values in cents of the channel's currency."""

    unit_type: int
    firmware: str
    country: str
    version: int
    channels: tuple[Channel, ...]


READABLE_UNITS: Mapping[int, str] = {0x00: "note validator", 0x07: "note validator with note float"}
"""Unit types whose setup reply has the layout below; payout units differ."""


def read_setup(data: bytes) -> Setup | None:
    """Read a setup reply behind its generic answer byte; None when its layout is not that of a note validator."""
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
    """The form before protocol version 6: one byte of value times the value multiplier."""
    multiplier = int.from_bytes(data[8:11], "big")
    return tuple(
        Channel(number=index + 1, value_cents=data[12 + index] * multiplier, currency=country)
        for index in range(count)
        if data[12 + index]
    )


def _wide_channels(data: bytes, count: int) -> tuple[Channel, ...] | None:
    """The form from protocol version 6 on: a country and four bytes of value for each channel."""
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
    """The setup reply that says `setup`, behind its generic answer byte; channels must be numbered from 1 up."""
    channels = setup.channels
    narrow = bytes(min(255, channel.value_cents // max(1, value_multiplier)) for channel in channels)
    head = bytes((setup.unit_type,)) + setup.firmware.encode("ascii") + setup.country.encode("ascii")
    body = value_multiplier.to_bytes(3, "big") + bytes((len(channels),)) + narrow + bytes((2,)) * len(channels)
    tail = real_multiplier.to_bytes(3, "big") + bytes((setup.version,))
    if setup.version >= 6:
        tail += "".join(channel.currency for channel in channels).encode("ascii")
        tail += b"".join((channel.value_cents // real_multiplier).to_bytes(4, "little") for channel in channels)
    return head + body + tail


def _text(data: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in data).strip()


def inhibits(channels: frozenset[int], *, highest: int) -> bytes:
    """The bit mask of set-inhibits: a set bit lets the channel through; two bytes for each sixteen channels."""
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
    """The last-reject code in plain words."""
    return _REASONS.get(code, f"note not recognised (code {code:02X})")
