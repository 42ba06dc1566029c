"""Every row of the event table has its code, and gets it through what really happens."""

from collections.abc import Iterable

import pytest
from support.cases import case
from support.clears import CLEARS, prepared
from support.inputs import ACCEPTOR, PRINTER
from support.machines import POWER, SETTINGS, dealt, one_table, seated

from cabinet.attendant.sas_codes import FAULTS, code_of, game_code
from cabinet.engine.effects import Event
from cabinet.engine.inputs import (
    BackOut,
    BillRejected,
    CallAttendant,
    CashOut,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    MemoryRecovered,
    PoweredUp,
    PrintUnknown,
    ProgramChecked,
    RecallViewed,
    RecordsDropped,
    ResetPeriod,
    SetOutOfService,
    SettingsChanged,
    Stand,
    TicketPrinted,
    VoidRound,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.rules import TABLE

AUDIT, AUDIT_BACK = KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.AUDIT, on=False)
RESET = KeyTurned(key=Key.RESET, on=True)
LARGE = SETTINGS.ticket_max_cents + 100
NOTES = {100: 0x47, 500: 0x48, 1_000: 0x49, 2_000: 0x4A, 5_000: 0x4B, 10_000: 0x4C}


def codes(events: Iterable[object]) -> list[int | None]:
    """The codes of the entries of the log among these events."""
    return [code_of(each.what, each.detail, each.cents) for each in events if isinstance(each, LogEntry)]


def game_codes(events: Iterable[Event]) -> list[int]:
    """The codes of the events of a game among these events."""
    return [code for code in map(game_code, events) if code is not None]


ROWS: dict[str, tuple[int, int, tuple[Input, ...]]] = {
    "power up": (0x17, 0, (POWER,)),
    "main door open": (0x11, 0, (DoorOpened(door=Door.MAIN),)),
    "main door closed": (0x12, 0, (DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))),
    "cash box door open": (0x19, 0, (DoorOpened(door=Door.CASHBOX),)),
    "cash box door closed": (0x1A, 0, (DoorOpened(door=Door.CASHBOX), DoorClosed(door=Door.CASHBOX))),
    "cash box removed": (0x1B, 0, (FaultBegan(fault=Fault.CASHBOX_REMOVED),)),
    "cash box back": (0x1C, 0, (FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED))),
    "logic area open": (0x15, 0, (DoorOpened(door=Door.LOGIC),)),
    "logic area closed": (0x16, 0, (DoorOpened(door=Door.LOGIC), DoorClosed(door=Door.LOGIC))),
    "logic door opened while off": (0x98, 0, (DoorOpened(door=Door.LOGIC, while_off=True),)),
    "main door opened while off": (0x99, 0, (DoorOpened(door=Door.MAIN, while_off=True),)),
    "cash box door opened while off": (0x9A, 0, (DoorOpened(door=Door.CASHBOX, while_off=True),)),
    "bill jam": (0x28, 0, (FaultBegan(fault=Fault.BILL_JAM, detail="on the way"),)),
    "acceptor hardware": (0x29, 0, (FaultBegan(fault=Fault.ACCEPTOR_HARDWARE),)),
    "acceptor link": (0x29, 0, (FaultBegan(fault=Fault.ACCEPTOR_LINK),)),
    "cheat": (0x2A, 0, (FaultBegan(fault=Fault.BILL_CHEAT),)),
    "bill rejected": (0x2B, 0, (BillRejected(reason="dirty"),)),
    "counterfeit": (0x2C, 0, (FaultBegan(fault=Fault.BILL_COUNTERFEIT),)),
    "cash box full": (0x27, 0, (FaultBegan(fault=Fault.CASHBOX_FULL),)),
    "cash box near full": (0x2E, 0, (FaultBegan(fault=Fault.CASHBOX_NEAR_FULL),)),
    "printer link": (0x60, 0, (FaultBegan(fault=Fault.PRINTER_LINK),)),
    "paper out": (0x61, 0, (FaultBegan(fault=Fault.PAPER_OUT),)),
    "paper low": (0x74, 0, (FaultBegan(fault=Fault.PAPER_LOW),)),
    "printer jam": (0x78, 0, (FaultBegan(fault=Fault.PRINTER_JAM),)),
    "printer off": (0x75, 0, (FaultBegan(fault=Fault.PRINTER_HARDWARE, detail="offline"),)),
    "printer on": (0x76, 0, (PRINTER,)),
    "print outcome unknown": (0x20, 500, (CashOut(), PrintUnknown(sequence=1, reason="no answer"))),
    "ticket printed": (0x3D, 500, (CashOut(), TicketPrinted(sequence=1))),
    "hand-pay pending": (0x51, LARGE, (CashOut(),)),
    "hand-pay validated": (0x3E, LARGE, (CashOut(), RESET)),
    "hand-pay reset": (0x52, LARGE, (CashOut(), RESET)),
    "player backed out": (0x55, LARGE, (CashOut(), BackOut())),
    "memory error recovered": (0x31, 0, (MemoryRecovered(detail="first copy"),)),
    "program changed": (0x36, 0, (PoweredUp(clean=True, version="2.0", program_hash="bb"),)),
    "hash wrong": (0x37, 0, (ProgramChecked(version="1.0", program_hash="bb"),)),
    "options changed": (0x3C, 0, (SettingsChanged(old="turbo=yes", new="turbo=no"),)),
    "bill period reset": (0x7B, 0, (AUDIT, ResetPeriod())),
    "low storage": (0x20, 0, (FaultBegan(fault=Fault.STORAGE_LOW),)),
    "clock not valid": (0x3B, 0, (FaultBegan(fault=Fault.CLOCK_INVALID),)),
    "over-temperature": (0x20, 0, (FaultBegan(fault=Fault.OVER_TEMPERATURE),)),
    "under-voltage": (0x20, 0, (FaultBegan(fault=Fault.UNDER_VOLTAGE),)),
    "cash-out pressed": (0x66, 500, (CashOut(),)),
    "call lamp on": (0x71, 0, (CallAttendant(),)),
    "call lamp off": (0x72, 0, (CallAttendant(), CallAttendant())),
    "attendant menu in": (0x82, 0, (AUDIT,)),
    "attendant menu out": (0x83, 0, (AUDIT, AUDIT_BACK)),
    "operator menu in": (0x84, 0, (AUDIT, DoorOpened(door=Door.LOGIC))),
    "operator menu out": (0x85, 0, (AUDIT, DoorOpened(door=Door.LOGIC), AUDIT_BACK)),
    "out of service": (0x86, 0, (AUDIT, SetOutOfService(out=True))),
    "recall viewed": (0x8A, 0, (AUDIT, RecallViewed())),
    "event buffer overflow": (0x70, 0, (RecordsDropped(row=9, entry=9, digest="aa"),)),
}
"""The event table (1.9a): the code, the credit it begins with, and what leads to it."""


@pytest.mark.requirement("CO-01", "TE-01")
def test_a_row_of_the_event_table_is_logged_with_its_code() -> None:
    for name, (code, credit, inputs) in ROWS.items():
        with case(name=name):
            cabinet = seated("table", credit=credit)
            cabinet.do(*inputs[:-1])
            before = len(cabinet.events)
            cabinet.do(inputs[-1])
            assert codes(cabinet.events[before:]).count(code) == 1


@pytest.mark.requirement("CO-01")
def test_power_lost_in_play_and_the_ends_of_a_game_have_their_codes() -> None:
    cabinet = dealt("table", "9S 6D 8H 10C 10D", credit=500)
    assert game_codes(cabinet.events) == [0x7E]
    cabinet.do(PoweredUp(clean=False, version="1.0", program_hash="aa"))
    assert codes(cabinet.events)[-1] == 0x18
    cabinet.do(ACCEPTOR, PRINTER, Stand())
    assert game_codes(cabinet.events) == [0x7E, 0x7F]


@pytest.mark.requirement("CO-01")
def test_a_voided_game_ends_and_an_older_journal_keeps_the_codes_of_its_games() -> None:
    cabinet = dealt("table", "9S 6D 8H 10C 10D", credit=500)
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), AUDIT, VoidRound())
    assert game_codes(cabinet.events) == [0x7E, 0x7F]
    assert [code_of(what) for what in (LogKind.GAME_STARTED, LogKind.GAME_ENDED)] == [0x7E, 0x7F]


@pytest.mark.requirement("CO-01", "PL-09")
def test_a_memory_clear_and_the_zeroed_meters_have_their_codes() -> None:
    cabinet = prepared()
    cabinet.do(CLEARS)
    assert codes(cabinet.events)[-2:] == [0x3A, 0x7A]


@pytest.mark.requirement("CO-01")
@pytest.mark.parametrize("cents", NOTES)
def test_an_accepted_note_has_the_code_of_its_value(cents: int) -> None:
    cabinet = seated("table", credit=0)
    cabinet.note(cents)
    assert codes(cabinet.events)[-1] == NOTES[cents]
    assert code_of(LogKind.NOTE_ACCEPTED, "", 700) == 0x4F


@pytest.mark.requirement("CO-01")
def test_a_self_audit_failure_and_an_excessive_increment_have_their_codes() -> None:
    assert code_of(LogKind.SELF_AUDIT_FAILED, "accounts sum to 5") == 0x32
    cabinet = seated(credit=0, settings=one_table(TABLE, increment_max_cents=10_000))
    cabinet.note(10_000)
    assert 0x20 in codes(cabinet.events)


def test_every_fault_has_a_code_and_what_only_this_machine_knows_has_none() -> None:
    assert FAULTS.keys() >= set(Fault)
    for what in (LogKind.ACCEPTOR_STARTED, LogKind.CLOCK_JUMPED, LogKind.SINGLE_COPY):
        assert code_of(what, "anything") is None
    assert code_of(LogKind.DOOR_OPENED, "an unknown door") is None
