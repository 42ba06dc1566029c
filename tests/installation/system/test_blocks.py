"""A marked block comes, changes and goes; what is around it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.installation.system.blocks import BEGIN, END, BlockError, put_block, remove_block, split_lines

OWN = st.lists(st.sampled_from([*"ab#[]= \t\n\x0b\x85", "\r\n"]), max_size=60).map("".join)
LINES = st.lists(st.sampled_from(["a=1", "[all]", "# why"]), min_size=1, max_size=4)


@given(own=OWN, first=LINES, second=LINES)
def test_a_block_is_replaced_at_its_place(own: str, first: list[str], second: list[str]):
    assert put_block(put_block(own, first), second) == put_block(own, second)


@given(own=OWN, lines=LINES)
def test_without_the_block_the_text_is_the_users_with_a_line_end(own: str, lines: list[str]):
    left = remove_block(put_block(own, lines))
    assert left in {own, f"{own}\n", f"{own}\r\n"}


@given(own=OWN)
def test_lines_lose_no_character(own: str):
    assert "".join(split_lines(own)) == own


def test_a_user_s_line_behind_the_block_stays_behind_it():
    text = put_block("mine=1\n", ["theirs=1"]) + "mine=2\n"
    assert put_block(text, ["theirs=2"]) == f"mine=1\n{BEGIN}\ntheirs=2\n{END}\nmine=2\n"


def test_a_block_without_lines_is_none():
    assert put_block(put_block("mine=1\n", ["theirs=1"]), []) == "mine=1\n"


def test_a_block_has_the_line_ends_of_its_file():
    assert put_block("mine=1\r\n", ["theirs=1"]).count("\r\n") == 4


@pytest.mark.parametrize(
    "text", [f"a\n{BEGIN}\nb\n", f"a\n{END}\n", f"a\n{END}\n{BEGIN}\n", f"a\n{BEGIN}\n{END}\n{BEGIN}\n{END}\n"]
)
def test_marks_that_do_not_fit_are_an_error_that_names_the_line(text: str):
    with pytest.raises(BlockError, match=r"^line 2: found \d lines .* expected one block"):
        put_block(text, ["c"])
