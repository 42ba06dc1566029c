"""Books for the attendant's charts: hours of a cabinet, and the reports of the store that belong to them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from support.attendant_data import bare_desk
from support.machines import Cabinet

from cabinet.attendant.data import AttendantData, Hour
from cabinet.engine.state import Machine

TODAY = date(2026, 12, 1)
"""A Tuesday."""
RETURNS = {"european": 0.9949, "table": 0.9954, "classic": 0.9954}
SPREADS = {"european": 1.15, "table": 1.16, "classic": 1.14}


def day_name(before: int) -> str:
    """Returns the day this many days before today, as `Hour.day` writes it."""
    return f"{TODAY - timedelta(days=before):%d %b %Y}"


def hour_of(before: int, hour: int = 12, **meters: int) -> Hour:
    """Returns the growth of meters in an hour, this many days before today."""
    day = TODAY - timedelta(days=before)
    return Hour(day=day_name(before), hour=hour, weekday=day.weekday(), meters=meters)


def report(
    notes: Mapping[int, int] | None = None, games: Mapping[str, tuple[int, int, int]] | None = None, **meters: int
) -> dict[str, object]:
    """Returns one span of the store's report. `notes` counts each denomination in cents; `games` has stakes, what was
    paid, and the count of games."""
    by_game = {
        game_id: {"coin_in": staked, "coin_out": paid, "games_played": count}
        for game_id, (staked, paid, count) in (games or {}).items()
    }
    staked, paid = (sum(found[nth] for found in (games or {}).values()) for nth in (0, 1))
    played = sum(count for *_, count in (games or {}).values())
    found = {f"{cents}": count for cents, count in (notes or {}).items()}
    sums = {"coin_in": staked, "coin_out": paid, "games_played": played}
    return {**sums, "bills_by_denomination": found, "by_game": by_game, **meters}


def desk(*hours: Hour, machine: Machine | None = None, **changes: object) -> AttendantData:
    """Returns the data of a cabinet with these hours, on a valid clock."""
    data = bare_desk(Cabinet(machine=machine or Machine()))
    known = replace(data, hours=hours, today=day_name(0), returns=RETURNS, spreads=SPREADS)
    return replace(known, **changes)  # type: ignore[arg-type]


def oldest_first(hours: Iterable[Hour]) -> tuple[Hour, ...]:
    """Returns hours in the order of the data."""
    return tuple(sorted(hours, key=lambda each: (_date(each), each.hour)))


def _date(hour: Hour) -> date:
    found = {day_name(before): TODAY - timedelta(days=before) for before in range(500)}
    return found[hour.day]
