"""The printer section of the settings: the line, and the format of the pages. Pure.

Rules: a printer with a built-in form does not use the page settings, so a page setting is an error there. Each error
names the key, the found value and the expected values.
"""

from dataclasses import dataclass
from enum import Enum

from cabinet.config.reader import ConfigError, Port, one_of
from cabinet.text.quoting import quote
from drivers.printers.catalog import LANGUAGES, PrinterLanguage
from drivers.printers.code_pages import CODE_PAGES
from drivers.printers.escpos.bytes import Cut, PageStyle
from drivers.printers.paper import PAPERS, Symbology

PRINTERS = tuple(LANGUAGES)
"""The names of the printer protocols."""


class BarCode(Enum):
    """The bar code of tickets. AUTO: the one that the acceptor reads, if it may take tickets back; else CODE128."""

    AUTO = "auto"
    CODE128_C = Symbology.CODE128_C.value
    ITF = Symbology.ITF.value


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterSection:
    """The ticket printer and its line."""

    port: Port = "/dev/cabinet/printer"
    protocol: str = "escpos"
    baud: int = 19_200
    paper: str = "80mm"
    bar_code: BarCode = BarCode.AUTO
    code_page: str = "cp858"
    """The printer's code page, for letters beyond ASCII."""
    cut: Cut = Cut.FULL

    def style(self, bar_code: Symbology) -> PageStyle:
        """Returns the format of pages with this bar code."""
        return PageStyle(
            paper=PAPERS[self.paper], symbology=bar_code, code_page=CODE_PAGES[self.code_page], cut=self.cut
        )


def check_printer(printer: PrinterSection) -> None:
    """Raises ConfigError for a value that no printer knows, or that this printer does not use."""
    for key, found, known in (
        ("protocol", printer.protocol, LANGUAGES),
        ("paper", printer.paper, PAPERS),
        ("code_page", printer.code_page, CODE_PAGES),
    ):
        if found not in known:
            raise ConfigError(f"printer.{key}: found {quote(found)}, expected {one_of(known)}")
    language = LANGUAGES[printer.protocol]
    if language.has_form:
        _check_form(printer, language)
    if printer.baud not in language.bauds:
        raise ConfigError(f"printer.baud: found {printer.baud}, expected {one_of(map(str, language.bauds))}")


def _check_form(printer: PrinterSection, language: PrinterLanguage) -> None:
    usual = PrinterSection()
    for key, chosen, default in (
        ("paper", printer.paper, usual.paper),
        ("bar_code", printer.bar_code.value, usual.bar_code.value),
        ("code_page", printer.code_page, usual.code_page),
        ("cut", printer.cut.value, usual.cut.value),
    ):
        if chosen != default:
            raise ConfigError(
                f'printer.{key}: found "{chosen}", expected nothing: the protocol is {language.name}, and such a '
                "printer has a built-in form; leave it out"
            )
