"""A printer protocol and a simulated printer joined in virtual time: no port, no thread, no waiting.

Rules: bytes cross at once, cut to any size wanted; time jumps from one deadline to the next.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

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
    PrintUnknown,
    Text,
)
from drivers.printers.escpos import EscPosProtocol
from drivers.printers.paper import MM_80, PaperProfile
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits

EventT = TypeVar("EventT")
DIGITS = "005671408547977327"


def build_page(*, lines: int = 30, digits: str = DIGITS) -> Document:
    """A ticket-like page of some length."""
    body = tuple(Columns(left=f"Line {number}", right="1,234.50") for number in range(lines))
    return Document(elements=(Text(text="VENUE", align=Align.CENTRE, scale=2), Barcode(digits=digits), *body))


class PrinterBench:
    """Both ends of the wire; `events` is everything the protocol has reported."""

    def __init__(
        self,
        folder: Path,
        *,
        paper: PaperProfile = MM_80,
        traits: Traits | None = None,
        silent: bool = False,
        cut_at: int = 4096,
        baud: int = 115200,
    ) -> None:
        self.printer = SimulatedTicketPrinter(folder=folder, width_dots=paper.width_dots, traits=traits, silent=silent)
        self.protocol = EscPosProtocol(paper=paper, baud=baud)
        self.events: list[PrinterEvent] = []
        self.sent = b""
        self.now = 100.0
        self.connected = False
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self._cut_at = cut_at

    def connect(self) -> None:
        """The line is there."""
        self.connected = True
        self.protocol.opened(self.now)
        self._exchange()

    def disconnect(self) -> None:
        """The line is gone; the printer goes on by itself."""
        self.connected = False
        self.protocol.closed(self.now)
        self._collect()

    def print(self, job: int = 1, document: Document | None = None) -> None:
        """Order a page."""
        self.protocol.order(Print(job=job, document=document or build_page()), self.now)
        self._exchange()

    def run(self, seconds: float) -> None:
        """Let that much time pass."""
        self._advance(self.now + seconds, lambda: False)

    def run_until(self, done: Callable[[], bool], *, limit_s: float = 60.0) -> None:
        """Let time pass until something is true; fails when it never becomes so."""
        self._advance(self.now + limit_s, done)
        assert done(), f"not within {limit_s} s; events: {self.events[-5:]}"

    def start(self) -> "PrinterBench":
        """Connect and wait until the printer has started."""
        self.connect()
        self.run_until(lambda: bool(self.all(PrinterStarted)))
        return self

    def run_to_outcome(self, job: int = 1) -> Printed | PrintFailed | PrintUnknown:
        """Wait for the outcome of a job."""
        self.run_until(lambda: any(outcome.job == job for outcome in self.outcomes()))
        return next(outcome for outcome in self.outcomes() if outcome.job == job)

    def all(self, kind: type[EventT]) -> list[EventT]:
        """Events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def outcomes(self) -> list[Printed | PrintFailed | PrintUnknown]:
        """What became of the jobs, in order."""
        return [event for event in self.events if isinstance(event, Printed | PrintFailed | PrintUnknown)]

    @property
    def status(self) -> PrinterStatus:
        """The latest status."""
        return self.all(PrinterStatus)[-1]

    def _advance(self, end: float, done: Callable[[], bool]) -> None:
        self._exchange()
        while not done():
            dues = [due for due in (self.protocol.due(), self.printer.due()) if due is not None]
            nearest = min(dues, default=end)
            if nearest > end:
                break
            if nearest <= self.now and self.now >= end:
                break
            self.now = max(self.now + 0.0001, nearest)
            self._exchange()
        else:
            return
        self.now = max(self.now, end)
        self._exchange()

    def _exchange(self) -> None:
        for _ in range(100):
            self.protocol.tick(self.now) if self.connected else None
            self.printer.tick(self.now)
            down, up = self.protocol.bytes_to_send(), self.printer.bytes_to_send()
            if not down and not up:
                break
            self.sent += down
            if self.connected:
                self._carry(down, self.printer.receive)
                self._carry(self.spoil(up), self.protocol.receive)
        self._collect()

    def _carry(self, data: bytes, receive: Callable[[bytes, float], None]) -> None:
        for at in range(0, len(data), self._cut_at):
            receive(data[at : at + self._cut_at], self.now)

    def _collect(self) -> None:
        self.events.extend(self.protocol.events())
