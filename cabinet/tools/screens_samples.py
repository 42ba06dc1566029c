"""Samples of what the journal of a cabinet holds, for pictures of the attendant's pages."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from cabinet.attendant.data import ISSUED, REDEEMED, AttendantData, Closing, LogRow, TicketRow
from cabinet.attendant.menu import Menu, lit, open_menu, page, press
from cabinet.attendant.pages import Page
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import Button
from cabinet.engine.log import LogKind
from cabinet.engine.state import Machine, Settings
from cabinet.store.reports import meters
from cabinet.tools.gallery_books import busy_data
from cabinet.tools.gallery_games import past_games
from cabinet.ui.view import ChartRow, ChartView

TICKETS, OUT = 48, 6
"""Tickets that were issued, and how many of the newest are out."""
ENTRIES = 1_240
CLOSED = 3
"""Closed periods, and as many cash boxes."""
CHART = ChartView(
    columns=("2", "3", "4", "5", "6", "7", "8", "9", "10", "A"),
    rows=tuple(
        ChartRow(hand=hand, cells=tuple(cells))
        for hand, cells in (
            ("17+", "SSSSSSSSSS"),
            ("16", "SSSSSHHHHH"),
            ("12", "HHSSSHHHHH"),
            ("11", "DDDDDDDDHH"),
            ("10", "DDDDDDDDHH"),
            ("9", "HDDDDHHHHH"),
            ("≤8", "HHHHHHHHHH"),
            ("A, 7", "SDDDDSSHHH"),
            ("A, 6", "HDDDDHHHHH"),
            ("8, 8", "PPPPPPPPHH"),
            ("A, A", "PPPPPPPPPH"),
        )
    ),
)
"""A chart of a game, for tests of the screen."""
_SAMPLES = (
    (LogKind.NOTE_ACCEPTED, "", 2_000),
    (LogKind.DOOR_OPENED, "main door", None),
    (LogKind.LOCKED, "main door", None),
    (LogKind.TICKET_PRINTED, "ticket 48", 12_550),
    (LogKind.PROGRAM_CHANGED, "1.0.0, files 9f4c2d1a77b0e6c5, libraries pygame 2.6.1, SDL 2.28.4, lgpio 0.2.2", None),
)


def sample_data(machine: Machine, settings: Settings, now: datetime) -> AttendantData:
    """Returns the attendant's data of a machine with samples of a log, tickets and closings."""
    when = f"{now:%d %b %Y %H:%M:%S}"
    busy = busy_data(machine, settings)
    rounds, games = past_games(settings)
    every = meters(machine, (table.rules.game_id for table in settings.tables))
    return replace(
        busy,
        meters=_merged(every, busy.meters),
        events=tuple(_log_row(number, when) for number in range(ENTRIES, 0, -1)),
        tickets=tuple(_ticket_row(number, when) for number in range(TICKETS, 0, -1)),
        unpaid=tuple(_ticket_row(number, when) for number in range(TICKETS, TICKETS - OUT, -1)),
        identity=(("Venue", "Blackjack Cabinet"), ("Machine", "0001"), ("Program", "1.0.0")),
        time=when,
        closings=tuple(_closing(kind, number) for number in range(CLOSED, 0, -1) for kind in ClosingKind),
        machine_name="0001",
        rounds=rounds,
        games=games,
        venue="Blackjack Cabinet",
    )


def sample_menu(machine: Machine, settings: Settings, now: datetime, pressed: Iterable[Button]) -> Menu:
    """Returns the place in the attendant's menu after presses of these buttons."""
    data, menu = sample_data(machine, settings, now), open_menu()
    for button in pressed:
        menu, _ = press(menu, button, data)
    return menu


def sample_page(
    machine: Machine, settings: Settings, now: datetime, menu: Menu, language: str
) -> tuple[Page, frozenset[Button]]:
    """Returns a page of the attendant's menu in a language, and its lit buttons."""
    data = replace(sample_data(machine, settings, now), language=language)
    return page(menu, data), lit(menu, data)


def _merged(report: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a report with the values of another in place of its own, at every depth."""
    both = {name: _merged(report[name], more[name]) for name in report if isinstance(more.get(name), dict)}
    return {**report, **more, **both}


def _log_row(number: int, when: str) -> LogRow:
    what, detail, cents = _SAMPLES[number % len(_SAMPLES)]
    return LogRow(number=number, when=when, what=what.value, detail=detail, cents=cents)


def _ticket_row(number: int, when: str) -> TicketRow:
    state = ISSUED if number > TICKETS - OUT else REDEEMED
    tail = f"{number * 37 % 10_000:04d}"
    return TicketRow(sequence=number, when=when, cents=number * 1_250, state=state, tail=tail, duplicates=0)


def _closing(kind: ClosingKind, number: int) -> Closing:
    return Closing(
        kind=kind,
        number=number,
        began=f"{number:02d} Nov 2026 08:00:00",
        ended=f"{number + 1:02d} Nov 2026 08:00:00",
        meters={},
        notes={500: 9, 2_000: 25, 10_000: 3},
        expected_cents=84_500,
        tickets_cents=12_550,
        counted_cents={1: 84_500, 2: 84_000}.get(number),
    )
