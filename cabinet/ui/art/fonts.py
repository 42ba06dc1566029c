"""Type: five roles, two families and a serif, loaded from font packages; never a system font.

Rules: the width of a line follows from its letters in the designer's units, at every size, so that small type keeps its
proportions. Letters stand at fractions of a pixel; strokes are hinted in height only. A letter is drawn once for all
colours, a line is composed of letters, and both are kept in bounded caches, so a returned surface must not be changed.
Ink beyond a line's width is not cut. Figures stand in equal cells, because the digits of the family differ in width.
Does not know the texts.
"""

import math
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import fontpkg
import numpy as np
import numpy.typing as npt
import pygame
import pygame.freetype

from cabinet.text.typefaces import Role
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.tally import DRAWN

TEXT_CACHE: Final = 512
"""Lines of text kept; the least recently used goes first."""
LETTER_CACHE: Final = 8192
"""Letters kept, each of one role and size: at 1920 x 1080 some 4 MB, at 3840 x 2160 some 16."""
FONT_CACHE: Final = 96
"""Role and size pairs kept."""
WIDTHS_CACHE: Final = 4096
"""Measured lines, and pairs of letters, that are kept."""


SMALLEST_PX: Final = 6
"""The smallest size of type."""
DESIGN_PX: Final = 1000
"""The size at which letters are measured: one pixel is one of the designer's units."""
SPACE_EM: Final = 0.25
"""The least width of the space between two words; the sans's space is too narrow for small type."""
NARROW_SPACE: Final = "\u202f"
"""The space in an amount. The families lack it."""
NARROW_EM: Final = 0.2
REACH_EM: Final = 0.15
"""Room above and below the font's line: hinting lifts accents beyond it at small sizes."""
FINE_BELOW_PX: Final = ((32, 4), (64, 2))
"""(size, steps): below this size a letter stands at these steps of a pixel; above, whole pixels are fine enough."""


CLEAR: Final = 0.32
"""The row under a dot or accent is lighter than both by this share of the letter's strength, so that the gap is
visible."""
ABOVE: Final = 230
"""Unicode's canonical combining class of a mark above its letter."""
DOTLESS: Final = {"i": "ı", "j": "ı"}
"""The letter under a dot; the sans lacks a j without one, and its body is as high as that of an i."""


NARROWED: Final = {(Role.TITLE, "0"): 0.78}
"""Factor by which a character is narrower than designed: the serif's zero is as round as its letter O, and an amount
could be read as letters."""


@lru_cache(maxsize=FONT_CACHE)
def font(role: Role, px: int) -> pygame.font.Font:
    """Returns the font of a role at `px` pixels of em height (at least 1).

    Raises `fontpkg.FontpkgError` when the font package is not installed.
    """
    if not pygame.font.get_init():
        pygame.font.init()
    family, weight = role.value
    return pygame.font.Font(str(fontpkg.path(family, weight)), max(1, px))


def line_height(role: Role, px: int) -> int:
    """Returns the height in pixels of every line of a role and size: the font's, plus some room above and below."""
    return font(role, px).get_height() + 2 * _reach(px)


def ascent(role: Role, px: int) -> int:
    """Returns how far its letters' baseline is below the upper edge of a line, in pixels."""
    return font(role, px).get_ascent() + _reach(px)


def _reach(px: int) -> int:
    return math.ceil(px * REACH_EM)


class Letter(NamedTuple):
    """A drawn character: its coverage of each pixel (steps across, pixels down), and where that begins.

    `left` is in steps from the letter's position, `top` in pixels from the top of the line.
    """

    cover: npt.NDArray[np.uint8]
    left: int
    top: int


@lru_cache(maxsize=LETTER_CACHE)
def letter(role: Role, px: int, character: str) -> Letter:
    """Returns one character; lines and amounts of every colour are composed of these."""
    DRAWN.count += 1
    if character.isspace():
        return Letter(np.zeros((0, 0), np.uint8), 0, 0)
    face, steps = _outlines(role), steps_of(px)
    face.size = (max(1, px) * steps * _narrowed(role, character), max(1, px))
    drawn, box = face.render(character, (255, 255, 255))
    return _with_gap(role, px, character, Letter(pygame.surfarray.array_alpha(drawn), box.x, ascent(role, px) - box.y))


def _with_gap(role: Role, px: int, character: str, drawn: Letter) -> Letter:
    """Returns a letter with a gap below its dot or accent: the mark is raised by a row where hinting closed the gap."""
    body = body_of(character)
    if not body or clearance(_rows(drawn.cover, steps_of(px))) >= CLEAR:
        return drawn
    split = letter(role, px, body).top - drawn.top
    if not drawn.top or not 0 < split < drawn.cover.shape[1]:
        return drawn
    above, below = drawn.cover[:, :split], drawn.cover[:, split:]
    gap = np.zeros((drawn.cover.shape[0], 1), np.uint8)
    return Letter(np.concatenate((above, gap, below), axis=1), drawn.left, drawn.top - 1)


def body_of(character: str) -> str:
    """Returns the letter below a dot or an accent; empty for a character without one."""
    if character in DOTLESS:
        return DOTLESS[character]
    apart = unicodedata.normalize("NFD", character)
    body, raised = apart[:1], any(unicodedata.combining(mark) == ABOVE for mark in apart[1:])
    return DOTLESS.get(body, body) if raised else ""


def clearance(rows: Sequence[float]) -> float:
    """Returns by what share of the strongest row the lightest row between a mark and its letter is lighter than both.

    `rows` are the coverages of a letter's rows, from its mark downwards; 1 is a free row under a full mark.
    """
    within = range(1, len(rows) // 2 + 1)
    free = max((min(max(rows[:at]), max(rows[at + 1 :], default=0)) - rows[at] for at in within), default=0)
    return free / max(rows, default=1)


def _rows(cover: npt.NDArray[np.uint8], steps: int) -> list[float]:
    """Returns the strongest pixel of each row, when a pixel is `steps` wide."""
    wide = np.pad(cover, ((steps, steps), (0, 0))).astype(np.float32)
    sums = np.cumsum(wide, axis=0)
    return [float(most) for most in (sums[steps:] - sums[:-steps]).max(axis=0) / steps]


@lru_cache(maxsize=TEXT_CACHE)
def text(role: Role, px: int, string: str, colour: Colour, *, tracking: float = 0) -> pygame.Surface:
    """Returns one line of type, `line_height` high; `tracking` is extra pixels between characters. Must not be
    changed."""
    width = text_width(role, px, string, tracking=tracking)
    return _composed(role, px, string, advances(role, px, string, tracking), width, colour)


def text_width(role: Role, px: int, string: str, *, tracking: float = 0) -> int:
    """Returns the width in pixels of the surface that `text` returns."""
    if not string:
        return 0
    found = _measured(role, string)
    return max(0, math.ceil(px * (found.right - found.left) + tracking * (len(string) - 1)))


def advances(role: Role, px: int, string: str, tracking: float) -> tuple[float, ...]:
    """Returns the x in pixels of each character and of the end, with kerning, and `tracking` after each character.

    The first is above 0 when its letter reaches to the left of its position.
    """
    found = _measured(role, string)
    return tuple((start - found.left) * px + tracking * count for count, start in enumerate(found.starts))


def figures(px: int, string: str, colour: Colour, *, role: Role = Role.FIGURES) -> pygame.Surface:
    """Returns an amount with every digit in a cell of the same width, so that counting never moves it."""
    return _figures(px, string, colour, role)


class Figure(NamedTuple):
    """A character of an amount: `shift` steps of a pixel right of `x`, which counts from the amount's left edge."""

    character: str
    shift: int
    x: int


def set_figures(px: int, string: str, *, role: Role = Role.FIGURES) -> tuple[Figure, ...]:
    """Returns the characters of an amount, as `figures` composes it, and their places: each is drawn once for all
    amounts."""
    steps = steps_of(px)
    end = figures_width(px, string, role=role) * steps
    found = []
    for x, character in zip(_cells(role, px, string), string, strict=False):
        drawn, left, _ = letter(role, px, character)
        wide = drawn.shape[0]
        if wide:
            start = min(max(0, round(x * steps) + left), max(0, end - wide))
            found.append(Figure(character, start % steps, start // steps))
    return tuple(found)


@lru_cache(maxsize=TEXT_CACHE)
def figure(px: int, character: str, shift: int, colour: Colour, *, role: Role = Role.FIGURES) -> pygame.Surface:
    """Returns one character of an amount for `set_figures`, no wider than its ink. Must not be changed."""
    steps, drawn = steps_of(px), letter(role, px, character)
    width = -(-(shift + drawn.cover.shape[0]) // steps)
    return _composed(role, px, character, ((shift - drawn.left) / steps,), width, colour)


def figures_width(px: int, string: str, *, role: Role = Role.FIGURES) -> int:
    """Returns the width in pixels of the surface that `figures` returns."""
    return math.ceil(_cells(role, px, string)[-1])


@lru_cache(maxsize=TEXT_CACHE)
def inked(role: Role, px: int, string: str, colour: Colour, widest_px: float) -> pygame.Surface:
    """Returns a word cut to its ink, at most `px` in size and `widest_px` in width. Must not be changed."""
    size = px
    while True:
        line = text(role, size, string, colour)
        ink = line.get_bounding_rect()
        if ink.width <= widest_px or size <= SMALLEST_PX:
            return line.subsurface(ink).copy()
        size = max(SMALLEST_PX, min(size - 1, int(size * widest_px / ink.width)))


def fitting_px(role: Role, px: int, string: str, room: tuple[int, int], *, tracking: float = 0) -> int:
    """Returns the size of type at which `fitted` sets a line."""
    size = px
    while size > SMALLEST_PX:
        narrow = text_width(role, size, string, tracking=tracking * size) <= room[0]
        if narrow and font(role, size).get_ascent() <= room[1]:
            break
        size -= 1
    return size


def fitted(
    role: Role, px: int, string: str, colour: Colour, room: tuple[int, int], *, tracking: float = 0
) -> pygame.Surface:
    """Returns a line of at most `px`, smaller if `room` (width, height) requires it; tracking is a share of the size.

    A line that does not fit even at `SMALLEST_PX` is squeezed to the width, never cut.
    """
    size = fitting_px(role, px, string, room, tracking=tracking)
    line = text(role, size, string, colour, tracking=tracking * size)
    if line.get_width() <= room[0]:
        return line
    return pygame.transform.smoothscale(line, (max(1, room[0]), line.get_height()))


@lru_cache(maxsize=TEXT_CACHE)
def _figures(px: int, string: str, colour: Colour, role: Role) -> pygame.Surface:
    return _composed(role, px, string, _cells(role, px, string), figures_width(px, string, role=role), colour)


@lru_cache(maxsize=WIDTHS_CACHE)
def _cells(role: Role, px: int, string: str) -> tuple[float, ...]:
    """Returns the x of each character of an amount and of its end: a digit on a whole pixel, in the middle of its
    cell."""
    cell = _cell(role, px)
    starts, x = [], 0.0
    for before, character in zip(f" {string}", string, strict=False):
        advance = px * _advance(role, character)
        if character.isdigit():
            x = math.ceil(x)
            starts.append(x + (cell - advance) // 2)
            x += cell
        else:
            x += 0 if before.isdigit() else px * _kerning(role, before, character)
            starts.append(x)
            x += advance
    return (*starts, x)


@lru_cache(maxsize=FONT_CACHE)
def _cell(role: Role, px: int) -> int:
    """Returns the width in pixels of every digit."""
    return max(math.ceil(px * _advance(role, digit)) for digit in "0123456789")


def _composed(role: Role, px: int, string: str, starts: Sequence[float], width: int, colour: Colour) -> pygame.Surface:
    """Returns a line of letters at these places, of a width."""
    steps, height = steps_of(px), line_height(role, px)
    cover = np.zeros((width * steps, height), np.uint8)
    for x, character in zip(starts, string, strict=False):
        drawn, left, top = letter(role, px, character)
        at = min(max(0, round(x * steps) + left), max(0, width * steps - drawn.shape[0]))
        area = cover[at : at + drawn.shape[0], top : top + drawn.shape[1]]
        np.maximum(area, drawn[: area.shape[0], : area.shape[1]], out=area)
    line = pygame.Surface((width, height), pygame.SRCALPHA)
    line.fill((*colour, 0))
    if width:
        shades = cover.reshape(width, steps, height).sum(axis=1, dtype=np.uint16)
        pygame.surfarray.pixels_alpha(line)[:] = (shades + steps // 2) // steps
    return line


def steps_of(px: int) -> int:
    """Returns the number of positions within a pixel for a letter of this size."""
    return next((steps for below, steps in FINE_BELOW_PX if px < below), 1)


# --- the designer's own measures, in em -----------------------------------------------------------------------------


class Measured(NamedTuple):
    """A line in em: the start of each character and the end, and the extent of all its ink."""

    starts: tuple[float, ...]
    left: float
    right: float


@lru_cache(maxsize=WIDTHS_CACHE)
def _measured(role: Role, string: str) -> Measured:
    starts, x, left, right = [], 0.0, 0.0, 0.0
    for before, character in zip(f" {string}", string, strict=False):
        x += _kerning(role, before, character)
        starts.append(x)
        low, high = _ink(role, character)
        left, right = min(left, x + low), max(right, x + high)
        x += _advance(role, character)
    return Measured((*starts, x), left, max(right, x))


@lru_cache(maxsize=WIDTHS_CACHE)
def _advance(role: Role, character: str) -> float:
    if character.isspace():
        own = font(role, DESIGN_PX).size(" ")[0] / DESIGN_PX
        return NARROW_EM if character == NARROW_SPACE else max(SPACE_EM, own)
    return _own_advance(role, character) * _narrowed(role, character)


def _own_advance(role: Role, character: str) -> float:
    return _box(role, character)[2] / DESIGN_PX


def _narrowed(role: Role, character: str) -> float:
    return NARROWED.get((role, character), 1.0)


@lru_cache(maxsize=WIDTHS_CACHE)
def _ink(role: Role, character: str) -> tuple[float, float]:
    if character.isspace():
        return 0.0, 0.0
    low, high, _ = _box(role, character)
    scale = _narrowed(role, character) / DESIGN_PX
    return low * scale, high * scale


def _box(role: Role, character: str) -> tuple[int, int, int]:
    """Returns the extent of a letter and its advance; a character that the family lacks is drawn as a box."""
    face = font(role, DESIGN_PX)
    found: list[tuple[int, int, int, int, int] | None] = list(face.metrics(character))
    if found[0] is None:
        return 0, face.size(character)[0], face.size(character)[0]
    low, high, _, _, advance = found[0]
    return low, high, advance


@lru_cache(maxsize=2 * WIDTHS_CACHE)
def _kerning(role: Role, before: str, after: str) -> float:
    """Returns the kerning of two letters (mostly 0 or less); a space is never narrowed."""
    if before.isspace() or after.isspace():
        return 0.0
    face, bar = font(role, DESIGN_PX), font(role, DESIGN_PX).size("|")[0]
    pair = face.size(f"|{before}{after}|")[0] - 2 * bar
    return pair / DESIGN_PX - _own_advance(role, before) - _own_advance(role, after)


@lru_cache(maxsize=len(Role))
def _outlines(role: Role) -> pygame.freetype.Font:
    """Returns the letters of a role, for every size."""
    if not pygame.freetype.get_init():
        pygame.freetype.init()
    family, weight = role.value
    return pygame.freetype.Font(str(fontpkg.path(family, weight)))
