"""Every language has its simulated printer, with every user action."""

from pathlib import Path

import pytest

from drivers.errors import ConfigurationError
from drivers.printers.catalog import LANGUAGES
from drivers.simulated.printer_units import PRINTERS, make_printer


def test_every_language_has_a_printer() -> None:
    assert set(PRINTERS) == set(LANGUAGES)


def test_a_language_without_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="expected one of: escpos, tcl"):
        make_printer("zpl", tmp_path, 576)


@pytest.mark.parametrize("language", PRINTERS)
def test_every_user_action_can_be_repeated(tmp_path: Path, language: str) -> None:
    unit = make_printer(language, tmp_path, 576)
    hands = (
        *(unit.paper_low, unit.paper_out, unit.refill, unit.open_cover, unit.close_cover, unit.jam, unit.clear_jam),
        *(unit.power_off, unit.power_on, unit.take),
    )
    for hand in hands:
        hand()
        hand()
    unit.tick(0.0)
    unit.tick(5.0)
    assert (unit.tickets, unit.in_chute) == ([], [])
