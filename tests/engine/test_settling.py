"""Every way to settle every lock: once, with the same money however the power fails around it."""

import pytest
from support.inputs import ACCEPTOR, PRINTER
from support.machines import SETTINGS, Cabinet, seated
from support.settling import WAYS, choice, ready

from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import (
    CashOut,
    DoorClosed,
    Input,
    PoweredUp,
    PrintFailed,
    PrintUnknown,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS
from cabinet.engine.settlement import settle_lock
from cabinet.engine.state import LockKind
from cabinet.engine.step import StepBuilder

CUT: tuple[Input, ...] = (PoweredUp(clean=False, version="2.0", program_hash="bb"), ACCEPTOR, PRINTER)
PLAYERS = (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE)


def money(cabinet: Cabinet) -> tuple[dict[str, int], dict[str, int]]:
    """Balances and meters, but for starts, doors and ticket counts that a cut itself moves."""
    books = cabinet.machine.books
    meters = {name: value for name, value in books.meters.items() if name != "power_ups" and "doors:" not in name}
    return {name: cents for name, cents in books.balances.items() if cents}, meters


def test_every_settlement_there_is_settles_something() -> None:
    settling = {how for _, how in WAYS}
    assert settling == set(Settlement)
    assert {kind for kind, _ in WAYS} >= {kind for kind in LockKind if LOCKS[kind].settlements}


@pytest.mark.requirement("CM-10", "TP-05", "BA-02", "TE-04")
@pytest.mark.parametrize(("kind", "how"), WAYS, ids=str)
def test_a_lock_is_settled_once_and_no_money_is_made_or_lost(kind: LockKind, how: Settlement) -> None:
    cabinet = ready(kind)
    settle = choice(cabinet, kind, how)
    held = sum(cabinet.balance(account) for account in PLAYERS)
    outside = cabinet.machine.books
    cabinet.do(settle)
    assert kind not in cabinet.locked()
    assert sum(cabinet.machine.books.balances.values()) == 0
    left = sum(cabinet.balance(account) for account in PLAYERS)
    gone = sum(cabinet.balance(account) - outside.balance(account) for account in Account if account not in PLAYERS)
    assert held - left == gone
    settled = money(cabinet)
    assert cabinet.refusal(settle) == ("NOT_NOW" if how is Settlement.REPRINT else "NO_SUCH")
    cabinet.do(*CUT)
    cabinet.audit()
    assert cabinet.refusal(settle) == "NO_SUCH"
    assert money(cabinet) == settled, "neither a second yes nor a cut moves anything"


@pytest.mark.requirement("PL-01", "PL-04", "CM-10")
@pytest.mark.parametrize(("kind", "how"), WAYS, ids=str)
def test_a_cut_before_the_settlement_leaves_the_lock_and_the_same_settlement(kind: LockKind, how: Settlement) -> None:
    whole, cut = ready(kind), ready(kind)
    settle = choice(whole, kind, how)
    whole.do(settle)
    lock = cut.lock(kind)
    cut.do(*CUT)
    assert (cut.lock(kind).detail, cut.lock(kind).cents, cut.lock(kind).sequence) == (
        lock.detail,
        lock.cents,
        lock.sequence,
    )
    if LOCKS[kind].technician:
        cut.technician()
        cut.do(*(DoorClosed(door=door) for door in cut.machine.access.open_doors))
    cut.do(settle)
    assert money(cut) == money(whole)


@pytest.mark.requirement("TP-05", "TP-04")
@pytest.mark.parametrize("came_out", [True, False], ids=["came out", "did not"])
def test_a_duplicate_pays_once_or_leaves_the_ticket_in_doubt(came_out: bool) -> None:
    cabinet = ready(LockKind.PRINT_UNKNOWN)
    held = cabinet.balance(Account.IN_TRANSIT)
    cabinet.do(choice(cabinet, LockKind.PRINT_UNKNOWN, Settlement.REPRINT))
    cabinet.do(TicketPrinted(sequence=1) if came_out else PrintFailed(sequence=1, reason="no paper"))
    assert cabinet.balance(Account.TICKETS) == (held if came_out else 0)
    assert cabinet.balance(Account.IN_TRANSIT) == (0 if came_out else held)
    assert (LockKind.PRINT_UNKNOWN in cabinet.locked()) is not came_out


def test_a_settlement_that_no_rule_covers_clears_nothing_in_silence() -> None:
    cabinet = seated("table", credit=2_000)
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="silent"))
    step = StepBuilder(SETTINGS, cabinet.machine, lambda _: pytest.fail("no card is drawn"))
    lock = cabinet.lock(LockKind.PRINT_UNKNOWN)
    with pytest.raises(EngineError, match="print outcome unknown cannot be settled by 'credit the note'"):
        settle_lock(step, SettleLock(lock_id=lock.lock_id, how=Settlement.CREDIT_NOTE))
