"""A document as ESC/POS commands.

Rules:
- the page is divided into pieces that end between two commands, so that sending may stop after any piece without an
  incomplete command in the printer;
- no text can become a command: see `lines.fold`, for the code page in use. Encoding never fails;
- every reset is followed by the end of the Chinese mode, in which many cheap boards start: in it a letter above 127
  swallows the next one, the euro sign the first digit of the amount. The American character set is selected,
  independent of the board's switches. Rules are printed with hyphens;
- lines are broken here and not by the printer, so that alignment and inverse print stay correct;
- a bar code that does not fit is refused with ConfigurationError before any byte is written.

Size, weight and alignment come from python-escpos, whose slow import waits until `prepare`. The bar code is encoded
here: the library sends CODE128 set C as ASCII digits, but the printer expects one byte for each pair. Source: Epson's
ESC/POS reference. Knows nothing of ports, time or printer status.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from drivers.errors import ConfigurationError
from drivers.printers.code_pages import CP858, CodePage
from drivers.printers.document import Align, Barcode, Columns, Document, Element, Feed, Line, Text
from drivers.printers.lines import fold, format_columns, wrap
from drivers.printers.paper import PaperProfile, Symbology, choose_module_dots

if TYPE_CHECKING:
    from escpos.printer import Dummy

RESET = b"\x1b@" + b"\x1c."  # and out of the Chinese mode, which a reset may begin
FEED_LINE = b"\x1bd\x01"
ASK_PAPER = b"\x1dr\x01"  # answered in print order
ASK_MODEL = b"\x1dI\x43"
AUTOMATIC_STATUS = b"\x1da\x0e"  # for online and offline, errors and paper; not for the cash drawer
NO_AUTOMATIC_STATUS = b"\x1da\x00"

_AMERICAN_LETTERS = b"\x1bR\x00"
_CODE_PAGE = b"\x1bt"
_FEED_AND_CUT = b"\x1bd\x06" + b"\x1dV"
CLEAN_PAPER = RESET + _FEED_AND_CUT + b"\x00"
"""What is left of an earlier page is dropped, or cut off when it is on the paper."""
_BARCODE_DOTS = 96
_CENTRE = b"\x1ba\x01"
_LEFT = b"\x1ba\x00"


class Cut(Enum):
    """The cut of a page: full, or partial, so that it hangs by a point until it is taken."""

    FULL = "full"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStyle:
    """The properties of the printer that affect the bytes of a page."""

    paper: PaperProfile
    symbology: Symbology = Symbology.CODE128_C
    code_page: CodePage = CP858
    cut: Cut = Cut.FULL


def ask_now(number: int) -> bytes:
    """Returns the real-time question DLE EOT `number`, which is answered at once."""
    return bytes([0x10, 0x04, number])


def prepare() -> None:
    """Loads the printing library now, so that the first ticket does not wait for it."""
    from escpos.printer import Dummy  # noqa: F401 - loading is the point


def encode_document(document: Document, style: PageStyle) -> tuple[bytes, ...]:
    """Returns the whole page, from reset to cut, as pieces in order.

    Raises ConfigurationError for a bar code that is too wide or not an even number of decimal digits, and for a text
    size outside 1 to 4.
    """
    printer = _new_printer()
    pieces = [RESET + _AMERICAN_LETTERS + _CODE_PAGE + bytes([style.code_page.number])]
    for element in document.elements:
        pieces.extend(_encode(element, printer, style))
    pieces.append(_FEED_AND_CUT + bytes([_CUTS[style.cut]]))
    return tuple(pieces)


_CUTS = {Cut.FULL: 0, Cut.PARTIAL: 1}


def _new_printer() -> "Dummy":
    from escpos.printer import Dummy

    return Dummy(profile="default")


def _encode(element: Element, printer: "Dummy", style: PageStyle) -> tuple[bytes, ...]:
    codec, columns = style.code_page.codec, style.paper.columns
    match element:
        case Text():
            return _encode_text(element, printer, style)
        case Columns():
            lines = format_columns(fold(element.left, codec), fold(element.right, codec), columns)
            return tuple(_print_line(printer, line.encode(codec), Text(text=line, bold=element.bold)) for line in lines)
        case Barcode():
            return (_encode_barcode(element.digits, style.paper, style.symbology),)
        case Line():
            rule = "-" * columns
            return (_print_line(printer, rule.encode(codec), Text(text=rule)),)
        case Feed():
            return (FEED_LINE,) * element.lines
        case _:
            assert_never(element)


def _encode_text(element: Text, printer: "Dummy", style: PageStyle) -> tuple[bytes, ...]:
    if not 1 <= element.scale <= 4:
        raise ConfigurationError(f"text size {element.scale} is not one of 1 to 4: {element.text!r}")
    columns = style.paper.columns // element.scale
    lines = wrap(fold(element.text, style.code_page.codec), columns)
    if element.inverse:  # a margin of black on either side, where there is room
        lines = tuple(f" {line} " if len(line) + 2 <= columns else line for line in lines)
    return tuple(_print_line(printer, line.encode(style.code_page.codec), element) for line in lines)


def _print_line(printer: "Dummy", line: bytes, style: Text) -> bytes:
    printer.set(
        align={Align.LEFT: "left", Align.CENTRE: "center", Align.RIGHT: "right"}[style.align],
        bold=style.bold,
        invert=style.inverse,
        custom_size=True,
        width=style.scale,
        height=style.scale,
    )
    modes = bytes(printer.output)
    printer.clear()
    return modes + line + b"\n"


def _encode_barcode(digits: str, paper: PaperProfile, symbology: Symbology) -> bytes:
    if not (digits.isascii() and digits.isdigit()):
        raise ConfigurationError(f"a bar code can carry decimal digits only, not {digits!r}")
    module_dots = choose_module_dots(len(digits), symbology, paper)
    if symbology is Symbology.CODE128_C:
        kind, data = 73, b"{C" + bytes(int(digits[at : at + 2]) for at in range(0, len(digits), 2))
    else:
        kind, data = 70, digits.encode("ascii")
    size = bytes([0x1D, 0x68, _BARCODE_DOTS, 0x1D, 0x77, module_dots])
    readable_below = b"\x1dH\x02\x1df\x00"
    command = bytes([0x1D, 0x6B, kind, len(data)]) + data
    return _CENTRE + size + readable_below + command + _LEFT
