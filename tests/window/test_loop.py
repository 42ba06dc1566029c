"""The window's loop on SDL's dummy driver: presses in, changed regions out."""

import gc
from dataclasses import replace

import pygame
import pytest
from support.played_cabinet import PlayedCabinet
from support.stage import SIZE, Stage

from cabinet.config.mounting import Mounting
from cabinet.engine.inputs import (
    Bet,
    Button,
    Deal,
    PlayerLeft,
    TicketPrinted,
    Wake,
)
from cabinet.engine.state import Phase
from cabinet.presentation.port import SimulatedKey, SimulatedKeys
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.screens_gallery import SAMPLE_FACTS
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.view import Kind, Slot, TopItem
from cabinet.ui.visits import READ_S
from cabinet.window.loop import GC_THRESHOLD, POLL_S, REFRESH_S, freeze_garbage

pytestmark = pytest.mark.screen


# --- in ---------------------------------------------------------------------------------------------------------


def test_touching_a_legend_presses_its_button_once(stage: Stage):
    stage.click(stage.legend(Button.BET))
    assert stage.cabinet.wishes == [Button.BET]
    assert stage.cabinet.snapshot().machine.seat.bets == (2_500,)


@pytest.mark.requirement("PD-17")
@pytest.mark.parametrize("streams", [("finger",), ("mouse",), ("finger", "mouse"), ("mouse", "finger", "mouse")])
def test_one_press_is_one_bet_in_every_event_stream(stage: Stage, streams: tuple[str, ...]):
    for stream in streams:
        getattr(stage, stream)(stage.middle(Kind.SPOT))
        stage.turn(0.02)
    assert stage.cabinet.snapshot().machine.seat.bets == (2_500,)


def test_a_press_is_shown_in_the_next_frame_even_when_the_cabinet_is_slow(stage: Stage):
    stage.cabinet.answers = False
    stage.turn(1.0)
    before = len(stage.shown)
    stage.mouse(stage.legend(Button.BET))
    stage.turn(FRAME_S)
    room = pygame.Rect(stage.where.rect(Slot(Kind.LEGEND, nth=list(Button).index(Button.BET))))
    assert stage.shown[before:] == [[room]]


def test_a_short_press_is_shown_for_the_minimum_time(stage: Stage):
    stage.cabinet.answers = False
    at = stage.legend(Button.BET)
    colour = stage.play.surface.get_at(at)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=at, touch=False))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=at, touch=False))
    corner = (at[0], stage.where.rect(Slot(Kind.LEGEND, nth=3)).y + 5)
    resting = stage.play.surface.get_at(corner)
    stage.turn(0.01)
    assert stage.play.surface.get_at(corner) != resting
    assert stage.turn(0.05) <= 0.05
    assert stage.play.surface.get_at(corner) != resting
    stage.turn(0.06)
    assert stage.play.surface.get_at(corner) == resting
    assert stage.play.surface.get_at(at) == colour


def test_a_button_held_on_the_panel_is_shown_pressed(stage: Stage):
    stage.cabinet.held = frozenset({Button.SERVICE})
    stage.play.wake()
    before = len(stage.shown)
    stage.turn(0.02)
    assert stage.shown[before:] == [[pygame.Rect(stage.where.rect(Slot(Kind.LEGEND, nth=1)))]]


# --- languages ----------------------------------------------------------------------------------------------------


def _item(stage: Stage, item: TopItem) -> tuple[int, int]:
    """Returns the place of a switch of the top bar, in English."""
    nth = [view.item for view in stage.screen.top.items].index(item)
    return stage.middle(Kind.TOP_ITEM, nth=nth)


def test_a_language_chosen_before_play_stays_for_that_player():
    stage = Stage(PlayedCabinet())
    stage.cabinet.step(PlayerLeft())
    stage.turn(0.6)
    stage.click(_item(stage, TopItem.LANGUAGE))
    assert stage.play.ui.language.code == "de"
    stage.cabinet.step(Wake())
    stage.turn(5.0)
    assert stage.play.ui.language.code == "de"


def test_the_next_player_gets_the_operators_language(stage: Stage):
    stage.click(_item(stage, TopItem.LANGUAGE))
    stage.turn(0.1)
    assert stage.play.ui.language.code == "de"
    stage.cabinet.step(PlayerLeft())
    stage.turn(0.6)
    assert stage.play.ui.language.code == "en"


def test_chip_held_down_on_the_panel_goes_from_language_to_language(stage: Stage):
    stage.cabinet.held = frozenset({Button.CHIP})
    languages = []
    for _ in range(5):
        stage.turn(0.6)
        languages.append(stage.play.ui.language.code)
    stage.cabinet.held = frozenset()
    stage.turn(2.0)
    assert languages == ["en", "en", "de", "de", "fr"]
    assert stage.play.ui.language.code == "fr"


@pytest.mark.requirement("PD-11")
def test_place_held_down_on_the_panel_opens_the_rules(stage: Stage):
    stage.cabinet.held = frozenset({Button.PLACE})
    for _ in range(3):
        stage.turn(0.6)
    assert stage.play.ui.help_page == 0


@pytest.mark.requirement("SE-04")
def test_no_key_and_no_close_button_does_anything_on_a_real_cabinet(stage: Stage):
    for key in range(32, 127):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=chr(key), scancode=0))
    for key in (pygame.K_ESCAPE, pygame.K_F4, pygame.K_F1, pygame.K_TAB, pygame.K_LALT, pygame.K_SYSREQ):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=pygame.KMOD_ALT, unicode="", scancode=0))
    for kind in (pygame.WINDOWCLOSE, pygame.QUIT) * 2:
        pygame.event.post(pygame.event.Event(kind))
    drawn = len(stage.shown)
    stage.turn(0.1)
    assert stage.cabinet.wishes == []
    assert not stage.play.closed
    assert len(stage.shown) == drawn


def test_f1_opens_and_closes_the_key_list_of_a_simulated_cabinet(stage: Stage):
    facts = replace(SAMPLE_FACTS, simulated=True, keys=(("C", "CASH OUT"),))
    simulated = Stage(stage.cabinet, facts)
    stage.cabinet.simulate = SimulatedKeys()
    drawn = []
    for _ in range(2):
        before = len(simulated.shown)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F1, mod=0, unicode="", scancode=0))
        simulated.turn(0.1)
        drawn.append(len(simulated.shown) > before)
    assert drawn == [True, True]


def test_the_keyboard_of_a_simulated_cabinet_works_its_devices_and_its_window_can_be_closed(stage: Stage):
    done: list[str] = []
    key = SimulatedKey(meaning="main door", down=lambda: done.append("down"), up=lambda: done.append("up"))
    stage.cabinet.simulate = SimulatedKeys(keys={"f5": key})
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_F5, mod=0, unicode="", scancode=0))
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_F6, mod=0, unicode="", scancode=0))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    stage.turn(0.1)
    assert done == ["down"], "held as long as under a finger"
    stage.turn(0.2)
    assert done == ["down", "up"]
    assert stage.play.closed
    assert stage.cabinet.simulate.rows() == (("F5", "main door"),)


def test_a_finger_outside_the_display_is_no_press(stage: Stage):
    for x, y in ((1.2, 0.5), (0.5, -0.1)):
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=x, y=y, dx=0, dy=0))
    stage.turn(0.1)
    assert stage.cabinet.wishes == []


@pytest.mark.requirement("PD-11")
def test_opening_help_sends_no_command_to_the_cabinet(stage: Stage):
    nth = next(n for n, item in enumerate(stage.screen.top.items) if item.word == "RULES")
    machine = stage.cabinet.snapshot().machine
    for _ in range(2):
        stage.click(stage.middle(Kind.TOP_ITEM, nth=nth))
        assert len(stage.shown[-1]) > 0
    assert stage.cabinet.wishes == []
    assert stage.cabinet.snapshot().machine == machine


def test_a_tap_skips_an_animation(stage: Stage):
    stage.click(stage.legend(Button.BET))
    stage.until_open()
    stage.click(stage.legend(Button.DEAL))
    end_s = stage.cabinet.snapshot().open_at_s
    stage.click(stage.middle(Kind.SPOT), seconds=0.1)
    assert stage.cabinet.snapshot().open_at_s < end_s


def test_a_whole_visit_can_be_played_by_touch(stage: Stage):
    cabinet = stage.cabinet
    stage.click(stage.middle(Kind.CHIP, nth=1))
    stage.click(stage.middle(Kind.SPOT))
    stage.until_open()
    stage.click(stage.legend(Button.DEAL))
    stage.until_open()
    assert cabinet.snapshot().machine.phase is Phase.DECIDING
    stage.click(stage.legend(Button.STAND))
    stage.until_open()
    machine = cabinet.snapshot().machine
    assert machine.phase is Phase.SETTLED
    assert machine.shown.last_paid_cents == 1_000
    stage.click(stage.legend(Button.CASH_OUT))
    assert cabinet.snapshot().machine.phase is Phase.CASHING_OUT
    cabinet.step(TicketPrinted(sequence=1), now=stage.now)
    assert cabinet.snapshot().machine.shown.paid_out_cents == 10_500


# --- out --------------------------------------------------------------------------------------------------------


def test_an_idle_table_is_not_drawn(stage: Stage):
    stage.turn(0.5)
    drawn = len(stage.shown)
    for _ in range(20):
        stage.turn(0.6)
    assert stage.play.render_at(stage.now) == []
    assert len(stage.shown) == drawn


def test_an_idle_table_is_computed_twice_a_second_and_reports_each_time(stage: Stage):
    stage.turn(1.0)
    count = len(stage.cabinet.frames)
    for _ in range(100):
        stage.turn(POLL_S)
    assert len(stage.cabinet.frames) - count in {1, 2}
    assert stage.play.due_s - stage.cabinet.frames[-1] == pytest.approx(REFRESH_S)


def test_a_deal_is_drawn_at_sixty_frames_a_second_and_no_more(stage: Stage):
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    stage.turn()
    count = len(stage.cabinet.frames)
    for _ in range(500):
        stage.turn(0.001)
    assert 26 <= len(stage.cabinet.frames) - count <= 31


def test_deferred_sections_come_with_the_next_frame(stage: Stage):
    stage.cabinet.step(Bet(), now=stage.now)
    stage.turn(1.0)
    stage.cabinet.step(Deal(), now=stage.now)
    stage.turn(FRAME_S)
    assert stage.play.painter.is_behind
    assert stage.play.due_s == pytest.approx(stage.now + FRAME_S)
    stage.turn(FRAME_S)
    assert not stage.play.painter.is_behind


def test_snapshot_is_drawn_at_once_but_no_sooner_than_a_frame_after_the_last(stage: Stage):
    stage.turn(1.0)
    drawn = len(stage.shown)
    stage.now += 2 * FRAME_S
    stage.cabinet.step(Bet(), now=stage.now)
    stage.turn(0.0)
    assert len(stage.shown) == drawn + 1
    stage.cabinet.step(Bet(), now=stage.now)
    stage.turn(0.9 * FRAME_S)
    assert len(stage.shown) == drawn + 1
    stage.turn(0.2 * FRAME_S)
    assert len(stage.shown) == drawn + 2


@pytest.mark.requirement("PD-06")
def test_a_press_is_drawn_at_once_even_right_after_a_frame(stage: Stage):
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    for _ in range(3):
        stage.turn(FRAME_S)
    drawn = len(stage.shown)
    for shown, held in ((1, frozenset({Button.SERVICE})), (1, frozenset({Button.SERVICE, Button.HIT}))):
        stage.cabinet.held = held
        stage.play.wake()
        stage.turn(0.001)
        drawn += shown
        assert len(stage.shown) == drawn
    stage.finger(stage.legend(Button.CASH_OUT))
    stage.turn(0.001)
    assert len(stage.shown) == drawn + 1


def test_a_frame_counts_as_done_only_after_it_was_shown(stage: Stage):
    shown_by_then: list[int] = []
    stage.cabinet.on_frame = lambda _: shown_by_then.append(len(stage.shown))
    before = len(stage.shown)
    stage.cabinet.step(Bet(), now=stage.now)
    stage.turn(0.1)
    assert shown_by_then == [before + 1]


def test_a_new_player_gets_the_operators_screen_settings(stage: Stage):
    nth = next(n for n, item in enumerate(stage.screen.top.items) if item.word == "RULES")
    stage.click(stage.middle(Kind.TOP_ITEM, nth=nth))
    stage.cabinet.step(PlayerLeft(), now=stage.now)
    stage.turn(0.1)
    shown = stage.play.surface.copy()
    anew = Stage(replace_cabinet(stage))
    anew.play.render_at(stage.now)
    assert shown.get_at((640, 300)) == anew.play.surface.get_at((640, 300))


def replace_cabinet(stage: Stage) -> PlayedCabinet:
    """Returns the same cabinet for a new window."""
    stage.cabinet.callbacks.clear()
    return stage.cabinet


def test_help_over_the_demonstration_closes_after_the_reading_time(stage: Stage):
    stage.cabinet.step(PlayerLeft(), now=stage.now)
    stage.turn(0.1)
    nth = next(n for n, item in enumerate(stage.screen.top.items) if item.word == "RULES")
    before = stage.play.surface.get_at((640, 400))
    stage.click(stage.middle(Kind.TOP_ITEM, nth=nth))
    stage.turn(READ_S / 2)
    assert stage.play.surface.get_at((640, 400)) != before
    stage.turn(READ_S / 2 + 1)
    assert stage.play.surface.get_at((640, 400)) == before


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_finger_finds_the_button_on_a_rotated_panel(stage: Stage, rotation: int):
    mounting = Mounting(rotation=rotation)
    turned = Stage(replace_cabinet(stage), mounting=mounting)
    x, y = turned.legend(Button.BET)
    panel = mounting.picture_size(SIZE)
    on_panel = Rect(*mounting.on_panel(Rect(x, y, 1, 1), panel))
    point = ((on_panel.x + 0.5) / panel[0], (on_panel.y + 0.5) / panel[1])
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=point[0], y=point[1]))
    turned.turn(0.3)
    assert turned.cabinet.wishes == [Button.BET]
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=on_panel[:2], touch=False))
    turned.turn(0.3)
    assert turned.cabinet.wishes == [Button.BET, Button.BET]


def finger_event(kind: int, finger: int, at: tuple[int, int]) -> pygame.event.Event:
    """Returns the event of a finger that goes down or up at a pixel."""
    return pygame.event.Event(kind, touch_id=1, finger_id=finger, x=(at[0] + 0.5) / SIZE[0], y=(at[1] + 0.5) / SIZE[1])


def test_two_fingers_press_and_release_two_buttons(stage: Stage):
    stage.cabinet.answers = False
    one, other = stage.legend(Button.BET), stage.legend(Button.SERVICE)
    corner = (other[0], stage.where.rect(Slot(Kind.LEGEND, nth=1)).y + 5)
    resting = stage.play.surface.get_at(corner)
    pygame.event.post(finger_event(pygame.FINGERDOWN, 1, one))
    pygame.event.post(finger_event(pygame.FINGERDOWN, 2, other))
    stage.turn(0.1)
    assert stage.cabinet.wishes == [Button.BET, Button.SERVICE]
    # The finger moves off before it is lifted: it pressed where it came down, and presses nothing where it goes up.
    pygame.event.post(finger_event(pygame.FINGERUP, 1, stage.legend(Button.CASH_OUT)))
    stage.turn(0.2)
    stage.turn(0.2)
    assert stage.play.surface.get_at(corner) != resting
    assert stage.cabinet.wishes == [Button.BET, Button.SERVICE]
    stage.turn(20.0)
    assert stage.play.surface.get_at(corner) != resting, "however long it is held"
    pygame.event.post(finger_event(pygame.FINGERUP, 2, other))
    stage.turn(0.2)
    stage.turn(0.2)
    assert stage.play.surface.get_at(corner) == resting
    assert stage.cabinet.wishes == [Button.BET, Button.SERVICE]


def test_assets_are_prepared_while_nothing_moves(stage: Stage):
    stage.turn(0.02)
    made = stage.play.painter.assets.made
    # Letters come first, and some pieces are on the screen already.
    for _ in range(3000):
        assert stage.turn(0.0) == 0.0
        if stage.play.painter.assets.made > made:
            break
    assert stage.play.painter.assets.made > made


def test_the_garbage_collector_skips_frozen_objects_and_still_runs():
    usual = gc.get_threshold()
    try:
        freeze_garbage()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
        assert 0 < gc.get_threshold()[0] <= GC_THRESHOLD
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
