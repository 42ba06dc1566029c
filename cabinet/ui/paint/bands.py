"""Actual returns in their bands: a row for each game, as low or as high as its room.

Rules: the scale of a row is its own band, so that every row reads the same: the theoretical return in the middle, the
ends of the band half way to the sides. Where there is height, the band is drawn as it narrows with the games. The
verdict and all numbers are words. Does not judge a return.
"""

from functools import partial
from math import sqrt
from typing import Final

import pygame

from cabinet.attendant.charts import Band, BandRow, Tone
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.figures import FLAT_ROW, TALL_ROW
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.plots import AXIS_PX, ROW_PX, put_head, put_reason
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet

LOW_ROW: Final = 92.0
"""Height of a row, in design units, below which scale and numbers share a line."""
HIGH_ROW: Final = 150.0
"""Height of a row from which the band is drawn over the games."""
MOST_NUMBERS: Final = 0.78
"""The largest part of a line that the numbers have beside the scale."""
REACH: Final = 2.0
"""The scale of a row on either side of the theoretical return, in halves of the band."""
BEYOND: Final = 1.25
"""The games at the right end of a drawing, in games played."""
OVER: Final = 3
"""Drawings are made larger by this factor, then scaled."""
TONES: Final[dict[Tone, Colour]] = {
    Tone.OK: palette.SIGN_OK,
    Tone.WARN: palette.SIGN_WARN,
    Tone.BAD: palette.SIGN_BAD,
    Tone.PLAIN: palette.CREAM,
}


def put_band(sheet: Sheet, chart: Band, rect: Rect, unit: float) -> None:
    """Paints for each game its band, the theoretical return in its middle, and where the actual one is."""
    if not chart.rows:
        put_reason(sheet, chart.title, chart.note, rect, unit)
        return
    body = put_head(sheet, chart.title, chart.note, rect, unit)
    most = TALL_ROW if chart.over_games else FLAT_ROW
    pitch = min(most * unit, body.h / len(chart.rows))
    tall = chart.over_games and pitch >= HIGH_ROW * unit
    numbers_w = max(text_width(Role.TEXT, round(AXIS_PX * unit), row.detail) for row in chart.rows)
    low = partial(_put_low, numbers_w=min(numbers_w, round(body.w * MOST_NUMBERS)))
    put = _put_tall if tall else _put_flat if pitch >= LOW_ROW * unit else low
    for number, row in enumerate(chart.rows):
        top, bottom = body.y + round(number * pitch), body.y + round((number + 1) * pitch)
        put(sheet, row, Rect(body.x, top, body.w, bottom - top), unit)


def _put_low(sheet: Sheet, row: BandRow, room: Rect, unit: float, *, numbers_w: int) -> None:
    """Paints two lines: the name and the verdict, then the scale and the numbers."""
    line_h = room.h // 2
    _put_verdict(sheet, row, Rect(room.x, room.y, room.w, line_h), unit)
    below, gap = room.y + line_h, round(ROW_PX * unit)
    _put_scale(sheet, row, Rect(room.x, below, room.w - numbers_w - gap, line_h), unit)
    _put_numbers(sheet, row, Rect(room.right - numbers_w, below, numbers_w, line_h), unit, across=RIGHT)


def _put_flat(sheet: Sheet, row: BandRow, room: Rect, unit: float) -> None:
    """Paints three lines: the name and the verdict, the scale, the numbers."""
    line_h = round(1.3 * ROW_PX * unit)
    _put_verdict(sheet, row, Rect(room.x, room.y, room.w, line_h), unit)
    _put_scale(sheet, row, Rect(room.x, room.y + line_h, room.w, line_h), unit)
    _put_numbers(sheet, row, Rect(room.x, room.y + 2 * line_h, room.w, line_h), unit, across=LEFT)


def _put_tall(sheet: Sheet, row: BandRow, room: Rect, unit: float) -> None:
    """Paints the name and the verdict, the band over the games, and the numbers."""
    line_h = round(1.4 * ROW_PX * unit)
    _put_verdict(sheet, row, Rect(room.x, room.y, room.w, line_h), unit)
    plot = Rect(room.x, room.y + line_h, room.w, room.h - round(2.6 * line_h))
    _put_funnel(sheet, row, plot)
    _put_numbers(sheet, row, Rect(room.x, plot.bottom, room.w, line_h), unit, across=LEFT)


def _put_verdict(sheet: Sheet, row: BandRow, room: Rect, unit: float) -> None:
    px, half = round(ROW_PX * unit), round(room.w * 0.45)
    sheet.words(Role.TEXT_BOLD, px, row.label, Rect(room.x, room.y, half, room.h), across=LEFT)
    verdict = Rect(room.x + half, room.y, room.w - half, room.h)
    sheet.words(Role.TEXT_BOLD, px, row.words, verdict, across=RIGHT, colour=TONES[row.tone])


def _put_numbers(sheet: Sheet, row: BandRow, room: Rect, unit: float, *, across: float) -> None:
    sheet.words(Role.TEXT, round(AXIS_PX * unit), row.detail, room, across=across, colour=palette.CREAM_DIM)


def _place_of(row: BandRow) -> float | None:
    """Returns where the actual return is on its scale: -1 and 1 are its ends, 0 is the theoretical return."""
    if row.actual is None or row.theoretical is None or row.high is None:
        return None
    half = row.high - row.theoretical
    return min(max((row.actual - row.theoretical) / half / REACH, -1.0), 1.0) if half > 0 else None


def _put_scale(sheet: Sheet, row: BandRow, room: Rect, unit: float) -> None:
    """Paints a track, the band on it with whiskers at its ends, a line for the theory, and a diamond for the actual
    return."""
    high = max(4, round(room.h * 0.36))
    track = Rect(room.x, room.y + (room.h - high) // 2, room.w, high)
    sheet.put(piece(shade, (track.w, track.h), palette.FIGURE_TRACK), track.x, track.y)
    if row.high is None:
        return
    thick = max(2, round(2 * unit))
    left, right = track.x + round(track.w * (0.5 - 0.5 / REACH)), track.x + round(track.w * (0.5 + 0.5 / REACH))
    sheet.put(piece(shade, (right - left, track.h), palette.FIGURE_BAND), left, track.y)
    whisker = round(room.h * 0.72)
    for x in (left, right - thick, track.x + (track.w - thick) // 2):
        sheet.put(piece(shade, (thick, whisker), palette.BRASS_LIGHT), x, room.y + (room.h - whisker) // 2)
    place = _place_of(row)
    if place is not None:
        side = round(room.h * 0.8)
        x = track.x + _start_of(place, side, track.w)
        sheet.put(piece(diamond, side, TONES[row.tone]), x, room.y + (room.h - side) // 2)


def _start_of(place: float, side: int, whole: int) -> int:
    """Returns where a mark begins on a scale of `whole` pixels: its middle is at its place, and all of it is on the
    scale."""
    return min(max(round((whole * (1 + place) - side) / 2), 0), whole - side)


def diamond(side: int, colour: Colour) -> pygame.Surface:
    """Returns a diamond with a dark edge in a square of `side` pixels."""
    big = pygame.Surface((side * OVER, side * OVER), pygame.SRCALPHA)
    middle = side * OVER / 2
    for share, paint in ((1.0, palette.INK), (0.72, colour)):
        reach = middle * share
        ends = ((middle, middle - reach), (middle + reach, middle), (middle, middle + reach), (middle - reach, middle))
        pygame.draw.polygon(big, paint, ends)
    return pygame.transform.smoothscale(big, (side, side))


def _put_funnel(sheet: Sheet, row: BandRow, plot: Rect) -> None:
    """Paints the band over the games, from none at the left, and a diamond at the games played."""
    if row.high is None:
        sheet.put(piece(shade, (plot.w, plot.h), palette.FIGURE_TRACK), plot.x, plot.y)
        return
    sheet.put(piece(funnel, (plot.w, plot.h)), plot.x, plot.y)
    place = _place_of(row)
    if place is not None:
        side = max(8, plot.h // 6)
        y = plot.y + _start_of(-place, side, plot.h)
        sheet.put(piece(diamond, side, TONES[row.tone]), plot.x + round(plot.w / BEYOND) - side // 2, y)


def funnel(size: tuple[int, int]) -> pygame.Surface:
    """Returns a band that narrows with the root of the games, the line of the theoretical return in its middle, and a
    line at the games played. Every game has the same, since the scale is its own band."""
    wide, high = size[0] * OVER, size[1] * OVER
    big = pygame.Surface((wide, high))
    big.fill(palette.FIGURE_TRACK)
    middle, thick = high / 2, 2 * OVER
    halves = [(x, min(1.0, sqrt(wide / BEYOND / max(1, x)) / REACH) * middle) for x in range(0, wide + 1, OVER)]
    upper, lower = [(x, middle - half) for x, half in halves], [(x, middle + half) for x, half in halves]
    pygame.draw.polygon(big, palette.FIGURE_BAND, [*upper, *reversed(lower)])
    for edge in (upper, lower):
        pygame.draw.lines(big, palette.BRASS_LIGHT, False, edge, thick)
    pygame.draw.line(big, palette.BRASS_LIGHT, (0, middle), (wide, middle), thick)
    pygame.draw.line(big, palette.CREAM_DIM, (wide / BEYOND, 0), (wide / BEYOND, high), OVER)
    return pygame.transform.smoothscale(big, size)
