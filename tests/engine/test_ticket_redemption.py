"""Issued tickets that an attendant pays by hand: once, from books that owe them, and never while in question."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.clears import CLEARS, prepared
from support.inputs import ACCEPTOR
from support.machines import POWER, Cabinet, seated

from cabinet.attendant.sas_codes import code_of
from cabinet.engine import machine as engine
from cabinet.engine.effects import Fate, PaidOut, TicketVoided
from cabinet.engine.inputs import (
    CashOut,
    Fault,
    FaultBegan,
    Input,
    PayTicket,
    PrintUnknown,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account, Books
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import LockKind
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.engine.ticket_redemption import why_not_pay

PAY = PayTicket(sequence=1, cents=4_000)
OFFERED = TicketOffered(sequence=1, cents=4_000, standing=Standing.PAYABLE)
STACKED = TicketStacked(sequence=1, cents=4_000, standing=Standing.PAYABLE)


def with_ticket() -> Cabinet:
    """A cabinet without credit that has paid 40.00 on ticket 1."""
    cabinet = seated("table", credit=4_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    return cabinet


@pytest.mark.requirement("TP-13", "AT-08", "TP-05")
def test_a_ticket_paid_at_the_desk_leaves_the_tickets_account_for_a_receipt_and_is_void() -> None:
    cabinet = with_ticket()
    cabinet.note(500)
    shown = cabinet.machine.shown
    cabinet.audit()
    step = cabinet.do(PAY)
    assert TicketVoided(sequence=1, fate=Fate.PAID_BY_HAND) in step.events
    entry = LogEntry(what=LogKind.TICKET_PAID, detail="ticket 1, receipt 1", cents=4_000)
    assert entry in step.events
    assert code_of(entry.what, entry.detail, entry.cents) == 0x3E
    assert (cabinet.balance(Account.TICKETS), cabinet.balance(Account.HAND_PAID)) == (0, 4_000)
    assert (cabinet.meter("tickets_paid"), cabinet.meter("tickets_paid_count"), cabinet.meter("hand_paid")) == (
        4_000,
        1,
        0,
    )
    assert (cabinet.credit, cabinet.machine.printer.next_receipt, cabinet.machine.shown) == (500, 2, shown)
    assert not [event for event in step.events if isinstance(event, PaidOut)], "the player's screen has no part in it"


@pytest.mark.requirement("TP-13", "TP-14")
@pytest.mark.parametrize(("days", "words"), [(1, "EXPIRED 1 day ago"), (1_200, "EXPIRED 1,200 days ago")])
def test_the_log_says_that_a_ticket_was_paid_after_its_last_day(days: int, words: str) -> None:
    cabinet = with_ticket()
    cabinet.audit()
    step = cabinet.do(replace(PAY, expired_days=days))
    details = [event.detail for event in step.events if isinstance(event, LogEntry)]
    assert details == [f"ticket 1, receipt 1, {words}"]


@pytest.mark.requirement("TP-05", "TP-13")
def test_the_books_forbid_to_pay_a_ticket_again_even_if_the_list_erred() -> None:
    cabinet = with_ticket()
    cabinet.audit()
    cabinet.do(PAY)
    assert cabinet.refusal(PAY) == "NO_SUCH"
    assert cabinet.balance(Account.HAND_PAID) == 4_000


@pytest.mark.requirement("TP-13")
@pytest.mark.parametrize(
    "wrong",
    [
        replace(PAY, sequence=0),
        replace(PAY, sequence=2),
        replace(PAY, cents=0),
        replace(PAY, cents=4_001),
        replace(PAY, cents=-100, owed=False),
        replace(PAY, sequence=2, owed=False),
    ],
)
def test_what_was_never_issued_is_not_paid(wrong: PayTicket) -> None:
    cabinet = with_ticket()
    cabinet.audit()
    assert cabinet.refusal(wrong) == "NO_SUCH"


@pytest.mark.requirement("TP-13", "AT-01")
def test_no_ticket_is_paid_without_the_audit_key() -> None:
    assert with_ticket().refusal(PAY) == "NOT_NOW"


@pytest.mark.requirement("TP-04", "TP-13")
@pytest.mark.parametrize(
    ("before", "reason"),
    [((OFFERED,), "NOT_NOW"), ((OFFERED, POWER, ACCEPTOR), "LOCKED")],
    ids=["on its way into the box", "in doubt"],
)
def test_a_ticket_in_question_is_not_paid_at_the_desk(before: Sequence[Input], reason: str) -> None:
    cabinet = with_ticket()
    cabinet.do(*before)
    cabinet.audit()
    assert cabinet.refusal(PAY) == reason
    assert cabinet.balance(Account.TICKETS) == 4_000


@pytest.mark.requirement("TP-13")
def test_no_ticket_is_paid_at_the_desk_while_another_is_being_printed() -> None:
    cabinet = with_ticket()
    cabinet.note(500)
    cabinet.do(CashOut(), FaultBegan(fault=Fault.DISPLAY_LOST))
    cabinet.audit()
    assert cabinet.refusal(PAY) == "NOT_NOW"
    cabinet.do(TicketPrinted(sequence=2))
    assert cabinet.refusal(PAY) is None


@pytest.mark.requirement("TP-04", "TP-13")
def test_a_ticket_whose_printing_is_in_doubt_is_paid_by_settling_that() -> None:
    cabinet = with_ticket()
    cabinet.note(2_000)
    cabinet.note(2_000)
    cabinet.do(CashOut(), PrintUnknown(sequence=2, reason="line lost"))
    cabinet.audit()
    assert cabinet.refusal(replace(PAY, sequence=2)) == "LOCKED"
    step = cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.PAID_BY_HAND)
    assert TicketVoided(sequence=2, fate=Fate.PAID_BY_HAND) in step.events


@pytest.mark.requirement("TP-13", "TP-12")
def test_a_ticket_paid_by_hand_and_then_found_in_the_box_is_booked_once() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, POWER, ACCEPTOR)
    cabinet.settle(LockKind.TICKET_IN_DOUBT, Settlement.TICKET_RETURNED)
    cabinet.audit()
    cabinet.do(PAY)
    cabinet.do(replace(STACKED, standing=Standing.USED, recovered=True))
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE), cabinet.balance(Account.HAND_PAID)) == (0, 0, 4_000)
    assert cabinet.lock(LockKind.UNEXPECTED_TICKET).cents == 0


@pytest.mark.requirement("PL-09", "TP-13")
def test_a_ticket_from_before_a_memory_clear_is_paid_by_the_house() -> None:
    cabinet = prepared()
    cabinet.do(CLEARS)
    assert cabinet.refusal(PayTicket(sequence=1, cents=500)) == "NO_SUCH"
    cabinet.do(PayTicket(sequence=1, cents=500, owed=False))
    assert (cabinet.balance(Account.HOUSE), cabinet.balance(Account.HAND_PAID)) == (-500, 500)
    assert (cabinet.meter("old_tickets_paid"), cabinet.meter("tickets_paid")) == (500, 0)


@pytest.mark.requirement("CM-05", "TP-13")
def test_nothing_is_paid_from_books_in_disorder() -> None:
    cabinet = with_ticket()
    cabinet.audit()
    books = cabinet.machine.books
    wrong = Books(balances=books.balances, meters={**books.meters, "tickets_out": 5_000})
    broken = replace(cabinet.machine, books=wrong)
    assert why_not_pay(cabinet.settings, broken, PAY) is None
    step = engine.step(cabinet.settings, broken, PAY, cabinet.draw)
    assert (step.postings, [lock.kind for lock in step.machine.locks]) == ((), [LockKind.SELF_AUDIT])
