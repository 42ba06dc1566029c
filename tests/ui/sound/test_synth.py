"""The sounds: short, dry, loud enough, the same every time."""

import numpy as np
import pytest

from cabinet.ui.sound.cues import Cue
from cabinet.ui.sound.synth import FULL, MAKERS, RATE, samples_of

SHORT_S = {"card": 0.2, "chip": 0.2, "press": 0.1, "push": 0.5, "refusal": 0.3, "alarm": 1.0}


def test_every_cue_has_its_tone():
    assert {cue.value for cue in Cue} == set(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_tone_is_audible_unclipped_and_ends_in_silence(name: str):
    wave = MAKERS[name]()
    samples = samples_of(wave)
    assert samples.dtype == np.int16
    assert 0.2 * FULL < np.abs(samples).max() < FULL
    assert abs(int(samples[-1])) < 100
    assert len(samples) <= SHORT_S.get(name, 1.2) * RATE


@pytest.mark.parametrize("name", MAKERS)
def test_a_tone_is_the_same_at_every_start(name: str):
    assert np.array_equal(MAKERS[name](), MAKERS[name]())


@pytest.mark.parametrize("name", MAKERS)
def test_a_tone_begins_in_silence_so_that_nothing_clicks(name: str):
    samples = samples_of(MAKERS[name]()).astype(int)
    assert abs(samples[0]) < 100
    assert np.abs(samples[:4]).max() < 0.1 * FULL


@pytest.mark.parametrize("name", ["push", "win_small", "win_medium", "win_large", "refusal"])
def test_no_note_of_a_melody_clicks_at_its_ends(name: str):
    samples = samples_of(MAKERS[name]()).astype(int)
    assert np.abs(np.diff(samples)).max() < 0.2 * FULL


def test_the_alarm_is_repeated_without_a_seam_and_is_louder_than_anything_else():
    alarm = samples_of(MAKERS["alarm"]()).astype(int)
    for at in range(0, len(alarm), RATE // 4):
        assert abs(alarm[at] - alarm[at - 1]) < 0.01 * FULL, "a tone runs into the next"
    assert all(2 * _loudest(samples_of(MAKERS[name]())) < _loudest(alarm) for name in MAKERS if name != "alarm")


def _loudest(samples: np.ndarray) -> float:
    """Returns the volume of the loudest twentieth of a second."""
    squares = np.convolve(samples.astype(float) ** 2, np.ones(RATE // 20), mode="full")
    return float(np.sqrt(squares.max() / (RATE // 20)))


def test_larger_wins_sound_longer():
    small, medium, large = (len(MAKERS[f"win_{size}"]()) for size in ("small", "medium", "large"))
    assert small < medium < large


@pytest.mark.requirement("PD-19")
def test_the_sound_of_a_push_stays_level_and_is_softer_and_shorter_than_any_win():
    wins = [MAKERS[f"win_{size}"]() for size in ("small", "medium", "large")]
    push = MAKERS["push"]()
    assert _pitch(push, 0.0) == pytest.approx(_pitch(push, 0.15), rel=0.02)
    assert all(_pitch(win, 0.0) < _pitch(win, len(win) / RATE - 0.25) * 0.95 for win in wins)
    assert all(_loudest(samples_of(push)) < _loudest(samples_of(win)) for win in wins)
    assert all(len(push) < len(win) for win in wins)


def _pitch(wave: np.ndarray, from_s: float) -> float:
    """Returns the strongest frequency of a tenth of a second."""
    part = wave[round(from_s * RATE) : round((from_s + 0.1) * RATE)]
    return float(np.abs(np.fft.rfft(part, n=RATE)).argmax())


def test_a_wave_above_full_volume_is_clipped_not_wrapped():
    assert list(samples_of(np.array([2.0, -2.0], np.float32))) == [FULL, -FULL]
