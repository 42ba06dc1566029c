"""The audit of the books: when it happens, what it finds, and what it stops."""

from collections.abc import Callable
from dataclasses import replace

import pytest
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
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Insure,
    Key,
    KeyTurned,
    MemoryRecovered,
    PoweredUp,
    PrintUnknown,
    SettingsChanged,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
    VoidRound,
)
from cabinet.engine.ledger import Account, Books
from cabinet.engine.locks import (
    audit_or_lock,
    clear_lock,
    find,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import step
from cabinet.engine.state import LockKind
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked


def _draft(cabinet: Cabinet) -> StepBuilder:
    return StepBuilder(cabinet.settings, cabinet.machine, cabinet.draw)


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


def test_wrong_books_are_logged_once_in_a_step_that_is_audited_before_and_behind_it() -> None:
    cabinet = dealt("table", "8S 6D 9H 10C 5D KD")
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), KeyTurned(key=Key.AUDIT, on=True))
    spoiled(cabinet)
    done = step(cabinet.settings, cabinet.machine, VoidRound(), cabinet.draw)
    entries = [entry for entry in done.events if isinstance(entry, LogEntry)]
    assert [entry.what for entry in entries].count(LogKind.SELF_AUDIT_FAILED) == 1
    assert [entry.what for entry in entries].count(LogKind.ROUND_VOIDED) == 1


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
