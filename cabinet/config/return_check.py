"""The check of a game's return: rules whose return is out of range are refused as a setting.

The return comes from the par sheet of the rules; a sheet of unusual rules that is not stored yet is computed. The
module writes nothing.
"""

from pathlib import Path

from cabinet.config.settings import ConfigError
from cabinet.engine.rules import Rules
from cabinet.par import ParSheet, cached_sheet, kept_in

LEAST_RETURN = 0.8
"""Lowest permitted return by best play, as a share of the stakes."""


def check_return(rules: Rules, data: Path | None) -> None:
    """Raises ConfigError for rules whose return by best play is above 1 or below LEAST_RETURN.

    It reads a sheet of unusual rules below `data` and writes none: the data is not accepted yet.
    """
    found = cached_sheet(rules, kept_in(data), keep=False)
    if not LEAST_RETURN <= found.return_best <= 1:
        raise ConfigError(
            f"games.rules.{rules.game_id}: found rules that return {percent(found)} by best play, "
            f"expected {100 * LEAST_RETURN:.0f} % to 100 %"
        )


def percent(sheet: ParSheet) -> str:
    """Returns the return of best play as text with two decimals."""
    return f"{100 * sheet.return_best:.2f} %"
