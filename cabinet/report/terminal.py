"""Writes a report for people, into a terminal, a file or a pipe.

Rules: no figure is ever cut. Where a table does not fit, its words are folded, then its columns stand closer, and then
it is wider than the terminal; a file or a pipe has no width. Text is printed as it is, without mark-up.
Knows rich. Does not know what a report is about.
"""

from collections.abc import Iterator
from typing import Final, Literal

from rich.columns import Columns
from rich.console import Console, RenderableType
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
"""Columns of what has no edge."""


def open_console() -> Console:
    """Returns standard output: as wide as the terminal, without an edge where there is none."""
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
        for part in _parts(block, console):
            console.print(part, crop=False)


def _parts(block: Block, console: Console) -> Iterator[RenderableType]:
    match block:
        case Table():
            yield _grid(block, console)
        case Bars():
            yield from _bars(block)
        case Beside():
            yield Columns([_grid(table, console) for table in block.tables])
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


def _grid(table: Table, console: Console) -> Grid:
    """Returns the roomiest grid that fits, or else the narrowest, as wide as its figures need."""
    room = console.options.max_width
    for padding in (1, 0) if table.framed else (2,):
        grid = _framed(table, padding) if table.framed else _frameless(table, padding)
        least = Measurement.get(console, console.options.update_width(NO_LIMIT), grid).minimum
        if least <= room:
            break
    # Only a table that does not fit gets a width of its own: another one would be stretched to it.
    grid.width = least if least > room else None
    return grid


def _framed(table: Table, padding: int) -> Grid:
    return _filled(Grid(padding=(0, padding)), table)


def _frameless(table: Table, padding: int) -> Grid:
    """Returns a grid without lines; fields of a chart touch each other."""
    named = any(column.name for column in table.columns)
    chart = any(column.figures for column in table.columns)
    pad = (0, 0) if chart else (0, padding, 0, 0)
    return _filled(Grid(box=None, padding=pad, pad_edge=False, show_header=named), table)


def _filled(grid: Grid, table: Table) -> Grid:
    for number, column in enumerate(table.columns):
        if column.figures:
            wide = max(len(line) for cell in _column(table, number) for line in cell.split("\n"))
            side: Literal["right", "left"] = "right" if table.framed else "left"
            grid.add_column(Text(column.name), justify=side, no_wrap=True, min_width=wide)
        else:
            # Without lines every column but the last has names, which stay whole.
            whole = not table.framed and number < len(table.columns) - 1
            grid.add_column(Text(column.name), overflow="fold", no_wrap=whole)
    for number, row in enumerate(table.rows):
        if table.total and number == len(table.rows) - 1:
            grid.add_section()
        grid.add_row(*map(_text, row))
    return grid


def _column(table: Table, number: int) -> list[str]:
    return [table.columns[number].name, *(plain_text(row[number]) for row in table.rows)]
