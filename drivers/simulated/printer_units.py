"""The simulated ticket printers: a unit for each language, with the same user actions.

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
    """The interface of every simulated unit; every action may be repeated."""

    tickets: list[Ticket]
    in_chute: list[Ticket]

    def paper_out(self) -> None:
        """Ends the paper now."""

    def paper_low(self) -> None:
        """Leaves little paper."""

    def refill(self) -> None:
        """Puts in new paper."""

    def open_cover(self) -> None:
        """Opens the cover."""

    def close_cover(self) -> None:
        """Shuts the cover."""

    def jam(self) -> None:
        """Begins a jam."""

    def clear_jam(self) -> None:
        """Ends the jam."""

    def power_off(self) -> None:
        """Pulls the plug."""

    def power_on(self) -> None:
        """Plugs the unit in."""

    def take(self) -> Ticket | None:
        """Takes the oldest ticket in the mouth; None without one."""


def _make_escpos(folder: Path, width_dots: int, pace: Pace) -> TicketPrinter:
    return SimulatedTicketPrinter(folder=folder, width_dots=width_dots, traits=_ESCPOS[pace])


def _make_tcl(folder: Path, width_dots: int, pace: Pace) -> TicketPrinter:
    del width_dots  # its tickets have a fixed width
    return SimulatedTclPrinter(folder=folder, traits=_TCL[pace])


PRINTERS: Mapping[str, Callable[[Path, int, Pace], TicketPrinter]] = {"escpos": _make_escpos, "tcl": _make_tcl}


def make_printer(language: str, folder: Path, width_dots: int, pace: Pace = Pace.BRISK) -> TicketPrinter:
    """Returns the unit of this language; tickets are drawn into the folder. Raises ConfigurationError."""
    if language not in PRINTERS:
        raise ConfigurationError(f"no simulated printer for {language!r}; expected one of: {', '.join(PRINTERS)}")
    return PRINTERS[language](folder, width_dots, pace)
