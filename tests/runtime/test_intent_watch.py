"""An intent that stays open becomes a fact for the machine: a note, a ticket put in, a print."""

import pytest
from support.inputs import PRINTER
from support.machines import Cabinet, seated

from cabinet.engine.inputs import (
    BillOffered,
    BillReturned,
    BillStacked,
    CashOut,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    PaperOverdue,
    PrintUnknown,
    TicketPrinted,
)
from cabinet.engine.state import LockKind, PrintIntent
from cabinet.engine.ticket_facts import Standing, TicketOffered
from cabinet.runtime.intent_watch import IntentWatch


class Watched:
    """A cabinet whose intents are timed, and a clock that is moved."""

    def __init__(self) -> None:
        self.cabinet: Cabinet = seated("table", credit=2_000)
        self.watch = IntentWatch(paper_s=60, print_s=180)
        self.now = 1_000.0

    def after(self, seconds: float) -> list[Fact]:
        """The facts this many seconds later; the machine takes them."""
        self.now += seconds
        facts = list(self.watch.facts(self.cabinet.machine, self.now))
        self.cabinet.do(*facts) if facts else None
        return facts


TICKET = TicketOffered(sequence=1, cents=2_000, standing=Standing.PAYABLE)


@pytest.mark.requirement("BA-03")
def test_a_note_of_which_nothing_is_said_for_a_minute_is_in_doubt_once() -> None:
    watched = Watched()
    watched.cabinet.do(BillOffered(cents=500))
    assert (watched.after(0), watched.after(59)) == ([], [])
    assert watched.after(1) == [PaperOverdue(after_s=60)]
    lock = watched.cabinet.lock(LockKind.NOTE_IN_DOUBT)
    assert (lock.cents, lock.detail) == (500, "the acceptor has said nothing of it for 60 s")
    assert watched.after(600) == []


@pytest.mark.requirement("BA-03", "TP-12")
def test_a_ticket_of_which_nothing_is_said_for_a_minute_is_in_doubt_with_its_number() -> None:
    watched = Watched()
    watched.cabinet.do(PRINTER, CashOut(), TicketPrinted(sequence=1), TICKET)
    watched.after(0)
    watched.after(60)
    lock = watched.cabinet.lock(LockKind.TICKET_IN_DOUBT)
    assert (lock.cents, lock.sequence) == (2_000, 1)
    assert lock.detail == "ticket 1: the acceptor has said nothing of it for 60 s"


def test_the_time_of_the_next_note_begins_anew() -> None:
    watched = Watched()
    for end in (BillStacked(cents=500), BillReturned(), BillStacked(cents=500)):
        watched.cabinet.do(BillOffered(cents=500))
        assert watched.after(0) == watched.after(40) == []
        watched.cabinet.do(end)
        assert watched.after(0) == []


def test_a_jam_shows_where_the_note_is_and_its_time_begins_anew_with_the_end() -> None:
    watched = Watched()
    watched.cabinet.do(BillOffered(cents=500), FaultBegan(fault=Fault.BILL_JAM))
    assert watched.after(0) == watched.after(600) == []
    watched.cabinet.do(FaultEnded(fault=Fault.BILL_JAM))
    assert watched.after(1) == watched.after(58) == []
    assert watched.after(2) != []


@pytest.mark.requirement("TP-04")
def test_a_print_of_which_the_printer_never_says_anything_is_in_doubt_in_the_end() -> None:
    watched = Watched()
    watched.cabinet.do(PRINTER, CashOut())
    assert watched.cabinet.machine.printer.printing == PrintIntent(sequence=1, cents=2_000)
    assert watched.after(0) == watched.after(179) == []
    reported = PrintUnknown(sequence=1, reason="the printer has said nothing of it for 180 s")
    assert watched.after(1) == [reported]
    assert watched.cabinet.lock(LockKind.PRINT_UNKNOWN).cents == 2_000


def test_after_a_restart_the_devices_have_their_time_again() -> None:
    watched = Watched()
    watched.cabinet.do(BillOffered(cents=500))
    watched.after(0)
    watched.watch = IntentWatch(paper_s=60, print_s=180)
    watched.now = 5.0
    assert watched.after(0) == watched.after(59) == []
    assert len(watched.after(1)) == 1
