"""Polygons and curves, drawn large and brought down to size so that every edge is clean.

Rules: shapes are tuples of points in the canvas's own units; a path string is the small part of the SVG path language
that our figures need (absolute M, L, H, V, C, Q, Z; one contour). Nothing here knows what is drawn.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np
import pygame

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.tally import DRAWN

Point = tuple[float, float]
Points = tuple[Point, ...]

CURVE_STEPS: Final = 14
"""Straight pieces that stand for one Bézier arc: at the sizes of a card the eye cannot see them."""


@lru_cache(maxsize=1024)
def path(description: str) -> Points:
    """The contour that a path string describes, with curves flattened.

    Raises `ValueError` for a letter that is not M, L, H, V, C, Q or Z.
    """
    points: list[Point] = []
    words = iter(description.replace(",", " ").split())
    letter = ""
    for word in words:
        if word.isalpha():
            letter = word
            continue
        _extend(points, letter, float(word), words)
    return tuple(points)


def _extend(points: list[Point], letter: str, first: float, words: Iterator[str]) -> None:
    def pair() -> Point:
        return float(next(words)), float(next(words))

    match letter:
        case "M" | "L":
            points.append((first, float(next(words))))
        case "H":
            points.append((first, points[-1][1]))
        case "V":
            points.append((points[-1][0], first))
        case "Q":
            control = (first, float(next(words)))
            points.extend(_bezier((points[-1], control, pair())))
        case "C":
            control = (first, float(next(words)))
            points.extend(_bezier((points[-1], control, pair(), pair())))
        case _:
            raise ValueError(f"path letter {letter!r}: expected one of M L H V C Q Z")


def _bezier(controls: Points) -> Iterator[Point]:
    """The points of a Bézier arc after its first, by repeated halving between the controls (de Casteljau)."""
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        row = controls
        while len(row) > 1:
            row = tuple((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in itertools.pairwise(row))
        yield row[0]


def mirrored(points: Iterable[Point]) -> Points:
    """The same contour, left for right, about x = 0."""
    return tuple((-x, y) for x, y in points)


def both_sides(half: Points) -> Points:
    """A symmetrical closed contour from its right half, given from the top of the axis to the foot of it."""
    return half + mirrored(reversed(half))


def placed(points: Iterable[Point], *, at: Point = (0, 0), scale: float = 1, degrees: float = 0) -> Points:
    """The contour turned clockwise about the origin, scaled, then moved so that the origin lies at `at`."""
    cos, sin = math.cos(math.radians(degrees)) * scale, math.sin(math.radians(degrees)) * scale
    return tuple((at[0] + x * cos - y * sin, at[1] + x * sin + y * cos) for x, y in points)


def ellipse(centre: Point, rx: float, ry: float, *, count: int = 40) -> Points:
    """A closed ellipse."""
    turns = (2 * math.pi * step / count for step in range(count))
    return tuple((centre[0] + rx * math.cos(turn), centre[1] + ry * math.sin(turn)) for turn in turns)


def rounded_box(x: float, y: float, w: float, h: float, radius: float) -> Points:
    """A closed box with round corners."""
    r = min(radius, w / 2, h / 2)
    corners = ((x + w - r, y + r, -90), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90), (x + r, y + r, 180))
    return tuple(
        (cx + r * math.cos(math.radians(start + step * 10)), cy + r * math.sin(math.radians(start + step * 10)))
        for cx, cy, start in corners
        for step in range(10)
    )


def dashes(outline: Points, *, on: float, off: float) -> tuple[Points, ...]:
    """The pieces of a closed outline that a dashed pen would draw; the pattern is fitted to close without a seam."""
    closed = (*outline, outline[0])
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(closed)]
    count = max(1, round(sum(lengths) / (on + off)))
    period = sum(lengths) / count
    return tuple(_stretch(closed, lengths, n * period, n * period + period * on / (on + off)) for n in range(count))


def _stretch(line: Points, lengths: list[float], start: float, end: float) -> Points:
    out: list[Point] = []
    run = 0.0
    for a, b, length in zip(line, line[1:], lengths, strict=False):
        low, high = max(start, run), min(end, run + length)
        if low < high:
            for along in (low, high):
                t = (along - run) / length
                out.append((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))
        run += length
    return tuple(out)


class Canvas:
    """A drawing `size_px` large, whose corner-to-corner extent is `box` = (left, top, width, height) in own units.

    `ground` fills it with an opaque colour; without one it starts clear. `oversample` is how many times larger it is
    drawn than it is handed out.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        box: tuple[float, float, float, float],
        *,
        ground: Colour | None = None,
        oversample: int = 4,
    ) -> None:
        self._size_px = size_px
        self._box = box
        self._oversample = oversample
        large = (size_px[0] * oversample, size_px[1] * oversample)
        self._scale = (large[0] / box[2], large[1] / box[3])
        self.surface = pygame.Surface(large, pygame.SRCALPHA)
        if ground is not None:
            self.surface.fill(ground)

    def layer(self, *, origin: Point = (0, 0)) -> "Canvas":
        """A clear canvas of the same size, for `merge`; its origin lies at `origin` of this one."""
        left, top, width, height = self._box
        return Canvas(self._size_px, (left - origin[0], top - origin[1], width, height), oversample=self._oversample)

    def fill(self, points: Points, colour: Colour, *, alpha: int = 255) -> None:
        """A filled polygon."""
        if alpha == 255:
            pygame.draw.polygon(self.surface, colour, self._to_px(points))
            return
        area = self._bounds(points)
        veil = pygame.Surface(area.size, pygame.SRCALPHA)
        pygame.draw.polygon(veil, (*colour, alpha), [(x - area.x, y - area.y) for x, y in self._to_px(points)])
        self.surface.blit(veil, area)

    def stroke(self, points: Points, width: float, colour: Colour, *, closed: bool = False) -> None:
        """A line of even width with round joints and ends."""
        line = self._to_px(points)
        if closed:
            line = [*line, line[0]]
        half = width * self._scale[1] / 2
        for a, b in itertools.pairwise(line):
            length = math.dist(a, b)
            if length:
                dx, dy = (b[1] - a[1]) / length * half, (a[0] - b[0]) / length * half
                corners = (
                    (a[0] + dx, a[1] + dy),
                    (b[0] + dx, b[1] + dy),
                    (b[0] - dx, b[1] - dy),
                    (a[0] - dx, a[1] - dy),
                )
                pygame.draw.polygon(self.surface, colour, corners)
        if half > 1:
            for point in line:
                pygame.draw.circle(self.surface, colour, point, half)

    def shape(self, points: Points, fill: Colour, line: Colour, width: float) -> None:
        """A filled polygon with an outline centred on its edge."""
        self.fill(points, fill)
        self.stroke(points, width, line, closed=True)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        pygame.draw.circle(self.surface, colour, self._to_px((centre,))[0], radius * self._scale[1])

    def blend(self, points: Points, top: Colour, low: Colour) -> None:
        """A filled polygon whose colour runs from `top` at its highest point to `low` at its lowest."""
        area = self._bounds(points)
        veil = pygame.Surface(area.size, pygame.SRCALPHA)
        pygame.draw.polygon(veil, (255, 255, 255), [(x - area.x, y - area.y) for x, y in self._to_px(points)])
        veil.blit(_ramp(area.size, top, low), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self.surface.blit(veil, area)

    def merge(
        self, layer: "Canvas", *, within: Points | None = None, turned: bool = False, flipped: bool = False
    ) -> None:
        """Put a layer over this canvas: only `within` a polygon, `turned` by half a turn, `flipped` left for right."""
        source = pygame.transform.rotate(layer.surface, 180) if turned else layer.surface
        source = pygame.transform.flip(source, flip_x=True, flip_y=False) if flipped else source
        if within is not None:
            stencil = pygame.Surface(source.get_size(), pygame.SRCALPHA)
            pygame.draw.polygon(stencil, (255, 255, 255, 255), self._to_px(within))
            stencil.blit(source, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
            source = stencil
        self.surface.blit(source, (0, 0))

    def stamp(self, piece: pygame.Surface, centre: Point) -> None:
        """Put a surface, drawn at this canvas's oversampled pixels, with its middle at a point."""
        x, y = self._to_px((centre,))[0]
        self.surface.blit(piece, (round(x - piece.get_width() / 2), round(y - piece.get_height() / 2)))

    def px(self, units: float) -> int:
        """A length in oversampled pixels, at least one."""
        return max(1, round(units * self._scale[1]))

    def finished(self) -> pygame.Surface:
        """The drawing at its size."""
        return brought_down(self.surface, self._size_px)

    def _to_px(self, points: Points) -> list[Point]:
        (left, top, _, _), (sx, sy) = self._box, self._scale
        return [((x - left) * sx, (y - top) * sy) for x, y in points]

    def _bounds(self, points: Points) -> pygame.Rect:
        line = self._to_px(points)
        left, top = math.floor(min(x for x, _ in line)), math.floor(min(y for _, y in line))
        right, low = math.ceil(max(x for x, _ in line)), math.ceil(max(y for _, y in line))
        return pygame.Rect(left, top, max(1, right - left + 1), max(1, low - top + 1))


def brought_down(surface: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    """A smaller copy, averaged with the weight of its alpha, so that clear surroundings do not darken an edge."""
    DRAWN.count += 1
    weighted = pygame.transform.smoothscale(surface.premul_alpha(), size)
    alpha = pygame.surfarray.pixels_alpha(weighted).astype(np.uint16)
    rgb = pygame.surfarray.pixels3d(weighted)
    weight = np.maximum(alpha, 1)[:, :, None]
    rgb[...] = np.minimum((rgb.astype(np.uint16) * 255 + weight // 2) // weight, 255)
    del rgb
    return weighted


def _ramp(size: tuple[int, int], top: Colour, low: Colour) -> pygame.Surface:
    column = pygame.Surface((1, 2))
    column.set_at((0, 0), top)
    column.set_at((0, 1), low)
    return pygame.transform.smoothscale(column, size) if min(size) > 1 else pygame.transform.scale(column, size)
