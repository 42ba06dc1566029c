"""The faults of printers known from the field (tests/faults.toml), each against its driver."""

from pathlib import Path

import pytest
from support.printer_bench import DIGITS, PrinterBench, TclBench, build_page
from support.wire import Wire

from drivers.errors import ConfigurationError
from drivers.printers.document import (
    Barcode,
    Document,
    Paper,
    Print,
    Printed,
    PrinterStarted,
    PrintFailed,
    PrintUnknown,
)
from drivers.printers.escpos.bytes import PageStyle, encode_document
from drivers.printers.escpos.job import pack
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_58, MM_80, PaperProfile, Symbology
from drivers.simulated.bars import encode_bars
from drivers.simulated.tcl_printer import TclTraits
from drivers.simulated.ticket_printer import MUTE, SimulatedTicketPrinter, Traits

SMALLEST_BUFFER = 256
BENCHES = {"escpos": PrinterBench, "tcl": TclBench}


@pytest.fixture(params=BENCHES)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> PrinterBench:
    return BENCHES[request.param](tmp_path).start()


@pytest.mark.fault(33)
@pytest.mark.requirement("TP-04")
def test_without_paper_nothing_is_sent_and_nothing_comes_after_the_refill(bench: PrinterBench) -> None:
    bench.printer.paper_out()
    outcomes = [type(bench.print_and_wait(job)) for job in (1, 2, 3)]
    bench.printer.refill()
    bench.wire.run(60)
    assert outcomes == [PrintFailed] * 3
    assert bench.printer.tickets == []


@pytest.mark.fault(33)
def test_paper_that_ends_in_a_page_is_no_success_and_the_page_is_not_sent_again(
    bench: PrinterBench,
) -> None:
    bench.print(1)
    bench.wire.run(0.6)
    bench.printer.paper_out()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    pages = bench.sent.count(DIGITS.encode()) + bench.sent.count(b"\x1dkI")
    bench.printer.refill()
    bench.wire.run(60)
    assert bench.sent.count(DIGITS.encode()) + bench.sent.count(b"\x1dkI") == pages


@pytest.mark.fault(34)
@pytest.mark.parametrize("answer", [b"\x00", b"\xff", b"\x92", b"\x33", b"OK", b"\x80\x80"])
def test_an_answer_with_wrong_fixed_bits_is_no_status(tmp_path: Path, answer: bytes) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(nonsense=answer))
    bench.wire.connect()
    bench.wire.run(60)
    assert not bench.all(PrinterStarted)
    assert not bench.status.can_print
    assert not bench.status.reports


@pytest.mark.fault(34)
def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_questions(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.wire.damage = lambda chunk: [(1.3 if len(chunk) == 1 else 0.0, chunk)]  # slower than the patience of 1 s
    bench.printer.paper_out()
    bench.wire.run(30)
    assert not bench.status.can_print
    assert isinstance(bench.print_and_wait(), PrintFailed)


@pytest.mark.fault(35)
@pytest.mark.parametrize("hand", ["paper_out", "open_cover"])
def test_an_offline_printer_is_asked_at_once_and_not_in_print_order(tmp_path: Path, hand: str) -> None:
    bench = PrinterBench(tmp_path).start()
    before = len(bench.sent)
    getattr(bench.printer, hand)()
    bench.wire.run(10)
    assert bench.status.link
    assert not bench.status.can_print
    assert b"\x1dr" not in bench.sent[before:]
    assert isinstance(bench.print_and_wait(), PrintFailed)


@pytest.mark.fault(36)
def test_a_printer_with_the_smallest_buffer_and_no_handshake_loses_nothing_and_cuts(tmp_path: Path) -> None:
    traits = Traits(buffer_bytes=SMALLEST_BUFFER + 16, dot_lines_per_s=200)
    bench = PrinterBench(tmp_path, traits=traits).start()
    assert bench.print_and_wait(document=build_page(lines=150)) == Printed(job=1)
    assert bench.printer.bytes_lost == 0
    assert bench.printer.tickets[0].cut


@pytest.mark.fault(37)
def test_a_page_written_only_in_part_is_an_unknown_outcome(bench: PrinterBench) -> None:
    marks = (b"\x1dkI", b"^P|")
    whole = bench.wire.damage
    bench.wire.damage = lambda chunk: whole(chunk[:40] if any(mark in chunk for mark in marks) else chunk)
    bench.print(1)
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    assert sum(ticket.barcode == DIGITS for ticket in bench.printer.tickets) == 0


@pytest.mark.fault(37)
def test_a_line_that_breaks_under_a_long_page_is_an_unknown_outcome(bench: PrinterBench) -> None:
    bench.print(1)
    bench.wire.run_until(lambda: b"\x1dkI" in bench.sent or b"^P|" in bench.sent)
    bench.wire.disconnect()
    assert [type(outcome) for outcome in bench.outcomes()] == [PrintUnknown]


@pytest.mark.fault(36, 38)
@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize("symbology", Symbology)
def test_no_piece_of_a_page_is_longer_than_the_smallest_buffer(paper: PaperProfile, symbology: Symbology) -> None:
    chunks = pack(encode_document(build_page(lines=200), PageStyle(paper=paper, symbology=symbology)))
    assert max(map(len, chunks)) <= SMALLEST_BUFFER


@pytest.mark.fault(38)
def test_a_page_has_no_pictures_at_all(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print_and_wait()
    for picture in (b"\x1dv0", b"\x1b*", b"\x1d(L", b"\x1d8L"):
        assert picture not in bench.sent


@pytest.mark.fault(39)
@pytest.mark.parametrize(
    "traits",
    [MUTE, Traits(answers=frozenset({4})), Traits(answers_in_order=False), Traits(nonsense=b"\x00")],
    ids=["mute", "paper only", "no proof", "nonsense"],
)
def test_a_printer_that_cannot_report_gets_no_ticket(tmp_path: Path, traits: Traits) -> None:
    bench = PrinterBench(tmp_path, traits=traits)
    bench.wire.connect()
    bench.wire.run(30)
    bench.print(1)
    assert isinstance(bench.outcomes()[0], PrintFailed)
    bench.wire.run(30)
    assert bench.printer.tickets == []
    assert b"cannot report its status" in bench.status.fault.encode()


@pytest.mark.fault(39)
@pytest.mark.parametrize("traits", [TclTraits(nonsense=b"?"), TclTraits(nonsense=b"*S|0|X|ok|*")])
def test_a_tcl_printer_that_cannot_report_gets_no_ticket(tmp_path: Path, traits: TclTraits) -> None:
    bench = TclBench(tmp_path, traits=traits)
    bench.wire.connect()
    bench.wire.run(30)
    bench.print(1)
    assert isinstance(bench.outcomes()[0], PrintFailed)
    assert bench.printer.tickets == []
    assert not bench.status.reports


@pytest.mark.fault(39)
def test_a_line_that_gives_back_what_is_sent_is_no_printer() -> None:
    class LoopBack:
        def __init__(self) -> None:
            self.data = b""

        def receive(self, data: bytes, now: float) -> None:
            self.data += data

        def tick(self, now: float) -> None: ...

        def due(self) -> None: ...

        def bytes_to_send(self) -> bytes:
            data, self.data = self.data, b""
            return data

    for bench in (
        Wire(EscPosProtocol(style=PageStyle(paper=MM_80)), LoopBack()),
        Wire(TclBench(Path()).protocol, LoopBack()),
    ):
        bench.connect()
        bench.run(60)
        bench.order(Print(job=1, document=build_page()))
        assert not any(isinstance(event, PrinterStarted | Printed) for event in bench.events)
        assert isinstance(bench.events[-1], PrintFailed)


@pytest.mark.fault(40)
@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize("symbology", Symbology)
def test_every_bar_code_that_is_sent_comes_out_and_reads_as_its_number(
    tmp_path: Path, paper: PaperProfile, symbology: Symbology
) -> None:
    bench = PrinterBench(tmp_path, paper=paper, symbology=symbology).start()
    bench.print_and_wait()
    assert bench.printer.tickets[0].barcode == DIGITS


@pytest.mark.fault(40)
def test_a_code_without_its_set_or_with_an_odd_count_would_be_blank_and_is_never_sent() -> None:
    pairs = bytes(int(DIGITS[at : at + 2]) for at in range(0, 18, 2))
    assert encode_bars(73, pairs) is None  # as the library sends it
    assert encode_bars(73, b"{C" + pairs) is not None
    for digits in ("1" * 17, "1" * 60, ""):
        with pytest.raises(ConfigurationError):
            encode_document(Document(elements=(Barcode(digits=digits),)), PageStyle(paper=MM_58))


@pytest.mark.fault(41)
def test_a_printer_without_a_paper_sensor_is_named_and_gets_no_ticket(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(answers=frozenset({1, 2, 3})))
    bench.wire.connect()
    bench.wire.run(30)
    assert "the paper sensor cannot be read" in bench.status.fault
    assert bench.status.paper is Paper.UNKNOWN
    assert isinstance(bench.print_and_wait(), PrintFailed)


@pytest.mark.fault(42)
def test_the_next_part_of_a_page_goes_out_only_when_the_one_before_is_printed(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=300)).start()
    held: list[int] = []
    receive = SimulatedTicketPrinter.receive

    def watch(data: bytes, now: float) -> None:
        held.append(bench.printer.bytes_waiting)
        receive(bench.printer, data, now)

    bench.printer.receive = watch
    assert bench.print_and_wait(document=build_page(lines=60)) == Printed(job=1)
    assert max(held) <= SMALLEST_BUFFER
