"""A few painted screens, compared with approved pictures. `REGENERATE=1 pytest tests/golden` paints them anew; the new
pictures are then reviewed like any other change.

Rules: pictures are kept small and compared by colour, not by pixel, because type differs a little between versions of
the font library; a missing, moved or recoloured part is still found.
"""

import os
from pathlib import Path

import pygame
import pytest

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.paint.still import Camera, save_picture

pytestmark = pytest.mark.screen

FOLDER = Path(__file__).parent
PAINTED, KEPT = (1280, 720), (320, 180)
BLOCK = 20
"""Side of the squares whose mean colours are compared, in pixels of a kept picture."""
FAR = 6.0
"""Largest difference of a square's mean, of 255."""
STATES = (
    "attract-welcome",
    "choice",
    "betting",
    "deciding",
    "split-four",
    "results",
    "help",
    "audit",
    "audit-bands",
    "audit-drop",
    "audit-locks",
    "audit-notes",
    "audit-win",
    "lock-several",
)


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(PAINTED)


def small(camera: Camera, name: str) -> pygame.Surface:
    """Returns a state in the size of the kept picture."""
    return pygame.transform.smoothscale(camera.take(screen_of(gallery()[name])), KEPT)


def farthest(one: pygame.Surface, other: pygame.Surface) -> tuple[float, tuple[int, int]]:
    """Returns the largest difference between the squares of two pictures, and where it is."""
    squares = [pygame.Rect(x, y, BLOCK, BLOCK) for y in range(0, KEPT[1], BLOCK) for x in range(0, KEPT[0], BLOCK)]
    distances = (
        (max(abs(a - b) for a, b in zip(_mean(one, box), _mean(other, box), strict=True)), box.topleft)
        for box in squares
    )
    return max(distances)


def _mean(surface: pygame.Surface, box: pygame.Rect) -> tuple[int, ...]:
    return tuple(pygame.transform.average_color(surface, box))[:3]


@pytest.mark.parametrize("name", STATES)
def test_a_state_matches_its_approved_picture(camera: Camera, name: str) -> None:
    picture, path = small(camera, name), FOLDER / f"{name}.png"
    if os.environ.get("REGENERATE"):
        save_picture(picture, path)
    distance, where = farthest(picture, pygame.image.load(path).convert())
    assert distance <= FAR, f"{name}: the square at {where} differs by {distance:.1f}; look at {path.name}"


def test_every_picture_belongs_to_a_state() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.png")) == sorted(STATES)


@pytest.mark.parametrize(
    ("one", "other"), [("betting", "deciding"), ("deciding", "split-four"), ("help", "betting"), ("choice", "audit")]
)
def test_another_state_would_be_found(camera: Camera, one: str, other: str) -> None:
    picture = small(camera, one).copy()
    assert farthest(picture, small(camera, other))[0] > 2 * FAR


def test_a_single_missing_chip_would_be_found(camera: Camera) -> None:
    whole = small(camera, "betting").copy()
    missing = small(camera, "betting-empty")
    assert farthest(whole, missing)[0] > 2 * FAR
