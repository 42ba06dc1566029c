"""The pages of receipts: the offer after a settlement, and a copy from a list."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, keep
from support.machines import seated

from cabinet.attendant.menu import Menu
from cabinet.attendant.menu.receipt_pages import SETTLED
from cabinet.attendant.menu.values import PrintReceipt
from cabinet.engine.inputs import BillOffered, BillStacked, Button, CashOut, Key, KeyTurned, PrintFailed
from cabinet.engine.log import LogKind
from cabinet.store import reports


@pytest.fixture
def kept(tmp_path):
    """A cabinet with a hand-pay that the reset key has settled in the menu."""
    with ExitStack() as undo:
        found = keep(tmp_path, seated("table", credit=0), undo)
        found.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), PrintFailed(sequence=1, reason="no paper"))
        found.do(KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.RESET, on=True))
        yield found


def number_of(kept, kind):
    """Returns the number of the newest log entry of a kind."""
    (row,) = reports.events(kept.journal.connection, limit=1, what=[kind.value])
    return row.number


def offered(kept, *path):
    """Returns the menu just after the settlement, on this page."""
    return MenuHand(data=kept.data(), menu=Menu(path=path, settled=number_of(kept, LogKind.SETTLED)))


@pytest.mark.requirement("AT-08")
@pytest.mark.parametrize("path", [("Service", "Locks and how to settle them"), ("Tickets", "Pay a ticket by hand")])
def test_after_a_settlement_the_page_offers_its_receipt_until_it_is_ordered(kept, path):
    hand = offered(kept, *path)
    assert (hand.page.menu[0], hand.page.details[0]) == ("Print a receipt", "Hand-pay  Paid by hand  $5.00")
    hand.choose("Print a receipt", "No")
    assert hand.page.menu[0] == "Print a receipt"
    hand.choose("Print a receipt")
    assert ("Amount", "$5.00") in [line.cells for line in hand.page.lines]
    hand.press(Button.CLEAR)
    assert hand.page.menu[0] == "Print a receipt"
    hand.choose("Print a receipt", "Yes")
    assert hand.asked == [PrintReceipt(number=number_of(kept, LogKind.SETTLED))]
    assert "Print a receipt" not in hand.page.menu
    assert hand.menu.path == path


def test_the_page_of_a_lock_that_the_reset_key_has_settled_offers_the_receipt(kept):
    hand = offered(kept, "Service", "Locks and how to settle them", "1")
    assert hand.page.menu == ("Print a receipt",)


def test_a_page_that_was_left_offers_no_receipt_any_more(kept):
    hand = offered(kept, "Service", "Locks and how to settle them")
    hand.press(Button.CLEAR)
    hand.choose("Locks")
    assert hand.page.menu == ()


@pytest.mark.requirement("AT-08")
@pytest.mark.parametrize(
    ("page", "label", "kind"),
    [("Hand-pays", "Hand-pay made", LogKind.HAND_PAID), (SETTLED, "Hand-pay", LogKind.SETTLED)],
    ids=["hand-pays", "settled locks"],
)
def test_a_list_prints_a_copy_and_stays_on_the_settlement(kept, page, label, kind):
    hand = MenuHand(data=kept.data())
    hand.choose(page, label)
    lines = [line.cells for line in hand.page.lines]
    assert {("Lock", "Hand-pay"), ("Chosen", "Paid by hand"), ("Receipt number", "1")} <= set(lines)
    hand.choose("Print a copy of the receipt", "Yes")
    assert hand.asked == [PrintReceipt(number=number_of(kept, kind), copy=True)]
    assert [line.cells for line in hand.page.lines] == lines


def test_a_settlement_that_left_the_log_says_so(kept):
    hand = MenuHand(data=kept.data(), menu=Menu(path=("Service", SETTLED, "99999")))
    assert hand.rows == [("This entry is no longer in the log",)]
    gone = replace(offered(kept, "Service", "Locks and how to settle them").menu, settled=99_999)
    assert MenuHand(data=kept.data(), menu=gone).page.menu == ()
