"""The surface always equals the newest screen, and only differences are painted."""

import random
from dataclasses import replace

import pygame
import pytest
from support.blits import composed, pieces_of
from support.display import differing, open_display, pixels_of
from support.moments import PLAYED, moments_played
from support.screens import five_places, hand, place, rail, table_screen, top_bar

from cabinet.engine.inputs import Button
from cabinet.presentation.snapshot import Snapshot
from cabinet.tools.screens_gallery import Exhibit, gallery, screen_of
from cabinet.ui.art.cards import card_back, card_face
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import budget_for
from cabinet.ui.paint.painter import Painter
from cabinet.ui.view import Kind, NoticeTone, NoticeView, Screen, Slot, Sprite, SpriteKind

pytestmark = pytest.mark.screen

SIZE = (640, 360)
NOTICE = NoticeView(tone=NoticeTone.ATTENTION, title="Printer", sentence="It is out of paper.", advice="Please wait.")


@pytest.fixture(scope="module")
def surface() -> pygame.Surface:
    return open_display(SIZE)


@pytest.fixture
def painter(surface: pygame.Surface) -> Painter:
    return Painter(SIZE)


def betting() -> Screen:
    return table_screen(place(0, hand(chips=(25_00, 5_00), stake="$30.00"), pointed=True))


def flying(progress: float) -> Screen:
    sprite = Sprite(
        kind=SpriteKind.CARD,
        start=Slot(Kind.SHOE),
        end=Slot(Kind.CARD, 2, 0, 0),
        progress=progress,
        lift=40.0,
    )
    chips = Sprite(
        kind=SpriteKind.CHIPS,
        start=Slot(Kind.CHIPS, 0),
        end=Slot(Kind.CHIPS, 4),
        progress=progress,
        chips=(25_00, 5_00),
    )
    return replace(five_places(), sprites=(sprite, chips))


SEQUENCE = (
    betting(),
    five_places(),
    flying(0.1),
    flying(0.13),
    flying(0.6),
    replace(five_places(), overlay=NOTICE),
    replace(five_places(), overlay=NOTICE, top=top_bar(clock="14:33")),
    replace(five_places(), rail=rail(frozenset({Button.DEAL}), celebrate=True)),
    replace(betting(), felt="classic"),
    betting(),
)


def test_incremental_painting_equals_painting_anew(surface: pygame.Surface, painter: Painter):
    for number, screen in enumerate(SEQUENCE):
        painter.paint(surface, screen)
        anew = pygame.Surface(SIZE)
        Painter(SIZE).paint(anew, screen)
        assert differing(surface, anew).size == (0, 0), f"step {number}"


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game_id", "seed"), [("european", 1), ("european", 2), ("table", 3), ("classic", 4)])
def test_random_rounds_equal_painting_anew(surface: pygame.Surface, game_id: str, seed: int):
    """Prepared, frame by frame at uneven times; equal except for the rounding of surfaces that SDL keeps in runs."""
    painter, other, anew = Painter(SIZE), Painter(SIZE), pygame.Surface(SIZE).convert()
    for number, (snapshot, now_s) in enumerate(moments_played(game_id, random.Random(seed))):
        screen = seen_at(snapshot, now_s)
        painter.paint(surface, screen)
        if number < 40:
            painter.warm_up(screen)
        other.forget()
        other.paint(anew, screen)
        assert differing(surface, anew, by=3).size == (0, 0), f"frame {number}"
    assert number > 100


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_deferred_sections_show_with_the_second_frame(surface: pygame.Surface, seed: int):
    painter, other, anew = Painter(SIZE), Painter(SIZE), pygame.Surface(SIZE).convert()
    waited = 0
    for number, (snapshot, now_s) in enumerate(moments_played("european", random.Random(seed))):
        screen = seen_at(snapshot, now_s)
        regions = painter.paint(surface, screen, at_once=False)
        if painter.is_behind:
            waited += 1
            assert regions
            painter.paint(surface, screen, at_once=False)
        assert not painter.is_behind
        other.forget()
        other.paint(anew, screen)
        assert differing(surface, anew, by=3).size == (0, 0), f"frame {number}"
    assert 0 < waited < number / 2


def seen_at(snapshot: Snapshot, now_s: float) -> Screen:
    return screen_of(Exhibit(snapshot=snapshot, now_s=now_s, settings=PLAYED))


def test_every_changed_pixel_is_within_a_reported_region(surface: pygame.Surface, painter: Painter):
    for screen in SEQUENCE:
        before = surface.copy()
        regions = painter.paint(surface, screen)
        changed = differing(before, surface)
        assert all(pygame.Rect((0, 0), SIZE).contains(region) for region in regions)
        assert not changed.w or regions[0].unionall(regions[1:]).contains(changed)


def test_equal_screens_draw_nothing(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, five_places())
    surface.fill((255, 0, 255))
    assert painter.paint(surface, five_places()) == []
    assert painter.paint(surface, replace(five_places(), next_change_s=3.0)) == []
    assert surface.get_at((5, 5))[:3] == (255, 0, 255)


def test_a_change_of_the_clock_repaints_the_clock_alone(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, five_places())
    screen = replace(five_places(), top=top_bar(clock="14:33"))
    regions = painter.paint(surface, screen)
    room = pygame.Rect(layout(SIZE, screen).rect(Slot(Kind.CLOCK)))
    assert len(regions) == 1
    assert room.inflate(4, 40).contains(regions[0])


def test_a_pressed_legend_repaints_that_legend_alone(surface: pygame.Surface, painter: Painter):
    screen = betting()
    painter.paint(surface, screen)
    first, *others = screen.rail.legends
    pressed = replace(screen, rail=replace(screen.rail, legends=(replace(first, pressed=True), *others)))
    regions = painter.paint(surface, pressed)
    assert regions == [pygame.Rect(layout(SIZE, screen).rect(Slot(Kind.LEGEND)))]


@pytest.mark.requirement("PD-01", "PD-10", "RG-01")
def test_credit_clock_and_malfunction_line_stay_in_view_under_an_overlay(surface: pygame.Surface, painter: Painter):
    plain = five_places()
    where = layout(SIZE, plain)
    rooms = [where.rect(Slot(Kind.METER_VALUE, nth=n)) for n in range(3)]
    rooms += [where.rect(Slot(Kind.CLOCK)), where.rect(Slot(Kind.FOOTER))]
    painter.paint(surface, plain)
    before = [pixels_of(surface, room) for room in rooms]
    for covers in (False, True):
        painter.paint(surface, replace(plain, overlay=replace(NOTICE, covers=covers)))
        assert [pixels_of(surface, room) for room in rooms] == before


def test_planning_paints_nothing_and_carrying_out_only_paints(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, betting())
    before, later = pixels_of(surface), flying(0.3)
    plan = painter.plan(later)
    assert pixels_of(surface) == before
    made = painter.assets.made
    assert painter.carry_out(surface, plan) == plan.regions != []
    assert painter.assets.made == made
    assert differing(surface, painted(later), by=3).size == (0, 0)
    assert painter.paint(surface, later) == []


def test_an_outdated_plan_is_made_anew(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, betting())
    plan = painter.plan(flying(0.3))
    painter.paint(surface, five_places())
    painter.carry_out(surface, plan)
    assert differing(surface, painted(flying(0.3)), by=3).size == (0, 0)
    plan = painter.plan(five_places())
    painter.forget()
    surface.fill((255, 0, 255))
    assert painter.carry_out(surface, plan) == [pygame.Rect((0, 0), SIZE)]
    assert differing(surface, painted(five_places())).size == (0, 0)


def test_nothing_is_planned_where_nothing_changes(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, betting())
    plan = painter.plan(betting())
    assert plan.regions == []
    assert painter.carry_out(surface, plan) == []


def painted(screen: Screen) -> pygame.Surface:
    """Returns a screen on a surface of its own."""
    anew = pygame.Surface(SIZE).convert()
    Painter(SIZE).paint(anew, screen)
    return anew


def test_a_new_window_is_painted_whole(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, betting())
    painter.forget()
    assert painter.paint(surface, betting()) == [pygame.Rect((0, 0), SIZE)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("game_id", ["european", "table", "classic"])
def test_a_prepared_table_looks_like_an_unprepared_one_in_every_state(surface: pygame.Surface, game_id: str):
    """Equal except for the rounding of surfaces that SDL keeps in runs."""
    prepared, bare = Painter(SIZE), Painter(SIZE)
    anew, seen = pygame.Surface(SIZE).convert(), 0
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        if screen.felt != game_id or screen.table is None:
            continue
        prepared.paint(surface, screen)
        while prepared.warm_up(screen):
            pass
        prepared.forget()
        prepared.paint(surface, screen)
        bare.forget()
        bare.paint(anew, screen)
        assert differing(surface, anew, by=4).size == (0, 0), name
        seen += 1
    assert seen > 8


def test_after_the_warm_up_no_card_is_drawn_during_play(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, betting())
    while painter.warm_up(betting()):
        pass
    assert not painter.warm_up(betting())
    blits = [blit for screen in SEQUENCE for blit in composed(screen, SIZE, painter.assets)]
    cards = {piece for blit in blits for piece in pieces_of(blit.asset) if piece.make in {card_face, card_back}}
    assert cards
    assert not any(painter.assets.pin(card) for card in cards)
    for screen in SEQUENCE:
        painter.paint(surface, screen)
    assert painter.assets.used_bytes <= budget_for(SIZE)
    assert painter.assets.made > len(SEQUENCE)


def test_far_changes_are_painted_apart_and_near_ones_together(surface: pygame.Surface, painter: Painter):
    painter.paint(surface, five_places())
    lit = replace(five_places(), rail=rail(frozenset({Button.CASH_OUT, Button.DEAL})))
    before = painter.paint(surface, lit)
    apart = painter.paint(surface, replace(lit, rail=rail(frozenset())))
    assert len(before) > 1
    assert sum(region.w * region.h for region in apart) < SIZE[0] * SIZE[1] / 10
