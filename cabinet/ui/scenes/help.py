"""Help: the rules of the game, its strategy chart, and the keys of a simulated cabinet.

Rules: the text is generated from the rules that the engine plays by. Help can be read at any time, with or without
credit, and changes nothing at the table. Sections share pages, about equally full; a chart is the last page.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

from cabinet.engine.inputs import Button
from cabinet.engine.rules import Table
from cabinet.engine.state import Settings
from cabinet.presentation.memo_key import IdentityKey
from cabinet.text.messages import Key, Words
from cabinet.text.rules import Section, help_sections
from cabinet.ui.scenes.bars import BUTTON_WORDS
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import ChartView, HelpSection, HelpView, KeysView, OverlayAction, OverlayButton

_ADVICE: Final = {
    "H": Key.CHART_HIT,
    "S": Key.CHART_STAND,
    "D": Key.CHART_DOUBLE_OR_HIT,
    "d": Key.CHART_DOUBLE_OR_STAND,
    "P": Key.CHART_SPLIT,
}
"""Letter in the cabinet's charts -> text of the advice."""

PAGE_ROWS: Final = 17.4
"""Rows of text on a page, in type that can be read at a metre."""
ROW_CHARS: Final = 90
GAP_ROWS: Final = 0.45
"""The space before a sentence, in rows."""
HEADING_ROWS: Final = 1.4


def pages_of(sections: tuple[Section, ...]) -> tuple[tuple[Section, ...], ...]:
    """Returns the sections in order on as few pages as hold them, about equally full; a section longer than a page has
    its own."""
    # For the sections from each index on: the number of pages, how unequal they are, and where the first page ends.
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)] * (len(sections) + 1)
    for start in range(len(sections) - 1, -1, -1):
        best[start] = min(
            (best[end][0] + 1, best[end][1] + sum(map(_rows_of, sections[start:end])) ** 2, end)
            for end in range(start + 1, len(sections) + 1)
            if end == start + 1 or sum(map(_rows_of, sections[start:end])) <= PAGE_ROWS
        )
    pages, start = [], 0
    while start < len(sections):
        pages.append(sections[start : best[start][2]])
        start = best[start][2]
    return tuple(pages)


def _rows_of(section: Section) -> float:
    return HEADING_ROWS + sum(math.ceil(len(line) / ROW_CHARS) + GAP_ROWS for line in section.lines)


def help_view(moment: Moment) -> HelpView | None:
    """Returns the open page of help; None while it is closed."""
    if moment.ui.help_page is None:
        return None
    table, say = moment.table, moment.words.say
    filled = _pages(moment.words, IdentityKey(table), IdentityKey(moment.settings))
    chart = moment.facts.charts.get(table.rules.game_id)
    pages = len(filled) + (chart is not None)
    page = min(moment.ui.help_page, pages - 1)
    shown = filled[page] if page < len(filled) else None
    return HelpView(
        title=say(Key.HELP_TITLE, game=moment.words.title(table.rules)),
        heading=say(Key.HELP_CHART) if shown is None else shown[0].title,
        lines=shown[0].lines if shown else (),
        further=tuple(HelpSection(heading=each.title, lines=each.lines) for each in (shown or ())[1:]),
        position=say(Key.HELP_POSITION, page=page + 1, pages=pages),
        note=say(Key.HELP_BUTTONS if page < pages - 1 else Key.HELP_BUTTONS_LAST),
        buttons=(
            OverlayButton(action=OverlayAction.BACK, word=say(Key.HELP_BACK), enabled=page > 0),
            OverlayButton(action=OverlayAction.FORWARD, word=say(Key.HELP_FORWARD), enabled=page < pages - 1),
            OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE)),
        ),
        chart=_in_words(moment.words, chart) if chart and shown is None else None,
    )


@lru_cache(maxsize=4)
def _pages(words: Words, table: IdentityKey[Table], settings: IdentityKey[Settings]) -> tuple[tuple[Section, ...], ...]:
    return pages_of(help_sections(words, table.it, settings.it))


@lru_cache(maxsize=4)
def _in_words(words: Words, chart: ChartView) -> ChartView:
    """Returns the chart with the short words of the player's language, how to read it and what they mean."""
    said = {code: words.say(key).split("|") for code, key in _ADVICE.items()}
    letters = {code: letter for code, (letter, _) in said.items()}
    used = {cell for row in chart.rows for cell in row.cells}
    return ChartView(
        title=words.say(Key.HELP_CHART_AXES),
        columns=chart.columns,
        rows=tuple(replace(row, cells=tuple(letters[cell] for cell in row.cells)) for row in chart.rows),
        legend=tuple((letter, meaning) for code, (letter, meaning) in said.items() if code in used),
    )


def keys_view(moment: Moment) -> KeysView | None:
    """Returns the list of keys, in a simulated cabinet only."""
    if not (moment.facts.simulated and moment.ui.keys_shown):
        return None
    say = moment.words.say
    return KeysView(
        title=say(Key.KEYS_TITLE),
        rows=tuple(
            (key, say(BUTTON_WORDS[meaning]) if isinstance(meaning, Button) else meaning)
            for key, meaning in moment.facts.keys
        ),
        buttons=(OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE)),),
    )
