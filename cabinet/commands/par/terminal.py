"""The par sheet in a terminal: tables, and the chart as a coloured grid.

Rules: no figure is ever cut. Where a table does not fit, its words are folded, then its columns stand closer, and then
it is wider than the terminal; a file or a pipe has no width.
Knows: the terminal. Does not know: figures.
"""

from dataclasses import dataclass
from typing import Final

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from cabinet.commands.par.arguments import card_word
from cabinet.commands.par.document import UPCARDS
from cabinet.commands.par.sections import LEGEND, ChartPart, Document, Section, chart_parts, net_word, sections, signed

_COLOURS = {
    "H": "black on bright_white",
    "S": "black on yellow",
    "D": "black on bright_green",
    "d": "black on green",
    "P": "black on bright_cyan",
}
_BAR = 40
_RULE_WIDTH: Final = 80
_NO_LIMIT: Final = 10_000
"""Columns of what has no edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncut:
    """A table with its head, its first column words and the others figures, as wide as its figures need."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The roomiest table that fits, or else the narrowest."""
        unlimited = options.update_width(_NO_LIMIT)
        for between in (1, 0):
            grid = self._grid(between)
            least = Measurement.get(console, unlimited, grid).minimum
            if least <= options.max_width:
                break
        yield from console.render(grid, options.update_width(max(least, options.max_width)))

    def _grid(self, between: int) -> Grid:
        grid = Grid(self.head[0], title=self.title, padding=(0, between))
        for name, *figures in list(zip(self.head, *self.rows, strict=True))[1:]:
            wide = max(map(len, (name, *figures)))
            grid.add_column(name, justify="right", no_wrap=True, min_width=wide)
        for row in self.rows:
            grid.add_row(*row)
        return grid


def open_console() -> Console:
    """Standard output: as wide as the terminal, without an edge where there is none."""
    console = Console()
    if not console.is_terminal:
        console.width = _NO_LIMIT
    return console


def show_sheet(document: Document, console: Console) -> None:
    """Print the whole sheet."""
    console.print(Rule(f"{document['title']}: par sheet"), width=_RULE_WIDTH)
    for sentence in document["reading"]:
        console.print(f"· {sentence}", highlight=False)
    tables = sections(document)
    _show_section(tables[0], console)
    console.print("\nThe best chart", style="bold")
    console.print(chart_grid(document))
    for section in tables[1:]:
        _show_section(section, console)
        if section.head[0] == "net":
            console.print(_bars(document))
    console.print(f"Computed in {document['seconds']:.1f} s", highlight=False)


def show_hand(document: Document, console: Console) -> None:
    """Print the worth of every action with one hand, best first."""
    title = f"{', '.join(document['hand'])} against {document['up']}, given {document['given']}"
    ranked = sorted(document["actions"].items(), key=lambda each: -each[1])
    rows = tuple((action, f"{worth:+.8f}", signed(worth - ranked[0][1])) for action, worth in ranked)
    console.print(Uncut(title=title, head=("action", "gain per bet", "against the best"), rows=rows), crop=False)


def chart_grid(document: Document) -> RenderableType:
    """The chart, a letter and a colour for each cell, with its legend."""
    legend = Text()
    for advice, words in LEGEND:
        legend.append(f" {advice.value} ", _COLOURS[advice.value])
        legend.append(f" {words}  ")
    return Group(Columns([_chart_part(part) for part in chart_parts(document)]), legend)


def _chart_part(part: ChartPart) -> Grid:
    grid = Grid(part.title, box=None, padding=(0, 0), pad_edge=False)
    for value in UPCARDS:
        grid.add_column(f" {card_word(value)}", justify="right")
    for hand, letters in part.rows:
        grid.add_row(f"{hand} ", *(Text(f" {letter} ", _COLOURS[letter]) for letter in letters))
    return grid


def _show_section(section: Section, console: Console) -> None:
    console.print(f"\n{section.title}", style="bold", highlight=False)
    console.print(Uncut(head=section.head, rows=section.rows), crop=False)


def _bars(document: Document) -> Text:
    """The distribution as bars."""
    pairs = document["distribution"]
    most = max(chance for _, chance in pairs)
    lines = [f"{net_word(net):>5} {'█' * round(_BAR * chance / most)}" for net, chance in pairs if chance >= most / 200]
    return Text("\n".join(lines))
