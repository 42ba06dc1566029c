"""Help: the rules of the game at hand, its strategy chart, and the keys of a simulated cabinet.

Rules: the text is generated from the rules the engine plays by; help can be read at any time, with or without credit,
and changes nothing at the table. One section is one page; the chart, where there is one, is the last.
"""

from cabinet.ui.messages import Key
from cabinet.ui.rules_text import help_sections
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import HelpView, KeysView, OverlayAction, OverlayButton


def help_view(moment: Moment) -> HelpView | None:
    """The open page of help; None while it is closed."""
    if moment.ui.help_page is None:
        return None
    table, say = moment.table, moment.words.say
    sections = help_sections(table.rules, table.limits, money=moment.words.short_money)
    chart = moment.facts.charts.get(table.rules.game_id)
    pages = len(sections) + (chart is not None)
    page = min(moment.ui.help_page, pages - 1)
    shown = sections[page] if page < len(sections) else None
    return HelpView(
        title=say(Key.HELP_TITLE, game=table.rules.title),
        heading=say(Key.HELP_CHART) if shown is None else shown.title,
        lines=shown.lines if shown else (),
        position=say(Key.HELP_POSITION, page=page + 1, pages=pages),
        buttons=(
            OverlayButton(action=OverlayAction.BACK, word=say(Key.HELP_BACK), enabled=page > 0),
            OverlayButton(action=OverlayAction.FORWARD, word=say(Key.HELP_FORWARD), enabled=page < pages - 1),
            OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE)),
        ),
        chart=chart if shown is None else None,
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
