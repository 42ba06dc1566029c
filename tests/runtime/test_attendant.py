"""The cabinet's thread with an attendant at it: pages, the technician's PIN, the memory clear, a duplicate."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.journals import raw
from support.live import Live, running
from support.live_menu import choose, open_menu, page_of

from cabinet.attendant.menu.values import DIGIT_BUTTONS, DIRECT
from cabinet.attendant.pages import PageTouch, Touched
from cabinet.attendant.till import EXPIRED_MEANWHILE, TicketChosen
from cabinet.config.settings import AttendantSection, Config, DisplaySection
from cabinet.engine.closings import AT_CLEAR
from cabinet.engine.inputs import PayTicket
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.engine.ticket_facts import Standing
from cabinet.link import wire
from cabinet.presentation.meanings import READY_AFTER_S
from cabinet.runtime.inbox import Asked, Pressed
from cabinet.runtime.startup import RELEASED_MS
from cabinet.runtime.ticket import write_date, write_moment
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.store.tickets import look_up, to_pay
from cabinet.store.verify import verify


def _logged(folder: Path, what: LogKind) -> int:
    with Journal(folder, str) as journal:
        return len(reports.events(journal.connection, limit=50, what=[what.value]))


def _lines(live: Live) -> list[str]:
    """What the attendant's page says, the first of each line's columns."""
    return [line.cells[0] for line in live.controller.snapshot().attendant.lines]


@pytest.mark.requirement("AT-11")
def test_looking_at_the_last_games_is_logged_once_each_time(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Last games")
        live.press("clear")
        live.until(lambda: page_of(live).title == "Games", "the group")
        choose(live, "Last games")
    assert _logged(tmp_path, LogKind.RECALL_VIEWED) == 2


@pytest.mark.requirement("EV-03")
def test_the_pictures_of_a_game_leave_only_their_log_entry(tmp_path):
    with running(tmp_path) as live:
        live.note(500)
        live.sit()
        live.deal()
        live.stand()
        live.ready()
        number = live.machine.round_number
        open_menu(live)
        before = live.machine
        choose(live, "Last games", f"Game {number} ")
        live.until(lambda: page_of(live).picture is not None, "the pictures")
        while page_of(live).position[0] < page_of(live).position[1]:
            at = page_of(live).position[0]
            live.press("deal")
            live.until(lambda at=at: page_of(live).position[0] == at + 1, "the next card")
        live.press("clear")
        live.until(lambda: page_of(live).title == "Last games", "the list")
        after = live.machine
    assert after == before
    with Journal(tmp_path, str) as journal:
        newest = [row.what for row in reports.events(journal.connection, limit=4)]
    assert newest.count(LogKind.RECALL_VIEWED.value) == 1
    assert newest[newest.index(LogKind.RECALL_VIEWED.value) + 1] == LogKind.AUDIT_ENTERED.value


@pytest.mark.requirement("AT-01")
def test_the_menu_opens_at_the_top_with_nothing_left_over_of_the_last_visit(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Print an audit ticket", "Yes")
        live.until(lambda: live.controller.snapshot().attendant.notice, "what became of the page")
        choose(live, "Technician")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: live.controller.snapshot().attendant is None, "the menu being left")
        open_menu(live)
        page = live.controller.snapshot().attendant
    assert (page.title, page.selected, page.notice) == ("Attendant", 0, "")


@pytest.mark.requirement("SE-07", "PL-09")
def test_a_technician_with_a_pin_clears_the_memory_from_the_panel(tmp_path):
    config = replace(Config(), attendant=AttendantSection(technician_pin="100002"))
    with running(tmp_path, config) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.books.meter("tickets_out"), "the ticket")
        open_menu(live)
        live.simulated_devices.do("logic_door_open")
        live.until(lambda: live.machine.access.open_doors, "the door")
        for pin, wrong in (("000000", 1), ("100002", 0)):
            choose(live, *(("Technician",) if wrong else ()), "Enter the PIN")
            _enter(live, pin)
            live.until(lambda wanted=wrong: live.machine.access.wrong_pins == wanted, "the PIN being taken")
            words = "Wrong PIN. Tries left: 2." if wrong else "The PIN is right: you are the technician."
            live.until(lambda words=words: live.controller.snapshot().attendant.notice == words, words)
        choose(live, "Clear the memory", "Yes")
        live.until(lambda: live.machine.access.clear_prepared, "the clear being prepared")
        live.simulated_devices.do("logic_door_close")
        live.until(lambda: not live.machine.access.clear_prepared, "the clear given up")
        live.simulated_devices.do("logic_door_open")
        live.until(
            lambda: live.controller.snapshot().attendant.notice == "The memory is kept.", "the door and the words"
        )
        choose(live, "Clear the memory", "Yes")
        live.until(lambda: live.machine.access.clear_prepared, "the clear being prepared")
        live.simulated_devices.do("reset_key_on")
        live.until(lambda: live.machine.books.meters.keys() == {"memory_clears", AT_CLEAR}, "the clear")
        words = "The memory is cleared: clear no. 1."
        live.until(lambda: live.controller.snapshot().attendant.notice == words, words)
    assert _logged(tmp_path, LogKind.MEMORY_CLEARED) == 1
    with Journal(tmp_path, str) as journal:
        pins = [row[0] for row in journal.connection.execute("SELECT input FROM steps WHERE input LIKE '%Pin%'")]
    assert len(pins) == 2
    assert not any("100002" in each or "000000" in each for each in pins), "no PIN is on record"
    assert verify(tmp_path).ok
    with running(tmp_path, config, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.machine.printer.ready, "the printer")
        assert live.machine.books.meter("memory_clears") == 1
        assert live.machine.printer.next_ticket == 2


def _enter(live: Live, pin: str) -> None:
    buttons = {digit: button.value.replace(" ", "_") for button, digit in DIGIT_BUTTONS.items()}
    for count, digit in enumerate(pin, start=1):
        live.press(buttons[digit])
        live.until(lambda wanted=count: _entered(live) in {wanted, None}, "the digit")


def _entered(live: Live) -> int | None:
    """The digits that are shown as entered; None where no PIN is entered."""
    return next((line.cells[1].count("*") for line in page_of(live).lines if line.cells[0] == "PIN"), None)


@pytest.mark.requirement("AT-08")
def test_a_settlement_offers_its_receipt_and_a_list_prints_a_marked_copy_of_the_same_facts(tmp_path):
    config = replace(Config(), money=replace(Config().money, ticket_max_cents=400))
    with running(tmp_path, config) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.locks, "the hand-pay")
        open_menu(live)
        choose(live, "Lock (1)", "Paid by hand", "Yes")
        live.until(lambda: not live.machine.locks, "the settlement")
        choose(live, "Print a receipt", "Yes")
        live.until(lambda: len(live.simulated_devices.tickets()) == 1, "the receipt")
        assert page_of(live).menu == ()
        live.until(lambda: page_of(live).notice == "The page came out.", "the printer")
        choose(live, "Hand-pays", "Hand-pay made", "Print a copy of the receipt", "Yes")
        live.until(lambda: len(live.simulated_devices.tickets()) == 2, "the copy")
        first, copy = (page.lines for page in live.simulated_devices.tickets())
    own = ("Printed", "Log entry")
    facts = [[line.strip() for line in page if line.strip() and not line.startswith(own)] for page in (first, copy)]
    assert (facts[0].pop(0), facts[1].pop(0)) == ("RECEIPT", "RECEIPT, COPY")
    assert facts[0] == facts[1]
    assert any(line.startswith("Amount") and line.endswith("$5.00") for line in facts[0])


@pytest.mark.requirement("AT-08")
def test_a_settlement_by_the_reset_key_in_the_menu_offers_its_receipt_and_the_next_visit_does_not(tmp_path):
    config = replace(Config(), money=replace(Config().money, ticket_max_cents=400))
    with running(tmp_path, config) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.locks, "the hand-pay")
        open_menu(live)
        choose(live, "Lock (1)")
        live.simulated_devices.do("reset_key_on")
        live.until(lambda: page_of(live).menu == ("Print a receipt",), "the offer")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: live.controller.snapshot().attendant is None, "the menu being left")
        open_menu(live)
        choose(live, "Lock (0)")
        assert page_of(live).menu == ()


@pytest.mark.requirement("CM-07", "CM-08", "TP-11")
def test_a_cash_out_while_a_page_is_printed_waits_for_it_and_is_a_ticket(tmp_path):
    with running(tmp_path) as live:
        live.note(500)
        open_menu(live)
        choose(live, "Print an audit ticket", "Yes")
        choose(live, "Print an audit ticket", "Yes")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: not live.machine.access.audit_key, "the menu being left")
        live.press("cash_out")
        live.until(lambda: live.machine.books.meter("tickets_out") == 500, "the ticket")
        live.until(lambda: len(live.simulated_devices.tickets()) == 3, "both pages and the ticket")
        assert live.machine.books.meter("hand_paid") == 0
        assert not live.machine.locks
        assert [page.barcode is not None for page in live.simulated_devices.tickets()].count(True) == 1


@pytest.mark.requirement("TP-05", "TP-14")
def test_a_duplicate_bears_the_time_and_the_expiry_of_the_first_ticket(tmp_path):
    day_ms = 86_400_000
    first_ms = RELEASED_MS + 10 * day_ms
    with running(tmp_path, wall_ms=lambda: first_ms) as live:
        live.note(500)
        live.unplug_while_printing()
        live.until(lambda: live.locked(LockKind.PRINT_UNKNOWN), "the ticket being in doubt")
    with running(tmp_path, wall_ms=lambda: first_ms + 3 * day_ms, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.machine.printer.ready, "the printer")
        open_menu(live)
        choose(live, "Locks", "Print outcome unknown", "Reprint", "Yes")
        live.until(lambda: live.machine.books.meter("tickets_out") == 500, "the duplicate")
        words = " ".join(live.simulated_devices.tickets()[-1].lines)
    moment = datetime.fromtimestamp(first_ms / 1_000, tz=UTC).astimezone()
    assert "DUPLICATE" in words
    assert write_moment(moment) in words
    assert write_date(moment + timedelta(days=90)) in words


@pytest.mark.requirement("TP-13", "TP-05", "AT-08")
def test_an_attendant_pays_an_issued_ticket_from_the_panel_once_and_the_list_knows(tmp_path):
    with running(tmp_path) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the ticket")
        open_menu(live)
        choose(live, "Pay a ticket by hand", "Ticket 000001", "Yes")
        live.until(lambda: live.machine.books.meter("tickets_paid") == 500, "the ticket being paid")
        live.until(lambda: "Ticket 000001 is paid. Receipt 1." in _lines(live), "the receipt on the page")
        assert live.controller.snapshot().attendant.menu == ("Print a receipt",)
        choose(live, "All tickets")
        (row,) = live.controller.snapshot().attendant.lines
        assert row.cells[3].startswith("paid by hand ")
    with Journal(tmp_path, str) as journal:
        (row,) = reports.tickets(journal.connection, limit=5)
        assert (row.state, row.settled_ms > 0) == ("paid by hand", True)
        assert reports.unpaid_tickets(journal.connection) == ()
        assert look_up(journal.connection, row.number, 0).standing is Standing.USED
    verdict = verify(tmp_path)
    assert (verdict.problems, verdict.accounts["tickets"], verdict.accounts["hand_paid"]) == ((), 0, 500)


@pytest.mark.requirement("TP-13", "TP-05")
def test_a_ticket_paid_meanwhile_is_not_paid_for_a_second_yes(tmp_path):
    with running(tmp_path) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the ticket")
        open_menu(live)
        choose(live, "Pay a ticket by hand", "Ticket 000001")
        live.controller.put(PayTicket(sequence=1, cents=500))
        live.until(lambda: live.machine.books.meter("tickets_paid") == 500, "the ticket being paid")
        choose(live, "Yes")
        live.until(lambda: "not paid" in live.controller.snapshot().attendant.lines[0].cells[0], "the refusal")
        assert live.machine.books.meter("tickets_paid_count") == 1


@pytest.mark.requirement("TP-13", "TP-14")
def test_an_expired_ticket_is_paid_only_after_a_second_yes_and_the_log_says_so(tmp_path):
    now_ms = [RELEASED_MS]
    with running(tmp_path, wall_ms=lambda: now_ms[0]) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the ticket")
    now_ms[0] += 94 * 86_400_000
    with running(tmp_path, wall_ms=lambda: now_ms[0], confirmed=lambda: True) as live:
        open_menu(live)
        choose(live, "Pay a ticket by hand", "Ticket 000001  $5.00  EXPIRED 3 days ago", "Yes")
        assert live.machine.books.meter("tickets_paid") == 0
        choose(live, "Yes")
        live.until(lambda: live.machine.books.meter("tickets_paid") == 500, "the ticket being paid")
    with Journal(tmp_path, str) as journal:
        (entry,) = reports.events(journal.connection, limit=5, what=[LogKind.TICKET_PAID.value])
    assert entry.detail == "ticket 1, receipt 1, EXPIRED 3 days ago"
    assert verify(tmp_path).ok


@pytest.mark.requirement("TP-13", "TP-14")
def test_a_ticket_that_expires_while_it_is_asked_about_is_not_paid_for_one_yes(tmp_path):
    now_ms = [RELEASED_MS]
    with running(tmp_path, wall_ms=lambda: now_ms[0], confirmed=lambda: True) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the ticket")
        open_menu(live)
        choose(live, "Pay a ticket by hand", "Ticket 000001")
        seen = live.machine
        now_ms[0] += 94 * 86_400_000
        live.controller.wake()
        live.until(lambda: live.machine is not seen, "the jump of the clock")
        live.press("bet", "deal")
        live.until(lambda: live.controller.snapshot().attendant.menu == ("No", "Yes"), "the second question")
        assert live.machine.books.meter("tickets_paid") == 0


@pytest.mark.requirement("TP-13", "TP-14")
def test_a_yes_that_comes_after_the_last_day_pays_nothing(tmp_path):
    now_ms = [RELEASED_MS]
    with running(tmp_path, wall_ms=lambda: now_ms[0]) as live:
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the ticket")
    now_ms[0] += 94 * 86_400_000
    with running(tmp_path, wall_ms=lambda: now_ms[0], confirmed=lambda: True, begin=False) as live:
        controller = live.controller
        controller._deps.housekeeping.clock.check(time.monotonic())  # noqa: SLF001 - the moment between question and yes
        controller._attendant._pay_ticket(TicketChosen(sequence=1), receipt=1)  # noqa: SLF001
        page = controller._attendant.page(live.machine)  # noqa: SLF001
        assert live.machine.books.meter("tickets_paid") == 0
        assert to_pay(live.cabinet.journal.connection, 1, 0) is not None
        assert page.notice == EXPIRED_MEANWHILE


def test_the_outcome_of_a_confirmed_request_is_shown(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Close the period", "Yes")
        live.until(lambda: "period is closed" in live.controller.snapshot().attendant.notice, "the period being closed")
        choose(live, "Take out of service", "Yes")
        live.until(
            lambda: "out of service" in live.controller.snapshot().attendant.notice, "the machine being out of service"
        )
        page = live.controller.snapshot().attendant
    assert page.menu[page.selected] == "Put back in service"
    assert page.lines == ()


def test_a_count_of_a_closing_that_has_left_the_list_meanwhile_is_not_entered(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Close the period", "Yes", "Closed periods", "Period 1", "Enter the count")
        live.press("hit", "deal")
        live.until(lambda: "Yes" in page_of(live).menu, "the question")
        connection = live.cabinet.journal.connection
        forget = Asked(question=wire.Events(), reply=lambda _: connection.execute("DELETE FROM closings"))
        live.controller.put(forget)
        choose(live, "Yes")
        live.until(lambda: "no longer listed" in page_of(live).notice, "the outcome")
    with raw(tmp_path) as connection:
        assert reports.count_events(connection, what=[LogKind.COUNT_ENTERED.value]) == 0


def test_a_touch_that_follows_at_once_on_a_question_answers_nothing(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        live.settle()
        before_s = time.monotonic()
        choose(live, "Close the period")
        place = page_of(live).place
        for word, at_s in (("Yes", before_s), ("No", time.monotonic() + READY_AFTER_S)):
            touched = PageTouch(place=place, what=Touched.ENTRY, nth=("No", "Yes").index(word), word=word)
            live.controller.put(Pressed(wish=touched, at_s=at_s))
        live.until(lambda: page_of(live).title == "Money", "the No")
    assert _logged(tmp_path, LogKind.PERIOD_RESET) == 0


def test_the_menu_is_used_with_a_finger(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        live.settle()
        for nth, word in enumerate(("Money", "Close the period", "Yes")):
            page, at_s = page_of(live), time.monotonic() + 2 * nth * READY_AFTER_S
            touched = PageTouch(place=page.place, what=Touched.ENTRY, nth=page.menu.index(word), word=word)
            live.controller.put(Pressed(wish=touched, at_s=at_s))
            live.until(lambda was=page.place: page_of(live).place != was, word)
    assert _logged(tmp_path, LogKind.PERIOD_RESET) == 1


def test_a_language_holds_until_the_key_is_turned_back(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Language")
        live.press(DIRECT[page_of(live).menu.index("Français")].value)
        live.until(lambda: page_of(live).title == "Langue", "the page in French")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: live.controller.snapshot().attendant is None, "the menu being left")
        open_menu(live)
        assert page_of(live).title == "Attendant"


def test_the_settings_name_the_language_of_the_attendants_pages(tmp_path):
    with running(tmp_path, Config(display=DisplaySection(attendant_language="es"))) as live:
        open_menu(live)
        assert page_of(live).title == "Empleado"
