"""The text of a statement reads back as it was written."""

import pytest

from cabinet.statement.text import FIRST_LINE, Statement, read_lines, statement_text


def _statement(*figures: tuple[str, str]) -> Statement:
    return Statement(machine="0042", venue="Hall", time="1 Dec 2026 14:00", row=7, row_hash="ab" * 32, figures=figures)


def test_the_text_names_the_machine_the_row_and_its_hash():
    lines = dict(read_lines(statement_text(_statement())))
    assert lines == {"Machine": "0042", "Venue": "Hall", "Time": "1 Dec 2026 14:00", "Row": "7", "Hash": "ab" * 16}


def test_figures_follow_in_their_order_and_read_back():
    figures = (("Credit", "$12.50"), ("Notes in", "$1,000.00: all"))
    assert read_lines(statement_text(_statement(*figures)))[5:] == figures


@pytest.mark.parametrize("figure", [("a: b", "1"), ("a", "1\nb: 2"), ("a", "1\r"), ("a\n", "1")])
def test_a_line_with_two_readings_is_not_written(figure: tuple[str, str]):
    with pytest.raises(ValueError, match="cannot hold"):
        statement_text(_statement(figure))


def test_another_text_is_not_read():
    with pytest.raises(ValueError, match=FIRST_LINE):
        read_lines("SOMETHING ELSE\n")
