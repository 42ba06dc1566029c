"""Pages of figures on the screen, and the data of unusual machines for them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from support.books import desk, hour_of, report
from support.machines import seated
from support.screens import table_screen

from cabinet.attendant import statistics
from cabinet.attendant.charts import Band, Columns, Figure, Shares, Tile
from cabinet.attendant.dashboard import dashboard_figures
from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Page
from cabinet.engine.inputs import Door, DoorOpened, Fault, FaultBegan
from cabinet.engine.rules import CLASSIC, Limits, Table
from cabinet.engine.state import Lock, LockKind, Machine, Settings
from cabinet.ui.view import Scene, Screen

HUGE_CENTS = 10**9 + 99
PAGES: Mapping[str, Callable[[AttendantData], tuple[Figure, ...]]] = {
    "dashboard": dashboard_figures,
    **statistics.pages,
}
"""Every page of figures by name."""


def shown(*figures: Figure) -> Screen:
    """Returns figures on an attendant's page, on the screen."""
    return replace(table_screen(), scene=Scene.AUDIT, audit=Page(title="Figures", figures=figures))


def unusual_data() -> Mapping[str, AttendantData]:
    """Returns the data of machines at the limits: empty, with one game, with huge or negative sums, old, without a
    clock, with many locks."""
    one = Settings(tables=(Table(rules=CLASSIC, limits=Limits()),))
    played = {"classic": (1_000, 2_500, 5)}
    games = dict.fromkeys(("european", "table", "classic"), (HUGE_CENTS, HUGE_CENTS + 7, 10**8))
    huge = report({500: 10**8, 10_000: 10**7}, games, bills_in=HUGE_CENTS, tickets_in=HUGE_CENTS, bills_rejected=10**7)
    boxed = {"in_cashbox": HUGE_CENTS, "in_cashbox_by_denomination": {"500": 10**8, "10000": 10**7}}
    return {
        "empty": desk(),
        "one game": desk(
            hour_of(0, coin_in=1_000, coin_out=2_500), settings=one, meters={"period": report({500: 2}, played)}
        ),
        "400 days": desk(*(hour_of(before, bills_in=500 * before) for before in reversed(range(400)))),
        "negative": desk(*(hour_of(0, hour, coin_out=1_000 * hour) for hour in range(24))),
        "huge": desk(
            hour_of(1, 3, bills_in=HUGE_CENTS, coin_in=HUGE_CENTS),
            hour_of(0, 3, coin_out=HUGE_CENTS),
            meters={"period": huge, "lifetime": huge, **boxed},
            sign="CHF ",
        ),
        "no clock": desk(hour_of(2, bills_in=2_000), today=""),
        "no day": desk(today=""),
        "locks": desk(machine=_locked()),
    }


def _locked() -> Machine:
    table = seated("table", credit=HUGE_CENTS)
    table.do(*(DoorOpened(door=door) for door in Door), FaultBegan(fault=Fault.PRINTER_JAM))
    return table.machine


def with_lock(kind: LockKind) -> AttendantData:
    """Returns the data of a machine under one lock."""
    table = seated("table")
    return desk(machine=replace(table.machine, locks=(Lock(lock_id=1, kind=kind),)))


def lengthened(figure: Figure, factor: float = 1.4) -> Figure:
    """Returns a figure with words as long as those of a language that needs more letters."""
    match figure:
        case Tile():
            value = figure.value if any(each.isdigit() for each in figure.value) else _longer(figure.value, factor)
            return replace(
                figure, label=_longer(figure.label, factor), value=value, detail=_longer(figure.detail, factor)
            )
        case Columns():
            groups = tuple((_longer(name, factor), count) for name, count in figure.groups)
            means, note = _longer(figure.shaded_means, factor), _longer(figure.note, factor)
            return replace(figure, title=_longer(figure.title, factor), note=note, groups=groups, shaded_means=means)
        case Shares():
            rows = tuple((_longer(label, factor), share, _longer(words, factor)) for label, share, words in figure.rows)
            return replace(figure, title=_longer(figure.title, factor), note=_longer(figure.note, factor), rows=rows)
        case Band():
            returns = tuple(
                replace(row, words=_longer(row.words, factor), detail=_longer(row.detail, factor))
                for row in figure.rows
            )
            return replace(figure, title=_longer(figure.title, factor), note=_longer(figure.note, factor), rows=returns)


def _longer(words: str, factor: float) -> str:
    """Returns the words with more letters; a word is at most a third longer."""
    letters = round(len(words) * (factor - 1))
    return words + (" " + "lorem ipsum dolor sit amet " * 9)[: letters + 1].rstrip() if letters > 2 else words
