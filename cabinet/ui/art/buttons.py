"""Pieces with words on them: buttons, totals, results, amounts, dialog boxes, and the pointer of the active hand.

Rules: a surface has exactly the size asked for, with its glow and shadow; a piece whose width follows from its words is
as wide as they need. Words shrink, or break in two, and are never cut. Light falls from above. The ground under the
words is drawn once and kept, so other words on it only cost copying. Does not know the effect of a press, or the
player's language.
"""

import enum
from functools import lru_cache
from typing import Final, assert_never

import numpy as np
import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import figures, figures_width, fitted, fitting_px, font, inked, text, text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.shade import Field, Plate, along, blend, fading, from_box, from_disc, from_lozenge, inside

digits = figures
"""An amount in equal cells (see `fonts.figures`)."""

GROUNDS_KEPT: Final = 96
"""Keys, discs and pills without words that are kept: some 3 MB at 1920 x 1080, some 12 at 3840 x 2160."""
PILL_ENDS: Final = 0.9
"""The ends of a pill beyond its words, in its heights."""
LONGEST_PILL: Final = 8
"""The length in heights of the pill that shorter ones are cut from."""
BANNER_TRACKING: Final = 0.02
"""Space between the letters of a banner, in its heights."""
PANEL_CORNER: Final = 0.025
"""The largest radius of a panel's corners, in its widths: it looks the same on every display."""
SOFT_ROOM: Final = 0.66
"""Share of a plaque's diameter that the word over its number may take."""
_ROOM: Final = 0.88
"""Share of a button's width that its legend may take."""


class Tone(enum.Enum):
    """The light under a button: the house's warm one, or TURBO's red."""

    NORMAL = "normal"
    RED = "red"


class BannerTone(enum.Enum):
    """What a result means to the player."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NEUTRAL = "neutral"


def button(
    size: tuple[int, int], label: str, *, lit: bool, pressed: bool = False, tone: Tone = Tone.NORMAL
) -> pygame.Surface:
    """Returns a push button: raised and glowing when lit, sunk by its travel when pressed, dark when unlit."""
    width, height = size
    box = _key_box(size, pressed=pressed)
    out = _key_ground(size, lit=lit, pressed=pressed, tone=tone).copy()
    legend = _key_colours(lit=lit, tone=tone)[3]
    words = _legend(label, legend, (round(box[2] * _ROOM), round(box[3] * 0.7)), height)
    out.blit(words, words.get_rect(center=(round(width / 2), round(box[1] + box[3] / 2))))
    return out


def _key_box(size: tuple[int, int], *, pressed: bool) -> tuple[float, float, float, float]:
    width, height = size
    margin = max(2.0, height * 0.09)
    travel = margin * 0.55 if pressed else 0.0
    return (margin, margin * 0.7 + travel, width - 2 * margin, height - 2 * margin)


@lru_cache(maxsize=GROUNDS_KEPT)
def _key_ground(size: tuple[int, int], *, lit: bool, pressed: bool, tone: Tone) -> pygame.Surface:
    height = size[1]
    plate = Plate(size)
    box = _key_box(size, pressed=pressed)
    margin = box[0]
    edge = from_box(plate.at, box, height * 0.2)
    _add_seat(plate, edge, box, margin, margin * 0.55 if pressed else 0.0, lit=lit, tone=tone)
    top, low, rim, _ = _key_colours(lit=lit, tone=tone)
    down = (plate.at[1] - box[1]) / np.float32(box[3])
    if pressed:
        top, low = _darker(top, 0.86), _darker(low, 0.86)
    plate.add(_across(plate, blend(top, low, down)), inside(edge))
    _add_bevel(plate, edge, down, height, lit=lit, pressed=pressed)
    plate.add(rim, along(edge + 0.7, max(1.0, height * 0.022)), strength=1.0 if lit else 0.8)
    return plate.surface()


def _key_colours(*, lit: bool, tone: Tone) -> tuple[Colour, Colour, Colour, Colour]:
    """Returns upper and lower face, rim, legend."""
    if not lit:
        return palette.KEY_DARK_TOP, palette.KEY_DARK_LOW, (66, 54, 46), palette.KEY_DARK_LEGEND
    match tone:
        case Tone.NORMAL:
            return palette.KEY_LIT_TOP, palette.KEY_LIT_LOW, palette.BRASS, palette.UMBER
        case Tone.RED:
            return (240, 92, 84), (168, 22, 34), (255, 170, 150), (255, 246, 236)
        case _:
            assert_never(tone)


def _add_seat(
    plate: Plate,
    edge: Field,
    box: tuple[float, float, float, float],
    margin: float,
    travel: float,
    *,
    lit: bool,
    tone: Tone,
) -> None:
    """Adds the surroundings of the key: its glow when lit, and the wall below it until it is pressed."""
    if lit:
        glow = palette.LAMP if tone is Tone.NORMAL else palette.TURBO_RED
        plate.add(glow, fading(edge, margin * 1.3), strength=0.5)
    wall = from_box(plate.at, (box[0], box[1] + margin * 0.6 - travel, box[2], box[3]), plate.size[1] * 0.2)
    plate.add((0, 0, 0), fading(wall, margin * 0.8), strength=0.55)
    plate.add((118, 88, 44) if lit and tone is Tone.NORMAL else (14, 10, 9) if not lit else (92, 10, 18), inside(wall))


def _add_bevel(plate: Plate, edge: Field, down: Field, height: int, *, lit: bool, pressed: bool) -> None:
    """Adds a bright line inside the upper edge and a dark one inside the lower; reversed when pressed."""
    rim = along(edge + height * 0.055, height * 0.045) * inside(edge)
    upper, lower = np.clip(1 - down * 3, 0, 1), np.clip(down * 3 - 2, 0, 1)
    if pressed:
        plate.add((0, 0, 0), np.clip(1 + edge / (height * 0.16), 0, 1) ** 2 * upper * inside(edge), strength=0.3)
        return
    plate.add((255, 255, 255), rim * upper, strength=0.75 if lit else 0.13)
    plate.add((0, 0, 0), rim * lower, strength=0.16 if lit else 0.3)


def legend_type_px(height: int) -> int:
    """Returns the size of type on a button `height` high, where its words have room."""
    return max(6, round(height * 0.36))


def _legend(label: str, colour: Colour, room: tuple[int, int], height: int) -> pygame.Surface:
    """Returns the words of a button in one line, or in two when one line would be much smaller."""
    nominal, bold = legend_type_px(height), Role.TEXT_BOLD
    tracking = max((0.06, 0.015), key=lambda share: (fitting_px(bold, nominal, label, room, tracking=share), share))
    one = fitting_px(bold, nominal, label, room, tracking=tracking)
    halves = _halves(label)
    half_room = (room[0], room[1] // 2)
    two = min(fitting_px(bold, nominal, half, half_room, tracking=0.03) for half in halves)
    if len(halves) < 2 or one >= 0.8 * nominal or two <= one:
        return fitted(bold, nominal, label, colour, room, tracking=tracking)
    lines = [fitted(bold, two, half, colour, half_room, tracking=0.03) for half in halves]
    pitch = font(bold, two).get_height()
    out = pygame.Surface((max(line.get_width() for line in lines), pitch + lines[1].get_height()), pygame.SRCALPHA)
    out.fill((*colour, 0))
    for line, y in zip(lines, (0, pitch), strict=True):
        out.blit(line, line.get_rect(midtop=(out.get_width() // 2, y)))
    return out


def _halves(label: str) -> tuple[str, ...]:
    """Returns a label broken at the space nearest to its middle; all of it when it has none."""
    spaces = [index for index, character in enumerate(label) if character == " "]
    if not spaces:
        return (label,)
    middle = min(spaces, key=lambda index: abs(index - len(label) / 2))
    return label[:middle], label[middle + 1 :]


def plaque(diameter: int, number: str, *, active: bool, soft: bool = False, soft_word: str = "Soft") -> pygame.Surface:
    """Returns the round total of a hand, light when active; a soft one has `soft_word` above its number."""
    out = _disc(diameter, active=active).copy()
    middle = diameter / 2
    colour = palette.INK if active else palette.CREAM
    soft_px, plain_px, word_px = plaque_type_px(diameter)
    figure = inked(Role.FIGURES, soft_px if soft else plain_px, number, colour, diameter * 0.62)
    out.blit(figure, figure.get_rect(center=(round(middle), round(diameter * (0.62 if soft else 0.49)))))
    if soft:
        word = inked(Role.FIGURES, word_px, soft_word, colour, diameter * SOFT_ROOM)
        out.blit(word, word.get_rect(center=(round(middle), round(diameter * 0.275))))
    return out


def plaque_type_px(diameter: int) -> tuple[int, int, int]:
    """Returns the sizes of type on a plaque: a soft number, any other, and the small word."""
    return round(diameter * 0.48), round(diameter * 0.56), max(7, round(diameter * 0.27))


@lru_cache(maxsize=GROUNDS_KEPT)
def _disc(diameter: int, *, active: bool) -> pygame.Surface:
    plate = Plate((diameter, diameter))
    middle, radius = diameter / 2, diameter * 0.45
    edge = from_disc(plate.at, (middle, middle * 0.98), radius)
    plate.add(
        (0, 0, 0), fading(from_disc(plate.at, (middle, middle * 1.03), radius * 0.94), diameter * 0.09), strength=0.6
    )
    top, low = ((255, 248, 230), (232, 218, 184)) if active else ((30, 46, 44), palette.PLAQUE)
    plate.add(_across(plate, blend(top, low, plate.at[1] / np.float32(diameter))), inside(edge))
    rim = _across(plate, blend(palette.BRASS_LIGHT, palette.BRASS_DARK, plate.at[1] / np.float32(diameter)))
    plate.add(rim, along(edge + diameter * 0.02, max(1.6, diameter * 0.05)))
    return plate.surface()


def banner(words: str, px_height: int, tone: BannerTone, *, narrow: bool = False) -> pygame.Surface:
    """Returns a result in a word and an amount, `px_height` high and as wide as necessary; `narrow` in condensed
    letters."""
    face, rim, colour = banner_colours(tone)
    tracking = px_height * BANNER_TRACKING
    line = text(_banner_role(narrow=narrow), banner_type_px(px_height), words, colour, tracking=tracking)
    return _pill(line, px_height, face, rim, 0.96)


def _banner_role(*, narrow: bool) -> Role:
    return Role.FIGURES if narrow else Role.TEXT_BOLD


def banner_type_px(px_height: int) -> int:
    """Returns the size of type on a banner."""
    return max(6, round(px_height * 0.54))


def banner_width(words: str, px_height: int, *, narrow: bool = False) -> int:
    """Returns the width of the surface that `banner` returns."""
    role, tracking = _banner_role(narrow=narrow), px_height * BANNER_TRACKING
    return text_width(role, banner_type_px(px_height), words, tracking=tracking) + round(px_height * PILL_ENDS)


def banner_colours(tone: BannerTone) -> tuple[tuple[Colour, Colour], Colour, Colour]:
    """Returns upper and lower face, rim, words."""
    match tone:
        case BannerTone.WIN:
            return ((255, 246, 220), (226, 204, 150)), palette.BRASS_LIGHT, palette.UMBER
        case BannerTone.LOSE:
            return ((30, 28, 28), (16, 15, 16)), (104, 92, 78), (206, 196, 178)
        case BannerTone.PUSH:
            return ((62, 70, 78), (40, 46, 54)), (168, 176, 184), palette.CREAM
        case BannerTone.NEUTRAL:
            return ((26, 38, 37), palette.PLAQUE), palette.BRASS, palette.CREAM
        case _:
            assert_never(tone)


def amount_tag(words: str, px_height: int) -> pygame.Surface:
    """Returns a stake in figures on a dark, half-clear tag."""
    line = figures(tag_type_px(px_height), words, palette.CREAM)
    return _pill(line, px_height, ((8, 14, 14), (4, 8, 8)), None, 0.66)


def tag_type_px(px_height: int) -> int:
    """Returns the size of type on a tag."""
    return max(6, round(px_height * 0.78))


def tag_width(words: str, px_height: int) -> int:
    """Returns the width of the surface that `amount_tag` returns."""
    return figures_width(tag_type_px(px_height), words) + round(px_height * PILL_ENDS)


def _pill(
    line: pygame.Surface, px_height: int, face: tuple[Colour, Colour], rim: Colour | None, strength: float
) -> pygame.Surface:
    """Returns a line of words on a pill cut from a longer one of the same look: its left end beside its right end."""
    width = line.get_width() + round(px_height * PILL_ENDS)
    drawn = max(LONGEST_PILL * px_height, -(-width // px_height) * px_height)
    ground = _pill_ground((drawn, px_height), face, rim, strength)
    out = pygame.Surface((width, px_height), pygame.SRCALPHA)
    left = width // 2
    out.blit(ground, (0, 0), (0, 0, left, px_height))
    out.blit(ground, (left, 0), (drawn - width + left, 0, width - left, px_height))
    margin = px_height * 0.07 if rim else 0.0
    out.blit(line, line.get_rect(center=(round(width / 2), round(px_height / 2 - margin * 0.4))))
    return out


@lru_cache(maxsize=GROUNDS_KEPT)
def _pill_ground(
    size: tuple[int, int], face: tuple[Colour, Colour], rim: Colour | None, strength: float
) -> pygame.Surface:
    plate = Plate(size)
    width, height = plate.size
    margin = height * 0.07 if rim else 0.0
    edge = from_box(plate.at, (margin, margin * 0.6, width - 2 * margin, height - 2 * margin), height)
    if rim:
        plate.add((0, 0, 0), fading(edge, margin * 1.4), strength=0.5)
    down = plate.at[1] / np.float32(height)
    plate.add(_across(plate, blend(face[0], face[1], down)), inside(edge), strength=strength)
    if rim:
        plate.add(rim, along(edge + 0.7, max(1.0, height * 0.045)))
    return plate.surface()


def panel(size: tuple[int, int]) -> pygame.Surface:
    """Returns the ground of a dialog: dark lacquer, two hairlines of brass, a lozenge at each corner."""
    plate = Plate(size)
    width, height = size
    radius = _panel_radius(size)
    edge = from_box(plate.at, (0, 0, width, height), radius)
    down = blend((44, 33, 27), (16, 12, 11), plate.at[1] / np.float32(height))
    plate.add(_across(plate, down), inside(edge), strength=0.97)
    gap = panel_border(size)
    sheen = blend(palette.BRASS_LIGHT, palette.BRASS_DARK, plate.at[1] / np.float32(height))
    line = max(1.2, radius * 0.09)
    plate.add(_across(plate, sheen), along(edge + max(1.0, line / 2), line))
    inner = from_box(plate.at, (gap, gap, width - 2 * gap, height - 2 * gap), radius * 0.6)
    plate.add(palette.BRASS, along(inner, max(1.0, radius * 0.04)), strength=0.55)
    reach = gap * 0.55
    for x in (gap + reach, width - gap - reach):
        for y in (gap + reach, height - gap - reach):
            plate.add(palette.BRASS, inside(from_lozenge(plate.at, (x, y), reach)))
    return plate.surface()


def panel_border(size: tuple[int, int]) -> float:
    """Returns the distance of a panel's inner hairline from its edge, in pixels."""
    return max(5.0, _panel_radius(size) * 0.5)


def _panel_radius(size: tuple[int, int]) -> float:
    return min(size[0] * PANEL_CORNER, min(size) * 0.06)


def pointer(px: int) -> pygame.Surface:
    """Returns the triangle over the active hand, pointing down, in a square of `px`, with its glow."""
    plate = Plate((px, px))
    away = np.abs(plate.at[0] - px / 2)
    y = plate.at[1] - px * 0.28
    sides = 0.86 * away + 0.51 * (y - px * 0.46)
    edge = np.maximum(sides, -y).astype(np.float32)
    corner = np.hypot(np.maximum(sides, 0), np.maximum(-y, 0)).astype(np.float32)
    plate.add(palette.LAMP, fading(np.maximum(edge, corner), px * 0.15), strength=0.4)
    gold = blend((255, 246, 214), (222, 178, 92), y / np.float32(px * 0.5))
    plate.add(_across(plate, gold), inside(edge))
    return plate.surface()


def _across(plate: Plate, column: Field) -> Field:
    """Returns, for every pixel of the plate, a colour that depends on the height alone."""
    return np.broadcast_to(column, (*plate.size, 3))


def _darker(colour: Colour, factor: float) -> Colour:
    return round(colour[0] * factor), round(colour[1] * factor), round(colour[2] * factor)
