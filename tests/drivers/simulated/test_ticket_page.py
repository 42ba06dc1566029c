"""The output of commands on paper."""

from drivers.simulated.escpos_parser import read_command
from drivers.simulated.ticket_page import HEAD_TO_KNIFE_DOTS, Page, read_barcode, read_lines
from drivers.simulated.ticket_picture import BarStrip, BlankStrip, TextStrip


def feed(page: Page, stream: bytes) -> int:
    used = 0
    while (found := read_command(stream)) is not None:
        used += page.take(found[0])
        stream = stream[found[1] :]
    return used


def words(page: Page) -> list[str]:
    return [line for line in read_lines(page.strips) if line]


def test_a_line_is_printed_by_lf_and_uses_thirty_dots_of_paper() -> None:
    page = Page(width_dots=384)
    assert feed(page, b"HELLO") == 0
    assert page.is_blank
    assert feed(page, b"\n") == 30
    assert words(page) == ["HELLO"]


def test_a_line_too_long_goes_on_in_the_next() -> None:
    page = Page(width_dots=120)
    feed(page, b"ABCDEFGHIJKLM\n")
    assert words(page) == ["ABCDEFGHIJ", "KLM"]


def test_alignment_and_size_place_a_line() -> None:
    page = Page(width_dots=240)
    feed(page, b"\x1ba\x01\x1d!\x11AB\n\x1ba\x02\x1d!\x00C\n")
    first, second = (strip for strip in page.strips if isinstance(strip, TextStrip))
    assert (first.left_dots, first.height_dots) == ((240 - 48) // 2, 60)
    assert (second.left_dots, second.height_dots) == (228, 30)


def test_code_pages_decide_the_letter_of_a_byte() -> None:
    page = Page(width_dots=384, starts_chinese=False)
    feed(page, b"\xd5\n\x1bt\x13\xd5\n\x1b@\xd5\n")
    assert words(page) == ["\u2552", "\u20ac", "\u2552"]
    other = Page(width_dots=384, starts_chinese=False, code_pages={0: "cp437"})
    feed(other, b"\x1bt\x13\xd5\n")
    assert words(other) == ["\u2552"]


def test_the_chinese_mode_loses_a_letter_above_127_and_the_next_one() -> None:
    page = Page(width_dots=384)
    feed(page, b"\x1bt\x13\xd51,234\n\x1c.\xd51\n\x1c&\xd51A\n\x1b@\xd5\x1c.\n")
    swallowed, plain, again, alone = words(page)
    assert swallowed.endswith(",234")
    assert "1" not in swallowed
    assert plain == "\u20ac1"
    assert (again[-1], len(again)) == ("A", 2)
    assert "\u20ac" not in alone


def test_a_bar_code_wider_than_the_head_is_blank_without_a_word() -> None:
    code = b"\x1dh\x50\x1dw\x03\x1dH\x02\x1dkI\x0b{C" + bytes(9)
    narrow, wide = Page(width_dots=384), Page(width_dots=576)
    feed(narrow, code)
    feed(wide, code)
    assert read_barcode(narrow.strips) is None
    assert narrow.is_blank
    assert read_barcode(wide.strips) == "0" * 18
    assert words(wide)[0].strip() == "0" * 18
    assert [strip.height_dots for strip in wide.strips if isinstance(strip, BarStrip)] == [0x50]


def test_the_knife_cuts_behind_the_head_and_what_was_not_fed_past_it_stays() -> None:
    page = Page(width_dots=384)
    feed(page, b"FIRST\n" + b"\x1bd\x06" + b"LAST\n")
    fallen = page.cut()
    assert [line for line in read_lines(fallen) if line] == ["FIRST"]
    assert words(page) == ["LAST"]
    assert sum(strip.height_dots for strip in page.strips) == HEAD_TO_KNIFE_DOTS


def test_torn_paper_takes_everything_with_it() -> None:
    page = Page(width_dots=384)
    feed(page, b"HALF\n")
    assert [line for line in read_lines(page.tear_off()) if line] == ["HALF"]
    assert page.strips == (BlankStrip(height_dots=HEAD_TO_KNIFE_DOTS),)


def test_power_forgets_modes_and_the_unprinted_line_but_not_the_paper() -> None:
    page = Page(width_dots=384)
    feed(page, b"\x1ba\x02ON PAPER\nIN MEMORY")
    page.power_up()
    feed(page, b"X\n")
    assert words(page) == [" " * 24 + "ON PAPER", "X"]


def test_unknown_commands_are_counted() -> None:
    page = Page(width_dots=384)
    feed(page, b"\x1b\x7f\x1d\x7f")
    assert page.unknown_commands == 2
