"""Sentences become lines that fit, and lose no word."""

from cabinet.attendant.pages import WIDE, sentences

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
