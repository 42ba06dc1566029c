"""Curves and canvases: contours as described, edges clean, alpha unharmed."""

import itertools
import math

import pytest

from cabinet.ui.art.vector import Canvas, both_sides, brought_down, dashes, ellipse, mirrored, path, placed, rounded_box

RED = (200, 20, 30)


def test_a_path_string_gives_its_points() -> None:
    assert path("M 1 2 L 3 4 H 7 V -1") == ((1, 2), (3, 4), (7, 4), (7, -1))
    curve = path("M 0 0 C 0 10 10 10 10 0")
    assert curve[-1] == (10, 0)
    assert max(y for _, y in curve) == pytest.approx(7.5)
    assert path("M 0 0 Q 5 10 10 0")[-1] == (10, 0)


def test_an_unknown_path_letter_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="path letter 'A'"):
        path("M 0 0 A 1 1")


def test_a_symmetrical_contour_is_its_own_mirror_image() -> None:
    for contour in (both_sides(path("M 0 -1 L 2 0 L 0 3")), both_sides(path("M 0 0 C 1 2 3 4 0 5"))):
        assert {(round(x, 9), round(y, 9)) for x, y in mirrored(contour)} == {
            (round(x, 9), round(y, 9)) for x, y in contour
        }


def test_placing_turns_clockwise_scales_and_moves() -> None:
    ((x, y),) = placed(((1, 0),), at=(10, 20), scale=2, degrees=90)
    assert (x, y) == pytest.approx((10, 22))


def test_dashes_cover_the_share_they_are_given() -> None:
    pieces = dashes(rounded_box(0, 0, 100, 60, 10), on=6, off=4)
    drawn = sum(math.dist(a, b) for piece in pieces for a, b in itertools.pairwise(piece))
    assert drawn == pytest.approx(0.6 * (2 * 80 + 2 * 40 + 2 * math.pi * 10), rel=0.01)


def test_an_edge_is_smooth_and_keeps_its_colour() -> None:
    canvas = Canvas((40, 40), (-20, -20, 40, 40))
    canvas.fill(ellipse((0, 0), 15, 15), RED)
    piece = canvas.finished()
    assert piece.get_at((20, 20)) == (*RED, 255)
    assert piece.get_at((0, 0)).a == 0
    partial = [piece.get_at((x, y)) for x in range(40) for y in range(40) if 20 < piece.get_at((x, y)).a < 235]
    assert len(partial) > 40
    assert all(abs(c - r) <= 8 for pixel in partial for c, r in zip(pixel[:3], RED, strict=True))


def test_a_layer_can_be_moved_turned_and_cut() -> None:
    canvas = Canvas((40, 40), (0, 0, 40, 40))
    layer = canvas.layer(origin=(20, 20))
    layer.fill(rounded_box(-20, -20, 10, 10, 0.1), RED)
    canvas.merge(layer, turned=True)
    assert canvas.finished().get_at((35, 35)) == (*RED, 255)
    assert canvas.finished().get_at((5, 5)).a == 0
    canvas.merge(layer, within=((0, 0), (10, 0), (10, 4), (0, 4)))
    assert canvas.finished().get_at((5, 2)).a == 255
    assert canvas.finished().get_at((5, 7)).a == 0
    canvas.merge(layer, flipped=True)
    assert canvas.finished().get_at((35, 5)).a == 255


def test_bringing_down_a_clear_surface_leaves_it_clear() -> None:
    canvas = Canvas((8, 8), (0, 0, 8, 8))
    assert brought_down(canvas.surface, (8, 8)).get_bounding_rect().width == 0
