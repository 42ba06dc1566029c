"""Stored par sheets: those of the three games are part of the product, others are computed once and kept in a folder.

A sheet is filed under a digest of the rules that affect it, so a changed rule finds its own sheet or none. The module
knows files, not the content of a sheet or how it is computed.
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import overload

from cabinet.engine.rules import GAMES, Rules
from cabinet.par.sheet import ParSheet, read_sheet, write_sheet

SHIPPED = Path(__file__).with_name("sheets.json")
"""The sheets of the three games."""

METHOD = 1
"""Version of the analysis; raised whenever it gives other figures for the same rules."""

_NO_BEARING = frozenset({"game_id", "title", "places_max", "hole_card_first", "insurance_partial"})


@overload
def kept_in(data: Path) -> Path: ...
@overload
def kept_in(data: None) -> None: ...
def kept_in(data: Path | None) -> Path | None:
    """Returns the folder of the sheets of a cabinet with this data folder; None if no sheet may be stored."""
    return None if data is None else data / "par"


def cached_sheet(rules: Rules, folder: Path | None, *, keep: bool = True) -> ParSheet:
    """Returns the par sheet of the rules: shipped, from the folder, or computed now and stored in the folder.

    Without a folder, or without `keep`, only this process keeps it. A file that cannot be read as a sheet is computed
    and written again; a sheet that cannot be stored is computed again by the next process.
    """
    key = key_of(rules)
    for path in (SHIPPED, *([] if folder is None else [folder / _name(key)])):
        sheet = _look_up(path, key, rules)
        if sheet is not None:
            return sheet
    sheet = _computed(rules)
    if folder is not None and keep:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            write_sheets(folder / _name(key), [sheet])
    return sheet


@lru_cache(maxsize=len(GAMES))
def _computed(rules: Rules) -> ParSheet:
    """Returns a sheet and keeps it, because computing takes seconds. A cabinet without a folder needs it twice, the
    second time under a watchdog."""
    from cabinet.par.analysis import analyse

    return analyse(rules)


def key_of(rules: Rules) -> str:
    """Returns a short digest of the rules that affect a sheet, and of the version of the analysis."""
    values = {item.name: str(getattr(rules, item.name)) for item in fields(rules) if item.name not in _NO_BEARING}
    text = json.dumps({"method": METHOD, **values}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_sheets(path: Path, sheets: Iterable[ParSheet]) -> None:
    """Writes the sheets to one file, which appears whole or not at all."""
    plain = {key_of(sheet.rules): write_sheet(sheet) for sheet in sheets}
    part = path.with_suffix(".part")
    part.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def write_shipped() -> None:
    """Computes the sheets of the three games and writes them into the product."""
    from cabinet.par.analysis import analyse

    write_sheets(SHIPPED, [analyse(rules) for rules in GAMES.values()])


def _name(key: str) -> str:
    return f"par-{key}.json"


def _look_up(path: Path, key: str, rules: Rules) -> ParSheet | None:
    try:
        return read_sheet(rules, json.loads(path.read_text(encoding="utf-8"))[key])
    except (OSError, KeyError, TypeError, ValueError):
        return None
