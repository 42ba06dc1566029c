"""The printer languages of this program, by their name in the settings."""

from collections.abc import Callable
from dataclasses import dataclass

from drivers.errors import ConfigurationError
from drivers.printers.document import PrinterEvent, PrintOrder
from drivers.printers.escpos import job as escpos_job
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import PAPERS, PaperProfile
from drivers.printers.tcl import job as tcl_job
from drivers.printers.tcl.printer import TclProtocol
from drivers.protocol import WireProtocol

PrinterProtocol = WireProtocol[PrinterEvent, PrintOrder]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterSettings:
    """The settings of the printer. A printer with its own ticket form needs the speed only.

    `patience`: factor for the waits after which silence is a fault.
    """

    style: PageStyle
    baud: int
    patience: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterLanguage:
    """A language: its protocol, and what an installer should know.

    `reports_status`: printers of this language can report their status and prove what they printed; every start
    checks whether the connected one does (see `verdict`). `has_form`: the printer has its own ticket form, so the
    settings do not choose the style of a page.
    """

    name: str
    summary: str
    bauds: tuple[int, ...]
    build: Callable[[PrinterSettings], PrinterProtocol]
    reports_taken: bool
    reports_status: bool = True
    has_form: bool = False


def _build_escpos(settings: PrinterSettings) -> PrinterProtocol:
    return EscPosProtocol(style=settings.style, baud=settings.baud, timing=escpos_job.Timing().times(settings.patience))


def _build_tcl(settings: PrinterSettings) -> PrinterProtocol:
    return TclProtocol(baud=settings.baud, timing=tcl_job.Timing().times(settings.patience))


_ESCPOS = PrinterLanguage(
    name="escpos",
    summary="receipt printers of 58 or 80 mm with ESC/POS that answer DLE EOT and GS r (Epson TM, many others)",
    bauds=(9600, 19200, 38400, 57600, 115200),
    build=_build_escpos,
    reports_taken=False,
)
_TCL = PrinterLanguage(
    name="tcl",
    summary="ticket printers with their own ticket form (FutureLogic GEN2, GEN3, and others set to TCL)",
    bauds=(1200, 2400, 4800, 9600, 19200, 38400),
    build=_build_tcl,
    reports_taken=True,
    has_form=True,
)
LANGUAGES: dict[str, PrinterLanguage] = {language.name: language for language in (_ESCPOS, _TCL)}


def find_language(name: str) -> PrinterLanguage:
    """Returns the language of this name. Raises ConfigurationError with the known names."""
    if name not in LANGUAGES:
        raise ConfigurationError(f"unknown printer language {name!r}; expected one of: {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


def find_paper(name: str) -> PaperProfile:
    """Returns the paper of this name. Raises ConfigurationError with the known names."""
    if name not in PAPERS:
        raise ConfigurationError(f"unknown paper {name!r}; expected one of: {', '.join(PAPERS)}")
    return PAPERS[name]
