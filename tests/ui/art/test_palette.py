"""Colours: legible, in the hue of each game, chips after custom."""

import colorsys

import pytest

from cabinet.ui.art import palette
from cabinet.ui.art.palette import Colour


def luminance(colour: Colour) -> float:
    """Relative luminance after WCAG 2.1."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Colour, b: Colour) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("words", "ground"),
    [
        (palette.CREAM, palette.RAIL.mid),
        (palette.CREAM, palette.PLAQUE),
        (palette.CREAM, palette.FELT["table"].mid),
        (palette.UMBER, palette.KEY_LIT_LOW),
        (palette.INK, palette.PAPER_LOW),
        (palette.CARD_RED, palette.PAPER_LOW),
        (palette.CARD_BLUE, palette.PAPER_LOW),
        (palette.CARD_GREEN, palette.PAPER_LOW),
    ],
)
def test_words_stand_out_from_their_ground(words: Colour, ground: Colour) -> None:
    assert contrast(words, ground) > 4.5


@pytest.mark.parametrize("value", sorted(palette.CHIP))
def test_the_value_on_a_chip_can_be_read(value: int) -> None:
    paint = palette.CHIP[value]
    assert contrast(paint.figure, paint.inlay) > 3


def test_each_cloth_keeps_its_hue_and_darkens_outward() -> None:
    hues = {"european": (165, 190), "table": (125, 160), "classic": (335, 355)}
    for game, (low, high) in hues.items():
        cloth = palette.FELT[game]
        hue = colorsys.rgb_to_hsv(*(c / 255 for c in cloth.mid))[0] * 360
        assert low <= hue <= high
        assert luminance(cloth.inner) > luminance(cloth.mid) > luminance(cloth.outer)
