"""Cash-out by ticket and by hand, and every way a ticket can go wrong. Each cent leaves once."""

from dataclasses import replace

import pytest
from support.inputs import PRINTER
from support.machines import POWER, SETTINGS, Cabinet, dealt, in_every_state, seated

from cabinet.engine.cash_out import can_print
from cabinet.engine.effects import Fate, PaidOut, PayingOut, PrintTicket, TicketInDoubt, TicketVoided
from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BillOffered,
    BillStacked,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    PrintFailed,
    PrintUnknown,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.machine import lit
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind, PrintIntent, State

RESET = KeyTurned(key=Key.RESET, on=True)


def held(cabinet: Cabinet) -> tuple[int, int, int, int]:
    """Credit, in transit, tickets, paid by hand."""
    return (
        cabinet.credit,
        cabinet.balance(Account.IN_TRANSIT),
        cabinet.balance(Account.TICKETS),
        cabinet.balance(Account.HAND_PAID),
    )


# --- by ticket --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-03", "TP-02", "CM-07")
def test_all_of_the_credit_goes_on_a_ticket_and_the_meters_wait_for_it() -> None:
    cabinet = seated("table", credit=12_345)
    step = cabinet.do(CashOut())
    assert step.effects == (PrintTicket(sequence=1, cents=12_345, duplicate=False, expires_days=90),)
    assert PayingOut(sequence=1, cents=12_345, expires_days=90) in step.events
    assert held(cabinet) == (0, 12_345, 0, 0)
    assert (cabinet.meter("tickets_out"), cabinet.meter("tickets_out_count")) == (0, 0)
    assert cabinet.machine.printer.printing == PrintIntent(sequence=1, cents=12_345)
    step = cabinet.do(TicketPrinted(sequence=1))
    assert PaidOut(cents=12_345, sequence=1) in step.events
    assert held(cabinet) == (0, 0, 12_345, 0)
    assert (cabinet.meter("tickets_out"), cabinet.meter("tickets_out_count")) == (12_345, 1)
    assert cabinet.state is State.BETTING


def test_the_player_is_back_where_the_cash_out_began() -> None:
    cabinet = dealt("table", "AS 6D KH 10C")
    over = cabinet.machine.results
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    assert cabinet.state is State.SETTLED
    assert cabinet.machine.results is over is not None


@pytest.mark.requirement("TP-02", "TP-05")
def test_a_ticket_number_is_never_used_again() -> None:
    cabinet = seated("table")
    numbers = []
    for word in (TicketPrinted, PrintFailed, PrintUnknown):
        sequence = cabinet.machine.printer.next_ticket
        step = cabinet.do(CashOut())
        numbers += [effect.sequence for effect in step.effects if isinstance(effect, PrintTicket)]
        cabinet.do(word(sequence=sequence) if word is TicketPrinted else word(sequence=sequence, reason="x"))
        if cabinet.machine.locks:
            cabinet.settle(cabinet.machine.locks[0].kind, Settlement.GIVE_CREDIT)
        cabinet.note(1_000)
    assert numbers == [1, 2, 3]
    assert cabinet.machine.printer.next_ticket == 4


@pytest.mark.parametrize("late", [TicketPrinted(sequence=1), PrintFailed(sequence=1, reason="x"),
                                  PrintUnknown(sequence=1, reason="x"), TicketPrinted(sequence=99)])  # fmt: skip
def test_a_late_or_repeated_word_about_a_ticket_changes_nothing(late: Input) -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    before = cabinet.machine
    cabinet.do(late)
    assert cabinet.machine == before


def test_a_word_about_another_ticket_leaves_the_open_one_alone() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), TicketPrinted(sequence=2), PrintFailed(sequence=7, reason="x"))
    assert cabinet.machine.printer.printing is not None
    assert held(cabinet) == (0, 100_000, 0, 0)


@pytest.mark.requirement("PD-24")
def test_what_was_paid_stays_until_the_next_hand_with_the_sum_of_several() -> None:
    cabinet = seated("table", credit=0)
    cabinet.note(5_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.note(2_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=2))
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (2_000, 7_000)
    cabinet.note(1_000)
    cabinet.do(Bet(place=0))
    assert cabinet.machine.shown.paid_out_total_cents == 7_000
    cabinet.do(Deal())
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (0, 0)


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("CM-06")
@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (State.INSURANCE, "NOT_NOW"),
        (State.DECIDING, "NOT_NOW"),
        (State.CASHING_OUT, "NOT_NOW"),
        (State.AUDIT, "AUDIT"),
        (State.LOCKED, "LOCKED"),
    ],
)
def test_cash_out_is_refused_and_moves_no_meter(state: State, reason: str) -> None:
    cabinet = in_every_state()[state]
    before = cabinet.machine.books
    assert cabinet.refusal(CashOut()) == reason
    assert cabinet.machine.books == before


@pytest.mark.requirement("CM-06", "TE-07")
def test_cash_out_is_refused_with_a_door_open_and_over_an_open_note() -> None:
    cabinet = seated("table")
    cabinet.do(DoorOpened(door=Door.MAIN))
    assert cabinet.refusal(CashOut()) == "LOCKED"
    cabinet.do(DoorClosed(door=Door.MAIN), BillOffered(cents=100))
    assert cabinet.refusal(CashOut()) == "NOT_NOW"
    cabinet.do(BillStacked(cents=100), CashOut())
    assert held(cabinet) == (0, 100_100, 0, 0)


def test_cash_out_without_credit_is_refused() -> None:
    assert seated("table", credit=0).refusal(CashOut()) == "NO_CREDIT"


# --- by hand ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("CM-08")
def test_above_the_ticket_limit_an_attendant_pays() -> None:
    settings = replace(SETTINGS, ticket_max_cents=50_000)
    at_limit = seated("table", credit=50_000, settings=settings)
    at_limit.do(CashOut())
    assert at_limit.state is State.CASHING_OUT
    above = seated("table", credit=50_001, settings=settings)
    step = above.do(CashOut())
    assert step.effects == ()
    lock = above.lock(LockKind.HAND_PAY)
    assert (lock.cents, lock.detail) == (50_001, "above the ticket limit")
    assert above.state is State.LOCKED


@pytest.mark.requirement("CM-08", "TP-07", "TP-06")
@pytest.mark.parametrize(
    "fault",
    [Fault.PRINTER_LINK, Fault.PRINTER_HARDWARE, Fault.PRINTER_COVER, Fault.PAPER_OUT],
    ids=lambda fault: fault.name,
)
def test_without_a_working_printer_an_attendant_pays(fault: Fault) -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=fault))
    assert not can_print(cabinet.machine)
    assert cabinet.refusal(Bet(place=0)) is None, "play goes on"
    cabinet.do(CashOut())
    assert cabinet.lock(LockKind.HAND_PAY).cents == 100_000
    cabinet.do(FaultEnded(fault=fault))
    assert can_print(cabinet.machine)


def test_low_paper_is_a_warning_only() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.PAPER_LOW), CashOut())
    assert cabinet.state is State.CASHING_OUT


def test_a_printer_that_has_not_reported_is_not_trusted_with_a_ticket() -> None:
    cabinet = seated("table")
    cabinet.do(POWER, CashOut())
    assert cabinet.lock(LockKind.HAND_PAY).detail == "no printer"


@pytest.mark.requirement("CM-10", "AT-08")
def test_a_hand_pay_is_keyed_off_once_under_a_receipt_number() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut(), RESET)
    assert held(cabinet) == (0, 0, 0, 500_000)
    assert PaidOut(cents=500_000, receipt=1) in cabinet.events
    cabinet.do(RESET, RESET)
    assert held(cabinet) == (0, 0, 0, 500_000)
    assert (cabinet.meter("hand_pays"), cabinet.meter("cancelled_credit"), cabinet.machine.printer.next_receipt) == (
        1,
        500_000,
        2,
    )
    assert cabinet.state is State.BETTING


@pytest.mark.requirement("CM-10")
def test_a_hand_pay_blocks_play_and_money() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut())
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"
    assert cabinet.refusal(Deal()) == "LOCKED"
    assert cabinet.refusal(CashOut()) == "LOCKED"
    cabinet.do(BillOffered(cents=100))
    assert cabinet.machine.acceptor.in_path is None
    assert lit(cabinet.settings, cabinet.machine) == {Button.CASH_OUT, Button.SERVICE}


@pytest.mark.requirement("CM-10", "PL-04")
def test_a_hand_pay_outlives_the_power_with_the_same_amount() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut())
    before = cabinet.machine.locks
    cabinet.do(POWER, PRINTER)
    assert cabinet.machine.locks == before
    assert cabinet.lock(LockKind.HAND_PAY).cents == 500_000


@pytest.mark.requirement("CM-08")
def test_the_player_may_back_out_of_a_hand_pay_once() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut(), BackOut())
    assert held(cabinet) == (500_000, 0, 0, 0)
    assert LogKind.HAND_PAY_BACKED_OUT in cabinet.logged()
    assert cabinet.refusal(BackOut()) == "NOT_NOW"
    assert cabinet.meter("undone") == 500_000


def test_no_player_backs_out_with_an_open_door() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut(), DoorOpened(door=Door.MAIN))
    assert cabinet.refusal(BackOut()) == "LOCKED"
    cabinet.do(DoorClosed(door=Door.MAIN), BackOut())
    assert held(cabinet) == (500_000, 0, 0, 0)


def test_an_attendant_may_give_a_hand_pay_back_as_credit() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut())
    cabinet.settle(LockKind.HAND_PAY, Settlement.GIVE_CREDIT)
    assert held(cabinet) == (500_000, 0, 0, 0)


# --- when printing goes wrong -----------------------------------------------------------------------------------


@pytest.mark.requirement("TP-04", "CM-08")
def test_a_ticket_that_was_not_begun_becomes_a_hand_pay() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), PrintFailed(sequence=1, reason="paper out"))
    assert held(cabinet) == (0, 100_000, 0, 0)
    assert TicketVoided(sequence=1, fate=Fate.NOT_PRINTED) in cabinet.events
    lock = cabinet.lock(LockKind.HAND_PAY)
    assert (lock.detail, lock.sequence) == ("paper out", 1)
    cabinet.do(RESET)
    assert TicketVoided(sequence=1, fate=Fate.PAID_BY_HAND) in cabinet.events
    assert held(cabinet) == (0, 0, 0, 100_000)


_FATES = {Settlement.PAID_BY_HAND: [Fate.PAID_BY_HAND], Settlement.GIVE_CREDIT: [Fate.GIVEN_BACK]}


@pytest.mark.fault(30)
@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize(
    ("how", "after", "meter"),
    [
        (Settlement.TICKET_CAME_OUT, (0, 0, 100_000, 0), "tickets_out"),
        (Settlement.PAID_BY_HAND, (0, 0, 0, 100_000), "cancelled_credit"),
        (Settlement.GIVE_CREDIT, (100_000, 0, 0, 0), "undone"),
    ],
)
def test_an_unknown_outcome_is_the_attendants_to_settle_once(
    how: Settlement, after: tuple[int, ...], meter: str
) -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    lock = cabinet.lock(LockKind.PRINT_UNKNOWN)
    assert (lock.cents, lock.sequence, cabinet.state) == (100_000, 1, State.LOCKED)
    assert TicketInDoubt(sequence=1) in cabinet.events
    assert cabinet.refusal(CashOut()) == "LOCKED"
    cabinet.settle(LockKind.PRINT_UNKNOWN, how)
    assert held(cabinet) == after
    assert cabinet.meter(meter) == 100_000
    cabinet.audit()
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id, how=how)) == "NO_SUCH"
    fates = [event.fate for event in cabinet.events if isinstance(event, TicketVoided)]
    assert fates == _FATES.get(how, [])


@pytest.mark.requirement("TP-05")
def test_a_reprint_is_a_duplicate_under_the_same_number_and_is_paid_once() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.REPRINT)
    assert cabinet.machine.printer.printing == PrintIntent(sequence=1, cents=100_000, duplicate=True)
    assert cabinet.effects[-1] == PrintTicket(sequence=1, cents=100_000, duplicate=True, expires_days=90)
    assert held(cabinet) == (0, 100_000, 0, 0)
    cabinet.do(TicketPrinted(sequence=1), TicketPrinted(sequence=1))
    assert held(cabinet) == (0, 0, 100_000, 0)
    assert (cabinet.meter("tickets_out_count"), cabinet.meter("tickets_reprinted")) == (1, 1)
    assert cabinet.machine.printer.next_ticket == 2
    assert cabinet.state is State.BETTING


@pytest.mark.requirement("TP-04", "TP-05")
@pytest.mark.parametrize("word", [PrintFailed(sequence=1, reason="x"), PrintUnknown(sequence=1, reason="x")])
def test_a_duplicate_that_fails_leaves_the_first_as_much_in_doubt_as_it_was(word: Input) -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.REPRINT)
    cabinet.do(word)
    assert cabinet.lock(LockKind.PRINT_UNKNOWN).sequence == 1
    assert held(cabinet) == (0, 100_000, 0, 0)


def test_no_reprint_is_offered_without_a_printer_or_with_cards_out() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    assert Settlement.REPRINT in settlements_of(cabinet.machine, cabinet.lock(LockKind.PRINT_UNKNOWN))
    cabinet.do(FaultBegan(fault=Fault.PAPER_OUT))
    assert Settlement.REPRINT not in settlements_of(cabinet.machine, cabinet.lock(LockKind.PRINT_UNKNOWN))


@pytest.mark.requirement("TP-04", "PL-01")
def test_power_lost_while_printing_is_an_unknown_outcome_and_never_a_second_ticket() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut())
    step = cabinet.do(POWER)
    assert step.effects == ()
    lock = cabinet.lock(LockKind.PRINT_UNKNOWN)
    assert (lock.cents, lock.sequence, lock.detail) == (100_000, 1, "power lost while printing")
    assert cabinet.do(PRINTER).effects == ()
    assert cabinet.do(TicketPrinted(sequence=1)).machine.locks == (lock,)


@pytest.mark.requirement("TE-07")
def test_a_door_opened_while_printing_does_not_lose_the_ticket() -> None:
    cabinet = seated("table")
    cabinet.do(CashOut(), DoorOpened(door=Door.MAIN), TicketPrinted(sequence=1))
    assert held(cabinet) == (0, 0, 100_000, 0)
    cabinet.do(DoorClosed(door=Door.MAIN))
    assert cabinet.state is State.BETTING


@pytest.mark.requirement("PL-14")
def test_a_storage_warning_lets_the_hand_finish_and_the_player_cash_out() -> None:
    cabinet = dealt("table", "10S 10D 8H 9C")
    cabinet.do(FaultBegan(fault=Fault.STORAGE_LOW), Stand())
    assert cabinet.state is State.LOCKED
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    assert held(cabinet) == (0, 0, 99_900, 0)
