"""The real pump and the real serial line, with the simulated TCL printer at the far end of a pseudo-terminal."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from typing import TypeVar

import pytest
from support.printer_bench import DIGITS, build_page, build_ticket

from drivers.errors import LineGoneError
from drivers.printers.document import Document, Print, Printed, PrinterEvent, PrinterStatus, PrintOrder, PrintUnknown
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_80
from drivers.printers.tcl.job import Timing
from drivers.printers.tcl.printer import TclProtocol
from drivers.protocol import WireProtocol
from drivers.pump import Pump
from drivers.serial_link import Link, open_link
from drivers.simulated.pty_line import Device, PtyFarEnd
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits
from drivers.simulated.ticket_printer import SimulatedTicketPrinter

EventT = TypeVar("EventT")
PATIENCE_S = 60.0
BRISK = Timing(status_s=0.1, watch_s=0.1, probe_s=0.2)
TRAITS = TclTraits(print_s=0.4, boot_s=0.2, taken_after_s=0.1)


class TornLine:
    """A line that takes the first bytes of a page and is then gone."""

    def __init__(self, link: Link, page: bytes) -> None:
        self._link = link
        self._page = page

    def read(self, max_wait_s: float) -> bytes:
        return self._link.read(max_wait_s)

    def write(self, data: bytes) -> None:
        if self._page in data:
            self._link.write(data[:30])
            raise LineGoneError("30 bytes were written")
        self._link.write(data)

    def wake(self) -> None:
        self._link.wake()

    def close(self) -> None:
        self._link.close()


class Rig:
    """A printer, its line, its pump and what the pump delivered."""

    def __init__(
        self, printer: Device, protocol: WireProtocol[PrinterEvent, PrintOrder], page: bytes | None = None
    ) -> None:
        self.far_end = PtyFarEnd(printer)
        self.events: Queue[PrinterEvent] = Queue()
        self.failures: Queue[BaseException] = Queue()

        def open_line() -> Link:
            link = open_link(self.far_end.path, protocol.line)
            return link if page is None else TornLine(link, page)

        self.pump: Pump[PrinterEvent, PrintOrder] = Pump(
            "printer", protocol, open_line, self.events.put, failed=self.failures.put
        )

    def start(self) -> None:
        self.far_end.start()
        self.pump.start()

    def stop(self) -> None:
        assert self.pump.stop()
        self.far_end.stop()
        assert self.failures.empty()

    def wait_for(self, kind: type[EventT]) -> EventT:
        while True:
            event = self.events.get(timeout=PATIENCE_S)
            if isinstance(event, kind):
                return event

    def wait_until_ready(self) -> None:
        while not self.wait_for(PrinterStatus).can_print:
            pass


@pytest.fixture
def start() -> Iterator[Callable[..., Rig]]:
    with ExitStack() as rigs:

        def build(*parts: object) -> Rig:
            rig = Rig(*parts)
            rigs.callback(rig.stop)
            rig.start()
            return rig

        yield build


def test_tickets_go_through_pump_line_and_printer(start: Callable[..., Rig], tmp_path: Path) -> None:
    printer = SimulatedTclPrinter(folder=tmp_path, traits=TRAITS)
    rig = start(printer, TclProtocol(timing=BRISK))
    rig.wait_until_ready()
    for job in (45, 46):
        rig.pump.order(Print(job=job, document=build_ticket()))
        assert rig.wait_for(Printed) == Printed(job=job)
    tickets = rig.far_end.call(lambda: list(printer.tickets))
    assert [ticket.barcode for ticket in tickets] == [DIGITS, DIGITS]


@pytest.mark.requirement("TP-04")
def test_an_adapter_pulled_while_printing_is_unknown_and_the_printer_comes_back(
    start: Callable[..., Rig], tmp_path: Path
) -> None:
    printer = SimulatedTclPrinter(folder=tmp_path, traits=TclTraits(print_s=3.0, taken_after_s=0.1))
    rig = start(printer, TclProtocol(timing=BRISK))
    rig.wait_until_ready()
    rig.pump.order(Print(job=1, document=build_ticket()))
    while rig.far_end.call(printer.due) is None:
        pass
    rig.far_end.unplug()
    assert rig.wait_for(PrintUnknown).job == 1

    rig.far_end.replug()
    rig.wait_until_ready()
    rig.pump.order(Print(job=2, document=build_ticket()))
    assert rig.wait_for(Printed) == Printed(job=2)


@pytest.mark.fault(37)
@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize("language", ["escpos", "tcl"])
def test_a_page_that_is_written_in_part_only_is_an_unknown_outcome(
    start: Callable[..., Rig], tmp_path: Path, language: str
) -> None:
    parts: dict[str, tuple[Device, WireProtocol[PrinterEvent, PrintOrder], bytes, Document]] = {
        "escpos": (
            SimulatedTicketPrinter(folder=tmp_path),
            EscPosProtocol(style=PageStyle(paper=MM_80)),
            b"\x1dkI",
            build_page(),
        ),
        "tcl": (
            SimulatedTclPrinter(folder=tmp_path, traits=TRAITS),
            TclProtocol(timing=BRISK),
            b"^P|",
            build_ticket(),
        ),
    }
    printer, protocol, page, document = parts[language]
    rig = start(printer, protocol, page)
    rig.wait_until_ready()
    rig.pump.order(Print(job=1, document=document))
    assert rig.wait_for(PrintUnknown) == PrintUnknown(job=1, reason="the line to the printer was lost")
