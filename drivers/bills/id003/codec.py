"""ID-003 messages: commands, states, reasons, the table of notes, the settings.

Rules:
- Commands and states share numbers (40 to 44 are both): only the direction distinguishes them.
- A note type is a channel here: escrow code 61 is channel 1 and bit 0 of the denomination mask, where a set bit
  *disables* the type.
- The value of a note comes from the unit's own table, never from a fixed list. The table has the maker's country
  numbers; the caller gives their currencies. Values are whole units of a currency with a hundred cents.

Source: JCM, ID-003 communication specification, as open implementations have it. Knows no frames, no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from drivers.bills.events import Channel, Trouble


class Command(IntEnum):
    """Commands of a host. Ours does not use all of them."""

    STATUS = 0x11
    RESET = 0x40
    STACK_1 = 0x41
    STACK_2 = 0x42
    RETURN = 0x43
    HOLD = 0x44
    ACK = 0x50
    DENOMINATIONS = 0x80
    SECURITY = 0x81
    INHIBIT = 0x83
    DIRECTION = 0x84
    OPTIONS = 0x85
    TICKET_TYPE = 0x86
    TICKET_INHIBIT = 0x87
    VERSION = 0x88
    BOOT_VERSION = 0x89
    NOTE_TABLE = 0x8A
    SET_DENOMINATIONS = 0xC0
    SET_SECURITY = 0xC1
    SET_MODE = 0xC2
    SET_INHIBIT = 0xC3
    SET_DIRECTION = 0xC4
    SET_OPTIONS = 0xC5
    SET_TICKET_TYPE = 0xC6
    SET_TICKET_INHIBIT = 0xC7


class State(IntEnum):
    """States of the unit, in answer to a status request."""

    IDLE = 0x11
    ACCEPTING = 0x12
    ESCROW = 0x13
    STACKING = 0x14
    VEND_VALID = 0x15
    STACKED = 0x16
    REJECTING = 0x17
    RETURNING = 0x18
    HOLDING = 0x19
    INHIBITED = 0x1A
    INITIALISING = 0x1B
    POWER_UP = 0x40
    POWER_UP_IN_ACCEPTOR = 0x41
    POWER_UP_IN_STACKER = 0x42
    STACKER_FULL = 0x43
    STACKER_OPEN = 0x44
    JAM_IN_ACCEPTOR = 0x45
    JAM_IN_STACKER = 0x46
    PAUSED = 0x47
    CHEATED = 0x48
    FAILURE = 0x49
    COMMUNICATION_ERROR = 0x4A


STATES: Mapping[int, State] = {state.value: state for state in State}

POWER_UPS = frozenset({State.POWER_UP, State.POWER_UP_IN_ACCEPTOR, State.POWER_UP_IN_STACKER})
IN_ESCROW = frozenset({State.ESCROW, State.HOLDING})
AT_REST = frozenset({State.IDLE, State.INHIBITED})

ACKNOWLEDGED = 0x50
REFUSED = 0x4B
OPERATIONS = frozenset({Command.RESET, Command.STACK_1, Command.STACK_2, Command.RETURN, Command.HOLD})
ENQUIRY = 0x05
"""Sent without a request by a unit in interrupt mode: its state has changed."""
TICKET = 0x6F
LOWEST_ESCROW_CODE, HIGHEST_ESCROW_CODE = 0x61, 0x6E
HIGHEST_CHANNEL = 16
_HIGHEST_POWER = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of the unit; `data` as in the frame."""

    state: State
    data: bytes = b""

    @property
    def is_ticket(self) -> bool:
        """True if the document in escrow is a ticket with a bar code."""
        return self.data[:1] == bytes((TICKET,))

    @property
    def ticket(self) -> str:
        """The number of the ticket in escrow; empty without a ticket, or when it is not all digits."""
        text = self.data[1:].decode("ascii", errors="replace") if self.is_ticket else ""
        return text if text.isascii() and text.isdigit() else ""

    @property
    def channel(self) -> int:
        """The note type in escrow; 0 when the table does not have it."""
        code = self.data[0] if self.data else 0
        return code - LOWEST_ESCROW_CODE + 1 if LOWEST_ESCROW_CODE <= code <= HIGHEST_ESCROW_CODE else 0


def read_status(code: int, data: bytes) -> Status | None:
    """Parses a frame as a status. Returns None for another frame, and for an escrow without a document code."""
    state = STATES.get(code)
    if state is None or (state is State.ESCROW and not data):
        return None
    return Status(state=state, data=data)


def is_answer(question: int, code: int) -> bool:
    """Returns True if a frame with this code can answer this command."""
    if question == Command.STATUS:
        return code in STATES
    if question in OPERATIONS:
        return code in (ACKNOWLEDGED, REFUSED)
    return code in (question, REFUSED)


# The table of notes.


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteType:
    """One line of the unit's table; `country` is the maker's number."""

    channel: int
    country: int
    value_cents: int


def read_note_table(data: bytes) -> tuple[NoteType, ...] | None:
    """Parses the reply to the table request: escrow code, country, value, power of ten. Returns None for another
    reply."""
    if len(data) % 4:
        return None
    lines = [data[at : at + 4] for at in range(0, len(data), 4)]
    if any(power > _HIGHEST_POWER for _, _, value, power in lines if value):
        return None
    return tuple(
        NoteType(channel=code - LOWEST_ESCROW_CODE + 1, country=country, value_cents=value * 10**power * 100)
        for code, country, value, power in lines
        if value and LOWEST_ESCROW_CODE <= code <= HIGHEST_ESCROW_CODE
    )


def write_note_table(notes: tuple[NoteType, ...], reserved: tuple[int, ...] = ()) -> bytes:
    """Returns the reply with `notes`; their values must be whole units with at most two digits and zeros. `reserved`
    are channels without a note, which real tables list with zeros."""
    lines = [bytes((channel + LOWEST_ESCROW_CODE - 1, 0, 0, 0)) for channel in reserved]
    for note in notes:
        value, power = note.value_cents // 100, 0
        while value % 10 == 0 and value > 0:
            value, power = value // 10, power + 1
        lines.append(bytes((note.channel + LOWEST_ESCROW_CODE - 1, note.country, value, power)))
    return b"".join(sorted(lines))


def name_channels(
    notes: tuple[NoteType, ...], *, currency: str | None, countries: Mapping[int, str]
) -> tuple[Channel, ...] | None:
    """Returns the channels with their currencies.

    A country that is not in `countries` counts as `currency` when the whole table is of that one country. Several
    such countries cannot be distinguished; then the result is None.
    """
    unnamed = {note.country for note in notes} - countries.keys()
    if len(unnamed) > 1 or (unnamed and currency in countries.values()):
        return None
    return tuple(
        Channel(
            number=note.channel,
            value_cents=note.value_cents,
            currency=countries.get(note.country, currency or f"country {note.country:02X}"),
        )
        for note in notes
    )


# Settings.

INHIBIT, TAKE_NOTES = b"\x01", b"\x00"
NOTES_AND_TICKETS, NOTES_BUT_NO_TICKETS = b"\x00", b"\x02"

SETTINGS: tuple[tuple[Command, bytes], ...] = (
    (Command.SET_DENOMINATIONS, b"\xff\xff"),
    (Command.SET_SECURITY, b"\x00\x00"),
    (Command.SET_DIRECTION, b"\x00"),
    (Command.SET_OPTIONS, b"\x00\x00"),
    (Command.SET_INHIBIT, INHIBIT),
    (Command.SET_TICKET_TYPE, b"\x01\x12"),
    (Command.SET_TICKET_INHIBIT, NOTES_BUT_NO_TICKETS),
    (Command.SET_MODE, b"\x00"),
)
"""The settings sent at every start, in this order: all notes disabled, normal security, every direction, no options.

Tickets have an interleaved bar code of eighteen digits."""

INDISPENSABLE = frozenset({Command.SET_DENOMINATIONS, Command.SET_INHIBIT})
"""Settings that every unit must accept; it may not know the others."""


TICKET_SETTINGS = frozenset({Command.SET_TICKET_TYPE, Command.SET_TICKET_INHIBIT})
"""Settings that a unit without a bar code reader may refuse."""


def denominations(channels: frozenset[int]) -> bytes:
    """Returns the mask that enables these channels: a set bit disables."""
    mask = 0xFFFF
    for channel in channels:
        if 1 <= channel <= HIGHEST_CHANNEL:
            mask &= ~(1 << (channel - 1))
    return mask.to_bytes(2, "little")


# Reasons.

SENT_BACK_BY_HOST = Command.RETURN

_REASONS: Mapping[int, str] = {
    SENT_BACK_BY_HOST: "sent back by the cabinet",
    TICKET: "a ticket; only notes are taken",
    0x71: "put in crooked",
    0x72: "wrong magnetic pattern",
    0x73: "something is still in the head",
    0x74: "the signal is too weak or too strong to compare",
    0x75: "not drawn in evenly",
    0x76: "the note type is not certain",
    0x77: "wrong optical pattern",
    0x78: "too dark or too light",
    0x79: "this note type is switched off",
    0x7B: "the acceptor did not work properly",
    0x7C: "something is still in the way to the stacker",
    0x7D: "wrong length",
    0x7E: "wrong colour pattern",
    0x98: "several notes at once",
    0x9B: "a ticket the wrong way up",
}


def explain_reject(code: int) -> str:
    """Returns the reason of a rejection as text."""
    return _REASONS.get(code, f"note not recognised (code {code:02X})")


_FAILURES: Mapping[int, str] = {
    0xA2: "stacker motor",
    0xA5: "transport speed",
    0xA6: "transport motor",
    0xAB: "the cash box is not ready",
    0xAF: "the head is off",
    0xB0: "boot memory",
    0xB1: "external memory",
    0xB2: "program memory",
    0xB3: "external memory cannot be written",
}


def explain_failure(data: bytes) -> str:
    """Returns the failed part as text."""
    code = data[0] if data else 0
    return _FAILURES.get(code, f"failure {code:02X}")


FAULTS: Mapping[State, tuple[Trouble, str]] = {
    State.STACKER_FULL: (Trouble.STACKER_FULL, ""),
    State.STACKER_OPEN: (Trouble.CASHBOX_REMOVED, ""),
    State.JAM_IN_ACCEPTOR: (Trouble.JAM, "in the acceptor"),
    State.JAM_IN_STACKER: (Trouble.JAM, "in the stacker"),
    State.PAUSED: (Trouble.HARDWARE, "paused: a second note is in the way, take it out"),
    State.FAILURE: (Trouble.HARDWARE, ""),
}
"""States that are faults while they are shown."""
