"""A report as a value."""

import pytest

from cabinet.report.value import Column, Span, Tone, Words, plain_text, words


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("as it is", "as it is"),
        (Span(text="toned", tone=Tone.BAD), "toned"),
        (("a ", Span(text="b", tone=Tone.GOOD)), "a b"),
    ],
)
def test_words_are_text_with_or_without_tones(content: Words, text: str):
    assert plain_text(content) == text


def test_only_the_first_column_of_a_table_of_figures_has_words():
    assert words("what", "much") == (Column(name="what"), Column(name="much", figures=True))
