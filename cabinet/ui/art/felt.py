"""The table: cloth, print, circles for bets, the wooden rail, the top bar and the shoe.

Rules: cloth and rail are opaque and made once for the whole screen; everything else has alpha. The light falls a little
above the middle. Smooth ramps are dithered with fixed noise, so that no display shows bands.
"""

import enum
import math
from typing import Final

import numpy as np
import numpy.typing as npt
import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.cards import card_back
from cabinet.ui.art.fonts import advances, font
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pictures import rendered
from cabinet.ui.art.pips import SPADES, pip
from cabinet.ui.art.shade import (
    Field,
    Plate,
    along,
    blend,
    fading,
    from_box,
    from_disc,
    inside,
    noise_tile,
    scaled_down,
)

_STEPS: Final = 2048
"""Steps of the cloth's ramp of colour: finer than eight bits, the dither needs them."""
_ARCH_OVERSAMPLE: Final = 3


class CircleState(enum.Enum):
    """The state of a betting circle: free, open for a bet, or selected."""

    IDLE = "idle"
    OPEN = "open"
    CHOSEN = "chosen"


def felt(size: tuple[int, int], game_id: str) -> pygame.Surface:
    """Returns the cloth of a game with its pool of light, opaque, `size` pixels.

    Raises `KeyError` for a game without a cloth in the palette.
    """
    ramp = _cloth_ramp(game_id)
    step = _distance_steps(size)
    weave = _tiled(_weave_tile(), size)
    dither = _tiled((noise_tile(4) * 0xFFFF).astype(np.uint32), size)
    out = pygame.Surface(size)
    pixels = pygame.surfarray.pixels3d(out)
    for channel in range(3):
        level = ramp[channel][step]
        level *= weave
        level += dither
        pixels[:, :, channel] = (level >> np.uint32(16)).astype(np.uint8)
    del pixels
    return out


def _cloth_ramp(game_id: str) -> npt.NDArray[np.uint32]:
    """Returns three rows of brightness in 1/256, from the middle of the light to beyond the corner."""
    cloth = palette.FELT[game_id]
    t = np.linspace(0, 1.25, _STEPS)
    stops = [0, 0.22, 0.58, 1.0, 1.25]
    keys = [
        cloth.inner,
        _between(cloth.inner, cloth.mid, 0.42),
        cloth.mid,
        cloth.outer,
        _between(cloth.outer, (0, 0, 0), 0.4),
    ]
    rows = [np.interp(t, stops, [key[channel] for key in keys]) for channel in range(3)]
    return np.array([_smoothed(row) * 256 for row in rows]).astype(np.uint32)


def _smoothed(row: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns the ramp without corners between its stops."""
    width = _STEPS // 8
    padded = np.pad(row, width, mode="edge")
    kernel = np.hanning(2 * width + 1)
    return np.convolve(padded, kernel / kernel.sum(), mode="valid")


def _distance_steps(size: tuple[int, int]) -> npt.NDArray[np.uint16]:
    """Returns the step on the ramp of each pixel, by its distance from the light, in half the screen's proportions."""
    x = (np.arange(size[0], dtype=np.float32) / size[0] - np.float32(0.5)) * np.float32(1.52)
    y = (np.arange(size[1], dtype=np.float32) / size[1] - np.float32(0.4)) * np.float32(1.36)
    away = np.sqrt((x**2)[:, None] + (y**2)[None, :])
    return np.minimum(away * np.float32(_STEPS / 1.25), _STEPS - 1).astype(np.uint16)


def _weave_tile() -> npt.NDArray[np.uint32]:
    """Returns brightness factors in 1/256 around one: fine noise, fibre along and thread across."""
    fine, coarse = noise_tile(0), noise_tile(1)
    fibre = np.mean([np.roll(coarse, shift, axis=0) for shift in range(6)], axis=0) - 0.5
    thread = np.mean([np.roll(noise_tile(2), shift, axis=1) for shift in range(6)], axis=0) - 0.5
    factor = 256 * (1 + 0.075 * (fine - 0.5) + 0.2 * fibre + 0.2 * thread)
    tile: npt.NDArray[np.uint32] = np.clip(factor, 200, 312).astype(np.uint32)
    return tile


def _tiled(tile: npt.NDArray[np.uint32], size: tuple[int, int]) -> npt.NDArray[np.uint32]:
    repeat = (-(-size[0] // tile.shape[0]), -(-size[1] // tile.shape[1]))
    return np.tile(tile, repeat)[: size[0], : size[1]]


def _between(a: Colour, b: Colour, t: float) -> Colour:
    return (round(a[0] + (b[0] - a[0]) * t), round(a[1] + (b[1] - a[1]) * t), round(a[2] + (b[2] - a[2]) * t))


def arched_text(
    role: Role, px: int, string: str, colour: Colour, radius_px: float, tracking: float = 0
) -> pygame.Surface:
    """Returns a line printed along a circle, cropped to its ink and symmetrical about its middle.

    With a positive radius the circle's centre is above the line and its ends rise, as on a table seen by a player; with
    a negative one they fall. `tracking` is extra pixels between characters.
    """
    scale = _ARCH_OVERSAMPLE
    face = font(role, px * scale)
    starts = [start * scale for start in advances(role, px, string, tracking)]
    width = starts[-1] - tracking * scale
    radius = radius_px * scale
    sag = round(abs(radius) * (1 - math.cos(min(width / 2 / abs(radius), math.pi / 2))))
    pad = face.get_height()
    large = pygame.Surface((round(width) + 2 * pad, sag + face.get_height() + 2 * pad), pygame.SRCALPHA)
    large.fill((*colour, 0))
    lowest = pad + face.get_height() / 2 + (sag if radius > 0 else 0)
    for character, start in zip(string, starts, strict=False):
        middle = start + face.size(character)[0] / 2 - width / 2
        turn = middle / radius
        glyph = pygame.transform.rotozoom(face.render(character, True, colour), math.degrees(turn), 1)
        at = (large.get_width() / 2 + radius * math.sin(turn), lowest - radius * (1 - math.cos(turn)))
        large.blit(glyph, glyph.get_rect(center=(round(at[0]), round(at[1]))))
    return _cropped_evenly(large, scale)


def _cropped_evenly(large: pygame.Surface, scale: int) -> pygame.Surface:
    ink = large.get_bounding_rect()
    middle = large.get_width() / 2
    half = math.ceil(max(middle - ink.left, ink.right - middle, scale) / scale) * scale
    height = max(1, math.ceil(ink.height / scale)) * scale
    cut = pygame.Surface((2 * half, height), pygame.SRCALPHA)
    cut.blit(large, (half - round(middle), -ink.top))
    return scaled_down(cut, (2 * half // scale, height // scale))


def bet_circle(diameter: int, state: CircleState = CircleState.IDLE) -> pygame.Surface:
    """Returns a printed circle for a bet, `diameter` pixels over all, its glow included."""
    plate = Plate((diameter, diameter))
    middle = diameter / 2
    radius = diameter * 0.44
    ring = from_disc(plate.at, (middle, middle), radius)
    plate.add((0, 0, 0), inside(ring), strength=0.14)
    bright = palette.LAMP if state is CircleState.CHOSEN else palette.BRASS
    if state is not CircleState.IDLE:
        plate.add(palette.LAMP, inside(ring) * (0.4 + 0.6 * fading(ring + radius, radius)), strength=0.2)
    if state is CircleState.CHOSEN:
        plate.add(palette.LAMP, fading(np.abs(ring), diameter * 0.06), strength=0.5)
    strength = 0.7 if state is CircleState.IDLE else 1.0
    plate.add(bright, along(ring, max(1.4, diameter * 0.02)), strength=strength)
    plate.add(bright, along(ring + diameter * 0.05, max(0.8, diameter * 0.008)), strength=strength * 0.6)
    return plate.surface()


def rail(size: tuple[int, int]) -> pygame.Surface:
    """Returns the dark wooden rail with its brass edge on top; opaque."""
    width, height = size
    plate = Plate(size)
    y = plate.at[1] / np.float32(height)
    wood = palette.RAIL
    shade = np.where(
        y[..., None] < 0.12, blend(wood.inner, wood.mid, y / 0.12), blend(wood.mid, wood.outer, (y - 0.12) / 0.88)
    )
    plate.add(np.broadcast_to(shade, (*plate.size, 3)), np.ones(plate.size, np.float32))
    plate.add((255, 206, 150), _grain(plate.size), strength=0.05)
    brass = max(2.0, height * 0.012)
    line = from_box(plate.at, (-9, 0, width + 18, brass), 0)
    plate.add((0, 0, 0), fading(line, height * 0.04), strength=0.5)
    sheen = blend(palette.BRASS_LIGHT, palette.BRASS_DARK, plate.at[1] / np.float32(brass))
    plate.add(np.broadcast_to(sheen, (*plate.size, 3)), inside(line))
    return plate.opaque()


def _grain(size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Returns long, wavering streaks along the wood."""
    noise = noise_tile(3)
    rows = np.mean([np.roll(noise[0], shift) for shift in range(3)], axis=0)
    x = np.arange(size[0], dtype=np.float32)
    y = np.arange(size[1], dtype=np.float32)
    bent = (y[None, :] + 5 * np.sin(x / 210)[:, None] + 3 * np.sin(x / 77 + 1)[:, None]) * np.float32(0.8)
    low = np.floor(bent).astype(np.int32)
    t = bent - low
    streak = rows[low % 256] * (1 - t) + rows[(low + 1) % 256] * t
    grain: npt.NDArray[np.float32] = (streak**2).astype(np.float32)
    return grain


def pool_of_light(size: tuple[int, int]) -> pygame.Surface:
    """Returns the soft light over the hand in play; an ellipse that fades before it reaches the edges."""
    plate = Plate(size)
    dx = (plate.at[0] / np.float32(size[0]) - 0.5) * 2
    dy = (plate.at[1] / np.float32(size[1]) - 0.5) * 2
    away = np.hypot(dx, dy)
    plate.add(palette.LAMP, np.clip(1 - away**2, 0, 1) ** 2.6, strength=0.3)
    return plate.surface()


def top_bar(size: tuple[int, int]) -> pygame.Surface:
    """Returns the dark, half-clear bar at the top with a hairline of brass below it."""
    plate = Plate(size)
    y = plate.at[1] / np.float32(size[1])
    plate.add((0, 0, 0), np.broadcast_to(0.52 - 0.14 * y, plate.size))
    line = from_box(plate.at, (-9, size[1] - max(1.0, size[1] * 0.02), size[0] + 18, 9), 0)
    plate.add(palette.BRASS, inside(line), strength=0.55)
    return plate.surface()


def shoe(height: int) -> pygame.Surface:
    """Returns the dealer's shoe from above, four fifths as wide as high; cards leave it at its lower edge."""
    size = (round(height * 0.8), height)
    plate = Plate(size)
    case = _shoe_case(plate)
    plate.add((0, 0, 0), fading(case - height * 0.01, height * 0.045), strength=0.5)
    down = blend((70, 49, 38), (30, 22, 18), plate.at[1] / np.float32(height))
    plate.add(np.broadcast_to(down, (*size, 3)), inside(case))
    plate.add((255, 206, 150), _grain(size) * inside(case), strength=0.09)
    well = from_box(plate.at, (size[0] * 0.14, height * 0.25, size[0] * 0.72, height * 0.9), height * 0.025)
    plate.add((5, 4, 4), inside(well) * inside(case))
    plate.add(palette.BRASS_DARK, along(well, max(1.0, height * 0.008)) * inside(case))
    out = plate.surface()
    _add_cards_in_shoe(out)
    _add_shoe_front(out)
    return out


def _shoe_case(plate: Plate) -> Field:
    width, height = plate.size
    return from_box(plate.at, (height * 0.045, height * 0.027, width - height * 0.09, height * 0.91), height * 0.06)


def _add_cards_in_shoe(out: pygame.Surface) -> None:
    """Adds the edges of the waiting cards, each a little nearer and larger, and the back of the first."""
    width, height = out.get_size()
    step = max(1, round(height * 0.011))
    window = out.subsurface(pygame.Rect(0, round(height * 0.27), width, round(height * 0.65)))
    waiting = 7
    for n in range(waiting):
        across = round(width * (0.60 + 0.01 * n))
        shade = 70 + 20 * n
        edge = pygame.Rect((width - across) // 2, n * step, across, step * 3)
        pygame.draw.rect(window, (shade + 14, shade + 10, shade), edge, border_radius=step * 2)
        pygame.draw.line(window, (40, 32, 26), edge.topleft, (edge.right - 1, edge.top))
    back = card_back(round(width * 0.68 * 7 / 5))
    window.blit(back, ((width - back.get_width()) // 2, waiting * step))


def _add_shoe_front(out: pygame.Surface) -> None:
    """Adds the front plate with the notch for the dealer's finger, the brass edge of the case and the sign on the
    lid."""
    width, height = out.get_size()
    plate = Plate((width, height))
    case = _shoe_case(plate)
    notch = np.hypot((plate.at[0] - width / 2) / 1.2, plate.at[1] - height * 0.69) - np.float32(height * 0.15)
    front = np.maximum(np.maximum(case, height * 0.7 - plate.at[1]), -notch).astype(np.float32)
    plate.add((0, 0, 0), fading(front, height * 0.06) * inside(case), strength=0.55)
    down = blend((76, 54, 41), (32, 23, 18), (plate.at[1] - height * 0.7) / np.float32(height * 0.24))
    plate.add(np.broadcast_to(down, (width, height, 3)), inside(front))
    plate.add((255, 206, 150), _grain((width, height)) * inside(front), strength=0.09)
    plate.add((255, 236, 196), along(front + height * 0.014, height * 0.006), strength=0.25)
    plate.add(palette.BRASS, along(front + 0.8, max(1.0, height * 0.009)))
    plate.add(palette.BRASS_LIGHT, along(case + 1, max(1.2, height * 0.01)))
    out.blit(plate.surface(), (0, 0))
    sign = pip(SPADES, palette.BRASS, (width / 2, height * 0.142), height * 0.105)
    out.blit(rendered(sign, (width, height), (0, 0, width, height)), (0, 0))
