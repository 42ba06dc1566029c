"""Demonstration hands: real, short, of every kind, and without a promise."""

import itertools

import pytest

from cabinet.engine import blackjack
from cabinet.engine.cards import Draw
from cabinet.engine.effects import HandPlayed
from cabinet.engine.round import Action, Outcome, Round, Stage
from cabinet.engine.rules import Table
from cabinet.engine.state import Settings
from cabinet.presentation.timeline import animation_end
from cabinet.ui.scenes.lessons import LONGEST_S, THINK_S, TURNS, Lesson, Step, hand_for, lessons_of, teaches

TABLES = Settings().tables
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.rules.game_id)


def rotation(table: Table) -> list[Round]:
    """Returns the finished rounds of all turns of a game, as an idle cabinet shows them."""
    lessons, game = lessons_of(table.rules), TABLES.index(table)
    order = (lessons[(turn + 2 * game) % len(lessons)] for turn in range(TURNS))
    return [hand_for(table.rules, lesson, turn)[-1].round_ for turn, lesson in enumerate(order)]


@pytest.mark.requirement("PD-23")
@each_table
@pytest.mark.parametrize("lesson", Lesson)
def test_a_hand_is_dealt_and_played_by_the_engine_and_teaches_its_lesson(table: Table, lesson: Lesson):
    steps = hand_for(table.rules, lesson, 3)
    for before, after in itertools.pairwise(steps):
        (played,) = (event for event in after.events if isinstance(event, HandPlayed))
        assert blackjack.act(before.round_, Action(played.action), _same(after.round_)) == after.round_
    ended = steps[-1].round_
    assert ended.stage is Stage.OVER
    assert len(set(ended.drawn)) == len(ended.drawn)
    assert teaches(lesson, ended)
    assert all(place.insurance_cents is None for place in ended.places), "no player is asked for more money"


def _same(after: Round) -> Draw:
    """Returns a draw of the same cards."""
    return lambda out: next(card for card in after.drawn if card not in out)


@pytest.mark.requirement("PD-23", "RG-06")
@each_table
def test_all_hands_together_return_less_than_their_stakes(table: Table):
    results = [blackjack.results(round_) for round_ in rotation(table)]
    staked = sum(result.staked_cents for result in results)
    returned = sum(result.returned_cents for result in results)
    assert 0.95 * staked < returned < staked
    hands = [hand for result in results for hand in result.hands]
    lost = sum(hand.returned_cents == 0 for hand in hands)
    assert 0.4 < lost / len(hands) < 0.6, "as hands do"
    outcomes = {hand.outcome for hand in hands}
    assert {Outcome.BLACKJACK, Outcome.WIN, Outcome.PUSH, Outcome.LOSS, Outcome.BUST} <= outcomes


@each_table
def test_doubled_and_split_hands_have_random_ends(table: Table):
    for lesson in (Lesson.DOUBLE, Lesson.SPLIT):
        ends = [blackjack.results(hand_for(table.rules, lesson, number)[-1].round_) for number in range(12)]
        assert any(end.returned_cents > end.staked_cents for end in ends)
        assert any(end.returned_cents < end.staked_cents for end in ends)


@each_table
def test_a_demonstration_hand_has_steps_and_ends_soon(table: Table):
    for lesson, number in itertools.product(Lesson, range(4)):
        steps = hand_for(table.rules, lesson, number)
        for before, after in itertools.pairwise(steps):
            assert after.at_s >= _end_s(before) + THINK_S
        assert _end_s(steps[-1]) <= LONGEST_S


def _end_s(step: Step) -> float:
    return animation_end(step.events, turbo=False, from_s=step.at_s)


def test_the_same_number_is_the_same_hand_and_another_one_another():
    rules = TABLES[0].rules
    hands = [hand_for(rules, Lesson.PUSH, number)[-1].round_ for number in range(6)]
    hand_for.cache_clear()
    assert hands == [hand_for(rules, Lesson.PUSH, number)[-1].round_ for number in range(6)]
    assert len({hand.drawn for hand in hands}) == 6


def test_hands_are_played_soundly():
    rounds = [round_ for table in TABLES for round_ in rotation(table)]
    played = [hand for round_ in rounds for place in round_.places for hand in place.hands]
    assert any(hand.doubled for hand in played)
    assert not any(hand.doubled and len(hand.cards) == 2 for hand in played)
    assert not any(hand.from_split and hand.cards[0] % 13 >= 9 for hand in played), "tens stay together"
