"""Finds the file system of a folder in the kernel's list, and decides whether a journal may be kept there.

Pure, except for `read_mounts`. A folder is followed from the root down, mount by mount, because a mount that another
one covers is not used. Format: `/proc/self/mountinfo` in proc_pid_mountinfo(5).
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "rootfs", "overlay", "overlayfs", "aufs", "unionfs"})
"""File systems that lose everything without power; the overlay of a protected system keeps its changes in memory."""
NEVER_WRITTEN = frozenset({"squashfs", "erofs", "cramfs", "romfs", "iso9660"})
"""File systems that are read-only images."""

SYSTEM = ("/", "/usr", "/var")
"""Folders of the system; their file systems do not count as a partition of the data."""

_LEAST_FIELDS = 6
"""Fields before the optional ones: number, parent, device, root, mount point, options."""
_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """One line of the kernel's list."""

    number: int
    parent: int
    device: str
    """The file system's device, such as 179:2. A bind mount has that of its source."""
    point: str
    """The path at which it is mounted."""
    kind: str
    """The name of the file system."""
    read_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """A folder that cannot hold books, with the reason."""

    folder: Path
    mount: Mount
    why: str
    partition_missing: bool = False
    """True if the partition of the data is missing, so that the folder is on a file system of the system."""

    def __str__(self) -> str:
        """Returns a sentence without its full stop."""
        return f"{self.folder} is on {self.mount.kind} ({self.mount.point}), which {self.why}"

    @property
    def short(self) -> str:
        """Returns a few characters that need no translation, for the screen."""
        if self.partition_missing:
            return f"{self.folder}={self.mount.device}"
        return f"{self.folder}={self.mount.kind}{',ro' if self.mount.read_only else ''}"


def read_mounts() -> str:
    """Returns the kernel's list for this process; empty if the system has none."""
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """Returns the mounts of a list, in its order. A line in another format is left out."""
    return tuple(_parsed(text))


def _parsed(text: str) -> Iterator[Mount]:
    for line in text.splitlines():
        before, dash, after = line.partition(" - ")
        fields, (kind, *rest) = before.split(" "), after.split(" ")
        if not dash or len(fields) < _LEAST_FIELDS or not (fields[0].isdecimal() and fields[1].isdecimal()):
            continue
        options = {*fields[5].split(","), *(rest[-1].split(",") if rest else ())}
        yield Mount(
            number=int(fields[0]),
            parent=int(fields[1]),
            device=fields[2],
            point=_OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[4]),
            kind=kind,
            read_only="ro" in options,
        )


def find_mount(mounts: tuple[Mount, ...], folder: Path) -> Mount | None:
    """Returns the mount of a file in `folder`; None if the list has none. `folder` is an absolute path without links.

    The mount nearest to the root is entered first; of two on the same path the later one counts.
    """
    above = tuple(mount for mount in mounts if folder.is_relative_to(mount.point))
    numbers = {mount.number for mount in mounts}
    entered = None
    steps = [mount for mount in above if mount.parent not in numbers or mount.parent == mount.number]
    for _ in above:
        if not steps:
            break
        nearest = min(len(mount.point) for mount in steps)
        entered = [mount for mount in steps if len(mount.point) == nearest][-1]
        steps = [mount for mount in above if mount.parent == entered.number != mount.number]
    return entered


def mount_of(text: str, folder: Path) -> Mount | None:
    """Returns the mount of a file in `folder`, which need not exist; None if it is not known."""
    return find_mount(parse_mounts(text), Path(os.path.realpath(folder)))


def why_unfit(text: str, folder: Path, *, own: bool = False) -> Unfit | None:
    """Returns why the folder cannot hold the books of a machine that takes money; None if it can or if its file system
    is not known. With `own` it must be on a separate partition, not on one of the system."""
    mount = mount_of(text, folder)
    if mount is None:
        return None
    if own and mount.device in _devices_of_system(text):
        return Unfit(folder=folder, mount=mount, why="is the system's own", partition_missing=True)
    if mount.kind in IN_MEMORY:
        return Unfit(folder=folder, mount=mount, why="is lost when the power goes")
    if mount.read_only or mount.kind in NEVER_WRITTEN:
        return Unfit(folder=folder, mount=mount, why="is mounted read-only")
    return None


def _devices_of_system(text: str) -> frozenset[str]:
    """The devices below the system's folders. A list of mount points does not show it: a service that may
    write to one folder only has a bind mount there, also where the partition is missing."""
    mounts = parse_mounts(text)
    found = (find_mount(mounts, Path(folder)) for folder in SYSTEM)
    return frozenset(mount.device for mount in found if mount is not None)
