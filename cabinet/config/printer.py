"""The printer's section of the operator's file: its line, and how its pages are written. Pure.

Rules: a printer with a form of its own has no use for the settings of a page, so that finding one is a mistake of the
operator's; each complaint names the key, what was found and what is expected.
"""

from dataclasses import dataclass
from enum import Enum

from cabinet.config.reader import ConfigError, Port, one_of
from cabinet.text.quoting import quote
from drivers.printers.catalog import LANGUAGES, PrinterLanguage
from drivers.printers.code_pages import CODE_PAGES
from drivers.printers.escpos.bytes import Cut, PageStyle
from drivers.printers.paper import PAPERS, Symbology


class BarCode(Enum):
    """What tickets carry. AUTO: what the acceptor reads where it may take them back, otherwise CODE128."""

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
    """The letters beyond plain ASCII that the printer is asked for."""
    cut: Cut = Cut.FULL

    def style(self, bar_code: Symbology) -> PageStyle:
        """How pages are written, once it is known what bar code tickets carry."""
        return PageStyle(
            paper=PAPERS[self.paper], symbology=bar_code, code_page=CODE_PAGES[self.code_page], cut=self.cut
        )


def check_printer(printer: PrinterSection) -> None:
    """Raises ConfigError for what no printer knows, or this one has no use for."""
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
                "printer has a form of its own; leave it out"
            )
