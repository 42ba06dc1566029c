"""Par sheets as documents, made from the sheets that are shipped."""

from functools import cache
from typing import Any

from cabinet.commands.par.document import sheet_document
from cabinet.engine.rules import EUROPEAN, Rules, vary
from cabinet.par import cached_sheet
from cabinet.par.analysis import Effect

EFFECTS = (
    Effect(change="8 decks", rules=vary(EUROPEAN, decks=8), ev_best=-0.0054, difference=-0.0003),
    Effect(change="<b> & co", rules=vary(EUROPEAN, decks=1), ev_best=0.0, difference=0.005),
)


@cache
def par_document(rules: Rules = EUROPEAN, *, effects: bool = False) -> dict[str, Any]:
    """The document of a shipped sheet."""
    return sheet_document(cached_sheet(rules, None), 1.25, EFFECTS if effects else None)
