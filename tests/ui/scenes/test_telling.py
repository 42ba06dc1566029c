"""How far a story is told: what has begun, what is under way, what is over."""

import pytest
from support.snapshot import Player, at

from cabinet.engine.inputs import Bet, Deal, Split, Stand
from cabinet.presentation.snapshot import skip_story
from cabinet.presentation.timeline import FRAME_S
from cabinet.ui.scenes.telling import TOLD, Telling, telling_of


def telling(player: Player) -> Telling:
    """The telling at the player's moment."""
    return telling_of(player.snapshot, player.now_s, turbo=False)


def won() -> Player:
    """A hand just won, its story about to begin."""
    return Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")


def test_a_story_begins_untold_and_ends_told():
    player = won()
    assert not telling(player).told
    assert telling(player.settle()).told
    assert telling(player).next_change_s(player.now_s) is None


def test_a_card_is_found_by_where_it_lies():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    story = telling(player)
    first, hole = story.card(0, 0, 0), story.card(None, 0, 0)
    assert first is not None
    assert hole is not None
    assert first.start_s < hole.start_s
    assert story.card(0, 0, 2) is None
    assert story.deals
    assert story.decision() is None


def test_settling_and_turning_have_their_beats():
    story = telling(won())
    turned, settled, counted = story.hole(), story.result(0, 0), story.counting()
    assert turned is not None
    assert settled is not None
    assert counted is not None
    assert turned.start_s < settled.start_s < counted.end_s
    assert story.insurance(0) is None
    assert story.result(0, 1) is None


def test_a_split_has_its_beat_and_its_decision():
    player = Player().put(*at("table"), Bet(), Deal(), Split(), cards="8S 6S 8H 10D 3C 10H")
    story = telling(player)
    assert story.split(0) is not None
    assert story.split(1) is None
    decision = story.decision()
    assert decision is not None
    assert (decision.place, decision.hand) == (0, 0)


def test_while_something_moves_the_next_frame_is_asked_for():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").wait(0.15)
    assert telling(player).next_change_s(player.now_s) == player.now_s + FRAME_S
    waiting = won()
    change_s = telling(waiting).next_change_s(waiting.now_s)
    assert change_s is not None
    assert change_s > waiting.now_s + FRAME_S


def test_progress_runs_from_nothing_to_all():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    beat = telling(player).card(0, 0, 0)
    assert beat is not None
    player.now_s = beat.start_s
    assert telling(player).share(beat) == 0
    player.now_s = beat.land_s
    assert telling(player).eased(beat) == 1
    assert telling(player).turned(beat) == 0
    player.now_s = beat.end_s
    assert telling(player).turned(beat) == pytest.approx(1)
    assert telling(player).over(beat)


def test_a_hurried_story_is_told_at_once():
    player = won().wait(0.1)
    player.snapshot = skip_story(player.snapshot, player.now_s)
    assert telling(player).at_s == TOLD
    assert list(telling(player).running()) == []
