"""The simulated ticket printers: for each language the unit, all worked by the same hands.

At the pace of a demonstration they are quicker than real ones, and in tests they print at once.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from drivers.errors import ConfigurationError
from drivers.simulated.pty_line import Device
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Ticket, Traits
from drivers.simulated.units import Pace

_ESCPOS = {
    Pace.BRISK: Traits(dot_lines_per_s=2_400, boot_s=0.5),
    Pace.INSTANT: Traits(dot_lines_per_s=100_000, boot_s=0.0),
}
_TCL = {Pace.BRISK: TclTraits(print_s=1.0, boot_s=0.5), Pace.INSTANT: TclTraits(print_s=0.05, boot_s=0.0)}


class TicketPrinter(Device, Protocol):
    """What every simulated unit has; the hands are quick, and may do everything twice."""

    tickets: list[Ticket]
    in_chute: list[Ticket]

    def paper_out(self) -> None:
        """The paper ends now."""

    def paper_low(self) -> None:
        """There is little paper left."""

    def refill(self) -> None:
        """New paper."""

    def open_cover(self) -> None:
        """Lift the cover."""

    def close_cover(self) -> None:
        """Shut it."""

    def jam(self) -> None:
        """Something sticks."""

    def clear_jam(self) -> None:
        """And no more."""

    def power_off(self) -> None:
        """Pull the plug."""

    def power_on(self) -> None:
        """Plug in."""

    def take(self) -> Ticket | None:
        """Take the oldest ticket that hangs there."""


def _make_escpos(folder: Path, width_dots: int, pace: Pace) -> TicketPrinter:
    return SimulatedTicketPrinter(folder=folder, width_dots=width_dots, traits=_ESCPOS[pace])


def _make_tcl(folder: Path, width_dots: int, pace: Pace) -> TicketPrinter:
    del width_dots  # its tickets have a width of their own
    return SimulatedTclPrinter(folder=folder, traits=_TCL[pace])


PRINTERS: Mapping[str, Callable[[Path, int, Pace], TicketPrinter]] = {"escpos": _make_escpos, "tcl": _make_tcl}


def make_printer(language: str, folder: Path, width_dots: int, pace: Pace = Pace.BRISK) -> TicketPrinter:
    """The unit that speaks this language; tickets are drawn into the folder. Raises ConfigurationError."""
    if language not in PRINTERS:
        raise ConfigurationError(f"no simulated printer speaks {language!r}; there are {', '.join(PRINTERS)}")
    return PRINTERS[language](folder, width_dots, pace)
