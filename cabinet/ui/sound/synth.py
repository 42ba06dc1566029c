"""The sounds of the cabinet, computed: short, dry, and the same at every start.

Rules: a tone is mono, sixteen bits, `RATE` samples a second, and ends in silence, so that nothing clicks. Noise is a
fixed sequence, never random. All sounds together take a few tens of milliseconds to compute, so this is done at the
start and no sound file is kept. Does not know loudspeakers or when a sound is played.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

RATE: Final = 48_000
FULL: Final = 32_000

Wave = npt.NDArray[np.float32]
Samples = npt.NDArray[np.int16]


def card() -> Wave:
    """Returns the sound of a card that slides over cloth: a soft rush that ends in a tap."""
    slide = _band(_noise(0.085), 0.16) * _swell(0.085, rise_s=0.03)
    tap = _band(_noise(0.02), 0.4) * _decay(0.02, 0.005)
    return _mixed(0.1, (slide, 0.0, 0.55), (tap, 0.07, 0.5))


def chip() -> Wave:
    """Returns the sound of a chip: clay on clay, two clicks close together."""
    ring = sum((_sine(hz, 0.07) * _decay(0.07, fade_s) for hz, fade_s in _CLAY), start=np.zeros(1, np.float32))
    click = ring / len(_CLAY) + 0.5 * _padded(_band(_noise(0.006), 0.7) * _decay(0.006, 0.002), 0.07)
    return _mixed(0.12, (click, 0.0, 0.7), (click, 0.034, 0.45))


_CLAY: Final = ((2350.0, 0.011), (3720.0, 0.009), (5310.0, 0.006), (7900.0, 0.004))


def press() -> Wave:
    """Returns the sound of a key that goes down."""
    body = _sine(310, 0.05) * _decay(0.05, 0.009)
    click = _band(_noise(0.01), 0.6) * _decay(0.01, 0.002)
    return _mixed(0.06, (body, 0.0, 0.6), (click, 0.0, 0.35))


def refusal() -> Wave:
    """Returns the sound of a press without effect: two low, muffled knocks."""
    knock = (_sine(142, 0.09) + 0.4 * _sine(213, 0.09)) * _decay(0.09, 0.022)
    return _mixed(0.22, (knock, 0.0, 0.55), (knock, 0.11, 0.45))


def push() -> Wave:
    """Returns the sound of a stake that comes back: one level, neutral pair of notes."""
    return _melody(((523.25, 0.0), (523.25, 0.13)), note_s=0.22, loudness=0.4)


def win_small() -> Wave:
    """Returns two notes upward."""
    return _melody(((659.25, 0.0), (987.77, 0.1)), note_s=0.34, loudness=0.5)


def win_medium() -> Wave:
    """Returns a broken triad upward."""
    return _melody(((587.33, 0.0), (739.99, 0.09), (880.0, 0.18), (1174.66, 0.27)), note_s=0.42, loudness=0.55)


def win_large() -> Wave:
    """Returns two broken triads and their octave."""
    notes = (523.25, 659.25, 783.99, 1046.5, 783.99, 1046.5, 1318.51)
    return _melody(tuple((hz, 0.085 * step) for step, hz in enumerate(notes)), note_s=0.6, loudness=0.6)


def alarm() -> Wave:
    """Returns one second of two alternating tones, for repetition; harsh, because it must be heard across a room."""
    half = tuple(np.sign(_sine(hz, 0.25)) * 0.35 + _sine(hz, 0.25) * 0.6 for hz in (988.0, 740.0))
    edges = np.clip(_swell(0.25, rise_s=0.125) * 30, 0, 1)
    return np.concatenate([half[0] * edges, half[1] * edges] * 2).astype(np.float32)


MAKERS: Final[Mapping[str, Callable[[], Wave]]] = MappingProxyType(
    {
        "card": card,
        "chip": chip,
        "press": press,
        "refusal": refusal,
        "push": push,
        "win_small": win_small,
        "win_medium": win_medium,
        "win_large": win_large,
        "alarm": alarm,
    }
)
"""Every tone by the value of its cue."""


def samples_of(wave: Wave) -> Samples:
    """Returns a wave as samples for a loudspeaker; above full volume it is clipped."""
    return (np.clip(wave, -1, 1) * FULL).astype(np.int16)


# --- building blocks --------------------------------------------------------------------------------------------


def _times(length_s: float) -> Wave:
    return np.arange(round(length_s * RATE), dtype=np.float32) / np.float32(RATE)


def _sine(hz: float, length_s: float) -> Wave:
    wave: Wave = np.sin(_times(length_s) * np.float32(2 * np.pi * hz))
    return wave


def _decay(length_s: float, fade_s: float) -> Wave:
    """Returns a fall from full to nothing, down to a third every `fade_s`, and silent at the end."""
    t = _times(length_s)
    last = np.clip((length_s - t) / np.float32(min(0.004, length_s / 2)), 0, 1)
    rise = np.clip(t / np.float32(0.0006), 0, 1)
    wave: Wave = (np.exp(-t / np.float32(fade_s)) * last * rise).astype(np.float32)
    return wave


def _swell(length_s: float, *, rise_s: float) -> Wave:
    """Returns a rise within `rise_s`, then an even fall to nothing."""
    t = _times(length_s)
    wave: Wave = np.minimum(t / np.float32(rise_s), (length_s - t) / np.float32(length_s - rise_s)).astype(np.float32)
    return np.clip(wave, 0, 1)


def _noise(length_s: float) -> Wave:
    """Returns even noise from -1 to 1, always the same: the upper bits of Knuth's 64-bit linear congruential
    sequence."""
    count = round(length_s * RATE)
    power = np.cumprod(np.full(count, 6364136223846793005, np.uint64), dtype=np.uint64)
    step = np.cumsum(np.concatenate([np.ones(1, np.uint64), power[:-1]]), dtype=np.uint64)
    state = power * np.uint64(88172645463325252) + step * np.uint64(1442695040888963407)
    wave: Wave = ((state >> np.uint64(40)).astype(np.float32) / np.float32(2**23)) - np.float32(1)
    return wave


def _band(wave: Wave, share: float) -> Wave:
    """Returns a dulled wave: frequencies above about `share` of the highest are averaged away, and the lowest
    removed."""
    width = max(1, round(1 / share))
    smooth = np.convolve(wave, np.full(width, 1 / width, np.float32), mode="same")
    low = np.convolve(smooth, np.full(width * 8, 1 / (width * 8), np.float32), mode="same")[: len(smooth)]
    out: Wave = (smooth - low).astype(np.float32)
    return out / np.float32(max(1e-3, float(np.abs(out).max())))


def _padded(wave: Wave, length_s: float) -> Wave:
    out = np.zeros(max(round(length_s * RATE), len(wave)), np.float32)
    out[: len(wave)] = wave
    return out


def _mixed(length_s: float, *parts: tuple[Wave, float, float]) -> Wave:
    """Returns the sum of waves, each given as (wave, start in seconds, loudness)."""
    out = np.zeros(round(length_s * RATE), np.float32)
    for wave, start_s, loudness in parts:
        start = round(start_s * RATE)
        room = out[start : start + len(wave)]
        room += wave[: len(room)] * np.float32(loudness)
    fade = min(len(out), round(0.003 * RATE))
    out[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    return out


def _melody(notes: tuple[tuple[float, float], ...], *, note_s: float, loudness: float) -> Wave:
    """Returns bells: each (pitch in Hz, start) with two overtones that fade sooner."""
    length_s = max(start for _, start in notes) + note_s
    parts = tuple((_bell(hz, note_s), start, loudness) for hz, start in notes)
    return _mixed(length_s, *parts)


def _bell(hz: float, length_s: float) -> Wave:
    fade_s = length_s / 4.5
    body = _sine(hz, length_s) * _decay(length_s, fade_s)
    second = _sine(hz * 2.0, length_s) * _decay(length_s, fade_s * 0.55)
    third = _sine(hz * 3.01, length_s) * _decay(length_s, fade_s * 0.25)
    wave: Wave = (0.62 * body + 0.26 * second + 0.12 * third).astype(np.float32)
    return wave
