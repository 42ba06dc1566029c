"""Sentences become lines that fit, and lose no word; lines become pages, and no heading ends one."""

import pytest

from cabinet.attendant.pages import LINES_PER_PAGE, WIDE, Line, LineStyle, sentences, sheets

WORDS = (
    "Every lifetime and period meter and all books begin at zero. The event log, the last games and the tickets stay."
)


def test_a_sentence_stands_on_lines_that_fit_and_loses_no_word() -> None:
    lines = [line.cells for line in sentences(WORDS)]
    assert len(lines) > 1
    assert all(len(cell) <= WIDE for (cell,) in lines)
    assert " ".join(cell for (cell,) in lines) == WORDS


def test_no_words_are_no_lines() -> None:
    assert sentences("") == ()


def _lines(kinds: str) -> tuple[Line, ...]:
    """A line for each letter: H a heading."""
    styles = {"H": LineStyle.HEAD}
    return tuple(Line(cells=(f"{nth}",), style=styles.get(kind, LineStyle.NORMAL)) for nth, kind in enumerate(kinds))


@pytest.mark.parametrize(
    ("kinds", "lengths"),
    [
        ("", [0]),
        ("n" * LINES_PER_PAGE, [LINES_PER_PAGE]),
        ("n" * (LINES_PER_PAGE + 1), [LINES_PER_PAGE, 1]),
        ("n" * (LINES_PER_PAGE - 1) + "Hnn", [LINES_PER_PAGE - 1, 3]),
        ("n" * (LINES_PER_PAGE - 2) + "HHn", [LINES_PER_PAGE - 2, 3]),
        ("n" * (LINES_PER_PAGE - 1) + "H", [LINES_PER_PAGE]),
    ],
)
def test_no_heading_ends_a_page_and_no_line_is_lost(kinds: str, lengths: list[int]) -> None:
    found = sheets(_lines(kinds))
    assert [len(page) for page in found] == lengths
    assert tuple(line for page in found for line in page) == _lines(kinds)


def test_a_page_that_begins_within_a_group_repeats_its_heading() -> None:
    group = (Line(cells=("Money in", "lifetime"), style=LineStyle.HEAD), *_lines("n" * 2 * LINES_PER_PAGE))
    first, second, third = sheets(group)
    assert first[0].cells == ("Money in", "lifetime")
    assert second[0] == third[0] == Line(cells=("Money in, continued", "lifetime"), style=LineStyle.HEAD)
    assert (*first[1:], *second[1:], *third[1:]) == group[1:]
