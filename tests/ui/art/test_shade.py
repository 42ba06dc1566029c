"""Distance fields: coverages, fixed noise, and plates with the colours of their layers."""

import numpy as np
import pygame

from cabinet.ui.art.shade import (
    Plate,
    along,
    blend,
    fading,
    from_box,
    from_disc,
    from_lozenge,
    grid,
    inside,
    noise_tile,
    scaled_down,
    tiled_noise,
)


def test_distances_are_pixels_and_negative_inside() -> None:
    at = grid((21, 21))
    disc = from_disc(at, (10.5, 10.5), 5)
    assert disc[10, 10] == -5
    assert disc[20, 10] == 5
    box = from_box(at, (2, 4, 10, 8), 2)
    assert box[7, 7] == -3.5
    assert box[20, 8] == 8.5


def test_coverages_stay_between_none_and_full() -> None:
    distance = from_disc(grid((60, 60)), (30, 30), 20)
    for field in (inside(distance), along(distance, 3), along(distance, 0.4), fading(distance, 8)):
        assert field.min() >= 0
        assert field.max() <= 1
    assert along(distance, 0.4).max() < 0.5
    assert fading(distance, 8)[30, 30] == 1


def test_noise_is_even_and_the_same_each_time() -> None:
    tile = noise_tile(0)
    assert abs(float(tile.mean()) - 0.5) < 0.01
    assert np.all(np.abs(np.histogram(tile, bins=8, range=(0, 1))[0] / tile.size - 0.125) < 0.01)
    assert not np.array_equal(tile, noise_tile(1))
    assert tiled_noise((300, 40)).shape == (300, 40)
    assert float(np.abs(tile[1:] - tile[:-1]).mean()) > 0.25


def test_a_plate_returns_the_colour_and_cover_of_its_layer() -> None:
    plate = Plate((20, 10))
    full = np.ones((20, 10), np.float32)
    plate.add((100, 150, 200), full, strength=0.5)
    half = plate.surface()
    assert half.get_at((3, 3))[:3] in {(100, 150, 200), (99, 149, 199)}
    assert abs(half.get_at((3, 3)).a - 127) <= 1
    plate.add((10, 20, 30), full)
    assert plate.surface().get_at((3, 3)).a == 255
    assert all(abs(c - w) <= 1 for c, w in zip(plate.opaque().get_at((3, 3))[:3], (10, 20, 30), strict=True))


def test_a_blend_runs_from_its_first_to_its_second_colour() -> None:
    ramp = blend((0, 0, 0), (200, 100, 50), np.array([-1, 0, 0.5, 1, 2], np.float32))
    assert ramp.tolist() == [[0, 0, 0], [0, 0, 0], [100, 50, 25], [200, 100, 50], [200, 100, 50]]


def test_a_lozenge_reaches_equally_far_in_four_directions() -> None:
    shape = inside(from_lozenge(grid((40, 40)), (20, 20), 10))
    assert shape[20, 11] == shape[20, 28] == shape[11, 20] == shape[28, 20]
    assert shape[20, 12] == 1
    assert shape[20, 9] == 0
    assert shape[27, 27] == 0


def test_an_edge_brought_down_is_smooth_and_keeps_its_colour() -> None:
    large = pygame.Surface((160, 160), pygame.SRCALPHA)
    pygame.draw.circle(large, (200, 20, 30), (80, 80), 60)
    piece = scaled_down(large, (40, 40))
    assert piece.get_at((20, 20)) == (200, 20, 30, 255)
    assert piece.get_at((0, 0)).a == 0
    partial = [piece.get_at((x, y)) for x in range(40) for y in range(40) if 20 < piece.get_at((x, y)).a < 235]
    assert len(partial) > 40
    assert all(abs(c - r) <= 8 for pixel in partial for c, r in zip(pixel[:3], (200, 20, 30), strict=True))


def test_bringing_down_a_clear_surface_leaves_it_clear() -> None:
    clear = pygame.Surface((8, 8), pygame.SRCALPHA)
    assert scaled_down(clear, (8, 8)).get_bounding_rect().width == 0
