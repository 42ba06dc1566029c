"""Colours: in the hue of each game, darker outward. Contrast of texts: tests/ui/test_contrast.py."""

import colorsys

from cabinet.ui.art import palette
from cabinet.ui.art.palette import Colour


def luminance(colour: Colour) -> float:
    """Returns the relative luminance after WCAG 2.1."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_each_cloth_keeps_its_hue_and_darkens_outward() -> None:
    hues = {"european": (165, 190), "table": (125, 160), "classic": (335, 355)}
    for game, (low, high) in hues.items():
        cloth = palette.FELT[game]
        hue = colorsys.rgb_to_hsv(*(c / 255 for c in cloth.mid))[0] * 360
        assert low <= hue <= high
        assert luminance(cloth.inner) > luminance(cloth.mid) > luminance(cloth.outer)
