"""The simulated ticket printers: a unit for each language, with the same user actions.

At the pace of a demonstration they are quicker than real ones, and in tests they print at once.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from drivers.errors import ConfigurationError
from drivers.simulated.printer_body import TicketPrinter
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits
from drivers.simulated.units import Pace

_ESCPOS = {
    Pace.BRISK: Traits(dot_lines_per_s=2_400, boot_s=0.5),
    Pace.INSTANT: Traits(dot_lines_per_s=100_000, boot_s=0.0),
}
_TCL = {Pace.BRISK: TclTraits(print_s=1.0, boot_s=0.5), Pace.INSTANT: TclTraits(print_s=0.05, boot_s=0.0)}


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
