"""The sounds: short, dry, loud enough, the same every time."""

import numpy as np
import pytest

from cabinet.ui.sounds import Cue
from cabinet.ui.tones import FULL, MAKERS, RATE, samples_of

SHORT_S = {"card": 0.2, "chip": 0.2, "press": 0.1, "push": 0.5, "refusal": 0.3, "alarm": 1.0}


def test_every_cue_has_its_tone():
    assert {cue.value for cue in Cue} == set(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_tone_is_heard_is_not_cut_and_ends_in_silence(name: str):
    wave = MAKERS[name]()
    samples = samples_of(wave)
    assert samples.dtype == np.int16
    assert 0.2 * FULL < np.abs(samples).max() < FULL
    assert abs(int(samples[-1])) < 100
    assert len(samples) <= SHORT_S.get(name, 1.2) * RATE


@pytest.mark.parametrize("name", MAKERS)
def test_a_tone_is_the_same_at_every_start(name: str):
    assert np.array_equal(MAKERS[name](), MAKERS[name]())


def test_larger_wins_sound_longer():
    small, medium, large = (len(MAKERS[f"win_{size}"]()) for size in ("small", "medium", "large"))
    assert small < medium < large


def test_beyond_full_loudness_a_wave_is_cut_not_wrapped():
    assert list(samples_of(np.array([2.0, -2.0], np.float32))) == [FULL, -FULL]
