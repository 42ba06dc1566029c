"""The table of the menu: groups, the pages of each, and what stands on a page. Pure.

Rules: a group has at most as many pages as there are buttons beside them, so that each page is two presses away from
the first one. A row of the table is a page (`opens`) or a request (`asks`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from cabinet.attendant import machine_reports, recall, reports, statistics
from cabinet.attendant.dashboard import dashboard_figures
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu import (
    closing_pages,
    game_pages,
    hands_on,
    lock_pages,
    receipt_pages,
    record_pages,
    take_away,
)
from cabinet.attendant.menu.values import Entry, Extra, Menu, Node, Steps, UseLanguage
from cabinet.attendant.pages import Line
from cabinet.attendant.receipts import PAID_KINDS
from cabinet.engine.inputs import ResetPeriod
from cabinet.engine.log import LogKind
from cabinet.text.attendant_words import text

Opens = Callable[[Menu, AttendantData], Node]
Reads = Callable[[AttendantData], tuple[Line, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A row of a group. `name` is the page in a path and its English title, `short` the legend of its button."""

    name: str
    short: str
    opens: Opens | None = None
    asks: Callable[[AttendantData], Entry] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of pages."""

    name: str
    leaves: tuple[Leaf, ...]


def _page(name: str, short: str, opens: Opens) -> Leaf:
    return Leaf(name=name, short=short, opens=opens)


def _reads(name: str, short: str, lines: Reads) -> Leaf:
    """Returns a row whose page is text."""
    return _page(name, short, lambda _, data: Node(title=data.say(name), lines=lines(data)))


def _draws(name: str, short: str, *charts: str) -> Leaf:
    """Returns a row with a page of each of these charts."""

    def opens(menu: Menu, data: AttendantData) -> Node:
        shown = charts[menu.page % len(charts)]
        return Node(title=data.say(shown), figures=tuple(statistics.pages[chart](data) for chart in charts))

    return _page(name, short, opens)


def _asks(name: str, short: str, asks: Callable[[AttendantData], Entry]) -> Leaf:
    return Leaf(name=name, short=short, asks=asks)


def _close_entry(data: AttendantData) -> Entry:
    return Entry(label=data.say(closing_pages.CLOSE), short=data.say("close"), asks=ResetPeriod())


def _audit_entry(data: AttendantData) -> Entry:
    return Entry(label=data.say("Print an audit ticket"), short=data.say("audit ticket"), asks=Extra.AUDIT_TICKET)


def _save_entry(data: AttendantData) -> Entry:
    return Entry(label=data.say(SAVE_FILES), short=data.say("save"), asks=Extra.SAVE_FILES)


SAVE_FILES = text("Save the books as files")
LOCKS = lock_pages.LOCKS_PAGE

_LOG_WORDS = (
    text("all"),
    text("locks"),
    text("doors"),
    text("notes"),
    text("tickets"),
    text("money out"),
    text("access"),
    text("program"),
)
"""The legends of the pages of the log."""

GROUPS = (
    Group(
        name=text("Money"),
        leaves=(
            _reads(text("Cash box and credit"), text("cash box"), reports.cashbox_page),
            _reads(text("Meters, period and lifetime"), text("meters"), reports.meter_lines),
            _page(closing_pages.CLOSINGS, text("closings"), closing_pages.closings_node),
            _asks(closing_pages.CLOSE, text("close"), _close_entry),
            _asks(text("Print an audit ticket"), text("audit ticket"), _audit_entry),
            _page(
                receipt_pages.HAND_PAYS,
                text("hand-pays"),
                partial(receipt_pages.settled_node, receipt_pages.HAND_PAYS, PAID_KINDS),
            ),
            _draws(
                text("Charts of money and notes"),
                text("charts"),
                "Drop per day",
                "Win per hour",
                "Mix of notes",
                "Acceptance of notes",
            ),
            _page(take_away.CODE, text("code"), take_away.code_node),
        ),
    ),
    Group(
        name=text("Games"),
        leaves=(
            _page(game_pages.LAST_GAMES, text("last games"), game_pages.games_node),
            _reads(text("Returns by game"), text("returns"), reports.return_lines),
            _draws(text("Returns and mix of games"), text("charts"), "Return of the games", "Mix of games"),
            _reads(text("Statistics of play"), text("statistics"), reports.statistics_lines),
            _reads(game_pages.AS_TEXT, text("as text"), recall.game_lines),
        ),
    ),
    Group(
        name=text("Tickets"),
        leaves=(
            _page(record_pages.FIND, text("find"), record_pages.find_node),
            _page(record_pages.PAY, text("pay"), record_pages.pay_node),
            *(
                _page(name, short, partial(record_pages.tickets_node, name, states))
                for (name, states), short in zip(
                    record_pages.TICKET_PAGES.items(),
                    (text("all"), text("out"), text("in doubt"), text("came back"), text("hand-paid")),
                    strict=True,
                )
            ),
            _page(
                text("Tickets put in"),
                text("put in"),
                partial(record_pages.log_node, text("Tickets put in"), record_pages.PUT_IN_KINDS),
            ),
        ),
    ),
    Group(
        name=text("Log"),
        leaves=tuple(
            _page(name, short, partial(record_pages.log_node, name, kinds))
            for (name, kinds), short in zip(
                record_pages.LOG_PAGES.items(),
                _LOG_WORDS,
                strict=True,
            )
        ),
    ),
    Group(
        name=text("Machine"),
        leaves=(
            _reads(text("Machine and program"), text("program"), machine_reports.machine_lines),
            _reads(text("Settings"), text("settings"), machine_reports.setting_lines),
            _reads(text("Every setting"), text("every setting"), machine_reports.every_setting_lines),
            _reads(text("Games and rules"), text("rules"), machine_reports.table_lines),
            _reads(text("Doors, power and counts"), text("counts"), reports.count_lines),
        ),
    ),
    Group(
        name=text("Service"),
        leaves=(
            _page(LOCKS, text("locks"), lock_pages.lock_node),
            _page(
                receipt_pages.SETTLED,
                text("settled"),
                partial(receipt_pages.settled_node, receipt_pages.SETTLED, frozenset({LogKind.SETTLED})),
            ),
            _asks(text("Take out of service"), text("service"), lock_pages.service_entry),
            _page(hands_on.TESTS, text("tests"), hands_on.test_node),
            _page(hands_on.TECHNICIAN, text("technician"), hands_on.technician_node),
            _page(hands_on.LANGUAGE, text("language"), hands_on.language_node),
            _asks(SAVE_FILES, text("save"), _save_entry),
        ),
    ),
)
"""The groups in the order of their tabs."""


def group_of(name: str) -> Group:
    """Returns a group. KeyError for an unknown one."""
    return {group.name: group for group in GROUPS}[name]


def leaf_entry(leaf: Leaf, data: AttendantData) -> Entry:
    """Returns the row as an entry of its group's page."""
    if leaf.asks is not None:
        return leaf.asks(data)
    label = data.say(leaf.name)
    if leaf.name == LOCKS and data.machine.locks:
        label = f"{label} ({len(data.machine.locks)})"
    return Entry(label=label, goes=(leaf.name,), short=data.say(leaf.short))


# --- the first page ---------------------------------------------------------------------------------------------


def first_entries(data: AttendantData) -> tuple[Entry, ...]:
    """Returns what the first page opens: the two things that wait for the attendant, and the groups."""
    pay = Entry(label=data.say("Pay ticket"), goes=("Tickets", record_pages.PAY), short=data.say("pay ticket"))
    groups = (Entry(label=data.say(group.name), goes=(group.name,), short=data.say(group.name)) for group in GROUPS)
    return (pay, _lock_entry(data), *groups)


def _lock_entry(data: AttendantData) -> Entry:
    """Returns the way to the first lock; without a lock to their empty list."""
    found = data.machine.locks
    words = data.say("First lock") if len(found) > 1 else data.say("Lock")
    where = ("Service", LOCKS, str(found[0].lock_id)) if found else ("Service", LOCKS)
    return Entry(label=f"{words} ({len(found)})", goes=where, short=words)


_ACTS = frozenset(
    {
        closing_pages.COUNT,
        record_pages.FIND,
        record_pages.PAY,
        hands_on.TESTS,
        hands_on.TECHNICIAN,
        take_away.CODE,
    }
)
"""Pages that lead to a request, or that prove figures; doubtful data has none of them."""


def node_at(menu: Menu, data: AttendantData) -> Node:
    """Returns what stands at the place of the menu. Of doubtful data nothing can be requested but a language."""
    node = _node_at(menu, data)
    if not data.doubtful:
        return node
    reads = (each for each in node.entries if each.asks is None or isinstance(each.asks, UseLanguage))
    steps = node.steps if node.steps is Steps.PICTURES else Steps.NONE
    return replace(node, entries=tuple(each for each in reads if _ACTS.isdisjoint(each.goes)), steps=steps)


def _node_at(menu: Menu, data: AttendantData) -> Node:
    if not menu.path:
        title = data.say("Technician") if data.machine.access.technician else data.say("Attendant")
        return Node(title=title, figures=(dashboard_figures(data),), entries=first_entries(data))
    group = group_of(menu.path[0])
    if len(menu.path) == 1:
        return Node(title=data.say(group.name), entries=tuple(leaf_entry(leaf, data) for leaf in group.leaves))
    (opens,) = (leaf.opens for leaf in group.leaves if leaf.name == menu.path[1] and leaf.opens is not None)
    return opens(menu, data)
