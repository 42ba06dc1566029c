"""Draws a printed ticket as a picture: thermal paper with a serrated cut, letters in cells, bars to scale.

A ticket is a column of strips with the heights of their paper. Rules:
- one dot of the print head is two pixels, so text stays smooth and bars keep sharp, exact edges;
- every letter is in its cell, for any width of the letter: columns align as with a printer's built-in font;
- the same strips always give the same picture;
- a picture has one byte a pixel, an entry of a palette from ink to paper: drawing must be quick, because it happens
  between two answers of a printer.

Knows no commands. The fonts are those of the program.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import assert_never

import fontpkg_barlow_condensed
from PIL import Image, ImageDraw, ImageFont

from drivers.simulated.bars import Bars

PIXELS_PER_DOT = 2
CELL_WIDTH_DOTS = 12
CELL_HEIGHT_DOTS = 24
LINE_DOTS = 30

_EDGE_DOTS = 32  # paper beside the print head
_TABLE_PIXELS = 28  # background around the paper
_TOOTH_PIXELS = 10
_INK, _PAPER, _TABLE = 0, 254, 255  # entries of the palette; the entries between ink and paper are their blends
_INK_COLOUR, _PAPER_COLOUR, _TABLE_COLOUR = (38, 36, 42), (250, 248, 242), (92, 96, 102)
_BASELINE = 0.83


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One character in its cell; `wide` and `high` multiply the cell."""

    sign: str
    wide: int = 1
    high: int = 1
    bold: bool = False
    inverse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStrip:
    """A line of letters that begins `left_dots` from the edge of the print head."""

    letters: tuple[Letter, ...]
    left_dots: int

    @property
    def height_dots(self) -> int:
        """The paper of a line: its tallest letter and the gap below it."""
        return LINE_DOTS * max((letter.high for letter in self.letters), default=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BarStrip:
    """Bars; the digits below them are a separate text strip."""

    bars: Bars
    module_dots: int
    height_dots: int
    left_dots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankStrip:
    """Blank paper."""

    height_dots: int


Strip = TextStrip | BarStrip | BlankStrip


def draw_ticket(strips: tuple[Strip, ...], *, width_dots: int, torn: bool, edge: str = "") -> Image.Image:
    """Returns the picture. `torn`: the paper ended or was torn off instead of cut; `edge` is the text along its left
    side."""
    height_dots = max(LINE_DOTS, sum(strip.height_dots for strip in strips))
    paper = _blank_paper(width_dots + 2 * _EDGE_DOTS, height_dots)
    pen = ImageDraw.Draw(paper)
    top = 0
    for strip in strips:
        _draw_strip(paper, pen, strip, top)
        top += strip.height_dots
    if edge:
        _write_up_the_side(paper, edge)
    return _place_on_table(paper, torn=torn)


def _write_up_the_side(paper: Image.Image, text: str) -> None:
    strip = Image.new("L", (len(text) * CELL_WIDTH_DOTS * PIXELS_PER_DOT, CELL_HEIGHT_DOTS * PIXELS_PER_DOT), _PAPER)
    pen = ImageDraw.Draw(strip)
    for place, sign in enumerate(text):
        _draw_letter(strip, pen, Letter(sign=sign), place * CELL_WIDTH_DOTS, 0)
    upright = strip.transpose(Image.Transpose.ROTATE_90)
    left = (_EDGE_DOTS - CELL_HEIGHT_DOTS) * PIXELS_PER_DOT
    paper.paste(upright, (left, max(0, (paper.height - upright.height) // 2)))


def _blank_paper(width_dots: int, height_dots: int) -> Image.Image:
    return Image.new("L", (width_dots * PIXELS_PER_DOT, height_dots * PIXELS_PER_DOT), _PAPER)


def _draw_strip(paper: Image.Image, pen: ImageDraw.ImageDraw, strip: Strip, top_dots: int) -> None:
    match strip:
        case TextStrip():
            left = strip.left_dots + _EDGE_DOTS
            for letter in strip.letters:
                _draw_letter(paper, pen, letter, left, top_dots)
                left += CELL_WIDTH_DOTS * letter.wide
        case BarStrip():
            _draw_bars(pen, strip, top_dots)
        case BlankStrip():
            pass
        case _:
            assert_never(strip)


def _draw_bars(pen: ImageDraw.ImageDraw, strip: BarStrip, top_dots: int) -> None:
    left = strip.left_dots + _EDGE_DOTS
    for place, modules in enumerate(strip.bars.runs):
        right = left + modules * strip.module_dots
        if place % 2 == 0:
            bottom = (top_dots + strip.height_dots) * PIXELS_PER_DOT - 1
            pen.rectangle(
                (left * PIXELS_PER_DOT, top_dots * PIXELS_PER_DOT, right * PIXELS_PER_DOT - 1, bottom), fill=_INK
            )
        left = right


def _draw_letter(paper: Image.Image, pen: ImageDraw.ImageDraw, letter: Letter, left_dots: int, top_dots: int) -> None:
    left, top = left_dots * PIXELS_PER_DOT, top_dots * PIXELS_PER_DOT
    width = CELL_WIDTH_DOTS * letter.wide * PIXELS_PER_DOT
    height = CELL_HEIGHT_DOTS * letter.high * PIXELS_PER_DOT
    if letter.inverse:
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=_INK)
    if letter.sign == "\u2500":  # a rule must not show gaps between cells
        middle = top + height // 2
        pen.rectangle((left, middle - PIXELS_PER_DOT, left + width - 1, middle), fill=_INK)
    elif letter.sign != " ":
        mask = _shape(letter.sign, width, height, bold=letter.bold)
        paper.paste(_PAPER if letter.inverse else _INK, (left, top), mask)


@cache
def _shape(sign: str, width: int, height: int, *, bold: bool) -> Image.Image:
    """Returns the darkness of each pixel of the cell; a sign wider than its cell is compressed."""
    font = _font(height, bold=bold)
    left, _, right, _ = font.getbbox(sign, anchor="ls")
    ink_width = max(1, int(right - left))
    drawn = Image.new("L", (ink_width, height), 0)
    ImageDraw.Draw(drawn).text((-left, height * _BASELINE), sign, fill=255, font=font, anchor="ls")
    room = width - PIXELS_PER_DOT
    if ink_width > room:
        drawn = drawn.resize((room, height), Image.Resampling.LANCZOS)
    cell = Image.new("L", (width, height), 0)
    cell.paste(drawn, ((width - drawn.width) // 2, 0))
    return cell


@cache
def _font(height: int, *, bold: bool) -> ImageFont.FreeTypeFont:
    name = "BarlowCondensed-Bold.ttf" if bold else "BarlowCondensed-Medium.ttf"
    return ImageFont.truetype(fontpkg_barlow_condensed.ROOT / "files" / name, size=height)


def _place_on_table(paper: Image.Image, *, torn: bool) -> Image.Image:
    table = Image.new("L", (paper.width + 2 * _TABLE_PIXELS, paper.height + 2 * _TABLE_PIXELS), _TABLE)
    table.paste(paper, (_TABLE_PIXELS, _TABLE_PIXELS), _outline(paper.width, paper.height, torn=torn))
    table.putpalette(_palette())
    return table


@cache
def _palette() -> bytes:
    blends = (
        round(ink + (paper - ink) * step / _PAPER)
        for step in range(_PAPER + 1)
        for ink, paper in zip(_INK_COLOUR, _PAPER_COLOUR, strict=True)
    )
    return bytes((*blends, *_TABLE_COLOUR))


def _outline(width: int, height: int, *, torn: bool) -> Image.Image:
    """Returns the shape of the paper: serrated at the top, and at the bottom unless the paper was torn."""
    outline = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(outline)
    for tooth, left in enumerate(range(0, width, 2 * _TOOTH_PIXELS)):
        middle, right = left + _TOOTH_PIXELS, left + 2 * _TOOTH_PIXELS
        pen.polygon([(left, 0), (middle, _TOOTH_PIXELS), (right, 0)], fill=0)
        depth = _TOOTH_PIXELS * (1 + tooth * 7 % 5) if torn else _TOOTH_PIXELS
        pen.polygon([(left, height), (middle, height - depth), (right, height)], fill=0)
    return outline


def save_ticket(picture: Image.Image, path: Path) -> None:
    """Writes the picture as a PNG with quick compression."""
    picture.save(path, compress_level=1)
