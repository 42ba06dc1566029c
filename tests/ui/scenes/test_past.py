"""The table of a past game: what the player saw at each still, and between two of them only what had happened."""

from dataclasses import replace

import pytest
from support.past_games import GAMES, games, settings_of

from cabinet.attendant.pictures import GameStep, past_game
from cabinet.engine.effects import CardDealt, HandSettled, HoleTurned
from cabinet.engine.round import Stage
from cabinet.presentation.snapshot import next_snapshot
from cabinet.text.messages import Words
from cabinet.ui.scenes.past import past_table
from cabinet.ui.scenes.playback import playback_of
from cabinet.ui.scenes.table import Seen, table_view
from cabinet.ui.view import HandView, TableView

WORDS = Words()


@pytest.fixture(scope="module", params=GAMES)
def played(request):
    """Random games of one kind, with their settings."""
    return settings_of(request.param), [game for seed in range(2) for game in games(request.param, seed)]


def _live(settings, step) -> TableView:
    """The table at the end of the animation of a live step."""
    snapshot = next_snapshot(
        None,
        machine=step.machine,
        events=step.events,
        lit=frozenset(),
        notes=True,
        attendant=None,
        now_s=10.0,
        settings=settings,
    )
    playback = playback_of(snapshot, snapshot.open_at_s, turbo=step.machine.seat.turbo)
    table = settings.table(step.machine.seat.game_id)
    return table_view(Seen(machine=step.machine, table=table, playback=playback, words=WORDS, now_s=snapshot.open_at_s))


def _untouched(table: TableView) -> TableView:
    """The table without what a touch or the time of day adds."""
    places = tuple(
        replace(
            place, bettable=False, takeable=False, pointed=False, asked=False, hands=tuple(map(_still, place.hands))
        )
        for place in table.places
    )
    return replace(table, places=places, all_bettable=False)


def _still(hand: HandView) -> HandView:
    return hand if hand.plaque is None else replace(hand, plaque=replace(hand.plaque, soft=bool(hand.plaque.soft_word)))


@pytest.mark.requirement("EV-03")
def test_at_each_still_the_table_is_that_of_the_live_screen(played):
    settings, found = played
    compared = 0
    for game in found:
        live = {row.when: step for row, step in zip(game.rows, game.steps, strict=True)}
        for step in past_game(game.number, game.rows, settings).steps:
            machine = live[step.when].machine
            if step.still and machine.round is not None and not machine.locks and not machine.access.audit_key:
                assert _untouched(past_table(step, WORDS, settings)) == _untouched(_live(settings, live[step.when]))
                compared += 1
    assert compared > 30


def test_at_each_step_exactly_the_cards_that_were_dealt_lie_on_the_table(played):
    settings, found = played
    for game in found:
        dealt: list[tuple[int | None, int]] = []
        turned: set[int] = set()
        for step in past_game(game.number, game.rows, settings).steps:
            event = step.events[step.shown - 1] if step.money is None else None
            if isinstance(event, CardDealt):
                dealt.append((event.place, event.card))
            if isinstance(event, HoleTurned):
                turned.add(event.card)
            table = past_table(step, WORDS, settings)
            assert sorted(_faces(table)) == sorted(
                (-1 if place is None else place, card) for place, card in _up(dealt, turned)
            )


def _up(dealt, turned):
    """Each dealt card with its place; the hole card by its face once it is turned."""
    for place, card in dealt:
        if card >= 0:
            yield place, card
        elif turned:
            yield place, next(iter(turned))
        else:
            yield place, -1


def _faces(table: TableView):
    for card in table.dealer.hand.cards:
        yield -1, -1 if card.card is None else card.card
    for place in table.places:
        for hand in place.hands:
            for card in hand.cards:
                yield place.number, card.card


@pytest.mark.parametrize("game_id", [game_id for game_id, rules in GAMES.items() if rules.hole_card])
def test_the_hole_card_of_an_open_game_stays_hidden(game_id):
    settings = settings_of(game_id)
    every = [step for game in games(game_id, 0) for step in past_game(game.number, game.rows, settings).steps]
    dealt = [
        past_table(step, WORDS, settings).dealer.hand.cards
        for step in every
        if step.machine.round.stage is not Stage.OVER
    ]
    whole = [cards for cards in dealt if len(cards) == 2]
    assert whole
    assert all(sum(card.card is None for card in cards) == 1 for cards in whole)


def test_no_result_shows_before_its_step(played):
    settings, found = played
    for game in found:
        settled: set[tuple[int, int]] = set()
        for step in past_game(game.number, game.rows, settings).steps:
            event = step.events[step.shown - 1] if step.money is None else None
            if isinstance(event, HandSettled):
                settled.add((event.place, event.hand))
            shown = _dimmed_or_paid(step, settings)
            assert shown <= settled


def _dimmed_or_paid(step: GameStep, settings) -> set[tuple[int, int]]:
    return {
        (place.number, nth)
        for place in past_table(step, WORDS, settings).places
        for nth, hand in enumerate(place.hands)
        if hand.dimmed or hand.win_chips
    }


def test_no_place_of_a_past_game_can_be_touched_and_nothing_moves(played):
    settings, found = played
    for step in past_game(found[0].number, found[0].rows, settings).steps:
        table = past_table(step, WORDS, settings)
        assert not table.all_bettable
        assert not any(place.bettable or place.takeable or place.pointed for place in table.places)
        cards = [card for place in table.places for hand in place.hands for card in hand.cards]
        assert not any(card.hidden or card.turn not in {0.0, 1.0} for card in (*cards, *table.dealer.hand.cards))
