"""Light and round shapes by arithmetic: each shape is a field of distances to an edge, blended colour by colour.

Rules: arrays are indexed [x, y], as in pygame. A coverage is 0 (none) to 1 (full). A distance is in pixels,
negative inside. Edges are smooth because a coverage follows the distance. Noise is a fixed function of the
position, never random.
Does not know the shapes' use.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pygame

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.tally import DRAWN

Field = npt.NDArray[np.float32]


def grid(size: tuple[int, int]) -> tuple[Field, Field]:
    """Returns the x (a column) and y (a row) of every pixel's middle; together they broadcast to the size."""
    x = np.arange(size[0], dtype=np.float32)[:, None] + np.float32(0.5)
    y = np.arange(size[1], dtype=np.float32)[None, :] + np.float32(0.5)
    return x, y


def from_disc(at: tuple[Field, Field], centre: tuple[float, float], radius: float) -> Field:
    """Returns the distance to a circle."""
    field: Field = np.hypot(at[0] - centre[0], at[1] - centre[1]) - np.float32(radius)
    return field


def from_box(at: tuple[Field, Field], box: tuple[float, float, float, float], radius: float) -> Field:
    """Returns the distance to a box (left, top, width, height) with round corners."""
    left, top, width, height = box
    r = min(radius, width / 2, height / 2)
    dx = np.abs(at[0] - (left + width / 2)) - (width / 2 - r)
    dy = np.abs(at[1] - (top + height / 2)) - (height / 2 - r)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    field: Field = (outside + np.minimum(np.maximum(dx, dy), 0) - r).astype(np.float32)
    return field


def from_lozenge(at: tuple[Field, Field], centre: tuple[float, float], reach: float) -> Field:
    """Returns the distance to a square that stands on a corner; `reach` is from its middle to a corner."""
    apart = np.abs(at[0] - centre[0]) + np.abs(at[1] - centre[1]) - reach
    field: Field = (apart * np.float32(0.7071)).astype(np.float32)
    return field


def inside(distance: Field) -> Field:
    """Returns a coverage: full inside the edge, none outside, smooth over the pixel that the edge crosses."""
    field: Field = np.clip(np.float32(0.5) - distance, 0, 1)
    return field


def along(distance: Field, width: float) -> Field:
    """Returns the coverage of a line of `width` pixels, centred on the edge; thinner than a pixel it grows fainter
    instead."""
    half = max(width, 1.0) / 2
    field: Field = np.clip(half + np.float32(0.5) - np.abs(distance), 0, 1) * np.float32(min(1.0, width))
    return field


def fading(distance: Field, reach: float) -> Field:
    """Returns a coverage of one at the edge and inside it, falling softly to nothing at `reach` pixels outside."""
    t = np.clip(distance / np.float32(max(reach, 1e-3)), 0, 1)
    field: Field = (1 - t) ** 2 * (1 + 2 * t)
    return field


def blend(start: Colour, end: Colour, t: Field) -> Field:
    """Returns a colour per pixel between two colours, t from 0 to 1."""
    a, b = np.array(start, np.float32), np.array(end, np.float32)
    field: Field = (a + (b - a) * np.clip(t, 0, 1)[..., None]).astype(np.float32)
    return field


class Plate:
    """A picture in layers of colour that becomes a surface."""

    def __init__(self, size: tuple[int, int]) -> None:
        DRAWN.count += 1
        self.size = (max(1, size[0]), max(1, size[1]))
        self.at = grid(self.size)
        self._rgb = np.zeros((*self.size, 3), np.float32)
        self._alpha = np.zeros((*self.size, 1), np.float32)

    def add(self, colour: Colour | Field, coverage: Field, *, strength: float = 1) -> None:
        """Adds a layer of a colour (one, or one per pixel) over the picture."""
        cover = np.broadcast_to(coverage * np.float32(strength), self.size)[..., None]
        self._rgb *= 1 - cover
        self._rgb += np.asarray(colour, np.float32) * cover
        self._alpha *= 1 - cover
        self._alpha += cover

    def surface(self) -> pygame.Surface:
        """Returns the picture, its faint parts dithered so that a glow shows no steps."""
        out = pygame.Surface(self.size, pygame.SRCALPHA)
        solid = np.maximum(self._alpha, 1e-4)
        noise = tiled_noise(self.size)
        pygame.surfarray.blit_array(out, np.clip(self._rgb / solid + noise[..., None], 0, 255).astype(np.uint8))
        alpha = pygame.surfarray.pixels_alpha(out)
        alpha[...] = np.clip(self._alpha[..., 0] * 255 + noise, 0, 255).astype(np.uint8)
        alpha[self._alpha[..., 0] <= 0.002] = 0
        del alpha
        return out

    def opaque(self) -> pygame.Surface:
        """Returns the picture on black, without alpha, for pieces that fill their rectangle."""
        out = pygame.Surface(self.size)
        pixels = np.clip(self._rgb + tiled_noise(self.size)[..., None], 0, 255).astype(np.uint8)
        pygame.surfarray.blit_array(out, pixels)
        return out


def tiled_noise(size: tuple[int, int]) -> Field:
    """Returns even noise from 0 to 1 for every pixel, the same at every call."""
    tile = noise_tile(0)
    repeat = (-(-size[0] // tile.shape[0]), -(-size[1] // tile.shape[1]))
    return np.tile(tile, repeat)[: size[0], : size[1]]


@lru_cache(maxsize=8)
def noise_tile(layer: int, side: int = 256) -> Field:
    """Returns a square of even noise from 0 to 1, by mixing the bits of each position (after the finaliser of
    MurmurHash3)."""
    place = np.arange(side * side, dtype=np.uint32).reshape(side, side) + np.uint32(layer * side * side + 1)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        place ^= place >> np.uint32(shift)
        place *= np.uint32(factor)
    place ^= place >> np.uint32(16)
    tile: Field = (place.astype(np.float64) / 2**32).astype(np.float32)
    tile.setflags(write=False)
    return tile


def scaled_down(surface: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    """Returns a smaller copy, averaged with the weight of its alpha, so that clear surroundings do not darken an
    edge."""
    DRAWN.count += 1
    weighted = pygame.transform.smoothscale(surface.premul_alpha(), size)
    alpha = pygame.surfarray.pixels_alpha(weighted).astype(np.uint16)
    rgb = pygame.surfarray.pixels3d(weighted)
    weight = np.maximum(alpha, 1)[:, :, None]
    rgb[...] = np.minimum((rgb.astype(np.uint16) * 255 + weight // 2) // weight, 255)
    del rgb
    return weighted
