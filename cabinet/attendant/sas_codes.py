"""Exception codes of SAS for the log's entries and for the ends of a game: a lookup table for a SAS interface. Pure.

An entry has one code or none; an event that SAS does not define has none. The codes are those of the event table in
the requirements (1.9a).
"""

from collections.abc import Mapping

from cabinet.engine.effects import Event, RoundBegan, RoundSettled, RoundVoided
from cabinet.engine.inputs import Door, Fault
from cabinet.engine.log import LogKind

GENERAL_TILT = 0x20
GAME_STARTED, GAME_ENDED = 0x7E, 0x7F

EVENTS: Mapping[LogKind, int] = {
    LogKind.POWER_UP: 0x17,
    LogKind.POWER_UP_AFTER_CRASH: 0x17,
    LogKind.POWER_LOST_IN_PLAY: 0x18,
    LogKind.POWER_DOWN: 0x18,
    LogKind.NOTE_REJECTED: 0x2B,
    LogKind.NOTE_UNEXPECTED: GENERAL_TILT,
    LogKind.CASH_OUT: 0x66,
    LogKind.TICKET_PRINTED: 0x3D,
    LogKind.TICKET_ACCEPTED: 0x68,
    LogKind.TICKET_RECOVERED: 0x68,
    LogKind.TICKET_UNEXPECTED: GENERAL_TILT,
    LogKind.TICKET_PAID: 0x3E,
    LogKind.PRINT_UNKNOWN: GENERAL_TILT,
    LogKind.PRINTER_STARTED: 0x76,
    LogKind.HAND_PAY_PENDING: 0x51,
    LogKind.HAND_PAID: 0x3E,
    LogKind.HAND_PAY_BACKED_OUT: 0x55,
    LogKind.LARGE_WIN: 0x51,
    LogKind.GAME_STARTED: GAME_STARTED,
    LogKind.GAME_ENDED: GAME_ENDED,
    LogKind.CALL_ON: 0x71,
    LogKind.CALL_OFF: 0x72,
    LogKind.AUDIT_ENTERED: 0x82,
    LogKind.AUDIT_LEFT: 0x83,
    LogKind.TECHNICIAN_ENTERED: 0x84,
    LogKind.TECHNICIAN_LEFT: 0x85,
    LogKind.OUT_OF_SERVICE: 0x86,
    LogKind.RECALL_VIEWED: 0x8A,
    LogKind.OPTIONS_CHANGED: 0x3C,
    LogKind.PERIOD_RESET: 0x7B,
    LogKind.METERS_ZEROED: 0x7A,
    LogKind.MEMORY_CLEARED: 0x3A,
    LogKind.MEMORY_RECOVERED: 0x31,
    LogKind.SELF_AUDIT_FAILED: 0x32,
    LogKind.PROGRAM_CHANGED: 0x36,
    LogKind.LOG_OVERFLOW: 0x70,
}
"""Entries whose kind alone says it."""

FAULTS: Mapping[Fault, int] = {
    Fault.BILL_JAM: 0x28,
    Fault.BILL_CHEAT: 0x2A,
    Fault.BILL_COUNTERFEIT: 0x2C,
    Fault.CASHBOX_FULL: 0x27,
    Fault.CASHBOX_NEAR_FULL: 0x2E,
    Fault.CASHBOX_REMOVED: 0x1B,
    Fault.ACCEPTOR_HARDWARE: 0x29,
    Fault.ACCEPTOR_LINK: 0x29,
    Fault.ACCEPTOR_WRONG: 0x29,
    Fault.ACCEPTOR_EVENTS_LOST: 0x29,
    Fault.PRINTER_LINK: 0x60,
    Fault.PRINTER_HARDWARE: 0x75,
    Fault.PRINTER_COVER: 0x75,
    Fault.PRINTER_JAM: 0x78,
    Fault.PAPER_OUT: 0x61,
    Fault.PAPER_LOW: 0x74,
    Fault.DISPLAY_LOST: GENERAL_TILT,
    Fault.STORAGE_LOW: GENERAL_TILT,
    Fault.SECOND_COPY_LOST: GENERAL_TILT,
    Fault.CLOCK_INVALID: 0x3B,
    Fault.OVER_TEMPERATURE: GENERAL_TILT,
    Fault.UNDER_VOLTAGE: GENERAL_TILT,
    Fault.PROGRAM_CHANGED: 0x37,
    Fault.STUCK_BUTTON: GENERAL_TILT,
}
"""The beginning of a fault."""

CASHBOX_BACK = 0x1C
HASH_WRONG = 0x37
HAND_PAY_RESET = 0x52
NO_MEMORY = 0x32

OPENED: Mapping[Door, int] = {Door.MAIN: 0x11, Door.CASHBOX: 0x19, Door.LOGIC: 0x15}
CLOSED: Mapping[Door, int] = {Door.MAIN: 0x12, Door.CASHBOX: 0x1A, Door.LOGIC: 0x16}
WHILE_OFF: Mapping[Door, int] = {Door.LOGIC: 0x98, Door.MAIN: 0x99, Door.CASHBOX: 0x9A}
_DOORS = {
    LogKind.DOOR_OPENED: OPENED,
    LogKind.DOOR_CLOSED: CLOSED,
    LogKind.DOOR_WHILE_OFF: WHILE_OFF,
}

NOTES: Mapping[int, int] = {
    100: 0x47,
    500: 0x48,
    1_000: 0x49,
    2_000: 0x4A,
    5_000: 0x4B,
    10_000: 0x4C,
    200: 0x4D,
    50_000: 0x4E,
    20_000: 0x50,
}
"""An accepted note by its value in cents."""
ANY_NOTE = 0x4F

_LOCKED = {
    "excessive meter increment": GENERAL_TILT,
    "copies not compared": GENERAL_TILT,
    "records in doubt": GENERAL_TILT,
    "memory fault": NO_MEMORY,
    "excessive rejects": 0x29,
}


def game_code(event: Event) -> int | None:
    """The code of an event of a round, which is no entry of the log; None for any other event."""
    match event:
        case RoundBegan():
            return GAME_STARTED
        case RoundSettled() | RoundVoided():
            return GAME_ENDED
        case _:
            return None


def code_of(what: LogKind, detail: str = "", cents: int | None = None) -> int | None:
    """The code of an entry of the log; None for one that has none."""
    subject = detail.partition(":")[0]
    match what:
        case LogKind.DOOR_OPENED | LogKind.DOOR_CLOSED | LogKind.DOOR_WHILE_OFF:
            return next((code for door, code in _DOORS[what].items() if door.value == subject), None)
        case LogKind.FAULT_BEGAN:
            return next((code for fault, code in FAULTS.items() if fault.value == subject), None)
        case LogKind.FAULT_ENDED:
            return CASHBOX_BACK if subject == Fault.CASHBOX_REMOVED.value else None
        case LogKind.NOTE_ACCEPTED | LogKind.NOTE_RECOVERED:
            return NOTES.get(cents or 0, ANY_NOTE)
        case LogKind.LOCKED:
            return _LOCKED.get(subject)
        case LogKind.UNLOCKED | LogKind.SETTLED:
            return HAND_PAY_RESET if subject in {"hand-pay", "large win"} else None
        case LogKind.PROGRAM_CHANGED:
            old, _, new = detail.partition(", files")[0].partition(" to ")
            return HASH_WRONG if old == new else EVENTS[what]
        case _:
            return EVENTS.get(what)
