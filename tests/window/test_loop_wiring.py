"""Everything the window's loop drives besides the picture: loudspeaker, pointer, and preparation."""

import gc

import pygame
import pytest
from support.display import open_display, pixels_of
from support.live import wait_for
from support.played_cabinet import PlayedCabinet
from support.stage import READY, SIZE, START, Stage

from cabinet.engine.inputs import (
    Bet,
    BetAll,
    ChooseChip,
    ChooseGame,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    LeaveTable,
    PlayerLeft,
    Stand,
)
from cabinet.presentation.timeline import FRAME_S
from cabinet.text.messages import LANGUAGES
from cabinet.text.po_files import catalogue_of
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL, named_draw
from cabinet.ui.art.chips import chip
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.pointer import SIDE_PX
from cabinet.ui.presenter import present
from cabinet.ui.sound.cues import Cue
from cabinet.ui.view import Kind, Slot, TopItem
from cabinet.window.loop import WindowLoop, WindowOptions
from cabinet.window.mixer import ALARM_CHANNEL, FIRST_FREE, LOUDNESS

pytestmark = pytest.mark.screen

SMALL = (320, 180)
TURNS = 20_000
MOMENTS = 100
"""More than the moments of a deal: there are more letters to prepare."""


@pytest.fixture
def sounding(stage: Stage) -> Stage:
    """A stage with a loudspeaker."""
    assert stage.mixer.open()
    return stage


# --- loudspeaker --------------------------------------------------------------------------------------------------


def test_the_alarm_sounds_until_the_door_is_shut(sounding: Stage):
    alarm = pygame.mixer.Channel(ALARM_CHANNEL)
    assert not alarm.get_busy()
    sounding.cabinet.step(DoorOpened(door=Door.MAIN), now=sounding.now)
    sounding.turn(0.02)
    assert alarm.get_busy()
    sounding.turn(5.0)
    assert alarm.get_busy()
    sounding.cabinet.step(DoorClosed(door=Door.MAIN), now=sounding.now)
    sounding.turn(0.02)
    assert wait_for(lambda: not alarm.get_busy())


def loudness(stage: Stage) -> float:
    """Returns the volume of a press now."""
    pygame.mixer.Channel(FIRST_FREE).stop()
    if not stage.mixer.play(Cue.PRESS):
        return 0.0
    sound = pygame.mixer.Channel(FIRST_FREE).get_sound()
    assert sound is not None
    return sound.get_volume()


def test_the_players_volume_is_reset_for_the_next_player(sounding: Stage):
    assert loudness(sounding) == pytest.approx(LOUDNESS[2], abs=0.02)
    nth = [view.item for view in sounding.screen.top.items].index(TopItem.SOUND)
    sounding.click(sounding.middle(Kind.TOP_ITEM, nth=nth))
    wished = LOUDNESS[sounding.play.ui.volume]
    assert wished != LOUDNESS[2]
    assert loudness(sounding) == pytest.approx(wished, abs=0.02)
    sounding.cabinet.step(PlayerLeft(), now=sounding.now)
    sounding.turn(0.6)
    assert loudness(sounding) == pytest.approx(LOUDNESS[2], abs=0.02)


@pytest.mark.parametrize("step", range(len(LOUDNESS)))
def test_the_first_volume_is_the_operators(stage: Stage, step: int):
    assert stage.mixer.open()
    options = WindowOptions(settings=stage.cabinet.settings, facts=SAMPLE_FACTS, volume=step)
    WindowLoop(
        cabinet=stage.cabinet, options=options, surface=stage.play.surface, mixer=stage.mixer, show=lambda _: None
    )
    assert loudness(stage) == pytest.approx(LOUDNESS[step], abs=0.02)


# --- pointer and window -------------------------------------------------------------------------------------------


def test_the_pointer_is_the_selected_chip_and_a_touch_hides_it(stage: Stage):
    assets, before = stage.play.painter.assets, stage.play.painter.assets.made
    assets.get(piece(chip, 25_00, SIDE_PX))
    assert assets.made == before
    pygame.mouse.set_visible(True)
    stage.finger((5, 5))
    stage.turn(0.1)
    assert not pygame.mouse.get_visible()


@pytest.mark.parametrize("kind", [pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED, pygame.WINDOWRESTORED])
def test_an_exposed_window_is_painted_as_a_whole_at_once(stage: Stage, kind: int):
    stage.turn(0.6)
    before = pixels_of(stage.play.surface)
    stage.play.surface.fill((255, 0, 255))
    shown = len(stage.shown)
    pygame.event.post(pygame.event.Event(kind))
    stage.turn(FRAME_S)
    assert pixels_of(stage.play.surface) == before
    assert stage.shown[shown:] == [[stage.play.surface.get_rect()]]


# --- prepared while nothing moves ----------------------------------------------------------------------------------


def test_nothing_is_prepared_during_an_animation(stage: Stage):
    stage.cabinet.step(Bet(), now=stage.now)
    stage.turn(1.0)
    stage.cabinet.step(Deal(), now=stage.now)
    stage.turn(FRAME_S)
    assert not stage.play.painter.is_warm(stage.screen)
    made, frames = stage.play.painter.assets.made, len(stage.cabinet.frames)
    for _ in range(30):
        stage.turn(0.0)
    assert stage.play.painter.assets.made == made
    assert len(stage.cabinet.frames) == frames


def test_deferred_texts_come_with_the_next_frame():
    cabinet = PlayedCabinet(draw=named_draw("KS AD 8S QD AH 10C 9H 6C 8D 7S KC 9C"))
    cabinet.step(*READY, LeaveTable(), ChooseGame(game_id="european"), ChooseChip(chip_cents=500))
    cabinet.step(BetAll(), Deal(), *(Stand(),) * 4)
    stage = Stage(cabinet)
    stage.turn(60.0)
    # Amounts are as wide in French as in German, so nothing moves.
    for _ in range(2):
        screen = present(cabinet.snapshot(), stage.play.ui, stage.now, WALL, cabinet.settings, SAMPLE_FACTS)
        nth = [view.item for view in screen.top.items].index(TopItem.LANGUAGE)
        stage.mouse(layout(SIZE, screen).rect(Slot(Kind.TOP_ITEM, nth=nth)).centre)
        stage.turn(1.0)
    assert stage.play.painter.is_behind
    assert stage.play.due_s == pytest.approx(stage.now + FRAME_S)
    stage.turn(FRAME_S)
    assert not stage.play.painter.is_behind
    assert stage.play.due_s > stage.now + 0.1


def test_each_table_is_prepared_once_when_it_is_opened():
    cabinet = PlayedCabinet()
    cabinet.step(*READY)
    options = WindowOptions(settings=cabinet.settings, facts=SAMPLE_FACTS)
    stage = Stage(cabinet)
    play = WindowLoop(
        cabinet=cabinet,
        options=options,
        surface=open_display(SMALL),
        mixer=stage.mixer,
        show=lambda _: None,
        wall=lambda: WALL,
    )
    now = START
    usual = gc.get_threshold()
    catalogue_of.cache_clear()
    try:
        for game_id in ("classic", "table", "european"):
            if game_id != "classic":
                cabinet.step(LeaveTable(), ChooseGame(game_id=game_id), now=now)
            now += 5.0
            play.turn(now)
            turns = 0
            while play.turn(now) == 0.0:
                turns += 1
                assert turns < TURNS
            assert turns
            assert play.painter.is_warm(stage.screen), game_id
            assert gc.get_freeze_count() > 0, "the collector skips frozen objects"
        assert catalogue_of.cache_info().currsize >= len(LANGUAGES), "no frame waits for a language"
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
        stage.mixer.close()
