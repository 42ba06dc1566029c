"""What the player sees, touches and hears: display, touch screen, sound card.

Rules: what the kernel says decides; no window is opened and no sound is played.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cabinet.commands.doctor.findings import Finding, bad, good, poor
from cabinet.commands.doctor.visit import Visit
from cabinet.config.mounting import unfit
from cabinet.config.settings import DisplaySection
from cabinet.installation.paths import ON_CABINET
from cabinet.window.modes import choose_mode, write_size

DRIVERS = ("kmsdrm", "wayland", "x11")
"""Video drivers that show something."""
_MODE: Final = re.compile(r"(\d+)x(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Socket:
    """A socket of a graphics card, such as card1-HDMI-A-1, as the kernel describes it."""

    name: str
    status: str
    modes: tuple[str, ...] = ()
    """The modes of its display as the kernel writes them, its own first."""

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Returns the modes that are not interlaced, as width and height."""
        found = (_MODE.fullmatch(mode) for mode in self.modes)
        return tuple((int(each[1]), int(each[2])) for each in found if each)


def check_display(visit: Visit) -> Finding:
    """Checks that there is a display on which a window can be opened."""
    wanted = visit.environment.get("SDL_VIDEODRIVER", "")
    grade = poor if visit.simulate else bad
    if wanted and wanted not in DRIVERS:
        return grade("Display", f"SDL_VIDEODRIVER={wanted} shows nothing", f"set it to {', '.join(DRIVERS)}")
    if desktops := _desktops(visit):
        return good("Display", f"{', '.join(desktops)} set")
    cards = sorted(path.name for path in visit.at("/dev/dri").glob("card*"))
    if not cards:
        todo = "connect a display; without one only `cabinet autoplay` works"
        return grade("Display", "no desktop and no graphics card", todo)
    return cards_finding(cards, _sockets(visit), visit.config.display, wanted=wanted)


def _desktops(visit: Visit) -> list[str]:
    """Returns the environment variables of a desktop; none for a display without one."""
    if visit.environment.get("SDL_VIDEODRIVER", "") == "kmsdrm":
        return []
    return [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if visit.environment.get(name)]


def _sockets(visit: Visit) -> tuple[Socket, ...]:
    places = sorted(path.parent for path in visit.at("/sys/class/drm").glob("card*-*/status"))
    return tuple(
        Socket(
            name=place.name,
            status=visit.read(f"/sys/class/drm/{place.name}/status"),
            modes=tuple(visit.text(f"/sys/class/drm/{place.name}/modes").split()),
        )
        for place in places
    )


def cards_finding(cards: Sequence[str], sockets: Sequence[Socket], display: DisplaySection, *, wanted: str) -> Finding:
    """Returns what is found without a desktop: one display must be on, with a mode that the table fits into."""
    chosen: list[str] = []
    lit = [socket for socket in sockets if socket.status == "connected"]
    if sockets and not lit:
        todo = "switch the display on and check its cable, or force the mode on the kernel's line (video=...)"
        return poor("Display", f"nothing is connected to {', '.join(each.name for each in sockets)}", todo)
    if wanted != "kmsdrm":
        return poor("Display", f"{', '.join(cards)} without a desktop", "set SDL_VIDEODRIVER=kmsdrm")
    for socket in lit:
        if not socket.sizes:
            todo = "check its cable, or force the mode on the kernel's line (video=...)"
            return poor("Display", f"the display at {socket.name} names no mode", todo)
        choice = choose_mode(socket.sizes, display.mounting(), display.panel_mode())
        if choice is None:
            why = unfit(display.mounting().picture_size(socket.sizes[0]))
            return bad("Display", f"{socket.name} shows {socket.modes[0]}, which is {why}", "connect a larger display")
        if choice.denied:
            return poor("Display", f"{socket.name}: {choice.why}", "correct display.mode, or leave it out")
        chosen.append(f"{socket.name}, {write_size(choice.size)}")
    return good("Display", f"kmsdrm on {'; '.join(chosen) or ', '.join(cards)}")


def check_touch(visit: Visit) -> Finding:
    """Checks that touches can be read without a desktop."""
    if _desktops(visit):
        return good("Touch", "comes from the desktop")
    devices = sorted(visit.at("/dev/input").glob("event*"))
    if not devices:
        return poor("Touch", "no input device", "connect the touch screen, or play with the buttons alone")
    if not any(visit.may(path, os.R_OK) for path in devices):
        grade = poor if visit.simulate else bad
        return grade("Touch", "no input device may be read", "add the cabinet's user to the group `input`")
    return good("Touch", f"{len(devices)} input devices")


def check_sound(visit: Visit) -> Finding:
    """Checks that there is a sound card, and that the settings of the sound library name one that exists."""
    settings = "" if visit.simulate else visit.text(ON_CABINET.sound)
    return sound_finding(visit.read("/proc/asound/cards"), settings)


def sound_finding(cards: str, settings: str) -> Finding:
    """Returns what is found; playing silently is allowed. `settings` is the text of `asound.conf`."""
    if not cards or "no soundcards" in cards:
        return poor("Sound", "no sound card", "the cabinet plays silently; the alarm cannot be heard either")
    lines = [line for line in settings.splitlines() if not line.lstrip().startswith("#")]
    if re.search(r"^\s*type null\b", "\n".join(lines), re.MULTILINE):
        return poor("Sound", "switched off in /etc/asound.conf", "the alarm cannot be heard either")
    there = {name.strip() for name in re.findall(r"\[([^\]]+)\]", cards)}
    named = re.findall(r"(?:CARD=|^\s*card\s+)([\w-]+)", "\n".join(lines), re.MULTILINE)
    lost = [name for name in dict.fromkeys(named) if not name.isdigit() and name not in there]
    if lost:
        todo = "name one of them in /etc/asound.conf: no sound is heard"
        return poor("Sound", f"/etc/asound.conf names {', '.join(lost)}, there is {', '.join(sorted(there))}", todo)
    return good("Sound", cards)
