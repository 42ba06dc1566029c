"""The playback of an animation: which beats have begun, run or ended."""

import pytest
from support.snapshot import Player, at

from cabinet.engine.inputs import Bet, Deal, Split, Stand
from cabinet.presentation.snapshot import skip_animation
from cabinet.presentation.timeline import FRAME_S
from cabinet.ui.scenes.playback import AFTER_END, Playback, playback_of


def playback(player: Player) -> Playback:
    """Returns the playback at the player's moment."""
    return playback_of(player.snapshot, player.now_s, turbo=False)


def won() -> Player:
    """Returns a hand that was just won, before its animation."""
    return Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")


def test_a_playback_begins_unfinished_and_ends_finished():
    player = won()
    assert not playback(player).finished
    assert playback(player.settle()).finished
    assert playback(player).next_change_s(player.now_s) is None


def test_a_cards_beat_is_found_by_its_place():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    animation = playback(player)
    first, hole = animation.card(0, 0, 0), animation.card(None, 0, 0)
    assert first is not None
    assert hole is not None
    assert first.start_s < hole.start_s
    assert animation.card(0, 0, 2) is None
    assert animation.deals
    assert animation.decision() is None


def test_settling_and_turning_have_their_beats():
    animation = playback(won())
    turned, settled, counted = animation.hole(), animation.result(0, 0), animation.counting()
    assert turned is not None
    assert settled is not None
    assert counted is not None
    assert turned.start_s < settled.start_s < counted.end_s
    assert animation.insurance(0) is None
    assert animation.result(0, 1) is None


def test_a_split_has_its_beat_and_its_decision():
    player = Player().put(*at("table"), Bet(), Deal(), Split(), cards="8S 6S 8H 10D 3C 10H")
    animation = playback(player)
    assert animation.split(0) is not None
    assert animation.split(1) is None
    decision = animation.decision()
    assert decision is not None
    assert (decision.place, decision.hand) == (0, 0)


def test_a_moving_thing_asks_for_the_next_frame():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").wait(0.15)
    assert playback(player).next_change_s(player.now_s) == player.now_s + FRAME_S
    waiting = won()
    change_s = playback(waiting).next_change_s(waiting.now_s)
    assert change_s is not None
    assert change_s > waiting.now_s + FRAME_S


def test_progress_runs_from_0_to_1():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    beat = playback(player).card(0, 0, 0)
    assert beat is not None
    player.now_s = beat.start_s
    assert playback(player).share(beat) == 0
    player.now_s = beat.land_s
    assert playback(player).eased(beat) == 1
    assert playback(player).turned(beat) == 0
    player.now_s = beat.end_s
    assert playback(player).turned(beat) == pytest.approx(1)
    assert playback(player).has_ended(beat)


def test_a_skipped_animation_is_at_its_end_at_once():
    player = won().wait(0.1)
    player.snapshot = skip_animation(player.snapshot, player.now_s)
    assert playback(player).at_s == AFTER_END
    assert list(playback(player).running()) == []
