"""Whether a game returns what a house may offer: rules outside the range are refused as a setting.

Returns come from the par sheet of the rules; a sheet of unusual rules is computed once and kept.
"""

from pathlib import Path

from cabinet.config.settings import ConfigError
from cabinet.engine.rules import Rules
from cabinet.par import ParSheet, cached_sheet

LEAST_RETURN = 0.8
"""The least a game may return by best play."""


def check_return(rules: Rules, data: Path) -> None:
    """Refuse rules whose return by best play is above fair or below LEAST_RETURN. ConfigError says what it is.

    The sheet of unusual rules is computed once and kept below `data`.
    """
    found = cached_sheet(rules, data / "par")
    if not LEAST_RETURN <= found.return_best <= 1:
        raise ConfigError(
            f"games.rules.{rules.game_id}: found rules that return {percent(found)} by best play, "
            f"expected {100 * LEAST_RETURN:.0f} % to 100 %"
        )


def percent(sheet: ParSheet) -> str:
    """The return of best play as it is shown, rounded to two decimals."""
    return f"{100 * sheet.return_best:.2f} %"
