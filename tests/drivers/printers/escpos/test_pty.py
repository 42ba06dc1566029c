"""The real pump and the real serial line, with the simulated printer at the far end of a pseudo-terminal."""

from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import TypeVar

import pytest
from support.printer_bench import DIGITS, build_page

from drivers.printers.document import (
    Print,
    Printed,
    PrinterEvent,
    PrinterStarted,
    PrinterStatus,
    PrintOrder,
    PrintUnknown,
)
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_80
from drivers.pump import Pump
from drivers.serial_link import open_link
from drivers.simulated.pty_line import PtyFarEnd
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits

EventT = TypeVar("EventT")
PATIENCE_S = 60.0


class Rig:
    """A printer, its line, its pump and what the pump delivered."""

    def __init__(self, folder: Path, *, chunk: int | None) -> None:
        self.printer = SimulatedTicketPrinter(folder=folder, traits=Traits(dot_lines_per_s=4000, boot_s=0.2))
        self.far_end = PtyFarEnd(self.printer, chunk=chunk)
        self.events: Queue[PrinterEvent] = Queue()
        self.failures: Queue[BaseException] = Queue()
        protocol = EscPosProtocol(style=PageStyle(paper=MM_80), status_interval_s=0.1)
        self.pump: Pump[PrinterEvent, PrintOrder] = Pump(
            "printer",
            protocol,
            lambda: open_link(self.far_end.path, protocol.line),
            self.events.put,
            failed=self.failures.put,
        )

    def wait_for(self, kind: type[EventT]) -> EventT:
        while True:
            event = self.events.get(timeout=PATIENCE_S)
            if isinstance(event, kind):
                return event

    def wait_until_ready(self) -> None:
        while not self.wait_for(PrinterStatus).can_print:
            pass


@pytest.fixture(params=[None, 1], ids=["whole", "byte by byte"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, chunk=request.param)
    rig.far_end.start()
    rig.pump.start()
    yield rig
    assert rig.pump.stop()
    rig.far_end.stop()
    assert rig.failures.empty()


def test_a_ticket_goes_through_pump_line_and_printer(rig: Rig) -> None:
    assert rig.wait_for(PrinterStarted).model == "SIM-TP80"
    rig.wait_until_ready()
    rig.pump.order(Print(job=45, document=build_page()))

    assert rig.wait_for(Printed) == Printed(job=45)
    tickets = rig.far_end.call(lambda: list(rig.printer.tickets))
    assert [ticket.barcode for ticket in tickets] == [DIGITS]
    assert tickets[0].png.stat().st_size > 0


@pytest.mark.requirement("TP-04")
def test_an_adapter_pulled_while_printing_is_unknown_and_the_printer_comes_back(rig: Rig) -> None:
    rig.wait_until_ready()
    rig.pump.order(Print(job=1, document=build_page(lines=200)))
    while not rig.far_end.call(lambda: not rig.printer.page.is_blank):
        pass
    rig.far_end.unplug()
    assert rig.wait_for(PrintUnknown).job == 1

    rig.far_end.replug()
    rig.wait_until_ready()
    rig.pump.order(Print(job=2, document=build_page()))
    assert rig.wait_for(Printed) == Printed(job=2)
