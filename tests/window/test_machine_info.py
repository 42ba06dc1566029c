"""The facts of a cabinet for its screen: exact returns and charts, never typed in."""

from dataclasses import replace
from pathlib import Path

import pytest

from cabinet.config.return_check import check_return, percent
from cabinet.config.settings import CoachSection, Config, ConfigError, DisplaySection, GamesSection
from cabinet.engine.rules import CLASSIC, GAMES, Rules, vary
from cabinet.par import cached_sheet
from cabinet.par.cache import key_of, write_sheets
from cabinet.text.messages import LANGUAGES
from cabinet.text.typefaces import letters_lacking
from cabinet.window.machine_info import chart_view, machine_info


@pytest.mark.requirement("PD-12")
def test_the_return_shown_is_the_par_sheets(tmp_path: Path) -> None:
    facts = machine_info(Config(), tmp_path)

    assert facts.returns == {rules.game_id: cached_sheet(rules, None).return_best for rules in GAMES.values()}
    assert percent(cached_sheet(CLASSIC, None)) == "99.54 %"


def test_the_chart_shown_is_the_par_sheets() -> None:
    sheet = cached_sheet(CLASSIC, None)

    view = chart_view(sheet.chart)

    eights = next(row for row in view.rows if row.hand == "8,8")
    assert view.columns == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    assert eights.cells == tuple(sheet.chart.pairs[8][up - 1].value for up in (2, 3, 4, 5, 6, 7, 8, 9, 10, 1))


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_chart_says_that_its_first_and_last_totals_stand_for_all_beyond(rules: Rules) -> None:
    chart = cached_sheet(rules, None).chart
    hands = [row.hand for row in chart_view(chart).rows]

    assert hands[:10] == ["17+", "16", "15", "14", "13", "12", "11", "10", "9", "≤8"]
    assert all(chart.hard[total] == chart.hard[17] for total in range(17, 22))
    assert all(chart.hard[total] == chart.hard[8] for total in range(4, 9))
    assert letters_lacking("".join(hands)) == ()


def test_a_total_with_advice_of_its_own_has_a_row_of_its_own() -> None:
    chart = cached_sheet(CLASSIC, None).chart
    changed = {8: chart.hard[9], 17: chart.hard[16]}

    hands = [row.hand for row in chart_view(replace(chart, hard={**chart.hard, **changed})).rows]

    assert hands[:12] == ["18+", "17", "16", "15", "14", "13", "12", "11", "10", "9", "8", "≤7"]


def test_the_languages_are_those_of_the_operator(tmp_path: Path) -> None:
    display = DisplaySection(languages=("fr", "de"), language="de")
    facts = machine_info(replace(Config(), display=display), tmp_path)
    assert facts.languages == (LANGUAGES["fr"], LANGUAGES["de"])
    assert facts.language == LANGUAGES["de"]


@pytest.mark.requirement("PD-13")
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_games_as_they_are_may_be_offered(rules: Rules, tmp_path: Path) -> None:
    check_return(rules, tmp_path)
    assert list(tmp_path.iterdir()) == [], "their sheets are part of the product"


@pytest.mark.requirement("PD-13")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"blackjack_pays": (2, 1)}, "games.rules.classic: found rules that return 101."),
        ({"insurance_pays": (3, 1), "blackjack_pays": (5, 2)}, "expected 80 % to 100 %"),
    ],
    ids=["blackjack pays two", "blackjack pays more"],
)
def test_rules_that_return_more_than_everything_are_refused(
    changes: dict[str, tuple[int, int]], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=words):
        check_return(vary(CLASSIC, splits_max=0, **changes), tmp_path)
    assert list(tmp_path.iterdir()) == [], "the data folder is not accepted yet"


@pytest.mark.requirement("PD-13")
def test_rules_that_return_too_little_are_refused(tmp_path: Path) -> None:
    rules = vary(CLASSIC, splits_max=0, decks=2)
    sheet = replace(cached_sheet(rules, None), ev_best=-0.21)
    (tmp_path / "par").mkdir()
    write_sheets(tmp_path / "par" / f"par-{key_of(rules)}.json", [sheet])
    with pytest.raises(ConfigError, match=r"found rules that return 79.00 % by best play"):
        check_return(rules, tmp_path)


def test_only_a_simulated_cabinet_has_keys(tmp_path: Path) -> None:
    assert not machine_info(Config(), tmp_path).simulated
    assert machine_info(Config(), tmp_path, simulated=True, keys=(("C", "CASH OUT"),)).keys


KEYS = (("h", "HIT"),)


@pytest.mark.parametrize(
    ("coach", "keys", "speaks"),
    [
        (CoachSection(), (), False),
        (CoachSection(), KEYS, False),
        (CoachSection(offered=True), (), False),
        (CoachSection(offered=True), KEYS, True),
        (CoachSection(offered=True, with_real_money=True), (), True),
        (CoachSection(with_real_money=True), (), False),
    ],
    ids=["as delivered", "as delivered, simulated", "offered", "offered, simulated", "for money", "not offered"],
)
def test_a_coach_exists_only_where_the_operator_offers_it(
    coach: CoachSection, keys: tuple[tuple[str, str], ...], speaks: bool, tmp_path: Path
) -> None:
    config = Config(coach=coach, games=GamesSection(offered=("classic",)))

    facts = machine_info(config, tmp_path, simulated=bool(keys), keys=keys)

    assert (facts.coaches.keys() == {"classic"}) is speaks
    assert (tmp_path / "par").exists() is speaks, "nothing is computed without a coach"
