"""Keeps a change below the root: a folder of an image may hold links that lead out of it.

Rules: a link that leads out is refused in words, never followed, because the file behind it belongs to the machine that
works on the image. With the root `/` no link leads out. Writes nothing.
"""

from pathlib import Path

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths


class RootError(InstallationError):
    """The root is missing, or a place below it is outside; the message names the folder or the link."""


def check_root(paths: Paths) -> None:
    """Raises RootError where the root is not the folder of a system."""
    if not paths.root.is_dir():
        found = "is a file" if paths.root.exists() else "does not exist"
        raise RootError(
            f"{paths.root}: the folder of --root {found}, expected the folder below which the system of an image is "
            "mounted"
        )
    if not paths.fstab.parent.is_dir():
        raise RootError(
            f"{paths.fstab.parent}: does not exist, expected the folder of the settings of a system; mount the system "
            f"of the image at {paths.root}, or give its folder with --root"
        )


def check_below(paths: Paths, place: Path) -> None:
    """Raises RootError where a place is not below the root, by its path or by a link above it."""
    root = paths.root.resolve()
    if place.parent.resolve().is_relative_to(root):
        return
    folders = [each for each in (place.parent, *place.parent.parents) if each.is_relative_to(paths.root)]
    links = [each for each in reversed(folders) if each.is_symlink() and not each.resolve().is_relative_to(root)]
    if not links:
        raise RootError(f"{place}: leads out of {paths.root}, expected a path in it")
    link = links[0]
    raise RootError(
        f"{link}: is a link to {link.readlink()}, which leads out of {paths.root}, expected a folder in it; make the "
        "link relative or put the folder in its place, then repeat the command"
    )
