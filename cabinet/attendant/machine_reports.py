"""The attendant's reports of the machine, its settings and its games, as lines of text. Pure."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from functools import partial
from itertools import groupby

from cabinet.attendant.data import AttendantData, SettingRow
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.attendant.reports import head
from cabinet.engine.rules import Table
from cabinet.text.quoting import cut


def _row(*cells: str) -> Line:
    return Line(cells=cells)


def machine_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the machine's identity and its program."""
    return tuple(_row(data.say(label), words) for label, words in data.identity)


def setting_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the settings that are the same for every game."""
    settings, money, say = data.settings, data.money, data.say
    never, off, allowed = say("never"), say("off"), say("allowed")
    return (
        _row(say("Notes taken"), ", ".join(money(cents) for cents in settings.notes_cents) or say("none")),
        _row(say("Notes go back above a credit of"), money(settings.credit_limit_cents)),
        _row(say("Tickets of this machine"), say("taken") if settings.tickets_in else say("not taken")),
        _row(say("Tickets can be brought back for"), _days(data)),
        _row(say("Paid by hand above"), money(settings.ticket_max_cents)),
        _row(say("A game is a large win from"), money(settings.large_win_cents) if settings.large_win_cents else never),
        _row(say("Notes within one play lock from"), money(settings.increment_max_cents)),
        _row(say("Refused notes in a row lock from"), f"{settings.rejects_max}"),
        _row("TURBO", allowed if settings.turbo_allowed else off),
        _row(say("Players' own limits"), allowed if settings.player_limits else off),
        _row(
            say("Technician"),
            say("logic door, audit key, PIN") if settings.technician_pin else say("logic door, audit key"),
        ),
    )


LONGEST = 48
"""The longest value of a setting on the page, in characters."""


def every_setting_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns every setting by section: its value and what it may be. One that is not as delivered is marked."""
    return (
        *sentences(data.say("A line in bold is not as delivered. A setting is changed in the settings file.")),
        *(
            line
            for section, rows in groupby(data.every_setting, lambda each: each.key.partition(".")[0])
            for line in (head(section, data.say("Value"), data.say("Allowed")), *map(partial(_setting, data), rows))
        ),
    )


def _setting(data: AttendantData, row: SettingRow) -> Line:
    name = row.key.partition(".")[2]
    value, allowed = cut(row.value, LONGEST), cut(row.allowed, LONGEST)
    if row.value == row.delivered:
        return _row(name, value, allowed)
    value = data.say("{value}, delivered {delivered}", value=value, delivered=cut(row.delivered, LONGEST))
    return Line(cells=(name, cut(value, LONGEST), allowed), style=LineStyle.STRONG)


def _days(data: AttendantData) -> str:
    days = data.settings.ticket_expires_days
    return data.say("{count} days", count=days) if days else data.say("ever")


def table_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the limits and the rules of each game."""
    return tuple(line for table in data.settings.tables for line in _table_lines(data, table))


def _table_lines(data: AttendantData, table: Table) -> Iterator[Line]:
    limits, money = table.limits, data.money
    low, high = money(limits.min_cents), money(limits.max_cents)
    yield head(table.rules.title)
    yield _row(data.say("Limits of a place"), data.say("{low} to {high}", low=low, high=high))
    yield _row(data.say("Chips"), ", ".join(money(chip) for chip in limits.chips_cents))
    yield _row(data.say("One credit"), money(limits.credit_cents))
    for item in fields(table.rules):
        if item.name not in _UNSAID:
            label = item.name.replace("_", " ").capitalize()
            yield _row(data.say(label), _word(data, getattr(table.rules, item.name)))


_UNSAID = {"game_id", "title"}
"""Fields of the rules that are no rules."""


def _word(data: AttendantData, value: object) -> str:
    if isinstance(value, bool):
        return data.say("yes") if value else data.say("no")
    if isinstance(value, tuple):
        first, *rest = (str(each) for each in value)
        return data.say("{low} to {high}", low=first, high=rest[-1]) if rest else first
    if isinstance(value, Enum):
        return data.say(str(value.value))
    return data.say("no limit") if value is None else str(value)
