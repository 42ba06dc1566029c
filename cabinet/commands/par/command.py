"""What `cabinet par` does: computes the sheet with progress on standard error, and writes the page.

Knows: the order of things. Does not know: figures, the look of anything.
"""

import time
from pathlib import Path

import click

from cabinet.commands.par.arguments import read_card, read_cards
from cabinet.commands.par.document import hand_document, sheet_document
from cabinet.commands.par.html import write_page
from cabinet.commands.par.report import hand_report, sheet_report
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import Rules
from cabinet.par import analyse, compare_rules, value_of_hand
from cabinet.report.output import write_page_file
from cabinet.report.progress import progress
from cabinet.report.value import Report


def run_par(rules: Rules, *, html: Path | None, effects: bool) -> Report:
    """Computes the sheet of the rules; writes the page to a file where one is named."""
    changes = None
    with progress(f"Analysing {rules.title}", total=1.0) as update:

        def report(share: float, now: str) -> None:
            update(completed=share, description=now)

        began = time.perf_counter()
        sheet = analyse(rules, report)
        seconds = time.perf_counter() - began
        if effects:
            changes = compare_rules(rules, report)
    document = sheet_document(sheet, seconds, changes)
    if html is not None:
        write_page_file(html, write_page(document))
        click.echo(f"The par sheet is in {html}", err=True)
    return sheet_report(document)


def run_hand(rules: Rules, hand: str, upcard: str) -> Report:
    """Returns the worth of every action with one hand, such as `A,7`. RulesError for cards that are no hand."""
    cards = read_cards(hand)
    up = read_card(upcard)
    try:
        worths = value_of_hand(rules, cards, up)
    except ValueError as error:
        raise RulesError(f"--hand {hand}: expected two or more cards of at most 21 points") from error
    return hand_report(hand_document(rules, cards, up, worths))
