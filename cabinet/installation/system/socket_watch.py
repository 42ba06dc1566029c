"""Learns a USB socket: waits until a serial adapter is plugged in, and returns the socket's path.

Rules: a plug is new if the kernel numbered it after the wait began, so an adapter that was in its socket already must
be unplugged first. Two new lines at once are an error, because one of them is the wrong one. The pause between two
checks is an argument; the module reads no clock.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cabinet.installation.paths import Paths
from cabinet.installation.system.sockets import SocketError

UDEV_PATIENCE_S: Final = 10
"""How long udev may need for an answer, in seconds."""
Lines = dict[str, str]
"""The number of a plug -> the name of its line, such as "1-1.2 17" -> "ttyUSB0"."""


def find_lines(paths: Paths) -> Lines:
    """Returns the serial lines at USB sockets."""
    found: Lines = {}
    for kind in ("ttyUSB*", "ttyACM*"):
        for line in paths.at("sys/class/tty").glob(kind):
            found[f"{line.name} {_plug(line)}"] = line.name
    return found


def _plug(line: Path) -> str:
    """Returns the number that the kernel gave to the plug: a new one each time."""
    place = Path(os.path.realpath(line / "device"))
    for folder in (place, *place.parents):
        try:
            return (folder / "devnum").read_text(encoding="ascii").strip()
        except OSError:
            continue
    return ""


def ask_udev(name: str, program: str = "udevadm") -> str:
    """Returns udev's ID_PATH of a line; empty while udev has none. Raises SocketError without udev."""
    command = [program, "info", "--query=property", "--property=ID_PATH", "--value", f"/dev/{name}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=UDEV_PATIENCE_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SocketError(f"udev does not answer: {error}; give the sockets in an answers file") from error
    return done.stdout.strip() if done.returncode == 0 else ""


def learn_socket(
    find: Callable[[], Lines], ask: Callable[[str], str], pause: Callable[[], None], *, checks: int
) -> str:
    """Returns the ID_PATH of the next line that is plugged in. Raises SocketError if there is none after this number of
    checks."""
    seen = find()
    for _ in range(checks):
        pause()
        now = find()
        new = [name for plug, name in now.items() if plug not in seen]
        if not new:
            continue
        pause()  # time for a second line of the same adapter
        new = [name for plug, name in find().items() if plug not in seen]
        if len(new) > 1:
            raise SocketError(
                f"found {len(new)} new lines, {', '.join(sorted(new))}, expected one; plug in one adapter"
            )
        if new and (path := ask(new[0])):
            return path
    raise SocketError("no adapter was plugged in; check its cable and repeat, or go on without it")
