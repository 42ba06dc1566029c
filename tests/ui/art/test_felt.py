"""The table: cloth in time and without bands, printing on an arc, rail, circles, shoe."""

import hashlib
import time

import pygame
import pytest

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.felt import CircleState, arched_text, bet_circle, felt, pool_of_light, rail, shoe, top_bar
from cabinet.ui.art.fonts import text_width

GAMES = ("european", "table", "classic")


def digest(surface: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(surface, "RGBA")).hexdigest()


def average(surface: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    red, green, blue, _ = pygame.transform.average_color(surface, pygame.Rect(x - 20, y - 20, 40, 40))
    return red, green, blue


def test_each_game_has_its_own_cloth_drawn_the_same_each_time() -> None:
    assert len({digest(felt((320, 180), game)) for game in GAMES}) == 3
    assert digest(felt((320, 180), "table")) == digest(felt((320, 180), "table"))


@pytest.mark.parametrize("game", GAMES)
def test_the_light_is_above_the_middle_and_fades_to_the_corners(game: str) -> None:
    cloth = felt((1280, 720), game)
    middle, side, corner = average(cloth, 640, 290), average(cloth, 200, 290), average(cloth, 25, 700)
    assert sum(middle) > sum(side) > sum(corner)
    assert all(abs(a - b) < 14 for a, b in zip(middle, palette.FELT[game].inner, strict=True))


def test_the_cloth_is_textured_so_that_no_band_shows() -> None:
    cloth = felt((1280, 720), "european")
    neighbours = [cloth.get_at((x, 300))[:3] != cloth.get_at((x + 1, 300))[:3] for x in range(300, 900)]
    assert sum(neighbours) > 400


def test_the_cloth_is_drawn_quickly() -> None:
    for size, budget_s in (((1920, 1080), 2.0), ((3840, 2160), 6.0)):
        started = time.process_time()
        assert felt(size, "classic").get_size() == size
        assert time.process_time() - started < budget_s


def test_a_game_without_a_cloth_is_an_error() -> None:
    with pytest.raises(KeyError):
        felt((10, 10), "baccarat")


@pytest.mark.parametrize("radius", [600.0, -600.0])
def test_a_printed_line_is_bent_up_or_down_and_loses_nothing(radius: float) -> None:
    words = "INSURANCE PAYS 2 TO 1"
    line = arched_text(Role.TITLE, 30, words, palette.BRASS, radius, 4)
    flat = text_width(Role.TITLE, 30, words, tracking=4)
    assert 0.9 * flat < line.get_width() < 1.06 * flat
    third = line.get_width() // 3
    ends = line.subsurface(pygame.Rect(0, 0, third, line.get_height())).get_bounding_rect()
    middle = line.subsurface(pygame.Rect(third, 0, third, line.get_height())).get_bounding_rect()
    assert (ends.top < middle.top) if radius > 0 else (ends.bottom > middle.bottom)


def test_sizes_are_exact() -> None:
    assert rail((640, 120)).get_size() == (640, 120)
    assert top_bar((640, 40)).get_size() == (640, 40)
    assert pool_of_light((300, 200)).get_size() == (300, 200)
    assert shoe(200).get_size() == (160, 200)
    assert all(bet_circle(90, state).get_size() == (90, 90) for state in CircleState)


def test_the_pool_of_light_ends_before_its_edges() -> None:
    pool = pool_of_light((300, 200))
    assert pool.get_at((150, 100)).a > 50
    assert max(pool.get_at((x, 0)).a for x in range(300)) == 0
    assert max(pool.get_at((0, y)).a for y in range(200)) == 0


def test_the_rail_has_a_brass_edge_and_dark_wood() -> None:
    wood = rail((400, 200))
    assert wood.get_at((200, 1))[0] > 120
    assert max(wood.get_at((200, 100))[:3]) < 60


def test_a_chosen_circle_is_brighter_than_an_open_and_an_idle_one() -> None:
    circles = [bet_circle(100, state) for state in (CircleState.IDLE, CircleState.OPEN, CircleState.CHOSEN)]
    pixels = [[circle.get_at((x, 50)) for x in range(100)] for circle in circles]
    light = [sum(sum(pixel[:3]) * pixel.a for pixel in row) for row in pixels]
    assert light[0] < light[1] < light[2]


def test_the_table_is_drawn_the_same_each_time() -> None:
    for draw in (lambda: rail((200, 80)), lambda: shoe(120), lambda: pool_of_light((90, 60))):
        assert digest(draw()) == digest(draw())
