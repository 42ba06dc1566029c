"""The window and its loop, on the main thread: presses in, the newest value drawn.

Rules: money never waits for pixels, so this loop shares nothing with the cabinet but the port; it sleeps until an
event, news, or the screen's own next change, and draws nothing when nothing changed; a press shows within the next
frame, and long enough to be seen. It looks for events by itself every few milliseconds: SDL's own wait looks every
single one on most drivers, which costs a good deal more. No key, gesture or window control leads a player out: the
keyboard and the close button work in a simulated cabinet only. A signal sets a flag, nothing more. Reads the clocks and
passes them on as `now`.
"""

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import FrameType
from typing import Final

import pygame

from cabinet.engine.inputs import Button
from cabinet.engine.state import Settings
from cabinet.ui.layout import layout
from cabinet.ui.mixer import Mixer
from cabinet.ui.news import News
from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.pointer import Pointer
from cabinet.ui.port import CabinetPort
from cabinet.ui.presenter import present
from cabinet.ui.sounds import Cue, alarm_now, cues_between
from cabinet.ui.taps import Taps
from cabinet.ui.touch import Wish, areas, command_at
from cabinet.ui.ui_state import ButtonDown, CabinetFacts, CloseOverlay, ShowKeys, UiCommand, UiState, fresh_ui, ui_step
from cabinet.ui.view import Screen

DRIVERS: Final = frozenset({"kmsdrm", "wayland", "x11", "windows", "cocoa"})
"""Video drivers that show something; `dummy` is taken only when the environment names it."""
FRAME_S: Final = 1 / 60
LOOK_S: Final = 0.008
"""The longest sleep: so late at most a press, news or a signal is seen; half a frame."""
REFRESH_S: Final = 0.5
"""The screen is asked for anew at least so often, and the display is reported alive."""
PRESS_SHOWN_S: Final = 0.1
"""How long a press is shown at least, however short it was."""
KEYS_KEY: Final = "f1"
"""The key that shows the keys of a simulated cabinet, and puts the list away."""
SHORTEST_HOLD_S: Final = 0.03
"""A simulated button is held down at least so long, as a finger would; the pins drop anything shorter as a bounce."""
CALM_S: Final = 0.05
"""Assets are prepared only when nothing moves for so long."""
IGNORED: Final = (pygame.MOUSEMOTION, pygame.FINGERMOTION, pygame.MOUSEWHEEL, pygame.TEXTINPUT)
"""Events that would only fill the queue."""


class WindowError(Exception):
    """The display cannot be used as it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """How the window is opened and what its presenter must know. `windowed` None fills the display."""

    settings: Settings
    facts: CabinetFacts
    windowed: tuple[int, int] | None = None
    volume: int = 2
    """The loudness at the start and for each new player, 0 to 3."""


def run_window(*, cabinet: CabinetPort, options: WindowOptions) -> int:
    """Show the cabinet until it stops or SIGTERM or SIGINT asks; returns the exit status, 0.

    Raises `WindowError` when the display is not what it must be.
    """
    window = Window(options.windowed)
    mixer = Mixer()
    with _stop_flag() as asked:
        try:
            surface = window.open()
            mixer.open()
            play = Play(cabinet=cabinet, options=options, surface=surface, mixer=mixer, show=window.show)
            cabinet.on_news(play.wake)
            while not (asked() or cabinet.stopping or play.left):
                time.sleep(play.turn(time.monotonic()))
        finally:
            mixer.close()
            # Not `pygame.quit`: it would take the fonts away from those who keep them.
            pygame.display.quit()
    return 0


@contextmanager
def _stop_flag() -> Iterator[Callable[[], bool]]:
    """A question that is answered yes once SIGTERM or SIGINT has come."""
    seen: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        seen.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: bool(seen)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Window:
    """The display: opened once, checked, shown region by region."""

    def __init__(self, windowed: tuple[int, int] | None) -> None:
        self._windowed = windowed
        self._whole = windowed is None

    def open(self) -> pygame.Surface:
        """The surface to draw on. Raises `WindowError` when the driver or the size is not what was asked for."""
        # Each press then comes in one stream; drivers that send two all the same are merged by `Taps`.
        os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")
        os.environ.setdefault("SDL_MOUSE_TOUCH_EVENTS", "0")
        try:
            pygame.display.init()
            pygame.font.init()
            size = self._windowed or pygame.display.get_desktop_sizes()[0]
            surface = self._set_mode(size)
        except pygame.error as error:
            raise WindowError(
                f"the display cannot be opened: {error}; SDL_VIDEODRIVER names the driver to use, and a cabinet "
                "without a desktop needs an SDL that has kmsdrm"
            ) from error
        check_display(pygame.display.get_driver(), surface.get_size(), size)
        pygame.display.set_caption("Blackjack")
        pygame.event.set_blocked(IGNORED)
        pygame.mouse.set_visible(not self._whole)
        if self._whole:
            pygame.event.set_grab(True)
            pygame.event.set_keyboard_grab(True)
        return surface

    def _set_mode(self, size: tuple[int, int]) -> pygame.Surface:
        if not self._whole:
            return pygame.display.set_mode(size)
        try:
            return pygame.display.set_mode(size, pygame.SCALED | pygame.FULLSCREEN, vsync=1)
        except pygame.error:
            # Without the display's own beat the loop's clock keeps the pace.
            return pygame.display.set_mode(size, pygame.SCALED | pygame.FULLSCREEN)

    def show(self, regions: list[pygame.Rect]) -> None:
        """Bring the regions to the display."""
        if self._whole:
            pygame.display.flip()
        else:
            pygame.display.update(regions)


def check_display(driver: str, size: tuple[int, int], wanted: tuple[int, int]) -> None:
    """Refuse a display that nobody can see, or one of another size. Raises `WindowError`."""
    asked_for = os.environ.get("SDL_VIDEODRIVER", "").lower()
    name = driver.lower()
    if name not in DRIVERS and name != asked_for:
        allowed = ", ".join(sorted(DRIVERS))
        raise WindowError(f"video driver {driver!r} shows nothing: expected one of {allowed}; set SDL_VIDEODRIVER")
    if size != wanted:
        raise WindowError(f"the display gave {size[0]}x{size[1]} pixels: expected {wanted[0]}x{wanted[1]}")


class Play:
    """The loop's state. `turn` is one pass of the loop; `handle` and `render_at` are its two halves, for tests too."""

    def __init__(
        self,
        *,
        cabinet: CabinetPort,
        options: WindowOptions,
        surface: pygame.Surface,
        mixer: Mixer,
        show: Callable[[list[pygame.Rect]], None],
        wall: Callable[[], datetime] = lambda: datetime.now(tz=UTC).astimezone(),
    ) -> None:
        self._cabinet = cabinet
        self._options = options
        self.surface = surface
        self._mixer = mixer
        self._show = show
        self._wall = wall
        self._fresh_ui = fresh_ui(options.facts, options.volume)
        self._ui = self._fresh_ui
        self.painter = Painter(surface.get_size())
        self._pointer = Pointer(self.painter.assets)
        self._taps = Taps(surface.get_size())
        self._screen: Screen | None = None
        self._pressed: dict[Button, float] = {}
        self._released: dict[Button, float] = {}
        self._held_keys: dict[str, float] = {}
        self._lifts: dict[str, tuple[float, Callable[[], None]]] = {}
        self._heard_s: float | None = None
        self._rendered_s = float("-inf")
        self._woken = False
        self._warm = False
        self.left = False
        """True once the window of a simulated cabinet was closed."""
        self.last_frame_at: float | None = None
        mixer.set_volume(self._ui.volume)

    # --- from any thread ----------------------------------------------------------------------------------------

    def wake(self) -> None:
        """There is news."""
        self._woken = True

    # --- one pass -----------------------------------------------------------------------------------------------

    def turn(self, now: float) -> float:
        """Take what has come, draw what changed, else prepare assets; returns how long to sleep, in seconds."""
        for event in pygame.event.get():
            self.handle(event, now)
        self._lift_keys(now)
        if self._woken or now >= self.due_s:
            self.render_at(now)
        elif not self._warm and self.due_s - now >= CALM_S:
            self._prepare()
            return 0.0
        return max(0.0, min(LOOK_S, self.due_s - now))

    @property
    def due_s(self) -> float:
        """When the screen changes by itself, at most `REFRESH_S` away; frames are never closer than `FRAME_S`."""
        changes = (self._screen.next_change_s if self._screen is not None else None, *self._released.values())
        due_s = min((change for change in changes if change is not None), default=float("inf"))
        return min(max(due_s, self._rendered_s + FRAME_S), self._rendered_s + REFRESH_S)

    def _prepare(self) -> None:
        if self._screen is None or self.painter.warm_up(self._screen):
            return
        self._warm = True
        # What is there now stays: the collector need not look at it again in the middle of a deal.
        gc.collect()
        gc.freeze()

    # --- out ----------------------------------------------------------------------------------------------------

    def render_at(self, now: float) -> list[pygame.Rect]:
        """Draw, show and sound the cabinet as it is at `now`; returns what was drawn."""
        self._woken = False
        self._rendered_s = now
        news = self._cabinet.news()
        if news.machine.attract:
            self._set_ui(self._fresh_ui)
        ui = self._ui_with_presses(now)
        screen = present(news, ui, now, self._wall(), self._options.settings, self._options.facts)
        regions = self.painter.paint(self.surface, screen)
        if regions:
            self._show(regions)
            self.last_frame_at = now
        self._screen = screen
        self._sound(news, now)
        self._pointer.follow(screen)
        self._cabinet.frame_done(now)
        return regions

    def _ui_with_presses(self, now: float) -> UiState:
        """The screen's state with every button down that is held, here or on the panel."""
        for button in [button for button, until_s in self._released.items() if until_s <= now]:
            del self._released[button]
        ui = self._ui
        for button in (*self._pressed, *self._released, *self._cabinet.held):
            ui = ui_step(ui, ButtonDown(button=button))
        return ui

    def _sound(self, news: News, now: float) -> None:
        """What began to be heard since the last frame; what began before the first one is not made up for."""
        turbo = news.machine.turbo and self._options.settings.turbo_allowed
        for cue in cues_between(news, now if self._heard_s is None else self._heard_s, now, turbo=turbo):
            self._mixer.play(cue)
        self._heard_s = now
        self._mixer.set_alarm(on=alarm_now(news.machine))

    # --- in -----------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """What an event means; most mean nothing."""
        width, height = self.surface.get_size()
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                self._touch(event.pos, now)
            case pygame.FINGERDOWN if 0 <= event.x <= 1 and 0 <= event.y <= 1:
                self._pointer.hide()
                self._touch((min(width - 1, int(event.x * width)), min(height - 1, int(event.y * height))), now)
            case pygame.MOUSEBUTTONUP | pygame.FINGERUP:
                self._let_go(now)
            case pygame.WINDOWEXPOSED | pygame.WINDOWSIZECHANGED | pygame.WINDOWRESTORED:
                self.painter.forget()
                self._woken = True
            case pygame.KEYDOWN | pygame.KEYUP | pygame.QUIT:
                self._handle_desk(event, now)

    def _handle_desk(self, event: pygame.event.Event, now: float) -> None:
        """Keyboard and close button: dead on a real cabinet."""
        simulated = self._cabinet.simulate
        if simulated is None:
            return
        if event.type == pygame.QUIT:
            self.left = True
            return
        name = pygame.key.name(event.key)
        if name == KEYS_KEY and event.type == pygame.KEYDOWN:
            self._set_ui(ui_step(self._ui, CloseOverlay() if self._ui.keys_shown else ShowKeys()))
            self._woken = True
        key = simulated.keys.get(name)
        if key is None:
            return
        if event.type == pygame.KEYDOWN:
            self._held_keys[name] = now
            key.down()
        elif key.up is not None:
            self._lifts[name] = (max(now, self._held_keys.pop(name, now) + SHORTEST_HOLD_S), key.up)

    def _lift_keys(self, now: float) -> None:
        """Let go of the keys whose time has come."""
        for name in [name for name, (due_s, _) in self._lifts.items() if due_s <= now]:
            self._lifts.pop(name)[1]()

    def _touch(self, position: tuple[int, int], now: float) -> None:
        if self._screen is None or not self._taps.accept(position, now):
            return
        held = pygame.key.get_mods() if self._cabinet.simulate is not None else 0
        found = areas(self._screen, layout(self.surface.get_size(), self._screen))
        wish = command_at(found, position, ctrl=bool(held & pygame.KMOD_CTRL), shift=bool(held & pygame.KMOD_SHIFT))
        if wish is not None:
            self._grant(wish, now)

    def _grant(self, wish: Wish, now: float) -> None:
        """Pass a wish on; the press is seen and heard at once, whatever comes of it."""
        self._woken = True
        self._mixer.play(Cue.PRESS)
        if isinstance(wish, Button):
            self._pressed[wish] = now
            self._cabinet.put(wish, now)
        elif isinstance(wish, UiCommand):
            self._set_ui(ui_step(self._ui, wish))
        else:
            self._cabinet.put(wish, now)

    def _let_go(self, now: float) -> None:
        for button, since_s in self._pressed.items():
            self._released[button] = max(now, since_s + PRESS_SHOWN_S)
        self._pressed.clear()
        self._woken = True

    def _set_ui(self, ui: UiState) -> None:
        self._ui = ui
        self._mixer.set_volume(ui.volume)
