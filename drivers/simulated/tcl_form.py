"""The stored ticket form of a simulated TCL printer, and the journal page: fields in, strips of paper out.

A ticket is wider than high, as from a stack of folded paper: the number is along the leading edge, the bar code in
the middle. Knows no commands, no power and no paper.
"""

from collections.abc import Iterable

from drivers.simulated.bars import encode_bars
from drivers.simulated.ticket_picture import CELL_WIDTH_DOTS, BarStrip, BlankStrip, Letter, Strip, TextStrip

WIDTH_DOTS = 1248  # 156 mm at 8 dots a millimetre
FIELDS = 17
JOURNAL_WIDTH_DOTS = 520  # 65 mm
_ITF = 70
_BAR_DOTS = 110
_MODULE_DOTS = 4
_MARGIN_DOTS = 60


def ticket_strips(fields: tuple[str, ...]) -> tuple[Strip, ...] | None:
    """Returns the ticket with these 17 fields; None when the digits do not make a bar code."""
    bars = encode_bars(_ITF, fields[16].encode("latin-1"))
    if bars is None:
        return None
    left = (WIDTH_DOTS - bars.modules * _MODULE_DOTS) // 2
    return (
        BlankStrip(height_dots=16),
        _centred(fields[1], wide=2, high=2, bold=True),
        _centred(fields[2]),
        _centred(fields[3]),
        BlankStrip(height_dots=8),
        _centred("CASHOUT TICKET", wide=3, high=2, bold=True),
        BarStrip(bars=bars, module_dots=_MODULE_DOTS, height_dots=_BAR_DOTS, left_dots=left),
        BlankStrip(height_dots=8),
        _centred(f"VALIDATION {fields[6]}", wide=2, high=2, bold=True),
        _spread(fields[7], fields[8], fields[9]),
        BlankStrip(height_dots=8),
        _centred(fields[10]),
        _centred(fields[12], wide=3, high=2, bold=True),
        _spread(f"VOID AFTER {fields[14]}".upper() if fields[14][:1].isdigit() else fields[14], "", fields[15]),
        BlankStrip(height_dots=16),
    )


def ticket_lines(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the lines of text on the ticket, from the leading edge on."""
    order = (0, 1, 2, 3, 6, 7, 8, 9, 10, 12, 14, 15)
    return tuple(fields[at] for at in order if fields[at])


def journal_strips(lines: Iterable[str]) -> tuple[Strip, ...]:
    """Returns a page of plain lines."""
    edge = BlankStrip(height_dots=40)
    return (edge, *(TextStrip(letters=_letters(line), left_dots=60) for line in lines), edge)


def _letters(text: str, *, wide: int = 1, high: int = 1, bold: bool = False) -> tuple[Letter, ...]:
    return tuple(Letter(sign=sign, wide=wide, high=high, bold=bold) for sign in text)


def _centred(text: str, *, wide: int = 1, high: int = 1, bold: bool = False) -> Strip:
    left = (WIDTH_DOTS - len(text) * wide * CELL_WIDTH_DOTS) // 2
    return TextStrip(letters=_letters(text, wide=wide, high=high, bold=bold), left_dots=max(0, left))


def _spread(left: str, middle: str, right: str) -> Strip:
    """Returns a strip with three texts over the width of the ticket."""
    columns = (WIDTH_DOTS - 2 * _MARGIN_DOTS) // CELL_WIDTH_DOTS
    line = left + middle.center(columns)[len(left) :]
    return TextStrip(letters=_letters(line[: columns - len(right)] + right), left_dots=_MARGIN_DOTS)
