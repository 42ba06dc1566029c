"""The loudspeaker, on SDL's dummy sound driver and without any."""

from collections.abc import Iterator

import pygame
import pytest

from cabinet.ui.mixer import ALARM_CHANNEL, AWAKE_CHANNEL, Mixer
from cabinet.ui.sounds import Cue


@pytest.fixture
def mixer() -> Iterator[Mixer]:
    mixer = Mixer()
    assert mixer.open()
    yield mixer
    mixer.close()


def busy_channels() -> set[int]:
    return {n for n in range(pygame.mixer.get_num_channels()) if pygame.mixer.Channel(n).get_busy()}


def test_every_cue_can_be_heard_at_once(mixer: Mixer):
    assert all(mixer.play(cue) for cue in Cue)
    assert len(busy_channels() - {ALARM_CHANNEL, AWAKE_CHANNEL}) == len(Cue)


def test_the_output_is_kept_awake(mixer: Mixer):
    assert busy_channels() == {AWAKE_CHANNEL}


def test_the_volume_is_that_of_its_step_and_off_is_silent(mixer: Mixer):
    mixer.set_volume(1)
    assert mixer.play(Cue.CHIP)
    assert pygame.mixer.Channel(2).get_volume() == pytest.approx(0.25, abs=0.02)
    mixer.set_volume(0)
    assert not mixer.play(Cue.CHIP)
    mixer.set_volume(99)
    assert mixer.play(Cue.CARD)


@pytest.mark.parametrize("step", [0, 1, 3])
def test_the_alarm_is_as_loud_as_can_be_whatever_the_volume(mixer: Mixer, step: int):
    mixer.set_volume(step)
    mixer.set_alarm(on=True)
    mixer.set_alarm(on=True)
    channel = pygame.mixer.Channel(ALARM_CHANNEL)
    assert channel.get_busy()
    assert channel.get_volume() == 1.0
    mixer.set_volume(0)
    assert channel.get_volume() == 1.0
    mixer.set_alarm(on=False)
    assert not channel.get_busy()


def test_a_full_mixer_drops_a_cue_and_never_the_alarm(mixer: Mixer):
    mixer.set_alarm(on=True)
    heard = [mixer.play(Cue.WIN_LARGE) for _ in range(40)]
    assert not all(heard)
    assert pygame.mixer.Channel(ALARM_CHANNEL).get_busy()


def test_without_a_sound_card_everything_is_silent_and_says_why(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    mixer = Mixer()
    assert not mixer.open()
    assert mixer.fault.startswith("no sound: ")
    assert not mixer.play(Cue.CARD)
    mixer.set_alarm(on=True)
    mixer.close()


def test_a_closed_mixer_is_silent():
    mixer = Mixer()
    mixer.open()
    mixer.close()
    assert not mixer.play(Cue.CARD)
