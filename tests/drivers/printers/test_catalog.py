"""The names in the settings select protocols and papers."""

import pytest

from drivers.errors import ConfigurationError
from drivers.printers.catalog import LANGUAGES, PrinterSettings, find_language, find_paper
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.paper import MM_58, MM_80


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_builds_a_protocol_with_the_speed_of_the_settings(name: str) -> None:
    language = find_language(name)
    for baud in language.bauds:
        assert language.build(PrinterSettings(style=PageStyle(paper=MM_80), baud=baud)).line.baud == baud


def test_papers_are_found_by_their_names() -> None:
    assert (find_paper("58mm"), find_paper("80mm")) == (MM_58, MM_80)


@pytest.mark.parametrize("name", LANGUAGES)
def test_only_languages_whose_printers_can_report_are_offered(name: str) -> None:
    assert find_language(name).reports_status


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="'zpl'; expected one of: escpos, tcl"):
        find_language("zpl")
    with pytest.raises(ConfigurationError, match="'76mm'; expected one of: 58mm, 80mm, 80mm-512"):
        find_paper("76mm")
