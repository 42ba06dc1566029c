"""An idle cabinet: real rules, real hands, no false amounts."""

import itertools

import pytest
from support.snapshot import Player, at, notes

from cabinet.engine.blackjack import results
from cabinet.engine.inputs import Bet, Button, Deal, Double, Hit, PlayerLeft, Split, Stand
from cabinet.engine.round import Stage
from cabinet.engine.state import Phase
from cabinet.ui.scenes.attract import (
    FADE_S,
    SLIDE_S,
    attract_change_s,
    attract_view,
    demonstration,
    lesson_of,
    slide_began_s,
    slide_of,
    table_shown,
)
from cabinet.ui.scenes.lessons import Lesson, hand_for


def idle(seconds: float = 0.0) -> Player:
    """Returns a cabinet that no player has touched for these seconds."""
    return Player().put(PlayerLeft()).wait(seconds)


def test_slides_take_turns_welcome_first():
    shown = []
    for slide in range(5):
        moment = idle(slide * SLIDE_S + 1).moment()
        assert slide_of(moment) == slide
        assert moment.now_s - slide_began_s(moment) == pytest.approx(1)
        table = table_shown(moment)
        shown.append(table.rules.game_id if table else "welcome")
    assert shown == ["welcome", "european", "table", "classic", "welcome"]


@pytest.mark.requirement("RG-04")
def test_the_welcome_shows_the_start_limits_time_and_help():
    view = attract_view(idle(1).moment())
    lines = " / ".join((view.call, *view.lines, *view.foot))
    for words in ("Touch the screen", "Notes taken: $1, $5", "$1 to $100", "March 5, 2031, 14:32", "Help: 0800"):
        assert words in lines


def test_slides_fade_in_and_drift():
    assert attract_view(idle(FADE_S / 2).moment()).fade == pytest.approx(0.5, abs=0.01)
    assert attract_view(idle(FADE_S + 1).moment()).fade == 1
    drifts = [attract_view(idle(slide * SLIDE_S + 1).moment()).drift for slide in range(8)]
    assert len(set(drifts)) == 8
    assert all(abs(x) <= 8 and abs(y) <= 8 for x, y in drifts)


@pytest.mark.requirement("PD-23", "RG-06")
@pytest.mark.parametrize("slide", [1, 2, 3, 5, 6, 7, 41, 42, 43])
def test_a_demonstration_is_a_round_the_game_can_produce(slide: int):
    moment = idle(slide * SLIDE_S + 1).moment()
    table = table_shown(moment)
    assert table is not None
    seen = demonstration(moment, table)
    assert seen.round is not None
    assert seen.machine.results == (results(seen.round) if seen.round.stage is Stage.OVER else None)
    ended = demonstration(idle((slide + 1) * SLIDE_S - 0.5).moment(), table)
    assert ended.round is not None
    assert ended.machine.results == results(ended.round)
    assert len(set(seen.round.drawn)) == len(seen.round.drawn)
    assert not seen.amounts


def test_demonstrations_differ_from_slide_to_slide():
    rounds = []
    for slide in (1, 5, 9):
        moment = idle(slide * SLIDE_S + 1).moment()
        table = table_shown(moment)
        assert table is not None
        rounds.append(demonstration(moment, table).round)
    assert all(a != b for a, b in itertools.combinations(rounds, 2))


@pytest.mark.parametrize("slide", [1, 2, 3])
def test_a_demonstration_ends_before_its_slide(slide: int):
    moment = idle((slide + 1) * SLIDE_S - 0.5).moment()
    table = table_shown(moment)
    assert table is not None
    assert demonstration(moment, table).playback.finished


def test_between_changes_the_picture_rests():
    moment = idle(FADE_S + 2).moment()
    assert attract_change_s(moment, None) == pytest.approx(slide_began_s(moment) + SLIDE_S)
    assert attract_change_s(idle(FADE_S / 2).moment(), None) < idle(FADE_S).now_s + FADE_S


@pytest.mark.requirement("PD-22", "PD-23")
def test_the_credit_shown_is_the_real_one():
    assert idle(20).screen().rail.meters[2].value == "$0.00"
    rich = Player().put(*notes(20_000), PlayerLeft()).wait(20)
    assert rich.screen().rail.meters[2].value == "$200.00"
    assert rich.screen().attract is not None


@pytest.mark.requirement("AT-07", "PD-23")
def test_every_picture_of_a_demonstration_is_marked_and_no_other():
    shown = 0
    for slide in range(1, 4):
        until_s = (slide + 1) * SLIDE_S
        player = idle(slide * SLIDE_S)
        left_s = until_s - slide * SLIDE_S
        while left_s > 0:
            table = player.screen().table
            assert table is not None
            assert table.demonstration.startswith("DEMONSTRATION: ")
            shown += 1
            player.wait(0.25)
            left_s -= 0.25
    assert shown > 100
    played = Player().put(*at("table"), Bet(), Deal(), cards="10S 6S 7H 9D").settle()
    assert played.screen().table.demonstration == ""


@pytest.mark.requirement("AT-07", "ME-05")
def test_a_demonstration_cannot_be_played_and_changes_no_machine():
    player = idle(SLIDE_S + 3)
    before = player.machine
    assert player.screen().table is not None
    assert (before.round, before.phase, before.books.meter("games_played")) == (None, Phase.CHOOSING, 0)
    for command in (Bet(), Deal(), Hit(), Stand(), Double(), Split()):
        player.wish(command)
        assert player.machine is before
    player.wish(Button.DEAL)
    assert (player.machine.attract, player.machine.round) == (False, None)
    table = player.screen().table
    assert table is None or table.demonstration == ""


def test_each_slide_names_its_lesson_and_that_the_hand_was_chosen():
    said = []
    for slide in (1, 2, 3, 5, 6, 7):
        player = idle(slide * SLIDE_S + 1)
        screen = player.screen()
        assert screen.table is not None
        assert screen.attract is not None
        assert "chosen to explain the rules" in screen.attract.lines[-1]
        said.append(screen.table.demonstration)
    assert len(set(said)) == 5, "games show different lessons, and another one the next time"


def test_a_demonstrated_pair_is_one_hand_until_its_split():
    moments = (idle(slide * SLIDE_S + 1).moment() for slide in range(1, 60))
    slide = next(slide_of(m) for m in moments if (t := table_shown(m)) is not None and lesson_of(m, t) is Lesson.SPLIT)
    player, hands, before = idle(slide * SLIDE_S), [], 0
    while slide_of(player.moment()) == slide:
        table = player.screen().table
        assert table is not None
        cards = sum(len(hand.cards) for place in table.places for hand in place.hands)
        assert cards in {before, before + 1}
        before = cards
        hands.append(max(len(place.hands) for place in table.places))
        player.wait(0.02)
    assert hands[0] == 1
    assert hands[-1] >= 2
    assert hands == sorted(hands)


def test_the_screen_reports_when_the_hand_is_played_on():
    player = idle(SLIDE_S + FADE_S)
    shown = set()
    while slide_of(player.moment()) == 1:
        screen = player.screen()
        assert screen.next_change_s is not None
        table = table_shown(player.moment())
        assert table is not None
        shown.add(demonstration(player.moment(), table).playback.beats[0].start_s)
        player.now_s = screen.next_change_s + 1e-6
    table = table_shown(idle(SLIDE_S + 1).moment())
    assert table is not None
    assert len(shown) == len(hand_for(table.rules, lesson_of(idle(SLIDE_S + 1).moment(), table), 0))
