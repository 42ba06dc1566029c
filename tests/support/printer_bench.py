"""A printer protocol and a simulated printer on one wire in virtual time, and pages to print."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypeVar

from support.wire import Damage, Wire, unharmed

from drivers.printers.document import (
    Align,
    Barcode,
    Columns,
    Document,
    Print,
    Printed,
    PrinterEvent,
    PrinterStarted,
    PrinterStatus,
    PrintFailed,
    PrintOrder,
    PrintUnknown,
    Text,
    Voucher,
)
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_80, PaperProfile, Symbology
from drivers.printers.tcl.printer import TclProtocol
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits

EventT = TypeVar("EventT")
DIGITS = "005671408547977327"
VOUCHER = Voucher(
    number=DIGITS,
    number_text="00-5671-4085-4797-7327",
    establishment="Golden Acorn Hall",
    location="12 Mill Lane",
    city="Riverton",
    date="30 Nov 2026",
    time="14:32",
    ticket="TICKET # 0045",
    amount_words="ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS",
    amount_digits="$134.50",
    validity="30 days",
    machine="0003-031",
)
"""The sample that open drivers of TCL printers carry, with a place of its own."""


def build_page(*, lines: int = 30, digits: str = DIGITS) -> Document:
    """A ticket-like page of some length."""
    body = tuple(Columns(left=f"Line {number}", right="1,234.50") for number in range(lines))
    return Document(elements=(Text(text="VENUE", align=Align.CENTRE, scale=2), Barcode(digits=digits), *body))


def build_ticket() -> Document:
    """The sample ticket, for a printer with a form of its own."""
    return Document(elements=(Text(text="as on the voucher"), Barcode(digits=DIGITS)), voucher=VOUCHER)


class PrinterBench:
    """Both ends of the wire."""

    page: ClassVar[Callable[..., Document]] = staticmethod(build_page)
    printer: SimulatedTicketPrinter | SimulatedTclPrinter
    protocol: EscPosProtocol | TclProtocol

    def __init__(
        self,
        folder: Path,
        *,
        paper: PaperProfile = MM_80,
        traits: Traits | None = None,
        silent: bool = False,
        symbology: Symbology = Symbology.CODE128_C,
        damage: Damage = unharmed,
    ) -> None:
        self.printer = SimulatedTicketPrinter(folder=folder, width_dots=paper.width_dots, traits=traits, silent=silent)
        self.protocol = EscPosProtocol(style=PageStyle(paper=paper, symbology=symbology))
        self.wire: Wire[PrinterEvent, PrintOrder] = Wire(self.protocol, self.printer, damage=damage)

    def start(self) -> "PrinterBench":
        """Connects and waits until the printer has started."""
        self.wire.connect()
        self.wire.run_until(lambda: bool(self.all(PrinterStarted)))
        return self

    def print(self, job: int = 1, document: Document | None = None) -> None:
        """Orders a page."""
        self.wire.order(Print(job=job, document=document or self.page()))

    def run_to_outcome(self, job: int = 1) -> Printed | PrintFailed | PrintUnknown:
        """Waits for the outcome of a job."""
        self.wire.run_until(lambda: any(outcome.job == job for outcome in self.outcomes()))
        return next(outcome for outcome in self.outcomes() if outcome.job == job)

    def print_and_wait(self, job: int = 1, document: Document | None = None) -> Printed | PrintFailed | PrintUnknown:
        """Orders a page and waits for its outcome."""
        self.print(job, document)
        return self.run_to_outcome(job)

    def all(self, kind: type[EventT]) -> list[EventT]:
        """Events of one kind."""
        return [event for event in self.wire.events if isinstance(event, kind)]

    def outcomes(self) -> list[Printed | PrintFailed | PrintUnknown]:
        """Returns what became of the jobs, in order."""
        return [event for event in self.wire.events if isinstance(event, Printed | PrintFailed | PrintUnknown)]

    @property
    def status(self) -> PrinterStatus:
        """The latest status."""
        return self.all(PrinterStatus)[-1]

    @property
    def sent(self) -> bytes:
        """Everything the host has sent so far."""
        return b"".join(self.wire.sent)


class TclBench(PrinterBench):
    """The same with a TCL printer. The ticket is taken after a second unless `taken_after_s` says otherwise."""

    page = staticmethod(build_ticket)
    printer: SimulatedTclPrinter

    def __init__(
        self,
        folder: Path,
        *,
        traits: TclTraits | None = None,
        silent: bool = False,
        damage: Damage = unharmed,
    ) -> None:
        traits = traits or TclTraits(taken_after_s=1.0)
        self.printer = SimulatedTclPrinter(folder=folder, traits=traits, silent=silent)
        self.protocol = TclProtocol(baud=9600)
        self.wire = Wire(self.protocol, self.printer, damage=damage)

    def start(self) -> "TclBench":
        """The same, and until pages of an earlier life are dropped."""
        super().start()
        self.wire.run(1.0)
        return self


def whole_tickets(bench: TclBench) -> int:
    """How many sample tickets came out with all their lines, their bar code and a clean edge."""
    return sum(ticket.barcode == DIGITS and ticket.cut and len(ticket.lines) == 12 for ticket in bench.printer.tickets)
