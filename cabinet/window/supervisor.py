"""Runs the window while there is a display, and locks the cabinet while there is none: the main thread's work.

Rules: a real cabinet without a display goes on behind a lock and tries the display at intervals. No key of a console
stops it; a signal sets a flag. Reads the clock and passes it on as `now`. Does not know what the screen shows.
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
from cabinet.window.loop import POLL_S, WindowLoop, WindowOptions, unfreeze_garbage
from cabinet.window.mixer import Mixer
from cabinet.window.signals import shutdown_requested

_log = logging.getLogger(__name__)

KEY_SIGNALS: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
"""Signals that keys of a console can send."""
RETRY_S: Final = 3.0
"""Seconds until the next try after a display could not be opened or was missing."""
Handler = Callable[[int, FrameType | None], None] | signal.Handlers


def run_window(*, cabinet: CabinetPort, options: WindowOptions) -> int:
    """Shows the cabinet until it stops or SIGTERM arrives; returns the exit status, 0.

    A real cabinet without a display goes on behind a lock until there is one, and no key of a console stops it. It
    raises `ServerGoneError` when only another process can open a display again. A simulated one also ends at SIGINT,
    and raises `WindowError` when the display is not as required.
    """
    mixer = Mixer()
    with _stop_flag(by_keys=cabinet.simulate is not None) as stop_requested:
        supervisor = WindowSupervisor(cabinet=cabinet, options=with_sound(mixer, options), mixer=mixer)
        try:
            cabinet.on_snapshot(supervisor.wake)
            while not (stop_requested() or cabinet.stopping or supervisor.closed):
                time.sleep(supervisor.turn(time.monotonic()))
        finally:
            mixer.close()
            supervisor.close()
    return 0


def with_sound(mixer: Mixer, options: WindowOptions) -> WindowOptions:
    """Returns the options with the loudspeaker open; without one the log and the attendant's sound test give the
    cause."""
    if not mixer.open():
        _log.warning("%s; the cabinet goes on without sound, also without its alarm", mixer.fault)
    return replace(options, facts=replace(options.facts, silent=mixer.fault))


@contextmanager
def _stop_flag(*, by_keys: bool) -> Iterator[Callable[[], bool]]:
    """Yields a function that returns True once SIGTERM has arrived, also before this loop. Signals of console keys
    count only with `by_keys`."""
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


def show_cloth(surface: pygame.Surface, venue: str) -> None:
    """Shows the cloth's colour and the venue's name at once: the first whole picture takes seconds to prepare."""
    width, height = surface.get_size()
    surface.fill(palette.FELT["european"].mid)
    name = fitted(Role.TITLE, height // 12, venue, palette.CREAM, (width * 4 // 5, height))
    surface.blit(name, name.get_rect(center=(width // 2, height // 2)))


class WindowSupervisor:
    """Owns the window while there is a display, and the lock while there is none."""

    def __init__(
        self, *, cabinet: CabinetPort, options: WindowOptions, mixer: Mixer, window: Window | None = None
    ) -> None:
        self._cabinet = cabinet
        self._options = options
        self._mixer = mixer
        self._window = window or Window(options.windowed, options.mounting, mode=options.mode)
        self._play: WindowLoop | None = None
        self._check_s = float("-inf")
        self._missing = False

    @property
    def closed(self) -> bool:
        """True once the window of a simulated cabinet was closed."""
        return self._play is not None and self._play.closed

    def wake(self) -> None:
        """Wakes the loop for a new snapshot; callable from any thread."""
        play = self._play
        if play is not None:
            play.wake()

    def close(self) -> None:
        """Releases the display."""
        self._play = None
        self._window.close()

    def turn(self, now: float) -> float:
        """Runs one pass of the loop; returns how long to sleep, in seconds."""
        try:
            if self._play is None:
                return self._try_display(now)
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
        self._check_monitor(now)
        return pause_s

    def _try_display(self, now: float) -> float:
        """Tries to open a display at intervals. The watchdog is fed meanwhile: the cabinet is locked, and its lamps
        show it."""
        self._cabinet.frame_done(now)
        if now >= self._check_s:
            surface = self._window.open()
            # The assets of a lost display take as much memory as the new ones will need.
            unfreeze_garbage()
            show_cloth(surface, self._options.facts.venue)
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

    def _check_monitor(self, now: float) -> None:
        """Checks at intervals whether a monitor is connected: a flip does not report that."""
        if now < self._check_s:
            return
        self._check_s = now + RETRY_S
        missing = self._window.missing()
        if missing and not self._missing:
            self._cabinet.display_lost(missing)
        elif self._missing and not missing:
            self._cabinet.display_found()
        self._missing = bool(missing)
