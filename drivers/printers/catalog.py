"""The printer languages this program speaks, by the name used in the configuration."""

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
    """What the configuration says of the printer. A printer with a ticket form of its own needs the speed only.

    `patience`: how many times as long as usual the protocol waits before it takes silence for a fault.
    """

    style: PageStyle
    baud: int
    patience: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterLanguage:
    """A language: how to make its protocol, and what an installer should know.

    `reports_status` tells that printers of this language can say how they are and prove what they printed; whether the
    one at the line does is found out at every start (see `verdict`). `has_form`: it lays tickets out by itself, so that
    the style of a page is not ours to choose.
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
    summary="receipt printers of 58 or 80 mm that speak ESC/POS and answer DLE EOT and GS r (Epson TM, many others)",
    bauds=(9600, 19200, 38400, 57600, 115200),
    build=_build_escpos,
    reports_taken=False,
)
_TCL = PrinterLanguage(
    name="tcl",
    summary="ticket printers with a form of their own (FutureLogic GEN2, GEN3, and others set to TCL)",
    bauds=(1200, 2400, 4800, 9600, 19200, 38400),
    build=_build_tcl,
    reports_taken=True,
    has_form=True,
)
LANGUAGES: dict[str, PrinterLanguage] = {language.name: language for language in (_ESCPOS, _TCL)}


def find_language(name: str) -> PrinterLanguage:
    """The language of this name; raises ConfigurationError that lists the known ones."""
    if name not in LANGUAGES:
        raise ConfigurationError(f"no printer language {name!r}; known are {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


def find_paper(name: str) -> PaperProfile:
    """The paper of this name; raises ConfigurationError that lists the known ones."""
    if name not in PAPERS:
        raise ConfigurationError(f"no paper {name!r}; known are {', '.join(PAPERS)}")
    return PAPERS[name]
