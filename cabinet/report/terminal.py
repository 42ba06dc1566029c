"""Writes a report for people, into a terminal, a file or a pipe.

Rules: no figure is ever cut. If a table does not fit, its words are folded, then its columns move closer, and then it
is wider than the terminal; a file or a pipe has no width. Text is printed as it is, without mark-up. The module knows
rich, not the subject of a report.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from cabinet.report.value import Bars, Beside, Block, Report, Section, Span, Table, Tone, Words, plain_text

STYLES: Final = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.GOOD: "green",
    Tone.WARNING: "yellow",
    Tone.BAD: "red",
    Tone.FIELD_1: "black on bright_white",
    Tone.FIELD_2: "black on yellow",
    Tone.FIELD_3: "black on bright_green",
    Tone.FIELD_4: "black on green",
    Tone.FIELD_5: "black on bright_cyan",
}
RULE_WIDTH: Final = 80
BAR_WIDTH: Final = 40
NO_LIMIT: Final = 10_000
"""Width of a file or a pipe, in columns."""


def open_console() -> Console:
    """Returns standard output, as wide as the terminal; a file or a pipe has no limit."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = NO_LIMIT
    return console


def write(report: Report, console: Console) -> None:
    """Prints the whole report."""
    if report.title:
        console.print(Rule(Text(report.title)), width=min(RULE_WIDTH, console.width))
    for number, section in enumerate(report.sections):
        _write_section(section, console, first=not number)


def _write_section(section: Section, console: Console, *, first: bool) -> None:
    if section.title:
        console.print(Text(section.title if first else f"\n{section.title}", style="bold"))
    for block in section.blocks:
        for part in _parts(block):
            console.print(part, crop=False)


def _parts(block: Block) -> Iterator[RenderableType]:
    match block:
        case Table():
            yield _Uncut(block)
        case Bars():
            yield from _bars(block)
        case Beside():
            yield Columns(map(_Uncut, block.tables))
        case _:
            yield _text(block)


def _text(content: Words) -> Text:
    match content:
        case str():
            return Text(content)
        case Span():
            return Text(content.text, STYLES[content.tone])
        case _:
            return Text().join(map(_text, content))


def _bars(bars: Bars) -> Iterator[Text]:
    most = max(share for _, share in bars.rows)
    wide = max(len(name) for name, _ in bars.rows)
    return (Text(f"{name:>{wide}} {'█' * round(BAR_WIDTH * share / most)}") for name, share in bars.rows)


@dataclass(frozen=True, slots=True)
class _Uncut:
    """A table that is as wide as its figures and names need."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the roomiest grid that fits, or else the narrowest."""
        for padding in (1, 0):
            grid = self._grid(padding)
            least = self._measure(console, options, grid).minimum
            if least <= options.max_width:
                break
        yield from console.render(grid, options.update_width(max(least, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Returns the widths of the roomiest grid."""
        return self._measure(console, options, self._grid(1))

    def _grid(self, padding: int) -> Grid:
        return _framed(self.table, padding) if self.table.framed else _frameless(self.table, 1 + padding)

    @staticmethod
    def _measure(console: Console, options: ConsoleOptions, grid: Grid) -> Measurement:
        return Measurement.get(console, options.update_width(NO_LIMIT), grid)


def _framed(table: Table, padding: int) -> Grid:
    return _filled(Grid(padding=(0, padding)), table)


def _frameless(table: Table, padding: int) -> Grid:
    """Returns a grid without lines; fields of a chart touch each other."""
    named = any(column.name for column in table.columns)
    chart = any(column.figures for column in table.columns)
    pad = (0, 0) if chart else (0, padding, 0, 0)
    return _filled(Grid(box=None, padding=pad, pad_edge=False, show_header=named), table)


def _filled(grid: Grid, table: Table) -> Grid:
    last = len(table.columns) - 1
    for number, column in enumerate(table.columns):
        # Figures stay whole, and without lines so do the names in every column but the last.
        whole = column.figures or (not table.framed and number < last)
        least = max(len(line) for cell in _column(table, number) for line in cell.split("\n")) if whole else None
        side: Literal["right", "left"] = "right" if column.figures and table.framed else "left"
        grid.add_column(Text(column.name), justify=side, no_wrap=whole, min_width=least, overflow="fold")
    for number, row in enumerate(table.rows):
        if table.total and number == len(table.rows) - 1:
            grid.add_section()
        grid.add_row(*map(_text, row))
    return grid


def _column(table: Table, number: int) -> list[str]:
    return [table.columns[number].name, *(plain_text(row[number]) for row in table.rows)]
