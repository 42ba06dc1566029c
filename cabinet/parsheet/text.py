"""The par sheet in a terminal: tables, and the chart as a coloured grid.

Knows: the terminal. Does not know: figures.
"""

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cabinet.parsheet.document import UPCARDS
from cabinet.parsheet.sections import LEGEND, ChartPart, Document, Section, chart_parts, net_word, sections, signed
from cabinet.parsheet.words import card_word

_COLOURS = {
    "H": "black on bright_white",
    "S": "black on yellow",
    "D": "black on bright_green",
    "d": "black on green",
    "P": "black on bright_cyan",
}
_BAR = 40


def show_sheet(document: Document, console: Console) -> None:
    """Print the whole sheet."""
    console.rule(f"{document['title']}: par sheet")
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
    grid = Grid("action", title=title)
    grid.add_column("gain per bet", justify="right")
    grid.add_column("against the best", justify="right")
    ranked = sorted(document["actions"].items(), key=lambda each: -each[1])
    for action, worth in ranked:
        grid.add_row(action, f"{worth:+.8f}", signed(worth - ranked[0][1]))
    console.print(grid)


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
    grid = Grid(section.head[0])
    for name in section.head[1:]:
        grid.add_column(name, justify="right")
    for row in section.rows:
        grid.add_row(*row)
    console.print(f"\n{section.title}", style="bold", highlight=False)
    console.print(grid)


def _bars(document: Document) -> Text:
    """The distribution as bars."""
    pairs = document["distribution"]
    most = max(chance for _, chance in pairs)
    lines = [f"{net_word(net):>5} {'█' * round(_BAR * chance / most)}" for net, chance in pairs if chance >= most / 200]
    return Text("\n".join(lines))
