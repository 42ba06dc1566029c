"""The facts of the cabinet for its screen: its operator, the returns of its games, and their best play.

Rules: returns and charts are the exact ones of the configured rules, read from the par sheets, never written by hand.
"""

from collections.abc import Mapping
from pathlib import Path

from cabinet.config.settings import Config
from cabinet.engine.inputs import Button
from cabinet.par import Chart, cached_sheet, kept_in
from cabinet.par.chart import Row
from cabinet.text.messages import LANGUAGES
from cabinet.ui.ui_state import Coach, MachineInfo
from cabinet.ui.view import ChartRow, ChartView

_UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The dealer's card of each column in the order of a printed chart: two to ten, then the ace."""

_SOFT = tuple(range(20, 12, -1))
_PAIRS = (1, 10, 9, 8, 7, 6, 5, 4, 3, 2)


def machine_info(
    config: Config, data: Path | None, *, simulated: bool = False, keys: tuple[tuple[str, str | Button], ...] = ()
) -> MachineInfo:
    """Returns the facts of a cabinet. `keys` are the keyboard of a simulated one. Sheets of unusual rules are computed
    once and kept below `data`. With None, for a cabinet that may not start, nothing is kept and there is no coach."""
    known = {table.rules.game_id: cached_sheet(table.rules, kept_in(data)) for table in config.settings().tables}
    return MachineInfo(
        machine_id=f"{config.machine.number:04d}",
        venue=config.machine.venue,
        currency=config.machine.currency,
        returns={game_id: sheet.return_best for game_id, sheet in known.items()},
        charts={game_id: chart_view(sheet.chart) for game_id, sheet in known.items()},
        helpline=config.machine.helpline,
        simulated=simulated,
        four_colour=config.display.four_colour,
        keys=keys,
        languages=tuple(LANGUAGES[code] for code in config.display.languages),
        language=LANGUAGES[config.display.language],
        coaches=_coaches(config, data) if data and config.coach.speaks(real_money=not simulated) else {},
    )


def _coaches(config: Config, data: Path) -> dict[str, Coach]:
    """Returns a coach for each table; the first computation takes a second or two per table."""
    from cabinet.par.coach import make_coach

    return {table.rules.game_id: make_coach(table.rules, kept_in(data)) for table in config.settings().tables}


def chart_view(chart: Chart) -> ChartView:
    """Returns a chart for players, as rows of the letters it is stored with; the screen replaces them."""
    rows = _hard_rows(chart.hard)
    rows += [_row(f"A,{total - 11}", chart.soft[total]) for total in _SOFT]
    rows += [_row(f"{_card(value)},{_card(value)}", chart.pairs[value]) for value in _PAIRS]
    return ChartView(columns=tuple(_card(value) for value in _UPCARDS), rows=tuple(rows))


def _hard_rows(hard: Mapping[int, Row]) -> list[ChartRow]:
    """Returns the rows of hard totals from high to low; the first and last stand for all totals with the same advice
    beyond them."""
    totals = sorted(hard)
    low = max(total for total in totals if all(hard[less] == hard[total] for less in totals if less < total))
    high = min(total for total in totals if all(hard[more] == hard[total] for more in totals if more > total))
    names = {low: f"≤{low}", high: f"{high}+"}
    return [_row(names.get(total, str(total)), hard[total]) for total in reversed(totals) if low <= total <= high]


def _row(hand: str, advice: Row) -> ChartRow:
    return ChartRow(hand=hand, cells=tuple(advice[value - 1].value for value in _UPCARDS))


def _card(value: int) -> str:
    return "A" if value == 1 else str(value)
