"""The display: opens it, checks it, shows regions, and detects its loss.

Rules: refuses a display that cannot be seen, is too small, or has another size than asked for. The picture may be
rotated on the panel. Every failure is a `WindowError` that says what to do. SDL goes on drawing when a monitor is
pulled off a cabinet without a desktop, so the kernel reports whether anything is connected. Without a desktop the
window chooses the mode (`modes`); a desktop has its own. Does not know the picture.
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pygame

from cabinet.config.mounting import UPRIGHT, Mounting, unfit
from cabinet.text.shipped import advise
from cabinet.ui.layout.geometry import Rect
from cabinet.window.modes import CONNECTORS, Choice, Size, choose_mode, find_card, offered, read_modes, write_size

_log = logging.getLogger(__name__)

BARE: Final = "kmsdrm"
"""The video driver without a desktop: the window sets the mode."""
CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
"""The environment variable with the number of the graphics card."""
CABINET_DRIVERS: Final = (BARE, "wayland", "x11")
"""Video drivers of a cabinet; messages name them."""
DRIVERS: Final = frozenset({*CABINET_DRIVERS, "windows", "cocoa"})
"""Video drivers that show something; `dummy` is accepted only when the environment names it."""
WATCHED: Final = frozenset({BARE, "wayland"})
"""Drivers for which the kernel's connectors belong to the cabinet's own display."""
SERVERS: Final = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "x11"}
"""Environment variable of a desktop's display -> its driver."""
GRAPHICS: Final = Path("/dev/dri")
IGNORED: Final = (
    pygame.MOUSEMOTION,
    pygame.FINGERMOTION,
    pygame.MULTIGESTURE,
    pygame.MOUSEWHEEL,
    pygame.TEXTINPUT,
    pygame.TEXTEDITING,
    pygame.DROPFILE,
    pygame.DROPTEXT,
)
"""Events that would only fill the queue."""
HINTS: Final = {
    # Each press then arrives in one stream; `TapFilter` merges the streams of drivers that still send two.
    "SDL_TOUCH_MOUSE_EVENTS": "0",
    "SDL_MOUSE_TOUCH_EVENTS": "0",
    # A window that takes the focus must not minimise the table.
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
    # Saves one frame on a display without a desktop; each flip is waited for at once.
    "SDL_VIDEO_DOUBLE_BUFFER": "1",
}


NO_DISPLAY: Final = (
    "there is no display here: no desktop (DISPLAY and WAYLAND_DISPLAY are unset) and no graphics card; "
    + advise(
        "start it on a desktop, or let it play by itself without one: `make run` or `cabinet autoplay`",
        "connect the cabinet's screen; `cabinet doctor` says what it finds",
    )
)


SERVER_GONE: Final = (
    "the display server has ended, and this process can open no window any more; the program ends and is started "
    "again, and the table appears as soon as there is a display server"
)


class WindowError(Exception):
    """The display cannot be used as required."""


class ServerGoneError(WindowError):
    """The display's server has ended. SDL's remains of it crash the next window, so this process must end."""


class Window:
    """The display. `open` returns the picture to draw on; `transfer` and then `show` bring its regions to the panel."""

    def __init__(
        self,
        windowed: Size | None,
        mounting: Mounting = UPRIGHT,
        *,
        mode: Size | None = None,
        connectors: Path = CONNECTORS,
    ) -> None:
        """With `windowed` None the picture fills the display; `mode` is the display's mode by the settings.
        `connectors` is the kernel's list of sockets."""
        self._windowed = windowed
        self._mode = mode
        self._connectors = connectors
        self._choice: Choice | None = None
        self._names_card = CARD not in os.environ
        self._whole = windowed is None
        self._beat = True
        self._mounting = mounting
        self._panel: pygame.Surface | None = None
        self._picture: pygame.Surface | None = None

    @classmethod
    def measured(cls, size: tuple[int, int]) -> "Window":
        """Returns a window that fills a display of this size and does not wait for its refresh."""
        window = cls(size)
        window._whole, window._beat = True, False
        return window

    def open(self) -> pygame.Surface:
        """Returns the picture to draw on. Raises `WindowError` when the driver or the size is not the one asked for."""
        if not display_here(os.environ):
            raise WindowError(NO_DISPLAY)
        for name, value in HINTS.items():
            os.environ.setdefault(name, value)
        self._name_card()
        try:
            pygame.display.init()
            pygame.font.init()
            size = self._windowed or self._whole_size()
            panel = self._switch_mode(size) or self._set_mode(size)
            check_display(pygame.display.get_driver(), panel.get_size(), size)
            self._configure_input()
        except pygame.error as error:
            named = () if pygame.display.get_init() else displays_named(os.environ)
            pygame.display.quit()
            raise WindowError(
                _unanswered(named)
                if named
                else f"the display cannot be opened: {error}; SDL_VIDEODRIVER names the driver to use, and a cabinet "
                "without a desktop needs an SDL that has kmsdrm"
            ) from error
        except WindowError:
            pygame.display.quit()
            raise
        self._panel = panel
        turned = self._mounting.rotation != 0
        self._picture = pygame.Surface(self._mounting.picture_size(size)).convert() if turned else panel
        return self._picture

    def close(self) -> None:
        """Releases the display."""
        self._panel = self._picture = None
        # Not `pygame.quit`: it would invalidate fonts that are still in use.
        pygame.display.quit()

    def transfer(self, regions: list[pygame.Rect]) -> list[pygame.Rect]:
        """Copies regions of the picture to the panel, rotated as it is mounted; returns where they are. Raises
        `WindowError` when the display is gone."""
        if self._picture is self._panel:
            return regions
        with _lost_display():
            return [self._rotate(region) for region in regions]

    def show(self, regions: list[pygame.Rect]) -> None:
        """Shows the transferred regions; other threads run meanwhile. Raises `WindowError` when the display is gone."""
        with _lost_display():
            if self._whole:
                pygame.display.flip()
            else:
                pygame.display.update(regions)

    def missing(self) -> str:
        """Returns the fault when the monitor is unplugged or off; empty while one is connected or the kernel gives no
        answer."""
        if not self._whole or pygame.display.get_driver().lower() not in WATCHED:
            return ""
        dark = unlit_connectors()
        return f"no display is connected to {', '.join(dark)}; check its power and cable" if dark else ""

    def _whole_size(self) -> tuple[int, int]:
        """Returns the size of the display. Raises `WindowError` when the table cannot be shown on it."""
        own = pygame.display.get_desktop_sizes()[0]
        choice = choose_mode(self._offers(own), self._mounting, self._mode)
        if choice is None:
            turn = self._mounting.rotation
            raise WindowError(
                f"the display gives {unfit(self._mounting.picture_size(own)) or 'interlaced modes only'}; set a larger "
                f"mode, connect another display, or set display.rotation (now {turn}) when it is mounted turned"
            )
        if choice != self._choice:
            loud = choice.denied or choice.size != own
            _log.log(logging.WARNING if loud else logging.INFO, "mode %s: %s", write_size(choice.size), choice.why)
        self._choice = choice
        return choice.size

    def _offers(self, own: Size) -> tuple[Size, ...]:
        """Returns the modes to choose from; a desktop has its own."""
        if pygame.display.get_driver().lower() != BARE:
            return (own,)
        return offered(pygame.display.list_modes(), read_modes(self._connectors)) or (own,)

    def _name_card(self) -> None:
        """Names the graphics card with the display, where the operator names none: the library's guess may be a card
        without sockets."""
        if not self._names_card or os.environ.get("SDL_VIDEODRIVER", "").lower() != BARE:
            return
        card = find_card(self._connectors)
        if card is None:
            os.environ.pop(CARD, None)
        else:
            os.environ[CARD] = str(card)

    def _switch_mode(self, size: Size) -> pygame.Surface | None:
        """Switches the display to another mode than its own; None where that is not needed or is refused. A refusal
        costs no picture: it is drawn in this size, and the graphics card enlarges it."""
        if not self._whole or pygame.display.get_driver().lower() != BARE:
            return None
        if size == pygame.display.get_desktop_sizes()[0]:
            return None
        os.environ.setdefault("SDL_RENDER_VSYNC", "1")
        with suppress(pygame.error):
            panel = pygame.display.set_mode(size, pygame.FULLSCREEN)
            if panel.get_size() == size:
                return panel
        _log.warning("the display refuses the mode %s; the picture is enlarged to its own", write_size(size))
        return None

    def _set_mode(self, size: tuple[int, int]) -> pygame.Surface:
        if not self._whole:
            return pygame.display.set_mode(size)
        if self._beat:
            # Without the display's refresh the loop's clock sets the pace.
            with suppress(pygame.error):
                return pygame.display.set_mode(size, pygame.SCALED | pygame.FULLSCREEN, vsync=1)
        return pygame.display.set_mode(size, pygame.SCALED | pygame.FULLSCREEN)

    def _configure_input(self) -> None:
        """Hides the pointer, grabs the keyboard and blocks unused events."""
        pygame.display.set_caption("Blackjack")
        pygame.event.set_blocked(IGNORED)
        pygame.mouse.set_visible(not self._whole)
        if self._whole:
            # Not the mouse: with it grabbed and hidden SDL reports relative movements, and a touch that arrives as a
            # mouse event would have a wrong position.
            pygame.event.set_keyboard_grab(True)

    def _rotate(self, region: pygame.Rect) -> pygame.Rect:
        """Copies a region of the picture to the panel, rotated as it is mounted; returns where it is."""
        assert self._panel is not None
        assert self._picture is not None
        place = self._mounting.on_panel(Rect(*region), self._panel.get_size())
        turned = pygame.transform.rotate(self._picture.subsurface(region), -self._mounting.rotation)
        return self._panel.blit(turned, place[:2])


@contextmanager
def _lost_display() -> Iterator[None]:
    """Turns every error in the block into a lost display."""
    try:
        yield
    except pygame.error as error:
        raise WindowError(f"the display no longer shows the picture: {error}; check its power and cable") from error


def check_display(driver: str, size: tuple[int, int], wanted: tuple[int, int]) -> None:
    """Refuses a display that cannot be seen, or one of another size. Raises `WindowError`."""
    asked_for = os.environ.get("SDL_VIDEODRIVER", "").lower()
    name = driver.lower()
    if name not in DRIVERS and name != asked_for:
        if named := displays_named(os.environ):
            raise WindowError(_unanswered(named))
        allowed = ", ".join(CABINET_DRIVERS)
        raise WindowError(f"video driver {driver!r} shows nothing: expected one of {allowed}; set SDL_VIDEODRIVER")
    if size != wanted:
        raise WindowError(f"the display gave {size[0]}x{size[1]} pixels: expected {wanted[0]}x{wanted[1]}")


def displays_named(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the desktop displays that the environment names, such as DISPLAY=:0."""
    drivers = environment.get("SDL_VIDEODRIVER", "").lower()
    return tuple(
        f"{name}={environment[name]}"
        for name, driver in SERVERS.items()
        if environment.get(name) and (not drivers or driver in drivers.split(","))
    )


def _unanswered(named: tuple[str, ...]) -> str:
    return (
        f"no display answers at {' or '.join(named)}: start its server, name one that runs and lets this user in, or "
        "unset the name on a cabinet without a desktop"
    )


def display_here(environment: Mapping[str, str], graphics: Path = GRAPHICS) -> bool:
    """Returns True when a window may be tried. Without any display the libraries below SDL print about variables that
    no operator has to set."""
    named = any(environment.get(name) for name in ("SDL_VIDEODRIVER", *SERVERS))
    return named or sys.platform != "linux" or any(graphics.glob("card*"))


def unlit_connectors(folder: Path = CONNECTORS) -> tuple[str, ...]:
    """Returns the connectors when none of them has a display; empty when one has, or none can be read."""
    states: dict[str, str] = {}
    for path in sorted(folder.glob("card*-*/status")):
        try:
            states[path.parent.name.partition("-")[2]] = path.read_text(encoding="ascii").strip()
        except OSError:
            continue
    return () if "connected" in states.values() else tuple(states)
