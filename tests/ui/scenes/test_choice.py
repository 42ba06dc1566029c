"""The game choice is made from the rules."""

from support.news import Player

from cabinet.engine.inputs import PointAtGame
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES
from cabinet.ui.messages import Words
from cabinet.ui.scenes.choice import choice_view, game_lines


def test_all_games_are_offered_and_one_is_pointed_at():
    player = Player()
    shown = choice_view(player.moment())
    assert [game.title for game in shown.games] == ["European Blackjack", "Table Blackjack", "Classic Blackjack"]
    assert [game.pointed for game in shown.games] == [True, False, False]
    assert all(game.enabled for game in shown.games)
    player.put(PointAtGame())
    assert [game.pointed for game in choice_view(player.moment()).games] == [False, True, False]


def test_a_return_is_named_where_it_is_known():
    games = choice_view(Player().moment()).games
    assert [game.returns for game in games] == ["Return 99.49% with best play", "", ""]


def test_what_sets_a_game_apart_follows_from_its_rules():
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


def test_no_two_games_are_told_alike():
    told = [game_lines(Words(), rules) for rules in GAMES.values()]
    assert len(set(told)) == len(told)
    assert "A hand of eleven cards wins" in game_lines(Words(), GAMES["table"])


def test_what_blackjack_pays_is_said_once_for_all():
    assert choice_view(Player().moment()).lines == ("Blackjack pays 3 to 2 at every table",)
