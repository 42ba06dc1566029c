"""The versions of the program on the cabinet: a folder for each, and one link to the one that runs.

Rules: a folder whose name is a version number is complete; an incomplete one has another name. The link `current`
changes by one rename, so that it always leads to a complete version; the link `back` is made before, so that the way
back needs no room. A version says in its file `RELEASE` what it is and which form of the journal it writes. The module
starts nothing and knows no signature.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from cabinet.installation.durable import make_link, remove_folder, sync_folder
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import NAME, Paths

RELEASE: Final = "RELEASE"
"""The file in a version folder that describes the version."""
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")


class VersionError(InstallationError):
    """A version folder or its description is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The description of a version."""

    name: str
    version: str
    architecture: str
    """In Debian's words: `arm64`."""
    form: int
    """The newest form of the journal that it writes; it also writes the form before."""
    python: str
    """The Python that its libraries are made for: `3.13`."""


def order_of(version: str) -> tuple[int, ...]:
    """Returns the sort key of a version number. Raises VersionError for anything except numbers and points."""
    if not _NUMBER.fullmatch(version):
        raise VersionError(f"{version!r} is no version number: expected numbers and points, such as 0.2.0")
    return tuple(int(part) for part in version.split("."))


def parse_release(content: bytes, where: str) -> Release:
    """Reads the description of a version. Raises VersionError."""
    try:
        found = msgspec.json.decode(content, type=Release)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise VersionError(
            f"{where}: not the description of a version: {error}; install the package again with apt"
        ) from error
    if found.name != NAME:
        raise VersionError(
            f"{where}: it is of {found.name!r}, expected {NAME!r}; install the package of the cabinet with apt"
        )
    order_of(found.version)
    return found


def read_release(folder: Path) -> Release:
    """Returns the description of the version in a folder. Raises VersionError."""
    path = folder / RELEASE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise VersionError(f"{path}: cannot be read: {error.strerror}; install the package again with apt") from error
    return parse_release(content, str(path))


def current_release(paths: Paths) -> Release:
    """Returns the version that runs. Raises VersionError."""
    if not paths.current.is_symlink():
        raise VersionError(f"{paths.current}: expected a link to a version; install the package again with apt")
    return read_release(paths.current)


def installed(paths: Paths) -> tuple[Release, ...]:
    """Returns all complete versions, the oldest first; a folder that apt has left behind has no description."""
    found = [each for each in paths.programs.iterdir() if _NUMBER.fullmatch(each.name)]
    names = [each.name for each in found if (each / RELEASE).is_file()]
    return tuple(read_release(paths.version(name)) for name in sorted(names, key=order_of))


def version_before(paths: Paths) -> Release:
    """Returns the newest complete version that is older than the one that runs. Raises VersionError."""
    current = current_release(paths)
    older = [each for each in installed(paths) if order_of(each.version) < order_of(current.version)]
    if not older:
        raise VersionError(f"{paths.programs}: there is no version before {current.version}; use its file instead")
    return older[-1]


def switch(paths: Paths, version: str) -> None:
    """Makes another complete version the one that runs from the next start. Raises VersionError."""
    read_release(paths.version(version))
    make_link(_back(paths), current_release(paths).version)
    make_link(paths.current, version)


def switch_back(paths: Paths, version: str) -> None:
    """Makes the version before the one that runs, also on a full medium. Raises VersionError."""
    read_release(paths.version(version))
    back = _back(paths)
    if paths.current.readlink() == Path(version):
        return
    if back.is_symlink() and back.readlink() == Path(version):
        back.replace(paths.current)
        sync_folder(paths.programs)
    else:
        make_link(paths.current, version)


def _back(paths: Paths) -> Path:
    return paths.programs / "back"


def complete_folder(paths: Paths, version: str) -> None:
    """Makes an unpacked folder a complete version: `NAME.partial` becomes `NAME`. All in it must be durable."""
    new = unpacking(paths, version)
    remove_folder(paths.version(version))
    new.rename(paths.version(version))
    sync_folder(paths.programs)


def unpacking(paths: Paths, version: str) -> Path:
    """Returns the folder into which a version is unpacked, `NAME.new.partial`. The name differs from that of an older
    folder of the same version that is being removed."""
    return paths.programs / f"{version}.new.partial"


def drop_versions(paths: Paths, keep: frozenset[str]) -> tuple[str, ...]:
    """Removes all versions but these and the one that runs; returns the removed ones."""
    kept = keep | {current_release(paths).version}
    gone = tuple(each.version for each in installed(paths) if each.version not in kept)
    for version in gone:
        remove_folder(paths.version(version))
    return gone
