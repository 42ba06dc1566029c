"""The past games of the pictures: one of each kind, each with its story and its steps."""

from cabinet.engine.state import Settings
from cabinet.tools.gallery_games import past_games


def test_each_game_is_over_and_has_its_story_and_its_steps():
    stories, games = past_games(Settings())
    assert [story["game"] for story in stories] == ["classic", "table", "european"]
    assert not any(story["open"] for story in stories)
    assert [game.number for game in games] == [story["number"] for story in stories]
    assert all(game.steps[-1].machine.results is not None for game in games)
