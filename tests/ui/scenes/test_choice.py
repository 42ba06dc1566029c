"""The game choice is made from the rules."""

from dataclasses import replace

import pytest
from support.snapshot import Player

from cabinet.engine.inputs import PointAtGame
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, vary
from cabinet.engine.state import Settings
from cabinet.text.messages import LANGUAGES, Language, Words
from cabinet.ui.scenes.choice import choice_view, game_lines


def test_all_games_are_offered_and_one_is_pointed_at():
    player = Player()
    shown = choice_view(player.moment())
    assert [game.title for game in shown.games] == ["European Blackjack", "Table Blackjack", "Classic Blackjack"]
    assert [game.pointed for game in shown.games] == [True, False, False]
    assert all(game.enabled for game in shown.games)
    player.put(PointAtGame())
    assert [game.pointed for game in choice_view(player.moment()).games] == [False, True, False]


def test_a_known_return_is_shown():
    games = choice_view(Player().moment()).games
    assert [game.returns for game in games] == ["Return 99.49% with best play", "", ""]


def test_a_games_lines_follow_from_its_rules():
    assert game_lines(Words(), EUROPEAN) == (
        "One to five places in a round",
        "The dealer’s second card comes last",
        "Pairs split up to four hands",
    )
    assert game_lines(Words(), CLASSIC) == (
        "One place against the dealer",
        "The dealer looks for blackjack first",
        "Pairs split once",
    )


def test_no_two_games_have_the_same_text():
    texts = [game_lines(Words(), rules) for rules in GAMES.values()]
    assert len(set(texts)) == len(texts)
    assert "A hand of eleven cards wins" in game_lines(Words(), GAMES["table"])


def test_a_common_blackjack_payoff_is_shown_once():
    assert choice_view(Player().moment()).lines == ("Blackjack pays 3 to 2 at every table",)


def test_different_blackjack_payoffs_stand_on_each_card():
    european, *others = Settings().tables
    paying = replace(european, rules=vary(EUROPEAN, blackjack_pays=(6, 5)))
    shown = choice_view(Player(settings=Settings(tables=(paying, *others))).moment())
    assert shown.lines == ()
    assert [game.lines[0] for game in shown.games] == ["Blackjack pays 6 to 5", *["Blackjack pays 3 to 2"] * 2]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_each_number_of_splits_has_its_own_text(language: Language):
    words = Words(language=language)
    texts = [game_lines(words, vary(EUROPEAN, splits_max=times))[2] for times in range(4)]
    assert len(set(texts)) == 4
    assert words.number(1) not in texts[0].split()


def test_a_game_without_splitting_says_so():
    assert "Pairs are not split" in game_lines(Words(), vary(CLASSIC, splits_max=0))
