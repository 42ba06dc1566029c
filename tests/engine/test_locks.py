"""The lock table: complete, each fault does what its row says, and one lock has nothing to do with another."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case
from support.machines import SETTINGS, Cabinet, dealt, seated

from cabinet.engine import ledger
from cabinet.engine.effects import Refused
from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BillOffered,
    BillRejected,
    BillStacked,
    CashOut,
    CopiesNotCompared,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Hit,
    Input,
    Insure,
    Key,
    KeyTurned,
    MemoryRecovered,
    PayTicket,
    PlayerLeft,
    PoweredUp,
    PrintFailed,
    PrintUnknown,
    RecordsDoubted,
    SettingsChanged,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
    VoidRound,
)
from cabinet.engine.ledger import Account, Books
from cabinet.engine.locks import (
    DOOR_LOCKS,
    FAULT_LOCKS,
    LOCKS,
    PRINTER_STOPPERS,
    add_lock,
    audit_or_lock,
    cash_out_stopped,
    clear_lock,
    find,
    find_id,
    hand_open,
    notes_stopped,
    play_stopped,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import step
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import ClearedBy, LockKind, State
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked

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


def test_what_lets_the_hand_finish_also_lets_the_player_cash_out_unless_the_records_may_be_old() -> None:
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
    assert LogKind.UNLOCKED in cabinet.logged()
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
    technician = replace(cabinet.machine, technician=True)
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
    assert LogKind.UNLOCKED not in cabinet.logged()


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


# --- the audit of the books -------------------------------------------------------------------------------------


def spoiled(cabinet: Cabinet) -> Cabinet:
    """The cabinet with a cent too much in its credit, as a bad memory would have it."""
    books = cabinet.machine.books
    wrong = Books(balances={**books.balances, Account.CREDIT.value: books.credit_cents + 1}, meters=books.meters)
    cabinet.machine = replace(cabinet.machine, books=wrong)
    return cabinet


@pytest.mark.requirement("CM-05", "PL-08")
@pytest.mark.parametrize("press", [Deal(), CashOut()], ids=lambda press: type(press).__name__)
def test_books_that_disagree_lock_the_machine_instead_of_a_hand_or_a_payout(press: Deal | CashOut) -> None:
    cabinet = seated("table")
    cabinet.do(Bet(place=0))
    spoiled(cabinet)
    done = step(cabinet.settings, cabinet.machine, press, cabinet.draw)
    assert [lock.kind for lock in done.machine.locks] == [LockKind.SELF_AUDIT]
    assert (done.postings, done.effects, done.drawn) == ((), (), ())
    assert "credit, transit and suspense hold 1,000.01, the meters say 1,000.00" in done.machine.locks[0].detail
    assert any(isinstance(event, LogEntry) and event.what is LogKind.SELF_AUDIT_FAILED for event in done.events)


def _jammed() -> Cabinet:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), FaultEnded(fault=Fault.BILL_JAM))
    cabinet.audit()
    return cabinet


def _after(*inputs: Input, cabinet: Cabinet | None = None) -> Cabinet:
    found = cabinet or seated("table")
    found.do(*inputs)
    return found


def _stopped_hand() -> Cabinet:
    cabinet = dealt("table", "8S 6D 9H 10C 5D KD")
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), KeyTurned(key=Key.AUDIT, on=True))
    return cabinet


TICKET = TicketOffered(sequence=1, cents=100_000, standing=Standing.PAYABLE)
MOMENTS: dict[str, tuple[Callable[[], Cabinet], Input | Callable[[Cabinet], Input]]] = {
    "start": (seated, PoweredUp(clean=True)),
    "before a hand": (lambda: _after(Bet(place=0)), Deal()),
    "after a hand": (lambda: dealt("table", "8S 6D 9H 10C 5D KD"), Stand()),
    "a large win": (
        lambda: dealt("table", "8S 6D 9H 10C 10D", settings=replace(SETTINGS, large_win_cents=100)),
        Stand(),
    ),
    "a voided hand": (_stopped_hand, VoidRound()),
    "bill": (seated, BillStacked(cents=500)),
    "bill without an intent": (lambda: _after(BillOffered(cents=500)), BillStacked(cents=500)),
    "ticket in": (lambda: _after(CashOut(), TicketPrinted(sequence=1), TICKET), TicketStacked()),
    "door close": (lambda: _after(DoorOpened(door=Door.MAIN)), DoorClosed(door=Door.MAIN)),
    "configuration change": (seated, SettingsChanged(old="a=1", new="a=2")),
    "recovered memory": (seated, MemoryRecovered(detail="first copy")),
    "cash-out": (seated, CashOut()),
    "settlement": (
        _jammed,
        lambda cabinet: SettleLock(lock_id=cabinet.lock(LockKind.BILL_JAM).lock_id, how=Settlement.CLEAR),
    ),
    "reprint": (
        lambda: _after(CashOut(), PrintUnknown(sequence=1, reason="line lost"), KeyTurned(key=Key.AUDIT, on=True)),
        lambda cabinet: SettleLock(lock_id=cabinet.lock(LockKind.PRINT_UNKNOWN).lock_id, how=Settlement.REPRINT),
    ),
    "hand-pay": (lambda: _after(CashOut(), cabinet=seated("table", credit=500_000)), KeyTurned(key=Key.RESET, on=True)),
    "a stake within a hand": (lambda: dealt("european", "8S AD 8C"), Insure()),
    "ticket out": (lambda: _after(CashOut()), TicketPrinted(sequence=1)),
    "back out": (lambda: _after(CashOut(), cabinet=seated("table", credit=500_000)), BackOut()),
    "note rejected": (seated, BillRejected(reason="dirty")),
    "door open": (seated, DoorOpened(door=Door.MAIN)),
    "cash box removed": (seated, FaultBegan(fault=Fault.CASHBOX_REMOVED)),
}
"""When the books are audited: the inputs that lead there, and the input with which they are."""

PAYING = ("before a hand", "cash-out", "reprint", "hand-pay")
"""Moments at which nothing may be dealt or paid when the books are wrong."""


def _cent(account: Account, cents: int, books: Books) -> Books:
    return Books(balances={**books.balances, account.value: books.balance(account) + cents}, meters=books.meters)


SPOILED: dict[str, Callable[[Books], Books]] = {
    "credit": lambda books: _cent(Account.CREDIT, 1, books),
    "credit against the house": lambda books: _cent(Account.HOUSE, -1, _cent(Account.CREDIT, 1, books)),
    "meter": lambda books: Books(balances=books.balances, meters={**books.meters, "coin_in": 7}),
    "cash box against the house": lambda books: _cent(Account.CASHBOX, -1, _cent(Account.HOUSE, 1, books)),
    "table against the house": lambda books: _cent(Account.TABLE, 1, _cent(Account.HOUSE, -1, books)),
}
"""What a bad memory may have made of the books; two accounts at once still sum to zero."""


@pytest.mark.requirement("PL-08", "CM-05", "TE-04")
def test_each_step_of_the_list_finds_books_that_disagree() -> None:
    for spoil, spoilt in SPOILED.items():
        for moment, (lead, said) in MOMENTS.items():
            with case(spoil=spoil, moment=moment):
                cabinet = lead()
                assert LockKind.SELF_AUDIT not in cabinet.locked()
                input_ = said(cabinet) if callable(said) else said
                cabinet.machine = replace(cabinet.machine, books=spoilt(cabinet.machine.books))
                done = step(cabinet.settings, cabinet.machine, input_, cabinet.draw)
                assert not [event for event in done.events if isinstance(event, Refused)]
                assert LockKind.SELF_AUDIT in [lock.kind for lock in done.machine.locks]
                if moment in PAYING:
                    assert (done.postings, done.effects, done.drawn) == ((), (), ())


@pytest.mark.requirement("PL-08")
def test_nothing_is_paid_from_books_in_disorder() -> None:
    paying = seated("table", credit=500_000)
    paying.do(CashOut())
    done = step(SETTINGS, spoiled(paying).machine, KeyTurned(key=Key.RESET, on=True), paying.draw)
    assert done.postings == (), "nothing is paid from books in disorder"
    assert [lock.kind for lock in done.machine.locks] == [LockKind.SELF_AUDIT, LockKind.HAND_PAY]


def test_a_self_audit_lock_comes_back_as_long_as_the_books_disagree() -> None:
    step = _draft(spoiled(seated("table")))
    assert not audit_or_lock(step)
    lock = find(step.machine, LockKind.SELF_AUDIT)
    assert lock is not None
    clear_lock(step, lock)
    assert not audit_or_lock(step)
    assert find(step.machine, LockKind.SELF_AUDIT) is not None
    sound = _draft(seated("table"))
    assert audit_or_lock(sound)
    assert ledger.faults_of(sound.machine.books) == ()


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
