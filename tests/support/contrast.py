"""The contrast of two colours after WCAG 2.1."""

from cabinet.ui.art.palette import Colour


def luminance(colour: Colour) -> float:
    """Returns the relative luminance after WCAG 2.1."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Colour, b: Colour) -> float:
    """Returns a contrast from 1, the same, to 21, black and white."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
