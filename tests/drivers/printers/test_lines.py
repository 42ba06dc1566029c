"""Text is folded into the letters of a printer, and broken into lines that fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.printers.lines import fold, format_columns, wrap


def test_columns_share_a_line_and_part_when_they_do_not_fit() -> None:
    assert format_columns("Machine", "BJ-1", 14) == ("Machine   BJ-1",)
    assert format_columns("Validation", "00-1234", 14) == ("Validation", "       00-1234")
    assert format_columns("", "", 4) == ("    ",)


def test_words_are_kept_whole_and_a_long_word_is_cut() -> None:
    assert wrap("ONE HUNDRED DOLLARS", 11) == ("ONE HUNDRED", "DOLLARS")
    assert wrap("ABCDEFGH", 3) == ("ABC", "DEF", "GH")
    assert wrap("", 5) == ("",)


@pytest.mark.parametrize(
    ("text", "paper"),
    [("don’t – wait…", "don't - wait..."), ("Łódź", "Lódz"), ("日本", "??"), ("a\x1b@b\n", "a?@b?"), ("ﬁne", "fine")],
)
def test_what_the_code_page_lacks_becomes_the_nearest(text: str, paper: str) -> None:
    assert fold(text, "cp858") == paper


@given(st.text(max_size=40), st.integers(1, 40))
def test_wrapping_loses_no_word_and_keeps_within_the_width(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert all(len(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "paper"),
    [("Café Łódź", "Cafe Lodz"), ("€ 5", "EUR  5"), ("£5", "GBP 5"), ("a\u00a0b", "a b"), ("Straße", "Strasse")],
)
def test_a_printer_with_plain_letters_only_still_prints_the_currency(text: str, paper: str) -> None:
    assert fold(text, "ascii") == paper


@given(st.text(max_size=60))
def test_folding_never_fails_and_leaves_no_control_character(text: str) -> None:
    folded = fold(text, "ascii").encode("ascii")
    assert min(folded, default=0x20) >= 0x20
