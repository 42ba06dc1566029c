"""Chips: customary colours, short values, walls and lights that fit."""

import hashlib

import pygame
import pytest

from cabinet.ui.art import palette
from cabinet.ui.art.chips import (
    chip,
    chip_edge,
    chip_ring,
    chip_shadow,
    face_value,
    thickness,
)


def digest(surface: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(surface, "RGBA")).hexdigest()


@pytest.mark.parametrize("diameter", [24, 61, 120])
def test_a_chip_is_a_disc_of_its_diameter(diameter: int) -> None:
    piece = chip(25_00, diameter)
    assert piece.get_size() == (diameter, diameter)
    assert piece.get_at((0, 0)).a == 0
    assert piece.get_at((diameter // 2, diameter // 2)).a == 255
    assert piece.get_bounding_rect().size == (diameter, diameter)


def test_every_value_looks_different() -> None:
    assert len({digest(chip(value, 60)) for value in (*palette.CHIP, 20_00)}) == len(palette.CHIP) + 1
    assert digest(chip(5_00, 60)) == digest(chip(5_00, 60))


@pytest.mark.parametrize(
    ("cents", "shown"),
    [(25, "¼"), (50, "½"), (100, "1"), (500, "5"), (2500, "25"), (100_00, "100"), (1000_00, "1k"), (2_50, "2.50")],
)
def test_the_value_is_printed_short(cents: int, shown: str) -> None:
    assert face_value(cents) == shown


def test_chips_have_the_customary_colours() -> None:
    red, green, black = (palette.CHIP[value].body for value in (5_00, 25_00, 100_00))
    assert red[0] > 2 * max(red[1:])
    assert green[1] > green[0] + 40
    assert max(black) < 50


def test_a_chip_with_its_wall_is_higher_by_its_thickness() -> None:
    assert chip_edge(5_00, 60).get_size() == (60, 60 + thickness(60))


def test_light_and_shadow_are_wider_than_the_chip() -> None:
    assert chip_ring(80).get_size() == (120, 120)
    assert chip_ring(80).get_at((60, 60)).a == 0
    assert chip_ring(80).get_at((0, 60)).a < 8
    assert chip_shadow(60).get_size() == (80, 80)
