"""The bench: simulated devices at the far end of every wire of one cabinet, and the hands that work them.

The devices keep their own state and refuse what real ones refuse. Everything goes over the same bytes and pins as with
real hardware; nothing here reaches into the cabinet.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.config import Config
from drivers.bills.events import Channel
from drivers.panel.gpio import make_factory
from drivers.printers.catalog import find_paper
from drivers.simulated.nv9 import NV9, Timings
from drivers.simulated.panel import SimulatedPanel
from drivers.simulated.pty_line import PtyFarEnd
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Ticket

NOTES_CENTS = (100, 500, 1_000, 2_000, 5_000, 10_000)
"""The notes the simulated acceptor knows."""

BRISK = Timings(reading_s=0.3, stacking_s=0.5, rejecting_s=0.3, boot_s=0.5)
"""A little quicker than the real unit, so that nobody waits for a demonstration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The simulated devices of one cabinet."""

    factory: Any
    panel: SimulatedPanel
    acceptor: NV9
    acceptor_line: PtyFarEnd
    printer: SimulatedTicketPrinter
    printer_line: PtyFarEnd

    @property
    def acceptor_path(self) -> str:
        """The stable name of the acceptor's line."""
        return self.acceptor_line.path

    @property
    def printer_path(self) -> str:
        """The stable name of the printer's line."""
        return self.printer_line.path

    def insert(self, cents: int) -> bool:
        """Put a note in; False when the acceptor does not draw it in."""
        return self.acceptor_line.call(lambda: self.acceptor.insert(cents))

    def tickets(self) -> tuple[Ticket, ...]:
        """Every ticket printed so far."""
        return self.printer_line.call(lambda: tuple(self.printer.tickets))

    def with_acceptor(self, act: Callable[[NV9], Any]) -> None:
        """Do something to the acceptor."""
        self.acceptor_line.call(lambda: act(self.acceptor))

    def with_printer(self, act: Callable[[SimulatedTicketPrinter], Any]) -> None:
        """Do something to the printer."""
        self.printer_line.call(lambda: act(self.printer))


@contextmanager
def build_bench(config: Config, data: Path) -> Iterator[Bench]:
    """Set the bench up; its lines, folders and pins go with the context. Tickets are drawn into `data/tickets`."""
    tickets = data / "tickets"
    tickets.mkdir(parents=True, exist_ok=True)
    factory = make_factory("mock")
    currency = config.machine.currency
    channels = tuple(
        Channel(number=n, value_cents=cents, currency=currency) for n, cents in enumerate(NOTES_CENTS, start=1)
    )
    acceptor = NV9(channels, address=config.acceptor.address, timings=BRISK)
    printer = SimulatedTicketPrinter(folder=tickets, width_dots=find_paper(config.printer.paper).width_dots)
    lines = (PtyFarEnd(acceptor, name="acceptor"), PtyFarEnd(printer, name="printer"))
    try:
        for line in lines:
            line.start()
        yield Bench(
            factory=factory,
            panel=SimulatedPanel(config.wiring(), factory),
            acceptor=acceptor,
            acceptor_line=lines[0],
            printer=printer,
            printer_line=lines[1],
        )
    finally:
        for line in lines:
            line.stop()
