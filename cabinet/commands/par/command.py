"""What `cabinet par` does: computes the sheet with progress on standard error, and shows, writes or prints it.

Knows: the order of things. Does not know: figures, the look of anything.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from cabinet.commands.journal import print_json
from cabinet.commands.par.arguments import read_card, read_cards
from cabinet.commands.par.document import hand_document, sheet_document
from cabinet.commands.par.html import write_page
from cabinet.commands.par.terminal import open_console, show_hand, show_sheet
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import Rules
from cabinet.par import analyse, compare_rules, value_of_hand

Report = Callable[[float, str], None]


def run_par(rules: Rules, *, as_json: bool, html: Path | None, effects: bool) -> None:
    """Compute the sheet of the rules; print it as text or JSON, or write the page to a file."""
    console = Console(stderr=True)
    began = time.perf_counter()
    with _progress(console, f"Analysing {rules.title}") as report:
        sheet = analyse(rules, report)
    seconds = time.perf_counter() - began
    changes = None
    if effects:
        with _progress(console, "Comparing rules") as report:
            changes = compare_rules(rules, report)
    document = sheet_document(sheet, seconds, changes)
    if html is not None:
        html.write_text(write_page(document), encoding="utf-8")
        console.print(f"The par sheet is in {html}", highlight=False, markup=False, soft_wrap=True)
    if as_json:
        print_json(document)
    elif html is None:
        show_sheet(document, open_console())


def run_hand(rules: Rules, hand: str, upcard: str, *, as_json: bool) -> None:
    """Print the worth of every action with one hand, such as `A,7`. RulesError for cards that are no hand."""
    cards = read_cards(hand)
    up = read_card(upcard)
    try:
        worths = value_of_hand(rules, cards, up)
    except ValueError as error:
        raise RulesError(f"--hand {hand}: expected two or more cards of at most 21 points") from error
    document = hand_document(rules, cards, up, worths)
    if as_json:
        print_json(document)
    else:
        show_hand(document, open_console())


@contextmanager
def _progress(console: Console, what: str) -> Iterator[Report]:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda share, now: progress.update(task, completed=share, description=f"{what}: {now}")
