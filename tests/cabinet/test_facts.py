"""What the screen is told of the cabinet: exact returns and charts, never typed in."""

from pathlib import Path

import pytest

from cabinet.config import Config
from cabinet.engine.rules import CLASSIC, GAMES
from cabinet.facts import cabinet_facts, chart_view, percent
from cabinet.par import cached_sheet


@pytest.mark.requirement("PD-12")
def test_the_return_shown_is_that_of_the_par_sheet_and_classic_comes_out_as_its_text_states(tmp_path: Path) -> None:
    facts = cabinet_facts(Config(), tmp_path)

    assert facts.returns == {rules.game_id: percent(cached_sheet(rules, None)) for rules in GAMES.values()}
    assert facts.returns["classic"] == "99.54 %"


def test_the_chart_shown_says_what_the_sheet_advises() -> None:
    sheet = cached_sheet(CLASSIC, None)

    view = chart_view(CLASSIC, sheet.chart)

    eights = next(row for row in view.rows if row.hand == "8,8")
    assert view.columns == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    assert eights.cells == tuple(sheet.chart.pairs[8][up - 1].value for up in (2, 3, 4, 5, 6, 7, 8, 9, 10, 1))


def test_only_a_simulated_cabinet_has_keys(tmp_path: Path) -> None:
    assert not cabinet_facts(Config(), tmp_path).simulated
    assert cabinet_facts(Config(), tmp_path, keys=(("C", "CASH OUT"),)).simulated
