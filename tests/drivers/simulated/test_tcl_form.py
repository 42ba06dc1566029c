"""The stored form: every field on the ticket, a bar code that reads as its digits, none for digits that make none."""

from drivers.simulated.tcl_form import WIDTH_DOTS, journal_strips, ticket_lines, ticket_strips
from drivers.simulated.ticket_page import read_barcode, read_lines
from drivers.simulated.ticket_picture import TextStrip

FIELDS = (*(f"field {n}" for n in range(1, 17)), "005671408547977327")


def test_the_ticket_carries_its_fields_and_its_bar_code() -> None:
    strips = ticket_strips(FIELDS)
    assert strips is not None
    words = " ".join(read_lines(strips))
    for number in (2, 3, 4, 7, 8, 9, 10, 11, 13, 15, 16):
        assert f"field {number}" in words
    assert read_barcode(strips) == FIELDS[16]


def test_nothing_stands_outside_the_paper() -> None:
    lines = [strip for strip in ticket_strips(FIELDS) or () if isinstance(strip, TextStrip)]
    ends = [line.left_dots + sum(letter.wide * 12 for letter in line.letters) for line in lines]
    assert 0 < max(ends) <= WIDTH_DOTS


def test_digits_that_make_no_bar_code_make_no_ticket() -> None:
    for digits in ("", "123", "12x4", "\u00b2\u00b2"):
        assert ticket_strips((*FIELDS[:16], digits)) is None


def test_the_words_begin_with_the_edge() -> None:
    assert ticket_lines(FIELDS)[0] == "field 1"
    assert ticket_lines(("", *FIELDS[1:]))[0] == "field 2"


def test_a_journal_is_its_lines() -> None:
    assert [line.strip() for line in read_lines(journal_strips(("one", "two"))) if line] == ["one", "two"]
