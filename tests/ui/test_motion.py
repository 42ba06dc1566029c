"""Whole rounds frame by frame: every moving thing begins and ends exactly at its places, and never jumps in between.
Random rounds, more crowded than real play; distances are between middles."""

import random
from collections.abc import Iterator

import pytest
from support.snapshot import SIZE, Player, at

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Bet, BetAll, Command, Deal, DeclineInsurance, Double, Hit, Insure, Rebet, Split, Stand
from cabinet.engine.state import Machine
from cabinet.presentation.timeline import timeline
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import LYING, layout, sprite_rect
from cabinet.ui.view import DEALER, HandView, Kind, Slot, Sprite, SpriteKind, TableView

WISHES: tuple[Command, ...] = (
    *(Split(), Double(), Hit(), Hit(), Stand(), Insure(), DeclineInsurance()),
    *(Bet(place=0), Bet(place=3), BetAll(), Deal(), Deal(), Rebet()),
)
FRAME_S = 1 / 30
INSTANT_S = 1e-6
MOMENT_S = 1e-4
"""Seconds in which nothing moves further than `NEAR_PX`: flights take at least a quarter of a second."""
NEAR_PX = 3.0
Picture = dict[object, Rect]


def _card(machine: Machine, slot: Slot) -> object:
    """Returns the card and round of a slot, wherever it was before."""
    assert machine.round is not None
    if slot.place == DEALER:
        return "card", machine.round_number, machine.round.dealer[slot.nth]
    place = next(place for place in machine.round.places if place.number == slot.place)
    return "card", machine.round_number, place.hands[slot.hand].cards[slot.nth]


def _hands(table: TableView) -> Iterator[tuple[int, int, HandView]]:
    yield DEALER, 0, table.dealer.hand
    for place in table.places:
        for number, hand in enumerate(place.hands):
            yield place.number, number, hand


def _lying(player: Player, table: TableView) -> Iterator[tuple[object, Slot]]:
    """Yields the things on the table, and where they are."""
    for place, number, hand in _hands(table):
        for nth, card in enumerate(hand.cards):
            if not card.hidden:
                slot = Slot(Kind.CARD, place, number, nth)
                yield _card(player.machine, slot), slot
        for kind, chips in ((Kind.CHIPS, hand.chips), (Kind.WIN_CHIPS, hand.win_chips)):
            if chips:
                yield (kind, place, number), Slot(kind, place, number)
        if hand.plaque is not None:
            yield (Kind.PLAQUE, place, number), Slot(Kind.PLAQUE, place, number)


def _flying(player: Player, sprite: Sprite) -> object:
    if sprite.kind is SpriteKind.CHIPS:
        return sprite.kind, sprite.start, sprite.end, sprite.swept
    if sprite.swept:
        assert player.snapshot.swept is not None
        return _card(player.snapshot.swept, sprite.start)
    return _card(player.machine, sprite.end)


def picture(player: Player, now_s: float) -> Picture:
    """Returns where everything is at a moment with motion."""
    player.now_s = now_s
    screen = player.screen()
    where = layout(SIZE, screen)
    assert screen.table is not None
    found = {name: where.rect(slot) for name, slot in _lying(player, screen.table)}
    return found | {_flying(player, sprite): sprite_rect(where, sprite) for sprite in screen.sprites}


def moved(before: Picture, after: Picture) -> dict[object, float]:
    """Returns the distance of things from their last places, when it is too far for so short a time."""
    far = {name: _distance(before[name], after[name]) for name in before.keys() & after.keys()}
    return {name: distance for name, distance in far.items() if distance > NEAR_PX}


def _distance(one: Rect, other: Rect) -> float:
    return max(abs(2 * (one[n] - other[n]) + one[n + 2] - other[n + 2]) / 2 for n in (0, 1))


def jumps(player: Player) -> Iterator[object]:
    """Yields the things that jump during the newest animation."""
    snapshot, began_s = player.snapshot, player.snapshot.began_at_s
    beats = timeline(snapshot.events, turbo=False, from_s=began_s)
    for moment_s in sorted(
        {s for beat in beats for s in (beat.start_s, beat.land_s, beat.end_s)} | {snapshot.open_at_s}
    ):
        if moment_s > began_s:
            before, after = picture(player, moment_s - INSTANT_S), picture(player, moment_s + INSTANT_S)
            yield from moved(before, after).items()
            yield from _not_landed(before, after)
    now_s, before = began_s, picture(player, began_s)
    while now_s < _finish_s(player):
        after = picture(player, now_s + FRAME_S)
        yield from _found_between(player, (now_s, before), (now_s + FRAME_S, after)).items()
        now_s, before = now_s + FRAME_S, after


def _not_landed(before: Picture, after: Picture) -> Iterator[object]:
    """Yields stacks that were flying to a place where one is now, and are not there."""
    for name in before.keys() - after.keys():
        match name:
            case (SpriteKind.CHIPS, _, Slot(kind=kind, place=place, hand=hand), False) if kind in LYING:
                there = after.get((kind, place, hand))
                if there is None or _distance(before[name], there) > NEAR_PX or before[name][2:] != there[2:]:
                    yield name, before[name], there
            case (SpriteKind.CHIPS, _, Slot(), False) | (Kind.PLAQUE | Kind.CHIPS | Kind.WIN_CHIPS, _, _):
                continue
            case ("card", _, _):
                if before[name].right > 1:
                    yield name, before[name], None
    for name in after.keys() - before.keys():
        match name:
            case (SpriteKind.CHIPS, Slot(kind=kind, place=place, hand=hand), _, False) if kind in LYING:
                was = before.get((kind, place, hand))
                if was is None or _distance(after[name], was) > NEAR_PX or after[name][2:] != was[2:]:
                    yield name, after[name], was


def _found_between(player: Player, one: tuple[float, Picture], other: tuple[float, Picture]) -> dict[object, float]:
    """Returns the jumps between two frames, searched where most moves."""
    while other[0] - one[0] > MOMENT_S and moved(one[1], other[1]):
        middle_s = (one[0] + other[0]) / 2
        middle = (middle_s, picture(player, middle_s))
        first, second = moved(one[1], middle[1]), moved(middle[1], other[1])
        one, other = (
            (one, middle) if max(first.values(), default=0) >= max(second.values(), default=0) else (middle, other)
        )
    return moved(one[1], other[1])


def _finish_s(player: Player) -> float:
    snapshot = player.snapshot
    beats = timeline(snapshot.events, turbo=False, from_s=snapshot.began_at_s)
    return max(snapshot.open_at_s, *(beat.end_s for beat in beats), snapshot.began_at_s)


def _is_card(name: object) -> bool:
    return isinstance(name, tuple) and name[0] == "card"


def _rounds(game_id: str, seed: int, steps: int) -> Iterator[tuple[Player, Picture]]:
    """Yields a player after each of some random wishes, and the last picture before it."""
    chance, player = random.Random(seed), Player(seed=seed).put(*at(game_id, credit_cents=200_000))
    for _ in range(steps):
        wishes = [wish for wish in WISHES if engine.why_not(player.settings, player.machine, wish) is None]
        player.now_s = _finish_s(player) + FRAME_S
        before = picture(player, player.now_s)
        player.step(Split() if Split() in wishes else chance.choice(wishes))
        yield player, before


@pytest.mark.sample(2)
@pytest.mark.parametrize("game_id", ["european", "classic", "table"])
@pytest.mark.parametrize("seed", [1, 4])
def test_nothing_on_the_table_jumps(game_id: str, seed: int):
    for player, before in _rounds(game_id, seed, steps=22):
        began_s = player.now_s
        after = picture(player, began_s)
        assert moved(before, after) == {}, "an animation begins where the last one ended"
        assert {name for name in before.keys() - after.keys() if _is_card(name)} == set(), "no card moves by itself"
        assert list(jumps(player)) == []
