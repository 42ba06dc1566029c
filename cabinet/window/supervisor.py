"""The window while there is a display, and the lock that says so while there is none: what the main thread does.

Rules: a real cabinet without a display goes on behind a lock and looks for one now and then; no key of a console stops
it, and a signal sets a flag. Reads the clock and passes it on as `now`. Does not know what is on the screen.
"""

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Final

import pygame

from cabinet.presentation.port import CabinetPort
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import fitted
from cabinet.window.display import ServerGoneError, Window, WindowError
from cabinet.window.loop import POLL_S, WindowLoop, WindowOptions, release_spared
from cabinet.window.mixer import Mixer
from cabinet.window.signals import shutdown_requested

_log = logging.getLogger(__name__)

KEY_SIGNALS: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
"""What keys of a console can send."""
RETRY_S: Final = 3.0
"""How long after a display could not be opened, or was not there, it is looked for again."""
Handler = Callable[[int, FrameType | None], None] | signal.Handlers


def run_window(*, cabinet: CabinetPort, options: WindowOptions) -> int:
    """Show the cabinet until it stops or SIGTERM asks; returns the exit status, 0.

    A real cabinet without a display goes on behind a lock until there is one, and no key of a console stops it; it
    raises `ServerGoneError` when only another process can open a display again. A simulated one ends at SIGINT, too,
    and raises `WindowError` when the display is not what it must be.
    """
    mixer = Mixer()
    with _stop_flag(by_keys=cabinet.simulate is not None) as asked:
        showing = WindowSupervisor(cabinet=cabinet, options=with_sound(mixer, options), mixer=mixer)
        try:
            cabinet.on_snapshot(showing.wake)
            while not (asked() or cabinet.stopping or showing.left):
                time.sleep(showing.turn(time.monotonic()))
        finally:
            mixer.close()
            showing.close()
    return 0


def with_sound(mixer: Mixer, options: WindowOptions) -> WindowOptions:
    """The options with the loudspeaker open; without one the log and the attendant's test of it say why."""
    if not mixer.open():
        _log.warning("%s; the cabinet plays on in silence, its alarm too", mixer.fault)
    return replace(options, facts=replace(options.facts, silent=mixer.fault))


@contextmanager
def _stop_flag(*, by_keys: bool) -> Iterator[Callable[[], bool]]:
    """A question that is answered yes once SIGTERM has come, now or before this loop was there; what keys of a console
    send does it only `by_keys`."""
    seen: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        seen.append(number)

    keys: dict[int, Handler] = {signal.SIGINT: note} if by_keys else dict.fromkeys(KEY_SIGNALS, signal.SIG_IGN)
    handlers: dict[int, Handler] = {signal.SIGTERM: note, **keys}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield lambda: bool(seen) or shutdown_requested()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def greet(surface: pygame.Surface, venue: str) -> None:
    """The cloth's colour and the venue's name, at once: the first whole picture takes seconds to prepare."""
    width, height = surface.get_size()
    surface.fill(palette.FELT["european"].mid)
    name = fitted(Role.TITLE, height // 12, venue, palette.CREAM, (width * 4 // 5, height))
    surface.blit(name, name.get_rect(center=(width // 2, height // 2)))


class WindowSupervisor:
    """The cabinet on its display while there is one; while there is none, the lock that says so."""

    def __init__(
        self, *, cabinet: CabinetPort, options: WindowOptions, mixer: Mixer, window: Window | None = None
    ) -> None:
        self._cabinet = cabinet
        self._options = options
        self._mixer = mixer
        self._window = window or Window(options.windowed, options.mounting)
        self._play: WindowLoop | None = None
        self._check_s = float("-inf")
        self._missing = False

    @property
    def left(self) -> bool:
        """True once the window of a simulated cabinet was closed."""
        return self._play is not None and self._play.left

    def wake(self) -> None:
        """There is news; from any thread."""
        play = self._play
        if play is not None:
            play.wake()

    def close(self) -> None:
        """Give the display back."""
        self._play = None
        self._window.close()

    def turn(self, now: float) -> float:
        """One pass of the loop; returns how long to sleep, in seconds."""
        try:
            if self._play is None:
                return self._wait(now)
            pause_s = self._play.turn(now)
        except WindowError as error:
            if self._cabinet.simulate is not None:
                raise
            self.close()
            self._check_s = now + RETRY_S
            self._cabinet.display_lost(str(error))
            if isinstance(error, ServerGoneError):
                raise
            return POLL_S
        self._watch(now)
        return pause_s

    def _wait(self, now: float) -> float:
        """Look for a display now and then. The cabinet is well meanwhile: it is locked, and its lamps say so."""
        self._cabinet.frame_done(now)
        if now >= self._check_s:
            surface = self._window.open()
            # What was prepared for a display that was lost is as much again as this one will need.
            release_spared()
            greet(surface, self._options.facts.venue)
            self._window.show(self._window.transfer([surface.get_rect()]))
            self._play = WindowLoop(
                cabinet=self._cabinet,
                options=self._options,
                surface=surface,
                mixer=self._mixer,
                transfer=self._window.transfer,
                show=self._window.show,
            )
            self._missing = False
            self._cabinet.display_found()
            self._check_s = now + RETRY_S
        return POLL_S

    def _watch(self, now: float) -> None:
        """Ask now and then whether a monitor is there: a flip does not tell."""
        if now < self._check_s:
            return
        self._check_s = now + RETRY_S
        missing = self._window.missing()
        if missing and not self._missing:
            self._cabinet.display_lost(missing)
        elif self._missing and not missing:
            self._cabinet.display_found()
        self._missing = bool(missing)
