"""Automatic status: on without a page, off around a page, and never mistaken for an answer."""

from pathlib import Path

import pytest
from support.printer_bench import PrinterBench
from support.wire import Wire

from drivers.printers.document import Paper, Print, Printed, PrinterStatus, PrintUnknown
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_80
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits

ON, OFF = b"\x1da\x0e", b"\x1da\x00"
AT_ONCE_S = 0.05


def quiet_bench(folder: Path, **traits: int) -> PrinterBench:
    """A bench with a long poll interval: only automatic status messages arrive."""
    bench = PrinterBench(folder, traits=Traits(**traits))
    bench.protocol = EscPosProtocol(style=PageStyle(paper=MM_80), status_interval_s=1000.0)
    bench.wire = Wire(bench.protocol, bench.printer)
    bench.start()
    bench.wire.run(AT_ONCE_S)  # the printer receives the request to report
    return bench


@pytest.mark.requirement("TP-06")
@pytest.mark.parametrize(
    ("hand", "back", "expected"),
    [
        ("open_cover", "close_cover", PrinterStatus(link=True, paper=Paper.OK, cover_open=True)),
        ("paper_out", "refill", PrinterStatus(link=True, paper=Paper.OUT)),
        ("paper_low", "refill", PrinterStatus(link=True, online=True, paper=Paper.LOW)),
        ("jam", "clear_jam", PrinterStatus(link=True, paper=Paper.OK, jam=True)),
        ("go_offline", "go_online", PrinterStatus(link=True, paper=Paper.OK)),
    ],
)
def test_what_happens_to_the_printer_is_known_at_once(
    tmp_path: Path, hand: str, back: str, expected: PrinterStatus
) -> None:
    bench = quiet_bench(tmp_path)
    getattr(bench.printer, hand)()
    bench.printer.tick(bench.wire.now)
    bench.wire.run(AT_ONCE_S)
    assert bench.status == expected
    getattr(bench.printer, back)()
    bench.printer.tick(bench.wire.now)
    bench.wire.run(AT_ONCE_S)
    assert bench.status == PrinterStatus(link=True, online=True, paper=Paper.OK)


def test_it_is_switched_off_before_a_page_and_on_again_behind_it(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    before = len(bench.sent)
    assert bench.print_and_wait() == Printed(job=1)
    bench.wire.run(1)
    during = bench.sent[before:]
    assert during.startswith(OFF)
    assert during.index(b"\x1b@") < during.rindex(ON)
    assert during.count(ON) == 1


def test_it_stays_off_after_a_page_in_doubt_until_one_is_proved(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.wire.run(0.4)
    bench.printer.open_cover()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    bench.printer.close_cover()
    before = len(bench.sent)
    bench.wire.run(30)
    assert ON not in bench.sent[before:]
    assert bench.print_and_wait(2) == Printed(job=2)
    bench.wire.run(1)
    assert bench.sent[before:].count(ON) == 1


@pytest.mark.parametrize("moment_s", [0.0, 0.004, 0.006, 0.011, 0.02, 0.05])
def test_one_that_crosses_an_order_on_the_line_confirms_nothing(tmp_path: Path, moment_s: float) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=300)).start()
    bench.wire.run(2)
    bench.printer.paper_low()
    bench.wire.run(moment_s)
    bench.wire.order(Print(job=1, document=bench.page()))
    while not bench.outcomes():
        bench.wire.run(0.02)
        assert bench.printer.tickets or not bench.outcomes()
    assert bench.outcomes() == [Printed(job=1)]


def test_frames_whose_first_byte_was_lost_confirm_nothing(tmp_path: Path) -> None:
    """Their other three bytes look like answers in print order; they must not prove a page."""
    for moment_s in (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3):
        bench = PrinterBench(tmp_path / str(moment_s), traits=Traits(dot_lines_per_s=300)).start()
        bench.wire.run(1)
        bench.print(1)
        bench.wire.run(moment_s)
        bench.protocol.receive(b"\x00", bench.wire.now)
        while not bench.outcomes():
            bench.wire.run(0.05)
            assert bench.printer.tickets or not any(isinstance(outcome, Printed) for outcome in bench.outcomes())


def test_a_board_that_does_not_know_it_works_anyway(tmp_path: Path) -> None:
    class Deaf(SimulatedTicketPrinter):
        def _report_automatically(self) -> None:
            """It sends nothing without a question."""

    bench = PrinterBench(tmp_path)
    bench.printer = Deaf(folder=tmp_path)
    bench.wire = Wire(bench.protocol, bench.printer)
    bench.start()
    bench.printer.open_cover()
    bench.wire.run(2)
    assert bench.status.cover_open
    bench.printer.close_cover()
    bench.wire.run(2)
    assert bench.print_and_wait() == Printed(job=1)
