"""Foreign text in our sentences: never a control character, never longer than a line."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.text.quoting import LONGEST, cut, plain, quote, show


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/dev/ttyS0", "/dev/ttyS0"),
        ("a\nb", "a\\u000Ab"),
        ("\x1b[31m", "\\u001B[31m"),
        ("right\u202eleft", "right\\u202Eleft"),
        ("\U000e0001", "\\U000E0001"),
        ("file\udcff", "file\\uDCFF"),
        ("Zürich", "Zürich"),
    ],
)
def test_an_unprintable_character_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert quote(text) == f'"{shown}"'


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (True, "true"),
        (7, "7"),
        (7.5, "7.5"),
        ("x", '"x"'),
        ({"a": 1}, "a table"),
        ((1, 2), "[1, 2]"),
        (["a\n"], "['a\\n']"),
    ],
)
def test_a_value_is_shown_as_the_file_writes_it(found: object, shown: str) -> None:
    assert show(found) == shown


@pytest.mark.parametrize("wrap", [int, lambda number: [number]], ids=["alone", "in a list"])
def test_a_number_too_long_to_format_is_described(wrap: Callable[[int], object]) -> None:
    assert show(wrap(10**5000)) == "a number of very many digits"


def test_a_cut_is_marked() -> None:
    assert cut("a" * LONGEST) == "a" * LONGEST
    assert cut("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"


@given(st.one_of(st.text(), st.lists(st.text()), st.integers(), st.floats(), st.text(min_size=500)))
def test_every_value_is_shown_in_one_short_line(found: object) -> None:
    shown = show(found)
    assert shown.isprintable()
    assert len(shown) <= LONGEST + 2
