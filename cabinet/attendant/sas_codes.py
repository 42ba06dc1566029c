"""The log's entries as exception codes of SAS, so that whoever translates for a host only looks up. Pure.

An entry has one code or none; what only this machine knows has none. Codes are those of the event table in the
requirements (1.9a).
"""

from collections.abc import Mapping

from cabinet.engine.effects import Significant
from cabinet.engine.inputs import Door, Fault

GENERAL_TILT = 0x20

EVENTS: Mapping[Significant, int] = {
    Significant.POWER_UP: 0x17,
    Significant.POWER_UP_AFTER_CRASH: 0x17,
    Significant.POWER_LOST_IN_PLAY: 0x18,
    Significant.POWER_DOWN: 0x18,
    Significant.NOTE_REJECTED: 0x2B,
    Significant.NOTE_UNEXPECTED: GENERAL_TILT,
    Significant.CASH_OUT: 0x66,
    Significant.TICKET_PRINTED: 0x3D,
    Significant.TICKET_ACCEPTED: 0x68,
    Significant.TICKET_RECOVERED: 0x68,
    Significant.TICKET_UNEXPECTED: GENERAL_TILT,
    Significant.TICKET_PAID: 0x3E,
    Significant.PRINT_UNKNOWN: GENERAL_TILT,
    Significant.PRINTER_STARTED: 0x76,
    Significant.HAND_PAY_PENDING: 0x51,
    Significant.HAND_PAID: 0x3E,
    Significant.HAND_PAY_BACKED_OUT: 0x55,
    Significant.LARGE_WIN: 0x51,
    Significant.GAME_STARTED: 0x7E,
    Significant.GAME_ENDED: 0x7F,
    Significant.CALL_ON: 0x71,
    Significant.CALL_OFF: 0x72,
    Significant.AUDIT_ENTERED: 0x82,
    Significant.AUDIT_LEFT: 0x83,
    Significant.TECHNICIAN_ENTERED: 0x84,
    Significant.TECHNICIAN_LEFT: 0x85,
    Significant.OUT_OF_SERVICE: 0x86,
    Significant.RECALL_VIEWED: 0x8A,
    Significant.OPTIONS_CHANGED: 0x3C,
    Significant.PERIOD_RESET: 0x7B,
    Significant.METERS_ZEROED: 0x7A,
    Significant.MEMORY_CLEARED: 0x3A,
    Significant.MEMORY_RECOVERED: 0x31,
    Significant.SELF_AUDIT_FAILED: 0x32,
    Significant.PROGRAM_CHANGED: 0x36,
    Significant.LOG_OVERFLOW: 0x70,
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
    Significant.DOOR_OPENED: OPENED,
    Significant.DOOR_CLOSED: CLOSED,
    Significant.DOOR_WHILE_OFF: WHILE_OFF,
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


def code_of(what: Significant, detail: str = "", cents: int | None = None) -> int | None:
    """The code of an entry of the log; None for one that has none."""
    subject = detail.partition(":")[0]
    match what:
        case Significant.DOOR_OPENED | Significant.DOOR_CLOSED | Significant.DOOR_WHILE_OFF:
            return next((code for door, code in _DOORS[what].items() if door.value == subject), None)
        case Significant.FAULT_BEGAN:
            return next((code for fault, code in FAULTS.items() if fault.value == subject), None)
        case Significant.FAULT_ENDED:
            return CASHBOX_BACK if subject == Fault.CASHBOX_REMOVED.value else None
        case Significant.NOTE_ACCEPTED | Significant.NOTE_RECOVERED:
            return NOTES.get(cents or 0, ANY_NOTE)
        case Significant.LOCKED:
            return _LOCKED.get(subject)
        case Significant.UNLOCKED:
            return HAND_PAY_RESET if subject in {"hand-pay", "large win"} else None
        case Significant.PROGRAM_CHANGED:
            old, _, new = detail.partition(", files")[0].partition(" to ")
            return HASH_WRONG if old == new else EVENTS[what]
        case _:
            return EVENTS.get(what)
