"""Buttons, totals, results: exact sizes, whole words, distinct states."""

import hashlib

import pygame
import pytest

from cabinet.ui.art.buttons import (
    BannerTone,
    Tone,
    amount_tag,
    banner,
    button,
    digits,
    panel,
    plaque,
    pointer,
)
from cabinet.ui.art.palette import CREAM

LONG = ("VERDOPPELN", "APPELER LE SERVICE", "DEAL", "AUSZAHLUNG ANFORDERN", "SERVICEMITARBEITERANFRAGE")
SIZES = ((150, 52), (98, 36), (300, 104), (70, 70))


def digest(surface: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(surface, "RGBA")).hexdigest()


def inked_columns(piece: pygame.Surface, bare: pygame.Surface) -> list[int]:
    """Returns the columns in which a piece differs from the same piece without words."""
    width, height = piece.get_size()
    return [x for x in range(width) if any(piece.get_at((x, y)) != bare.get_at((x, y)) for y in range(height))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lit", [True, False])
def test_a_button_has_the_size_asked_for(size: tuple[int, int], lit: bool) -> None:
    assert button(size, "CASH OUT", lit=lit).get_size() == size


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("label", LONG)
def test_no_legend_touches_the_edge_of_its_button(size: tuple[int, int], label: str) -> None:
    columns = inked_columns(button(size, label, lit=True), button(size, "", lit=True))
    assert columns
    assert columns[0] >= size[0] * 0.05
    assert columns[-1] <= size[0] * 0.95


def test_lit_dark_pressed_and_red_buttons_all_look_different() -> None:
    variants = [
        button((150, 52), "DEAL", lit=True),
        button((150, 52), "DEAL", lit=False),
        button((150, 52), "DEAL", lit=True, pressed=True),
        button((150, 52), "DEAL", lit=False, pressed=True),
        button((150, 52), "DEAL", lit=True, tone=Tone.RED),
    ]
    assert len({digest(variant) for variant in variants}) == 5
    assert digest(variants[0]) == digest(button((150, 52), "DEAL", lit=True))


def test_a_pressed_button_takes_its_legend_down_with_it() -> None:
    def legend_rows(*, pressed: bool) -> list[int]:
        word, bare = (button((150, 100), label, lit=True, pressed=pressed) for label in ("HIT", ""))
        return [y for y in range(100) if any(word.get_at((x, y)) != bare.get_at((x, y)) for x in range(150))]

    up, down = legend_rows(pressed=False), legend_rows(pressed=True)
    assert len(up) == len(down)
    assert 3 <= down[0] - up[0] <= 8


def test_a_dark_button_has_a_dark_legend() -> None:
    dark = button((150, 52), "DEAL", lit=False)
    brightest = max(sum(dark.get_at((x, y))[:3]) for x in range(150) for y in range(52))
    assert 3 * 90 < brightest < 3 * 150


@pytest.mark.parametrize("diameter", [34, 60, 131])
def test_a_plaque_is_a_disc_with_its_number_inside(diameter: int) -> None:
    for soft in (False, True):
        piece = plaque(diameter, "20", active=True, soft=soft)
        assert piece.get_size() == (diameter, diameter)
        assert piece.get_at((0, 0)).a == 0
        columns = inked_columns(piece, plaque(diameter, " ", active=True))
        assert columns[0] > diameter * 0.12
        assert columns[-1] < diameter * 0.88


def test_a_soft_total_and_the_active_hand_look_different() -> None:
    assert len({digest(plaque(60, "17", active=a, soft=s)) for a in (True, False) for s in (True, False)}) == 4


@pytest.mark.parametrize("tone", list(BannerTone))
def test_a_result_is_as_wide_as_its_words(tone: BannerTone) -> None:
    short, long = banner("PUSH", 40, tone), banner("BLACKJACK +$1,250.00", 40, tone)
    assert short.get_height() == long.get_height() == 40
    assert long.get_width() > 2 * short.get_width()
    assert digest(short) == digest(banner("PUSH", 40, tone))


def test_results_of_every_kind_look_different() -> None:
    assert len({digest(banner("PUSH", 40, tone)) for tone in BannerTone}) == 4


def test_amounts_keep_their_width_while_they_count() -> None:
    assert amount_tag("$11.11", 30).get_size() == amount_tag("$48.04", 30).get_size()
    assert digits(40, "$11.11", CREAM).get_size() == digits(40, "$48.04", CREAM).get_size()


def test_a_panel_and_a_pointer_have_the_size_asked_for() -> None:
    assert panel((420, 260)).get_size() == (420, 260)
    assert panel((420, 260)).get_at((210, 130)).a > 240


def test_a_panel_looks_the_same_on_a_finer_display() -> None:
    small, large = panel((600, 240)), panel((1800, 720))
    again = pygame.transform.smoothscale(large, small.get_size())
    for corner in ((0, 0), (3, 3), (8, 8), (12, 12)):
        assert abs(small.get_at(corner).a - again.get_at(corner).a) < 90, corner
    assert large.get_at((9, 9)).a < 30, "a corner as round as on the small one"
    tip = pointer(60)
    assert tip.get_size() == (60, 60)
    solid = [sum(tip.get_at((x, y)).a == 255 for x in range(60)) for y in (18, 30, 40)]
    assert solid == sorted(solid, reverse=True)
    assert solid[0] > solid[2] > 0


def test_the_word_for_soft_may_be_in_any_language_and_stays_inside() -> None:
    piece = plaque(60, "17", active=True, soft=True, soft_word="Weich")
    assert digest(piece) != digest(plaque(60, "17", active=True, soft=True))
    columns = inked_columns(plaque(60, "7", active=True, soft=True, soft_word="flexible"), plaque(60, " ", active=True))
    assert columns[0] > 7
    assert columns[-1] < 53
