"""Texts fit their rooms."""

import pytest

from cabinet.text.typefaces import Role
from cabinet.ui.art.fonts import text_width
from cabinet.ui.art.palette import CREAM
from cabinet.ui.paint.lettering import LEADING, amount, broken, drop_of, line, set_paragraphs

LONG = "A natural in the first two cards pays three to two, and a hand made by splitting is never a natural."


def test_a_paragraph_is_broken_so_that_every_line_fits_and_no_word_is_lost():
    lines = broken(Role.TEXT, 20, LONG, 300)
    assert len(lines) > 2
    assert " ".join(lines) == LONG
    assert all(text_width(Role.TEXT, 20, words) <= 300 for words in lines)


def test_a_word_wider_than_the_room_has_a_line_of_its_own():
    assert broken(Role.TEXT, 20, "a Donaudampfschifffahrt b", 60) == ("a", "Donaudampfschifffahrt", "b")


@pytest.mark.parametrize("room", [(600, 200), (400, 120), (300, 90)])
def test_paragraphs_shrink_until_all_of_them_fit(room: tuple[int, int]):
    found = set_paragraphs(Role.TEXT, 40, (LONG, LONG), room, 0.5)
    assert found.px < 40
    assert found.px * (LEADING * len(found.lines) + 0.5) <= room[1]
    assert [first for _, first in found.lines].count(True) == 2


def test_short_paragraphs_are_as_large_as_asked():
    assert set_paragraphs(Role.TEXT, 20, ("Short",), (600, 200)).px == 20


def test_a_line_and_an_amount_never_leave_their_room():
    assert line(Role.TITLE, 60, "European Blackjack", CREAM, (200, 60)).get_width() <= 200
    assert amount(60, "$1,234,567.00", CREAM, 150).get_width() <= 150


def test_an_amount_keeps_its_width_while_it_counts():
    widths = {amount(40, f"${cents / 100:.2f}", CREAM, 500).get_width() for cents in range(1000, 9999, 77)}
    assert len(widths) == 1


def test_capitals_are_moved_by_little():
    assert all(abs(drop_of(role)) < 0.2 for role in Role)
