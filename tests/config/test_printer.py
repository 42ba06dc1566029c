"""The printer's section: what is taken, and what is refused in which words."""

from dataclasses import replace

import pytest

from cabinet.config.printer import PrinterSection, check_printer
from cabinet.config.reader import ConfigError
from drivers.printers.code_pages import CODE_PAGES
from drivers.printers.escpos.bytes import Cut, PageStyle
from drivers.printers.paper import MM_58, Symbology

ESCPOS = PrinterSection()
TCL = PrinterSection(protocol="tcl")


def test_the_style_of_a_page_is_what_the_settings_say() -> None:
    section = PrinterSection(paper="58mm", code_page="cp1252", cut=Cut.PARTIAL)
    check_printer(section)
    assert section.style(Symbology.ITF) == PageStyle(
        paper=MM_58, symbology=Symbology.ITF, code_page=CODE_PAGES["cp1252"], cut=Cut.PARTIAL
    )


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        (replace(ESCPOS, code_page="utf-8"), 'printer.code_page: found "utf-8", expected one of cp858, cp1252, cp850'),
        (replace(TCL, code_page="cp437"), 'printer.code_page: found "cp437", expected nothing: the protocol is tcl'),
        (replace(TCL, cut=Cut.PARTIAL), 'printer.cut: found "partial", expected nothing: the protocol is tcl'),
    ],
)
def test_what_cannot_be_is_named_with_what_is_expected(section: PrinterSection, complaint: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_printer(section)
    assert complaint in str(refused.value)
