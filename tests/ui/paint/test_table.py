"""A table on the felt."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, pieces_of, showing
from support.display import open_display
from support.screens import five_places, hand, place, table_screen

from cabinet.ui.art.buttons import pointer
from cabinet.ui.art.cards import card_back, card_face, slot
from cabinet.ui.art.felt import bet_circle, pool_of_light
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.decor import card_place
from cabinet.ui.paint.grounds import card_shade
from cabinet.ui.paint.keys import printed, stack, total
from cabinet.ui.paint.pieces import Blit
from cabinet.ui.view import DealerView, Kind, QuestionView, Slot, Sprite, SpriteKind, TableView

pytestmark = pytest.mark.screen

SIZE = (1920, 1080)


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(200 * 2**20)


def faces(blits: tuple[Blit, ...]) -> list[Blit]:
    return [blit for blit in blits if any(piece.make is card_face for piece in pieces_of(blit.asset))]


def test_every_card_is_in_its_slot_and_later_ones_on_top(assets: Assets):
    screen = five_places()
    where = layout(SIZE, screen)
    found = faces(composed(screen, SIZE, assets))
    assert len(found) == 1 + 2 + 2 + 3 + 2 + 3 + 2
    rooms = [where.rect(Slot(Kind.CARD, 2, 0, n)) for n in range(3)]
    places = [found.index(next(b for b in found if abs(b.x - room.x) < 2 and abs(b.y - room.y) < 2)) for room in rooms]
    assert places == sorted(places)


def test_the_place_for_cards_shows_until_cards_are_there(assets: Assets):
    screen = table_screen(place(0, hand("KS 9H")), place(1), dealer=hand("10C"))
    (frame,) = showing(composed(screen, SIZE, assets), card_place)
    assert box_of(frame).holds(layout(SIZE, screen).rect(Slot(Kind.CARD, 1)).centre)
    assert len(showing(composed(table_screen(place(0)), SIZE, assets), card_place)) == 2


@pytest.mark.requirement("PD-18")
def test_only_the_active_hand_has_light_a_pointer_and_a_bright_total(assets: Assets):
    screen = five_places()
    where = layout(SIZE, screen)
    blits = composed(screen, SIZE, assets)
    (light,) = showing(blits, pool_of_light)
    (sign,) = showing(blits, pointer)
    card = where.rect(Slot(Kind.CARD, 2, 0, 1))
    assert box_of(light).holds(card.centre)
    assert box_of(sign).meets(where.rect(Slot(Kind.POINTER, 2, 0)))
    bright = [b for b in showing(blits, total) for piece in pieces_of(b.asset) if dict(piece.options)["active"]]
    assert [all_words([b]) for b in bright] == [{"16", ""}]


def test_cards_of_a_lost_hand_are_in_shade(assets: Assets):
    blits = composed(five_places(), SIZE, assets)
    shades = [box_of(blit) for blit in showing(blits, card_shade)]
    assert len(shades) == 3
    assert set(shades) <= {box_of(blit) for blit in faces(blits)}


def test_a_flying_card_is_not_in_its_slot(assets: Assets):
    shown = table_screen(place(0, hand("KS 9H")))
    cards = shown.table.places[0].hands[0].cards if shown.table else ()
    coming = hand("KS 9H", cards=(cards[0], replace(cards[1], hidden=True)))
    assert len(faces(composed(shown, SIZE, assets))) == 2
    assert len(faces(composed(table_screen(place(0, coming)), SIZE, assets))) == 1


def test_a_face_down_card_shows_its_back(assets: Assets):
    blits = composed(table_screen(place(0), dealer=hand("-- 9D")), SIZE, assets)
    assert len(showing(blits, card_back)) == 1
    assert len(faces(blits)) == 1


def test_the_card_that_comes_last_has_a_dashed_place(assets: Assets):
    screen = table_screen(place(0, hand("KS 9H")), dealer=hand("10C"))
    assert screen.table is not None
    waiting = replace(screen, table=replace(screen.table, dealer=DealerView(hand=hand("10C"), awaits=True)))
    assert len(showing(composed(screen, SIZE, assets), slot)) == 0
    (dashes,) = showing(composed(waiting, SIZE, assets), slot)
    assert box_of(dashes).meets(layout(SIZE, waiting).rect(Slot(Kind.CARD, -1, 0, 1)))


def test_the_place_that_bet_adds_to_is_lit(assets: Assets):
    screen = table_screen(*(place(n, pointed=n == 3) for n in range(5)))
    lit = [b for b in showing(composed(screen, SIZE, assets), bet_circle) if "CHOSEN" in repr(b.asset)]
    assert [box_of(b) for b in lit] == [layout(SIZE, screen).rect(Slot(Kind.SPOT, 3))]


def test_the_question_takes_the_place_of_the_print(assets: Assets):
    screen = table_screen(place(0, hand("KS 9H"), asked=True), dealer=hand("AC"))
    table: TableView | None = screen.table
    assert table is not None
    question = QuestionView(text="Insurance?", amount="$12.50", detail="$12.50 pays 2 to 1", buttons=())
    asked = replace(screen, table=replace(table, question=question))
    assert len(showing(composed(screen, SIZE, assets), printed)) == 3
    blits = composed(asked, SIZE, assets)
    assert showing(blits, printed) == []
    assert {"Insurance?", "$12.50 pays 2 to 1"} <= all_words(blits)
    assert len(showing(blits, pointer)) == 1


def test_a_flying_card_shows_its_back_between_shoe_and_hand(assets: Assets):
    screen = five_places()
    where = layout(SIZE, screen)
    start, end = where.rect(Slot(Kind.SHOE)), where.rect(Slot(Kind.CARD, 0, 0, 1))
    spots = []
    for progress in (0.0, 0.5, 1.0):
        sprite = Sprite(
            kind=SpriteKind.CARD, start=Slot(Kind.SHOE), end=Slot(Kind.CARD, 0, 0, 1), progress=progress, lift=46
        )
        blits = composed(replace(screen, sprites=(sprite,)), SIZE, assets)
        (card,) = showing(blits, card_back)
        spots.append(box_of(card).centre)
    assert spots[0][0] == pytest.approx(start.centre[0], abs=3)
    assert spots[0][1] >= start.centre[1] - 3
    assert spots[2] == pytest.approx(end.centre, abs=3)
    assert end.centre[0] < spots[1][0] < start.centre[0]


def test_flying_chips_have_their_final_size(assets: Assets):
    screen = five_places()
    where = layout(SIZE, screen)
    sprite = Sprite(
        kind=SpriteKind.CHIPS, start=Slot(Kind.CHIP, nth=2), end=Slot(Kind.CHIPS, 0), progress=0.5, chips=(25_00,)
    )
    plain = composed(screen, SIZE, assets)
    shadow, chips = [blit for blit in composed(replace(screen, sprites=(sprite,)), SIZE, assets) if blit not in plain]
    assert chips.asset == stack((25_00,), where.rect(Slot(Kind.CHIPS, 0)).w)
    assert shadow.w >= chips.w
