"""A picture of a ticket can be measured and scanned."""

from itertools import groupby
from pathlib import Path

import pytest
from barcode.charsets import code128  # type: ignore[import-untyped,unused-ignore]
from PIL import Image, ImageChops
from support.printer_bench import DIGITS, PrinterBench, TclBench

from drivers.printers.document import Barcode, Document, Text
from drivers.printers.paper import MM_58, MM_80, PaperProfile, Symbology
from drivers.simulated.bars import encode_bars
from drivers.simulated.ticket_picture import (
    PIXELS_PER_DOT,
    BarStrip,
    BlankStrip,
    Letter,
    TextStrip,
    draw_ticket,
    save_ticket,
)

TABLE_PIXELS, EDGE_PIXELS = 28, 64


def scan(path: Path) -> str | None:
    """Read a CODE128 set C code from a picture, as a scanner does: the first row with a code that checks out."""
    with Image.open(path) as opened:
        picture = opened.convert("L")
    for y in range(0, picture.height, 4):
        row = [picture.getpixel((x, y)) < 80 for x in range(TABLE_PIXELS, picture.width - TABLE_PIXELS)]
        runs = [(dark, len(list(group))) for dark, group in groupby(row)][1:-1]
        digits = decode([length for _, length in runs])
        if digits is not None:
            return digits
    return None


def decode(lengths: list[int]) -> str | None:
    if len(lengths) < 25:
        return None
    module = min(lengths)
    modules = "".join(("1" if place % 2 == 0 else "0") * round(length / module) for place, length in enumerate(lengths))
    try:
        symbols = [code128.CODES.index(modules[at : at + 11]) for at in range(0, len(modules) - 13, 11)]
    except ValueError:
        return None
    check = (symbols[0] + sum(place * symbol for place, symbol in enumerate(symbols[1:-1], 1))) % 103
    good = symbols[0] == 105 and symbols[-1] == check and modules.endswith(code128.STOP + "11")
    return "".join(f"{symbol:02d}" for symbol in symbols[1:-1]) if good else None


def scan_itf(path: Path) -> str | None:
    """Read an Interleaved 2 of 5 code from a picture: the first row with a whole one between two quiet zones."""
    with Image.open(path) as opened:
        picture = opened.convert("L")
    for y in range(0, picture.height, 4):
        row = [picture.getpixel((x, y)) < 80 for x in range(TABLE_PIXELS, picture.width - TABLE_PIXELS)]
        groups: list[list[int]] = [[]]
        for dark, group in groupby(row):
            length = len(list(group))
            if not dark and (length >= 40 or not groups[-1]):
                groups.append([])
            else:
                groups[-1].append(length)
        for group in groups:
            if (digits := decode_itf(group)) is not None:
                return digits
    return None


def decode_itf(lengths: list[int]) -> str | None:
    if len(lengths) < 17 or (len(lengths) - 7) % 10:
        return None
    wide = [length > 2 * min(lengths) for length in lengths]
    if any(wide[:4]) or wide[-3:] != [True, False, False]:
        return None
    digits = []
    for at in range(4, len(wide) - 3, 10):
        for five in (wide[at : at + 10 : 2], wide[at + 1 : at + 10 : 2]):
            if sum(five) != 2:
                return None
            digits.append(sum(weight for weight, there in zip((1, 2, 4, 7, 0), five, strict=True) if there) % 11)
    return "".join(str(digit) for digit in digits)


@pytest.mark.fault(40)
@pytest.mark.requirement("TP-01")
@pytest.mark.parametrize("paper", [MM_58, MM_80])
def test_an_interleaved_code_scans_to_its_digits(tmp_path: Path, paper: PaperProfile) -> None:
    bench = PrinterBench(tmp_path, paper=paper, symbology=Symbology.ITF).start()
    bench.print_and_wait(document=Document(elements=(Text(text="TICKET"), Barcode(digits=DIGITS))))
    assert scan_itf(bench.printer.tickets[0].png) == DIGITS


@pytest.mark.requirement("TP-01")
def test_the_bar_code_on_a_printers_own_form_scans_to_its_digits(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print_and_wait()
    assert scan_itf(bench.printer.tickets[0].png) == DIGITS


def test_the_edge_is_written_up_the_left_side(tmp_path: Path) -> None:
    plain = draw_ticket((BlankStrip(height_dots=400),), width_dots=384, torn=False)
    edged = draw_ticket((BlankStrip(height_dots=400),), width_dots=384, torn=False, edge="00-5671")
    left, _, right, _ = ImageChops.difference(plain.convert("L"), edged.convert("L")).getbbox()
    assert TABLE_PIXELS <= left < right <= TABLE_PIXELS + EDGE_PIXELS


@pytest.mark.no_cover
@pytest.mark.requirement("TP-01")
@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize("digits", [DIGITS, "000000000000000000", "999999999999999999", "160401160404991201"])
def test_the_bar_code_on_a_printed_ticket_scans_to_its_digits(tmp_path: Path, paper: PaperProfile, digits: str) -> None:
    bench = PrinterBench(tmp_path, paper=paper).start()
    bench.print_and_wait(document=Document(elements=(Text(text="TICKET"), Barcode(digits=digits))))

    assert scan(bench.printer.tickets[0].png) == digits


@pytest.mark.parametrize(("paper", "module_dots"), [(MM_58, 2), (MM_80, 3)])
def test_the_quiet_zones_beside_the_code_are_ten_modules_at_least(
    tmp_path: Path, paper: PaperProfile, module_dots: int
) -> None:
    bench = PrinterBench(tmp_path, paper=paper).start()
    bench.print_and_wait(document=Document(elements=(Barcode(digits=DIGITS),)))
    with Image.open(bench.printer.tickets[0].png) as opened:
        picture = opened.convert("L")
    middle = TABLE_PIXELS + (100 + 48) * PIXELS_PER_DOT  # the page begins 100 dots below the cut
    dark = [x for x in range(TABLE_PIXELS, picture.width - TABLE_PIXELS) if picture.getpixel((x, middle)) < 80]
    inside = 10 * module_dots * PIXELS_PER_DOT

    assert dark[-1] - dark[0] + 1 == 134 * module_dots * PIXELS_PER_DOT
    assert dark[0] - TABLE_PIXELS - EDGE_PIXELS >= inside
    assert picture.width - TABLE_PIXELS - EDGE_PIXELS - dark[-1] > inside


def test_a_picture_is_as_wide_as_the_paper_and_as_long_as_its_strips() -> None:
    picture = draw_ticket((BlankStrip(height_dots=200),), width_dots=384, torn=False)
    assert picture.size == (
        384 * PIXELS_PER_DOT + 2 * EDGE_PIXELS + 2 * TABLE_PIXELS,
        200 * PIXELS_PER_DOT + 2 * TABLE_PIXELS,
    )


def test_letters_of_any_width_stand_in_columns() -> None:
    def ink_columns(text: str) -> set[int]:
        letters = tuple(Letter(sign=sign) for sign in text)
        picture = draw_ticket((TextStrip(letters=letters, left_dots=0),), width_dots=384, torn=False).convert("L")
        first = TABLE_PIXELS + EDGE_PIXELS
        rows = range(TABLE_PIXELS + 12, TABLE_PIXELS + 44)
        return {(x - first) // 24 for x in range(first, first + 240) for y in rows if picture.getpixel((x, y)) < 100}

    assert ink_columns("WiW   Mlm ") == {0, 1, 2, 6, 7, 8}
    assert ink_columns("iWi   lMl ") == {0, 1, 2, 6, 7, 8}


def test_torn_paper_looks_different_from_cut_paper_and_the_same_strips_look_the_same() -> None:
    strips = (TextStrip(letters=(Letter(sign="A"),), left_dots=0), BlankStrip(height_dots=60))
    cut, again, torn = (draw_ticket(strips, width_dots=384, torn=torn) for torn in (False, False, True))
    assert cut.tobytes() == again.tobytes()
    assert cut.tobytes() != torn.tobytes()


def test_inverse_letters_are_light_on_dark() -> None:
    plain, inverse = (
        draw_ticket(
            (TextStrip(letters=(Letter(sign="I", inverse=inverse),), left_dots=0),), width_dots=384, torn=False
        ).convert("L")
        for inverse in (False, True)
    )
    corner = (TABLE_PIXELS + EDGE_PIXELS + 1, TABLE_PIXELS + 24)
    assert plain.getpixel(corner) > 200
    assert inverse.getpixel(corner) < 80


def test_a_saved_picture_opens_again(tmp_path: Path) -> None:
    bars = encode_bars(73, b"{C\x01\x02")
    assert bars is not None
    strip = BarStrip(bars=bars, module_dots=2, height_dots=80, left_dots=40)
    save_ticket(draw_ticket((strip,), width_dots=384, torn=False), tmp_path / "ticket.png")
    assert scan(tmp_path / "ticket.png") == "0102"
