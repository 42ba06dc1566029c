"""Cards that are cleared away."""

from support.news import SIZE, Player, at

from cabinet.engine.inputs import Bet, Deal, Stand, ToggleTurbo
from cabinet.ui.layout import layout, sprite_rect
from cabinet.ui.scenes.sweep import SWEEP_S, swept, swept_change_s
from cabinet.ui.view import Kind

CARDS = "AS 6S 7H 9D KH"


def cleared(*before: ToggleTurbo) -> Player:
    """A player whose first chip of the next round has just cleared five cards away."""
    player = Player().put(*at("classic"), *before, Bet(), Deal(), Stand(), cards=CARDS).settle()
    assert swept(player.moment()) == ()
    return player.put(Bet())


def test_the_cards_of_the_last_round_leave_together_with_their_faces_up():
    player = cleared()
    leaving = swept(player.moment())
    assert len(leaving) == 5
    assert {sprite.end.kind for sprite in leaving} == {Kind.DISCARD}
    assert all(sprite.card is not None for sprite in leaving)
    assert len({sprite.progress for sprite in leaving}) == 1


def test_they_are_gone_soon_and_nothing_is_drawn_for_them_any_more():
    player = cleared()
    began = player.now_s
    assert swept_change_s(player.moment()) is not None
    player.now_s = began + SWEEP_S * 0.9
    (first, *_) = swept(player.moment())
    assert 0.9 < first.progress < 1
    player.now_s = began + SWEEP_S
    assert swept(player.moment()) == ()
    assert swept_change_s(player.moment()) is None


def test_turbo_leaves_the_travel_out():
    assert swept(cleared(ToggleTurbo()).moment()) == ()


def test_a_card_keeps_its_size_while_it_leaves():
    player = cleared()
    player.now_s += SWEEP_S / 2
    screen = player.screen()
    where = layout(SIZE, screen)
    leaving = [sprite for sprite in screen.sprites if sprite.card is not None]
    assert leaving
    assert all(_size(where.rect(sprite.start)) == _size(sprite_rect(where, sprite)) for sprite in leaving)


def _size(rect: tuple[int, int, int, int]) -> tuple[int, int]:
    return rect[2], rect[3]
