"""Keys, plaques, tags, stacks."""

import pytest
from support.display import open_display, pixels_of

from cabinet.ui.art.buttons import BannerTone
from cabinet.ui.art.chips import thickness
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.keys import key, keycap, level_bars, lozenge, printed, result, ring, stack, tag, tile, total
from cabinet.ui.shapes import MOST_IN_STACK

pytestmark = pytest.mark.screen


@pytest.fixture(autouse=True)
def _display() -> None:
    open_display((320, 200))


@pytest.mark.parametrize("second", ["", "rebet & deal"])
def test_a_key_is_as_large_as_its_room_and_each_state_looks_different(second: str):
    variants = {
        pixels_of(key((150, 54), "DEAL", second, lit=lit, pressed=pressed, red=red))
        for lit, pressed, red in (
            (True, False, False),
            (False, False, False),
            (True, True, False),
            (True, False, True),
        )
    }
    assert len(variants) == 4
    assert key((150, 54), "DEAL", second, lit=True).get_size() == (150, 54)


def test_a_key_shows_its_present_action():
    assert pixels_of(key((150, 54), "DEAL", "rebet", lit=True)) != pixels_of(key((150, 54), "DEAL", "", lit=True))


@pytest.mark.requirement("PD-07")
def test_soft_and_bust_totals_are_marked():
    variants = [
        total(60, "17", word, active=False, bust=bust) for word, bust in (("", False), ("Soft", False), ("", True))
    ]
    assert len({pixels_of(variant) for variant in variants}) == 3
    assert {variant.get_size() for variant in variants} == {(60, 60)}


@pytest.mark.parametrize("words", ["BLACKJACK +$150.00", "WIN", "LOSES −$1,000,000.00"])
def test_results_and_tags_never_leave_their_room(words: str):
    for make in (lambda room: result(words, room, BannerTone.WIN), lambda room: tag(words, room)):
        for room in ((120, 30), (400, 30)):
            surface = make(room)
            assert surface.get_width() <= room[0]
            assert surface.get_height() <= room[1]


def test_a_line_on_the_felt_is_no_wider_than_its_arc():
    assert printed(40, "BLACKJACK PAYS 3 TO 2", (200, 160, 90), 150, 30, 0.1).get_width() <= 310


@pytest.mark.parametrize("count", [1, 3, MOST_IN_STACK])
def test_a_stack_is_as_high_as_its_chips_and_fits_its_room(count: int):
    values = tuple([100_00] + [25_00] * (count - 2) + [5_00] if count > 1 else [100_00])
    heap = stack(values, 80)
    assert heap.size[0] == 72
    assert heap.size[1] == 72 + thickness(72) * count
    assert heap.size[1] <= 80 * 1.36
    surface = Assets(10 * 2**20).get(heap)
    assert surface.get_at((36, heap.size[1] - 3)).a > 200
    assert surface.get_at((36, 3)).a > 200


def test_small_signs_have_the_size_asked_for():
    assert tile((40, 20), (38, 96, 74), "H", 14).get_at((1, 1))[:3] == (38, 96, 74)
    assert keycap((90, 30), "F5").get_size() == (90, 30)
    assert lozenge(10, (200, 160, 90)).get_at((5, 5)).a == 255


def test_a_ring_is_round_at_its_corners_and_empty_within():
    drawn = ring((90, 40), 4)
    assert drawn.get_size() == (90, 40)
    assert [drawn.get_at(at).a for at in ((0, 0), (89, 39), (45, 20), (45, 8))] == [0, 0, 0, 0]
    assert all(drawn.get_at(at).a > 200 for at in ((45, 2), (45, 37), (2, 20), (87, 20)))


def test_louder_is_more_bright_bars():
    bright = [
        sum(level_bars((24, 18), level, (255, 255, 255)).get_at((x, 17)).a == 255 for x in range(24))
        for level in range(4)
    ]
    assert bright == sorted(bright)
    assert bright[0] == 0 < bright[1] < bright[3]
