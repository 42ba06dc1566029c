"""Every text that a player must read has contrast to its ground, on every screen, measured on the painted picture.

Dark buttons that cannot be pressed, and everything under the veil of a panel, are meant to recede.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pygame
import pytest
from support.blits import composed, ink_of, pieces_of
from support.contrast import contrast
from support.display import open_display

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import BannerTone, banner_colours
from cabinet.ui.art.fonts import figure
from cabinet.ui.art.palette import Colour
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.chart import GROUNDS
from cabinet.ui.paint.grounds import veil
from cabinet.ui.paint.keys import legend_colour, printed
from cabinet.ui.paint.lettering import amount, line
from cabinet.ui.paint.pieces import Asset, Blit, Faded, Piece

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
LEAST = 4.5
"""The contrast that WCAG 2.1 requires of small type (1.4.3)."""
OF_THE_DARK = 3.0
"""The contrast required of a button that cannot be pressed: it must be visible."""
COLOUR_OF = {line: 3, amount: 2, figure: 3, printed: 2}
"""The index of the colour among the arguments of each kind of text."""
WORDS_OF = {line: 2, amount: 1, figure: 1, printed: 1}


class Shown(NamedTuple):
    """A text on a picture."""

    words: str
    colour: Colour
    ground: Colour


def mixed(colour: Colour, ground: Colour, strength: float) -> Colour:
    """Returns a colour that shows its ground through."""
    r, g, b = (round(over * strength + under * (1 - strength)) for over, under in zip(colour, ground, strict=True))
    return r, g, b


def words_on(blits: tuple[Blit, ...], assets: Assets) -> Iterator[Shown]:
    """Yields all lines of text in front of the last veil, with the mean colour of each ground."""
    canvas = pygame.Surface(SIZE)
    veils = [number for number, blit in enumerate(blits) if any(p.make is veil for p in pieces_of(blit.asset))]
    for number, blit in enumerate(blits):
        if number > max(veils, default=-1):
            yield from _words_of(blit, assets, canvas)
        canvas.blit(assets.get(blit.asset), (blit.x, blit.y))


def _words_of(blit: Blit, assets: Assets, canvas: pygame.Surface) -> Iterator[Shown]:
    made, strength = _of(blit.asset)
    box = pygame.Rect(*ink_of(blit, assets)).clip(canvas.get_rect())
    if made is None or not box.w or not box.h:
        return
    ground = tuple(pygame.transform.average_color(canvas, box))[:3]
    colour = mixed(made.args[COLOUR_OF[made.make]], ground, strength)
    yield Shown(made.args[WORDS_OF[made.make]], colour, ground)


def _of(asset: Asset) -> tuple[Piece | None, float]:
    """Returns the text of an asset, and its strength; a slide that fades counts as fully visible."""
    if isinstance(asset, Faded) and isinstance(asset.of, Piece) and asset.of.make is printed:
        return asset.of, asset.level / 255
    if isinstance(asset, Piece) and asset.make in COLOUR_OF:
        return asset, 1.0
    return None, 1.0


@pytest.mark.requirement("PD-04")
def test_every_text_on_every_screen_has_contrast_to_its_ground():
    open_display(SIZE)
    assets = Assets(300 * 2**20)
    dark: dict[str, tuple[str, float]] = {}
    seen = 0
    for name, exhibit in gallery().items():
        for shown in words_on(composed(screen_of(exhibit), SIZE, assets), assets):
            seen += 1
            found = contrast(shown.colour, shown.ground)
            if found < LEAST and shown.colour != palette.BRASS_DARK:
                dark[shown.words] = (name, round(found, 2))
    assert seen > 1000
    assert dark == {}


def test_texts_on_buttons_results_and_charts_have_contrast():
    for top, low, words in (
        (palette.KEY_LIT_TOP, palette.KEY_LIT_LOW, legend_colour(lit=True, red=False)),
        *((*banner_colours(tone)[0], banner_colours(tone)[2]) for tone in BannerTone),
        *((ground, ground, palette.CREAM) for ground in GROUNDS),
    ):
        assert min(contrast(words, top), contrast(words, low)) >= LEAST, (top, low)
    for ground in (palette.KEY_DARK_TOP, palette.KEY_DARK_LOW):
        assert contrast(legend_colour(lit=False, red=False), ground) >= OF_THE_DARK


@pytest.mark.parametrize("value", [*sorted(palette.CHIP), 0])
def test_the_value_on_a_chip_can_be_read(value: int):
    paint = palette.CHIP.get(value, palette.CHIP_OTHER)
    assert contrast(paint.figure, paint.inlay) >= LEAST


@pytest.mark.parametrize("ink", [palette.INK, palette.CARD_RED, palette.CARD_BLUE, palette.CARD_GREEN])
def test_ranks_and_suits_have_contrast_to_their_card(ink: Colour):
    assert contrast(ink, palette.PAPER_LOW) >= LEAST


def test_contrast_follows_the_standard():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
