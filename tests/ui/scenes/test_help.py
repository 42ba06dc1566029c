"""Help pages and the list of keys."""

from dataclasses import replace

import pytest
from support.snapshot import FACTS, Player, at

from cabinet.engine.inputs import Button
from cabinet.text.messages import LANGUAGES, Key, Language, Words
from cabinet.text.rules import Section, help_sections
from cabinet.ui.scenes.help import help_view, keys_view, pages_of
from cabinet.ui.view import ChartRow, ChartView, OverlayAction

CHART = ChartView(title="Basic strategy", columns=("2",), rows=())


def test_help_is_closed_until_it_is_opened():
    assert help_view(Player().moment()) is None
    assert keys_view(Player().read(keys_shown=True).moment()) is None


@pytest.mark.requirement("PD-08", "PD-09")
def test_every_section_of_the_rules_is_on_a_page_and_the_chart_is_the_last():
    player = Player(facts=replace(FACTS, charts={"classic": CHART})).put(*at("classic")).settle()
    table = player.settings.table("classic")
    sections = help_sections(player.moment().words, table, player.settings)
    pages = len(pages_of(sections)) + 1
    shown_sections = []
    for page in range(pages):
        shown = help_view(player.read(help_page=page).moment())
        assert shown is not None
        assert shown.position == f"Page {page + 1} of {pages}"
        shown_sections += [(shown.heading, shown.lines), *((each.heading, each.lines) for each in shown.further)]
        assert (shown.chart is not None) is (page == pages - 1)
    assert shown_sections == [*((section.title, section.lines) for section in sections), ("Basic strategy", ())]


def test_short_sections_share_a_page_and_long_ones_do_not():
    short, long = Section(title="a", lines=("word",) * 2), Section(title="b", lines=("word " * 40,) * 4)
    assert pages_of((short,)) == ((short,),)
    assert pages_of((short, short, long, short)) == ((short, short), (long,), (short,))


def test_pages_are_about_equally_full():
    third = Section(title="a", lines=("word",) * 3)
    assert [len(page) for page in pages_of((third,) * 4)] == [2, 2], "three would have room on the first"


def test_there_is_no_page_before_the_first_or_after_the_last():
    player = Player().put(*at("classic")).settle()
    first = help_view(player.read(help_page=0).moment())
    last = help_view(player.read(help_page=999).moment())
    assert first is not None
    assert last is not None
    enabled = [{button.action: button.enabled for button in page.buttons} for page in (first, last)]
    assert [page[OverlayAction.BACK] for page in enabled] == [False, True]
    assert [page[OverlayAction.FORWARD] for page in enabled] == [True, False]
    assert last.heading


def test_help_explains_the_game_in_play_or_pointed_at():
    shown = help_view(Player().put(*at("table")).read(help_page=0).moment())
    assert shown is not None
    assert shown.title == "Table Blackjack: rules and help"


@pytest.mark.requirement("SE-04")
def test_keys_are_listed_only_in_a_simulated_cabinet():
    facts = replace(FACTS, simulated=True, keys=(("H", Button.HIT), ("F5", "main door")))
    player = Player(facts=facts).read(keys_shown=True)
    shown = keys_view(player.moment())
    assert shown is not None
    assert shown.rows == (("H", "HIT"), ("F5", "main door"))
    german = keys_view(player.read(language=LANGUAGES["de"]).moment())
    assert german is not None
    assert german.rows == (("H", "KARTE"), ("F5", "main door")), "a button has the name of its legend"


def test_every_page_says_how_it_is_turned_and_closed_with_buttons_alone():
    player = Player().put(*at("classic")).settle()
    first = help_view(player.read(help_page=0).moment())
    last = help_view(player.read(help_page=99).moment())
    assert first is not None
    assert last is not None
    assert first.note == "With buttons: hold PLACE for the next page; the last one closes."
    assert last.note == "With buttons: hold PLACE to close."


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_charts_legend_explains_only_its_own_advice(language: Language):
    for cells in ("HSDdP", "HSDd", "HS"):
        chart = ChartView(title="", columns=("2",), rows=(ChartRow(hand="8", cells=tuple(cells)),))
        player = Player(facts=replace(FACTS, charts={"classic": chart})).put(*at("classic"))
        shown = help_view(player.read(help_page=99, language=language).moment())
        assert shown is not None
        assert shown.chart is not None
        assert [letter for letter, _ in shown.chart.legend] == list(shown.chart.rows[0].cells)
        assert shown.chart.title == Words(language=language).say(Key.HELP_CHART_AXES)
