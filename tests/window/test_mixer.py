"""The loudspeaker, on SDL's dummy sound driver and without a driver."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pygame
import pytest
from support.live import wait_for

from cabinet.ui.sound.cues import Cue
from cabinet.window.mixer import ALARM_CHANNEL, AWAKE_CHANNEL, Mixer


@pytest.fixture
def mixer() -> Iterator[Mixer]:
    mixer = Mixer()
    assert mixer.open()
    yield mixer
    mixer.close()


def busy_channels() -> set[int]:
    return {n for n in range(pygame.mixer.get_num_channels()) if pygame.mixer.Channel(n).get_busy()}


def test_all_cues_can_play_at_once(mixer: Mixer):
    assert all(mixer.play(cue) for cue in Cue)
    assert len(busy_channels() - {ALARM_CHANNEL, AWAKE_CHANNEL}) == len(Cue)


def test_the_output_is_kept_awake(mixer: Mixer):
    assert busy_channels() == {AWAKE_CHANNEL}


def test_the_volume_is_that_of_its_step_and_off_is_silent(mixer: Mixer):
    mixer.set_volume(1)
    assert mixer.play(Cue.CHIP)
    sound = pygame.mixer.Channel(2).get_sound()
    assert sound is not None
    assert sound.get_volume() == pytest.approx(0.25, abs=0.02)
    assert pygame.mixer.Channel(2).get_volume() == 1.0
    mixer.set_volume(0)
    assert not mixer.play(Cue.CHIP)
    mixer.set_volume(99)
    assert mixer.play(Cue.CARD)


@pytest.mark.parametrize("step", [0, 1, 3])
def test_the_alarm_has_full_volume_at_every_setting(mixer: Mixer, step: int):
    mixer.set_volume(step)
    mixer.set_alarm(on=True)
    mixer.set_alarm(on=True)
    channel = pygame.mixer.Channel(ALARM_CHANNEL)
    assert channel.get_busy()
    assert channel.get_volume() == 1.0
    mixer.set_volume(0)
    assert channel.get_volume() == 1.0
    sound = channel.get_sound()
    assert sound is not None
    assert sound.get_volume() == 1.0
    mixer.set_alarm(on=False)
    assert wait_for(lambda: not channel.get_busy())


def test_an_alarm_lowers_all_other_sounds_until_it_ends(mixer: Mixer):
    mixer.set_volume(3)

    def loudness() -> float:
        assert mixer.play(Cue.WIN_LARGE)
        sound = next(s for n in range(2, 16) if (s := pygame.mixer.Channel(n).get_sound()) is not None)
        return sound.get_volume()

    assert loudness() == pytest.approx(1.0, abs=0.02)
    mixer.set_alarm(on=True)
    assert loudness() <= 0.42
    mixer.set_volume(2)
    assert loudness() <= 0.25
    mixer.set_alarm(on=False)
    assert loudness() == pytest.approx(0.55, abs=0.02)


def test_an_alarm_test_plays_with_the_volume_off(mixer: Mixer):
    mixer.set_volume(0)
    assert mixer.play(Cue.ALARM)
    sound = pygame.mixer.Channel(2).get_sound()
    assert sound is not None
    assert sound.get_volume() == 1.0
    assert not mixer.play(Cue.CARD)


def test_a_full_mixer_drops_a_cue_and_never_the_alarm(mixer: Mixer):
    mixer.set_alarm(on=True)
    played = [mixer.play(Cue.WIN_LARGE) for _ in range(40)]
    assert not all(played)
    assert pygame.mixer.Channel(ALARM_CHANNEL).get_busy()


def test_without_a_sound_card_the_mixer_is_silent_and_gives_the_cause(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    mixer = Mixer()
    assert not mixer.open()
    assert mixer.fault.startswith("no sound: ")
    assert not mixer.play(Cue.CARD)
    mixer.set_alarm(on=True)
    mixer.close()


SILENT = "from cabinet.window.mixer import Mixer; print(Mixer().open())"


@pytest.mark.parametrize("driver", ["alsa", "pulseaudio", "none-such"])
def test_a_missing_sound_card_prints_nothing_to_standard_error(driver: str):
    """In a separate process: libraries in C write past Python."""
    environment = os.environ | {"SDL_AUDIODRIVER": driver, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    program = [sys.executable, "-c", SILENT]
    finished = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert finished.stderr == ""
    assert finished.stdout in {"True\n", "False\n"}


def test_a_closed_mixer_is_silent():
    mixer = Mixer()
    mixer.open()
    mixer.close()
    assert not mixer.play(Cue.CARD)
