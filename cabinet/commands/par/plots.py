"""Plots of a par sheet as SVG text: bars about a zero line, and the funnel of actual returns.

Rules that hold: a plot is one self-contained element that prints on white paper; nothing is loaded, no script runs.
Knows: lines, bars, words and where they go. Does not know: what the figures mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log10

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 12, 14, 40
_INK, _GRID, _GAIN, _LOSS, _EVEN = "#222", "#ccc", "#2f7d4f", "#b03a2e", "#8a8a84"
_SHADES = ("#2f7d4f", "#79b791", "#c3dfcd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: its name below, its height, and what is written at its end."""

    name: str
    value: float
    word: str
    gain: float
    """What it means for the player: drawn in the colour of gains above zero, of losses below, in grey at zero."""


def draw_bars(title: str, bars: Sequence[Bar]) -> str:
    """Bars upward for gains and downward for losses, one beside the other."""
    high, low = max(0.0, *(bar.value for bar in bars)), min(0.0, *(bar.value for bar in bars))
    room = HEIGHT - _TOP - _BOTTOM - 28
    scale = room / ((high - low) or 1)
    zero = _TOP + 14 + high * scale
    step = (WIDTH - _LEFT - _RIGHT) / len(bars)
    parts = [_line(_LEFT, zero, WIDTH - _RIGHT, zero, _INK)]
    for index, bar in enumerate(bars):
        middle = _LEFT + (index + 0.5) * step
        top = zero - max(bar.value, 0) * scale
        tall = abs(bar.value) * scale
        colour = _GAIN if bar.gain > 0 else _LOSS if bar.gain < 0 else _EVEN
        parts.append(f'<rect x="{middle - 0.35 * step:.1f}" y="{top:.1f}" width="{0.7 * step:.1f}" height="{tall:.1f}"')
        parts.append(f' fill="{colour}"/>')
        parts.append(_word(middle, top - 4 if bar.value >= 0 else top + tall + 12, bar.word, size=10))
        parts.append(_word(middle, HEIGHT - 16, bar.name, size=12))
    return _svg(title, parts)


def draw_funnel(title: str, centre: float, bands: Mapping[float, Sequence[tuple[int, float, float]]]) -> str:
    """How far actual returns stray from `centre`: low and high by rounds for each confidence."""
    every = [point for points in bands.values() for point in points]
    first, last = log10(min(n for n, _, _ in every)), log10(max(n for n, _, _ in every))
    low, high = min(low for _, low, _ in every), max(high for _, _, high in every)

    def place(rounds: int, value: float) -> tuple[float, float]:
        along = (log10(rounds) - first) / ((last - first) or 1)
        up = (high - value) / ((high - low) or 1)
        return _LEFT + along * (WIDTH - _LEFT - _RIGHT), _TOP + up * (HEIGHT - _TOP - _BOTTOM)

    parts = []
    for (confidence, points), shade in zip(sorted(bands.items(), reverse=True), reversed(_SHADES), strict=True):
        edge = [place(n, top) for n, _, top in points] + [place(n, bottom) for n, bottom, _ in reversed(points)]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in edge)
        parts.append(f'<polygon points="{corners}" fill="{shade}"><title>{100 * confidence:.0f} %</title></polygon>')
    for value in (low, centre, high):
        _, y = place(10 ** round(first), value)
        parts.append(_line(_LEFT, y, WIDTH - _RIGHT, y, _INK if value == centre else _GRID))
        parts.append(_word(_LEFT - 5, y + 4, f"{100 * value:.1f} %", anchor="end"))
    for rounds in sorted({n for n, _, _ in every}):
        x, _ = place(rounds, centre)
        anchor = "start" if x < _LEFT + 1 else "end" if x > WIDTH - _RIGHT - 1 else "middle"
        parts.append(_word(x, HEIGHT - 16, f"{rounds:,} rounds", anchor=anchor, size=10))
    return _svg(title, parts)


def _svg(title: str, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">'
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _word(x: float, y: float, word: str, *, anchor: str = "middle", size: int = 11) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    return f'<text {place} fill="{_INK}">{escape(word)}</text>'
