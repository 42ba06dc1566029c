"""Reports: every meter is there under its name, lists are short and readable, no number of a ticket is whole."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk, keep, listed, number_of
from support.cases import case
from support.machines import PRINTER, SETTINGS, dealt, seated

from cabinet.attendant import menu, reports, trials
from cabinet.attendant.data import AttendantData, LogRow
from cabinet.attendant.pages import LineStyle
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    PayTicket,
    PrintFailed,
    PrintUnknown,
    ResetPeriod,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
)
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.store.reports import meters


def _report(cabinet, **more) -> AttendantData:
    games = [table.rules.game_id for table in cabinet.settings.tables]
    return replace(bare_desk(cabinet), meters=meters(cabinet.machine, games), **more)


def _read(lines, column: int = -1) -> dict[str, str]:
    """Labels and values, of the lifetime without a column; a label that comes again is the last one's."""
    return {line.cells[0].strip(): line.cells[column] for line in lines if len(line.cells) > 1}


PERIOD = 1
"""The column of the period."""


def _every_meter(data: AttendantData):
    """The lines of all pages of meters."""
    pages = (reports.meter_lines, reports.statistics_lines, reports.count_lines, reports.return_lines)
    return (*(line for lines in pages for line in lines(data)), *reports.cashbox_lines(data))


# --- meters -----------------------------------------------------------------------------------------------------

STANDARD = {
    "coin in": "Coin in (all stakes)",
    "coin out": "Coin out (paid to credit)",
    "attendant-paid jackpot": "large wins, which are in coin out",
    "attendant-paid cancelled credit": "cancelled credit",
    "cancelled credit total": "Credit cancelled by ticket and hand",
    "games played": "Games played",
    "games won": "Games won",
    "games lost": "Games lost",
    "games pushed": "Games pushed",
    "bill value in": "Notes in",
    "rejected bills": "Notes refused by the acceptor",
    "current credit": "Credit now",
    "ticket in value": "Tickets in",
    "ticket out value": "Tickets out",
    "ticket out count": "Tickets out, count",
    "total won": "Won, total",
    "total hand-paid": "Hand-paid, total",
    "total drop": "Drop, total",
    "games since power-up": "Games since power-up",
    "games since door close": "Games since the main door was closed",
    "bills in stacker, count": "Notes",
    "bills in stacker, value": "Expected amount",
    "theoretical return": "Theoretical return of all stakes",
    "main door": "Main door",
    "drop door": "Cash box door",
    "logic door": "Logic door",
    "power-ups": "Power-ups",
    "blackjacks": "Blackjacks",
    "doubles": "Doubles",
    "splits": "Splits",
    "insurance taken": "Insurances taken",
    "insurance won": "Insurances won",
    "pushes": "Hands pushed",
}
"""The standard list of meters, and what the pages call each."""


@pytest.mark.requirement("ME-01", "AT-04")
def test_every_meter_of_the_list_is_on_the_pages():
    read = _read(_every_meter(_report(seated(), returns={"european": 0.995})))
    for meter, words in STANDARD.items():
        with case(meter=meter):
            assert words in read


@pytest.mark.requirement("ME-01")
def test_every_number_the_store_reports_is_on_the_pages():
    report = meters(seated().machine, ["table"])["lifetime"]
    numbers = {name for name, value in report.items() if isinstance(value, int)} - {"credit", "hand_paid"}
    shown = {row.name for rows in reports.METERS.values() for row in rows}
    assert shown == numbers | {"total_cancelled"}


def test_money_on_paper_has_one_name_on_every_page():
    data = _report(seated())
    lines = (*_every_meter(data), *trials.device_lines(data))
    cells = [cell for line in lines for cell in line.cells]
    assert any("Notes" in cell for cell in cells)
    assert [cell for cell in cells if "bill" in cell.lower()] == []


@pytest.mark.requirement("ME-01")
def test_no_two_meters_have_one_name():
    labels = [row.label for rows in reports.METERS.values() for row in rows]
    assert len(set(labels)) == len(labels)


MOVES = {
    "Notes in": ((BillOffered(cents=500), BillStacked(cents=500)), "$5.00"),
    "Drop, total": ((BillOffered(cents=500), BillStacked(cents=500)), "$5.00"),
    "$5.00": ((BillOffered(cents=500), BillStacked(cents=500)), "1"),
    "Notes refused by the acceptor": ((BillRejected(reason="dirty"),), "1"),
    "Unexpected notes and tickets": ((BillStacked(cents=500),), "$5.00"),
    "Main door": ((DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN)), "1"),
    "Cash box door": ((DoorOpened(door=Door.CASHBOX),), "1"),
    "Logic door": ((DoorOpened(door=Door.LOGIC),), "1"),
    "Cash box removals": ((FaultBegan(fault=Fault.CASHBOX_REMOVED),), "1"),
    "Power-ups": ((), "1"),
}


@pytest.mark.requirement("ME-01")
@pytest.mark.parametrize("label", MOVES)
def test_a_meter_moves_on_the_page_once_per_cause(label):
    inputs, value = MOVES[label]
    cabinet = seated(credit=0)
    if inputs:
        cabinet.do(*inputs)
    data = _report(cabinet)
    lines = (*reports.count_lines(data), *reports.meter_lines(data))
    assert _read(lines)[label] == value


@pytest.mark.requirement("ME-01")
def test_what_is_played_and_paid_is_on_the_page():
    cabinet = dealt("table", "AS 6D KH 10C", credit=10_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    found = _read(_every_meter(_report(cabinet)))
    assert found["Coin in (all stakes)"] == "$1.00"
    assert found["Coin out (paid to credit)"] == "$2.50"
    assert found["Won, total"] == "$2.50"
    assert found["Blackjacks"] == "1"
    assert found["Tickets out"] == "$101.50"
    assert found["Tickets out, count"] == "1"
    assert found["Credit cancelled by ticket and hand"] == "$101.50"
    assert found["Credit now"] == "$0.00"


@pytest.mark.requirement("ME-06")
def test_a_hand_pay_is_in_its_sums():
    cabinet = seated(credit=SETTINGS.ticket_max_cents + 500)
    cabinet.do(CashOut(), KeyTurned(key=Key.RESET, on=True))
    found = _read(reports.meter_lines(_report(cabinet)))
    assert found["cancelled credit"] == found["Hand-paid, total"] == "$3,005.00"
    assert found["Hand-pays, count"] == "1"


@pytest.mark.requirement("ME-04")
def test_the_period_begins_anew_and_the_lifetime_stays():
    cabinet = seated(credit=0)
    cabinet.note(500)
    cabinet.audit()
    cabinet.do(ResetPeriod())
    cabinet.audit(on=False)
    cabinet.note(100)
    data = _report(cabinet)
    assert _read(reports.meter_lines(data), PERIOD)["Notes in"] == "$1.00"
    assert _read(reports.meter_lines(data))["Notes in"] == "$6.00"


@pytest.mark.requirement("AT-10")
def test_the_cash_box_holds_what_came_in_since_it_was_taken_out():
    cabinet = seated(credit=0)
    cabinet.note(500)
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED))
    for cents in (100, 100, 2_000):
        cabinet.note(cents)
    lines = [line.cells for line in reports.cashbox_lines(_report(cabinet))]
    assert lines == [
        ("In the cash box",),
        ("$1.00", "2 = $2.00"),
        ("$20.00", "1 = $20.00"),
        ("Notes", "3"),
        ("Expected amount", "$22.00"),
    ]


@pytest.mark.requirement("ME-10")
def test_each_game_is_metered_apart():
    cabinet = seated("classic", cards="9S 6D 8H 10C 10D")
    cabinet.do(Bet(), Deal(), Stand())
    lines = reports.return_lines(_report(cabinet))
    at = [line.cells[0] for line in lines].index("Classic Blackjack")
    assert lines[at + 1].cells == ("Coin in", "$1.00", "$1.00")
    at = [line.cells[0] for line in lines].index("Table Blackjack")
    assert lines[at + 1].cells == ("Coin in", "$0.00", "$0.00")


@pytest.mark.requirement("ME-09")
@pytest.mark.parametrize(
    ("spread", "style", "band"),
    [
        (1.0, LineStyle.NORMAL, "0.00% to 504.58%"),
        (0.01, LineStyle.WARN, "244.42% to 249.58%"),
    ],
)
def test_an_actual_return_is_judged_by_its_band_alone(spread, style, band):
    cabinet = dealt("table", "AS 6D KH 10C")
    data = _report(cabinet, returns={"table": 2.47}, spreads={"table": spread})
    lines = reports.return_lines(data)
    (actual,) = [line for line in lines if line.cells[0] == "Actual return of all stakes"]
    assert actual.style is style
    assert actual.cells[-1].startswith("250.00%")
    assert ("outside its band" in actual.cells[-1]) is (style is LineStyle.WARN)
    assert _read(lines)["Band of 99 in 100 actual returns"] == band


@pytest.mark.requirement("ME-09")
def test_a_return_without_a_band_is_not_judged():
    lines = reports.return_lines(_report(dealt("table", "AS 6D KH 10C"), returns={"table": 0.995}))
    (actual,) = [line for line in lines if line.cells[0] == "Actual return of all stakes"]
    assert (actual.style, actual.cells[-1]) == (LineStyle.NORMAL, "250.00%")


def test_the_page_of_returns_says_why_the_table_shows_another_theoretical_return():
    words = " ".join(line.cells[0] for line in reports.return_lines(_report(seated())))
    assert "The fine line at the table gives the return of the first bet with best play" in words


def test_a_game_that_was_never_played_has_no_band():
    data = _report(seated(), returns={"european": 0.995}, spreads={"european": 1.0})
    assert "Band of 99 in 100 actual returns" not in _read(reports.return_lines(data))


@pytest.mark.requirement("ME-02")
def test_ten_digits_fit_a_line():
    cabinet = seated(credit=0)
    books = replace(cabinet.machine.books, meters={**cabinet.machine.books.meters, "coin_in": 10**12 - 1})
    cabinet.machine = replace(cabinet.machine, books=books)
    found = _read(reports.meter_lines(_report(cabinet)))
    assert found["Coin in (all stakes)"] == "$9,999,999,999.99"


# --- lists ------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    with ExitStack() as undo:
        yield keep(tmp_path, seated("table", credit=0), undo)


@pytest.mark.requirement("BA-10")
def test_the_last_notes_are_listed_with_value_and_time(kept):
    for cents in (100, 500, 1_000, 2_000, 5_000, 10_000):
        kept.do(BillOffered(cents=cents), BillStacked(cents=cents))
    kept.do(BillRejected(reason="not recognised"))
    rejected, newest, *_ = [line.cells for line in listed(kept.data(), "Log", "Notes")]
    assert rejected[2] == "Note rejected: not recognised"
    assert newest[2:] == ("Note accepted", "$100.00")
    assert len(newest[1]) == len("30 Nov 2026 04:19:00")
    assert len(listed(kept.data(), "Log", "Notes")) == 7


@pytest.mark.requirement("TP-09", "TP-05")
def test_the_last_tickets_are_listed_with_time_amount_state_and_the_end_of_their_number(kept):
    for sequence in (1, 2):
        kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut())
        kept.do(TicketPrinted(sequence=1) if sequence == 1 else PrintUnknown(sequence=2, reason="link lost"))
    second, first = listed(kept.data(), "Tickets", "All tickets")
    assert first.cells[0] == "Ticket 000001"
    assert first.cells[2:] == (f"number ends {number_of(1)[-4:]}", "issued  $5.00")
    assert second.cells[3] == "in doubt  $5.00"
    assert second.style is LineStyle.WARN


@pytest.mark.requirement("TP-09")
def test_every_ticket_is_in_the_list(kept):
    for sequence in range(1, 38):
        kept.do(BillOffered(cents=100), BillStacked(cents=100), CashOut(), TicketPrinted(sequence=sequence))
    lines = listed(kept.data(), "Tickets", "All tickets")
    assert (len(lines), lines[0].cells[0], lines[-1].cells[0]) == (37, "Ticket 000037", "Ticket 000001")


@pytest.mark.requirement("TP-13", "TP-09", "AT-08")
def test_a_ticket_paid_by_hand_is_on_the_list_of_tickets_and_on_that_of_hand_pays(kept):
    kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), TicketPrinted(sequence=1))
    kept.do(KeyTurned(key=Key.AUDIT, on=True), PayTicket(sequence=1, cents=500))
    (ticket,) = [line.cells for line in listed(kept.data(), "Tickets", "All tickets")]
    page = MenuHand(data=kept.data(), menu=menu.Menu(path=("Money", "Hand-pays"))).page
    when = ticket[3].removeprefix("paid by hand ").removesuffix("  $5.00")
    assert page.menu == ("Ticket paid by hand  $5.00",)
    assert page.details == (f"{when}  Ticket 000001  receipt 1",)


@pytest.mark.requirement("TP-12", "TP-09", "AT-04")
def test_the_tickets_put_in_are_listed_newest_first_with_why_one_was_refused(kept):
    kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), TicketPrinted(sequence=1))
    ticket = {"sequence": 1, "cents": 500}
    kept.do(TicketOffered(**ticket, standing=Standing.PAYABLE), BillReturned())
    kept.do(TicketOffered(**ticket, standing=Standing.PAYABLE), TicketStacked(**ticket, standing=Standing.PAYABLE))
    kept.do(TicketOffered(**ticket, standing=Standing.USED), TicketOffered(standing=Standing.UNKNOWN))
    put_in = [line.cells for line in listed(kept.data(), "Tickets", "Tickets put in")]
    assert [(words, amount) for _, _, words, amount in put_in] == [
        ("Ticket refused: no ticket of this machine: not issued here", ""),
        ("Ticket refused: ticket 1: used already", "$5.00"),
        ("Ticket accepted: ticket 1", "$5.00"),
        ("Ticket returned: ticket 1", "$5.00"),
    ]
    for _ in range(40):
        kept.do(TicketOffered(standing=Standing.UNKNOWN))
    assert len(listed(kept.data(), "Tickets", "Tickets put in")) == len(put_in) + 40


@pytest.mark.requirement("TP-05", "TP-09")
def test_a_duplicate_says_how_often_and_when_it_was_printed_again(kept):
    kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), PrintUnknown(sequence=1, reason="link lost"))
    kept.do(PRINTER, KeyTurned(key=Key.AUDIT, on=True))
    kept.do(SettleLock(lock_id=kept.cabinet.machine.locks[0].lock_id, how=Settlement.REPRINT))
    kept.do(TicketPrinted(sequence=1))
    (line,) = listed(kept.data(), "Tickets", "All tickets")
    assert line.cells[2].startswith(f"number ends {number_of(1)[-4:]}, printed again 1x ")
    assert line.cells[2][-8:-6].isdigit()
    assert line.cells[3] == "issued  $5.00"


@pytest.mark.requirement("AT-08")
def test_hand_pays_are_listed_with_time_receipt_and_amount(kept):
    kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), PrintFailed(sequence=1, reason="no paper"))
    kept.do(KeyTurned(key=Key.RESET, on=True))
    page = MenuHand(data=kept.data(), menu=menu.Menu(path=("Money", "Hand-pays"))).page
    when = kept.data().hand_pays[0].when
    assert page.menu == ("Hand-pay made  $5.00",)
    assert page.details == (f"{when}  receipt 1",)


@pytest.mark.requirement("AT-04", "AT-11")
def test_the_log_is_listed_newest_first_with_its_numbers(kept):
    kept.do(KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.AUDIT, on=False), PRINTER)
    lines = [line.cells for line in listed(kept.data(), "Log", "Whole log")]
    numbers = [int(cells[0].split()[0]) for cells in lines]
    assert numbers == sorted(numbers, reverse=True)
    assert [cells[2] for cells in lines] == [
        "Printer started: KR203",
        "Attendant menu left",
        "Attendant menu entered",
    ]


def test_a_long_entry_goes_on_below():
    long = LogRow(number=7, when="now", what="options changed", detail="a=1, " * 30 + "b=2", cents=None)
    lines = [line.cells for line in reports.event_lines(bare_desk(seated()), long)]
    assert len(lines) > 1
    assert lines[0][0] == "7  [3C]"
    assert all(cells[0] == "" for cells in lines[1:])
    assert all(len(cells[2]) <= reports.LOG_WIDE for cells in lines)
    assert " ".join(cells[2] for cells in lines) == f"Options changed: {'a=1, ' * 30}b=2"


EMPTY = {
    ("Log", "Whole log"): "Nothing of this kind has happened yet",
    ("Log", "Notes"): "Nothing of this kind has happened yet",
    ("Money", "Hand-pays"): "Nothing of this kind has happened yet",
    ("Tickets", "All tickets"): "No ticket so far",
}


@pytest.mark.parametrize("path", EMPTY)
def test_an_empty_list_says_so(path):
    hand = MenuHand(data=bare_desk(seated()), menu=menu.Menu(path=path))
    assert hand.rows == [(EMPTY[path],)]


def test_every_page_of_text_says_something(kept):
    for group in menu.GROUPS:
        for leaf in group.leaves:
            if leaf.opens is not None:
                hand = MenuHand(data=kept.data())
                hand.choose(group.name, leaf.name)
                assert hand.page.title == leaf.name or hand.page.figures
                assert hand.page.lines or hand.page.menu or hand.page.figures, leaf.name
