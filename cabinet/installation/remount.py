"""A system that is mounted read-only, writable for the time of a change by the technician.

Rules: only a file system that is read-only is made writable, and it is read-only again at the end, also after an error;
on a card whose system is always writable nothing happens. A file system that is still in use stays writable until the
next start, and `say` says so. Decides by the kernel's list of mounts.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import ON_CABINET, Paths

SYSTEM: Final = (Path("/"), ON_CABINET.boot)
"""The file systems of the program and of the boot files."""
MOUNT_PATIENCE_S: Final = 60
"""How long mount may need for one file system, in seconds."""
Run = Callable[[Sequence[str]], None]
"""Runs a program of the system. Raises RemountError."""


class RemountError(InstallationError):
    """A file system does not become writable, or not read-only again; the message says why."""


def run_mount(command: Sequence[str]) -> None:
    """Runs a program of the system. Raises RemountError with its words."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MOUNT_PATIENCE_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RemountError(f"{' '.join(command)}: {error}") from error
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise RemountError(f"{' '.join(command)}: {said}")


def find_read_only(mountinfo: str, places: Sequence[Path] = SYSTEM) -> tuple[Path, ...]:
    """Returns those of the places that are mounted read-only, by the kernel's list (`/proc/self/mountinfo`)."""
    options: dict[str, str] = {}
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        words, behind = fields.split(), rest.split()
        if len(words) > 5 and len(behind) > 2:
            options[words[4]] = f"{words[5]},{behind[2]}"  # a later mount covers an earlier one
    return tuple(place for place in places if "ro" in options.get(str(place), "").split(","))


@contextmanager
def writable(paths: Paths, say: Callable[[str], None], run: Run = run_mount) -> Iterator[None]:
    """Makes what is read-only writable, and read-only again at the end. `say` shows a line to the technician.

    A folder of an image has no list of mounts: there nothing happens. Raises RemountError before the first change.
    """
    try:
        mountinfo = paths.at("proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        mountinfo = ""
    with writable_places([paths.at(place) for place in find_read_only(mountinfo)], say, run):
        yield


@contextmanager
def writable_places(places: Sequence[Path], say: Callable[[str], None], run: Run) -> Iterator[None]:
    """Makes these file systems writable, and read-only again at the end. Raises RemountError before a change."""
    opened: list[Path] = []
    try:
        for place in places:
            _open(place, run)
            opened.append(place)
        yield
    finally:
        for place in reversed(opened):
            try:
                run(("mount", "-o", "remount,ro", str(place)))
            except RemountError as error:
                say(f"Note: {place} stays writable until the next start: {error}")


def _open(place: Path, run: Run) -> None:
    try:
        run(("mount", "-o", "remount,rw", str(place)))
    except RemountError as error:
        raise RemountError(
            f"{place}: the file system cannot be made writable: {error}; restart the machine, then try again"
        ) from error
