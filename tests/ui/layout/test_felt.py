"""Print, shoe and question on the felt."""

import itertools

import pytest
from support.tables import SIZES, a_screen

from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.felt import dealer_card_h, dealer_top, felt_arcs, felt_rects, lines_top, places_top
from cabinet.ui.view import Kind, Slot

sizes = pytest.mark.parametrize("size", SIZES)


@sizes
@pytest.mark.parametrize("places", [1, 5])
def test_the_printed_lines_hang_between_the_dealer_and_the_places(size: tuple[int, int], places: int):
    bands = bands_of(size)
    table = a_screen([[2]] * places).table
    assert table is not None
    alone = table.alone
    arcs = felt_arcs(bands, table)
    assert len(arcs) == len(table.felt_lines)
    cards_bottom = dealer_top(bands, alone=alone) + dealer_card_h(bands, alone=alone)
    assert cards_bottom < lines_top(bands, alone=alone) < places_top(bands, alone=alone)
    for arc in arcs:
        assert arc.y - arc.px >= cards_bottom * bands.unit
        assert arc.y + arc.sag <= places_top(bands, alone=alone) * bands.unit


@sizes
def test_the_lines_keep_apart_in_their_middle_and_at_their_ends(size: tuple[int, int]):
    table = a_screen([[2]]).table
    assert table is not None
    for upper, lower in itertools.pairwise(felt_arcs(bands_of(size), table)):
        assert lower.y - upper.y >= lower.px
        assert (lower.y + lower.sag) - (upper.y + upper.sag) >= lower.px


@sizes
def test_the_question_has_its_buttons_inside_and_apart(size: tuple[int, int]):
    table = a_screen([[2]], question=True).table
    assert table is not None
    rects = felt_rects(bands_of(size), table)
    panel = rects[Slot(Kind.QUESTION)]
    inner = [rect for slot, rect in rects.items() if slot.kind.value.startswith("question ")]
    assert len(inner) == 5
    assert all(rect.within(panel) for rect in inner)
    assert not any(a.meets(b) for a, b in itertools.combinations(inner, 2))


def test_without_a_question_there_is_no_panel():
    table = a_screen([[2]]).table
    assert table is not None
    assert Slot(Kind.QUESTION) not in felt_rects(bands_of(SIZES[0]), table)
