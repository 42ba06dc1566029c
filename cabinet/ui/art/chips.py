"""Chips: edge spots, an inlay with the value, a visible thickness.

Rules: a chip is a clear-cornered square as wide as its diameter, seen from above; light falls from the upper left.
Values are cents. Does not know the owner of a chip.
"""

import math
from typing import Final

import numpy as np
import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import inked
from cabinet.ui.art.palette import ChipPaint, Colour
from cabinet.ui.art.shade import Field, Plate, along, blend, fading, from_disc, inside

SPOTS: Final = 8
"""Spots around an edge."""


def face_value(value_cents: int) -> str:
    """Returns the print on a chip, without a currency: 25, 100, ½, 1k."""
    fractions = {25: "¼", 50: "½", 75: "¾"}
    if value_cents in fractions:
        return fractions[value_cents]
    if value_cents % 1000_00 == 0 and value_cents:
        return f"{value_cents // 1000_00}k"
    return f"{value_cents // 100}" if value_cents % 100 == 0 else f"{value_cents / 100:.2f}"


def chip(value_cents: int, diameter_px: int) -> pygame.Surface:
    """Returns one chip from above."""
    return _faced(value_cents, diameter_px, turn=0)


def chip_edge(value_cents: int, diameter_px: int, *, turn: float = 0) -> pygame.Surface:
    """Returns one chip with its wall below it: `thickness` pixels higher than wide, for a stack."""
    wall = thickness(diameter_px)
    paint = palette.CHIP.get(value_cents, palette.CHIP_OTHER)
    plate = Plate((diameter_px, diameter_px + wall))
    radius = diameter_px / 2 - 0.5
    middle = diameter_px / 2
    upper = from_disc(plate.at, (middle, middle), radius)
    lower = from_disc(plate.at, (middle, middle + wall), radius)
    across = np.clip((plate.at[0] - middle) / radius, -1, 1)
    between = from_wall(plate.at, middle, radius, wall)
    spotted = _spots(np.arccos(across), turn, 2 / radius)
    colour = blend(paint.body, paint.spot, np.broadcast_to(spotted, plate.size))
    plate.add(colour * (0.34 + 0.36 * np.sqrt(1 - across**2))[..., None], np.maximum(inside(lower), between))
    plate.add((0, 0, 0), along(lower, 1.2) * (plate.at[1] > middle), strength=0.5)
    plate.add((0, 0, 0), fading(upper, wall * 0.5) * inside(lower), strength=0.35)
    out = plate.surface()
    out.blit(_faced(value_cents, diameter_px, turn=turn), (0, 0))
    return out


def from_wall(at: tuple[Field, Field], middle: float, radius: float, wall: float) -> Field:
    """Returns the coverage of the upright strip between a disc and the same disc `wall` pixels lower."""
    strip = inside(np.abs(at[0] - middle) - np.float32(radius))
    tall: Field = (strip * (at[1] >= middle) * (at[1] <= middle + wall)).astype(np.float32)
    return tall


def thickness(diameter_px: int) -> int:
    """Returns the height in pixels that one more chip adds to a stack."""
    return max(2, round(diameter_px * 0.095))


def chip_ring(diameter_px: int) -> pygame.Surface:
    """Returns the ring of light round the selected chip: half as wide again as the chip, with the same centre."""
    side = round(diameter_px * 1.5)
    plate = Plate((side, side))
    edge = from_disc(plate.at, (side / 2, side / 2), diameter_px * 0.56)
    glow = fading(np.abs(edge), diameter_px * 0.18)
    plate.add(palette.LAMP, glow, strength=0.55)
    plate.add((255, 246, 218), along(edge, max(1.6, diameter_px * 0.042)))
    return plate.surface()


def chip_shadow(diameter_px: int) -> pygame.Surface:
    """Returns the soft shadow of a chip or stack: four thirds as wide as the chip, for a place a little below it."""
    side = round(diameter_px * 4 / 3)
    plate = Plate((side, side))
    edge = from_disc(plate.at, (side / 2, side / 2), diameter_px * 0.44)
    plate.add((0, 0, 0), fading(edge, diameter_px * 0.22), strength=0.55)
    return plate.surface()


def _faced(value_cents: int, diameter_px: int, *, turn: float) -> pygame.Surface:
    paint = palette.CHIP.get(value_cents, palette.CHIP_OTHER)
    plate = Plate((diameter_px, diameter_px))
    middle = diameter_px / 2
    _add_clay(plate, paint, middle, turn)
    _add_inlay(plate, paint, middle)
    _add_light(plate, middle)
    out = plate.surface()
    value = inked(Role.FIGURES, round(diameter_px * 0.42), face_value(value_cents), paint.figure, diameter_px * 0.46)
    out.blit(value, (round(middle - value.get_width() / 2), round(middle - value.get_height() / 2)))
    return out


def _add_clay(plate: Plate, paint: ChipPaint, middle: float, turn: float) -> None:
    """Adds the body, the spots through its edge and, between them, a fine dash."""
    radius = middle - 0.5
    around = np.arctan2(plate.at[1] - middle, plate.at[0] - middle).astype(np.float32)
    edge = from_disc(plate.at, (middle, middle), radius)
    plate.add(paint.body, inside(edge))
    rim = inside(-from_disc(plate.at, (middle, middle), radius * 0.735)) * inside(edge)
    softness = 0.9 / radius
    plate.add(paint.spot, _spots(around, turn, softness * 2) * rim)
    if radius > 18:
        plate.add(paint.body, _spots(around, turn, softness * 2, share=0.1) * rim * inside(-edge - radius * 0.1))
        band = along(from_disc(plate.at, (middle, middle), radius * 0.865), radius * 0.035)
        plate.add(paint.spot, band * _spots(around, turn + 180 / SPOTS, softness * 2, share=0.2), strength=0.85)


def _spots(around: Field, turn: float, softness: float, *, share: float = 0.42) -> Field:
    """Returns the coverage by a spot at an angle: `share` of each period, from 0 to 1, soft over `softness` radians."""
    period = 2 * math.pi / SPOTS
    away = np.abs((around - math.radians(turn) + period / 2) % period - period / 2)
    field: Field = np.clip((period * share / 2 - away) / min(softness, 0.12) + 0.5, 0, 1).astype(np.float32)
    return field


def _add_inlay(plate: Plate, paint: ChipPaint, middle: float) -> None:
    radius = middle - 0.5
    inlay = from_disc(plate.at, (middle, middle), radius * 0.66)
    plate.add((0, 0, 0), fading(np.abs(inlay), radius * 0.09), strength=0.35)
    plate.add(paint.inlay, inside(inlay))
    fine = max(1.0, radius * 0.035)
    plate.add(_ring_colour(paint), along(from_disc(plate.at, (middle, middle), radius * 0.68), fine))
    if radius > 22:
        plate.add(
            _ring_colour(paint), along(from_disc(plate.at, (middle, middle), radius * 0.6), fine * 0.6), strength=0.7
        )


def _ring_colour(paint: ChipPaint) -> Colour:
    """Returns brass, unless the chip itself is brass."""
    return paint.spot if paint is palette.CHIP[1000_00] or paint is palette.CHIP[2_00] else palette.BRASS_LIGHT


def _add_light(plate: Plate, middle: float) -> None:
    """Adds a rounded edge and a broad gloss, lit from the upper left."""
    radius = middle - 0.5
    dx, dy = (plate.at[0] - middle) / radius, (plate.at[1] - middle) / radius
    facing = (-(dx * 0.55 + dy * 0.83)).astype(np.float32)
    edge = from_disc(plate.at, (middle, middle), radius)
    body = inside(edge)
    bevel = np.clip(1 + edge / (radius * 0.11), 0, 1) ** 1.5 * body
    plate.add((255, 255, 255), bevel * np.clip(facing, 0, 1), strength=0.5)
    plate.add((0, 0, 0), bevel * np.clip(-facing, 0, 1), strength=0.55)
    plate.add((255, 255, 255), body * np.square(np.clip(facing, 0, 1)), strength=0.17)
    plate.add((0, 0, 0), body * np.square(np.clip(-facing, 0, 1)), strength=0.22)
    plate.add((0, 0, 0), along(edge + 0.6, 1.0), strength=0.35)
