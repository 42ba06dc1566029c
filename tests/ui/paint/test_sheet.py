"""Putting assets where there is room for them."""

import pytest
from support.blits import box_of, ink_of, words_of
from support.display import open_display

from cabinet.ui.art.cards import card_back
from cabinet.ui.art.fonts import Role
from cabinet.ui.geometry import Rect
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet

pytestmark = pytest.mark.screen

ROOM = Rect(100, 50, 400, 200)


@pytest.fixture
def sheet() -> Sheet:
    open_display((320, 200))
    return Sheet(Assets(10 * 2**20))


def test_an_asset_is_put_with_the_size_it_has(sheet: Sheet):
    sheet.put(piece(card_back, 70), 5, 6)
    assert box_of(sheet.blits[0]) == Rect(5, 6, 50, 70)


@pytest.mark.parametrize(
    ("across", "down", "corner"), [(0.5, 0.5, (275, 115)), (LEFT, 0.0, (100, 50)), (RIGHT, 1.0, (450, 180))]
)
def test_an_asset_is_placed_by_shares_of_the_free_space(
    sheet: Sheet, across: float, down: float, corner: tuple[int, int]
):
    sheet.place(piece(card_back, 70), ROOM, across, down)
    assert box_of(sheet.blits[0])[:2] == corner


def test_no_words_are_no_blit(sheet: Sheet):
    sheet.words(Role.TEXT, 20, "", ROOM)
    sheet.figures(20, "", ROOM)
    assert sheet.blits == []


def test_amounts_end_at_the_right_edge_whatever_they_are(sheet: Sheet):
    for amount in ("$1.00", "$12,345.00"):
        sheet.figures(40, amount, ROOM)
    assert {box_of(blit).right for blit in sheet.blits} == {ROOM.right}


def test_paragraphs_say_every_word_inside_the_room_and_tell_where_each_begins(sheet: Sheet):
    paragraphs = ("An ace counts eleven as long as that does not take the hand over twenty-one. " * 2).strip()
    heads = sheet.paragraphs(Role.TEXT, 30, (paragraphs, "Short."), ROOM, gap_em=0.5)
    assert len(heads) == 2
    assert " ".join(words_of(blit)[0] for blit in sheet.blits) == f"{paragraphs} Short."
    assert all(ink_of(blit, sheet.assets).within(ROOM) for blit in sheet.blits)
    assert heads[0].y < heads[1].y
