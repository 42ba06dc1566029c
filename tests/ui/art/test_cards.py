"""Playing cards: distinct faces, exact sizes, a readable corner at every size."""

import hashlib

import numpy as np
import pygame
import pytest
from support.cases import case

from cabinet.ui.art.cards import (
    PIP_PLACES,
    card_back,
    card_face,
    card_rim,
    card_shadow,
    card_size,
    shadow_drop,
    shadow_margin,
    slot,
    suit_colour,
)
from cabinet.ui.shapes import SMALL_CARD_PX

HEIGHTS = (64, 108, 150, 251)


def digest(surface: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(surface, "RGBA")).hexdigest()


def inked_share(surface: pygame.Surface, area: pygame.Rect) -> float:
    """Returns the share of an area that is clearly darker or redder than paper."""
    pixels = [surface.get_at((x, y)) for x in range(area.left, area.right) for y in range(area.top, area.bottom)]
    return sum(1 for pixel in pixels if pixel.a == 255 and pixel.g < 140) / len(pixels)


@pytest.mark.parametrize("height", HEIGHTS)
def test_a_card_is_five_wide_and_seven_high(height: int) -> None:
    width = round(height * 5 / 7)
    assert card_size(height) == (width, height)
    for piece in (card_face(0, 0, height), card_face(12, 3, height), card_back(height), slot(height)):
        assert piece.get_size() == (width, height)


def test_the_fifty_two_faces_are_all_different() -> None:
    for height in (80, 150):
        assert len({digest(card_face(rank, suit, height)) for rank in range(13) for suit in range(4)}) == 52


def test_a_face_is_drawn_the_same_each_time() -> None:
    assert digest(card_face(11, 1, 150)) == digest(card_face(11, 1, 150))
    assert digest(card_back(150)) == digest(card_back(150))


def test_the_corner_shows_rank_over_suit_large() -> None:
    for height in HEIGHTS:
        for rank in [0, 1, 6, 9, 10, 11, 12]:
            with case(height=height, rank=rank):
                face = card_face(rank, 1, height)
                share = 0.36 if height < SMALL_CARD_PX else 0.25
                width = round(height * share)
                rank_area = pygame.Rect(2, round(height * 0.06), width, round(height * 0.14))
                suit_top = round(height * (0.36 if height < SMALL_CARD_PX else 0.25))
                suit_area = pygame.Rect(2, suit_top, width, round(height * 0.09))
                assert inked_share(face, rank_area) > 0.12
                assert inked_share(face, suit_area) > 0.12


def test_the_index_of_a_full_card_stays_in_the_strip_that_a_fan_leaves_open() -> None:
    face = card_face(9, 0, 350)
    gap = pygame.Rect(round(250 * 0.236), 20, 3, 100)
    assert inked_share(face, gap) == 0


def test_corners_are_clear_and_the_middle_is_not() -> None:
    for piece in (card_face(4, 2, 150), card_back(150)):
        assert piece.get_at((0, 0)).a == 0
        assert piece.get_at((piece.get_width() // 2, 75)).a == 255


def test_the_back_looks_the_same_from_both_ends() -> None:
    back = card_back(210)
    turned = pygame.transform.rotate(back, 180)
    apart = [
        max(abs(a - b) for a, b in zip(back.get_at((x, y))[:3], turned.get_at((x, y))[:3], strict=True))
        for x in range(30, 120, 3)
        for y in range(75, 135, 3)
    ]
    assert sum(apart) / len(apart) < 12


def test_a_card_without_a_pip_in_the_middle_row_looks_the_same_from_both_ends() -> None:
    """All but the paper, which is a little darker below."""
    for rank in (1, 3, 9):
        face = card_face(rank, rank % 4, 210)
        pixels, turned = (
            pygame.surfarray.array3d(each).astype(int) for each in (face, pygame.transform.rotate(face, 180))
        )
        assert np.mean(np.abs(pixels - turned).max(axis=2) > 40) < 0.002, rank


@pytest.mark.parametrize("rank", range(1, 10))
def test_a_number_card_has_as_many_pips_as_its_number(rank: int) -> None:
    places = PIP_PLACES[rank]
    assert len(set(places)) == rank + 1
    assert {(250 - x, 350 - y) for x, y in places} == set(places) or rank == 6


def test_four_colours_part_the_suits() -> None:
    assert len({suit_colour(suit, four_colour=True) for suit in range(4)}) == 4
    assert suit_colour(1) == suit_colour(2)
    assert suit_colour(0) == suit_colour(3)
    assert digest(card_face(5, 3, 120)) != digest(card_face(5, 3, 120, four_colour=True))


def test_a_shadow_reaches_beyond_its_card_by_its_margin() -> None:
    margin = shadow_margin(180)
    shadow = card_shadow(180)
    width, height = card_size(180)
    assert shadow.get_size() == (width + 2 * margin, height + 2 * margin)
    assert shadow.get_at((0, 0)).a == 0
    assert shadow.get_at((width // 2, height // 2)).a > 90


def test_a_card_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="rank 13, suit 0"):
        card_face(13, 0, 100)
    with pytest.raises(ValueError, match="rank 0, suit 4"):
        card_face(0, 4, 100)


def test_the_slot_is_an_outline_with_gaps() -> None:
    outline = slot(175)
    assert outline.get_at((62, 87)).a == 0
    edge = [outline.get_at((1, y)).a > 60 for y in range(20, 155)]
    assert any(edge)
    assert not all(edge)


@pytest.mark.parametrize("size", [card_size(180), (60, 180), (30, 90)])
def test_the_rim_is_the_visible_part_of_a_cards_shadow(size: tuple[int, int]) -> None:
    high = 180
    margin, drop = shadow_margin(high), shadow_drop(size[1])
    rim = card_rim(high, size)
    assert rim.get_size() == (size[0] + 2 * margin, size[1] + 2 * margin)
    shadow = pygame.transform.smoothscale(card_shadow(high), rim.get_size())
    missing = pygame.surfarray.array_alpha(shadow) != pygame.surfarray.array_alpha(rim)
    card = pygame.transform.smoothscale(card_back(high), size)
    opaque = pygame.surfarray.array_alpha(card) >= 254
    hidden = np.zeros(missing.shape, bool)
    hidden[margin : margin + size[0], margin - drop : margin - drop + size[1]] = opaque
    assert missing.sum() > 0.5 * opaque.sum()
    assert not (missing & ~hidden).any()


def test_clear_pixels_of_a_card_have_no_colour() -> None:
    for card in (card_face(0, 0, 120), card_back(120)):
        clear = pygame.surfarray.array_alpha(card) == 0
        assert clear.any()
        assert not pygame.surfarray.array3d(card)[clear].any()
