"""Rolls of paper, and the width of a bar code on them.

A thermal printer leaves a bar code that is too wide blank and reports nothing, so the width is computed before a byte
is sent. Rules:
- widths are counted in modules (the narrowest bar), then in dots of the print head;
- a quiet zone of ten modules on either side is part of the code, because a scanner needs it;
- if makers differ (the wide bars of Interleaved 2 of 5), the wider bar counts.

Sources: ISO/IEC 15417 (CODE 128), ISO/IEC 16390 (Interleaved 2 of 5), Epson's ESC/POS reference for GS w and GS k.
Knows no commands and no bytes.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.errors import ConfigurationError

_QUIET_MODULES = 10
_WIDEST_MODULE_DOTS = 3
_NARROWEST_MODULE_DOTS = 2


class Symbology(Enum):
    """The bar codes of the printers; both have an even number of digits."""

    CODE128_C = "CODE128-C"
    ITF = "Interleaved 2 of 5"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperProfile:
    """The width of a roll; a character of the standard font is twelve dots wide."""

    name: str
    width_dots: int
    character_dots: int = 12

    @property
    def columns(self) -> int:
        """Characters of single width on one line."""
        return self.width_dots // self.character_dots


MM_58 = PaperProfile(name="58 mm", width_dots=384)
MM_80 = PaperProfile(name="80 mm", width_dots=576)
MM_80_NARROW = PaperProfile(name="80 mm with a head of 512 dots", width_dots=512)
PAPERS: dict[str, PaperProfile] = {"58mm": MM_58, "80mm": MM_80, "80mm-512": MM_80_NARROW}


def barcode_modules(digit_count: int, symbology: Symbology) -> int:
    """Returns the width in modules, without quiet zones. Raises ConfigurationError for an odd or empty count."""
    if digit_count < 2 or digit_count % 2:
        raise ConfigurationError(f"a {symbology.value} bar code needs an even number of digits, not {digit_count}")
    pairs = digit_count // 2
    if symbology is Symbology.CODE128_C:
        return 11 + 11 * pairs + 11 + 13  # start, pairs, check symbol, stop
    return 4 + 18 * pairs + 5  # start; two digits of two wide (3) and three narrow bars; stop


def barcode_dots(digit_count: int, symbology: Symbology, module_dots: int) -> int:
    """Returns the width in dots of the print head, including the quiet zones."""
    return (barcode_modules(digit_count, symbology) + 2 * _QUIET_MODULES) * module_dots


def choose_module_dots(digit_count: int, symbology: Symbology, paper: PaperProfile) -> int:
    """Returns the widest module, 3 or 2 dots, with which the code and its quiet zones fit.

    Raises ConfigurationError when even 2 dots are too wide; narrower bars do not scan reliably from thermal paper.
    """
    for module_dots in range(_WIDEST_MODULE_DOTS, _NARROWEST_MODULE_DOTS - 1, -1):
        if barcode_dots(digit_count, symbology, module_dots) <= paper.width_dots:
            return module_dots
    needed = barcode_dots(digit_count, symbology, _NARROWEST_MODULE_DOTS)
    raise ConfigurationError(
        f"a {symbology.value} bar code of {digit_count} digits needs {needed} dots, "
        f"but {paper.name} paper has {paper.width_dots}; use wider paper or fewer digits"
    )
