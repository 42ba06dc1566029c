"""Icons: one for every state, each its own, at the size asked for."""

import pygame
import pytest

from cabinet.ui.art.icons import icon
from cabinet.ui.art.palette import BRASS
from cabinet.ui.art.pictures import PictureError, names

ICONS = {name.removeprefix("icons/") for name in names() if name.startswith("icons/")}

NEEDED = {"door", "jam", "note", "ticket", "bell", "call", "key", "clock", "speaker_on", "speaker_off"} | {
    "help",
    "rules",
    "printer",
    "hand",
    "warning",
}


def test_every_state_has_an_icon() -> None:
    assert ICONS >= NEEDED


@pytest.mark.parametrize("name", sorted(ICONS))
def test_an_icon_fits_its_square_and_has_one_colour(name: str) -> None:
    for px in (20, 48):
        piece = icon(name, px, BRASS)
        assert piece.get_size() == (px, px)
        ink = piece.get_bounding_rect(min_alpha=40)
        assert ink.width > px * 0.4
        assert ink.height > px * 0.4
        solid = [piece.get_at((x, y)) for x in range(px) for y in range(px) if piece.get_at((x, y)).a > 250]
        assert solid
        assert all(abs(c - b) <= 2 for pixel in solid for c, b in zip(pixel[:3], BRASS, strict=True))


def test_icons_are_all_different() -> None:
    assert len({pygame.image.tobytes(icon(name, 32, BRASS), "RGBA") for name in ICONS}) == len(ICONS)


def test_an_unknown_icon_is_refused_by_its_file() -> None:
    with pytest.raises(PictureError, match="dragon"):
        icon("dragon", 20, BRASS)
