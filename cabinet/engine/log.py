"""The entries of the event log: their kinds, and one entry.

The text of a kind is stored in journals and never changes.
"""

from dataclasses import dataclass
from enum import Enum


class LogKind(Enum):
    """Significant events of the log; the value is what the attendant reads. A game is no entry, because the games have
    a list of their own; only older programs logged its start and its end."""

    POWER_UP = "power up"
    POWER_UP_AFTER_CRASH = "power up after a crash"
    POWER_LOST_IN_PLAY = "power lost during play"
    POWER_DOWN = "power down"
    DOOR_OPENED = "door opened"
    DOOR_CLOSED = "door closed"
    DOOR_WHILE_OFF = "door opened while off"
    FAULT_BEGAN = "fault began"
    FAULT_ENDED = "fault ended"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    NOTE_ACCEPTED = "note accepted"
    NOTE_REFUSED = "note refused"
    NOTE_REJECTED = "note rejected"
    NOTE_RETURNED = "note returned"
    NOTE_RECOVERED = "note recovered after power-up"
    NOTE_UNEXPECTED = "unexpected note"
    TICKET_ACCEPTED = "ticket accepted"
    TICKET_REFUSED = "ticket refused"
    TICKET_RETURNED = "ticket returned"
    TICKET_RECOVERED = "ticket recovered after power-up"
    TICKET_UNEXPECTED = "unexpected ticket"
    TICKET_PAID = "ticket paid by hand"
    CASH_OUT = "cash-out pressed"
    TICKET_PRINTED = "ticket printed"
    PRINT_FAILED = "print failed"
    PRINT_UNKNOWN = "print outcome unknown"
    HAND_PAY_PENDING = "hand-pay pending"
    HAND_PAID = "hand-pay made"
    HAND_PAY_BACKED_OUT = "player backed out of hand-pay"
    LARGE_WIN = "large win"
    GAME_STARTED = "game started"
    GAME_ENDED = "game ended"
    ROUND_VOIDED = "round voided"
    HAND_ABANDONED = "hand abandoned"
    LIMIT_SET = "player set a limit"
    LIMIT_REACHED = "player's limit reached"
    LIMIT_PASSED = "player played on past a limit"
    CALL_ON = "call lamp on"
    CALL_OFF = "call lamp off"
    AUDIT_ENTERED = "attendant menu entered"
    AUDIT_LEFT = "attendant menu left"
    TECHNICIAN_ENTERED = "technician's level entered"
    TECHNICIAN_LEFT = "technician's level left"
    PIN_WRONG = "wrong technician's PIN"
    RECALL_VIEWED = "last games viewed"
    SETTLED = "lock settled"
    OPTIONS_CHANGED = "options changed"
    PERIOD_RESET = "period closed"
    COUNT_ENTERED = "count entered"
    OUT_OF_SERVICE = "out of service"
    BACK_IN_SERVICE = "back in service"
    ACCEPTOR_STARTED = "acceptor started"
    PRINTER_STARTED = "printer started"
    SELF_AUDIT_FAILED = "self-audit failed"
    PROGRAM_CHANGED = "program changed"
    MEMORY_RECOVERED = "memory error recovered"
    MEMORY_CLEAR_PREPARED = "memory clear prepared"
    MEMORY_CLEAR_LEFT = "memory clear given up"
    MEMORY_CLEARED = "memory cleared"
    METERS_ZEROED = "lifetime meters zeroed"
    COMMISSIONED = "machine commissioned"
    FORM_CHANGED = "form of the data changed"
    UPDATE_TAKEN_BACK = "update taken back"
    SINGLE_COPY = "no second copy of the data"
    LOG_OVERFLOW = "event log overflow"
    CLOCK_JUMPED = "clock jumped"
    TIME_CONFIRMED = "present time confirmed"


LASTING = frozenset(
    {
        LogKind.DOOR_OPENED,
        LogKind.DOOR_CLOSED,
        LogKind.DOOR_WHILE_OFF,
        LogKind.FAULT_BEGAN,
        LogKind.FAULT_ENDED,
        LogKind.LOCKED,
        LogKind.UNLOCKED,
        LogKind.SETTLED,
        LogKind.AUDIT_ENTERED,
        LogKind.AUDIT_LEFT,
        LogKind.TECHNICIAN_ENTERED,
        LogKind.TECHNICIAN_LEFT,
        LogKind.PIN_WRONG,
        LogKind.OPTIONS_CHANGED,
        LogKind.PERIOD_RESET,
        LogKind.COUNT_ENTERED,
        LogKind.HAND_PAID,
        LogKind.TICKET_PAID,
        LogKind.OUT_OF_SERVICE,
        LogKind.BACK_IN_SERVICE,
    }
)
"""Kinds of doors, keys, locks, settlements and settings: what a player does removes none of their newest entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """An entry of the significant-event log."""

    what: LogKind
    detail: str = ""
    cents: int | None = None
