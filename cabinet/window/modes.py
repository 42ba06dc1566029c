"""The mode of a display without a desktop, and the graphics card that the display is connected to.

Rules: the table is made for 1920x1080, so that mode is taken where the display has it. Otherwise it is the largest one
that a Pi 4 draws 60 times a second and that the table fits into; only above that the smallest. A mode that the display
has only interlaced does not count: its lines flicker. Pure, but for `read_modes` and `find_card`, which read a folder
of the kernel. Does not know the window.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.config.mounting import Mounting, unfit

CONNECTORS: Final = Path("/sys/class/drm")
"""The kernel's list of graphics cards and their sockets."""
MADE_FOR: Final = (1920, 1080)
"""The picture that the table is made for, in pixels."""
MOST_PIXELS: Final = 2560 * 1600
"""The largest picture, in pixels, that a Pi 4 sends 60 times a second; it sends 3840x2160 only 30 times."""
_PROGRESSIVE: Final = re.compile(r"(\d+)x(\d+)")
_SOCKET: Final = re.compile(r"card(\d+)-.+")

Size = tuple[int, int]
"""Width and height of the panel in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The chosen mode and the reason."""

    size: Size
    why: str
    denied: bool = False
    """True if the settings name a mode that is not this one."""


def choose_mode(offers: Iterable[Size], mounting: Mounting, named: Size | None = None) -> Choice | None:
    """Returns the mode for a panel with this mounting; None if the table fits into none. `named` is the mode of the
    settings; a display that does not have it shows the table all the same."""
    fitting = [size for size in dict.fromkeys(offers) if not unfit(mounting.picture_size(size))]
    if not fitting:
        return None
    if named in fitting:
        return Choice(size=named, why="display.mode names it")
    size, why = _best(fitting, mounting)
    if named is None:
        return Choice(size=size, why=why)
    return Choice(size=size, why=f"the display does not have {write_size(named)} of display.mode; {why}", denied=True)


def _best(fitting: Sequence[Size], mounting: Mounting) -> tuple[Size, str]:
    for size in fitting:
        if mounting.picture_size(size) == MADE_FOR:
            return size, "the table is made for it"
    quick = [size for size in fitting if _pixels(size) <= MOST_PIXELS]
    if quick:
        return max(quick, key=_pixels), "the largest that is drawn 60 times a second"
    return min(fitting, key=_pixels), "the smallest; all are too large for 60 pictures a second on a Pi 4"


def _pixels(size: Size) -> int:
    return size[0] * size[1]


def write_size(size: Size) -> str:
    """Returns the size as text, such as 1920x1080."""
    return f"{size[0]}x{size[1]}"


def offered(listed: Iterable[Size], kernel: Sequence[str]) -> tuple[Size, ...]:
    """Returns the modes that the window library lists, without those that the kernel lists only interlaced. Without a
    list of the kernel all of them count."""
    progressive = {
        (int(found[1]), int(found[2])) for text in kernel if (found := _PROGRESSIVE.fullmatch(text)) is not None
    }
    return tuple(size for size in listed if not progressive or size in progressive)


def read_modes(folder: Path = CONNECTORS) -> tuple[str, ...]:
    """Returns the modes of the connected displays as the kernel writes them, such as 1920x1080 or 1920x1080i."""
    return tuple(mode for place in _connected(folder) for mode in _text(place / "modes").split())


def find_card(folder: Path = CONNECTORS) -> int | None:
    """Returns the number of the graphics card with a connected display, the lowest of several; None without one.

    A Pi 5 has one card that draws and others that have the sockets; the numbers change from start to start.
    """
    numbers = (_SOCKET.fullmatch(place.name) for place in _connected(folder))
    return min((int(found[1]) for found in numbers if found), default=None)


def _connected(folder: Path) -> Iterator[Path]:
    for status in sorted(folder.glob("card*-*/status")):
        if _text(status).strip() == "connected":
            yield status.parent


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
