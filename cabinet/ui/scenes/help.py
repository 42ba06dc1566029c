"""Help: the rules of the game at hand, its strategy chart, and the keys of a simulated cabinet.

Rules: the text is generated from the rules the engine plays by; help can be read at any time, with or without credit,
and changes nothing at the table. One section is one page; the chart, where there is one, is the last.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from cabinet.ui.messages import Key, Words
from cabinet.ui.rules_text import help_sections
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import ChartView, HelpView, KeysView, OverlayAction, OverlayButton

_ADVICE: Final = {
    "H": Key.CHART_HIT,
    "S": Key.CHART_STAND,
    "D": Key.CHART_DOUBLE_OR_HIT,
    "d": Key.CHART_DOUBLE_OR_STAND,
    "P": Key.CHART_SPLIT,
}
"""Each piece of advice of a chart, by the letter the charts of the cabinet are kept with."""


def help_view(moment: Moment) -> HelpView | None:
    """The open page of help; None while it is closed."""
    if moment.ui.help_page is None:
        return None
    table, say = moment.table, moment.words.say
    sections = help_sections(moment.words, table.rules, table.limits)
    chart = moment.facts.charts.get(table.rules.game_id)
    pages = len(sections) + (chart is not None)
    page = min(moment.ui.help_page, pages - 1)
    shown = sections[page] if page < len(sections) else None
    return HelpView(
        title=say(Key.HELP_TITLE, game=moment.words.title(table.rules)),
        heading=say(Key.HELP_CHART) if shown is None else shown.title,
        lines=shown.lines if shown else (),
        position=say(Key.HELP_POSITION, page=page + 1, pages=pages),
        buttons=(
            OverlayButton(action=OverlayAction.BACK, word=say(Key.HELP_BACK), enabled=page > 0),
            OverlayButton(action=OverlayAction.FORWARD, word=say(Key.HELP_FORWARD), enabled=page < pages - 1),
            OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE)),
        ),
        chart=_told(moment.words, moment.words.title(table.rules), chart) if chart and shown is None else None,
    )


@lru_cache(maxsize=4)
def _told(words: Words, title: str, chart: ChartView) -> ChartView:
    """The chart with the short words of the player's language."""
    told = {code: words.say(key).split("|") for code, key in _ADVICE.items()}
    letters = {code: letter for code, (letter, _) in told.items()}
    return ChartView(
        title=title,
        columns=chart.columns,
        rows=tuple(replace(row, cells=tuple(letters[cell] for cell in row.cells)) for row in chart.rows),
        legend=tuple((letter, meaning) for letter, meaning in told.values()),
    )


def keys_view(moment: Moment) -> KeysView | None:
    """Which key is what, in a simulated cabinet only."""
    if not (moment.facts.simulated and moment.ui.keys_shown):
        return None
    say = moment.words.say
    return KeysView(
        title=say(Key.KEYS_TITLE),
        rows=moment.facts.keys,
        buttons=(OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE)),),
    )
