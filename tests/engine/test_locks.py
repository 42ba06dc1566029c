"""The lock table: complete, each fault does what its row says, and one lock has nothing to do with another."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines import Cabinet, dealt, seated

from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    CashOut,
    CopiesNotCompared,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Hit,
    Key,
    KeyTurned,
    PayTicket,
    PlayerLeft,
    PrintFailed,
    PrintUnknown,
    RecordsDoubted,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.locks import (
    DOOR_LOCKS,
    FAULT_LOCKS,
    LOCKS,
    PRINTER_STOPPERS,
    add_lock,
    cash_out_stopped,
    clear_lock,
    find,
    find_id,
    hand_open,
    notes_stopped,
    play_stopped,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import ClearedBy, LockKind, State
from cabinet.engine.step import StepBuilder

KEYS = frozenset({LogKind.AUDIT_ENTERED, LogKind.AUDIT_LEFT})
LASTING = sorted((fault for fault, kind in FAULT_LOCKS.items() if kind is not None), key=lambda fault: fault.value)


# --- the table --------------------------------------------------------------------------------------------------


def test_every_kind_of_lock_has_its_row() -> None:
    assert set(LOCKS) == set(LockKind)


def test_every_fault_and_every_door_has_its_lock() -> None:
    assert set(FAULT_LOCKS) == set(Fault)
    assert set(DOOR_LOCKS) == set(Door)
    assert [fault for fault, kind in FAULT_LOCKS.items() if kind is None] == [Fault.BILL_COUNTERFEIT]


def test_every_lock_that_waits_for_a_decision_has_one_to_take() -> None:
    """All but two: a memory fault ends with the memory clear, out of service with the command that began it."""
    attended = {ClearedBy.ATTENDANT, ClearedBy.SETTLEMENT}
    without = {kind for kind, rule in LOCKS.items() if rule.cleared_by in attended and not rule.settlements}
    assert without == {LockKind.MEMORY, LockKind.OUT_OF_SERVICE}


def test_a_lock_that_its_condition_ends_has_nothing_to_settle_but_a_time_to_confirm() -> None:
    settled = {kind: rule.settlements for kind, rule in LOCKS.items() if rule.cleared_by is ClearedBy.CONDITION}
    assert {kind: ways for kind, ways in settled.items() if ways} == {
        LockKind.CLOCK_INVALID: (Settlement.TIME_IS_RIGHT,)
    }


@pytest.mark.requirement("EV-07")
def test_the_technician_confirms_the_present_time_and_nothing_else_changes() -> None:
    cabinet = seated("table")
    before = cabinet.machine
    cabinet.do(FaultBegan(fault=Fault.CLOCK_INVALID, detail="behind"))
    lock = cabinet.lock(LockKind.CLOCK_INVALID)
    assert settlements_of(cabinet.machine, lock) == ()
    cabinet.do(DoorOpened(door=Door.LOGIC), KeyTurned(key=Key.AUDIT, on=True))
    cabinet.settle(LockKind.CLOCK_INVALID, Settlement.TIME_IS_RIGHT)
    assert LogKind.TIME_CONFIRMED in cabinet.logged()
    assert (cabinet.machine.faults, cabinet.machine.books.balances) == ((), before.books.balances)
    assert LockKind.CLOCK_INVALID not in cabinet.locked()


def test_a_lock_that_lets_the_hand_finish_lets_the_player_cash_out_except_with_old_records() -> None:
    kinds = {kind for kind, rule in LOCKS.items() if rule.lets_hand_finish}
    assert kinds == {
        LockKind.OUT_OF_SERVICE,
        LockKind.STORAGE_LOW,
        LockKind.SECOND_COPY_LOST,
        LockKind.COPIES_NOT_COMPARED,
        LockKind.RECORDS_IN_DOUBT,
        LockKind.PLAYER_LIMIT,
    }
    stopped = {LockKind.COPIES_NOT_COMPARED, LockKind.RECORDS_IN_DOUBT}
    assert {kind for kind in kinds if LOCKS[kind].stops_cash_out} == stopped


def test_whatever_holds_money_stops_play_notes_and_payout() -> None:
    for kind in (LockKind.NOTE_IN_DOUBT, LockKind.UNEXPECTED_NOTE, LockKind.PRINT_UNKNOWN, LockKind.HAND_PAY):
        rule = LOCKS[kind]
        assert (rule.stops_play, rule.stops_notes, rule.stops_cash_out) == (True, True, True), kind


def test_doors_and_tampering_sound_the_alarm() -> None:
    assert {kind for kind, rule in LOCKS.items() if rule.alarm} == {
        LockKind.LOGIC_DOOR,
        LockKind.MAIN_DOOR,
        LockKind.CASHBOX_DOOR,
        LockKind.BILL_CHEAT,
        LockKind.BILL_JAM,
    }


# --- each fault by itself ---------------------------------------------------------------------------------------


@pytest.mark.requirement("TE-01", "TE-03")
@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: fault.name)
def test_a_fault_stops_exactly_what_its_row_says(fault: Fault) -> None:
    rule = LOCKS[_kind(fault)]
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=fault, detail="seen"))
    machine = cabinet.machine
    assert cabinet.lock(_kind(fault)).detail == "seen"
    assert (cabinet.refusal(Bet(place=0)) == "LOCKED") is play_stopped(machine) is rule.stops_play
    assert notes_stopped(machine) is rule.stops_notes
    assert cash_out_stopped(machine) is rule.stops_cash_out
    assert LogKind.FAULT_BEGAN in cabinet.logged()


def _kind(fault: Fault) -> LockKind:
    kind = FAULT_LOCKS[fault]
    assert kind is not None
    return kind


@pytest.mark.requirement("TE-01", "TE-04")
@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: fault.name)
def test_a_fault_ends_as_its_row_says(fault: Fault) -> None:
    kind = _kind(fault)
    cabinet = seated("table")
    before = cabinet.machine
    cabinet.do(FaultBegan(fault=fault), FaultEnded(fault=fault))
    if LOCKS[kind].cleared_by is not ClearedBy.CONDITION:
        assert not cabinet.lock(kind).present
        cabinet.settle(kind, Settlement.CLEAR)
        assert LogKind.SETTLED in cabinet.logged()
    assert cabinet.locked() == []
    assert LogKind.FAULT_ENDED in cabinet.logged()
    assert not {LogKind.LOCKED, LogKind.UNLOCKED} & set(cabinet.logged()), "one entry names the fault and its lock"
    assert cabinet.machine.phase == before.phase
    assert cabinet.machine.books.balances == before.books.balances


@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: fault.name)
def test_a_fault_that_lasts_cannot_be_cleared_away(fault: Fault) -> None:
    kind = _kind(fault)
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=fault))
    """A time that is doubted is no fault that can be cleared away: the technician confirms it."""
    confirmed = LOCKS[kind].cleared_by is ClearedBy.SETTLEMENT or kind is LockKind.CLOCK_INVALID
    expected = LOCKS[kind].settlements if confirmed else ()
    technician = replace(cabinet.machine, access=replace(cabinet.machine.access, technician=True))
    assert settlements_of(technician, cabinet.lock(kind)) == expected


@pytest.mark.requirement("TE-01")
def test_a_counterfeit_is_an_event_and_no_lock() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.BILL_COUNTERFEIT), FaultBegan(fault=Fault.BILL_COUNTERFEIT))
    assert cabinet.locked() == []
    assert cabinet.logged().count(LogKind.FAULT_BEGAN) == 2


@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: fault.name)
def test_a_fault_that_lasts_for_another_reason_keeps_its_lock_which_says_so(fault: Fault) -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=fault, detail="the one"))
    before = cabinet.lock(_kind(fault))
    cabinet.do(FaultBegan(fault=fault, detail="the other"), FaultBegan(fault=fault))
    assert cabinet.lock(_kind(fault)) == replace(before, detail="the other")
    assert cabinet.logged().count(LogKind.FAULT_BEGAN) == 2
    assert cabinet.machine.faults == (fault,)
    assert LogKind.FAULT_ENDED not in cabinet.logged()


@pytest.mark.requirement("TE-04", "BA-08")
def test_a_jam_has_three_entries_each_with_the_amount_of_its_note() -> None:
    cabinet = seated("table")
    cabinet.do(BillOffered(cents=2_000))
    seen = len(cabinet.events)
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM, detail="on the way"), FaultEnded(fault=Fault.BILL_JAM))
    cabinet.settle(LockKind.BILL_JAM, Settlement.NOTE_RETURNED)
    entries = [(each.what, each.cents) for each in cabinet.events[seen:] if isinstance(each, LogEntry)]
    assert [each for each in entries if each[0] not in KEYS] == [
        (LogKind.FAULT_BEGAN, 2_000),
        (LogKind.FAULT_ENDED, 2_000),
        (LogKind.SETTLED, 2_000),
    ]


@pytest.mark.requirement("TE-07", "EV-05")
def test_a_door_has_an_entry_for_its_opening_and_one_for_its_closing() -> None:
    cabinet = seated("table")
    seen = len(cabinet.logged())
    cabinet.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
    assert cabinet.logged()[seen:] == [LogKind.DOOR_OPENED, LogKind.DOOR_CLOSED]


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("silence", [Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG], ids=lambda fault: fault.name)
def test_a_box_taken_out_is_one_removal_though_its_acceptor_falls_silent(silence: Fault) -> None:
    cabinet = seated("table")
    out, unheard = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)
    cabinet.do(out, FaultBegan(fault=silence), unheard)
    assert cabinet.locked() == [_kind(silence)]
    assert cabinet.do(unheard).events == ()
    cabinet.do(FaultEnded(fault=silence), out)
    assert LockKind.CASHBOX_REMOVED in cabinet.locked()
    assert cabinet.meter("cashbox_removals") == 1
    cabinet.do(unheard, out)
    assert cabinet.meter("cashbox_removals") == 2


def test_a_box_put_back_while_its_acceptor_was_silent_counts_when_it_is_taken_out_again() -> None:
    cabinet = seated("table")
    out, ended = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)
    cabinet.do(out, FaultBegan(fault=Fault.ACCEPTOR_LINK), ended)
    cabinet.do(FaultEnded(fault=Fault.ACCEPTOR_LINK), ended, out)
    assert cabinet.meter("cashbox_removals") == 2


def test_a_fault_reported_twice_is_one_fault() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.PAPER_OUT))
    before = cabinet.machine
    assert cabinet.do(FaultBegan(fault=Fault.PAPER_OUT)).events == ()
    assert cabinet.machine == before
    cabinet.do(FaultEnded(fault=Fault.PAPER_OUT))
    assert cabinet.do(FaultEnded(fault=Fault.PAPER_OUT)).events == ()


@pytest.mark.requirement("BA-08", "BA-09")
def test_a_second_cheat_is_a_second_event_under_the_one_lock() -> None:
    """A device reports a cheat once and never its end, so it is over as soon as it is reported."""
    cabinet = seated("table")
    twice = (FaultBegan(fault=Fault.BILL_CHEAT), FaultEnded(fault=Fault.BILL_CHEAT)) * 2
    cabinet.do(*twice)
    assert cabinet.locked() == [LockKind.BILL_CHEAT]
    assert cabinet.logged().count(LogKind.FAULT_BEGAN) == 2
    cabinet.settle(LockKind.BILL_CHEAT, Settlement.CLEAR)
    assert cabinet.locked() == []


# --- several at once --------------------------------------------------------------------------------------------


@pytest.mark.requirement("TE-02")
@given(st.permutations(LASTING[:8]))
def test_several_faults_are_all_kept_highest_first_and_end_singly(faults: list[Fault]) -> None:
    cabinet = seated("table")
    for fault in faults:
        cabinet.do(FaultBegan(fault=fault))
    order = list(LockKind)
    assert cabinet.locked() == sorted((_kind(fault) for fault in faults), key=order.index)
    for gone, fault in enumerate(faults, start=1):
        cabinet.do(FaultEnded(fault=fault))
        if LOCKS[_kind(fault)].cleared_by is not ClearedBy.CONDITION:
            cabinet.settle(_kind(fault), Settlement.CLEAR)
        assert set(cabinet.locked()) == {_kind(left) for left in faults[gone:]}


@pytest.mark.requirement("TE-02", "TE-07")
def test_a_lock_leaves_the_hand_beneath_it_as_it_is() -> None:
    cabinet = dealt("table", "8S 6D 8H 10C 2S")
    before = cabinet.machine
    cabinet.do(FaultBegan(fault=Fault.DISPLAY_LOST))
    assert cabinet.refusal(Hit()) == "LOCKED"
    assert cabinet.machine.round is before.round
    cabinet.do(FaultEnded(fault=Fault.DISPLAY_LOST))
    assert cabinet.state is State.DECIDING
    assert replace(cabinet.machine, next_lock_id=before.next_lock_id) == before
    cabinet.do(Hit())


def test_a_lock_that_holds_money_is_added_for_each_amount() -> None:
    step = _draft(seated("table"))
    add_lock(step, LockKind.UNEXPECTED_NOTE, cents=500)
    add_lock(step, LockKind.UNEXPECTED_NOTE, cents=500)
    add_lock(step, LockKind.PAPER_OUT)
    add_lock(step, LockKind.PAPER_OUT)
    assert [lock.kind for lock in step.machine.locks] == [LockKind.UNEXPECTED_NOTE] * 2 + [LockKind.PAPER_OUT]
    assert len({lock.lock_id for lock in step.machine.locks}) == 3
    first = step.machine.locks[0]
    assert find(step.machine, LockKind.UNEXPECTED_NOTE) == find_id(step.machine, first.lock_id) == first
    clear_lock(step, first)
    assert find_id(step.machine, first.lock_id) is None
    assert find(step.machine, LockKind.UNEXPECTED_NOTE) is not None


def _draft(cabinet: Cabinet) -> StepBuilder:
    return StepBuilder(cabinet.settings, cabinet.machine, cabinet.draw)


def test_a_lock_ends_the_attract_mode() -> None:
    cabinet = seated("table")
    cabinet.do(PlayerLeft(), FaultBegan(fault=Fault.PAPER_LOW))
    assert cabinet.state is State.BETTING


def test_a_hand_is_open_until_it_is_settled() -> None:
    assert hand_open(dealt("table", "8S 6D 8H 10C").machine)
    assert hand_open(dealt("table", "9S AD 8H 10C").machine)
    assert not hand_open(dealt("table", "AS 6D KH 10C").machine)


def test_printer_stoppers_are_the_locks_under_which_no_ticket_comes_out() -> None:
    assert LockKind.PAPER_LOW not in PRINTER_STOPPERS
    assert {FAULT_LOCKS[fault] for fault in Fault if fault.name.startswith(("PRINTER", "PAPER_OUT"))} < PRINTER_STOPPERS


# --- records that may be old ------------------------------------------------------------------------------------

OLD_RECORDS = {
    LockKind.COPIES_NOT_COMPARED: CopiesNotCompared(detail="the stick is not there"),
    LockKind.RECORDS_IN_DOUBT: RecordsDoubted(detail="of yesterday"),
}
"""With these what the records call unpaid may have been paid."""


@pytest.mark.requirement("PL-06", "CM-10", "TP-13")
@pytest.mark.parametrize("kind", OLD_RECORDS, ids=lambda kind: kind.name)
def test_nothing_is_paid_by_hand_or_printed_again_from_records_that_may_be_old(kind: LockKind) -> None:
    cabinet = seated("table", credit=1_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.note(2_000)
    cabinet.do(CashOut(), PrintFailed(sequence=2, reason="paper out"))
    cabinet.do(OLD_RECORDS[kind])
    hand_pay = cabinet.lock(LockKind.HAND_PAY)
    assert settlements_of(cabinet.machine, hand_pay) == (Settlement.GIVE_CREDIT,)
    paid = cabinet.balance(Account.HAND_PAID)
    cabinet.do(KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False))
    assert cabinet.locked() == [LockKind.HAND_PAY, kind], "the key says yes to neither"
    cabinet.audit()
    pays = (SettleLock(lock_id=hand_pay.lock_id, how=Settlement.PAID_BY_HAND), PayTicket(sequence=1, cents=1_000))
    assert [cabinet.refusal(way) for way in pays] == ["NOT_ALLOWED", "LOCKED"]
    assert cabinet.balance(Account.HAND_PAID) == paid
    cabinet.settle(kind, Settlement.CLEAR)
    cabinet.audit()
    assert [cabinet.refusal(way) for way in pays] == [None, None], "after the comparison it is paid"


@pytest.mark.requirement("PL-06")
@pytest.mark.parametrize("kind", OLD_RECORDS, ids=lambda kind: kind.name)
def test_no_duplicate_is_printed_from_records_that_may_be_old(kind: LockKind) -> None:
    cabinet = seated("table", credit=1_000)
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="no answer"))
    assert Settlement.REPRINT in settlements_of(cabinet.machine, cabinet.lock(LockKind.PRINT_UNKNOWN))
    cabinet.do(OLD_RECORDS[kind])
    ways = settlements_of(cabinet.machine, cabinet.lock(LockKind.PRINT_UNKNOWN))
    assert ways == (Settlement.TICKET_CAME_OUT, Settlement.GIVE_CREDIT)
