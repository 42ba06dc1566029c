"""Tiles and charts as HTML with SVG pictures, for a page that is read in any browser and printed.

Rules: nothing is loaded from anywhere and no script runs; every word is escaped; a colour only repeats a word. A chart
is readable on white paper without colours. Knows the figures, not their meaning.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final, assert_never

from cabinet.attendant.charts import Band, BandRow, Columns, Figure, Shares, Tile

STYLE: Final = """
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(13em,1fr));gap:.6em}
.tile{border:1px solid #bbb;border-left:.4em solid #888;padding:.4em .7em;break-inside:avoid}
.tile.strip,.tile.notice{grid-column:1/-1}.tile.ok{border-left-color:#2f7d4f}.tile.warn{border-left-color:#b97a00}
.tile.bad{border-left-color:#b03a2e}.tile b{display:block;font-size:1.35em}.tile small,.tile i{display:block}
.tile i{font-style:normal;color:#555}.level,.share{background:#eee;height:.6em}
.level u,.share u{display:block;height:100%;background:#2f7d4f}figure{margin:1.2em 0;break-inside:avoid}
figcaption{font-weight:600;margin-bottom:.3em}
figure p{margin:.2em 0;color:#555}.shares td:nth-child(2){width:50%}svg{width:100%;height:auto;display:block}
"""
WIDTH: Final = 900
HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 10, 12, 46
_SIGN: Final = 7.5
"""The widest average sign of a word, in units."""
_INK, _GRID, _GAIN, _LOSS, _SHADE = "#222", "#ccc", "#2f7d4f", "#b03a2e", "#f0ece2"


def figures_html(figures: Sequence[Figure]) -> str:
    """Returns the figures in their order; neighbouring tiles stand beside each other."""
    parts: list[str] = []
    tiles: list[str] = []
    for figure in figures:
        if isinstance(figure, Tile):
            tiles.append(_tile(figure))
            continue
        parts += _grid(tiles)
        tiles = []
        parts.append(_chart(figure))
    return "\n".join((*parts, *_grid(tiles)))


def _grid(tiles: Sequence[str]) -> list[str]:
    return [f'<div class="tiles">{"".join(tiles)}</div>'] if tiles else []


def _tile(tile: Tile) -> str:
    share = "" if tile.level is None else _bar("level", tile.level)
    detail = f"<small>{escape(tile.detail)}</small>" if tile.detail else ""
    kind = f"tile {tile.form.value} {tile.tone.value}"
    return f'<div class="{kind}"><i>{escape(tile.label)}</i><b>{escape(tile.value)}</b>{share}{detail}</div>'


def _bar(kind: str, share: float) -> str:
    return f'<div class="{kind}"><u style="width:{100 * min(max(share, 0.0), 1.0):.1f}%"></u></div>'


def _chart(figure: Columns | Shares | Band) -> str:
    match figure:
        case Columns():
            inner = columns_svg(figure) if figure.columns else ""
        case Shares():
            inner = _shares(figure)
        case Band():
            inner = band_svg(figure) if figure.rows else ""
        case _:
            assert_never(figure)
    note = f"<p>{escape(figure.note)}</p>" if figure.note else ""
    return f"<figure><figcaption>{escape(figure.title)}</figcaption>{inner}{note}</figure>"


def _shares(shares: Shares) -> str:
    rows = "".join(
        f"<tr><td>{escape(label)}</td><td>{_bar('share', share)}</td><td>{escape(words)}</td></tr>"
        for label, share, words in shares.rows
    )
    return f'<table class="shares">{rows}</table>'


# --- columns ----------------------------------------------------------------------------------------------------


def columns_svg(chart: Columns) -> str:
    """Returns one series over time; amounts below zero hang below the zero line. The chart must have a column."""
    amounts = [amount for _, amount in chart.columns]
    scale = chart.scale or ((min(0, *amounts), ""), (max(1, *amounts), ""))
    up = _linear(scale[0][0], scale[-1][0], HEIGHT - _BOTTOM, _TOP)
    pitch = (WIDTH - _LEFT - _RIGHT) / len(amounts)
    shaded = "".join(_rect(_LEFT + n * pitch, _TOP, pitch, HEIGHT - _TOP - _BOTTOM, _SHADE) for n in chart.shaded)
    grid = "".join(
        _line(_LEFT, up(amount), WIDTH - _RIGHT, up(amount), _INK if amount == 0 else _GRID)
        + _word(_LEFT - 6, up(amount) + 4, words, anchor="end")
        for amount, words in scale
    )
    columns = "".join(_column(chart, number, pitch, up) for number in range(len(amounts)))
    key = _word(WIDTH - _RIGHT, HEIGHT - 2, chart.shaded_means, anchor="end") if chart.shaded else ""
    return _svg(chart.title, WIDTH, HEIGHT, shaded + grid + columns + _groups(chart, pitch) + key)


def _column(chart: Columns, number: int, pitch: float, up: Callable[[float], float]) -> str:
    label, amount = chart.columns[number]
    left, top = _LEFT + number * pitch, min(up(amount), up(0))
    colour = _GAIN if amount >= 0 else _LOSS
    bar = _rect(left + 0.12 * pitch, top, 0.76 * pitch, abs(up(amount) - up(0)), colour)
    return bar + (_word(left + pitch / 2, HEIGHT - _BOTTOM + 14, label) if label else "")


def _groups(chart: Columns, pitch: float) -> str:
    parts, at = [], 0
    for words, count in chart.groups:
        left = _LEFT + at * pitch
        parts.append(_line(left, HEIGHT - _BOTTOM + 18, left, HEIGHT - _BOTTOM + 32, _GRID))
        parts.append(_word(*_held(left + count * pitch / 2, words, HEIGHT - _BOTTOM + 30), words))
        at += count
    return "".join(parts)


def _held(middle: float, words: str, y: float) -> tuple[float, float]:
    """Returns a place for the middle of words where they do not leave the picture."""
    half = _SIGN * len(words) / 2
    return min(max(middle, half), WIDTH - half), y


# --- the band of a return ---------------------------------------------------------------------------------------

_ROW = 58


def band_svg(chart: Band) -> str:
    """Returns the band of each game with its theoretical and its actual return. The chart must have a row."""
    values = [
        each for row in chart.rows for each in (row.actual, row.theoretical, row.low, row.high) if each is not None
    ]
    ends = (min(values, default=0.9), max(values, default=1.0))
    pad = max(0.01, 0.05 * (ends[1] - ends[0]))
    along = _linear(ends[0] - pad, ends[1] + pad, 200, WIDTH - _RIGHT)
    rows = "".join(_band_row(row, number * _ROW, along) for number, row in enumerate(chart.rows))
    return _svg(chart.title, WIDTH, _ROW * len(chart.rows), rows)


def _band_row(row: BandRow, top: float, along: Callable[[float], float]) -> str:
    middle = top + 20
    parts = [_word(0, middle + 4, row.label, anchor="start", size=14)]
    if row.low is not None and row.high is not None:
        parts.append(_rect(along(row.low), middle - 9, along(row.high) - along(row.low), 18, "#d8e6dc"))
    if row.theoretical is not None:
        parts.append(_line(along(row.theoretical), middle - 12, along(row.theoretical), middle + 12, _INK))
    if row.actual is not None:
        parts.append(f'<circle cx="{along(row.actual):.1f}" cy="{middle:.1f}" r="6" fill="{_GAIN}" stroke="{_INK}"/>')
    words = " · ".join(filter(None, (row.words, row.detail)))
    parts.append(_word(200, middle + 28, words, anchor="start"))
    return "".join(parts)


# --- pieces -----------------------------------------------------------------------------------------------------


def _linear(first: float, last: float, start: float, end: float) -> Callable[[float], float]:
    """Returns the place of a value between two ends."""
    step = (end - start) / ((last - first) or 1)
    return lambda value: start + (value - first) * step


def _svg(title: str, wide: float, high: float, inner: str) -> str:
    head = f'<svg viewBox="0 0 {wide} {high}" role="img" xmlns="http://www.w3.org/2000/svg">'
    return f"{head}<title>{escape(title)}</title>{inner}</svg>"


def _rect(x: float, y: float, wide: float, high: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{colour}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _word(x: float, y: float, words: str, *, anchor: str = "middle", size: int = 12) -> str:
    place: Mapping[str, str] = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "font-size": f"{size}"}
    named = " ".join(f'{name}="{value}"' for name, value in place.items())
    return f'<text {named} fill="{_INK}">{escape(words)}</text>'
