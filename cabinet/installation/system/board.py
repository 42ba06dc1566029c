"""Reads the facts of the machine: model, system, kernel, screens, sound cards, and the medium it starts from.

Rules: every file is read below the root, so that an image can be examined on another machine; a file that cannot be
read gives an unknown fact, never an error. Writes nothing.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.installation.paths import Paths

DEBIAN: Final = 13
OLDEST_KERNEL: Final = (6, 6)
"""The first kernel on which lgpio reports contacts without another library."""
MODELS: Final = (3, 4, 5)
_MODEL: Final = re.compile(r"Raspberry Pi (?:Compute Module )?(\d)")
_COMPUTERS_IN_KEYBOARDS: Final = {"Raspberry Pi 400": 4, "Raspberry Pi 500": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The facts of the machine; None or empty if unknown."""

    model: str = ""
    pi: int | None = None
    wide: bool | None = None
    """True if its programs have 64 bits."""
    debian: int | None = None
    kernel: tuple[int, ...] = ()
    screens: tuple[str, ...] = ()
    """The sockets with a screen, such as HDMI-A-1."""
    usb_sound: str = ""
    """The name of the first USB sound card."""
    medium: str = ""
    """The device that holds the system, such as mmcblk0p2."""
    labels: frozenset[str] | None = None
    """The labels of the connected file systems."""
    by_radio: bool = False
    """True if its network is by radio at present."""
    keys: bool = False
    """True if a user has a key for remote access."""


def examine_board(paths: Paths) -> Board:
    """Returns the facts of the machine below the root."""
    model = _text(paths.at("proc/device-tree/model")).rstrip("\0")
    release = re.search(r'^VERSION_ID="?(\d{1,6})', _text(paths.at("etc/os-release")), re.MULTILINE)
    kernel = re.match(r"(\d{1,6})\.(\d{1,6})", _text(paths.at("proc/sys/kernel/osrelease")))
    return Board(
        model=model,
        pi=_pi(model),
        wide=_wide(paths),
        debian=int(release[1]) if release else None,
        kernel=tuple(map(int, kernel.groups())) if kernel else (),
        screens=_screens(paths),
        usb_sound=_usb_sound(paths),
        medium=_medium(_text(paths.at("proc/self/mountinfo"))),
        labels=_labels(paths.at("dev/disk/by-label")),
        by_radio="\nwlan" in _text(paths.at("proc/net/route")),
        keys=any(_text(each).strip() for each in _key_files(paths)),
    )


def why_unfit(board: Board, *, model_needed: bool = True) -> tuple[str, ...]:
    """Returns a sentence for each thing that keeps a cabinet from running on this machine. Without `model_needed` the
    model may be unknown, as in an image that no machine runs."""
    found = []
    if board.model and board.pi not in MODELS:
        found.append(f"the board is {board.model}, expected a Raspberry Pi 3, 4 or 5")
    if model_needed and not board.model:
        found.append("the board is not known, expected a Raspberry Pi 3, 4 or 5")
    if board.wide is False:
        found.append("the system is of 32 bits, expected Raspberry Pi OS Lite (64-bit)")
    if board.debian is not None and board.debian != DEBIAN:
        found.append(f"the system is Debian {board.debian}, expected Raspberry Pi OS of Debian {DEBIAN} (trixie)")
    if board.kernel and board.kernel < OLDEST_KERNEL:
        found.append(
            f"the kernel is {'.'.join(map(str, board.kernel))}, expected {'.'.join(map(str, OLDEST_KERNEL))} or newer; "
            "update the system"
        )
    return tuple(found)


def _pi(model: str) -> int | None:
    for name, number in _COMPUTERS_IN_KEYBOARDS.items():
        if model.startswith(name):
            return number
    found = _MODEL.match(model)
    return int(found[1]) if found else None


def _wide(paths: Paths) -> bool | None:
    if any(paths.at(each).exists() for each in ("lib/ld-linux-aarch64.so.1", "usr/lib/ld-linux-aarch64.so.1")):
        return True
    return False if paths.at("usr/lib/ld-linux-armhf.so.3").exists() else None


def _screens(paths: Paths) -> tuple[str, ...]:
    sockets = sorted(paths.at("sys/class/drm").glob("card*-HDMI-A-*"))
    return tuple(each.name.partition("-")[2] for each in sockets if _text(each / "status").strip() == "connected")


def _usb_sound(paths: Paths) -> str:
    for card in sorted(paths.at("sys/class/sound").glob("card*")):
        if "/usb" in os.path.realpath(card / "device"):
            return _text(card / "id").strip()
    return ""


def _labels(folder: Path) -> frozenset[str] | None:
    return frozenset(each.name for each in folder.iterdir()) if folder.is_dir() else None


def _key_files(paths: Paths) -> tuple[Path, ...]:
    return tuple(paths.at("home").glob("*/.ssh/authorized_keys"))


def _medium(mountinfo: str) -> str:
    """Returns the name of the device that is mounted at `/`."""
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        if len(fields.split()) > 4 and fields.split()[4] == "/" and len(rest.split()) > 1:
            return Path(rest.split()[1]).name
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError:
        return ""
