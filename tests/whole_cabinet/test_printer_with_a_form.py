"""A whole cabinet with a TCL printer: tickets by its own form, one at a time, and pages without value."""

from dataclasses import replace

import pytest
from support.live import running
from support.live_menu import choose

from cabinet.config.settings import Config, DisplaySection, PrinterSection
from cabinet.engine.locks import find
from cabinet.engine.state import LockKind
from cabinet.store import reports
from cabinet.store.journal import Journal

TCL = replace(Config(), printer=PrinterSection(protocol="tcl", baud=9600))


def _cash_out(live, cents: int) -> None:
    live.note(cents)
    live.press("cash_out")
    live.until(
        lambda: live.machine.shown.paid_out_cents == cents and live.machine.printer.printing is None, "the ticket"
    )


@pytest.mark.requirement("TP-01", "TP-03", "TP-08")
def test_a_cash_out_is_a_ticket_of_the_printers_own_form_and_the_next_waits_for_it(tmp_path):
    with running(tmp_path, TCL) as live:
        _cash_out(live, 2_000)
        live.note(500)
        live.press("cash_out")
        live.until(lambda: live.machine.printer.printing is not None, "the next cash-out")
        live.until(lambda: live.controller.snapshot().ticket_waits, "the player being asked to take the first")
        assert len(live.simulated_devices.tickets()) == 1
        live.simulated_devices.do("ticket_take")
        live.until(lambda: live.machine.shown.paid_out_cents == 500, "the next ticket")
        live.simulated_devices.do("ticket_take")
        live.until(lambda: not live.controller.snapshot().ticket_waits, "the second being taken")
        first, second = live.simulated_devices.tickets()
    with Journal(tmp_path, lambda sequence: f"{sequence:018d}") as journal:
        rows = reports.tickets(journal.connection, limit=5)
    assert {row.number for row in rows} == {first.barcode, second.barcode}
    assert "$20.00" in first.lines
    assert "TWENTY DOLLARS" in " ".join(first.lines)


@pytest.mark.requirement("TP-04")
def test_power_lost_while_printing_locks_for_the_attendant(tmp_path):
    with running(tmp_path, TCL) as live:
        live.note(2_000)
        live.press("cash_out")
        live.until(
            lambda: live.simulated_devices.printer_line.call(live.simulated_devices.printer.due) is not None,
            "the printing",
        )
        live.simulated_devices.do("printer_off")
        live.simulated_devices.do("printer_on")
        live.until(lambda: live.locked(LockKind.PRINT_UNKNOWN), "the doubt")
        assert find(live.machine, LockKind.PRINT_UNKNOWN).cents == 2_000
        assert [ticket.barcode for ticket in live.simulated_devices.tickets()] == [None]


@pytest.mark.requirement("TP-07")
def test_without_tickets_the_attendant_pays(tmp_path):
    with running(tmp_path, TCL) as live:
        live.simulated_devices.do("paper_out")
        live.until(lambda: live.locked(LockKind.PAPER_OUT), "the missing paper")
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
        assert live.simulated_devices.tickets() == ()


@pytest.mark.requirement("TP-11")
def test_a_test_ticket_is_plain_lines(tmp_path):
    with running(tmp_path, TCL) as live:
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.controller.snapshot().attendant, "the menu")
        choose(live, "Tests", "Print a test ticket", "Yes")
        live.until(live.simulated_devices.tickets, "the page")
        (page,) = live.simulated_devices.tickets()
        assert page.barcode is None
        assert "NOT MONEY" in " ".join(page.lines)


@pytest.mark.requirement("TP-01")
def test_a_ticket_speaks_the_first_language_of_the_settings(tmp_path):
    german = replace(TCL, display=DisplaySection(language="de"))
    with running(tmp_path, german) as live:
        _cash_out(live, 2_000)
        (ticket,) = live.simulated_devices.tickets()
    said = " ".join(ticket.lines)
    assert "ZWANZIG DOLLAR UND NULL CENT" in said
    assert "20,00 $" in said
    assert "AUTOMAT NR." in said
