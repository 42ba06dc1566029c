"""Plays cues on the loudspeaker: the only sound code.

Rules: a cabinet without a sound card plays on in silence. The volume does not change the alarm, which has its own
channel and lowers all other sounds. A silent loop keeps the output awake, because many screens drop the first half
second after a silence. Does not decide what is played.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pygame

from cabinet.text.quoting import cut
from cabinet.ui.sound.cues import Cue
from cabinet.ui.sound.synth import MAKERS, RATE, samples_of

BUFFER: Final = 1024
"""Frames per block: with fewer, HDMI on a Raspberry Pi crackles."""
CHANNELS: Final = 16
ALARM_CHANNEL: Final = 0
AWAKE_CHANNEL: Final = 1
FIRST_FREE: Final = 2
STDERR: Final = 2
FADE_MS: Final = 30
"""Milliseconds. An alarm cut off at once would click."""
BESIDE_ALARM: Final = 0.4
"""Volume of all other sounds during an alarm, as a share of their own."""
LOUDNESS: Final = (0.0, 0.25, 0.55, 1.0)
"""Volume by step; the first is off."""


class Mixer:
    """The loudspeaker. Call `open` once; without a sound card every other method does nothing."""

    def __init__(self) -> None:
        self._sounds: dict[Cue, pygame.mixer.Sound] = {}
        self._volume = LOUDNESS[-1]
        self._alarm = False
        self.fault = ""
        """Why there is no sound; empty while there is."""

    def open(self) -> bool:
        """Makes the sounds and opens the sound card; returns False when there is none (`fault` gives the cause)."""
        try:
            with _quiet_libraries():
                pygame.mixer.init(RATE, -16, 1, BUFFER, allowedchanges=0)
        except pygame.error as error:
            self.fault = f"no sound: {cut(str(error))}"
            return False
        pygame.mixer.set_num_channels(CHANNELS)
        self._sounds = {cue: pygame.mixer.Sound(buffer=samples_of(MAKERS[cue.value]()).tobytes()) for cue in Cue}
        self._set_loudness()
        silence = pygame.mixer.Sound(buffer=bytes(RATE))
        pygame.mixer.Channel(AWAKE_CHANNEL).play(silence, loops=-1)
        return True

    def close(self) -> None:
        """Closes the sound card."""
        if self._sounds:
            self._sounds = {}
            pygame.mixer.quit()

    def set_volume(self, step: int) -> None:
        """Sets the volume of everything but the alarm: 0 (off) to 3."""
        self._volume = LOUDNESS[max(0, min(step, len(LOUDNESS) - 1))]
        self._set_loudness()

    def play(self, cue: Cue) -> bool:
        """Plays a cue; returns False when nothing can be played. An alarm test plays at any volume."""
        sound = self._sounds.get(cue)
        audible = bool(self._volume) or cue is Cue.ALARM
        channel = _free_channel() if sound is not None and audible else None
        if sound is None or channel is None:
            return False
        channel.play(sound)
        return True

    def set_alarm(self, *, on: bool) -> None:
        """Starts or stops the alarm; it has full volume, whatever the player's step."""
        if on == self._alarm or not self._sounds:
            return
        self._alarm = on
        self._set_loudness()
        channel = pygame.mixer.Channel(ALARM_CHANNEL)
        if on:
            channel.play(self._sounds[Cue.ALARM], loops=-1)
        else:
            channel.fadeout(FADE_MS)

    def _set_loudness(self) -> None:
        """Sets the volume of each sound, not of a channel: a channel begins at full volume and would click."""
        others = self._volume * (BESIDE_ALARM if self._alarm else 1.0)
        for cue, sound in self._sounds.items():
            sound.set_volume(1.0 if cue is Cue.ALARM else others)


@contextmanager
def _quiet_libraries() -> Iterator[None]:
    """Discards what libraries in C print about a missing sound card: that is no error."""
    sys.stderr.flush()
    kept, nowhere = os.dup(STDERR), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, STDERR)
        yield
    finally:
        os.dup2(kept, STDERR)
        os.close(kept)
        os.close(nowhere)


def _free_channel() -> pygame.mixer.Channel | None:
    channels = (pygame.mixer.Channel(number) for number in range(FIRST_FREE, CHANNELS))
    return next((channel for channel in channels if not channel.get_busy()), None)
