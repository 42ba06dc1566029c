"""The code for a phone, painted."""

from dataclasses import replace

import pygame
import pytest
from support.blits import box_of, composed, pieces_of
from support.display import open_display
from support.fitting import words_set
from support.screens import table_screen
from support.tables import SIZES

from cabinet.attendant.charts import PhoneCode
from cabinet.attendant.pages import Page
from cabinet.statement.code import BORDER, LONGEST, modules
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.phone_code import DARK, LIGHT, code_picture
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

TEXT = "figures of a machine\n" * 30
LEAST_STEP = 2
"""The fewest pixels to a module that a phone reads from a screen."""
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display((1280, 720))
    return Assets(100 * 2**20)


def shown(text: str = TEXT) -> Screen:
    rows = tuple((f"Name of figure {number}", "$1,234,567.00") for number in range(15))
    code = PhoneCode(text=text, rows=rows, words=("Signed with the key abc...", "Read it with a phone. " * 6))
    return replace(table_screen(), scene=Scene.AUDIT, audit=Page(title="Code for a phone", code=code))


def read_back(picture: pygame.Surface, step: int) -> tuple[tuple[bool, ...], ...]:
    """Returns the modules of a picture without its border; every pixel of a module must be alike."""
    side = picture.get_width() // step
    rows = []
    for y in range(side):
        row = []
        for x in range(side):
            colours = {picture.get_at((x * step + dx, y * step + dy))[:3] for dx in range(step) for dy in range(step)}
            (colour,) = colours
            row.append(colour == DARK)
        rows.append(tuple(row))
    assert not any(dark for row in (*rows[:BORDER], *rows[-BORDER:]) for dark in row)
    assert not any(dark for row in rows for dark in (*row[:BORDER], *row[-BORDER:]))
    return tuple(row[BORDER:-BORDER] for row in rows[BORDER:-BORDER])


@pytest.mark.parametrize("step", [1, 3])
def test_the_picture_has_every_module_and_a_clear_border(assets: Assets, step: int):
    assert read_back(code_picture(TEXT, step), step) == modules(TEXT)


@sizes
def test_the_longest_code_has_whole_modules_inside_the_page(assets: Assets, size: tuple[int, int]):
    screen = shown("x" * LONGEST)
    room = layout(size, screen).rect(Slot(Kind.AUDIT_BODY))
    codes = [each for each in composed(screen, size, assets) if _is_code(each)]
    (box,) = [box_of(each) for each in codes]
    side = len(modules("x" * LONGEST)) + 2 * BORDER
    assert box.w == box.h
    assert box.w % side == 0
    assert box.w // side >= LEAST_STEP
    assert box.within(room)


@sizes
def test_the_lines_beside_the_code_fit(assets: Assets, size: tuple[int, int]):
    cut = [found.words for found in words_set(shown(), size) if found.share > 1]
    assert cut == []


def test_the_code_is_dark_on_light():
    assert sum(LIGHT) - sum(DARK) == 3 * 255


def _is_code(blit) -> bool:
    return any(part.make is code_picture for part in pieces_of(blit.asset))
