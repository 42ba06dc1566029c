"""Cleared cards and chips leave from their places, and the sweep ends soon."""

import pytest
from support.snapshot import SIZE, Player, at

from cabinet.engine.inputs import Bet, BetAll, Deal, Hit, Rebet, Split, Stand, ToggleTurbo
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout, sprite_rect
from cabinet.ui.scenes.sweep import SWEEP_S, swept, swept_change_s, table_before
from cabinet.ui.view import DEALER, HandView, Kind, Slot, SpriteKind, TableView

CARDS = "AS 6S 7H 9D KH"
HIT_CARDS = "2S 6S 3H 9D 2H 3D 4H AC QC"
EUROPEAN_CARDS = "8S 2D 10S QD 9H 10C 8C 3D 7S KC 2H 3H 8H 5H 4C 4D 5D 6C 6D QC"


def cleared(*before: ToggleTurbo) -> Player:
    """Returns a player whose first chip of the next round has just cleared five cards away."""
    player = Player().put(*at("classic"), *before, Bet(), Deal(), Stand(), cards=CARDS).settle()
    assert swept(player.moment()) == ()
    return player.put(Bet())


def test_the_cards_of_the_last_round_leave_together_with_their_faces_up():
    leaving = [sprite for sprite in swept(cleared().moment()) if sprite.kind is SpriteKind.CARD]
    assert len(leaving) == 5
    assert {sprite.end.kind for sprite in leaving} == {Kind.DISCARD}
    assert all(sprite.card is not None for sprite in leaving)
    assert len({sprite.progress for sprite in leaving}) == 1


def test_the_sweep_ends_soon_and_draws_nothing_more():
    player = cleared()
    began = player.now_s
    assert swept_change_s(player.moment()) is not None
    player.now_s = began + SWEEP_S * 0.9
    (first, *_) = swept(player.moment())
    assert 0.9 < first.progress < 1
    player.now_s = began + SWEEP_S
    assert swept(player.moment()) == ()
    assert table_before(player.moment()) is None
    assert swept_change_s(player.moment()) is None


def test_turbo_leaves_the_travel_out():
    assert swept(cleared(ToggleTurbo()).moment()) == ()


def test_a_press_during_the_sweep_removes_nothing_early():
    player = cleared().wait(SWEEP_S / 2)
    before = swept(player.moment())
    player.step(Bet())
    assert swept(player.moment()) == before
    player.step(Deal())
    assert swept(player.moment()) == before


def _played(game_id: str) -> Player:
    """Returns a player after a round that fills its places: hands of three and more cards, and a split one."""
    if game_id == "european":
        given = (BetAll(), Deal(), Split(), Stand(), Hit(), Hit(), Stand())
        player = Player().put(*at("european", credit_cents=100_000), *given, cards=EUROPEAN_CARDS)
    else:
        player = Player().put(*at(game_id), Bet(), Deal(), Hit(), Hit(), cards=HIT_CARDS)
    for _ in range(9):
        player.settle()
        if player.machine.results is None:
            player.put(Stand(), cards="10S 9S 8D")
    return player.settle()


@pytest.mark.parametrize("game_id", ["european", "classic", "table"])
@pytest.mark.parametrize("size", [SIZE, (1280, 1024), (1920, 1080)])
def test_everything_leaves_from_its_exact_place_at_its_size(game_id: str, size: tuple[int, int]):
    player = _played(game_id)
    screen = player.screen()
    assert screen.table is not None
    assert max(len(hand.cards) for _, _, hand in _hands(screen.table)) > 2
    before = layout(size, screen)
    rects_before = {slot: before.rect(slot) for slot in _lying(screen.table)}
    player.now_s += 5.0
    player.step(Rebet())
    cleared = player.screen()
    where = layout(size, cleared)
    leaving = {sprite.start: sprite_rect(where, sprite) for sprite in cleared.sprites if sprite.swept}
    assert leaving == rects_before
    player.now_s += SWEEP_S * 0.999
    gone = player.screen()
    where = layout(size, gone)
    for sprite in gone.sprites:
        if sprite.swept and sprite.kind is SpriteKind.CARD:
            rect: Rect = sprite_rect(where, sprite)
            assert rect[2:] == rects_before[sprite.start][2:]
            assert rect.right <= 1, "out of sight"


def test_cards_of_a_lost_hand_leave_in_shade():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 8H QD KH").settle()
    assert player.screen().table.places[0].hands[0].dimmed
    player.put(Bet())
    dimmed = {sprite.start.place: sprite.dimmed for sprite in swept(player.moment())}
    assert dimmed == {DEALER: False, 0: True}


def _hands(table: TableView) -> list[tuple[int, int, HandView]]:
    places = [(place.number, nth, hand) for place in table.places for nth, hand in enumerate(place.hands)]
    return [(DEALER, 0, table.dealer.hand), *places]


def _lying(table: TableView) -> set[Slot]:
    """Returns the slots of every card and stack on a table."""
    cards = {Slot(Kind.CARD, p, h, n) for p, h, hand in _hands(table) for n in range(len(hand.cards))}
    stacks = {Slot(Kind.CHIPS, p, h) for p, h, hand in _hands(table) if hand.chips}
    return cards | stacks | {Slot(Kind.WIN_CHIPS, p, h) for p, h, hand in _hands(table) if hand.win_chips}
