"""Assets in the rooms of the layout."""

import pygame
import pytest
from support.blits import box_of, ink_of, words_of
from support.display import open_display

from cabinet.text.typefaces import Role
from cabinet.ui.art.cards import card_back
from cabinet.ui.art.palette import CREAM
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet

pytestmark = pytest.mark.screen

NEIGHBOURS = 40
"""Largest difference of brightness in a pixel in which two letters meet."""
ROOM = Rect(100, 50, 400, 200)


@pytest.fixture
def sheet() -> Sheet:
    open_display((320, 200))
    return Sheet(Assets(10 * 2**20))


def test_an_asset_is_placed_at_its_own_size(sheet: Sheet):
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


def test_an_empty_text_makes_no_blit(sheet: Sheet):
    sheet.words(Role.TEXT, 20, "", ROOM)
    sheet.figures(20, "", ROOM)
    sheet.counted(20, "", ROOM)
    assert sheet.blits == []


def test_all_amounts_end_at_the_right_edge(sheet: Sheet):
    for amount in ("$1.00", "$12,345.00"):
        sheet.figures(40, amount, ROOM)
    assert {box_of(blit).right for blit in sheet.blits} == {ROOM.right}


@pytest.mark.parametrize("px", [18, 40, 56, 90])
@pytest.mark.parametrize("words", ["$1,234.50", "4.711 Guthaben", "−0,75\u202f€", "$9,999,999,999.00"])
def test_a_counted_amount_looks_like_a_drawn_one(sheet: Sheet, px: int, words: str):
    pictures = []
    for put in (sheet.figures, sheet.counted):
        sheet.blits.clear()
        put(px, words, ROOM, colour=CREAM)
        canvas = pygame.Surface((600, 300))
        canvas.blits([(sheet.assets.get(blit.asset), (blit.x, blit.y)) for blit in sheet.blits])
        pictures.append(pygame.surfarray.array3d(canvas).astype(int))
    assert pictures[0].max() > 200
    assert abs(pictures[0] - pictures[1]).max() <= NEIGHBOURS


def test_another_amount_of_as_many_figures_differs_in_its_digits_only(sheet: Sheet):
    sheet.counted(40, "$1,234.50", ROOM)
    first = list(sheet.blits)
    sheet.blits.clear()
    sheet.counted(40, "$1,239.50", ROOM)
    assert [a.asset == b.asset and a.x == b.x for a, b in zip(first, sheet.blits, strict=True)].count(False) == 1


def test_paragraphs_keep_every_word_in_the_room_and_return_their_starts(sheet: Sheet):
    paragraphs = ("An ace counts eleven as long as that does not take the hand over twenty-one. " * 2).strip()
    heads = sheet.paragraphs(Role.TEXT, 30, (paragraphs, "Short."), ROOM, gap_em=0.5)
    assert len(heads) == 2
    assert " ".join(words_of(blit)[0] for blit in sheet.blits) == f"{paragraphs} Short."
    assert all(ink_of(blit, sheet.assets).within(ROOM) for blit in sheet.blits)
    assert heads[0].y < heads[1].y
