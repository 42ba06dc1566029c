"""Only a printer that has shown it can report is fit for tickets of value."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.printers.catalog import LANGUAGES, PrinterSettings, find_language
from drivers.printers.document import Paper, PrinterEvent, PrinterStarted, PrinterStatus
from drivers.printers.paper import MM_80
from drivers.printers.verdict import Examination, Verdict, examine, judge
from drivers.serial_link import open_link
from drivers.simulated.pty_line import Device, PtyFarEnd
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits
from drivers.simulated.ticket_printer import MUTE, SimulatedTicketPrinter, Traits


@pytest.mark.parametrize(
    ("events", "verdict", "detail"),
    [
        ([], Verdict.SILENT, ""),
        ([PrinterStatus(link=False, fault="no answer")], Verdict.SILENT, "no answer"),
        ([PrinterStarted(model="X")], Verdict.REPORTS, "X"),
        ([PrinterStarted(model="X"), PrinterStatus(link=True, fault="too hot")], Verdict.REPORTS, "X, too hot"),
        ([PrinterStatus(link=True, fault="why", reports=False)], Verdict.CANNOT_REPORT, "why"),
        (
            [PrinterStatus(link=True, paper=Paper.OUT, cover_open=True)],
            Verdict.REPORTS,
            "its cover is open, paper out, offline",
        ),
    ],
)
def test_events_make_a_verdict(events: list[PrinterEvent], verdict: Verdict, detail: str) -> None:
    assert judge(events) == Examination(verdict=verdict, detail=detail)


def _examine(language: str, device: Device) -> Examination:
    far_end = PtyFarEnd(device)
    far_end.start()
    protocol = find_language(language).build(PrinterSettings(paper=MM_80, baud=19200))
    link = open_link(far_end.path, protocol.line)
    try:
        return examine(protocol, link, time.monotonic)
    finally:
        link.close()
        far_end.stop()


GOOD: dict[str, Callable[[Path], Device]] = {
    "escpos": lambda folder: SimulatedTicketPrinter(folder=folder),
    "tcl": lambda folder: SimulatedTclPrinter(folder=folder),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_printer_that_reports_is_named(tmp_path: Path, language: str) -> None:
    found = _examine(language, GOOD[language](tmp_path))
    assert found.verdict is Verdict.REPORTS
    assert "SIM" in found.detail


def test_a_printer_that_reports_an_open_cover_is_fit(tmp_path: Path) -> None:
    printer = SimulatedTicketPrinter(folder=tmp_path)
    printer.open_cover()
    assert _examine("escpos", printer) == Examination(
        verdict=Verdict.REPORTS, detail="its cover is open, paper ok, offline"
    )


@pytest.mark.fault(39)
@pytest.mark.parametrize(
    "traits",
    [Traits(answers=frozenset({1, 4})), Traits(answers_in_order=False), Traits(nonsense=b"OK\r\n")],
    ids=["too few answers", "no proof", "nonsense"],
)
def test_a_printer_that_cannot_report_is_called_so(tmp_path: Path, traits: Traits) -> None:
    found = _examine("escpos", SimulatedTicketPrinter(folder=tmp_path, traits=traits))
    assert found.verdict is Verdict.CANNOT_REPORT
    assert found.detail.startswith("cannot report its status")


@pytest.mark.fault(39)
@pytest.mark.slow
def test_a_mute_or_babbling_printer_gets_no_tickets_whatever_its_language(tmp_path: Path) -> None:
    mute = SimulatedTicketPrinter(folder=tmp_path, traits=MUTE)
    babbling = SimulatedTclPrinter(folder=tmp_path, traits=TclTraits(nonsense=b"*S|what|*"))
    assert _examine("escpos", mute).verdict is Verdict.SILENT
    assert _examine("tcl", babbling).verdict is Verdict.CANNOT_REPORT
