"""Pages as bytes: golden commands, no text that turns into a command, no bar code that comes out blank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import ConfigurationError
from drivers.printers.code_pages import CODE_PAGES
from drivers.printers.document import Align, Barcode, Columns, Document, Element, Feed, Line, Text
from drivers.printers.escpos.bytes import RESET, Cut, PageStyle, encode_document
from drivers.printers.paper import MM_58, MM_80, PaperProfile, Symbology
from drivers.simulated.escpos_parser import Op, read_command
from drivers.simulated.ticket_page import Page, read_lines

DIGITS = "005671408547977327"
START = bytes.fromhex("1B 40 1C 2E 1B 52 00 1B 74 13")
END = bytes.fromhex("1B 64 06 1D 56 00")


def encode(*elements: Element, paper: PaperProfile = MM_80, symbology: Symbology = Symbology.CODE128_C) -> bytes:
    whole = b"".join(encode_document(Document(elements=elements), PageStyle(paper=paper, symbology=symbology)))
    assert whole.startswith(START)
    assert whole.endswith(END)
    return whole[len(START) : -len(END)]


def test_a_page_begins_with_reset_and_code_page_and_ends_with_feed_and_cut() -> None:
    assert encode() == b""
    assert bytes.fromhex("1B 40 1C 2E") == RESET


def test_a_partial_cut_leaves_a_point() -> None:
    style = PageStyle(paper=MM_80, cut=Cut.PARTIAL)
    assert encode_document(Document(elements=()), style)[-1] == bytes.fromhex("1B 64 06 1D 56 01")


@pytest.mark.parametrize(
    ("name", "number", "euro"),
    [
        ("cp858", 19, b"\xd5"),
        ("cp1252", 16, b"\x80"),
        ("cp850", 2, b"EUR "),
        ("cp852", 18, b"EUR "),
        ("cp437", 0, b"EUR "),
        ("ascii", 0, b"EUR "),
    ],
)
def test_each_code_page_has_its_number_and_its_euro_sign_or_none(name: str, number: int, euro: bytes) -> None:
    style = PageStyle(paper=MM_80, code_page=CODE_PAGES[name])
    first, line, _ = encode_document(Document(elements=(Text(text="\u20ac5"),)), style)
    assert first.endswith(b"\x1bt" + bytes([number]))
    assert line.endswith(euro + b"5\n")


def test_a_line_of_text_carries_its_size_weight_side_and_inverse() -> None:
    plain = bytes.fromhex("1D 21 00 1B 45 00 1B 61 00 1D 42 00")
    loud = bytes.fromhex("1D 21 22 1B 45 01 1B 61 01 1D 42 01")

    assert encode(Text(text="Hello")) == plain + b"Hello\n"
    assert encode(Text(text="STOP", align=Align.CENTRE, scale=3, bold=True, inverse=True)) == loud + b" STOP \n"
    assert encode(Text(text="x", align=Align.RIGHT))[6:9] == bytes.fromhex("1B 61 02")


def test_the_euro_sign_is_its_byte_in_code_page_858() -> None:
    assert encode(Text(text="€ 5 £ é")).endswith(bytes.fromhex("D5 20 35 20 9C 20 82 0A"))


@pytest.mark.requirement("TP-01")
def test_eighteen_digits_go_out_as_code128_c_with_a_byte_for_each_pair() -> None:
    code = encode(Barcode(digits=DIGITS))

    pairs = bytes([0, 56, 71, 40, 85, 47, 97, 73, 27])
    assert bytes.fromhex("1D 6B 49 0B 7B 43") + pairs in code
    assert bytes.fromhex("1D 48 02") in code  # readable digits below
    assert bytes.fromhex("1D 77 03") in code  # three dots a module on 80 mm
    assert bytes.fromhex("1D 77 02") in encode(Barcode(digits=DIGITS), paper=MM_58)


def test_interleaved_2_of_5_goes_out_as_digits() -> None:
    assert b"\x1dkF\x12" + DIGITS.encode() in encode(Barcode(digits=DIGITS), symbology=Symbology.ITF)


@pytest.mark.parametrize(
    ("digits", "complaint"),
    [
        ("1" * 30, "needs 440 dots"),
        ("123", "even number"),
        ("", "decimal digits"),
        ("12a4", "decimal digits"),
        ("١٢", "dec"),
    ],
)
def test_a_bar_code_that_would_come_out_blank_is_refused(digits: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        encode(Barcode(digits=digits), paper=MM_58)


def test_a_text_size_no_printer_has_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="size 5"):
        encode(Text(text="x", scale=5))


def test_a_rule_and_empty_lines_fill_the_width() -> None:
    assert encode(Line(), paper=MM_58).endswith(b"-" * 32 + b"\n")
    assert encode(Feed(lines=3)) == bytes.fromhex("1B 64 01") * 3


@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_any_text_encodes_and_none_becomes_a_command(left: str, right: str, inverse: bool) -> None:
    page = Document(elements=(Text(text=left, inverse=inverse), Columns(left=left, right=right)))
    for piece in encode_document(page, PageStyle(paper=MM_58))[1:-1]:
        printed = piece[12:]  # behind size, weight, side and inverse
        assert printed.endswith(b"\n")
        assert min(printed[:-1], default=0x20) >= 0x20
        assert len(printed) <= 33


EURO_PAGE = Document(elements=(Columns(left="Amount", right="\u20ac123.45"), Line()))


def print_on(unit: Page, style: PageStyle) -> list[str]:
    stream = b"".join(encode_document(EURO_PAGE, style))
    while (found := read_command(stream)) is not None and found[0].op is not Op.CUT:
        unit.take(found[0])
        stream = stream[found[1] :]
    return [line for line in read_lines(unit.strips) if line]


def test_a_board_that_starts_in_its_chinese_mode_prints_the_whole_amount() -> None:
    amount, rule = print_on(Page(width_dots=576), PageStyle(paper=MM_80))
    assert amount.split() == ["Amount", "\u20ac123.45"]
    assert rule == "-" * 48


@pytest.mark.parametrize(
    ("page", "shown"), [("cp858", "\u2552123.45"), ("cp1252", "\u20ac123.45"), ("ascii", "123.45")]
)
def test_a_board_without_a_code_page_is_served_by_another(page: str, shown: str) -> None:
    unit = Page(width_dots=576, code_pages={0: "cp437", 16: "cp1252"})
    amount, _ = print_on(unit, PageStyle(paper=MM_80, code_page=CODE_PAGES[page]))
    assert amount.split()[-1] == shown
