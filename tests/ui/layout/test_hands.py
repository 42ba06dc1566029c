"""Hands on the felt: centred, on an arc, each with its stake below."""

import itertools

import pytest
from support.tables import SIZES, a_screen

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.hands import boxes_of, card_h, card_heights, dealer_rects, lower_heights
from cabinet.ui.layout.motion import place_rects
from cabinet.ui.layout.screen import layout
from cabinet.ui.view import DEALER, Kind, Slot

FULL_HD = (1920, 1080)
sizes = pytest.mark.parametrize("size", SIZES)


@sizes
def test_five_places_form_a_symmetrical_arc(size: tuple[int, int]):
    boxes = boxes_of(bands_of(size), (1,) * 5)
    bottoms = [box.bottom for box in boxes]
    assert bottoms[0] < bottoms[1] < bottoms[2] > bottoms[3] > bottoms[4]
    assert bottoms[0] == pytest.approx(bottoms[4])
    assert bottoms[1] == pytest.approx(bottoms[3])


@sizes
def test_a_single_place_is_in_the_middle(size: tuple[int, int]):
    table = a_screen([[2]]).table
    assert table is not None
    rects = place_rects(bands_of(size), table)
    cards = [rects[Slot(Kind.CARD, 0, 0, n)] for n in range(2)]
    assert abs((cards[0].x + cards[1].right) / 2 - size[0] / 2) <= 2
    assert abs(rects[Slot(Kind.SPOT, 0)].centre[0] - size[0] / 2) <= 2


@sizes
def test_the_only_place_has_larger_cards_even_for_eleven_and_split_hands(size: tuple[int, int]):
    bands = bands_of(size)
    wanted = card_h(bands, alone=True)
    assert wanted > 1.4 * card_h(bands, alone=False)
    for hands, least in (([2], 1.0), ([11], 1.0), ([2, 2], 1.0), ([5, 5], 0.9)):
        table = a_screen([hands]).table
        assert table is not None
        high = place_rects(bands, table)[Slot(Kind.CARD, 0)].h
        assert high >= least * wanted * bands.unit - 1, hands


@sizes
@pytest.mark.parametrize("hands", [[2], [11], [2, 2], [11, 11], [5, 5, 5], [2, 2, 2, 2], [9, 9, 9, 9]], ids=str)
def test_the_insurance_of_the_only_place_is_beside_its_stake(size: tuple[int, int], hands: list[int]):
    table = a_screen([hands], insured=True).table
    assert table is not None
    bands = bands_of(size)
    rects = place_rects(bands, table)
    tag = rects[Slot(Kind.INSURANCE, 0)]
    stake = [rects[Slot(Kind.AMOUNT, 0)], rects[Slot(Kind.CHIPS, 0)]]
    assert 0 < min(rect.x for rect in stake) - tag.right <= 12 * bands.unit
    assert abs(tag.y + tag.h / 2 - stake[0].y - stake[0].h / 2) <= 1
    others = [rect for slot, rect in rects.items() if slot.kind not in {Kind.INSURANCE, Kind.PLACE}]
    assert not any(tag.meets(rect) for rect in others)
    assert tag.x >= 0
    assert tag.w >= 210 * bands.unit


def test_the_circle_does_not_move_while_cards_come():
    spots = set()
    for cards in range(6):
        table = a_screen([[cards]] * 5).table
        assert table is not None
        rects = place_rects(bands_of(FULL_HD), table)
        spots.add(rects[Slot(Kind.SPOT, 2)])
    assert len(spots) == 1


def test_a_stack_of_chips_stands_in_its_circle():
    table = a_screen([[2]] * 5).table
    assert table is not None
    rects = place_rects(bands_of(FULL_HD), table)
    for place in range(5):
        assert rects[Slot(Kind.CHIPS, place)].within(rects[Slot(Kind.SPOT, place)])


def test_hands_of_a_split_place_have_no_common_circle_and_stakes_of_their_own():
    table = a_screen([[2, 2]]).table
    assert table is not None
    rects = place_rects(bands_of(FULL_HD), table)
    assert Slot(Kind.SPOT, 0) not in rects
    assert rects[Slot(Kind.AMOUNT, 0, 0)].x < rects[Slot(Kind.AMOUNT, 0, 1)].x


@pytest.mark.parametrize("cards", range(13))
def test_the_dealers_hand_is_centred_and_its_total_beside_it(cards: int):
    table = a_screen([[2]], dealer=cards).table
    assert table is not None
    rects = dealer_rects(bands_of(FULL_HD), table)
    shown = [rects[Slot(Kind.CARD, DEALER, 0, n)] for n in range(max(2, cards))]
    assert abs((shown[0].x + shown[-1].right) / 2 - 960) <= 2
    assert rects[Slot(Kind.PLAQUE, DEALER)].right <= shown[0].x
    assert shown[1].x - shown[0].x >= 0.3 * shown[0].w - 1


def test_an_insurance_has_its_tag_above_the_cards():
    table = a_screen([[2]] * 5, insured=True).table
    assert table is not None
    rects = place_rects(bands_of(FULL_HD), table)
    assert rects[Slot(Kind.INSURANCE, 1)].bottom <= rects[Slot(Kind.POINTER, 1)].y


@sizes
def test_an_insurance_moves_no_card_and_makes_none_smaller(size: tuple[int, int]):
    found = []
    for insured in (False, True):
        table = a_screen([[2]] * 5, insured=insured).table
        assert table is not None
        rects = place_rects(bands_of(size), table)
        found.append({slot: rect for slot, rect in rects.items() if slot.kind is not Kind.INSURANCE})
    assert found[0] == found[1]


@sizes
@pytest.mark.parametrize("alone", [False, True])
def test_cards_use_the_wanted_height_and_lower_prepared_ones(size: tuple[int, int], alone: bool):
    bands = bands_of(size)
    heights_px = card_heights(bands, alone=alone)
    assert 0 <= card_h(bands, alone=alone) * bands.unit - heights_px[0] < 1
    assert list(heights_px) == sorted(set(heights_px), reverse=True)
    assert set(heights_px[1:]) <= set(lower_heights(bands))
    assert all(lower >= 0.8 * higher for higher, lower in itertools.pairwise(heights_px))


def test_chips_of_two_lines_of_hands_grow_with_the_height_of_the_felt():
    screen = screen_of(gallery()["fullest-won"])
    wide, tall = (layout(size, screen).rect(Slot(Kind.CHIPS, 2, 3)) for size in ((1280, 720), (1280, 1024)))
    assert tall.w >= 1.5 * wide.w
