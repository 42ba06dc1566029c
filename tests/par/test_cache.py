"""Par sheets kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, Rules, vary
from cabinet.par import ParSheet, analyse
from cabinet.par.cache import SHIPPED, cached_sheet, key_of, write_sheets
from cabinet.par.sheet import write_sheet

NO_SPLITS = vary(CLASSIC, splits_max=0)


def _numbers(value: object) -> list[float]:
    """All numbers of plain data, in order."""
    if isinstance(value, dict):
        return [number for part in value.values() for number in _numbers(part)]
    if isinstance(value, list | tuple):
        return [number for part in value for number in _numbers(part)]
    return [float(value)] if isinstance(value, int | float) else []


@pytest.mark.sample(1)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_shipped_sheets_are_what_the_analysis_gives(rules: Rules):
    shipped, computed = cached_sheet(rules, None), analyse(rules)

    assert shipped.chart == computed.chart
    assert _numbers(write_sheet(shipped)) == pytest.approx(_numbers(write_sheet(computed)), abs=1e-12)


def test_the_three_games_and_nothing_else_are_shipped():
    assert set(json.loads(SHIPPED.read_text(encoding="utf-8"))) == {key_of(rules) for rules in GAMES.values()}


def test_a_shipped_sheet_is_read_without_numpy():
    program = (
        "import sys\n"
        "from cabinet.engine.rules import EUROPEAN\n"
        "from cabinet.par import cached_sheet\n"
        "assert cached_sheet(EUROPEAN, None).chart.hard\n"
        "assert 'numpy' not in sys.modules, 'numpy was loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_rules_that_only_look_different_share_a_sheet():
    assert key_of(vary(EUROPEAN, title="Another name", places_max=1, insurance_partial=False)) == key_of(EUROPEAN)


def test_rules_that_play_differently_do_not():
    keys = [key_of(rules) for rules in (EUROPEAN, TABLE, CLASSIC, NO_SPLITS, vary(CLASSIC, decks=5))]
    assert len(set(keys)) == len(keys)


def test_a_sheet_carries_the_rules_it_was_asked_for():
    named = vary(EUROPEAN, game_id="ours", title="Ours")
    sheet = cached_sheet(named, None)
    assert (sheet.game_id, sheet.rules) == ("ours", named)


def test_a_computed_sheet_is_found_again(tmp_path: Path):
    folder = tmp_path / "par"
    computed = cached_sheet(NO_SPLITS, folder)
    (path,) = folder.iterdir()
    _tamper(path, computed)

    assert cached_sheet(NO_SPLITS, folder).variance == 7.0


def _tamper(path: Path, sheet: ParSheet) -> None:
    """Give the sheet on disk a variance of its own, to know it again."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain[key_of(sheet.rules)]["variance"] = 7.0
    path.write_text(json.dumps(plain), encoding="utf-8")


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"KEY": {}}', '{"KEY": {"ev_best": 1}}'])
def test_a_spoilt_file_is_computed_anew(tmp_path: Path, text: str):
    path = tmp_path / f"par-{key_of(NO_SPLITS)}.json"
    path.write_text(text.replace("KEY", key_of(NO_SPLITS)), encoding="utf-8")
    sheet = cached_sheet(NO_SPLITS, tmp_path)

    assert sheet.ev_best == pytest.approx(analyse(NO_SPLITS).ev_best)
    assert json.loads(path.read_text(encoding="utf-8"))[key_of(NO_SPLITS)]["ev_best"] == sheet.ev_best
    assert [left.name for left in tmp_path.iterdir()] == [path.name]


def test_several_sheets_fit_in_one_file(tmp_path: Path):
    sheets = [cached_sheet(rules, None) for rules in GAMES.values()]
    write_sheets(tmp_path / "sheets.json", sheets)
    assert (tmp_path / "sheets.json").read_text(encoding="utf-8") == SHIPPED.read_text(encoding="utf-8")
