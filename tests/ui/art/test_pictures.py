"""Pictures: SDL renders every file at any size; a missing or damaged file is named."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pygame
import pytest

from cabinet.ui.art.pictures import (
    FOLDER,
    PictureError,
    drawing,
    in_one_colour,
    names,
    read,
    recoloured,
    rendered,
)

RED, BLUE, GREEN = (200, 20, 30), (20, 30, 200), (10, 160, 60)
RENDERED = {"svg", "title", "g", "defs", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"} | {
    "linearGradient",
    "radialGradient",
    "stop",
}
"""Elements that SDL renders, and the title, which it ignores."""
HEIGHTS = (20, 57, 128, 400)


def shown(name: str, height: int) -> pygame.Surface:
    picture = read(name)
    _, _, wide, high = picture.box
    return rendered(picture.drawing, (round(height * wide / high), height), picture.box)


def test_there_are_pictures():
    assert len(names()) > 50


def test_every_file_has_only_elements_that_sdl_renders():
    for name in names():
        tree = ET.parse(FOLDER / f"{name}.svg")
        elements = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert elements <= RENDERED, name
        assert not any("class" in element.attrib for element in tree.iter()), name


def test_every_file_shows_the_same_at_every_size():
    """The ink of a picture fills the same part of its box at every height, except for a pixel at its edges."""
    for name in names():
        whole = shown(name, HEIGHTS[-1]).get_bounding_rect(min_alpha=40)
        assert whole.w * whole.h > 0, name
        for height in HEIGHTS[:-1]:
            share = height / HEIGHTS[-1]
            ink = shown(name, height).get_bounding_rect(min_alpha=6)
            for edge in ("left", "top", "right", "bottom"):
                assert getattr(ink, edge) == pytest.approx(getattr(whole, edge) * share, abs=1.5), (name, height, edge)


def test_a_drawing_fills_exactly_the_size_asked_for():
    square = '<rect width="10" height="10" fill="#c8141e"/>'
    for size in ((1, 1), (71, 100), (286, 401)):
        piece = rendered(square, size, (0, 0, 10, 10))
        assert piece.get_size() == size
        for corner in ((0, 0), (size[0] - 1, size[1] - 1)):
            assert piece.get_at(corner) == (*RED, 255)


def test_an_edge_is_smooth_and_keeps_its_colour():
    piece = rendered('<circle r="15" fill="#c8141e"/>', (40, 40), (-20, -20, 40, 40))
    partial = [piece.get_at((x, y)) for x in range(40) for y in range(40) if 20 < piece.get_at((x, y)).a < 235]
    assert len({pixel.a for pixel in partial}) > 12
    assert all(abs(c - r) <= 8 for pixel in partial for c, r in zip(pixel[:3], RED, strict=True))


def test_a_drawing_is_moved_scaled_and_turned():
    spade = drawing("cards/spades", at=(50, 50), scale=0.5)
    upright = rendered(spade, (100, 100), (0, 0, 100, 100))
    assert 25 <= upright.get_bounding_rect().top <= 26
    over = rendered(drawing("cards/spades", at=(50, 50), scale=0.5, turned=True), (100, 100), (0, 0, 100, 100))
    turned = pygame.mask.from_surface(pygame.transform.rotate(upright, 180))
    assert pygame.mask.from_surface(over).overlap_area(turned, (0, 0)) > 0.98 * turned.count()


def test_colours_are_replaced_all_at_once():
    text = '<rect fill="#C8141E" stroke="#141ec8"/>'
    assert recoloured(text, {RED: BLUE, BLUE: GREEN}) == '<rect fill="#141ec8" stroke="#0aa03c"/>'
    assert in_one_colour(text, GREEN) == '<rect fill="#0aa03c" stroke="#0aa03c"/>'


def test_a_missing_file_is_named():
    with pytest.raises(PictureError, match=r"assets/icons/dragon\.svg is missing"):
        read("icons/dragon")


def test_a_damaged_file_is_named(tmp_path: Path):
    whole = (FOLDER / "cards/king.svg").read_bytes()
    damaged = {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "torn": whole.replace(b"</g>", b"</", 1),
        "binary": bytes(range(256)),
        "page": b"<html><body/></html>",
        "boxless": b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    }
    for name, content in damaged.items():
        (tmp_path / f"{name}.svg").write_bytes(content)
        with pytest.raises(PictureError, match=rf"{name}\.svg (cannot be read|is damaged)"):
            read(name, tmp_path)


def test_a_drawing_that_sdl_cannot_render_is_an_error():
    with pytest.raises(PictureError, match="SDL cannot render"):
        rendered("", (-1, -1), (0, 0, 1, 1))
