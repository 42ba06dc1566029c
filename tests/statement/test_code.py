"""The code for a phone."""

import pytest

from cabinet.statement.code import LONGEST, modules


def test_a_code_is_a_square_with_a_finder_in_three_corners():
    rows = modules("credit: 1")
    assert all(len(row) == len(rows) for row in rows)
    dark = (True,) * 7
    assert rows[0][:7] == rows[0][-7:] == rows[-1][:7] == dark
    assert rows[-1][-7:] != dark


def test_the_longest_text_has_modules_of_four_pixels_on_the_smallest_screen():
    assert len(modules("x" * LONGEST)) == 113


def test_a_longer_text_is_refused():
    with pytest.raises(ValueError, match="900 bytes, not 901"):
        modules("x" * (LONGEST + 1))
