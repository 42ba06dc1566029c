"""Robes of the court: from shoulder to sash across the whole frame, with an arm that reaches up."""

import pygame
import pytest

from cabinet.ui.art.liveries import LIVERIES
from cabinet.ui.art.robes import ROBES, draw_raised_arm
from cabinet.ui.art.vector import Canvas


def blank() -> Canvas:
    """A canvas as a court figure is drawn on, its origin in the card's middle."""
    return Canvas((250, 350), (-125, -175, 250, 350), oversample=2)


@pytest.mark.parametrize("rank", sorted(ROBES))
def test_a_robe_leaves_no_ground_along_the_sash(rank: int) -> None:
    canvas = blank()
    ROBES[rank](canvas, LIVERIES[1], 1)
    piece = canvas.finished()
    assert all(piece.get_at((x, 175)).a == 255 for x in range(125 - 62, 125 + 62))
    assert piece.get_bounding_rect().top > 175 - 95


@pytest.mark.parametrize("rank", sorted(ROBES))
def test_the_raised_arm_ends_in_a_hand_above_the_sash(rank: int) -> None:
    canvas = blank()
    draw_raised_arm(canvas, LIVERIES[2], rank)
    ink = canvas.finished().get_bounding_rect()
    assert 175 - 26 <= ink.top <= 175 - 16
    assert 125 + 44 in range(ink.left, ink.right)


def test_the_sign_of_the_suit_is_worn_by_everybody() -> None:
    for robe in ROBES.values():
        worn = []
        for suit in range(4):
            canvas = blank()
            robe(canvas, LIVERIES[0], suit)
            worn.append(pygame.image.tobytes(canvas.finished(), "RGBA"))
        assert len(set(worn)) == 4
