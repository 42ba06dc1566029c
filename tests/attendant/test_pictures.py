"""The steps of a past game: only what was recorded, in its order, with the amounts of each moment."""

from dataclasses import replace

import pytest
from support.machines import one_table
from support.past_games import GAMES, games, settings_of

from cabinet.attendant.pictures import GameRow, past_game
from cabinet.engine.effects import CardDealt, HandSettled, RoundBegan, RoundSettled, RoundVoided
from cabinet.engine.rules import EUROPEAN

SEEDS = range(2)


@pytest.fixture(scope="module", params=GAMES)
def played(request):
    """Random games of one kind, with their settings."""
    return settings_of(request.param), [game for seed in SEEDS for game in games(request.param, seed)]


@pytest.mark.requirement("EV-03")
def test_each_card_choice_and_result_of_a_game_is_a_step_in_the_recorded_order(played):
    settings, found = played
    assert len(found) > 10
    for game in found:
        past = past_game(game.number, game.rows, settings)
        shown = [step.events[step.shown - 1] for step in past.steps if step.money is None]
        recorded = [event for step in game.steps for event in step.events if type(event) in _kinds(shown)]
        assert shown == recorded
        cards = sum(isinstance(event, CardDealt) for step in game.steps for event in step.events)
        assert sum(isinstance(event, CardDealt) for event in shown) == cards


def _kinds(events):
    return {type(event) for event in events} | {RoundBegan, CardDealt, HandSettled, RoundSettled, RoundVoided}


def test_at_each_still_the_round_and_the_amounts_are_those_of_the_live_machine(played):
    settings, found = played
    for game in found:
        past = past_game(game.number, game.rows, settings)
        live = {row.when: step for row, step in zip(game.rows, game.steps, strict=True)}
        for still in (step for step in past.steps if step.still):
            machine = live[still.when].machine
            assert still.credit_cents == machine.books.credit_cents
            if machine.round is not None:
                assert (still.machine.round, still.machine.results) == (machine.round, machine.results)
                assert still.bet_cents == machine.round.staked_cents
                assert still.paid_cents == (machine.shown.last_paid_cents if machine.results else 0)


def test_a_return_is_in_the_credit_from_the_last_step_on(played):
    settings, found = played
    for game in found:
        for before, after in zip(steps := past_game(game.number, game.rows, settings).steps, steps[1:], strict=False):
            if after.paid_cents:
                assert after.credit_cents - before.credit_cents == after.paid_cents


def test_a_game_without_the_row_that_began_it_is_not_kept(played):
    settings, found = played
    past = past_game(found[0].number, found[0].rows[1:], settings)
    assert (past.steps, past.kept) == ((), False)
    assert not past_game(99, (), settings).kept


@pytest.mark.parametrize("change", ["another card", "a card more", "a card less", "another result", "another game"])
def test_a_game_that_the_engine_does_not_play_as_recorded_has_no_steps(change):
    game = next(game for game in games("european", 0) if len(game.steps) > 1 and len(game.rows[-1].drawn))
    past = past_game(game.number, _changed(game.rows, change), settings_of("european"))
    assert (past.steps, past.kept) == ((), True)


def _changed(rows: tuple[GameRow, ...], change: str) -> tuple[GameRow, ...]:
    first, *others = rows
    match change:
        case "another card":
            return (replace(first, drawn=((first.drawn[0] + 1) % 52, *first.drawn[1:])), *others)
        case "a card more":
            return (replace(first, drawn=(*first.drawn, 300)), *others)
        case "a card less":
            return (replace(first, drawn=first.drawn[:-1]), *others)
        case "another result":
            events = tuple(
                replace(event, returned_cents=event.returned_cents + 1) if isinstance(event, HandSettled) else event
                for event in rows[-1].events
            )
            return (*rows[:-1], replace(rows[-1], events=events))
    began = replace(first.events[0], game_id="poker")
    return (replace(first, events=(began, *first.events[1:])), *others)


def test_a_game_played_by_other_rules_than_now_has_no_steps():
    changed = one_table(replace(EUROPEAN, blackjack_pays=(6, 5)))
    kept = [game for seed in range(6) for game in games("european", seed)]
    past = [past_game(game.number, game.rows, changed) for game in kept]
    assert any(not game.steps and game.kept for game in past)


def test_a_note_during_a_game_is_a_step_with_the_credit_after_it():
    found = [
        step
        for game in games("european", 1)
        for step in past_game(game.number, game.rows, settings_of("european")).steps
        if step.money is not None
    ]
    assert found
    assert all(step.money[0] == "bill in" and step.still for step in found)
