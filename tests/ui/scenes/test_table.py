"""The table at one moment of an animation."""

import pytest
from support.snapshot import Player, at

from cabinet.engine.inputs import Bet, BetAll, Deal, DeclineInsurance, Double, Hit, Insure, Rebet, Split, Stand
from cabinet.engine.round import Stage
from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.layout.screen import layout, sprite_rect
from cabinet.ui.scenes.table import Seen, soft_change_s, sprites, stack_of, table_view
from cabinet.ui.shapes import MOST_IN_STACK
from cabinet.ui.view import DEALER, HandView, Kind, PlaceView, Slot, SpriteKind, TableView, Tone

FIVE = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC"


def seen(player: Player) -> Seen:
    """Returns the machine as the player sees it now."""
    return player.moment().seen


def view(player: Player) -> TableView:
    """Returns the table now."""
    return table_view(seen(player))


def hand(player: Player, place: int = 0, number: int = 0) -> HandView:
    """Returns one hand now."""
    return view(player).places[place].hands[number]


@pytest.mark.parametrize(
    ("cents", "stack"),
    [(0, ()), (2_500, (2_500,)), (3_100, (2_500, 500, 100)), (1_000_000, (10_000,) * MOST_IN_STACK), (50, (100,))],
)
def test_a_stack_has_the_fewest_chips_and_a_readable_number(cents: int, stack: tuple[int, ...]):
    assert stack_of(cents, (100, 500, 2_500, 10_000)) == stack


def test_placed_chips_are_on_their_places_and_the_next_place_is_marked():
    table = view(Player().put(*at("european"), Bet(place=1), Bet(place=3), Bet(place=3)).settle())
    assert [place.hands[0].stake for place in table.places] == ["", "$25.00", "", "$50.00", ""]
    assert [place.pointed for place in table.places] == [False, False, False, True, False]
    assert table.places[3].hands[0].chips == (2_500, 2_500)
    assert all(place.bettable for place in table.places)
    assert [place.takeable for place in table.places] == [False, True, False, True, False]


def test_a_flying_chip_is_not_on_its_place_yet():
    player = Player().put(*at("european"), Bet(place=1)).wait(0.09)
    (sprite,) = sprites(seen(player))
    assert (sprite.start, sprite.end) == (Slot(Kind.CHIP, nth=2), Slot(Kind.CHIPS, 1))
    assert hand(player, 1).chips == ()
    assert hand(player, 1).stake == "$25.00"
    assert hand(player.settle(), 1).chips == (2_500,)


def test_chips_placed_quickly_all_slide_to_their_place():
    player = Player().put(*at("european"), Bet(place=1)).wait(0.09)
    (first,) = sprites(seen(player))
    for place in (1, 3):
        player.step(Bet(place=place))
    slow, second, other = sprites(seen(player))
    assert slow == first
    assert (second.progress, second.end, other.end) == (0.0, Slot(Kind.CHIPS, 1), Slot(Kind.CHIPS, 3))
    assert hand(player, 1).chips == ()
    player.wait(0.1)
    assert hand(player, 1).chips == (2_500,), "the first chip is there"
    assert len(sprites(seen(player))) == 2
    player.wait(0.1)
    assert sprites(seen(player)) == ()
    assert hand(player, 1).chips == (2_500, 2_500)


def test_a_deal_finds_all_chips_on_their_places():
    player = Player().put(*at("classic"), Bet()).wait(0.05)
    player.step(Deal())
    assert [sprite.kind for sprite in sprites(seen(player)) if sprite.kind is SpriteKind.CHIPS] == []
    assert hand(player).chips == (2_500,)


def test_a_card_flies_from_the_shoe_lands_face_down_and_turns():
    player = Player().put(*at("classic"), Bet(), Deal(), Hit(), cards="AS 6S 7H 9D 2C")
    flight = player.wait(0.1)
    (sprite,) = sprites(seen(flight))
    assert sprite.kind is SpriteKind.CARD
    assert (sprite.start, sprite.end) == (Slot(Kind.SHOE), Slot(Kind.CARD, 0, 0, 2))
    assert hand(flight).cards[2].hidden
    assert 2 < hand(flight).open < 3
    turning = player.wait(0.25)
    assert not sprites(seen(turning))
    assert 0 < hand(turning).cards[2].turn < 1
    assert hand(player.settle()).cards[2].turn == 1


def test_a_total_counts_only_cards_that_lie_face_up():
    player = Player().put(*at("classic"), Bet(), Deal(), Hit(), cards="10S 6S 2H 9D 3C").wait(0.3)
    plaque = hand(player).plaque
    assert plaque is not None
    assert plaque.number == "12"
    plaque = hand(player.settle()).plaque
    assert plaque is not None
    assert plaque.number == "15"


def test_the_dealers_total_leaves_the_hole_card_out():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    plaque = view(player).dealer.hand.plaque
    assert plaque is not None
    assert plaque.number == "9"


def test_without_a_hole_card_the_dealers_second_card_is_awaited():
    assert view(Player().put(*at("european"), Bet(), Deal(), cards="10S 9C 7H").settle()).dealer.awaits
    assert not view(Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()).dealer.awaits


@pytest.mark.requirement("PD-07")
def test_blackjack_bust_and_dealers_bust_are_named():
    dealt = view(Player().put(*at("european"), BetAll(), Deal(), cards=FIVE).settle())
    banner = dealt.places[4].hands[0].banner
    assert banner is not None
    assert (banner.word, banner.amount, banner.tone) == ("BLACKJACK", "", Tone.NEUTRAL)
    won = view(Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH").settle())
    assert won.dealer.hand.banner is not None
    assert won.dealer.hand.banner.word == "DEALER BUSTS"
    natural = view(Player().put(*at("table"), Bet(), Deal(), cards="10S KS 9H AD").settle())
    assert natural.dealer.hand.banner is not None
    assert natural.dealer.hand.banner.word == "BLACKJACK"


def test_a_bust_hand_is_named_before_the_dealer_takes_its_stake():
    player = Player().put(*at("european"), Bet(place=0), Bet(place=1), Deal(), Hit(), cards="10S 9S 9C 6H 8H KD")
    place: PlaceView = view(player.settle()).places[0]
    assert place.hands[0].banner is not None
    assert place.hands[0].banner.word == "BUST"
    assert place.hands[0].chips == (2_500,)
    assert not place.hands[0].dimmed


def test_results_show_when_their_stakes_move():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    assert hand(player).banner is None
    player.settle()
    banner = hand(player).banner
    assert banner is not None
    assert (banner.word, banner.amount, banner.tone) == ("WIN", "+$25.00", Tone.WIN)
    assert hand(player).win_chips == (2_500,)
    assert sprites(seen(player)) == ()


def test_a_lost_stake_goes_to_the_dealer_and_the_hand_stands_in_shade():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 8H 10D")
    ends = [
        sprite.end
        for found in player.shows(lambda screen: screen.sprites)
        if isinstance(found, tuple)
        for sprite in found
    ]
    assert Slot(Kind.PLAQUE, DEALER) in ends
    lost = hand(player.settle())
    assert lost.dimmed
    assert lost.chips == ()
    assert lost.stake == ""
    assert lost.banner is not None
    assert lost.banner.amount == "−$25.00"


def test_a_push_names_no_amount():
    banner = hand(Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 9H 10D").settle()).banner
    assert banner is not None
    assert (banner.word, banner.amount, banner.tone) == ("PUSH", "", Tone.PUSH)


def test_a_double_shows_its_added_chips_when_they_have_arrived():
    player = Player().put(*at("classic"), Bet(), Deal(), Double(), cards="5S 6S 6H 9D 9C KD").wait(0.05)
    assert hand(player).stake == "$50.00"
    assert hand(player).chips == (2_500,)
    assert hand(player.wait(0.5)).chips == (2_500, 2_500)


def test_a_pair_comes_apart_smoothly():
    player = Player().put(*at("table"), Bet(), Deal(), Split(), cards="8S 6S 8H 10D 3C 10H")
    spreads = [
        tuple(round(h.open, 3) for h in found)
        for found in player.shows(lambda screen: screen.table.places[0].hands if screen.table else ())
        if isinstance(found, tuple)
    ]
    assert spreads[0] == (2.0, 0.0)
    assert spreads[-1] == (2.0, 2.0)
    second = [spread[1] for spread in spreads]
    assert second == sorted(second)
    assert min(spread[0] for spread in spreads) == pytest.approx(1.0, abs=0.01)


def test_the_active_hand_stays_active_until_its_card_has_landed():
    player = Player().put(*at("european"), BetAll(), Deal(), Double(), cards=f"{FIVE} 2H".replace("KS AD", "5S AD"))
    player.wait(0.3)
    assert hand(player, 0).active
    player.settle()
    assert not hand(player, 0).active
    assert hand(player, 1).active


def test_no_hand_is_active_any_more_once_it_is_the_dealers_turn():
    player = Player().put(*at("classic"), Bet(), Deal(), Hit(), cards="10S 6S 5H 9D 6C").settle()
    player.put(Stand(), cards="KH")
    active = []
    while player.now_s < player.snapshot.open_at_s:
        mine, dealers = hand(player), view(player).dealer.hand
        active.append(mine.active)
        assert not (mine.active and all(card.turn == 1 for card in dealers.cards)), "the hole card is open"
        assert not (mine.active and mine.banner)
        player.wait(0.02)
    assert active[0]
    assert active == sorted(active, reverse=True)


@pytest.mark.parametrize("size", [(1280, 720), (1280, 1024), (1920, 1080)])
@pytest.mark.parametrize("game_id", ["european", "classic"])
def test_no_card_flies_over_the_top_bar(game_id: str, size: tuple[int, int]):
    player = Player(seed=3).put(*at(game_id), Bet(), Deal())
    for wish in (None, Hit(), Stand(), Rebet()):
        if wish is not None and (player.machine.results is None or wish == Rebet()):
            player.put(wish)
        while player.now_s < player.snapshot.open_at_s + 0.25:
            screen = player.screen()
            where = layout(size, screen)
            bar = where.rect(Slot(Kind.TOP_BAR)).bottom
            flying = [sprite_rect(where, sprite) for sprite in screen.sprites if sprite.kind is SpriteKind.CARD]
            assert all(rect.y >= bar for rect in flying)
            player.wait(0.01)


def test_an_insurance_is_tagged_with_its_result():
    ace = "KS AD 8S QD AH AC 9H 6C 8D 7S KC"
    player = Player().put(*at("european"), BetAll(), Deal(), Insure(), cards=ace).settle()
    assert view(player).places[0].insurance == "Insured $12.50"
    assert view(player).places[1].asked
    table = Player().put(*at("table"), Bet(), Deal(), Insure(), cards="10S AS 9H 5D").settle()
    assert table.machine.round is not None
    assert table.machine.round.stage is Stage.DECIDING
    assert view(table).places[0].insurance == "Insurance −$12.50"
    won = Player().put(*at("table"), Bet(), Deal(), Insure(), cards="10S AS 9H KD").settle()
    assert view(won).places[0].insurance == "Insurance +$25.00"
    declined = Player().put(*at("table"), Bet(), Deal(), DeclineInsurance(), cards="10S AS 9H 5D").settle()
    assert view(declined).places[0].insurance == ""


def test_every_place_of_the_insurance_question_is_marked():
    ace = "KS AD 8S QD AC 9H 6C 8D 7S"
    short = Player().put(*at("european", credit_cents=10_000), BetAll(), Deal(), cards=ace).settle()
    assert short.machine.books.credit_cents == 0
    asked = [place.number for place in view(short).places if place.asked]
    assert asked == [0, 1, 2, 3]


def test_only_a_soft_hand_in_play_changes_by_itself():
    soft = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    change_s = soft_change_s(seen(soft))
    assert change_s is not None
    assert soft.now_s < change_s < soft.now_s + 2
    hard = Player().put(*at("classic"), Bet(), Deal(), cards="10S 6S 7H 9D").settle()
    assert soft_change_s(seen(hard)) is None


@pytest.mark.requirement("PD-23")
def test_a_demonstration_shows_no_amounts():
    for name in ("attract-european", "attract-table", "attract-classic"):
        table = screen_of(gallery()[name]).table
        assert table is not None
        assert table.demonstration.startswith("DEMONSTRATION: ")
        hands = [hand for place in table.places for hand in place.hands]
        assert all(hand.stake == "" for hand in hands)
        assert all(hand.banner.amount == "" for hand in hands if hand.banner)
