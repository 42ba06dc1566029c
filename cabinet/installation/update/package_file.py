"""The file of an update: a Debian package that holds one version folder and links of the system into it.

Rules:
- The signature is verified before any byte of a package is read (the caller's task).
- Every member is below the version folder or is a file that the system already has.
- The version has what its start needs, and every file that the system has through the link `current`.
- Members are files, folders, and links that stay in the version folder or lead to the system's Python. No member is
  behind a link.
- dpkg-deb unpacks the outer layers; dpkg's database is not changed.

The module knows no signature and starts no service.
"""

import os
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from cabinet.installation.durable import remove_folder, sync_folder, write_pieces
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import NAME, Paths
from cabinet.installation.update.versions import RELEASE, Release, VersionError, parse_release

SIGNATURE_ENDING: Final = ".minisig"
_PROGRAMS = PurePosixPath("opt", NAME)
_CURRENT = _PROGRAMS / "current"
_DOCUMENTS = ("usr/share/doc/", "usr/share/lintian/", "usr/share/man/")
"""The documentation in a package; an update leaves it out."""
_PYTHON = "/usr/bin/python3"
_ROOT, _PROGRAM, _INTERPRETER = PurePosixPath("/"), PurePosixPath("bin", "cabinet"), PurePosixPath("bin", "python")
_INSTALLED: Final = f"/var/lib/dpkg/info/{NAME}.list"
"""Dpkg's list of the files of the installed package."""
_AGAIN: Final = "copy the file and its signature again from the place of the release"
_BUILD: Final = "build the package again"
_FILE_MODE, _PROGRAM_MODE = 0o644, 0o755


class PackageError(InstallationError):
    """An update cannot use the package. The message says what was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """The contents of a package."""

    file: Path
    release: Release
    unpacked_bytes: int
    """The sum of all files of the version."""


def read_package(file: Path, paths: Paths) -> Package:
    """Reads the description of a package and checks every member. Writes nothing. Raises PackageError."""
    name, version, architecture = _control(file)
    if name != NAME:
        raise PackageError(
            f"{file}: it is the package {name!r}, expected {NAME!r}; name the file of the cabinet's release"
        )
    folder = _PROGRAMS / version
    release, found, total = None, dict[PurePosixPath, tarfile.TarInfo](), 0
    with _members(file) as members:
        for member, read in members:
            place = _place(file, member, folder, paths)
            if place is None:
                continue
            found[place] = member
            total += member.size
            if place == PurePosixPath(RELEASE):
                release = _described(file, read())
    if release is None:
        raise PackageError(
            f"{file}: it has no {folder / RELEASE}: expected a package of the cabinet; name the file of a release"
        )
    if (release.version, release.architecture) != (version, architecture):
        raise PackageError(
            f"{file}: the package says {version} {architecture}, its {RELEASE} says {release.version} "
            f"{release.architecture}, expected the same in both; build the package again"
        )
    _check_complete(file, folder, found, paths)
    return Package(file=file, release=release, unpacked_bytes=total)


def _check_complete(
    file: Path, folder: PurePosixPath, found: Mapping[PurePosixPath, tarfile.TarInfo], paths: Paths
) -> None:
    """Refuses a version that could not start, or without which a file of the system would lead to nothing."""
    program = found.get(_PROGRAM)
    if program is None or not (program.isreg() and program.mode & 0o100):
        raise PackageError(
            f"{file}: it has no program {folder / _PROGRAM}: expected an executable file there; {_BUILD}"
        )
    for name, place in (("its Python", _INTERPRETER), *_through_current(paths)):
        if place not in found:
            raise PackageError(
                f"{file}: it has no {folder / place}, to which {name} leads: expected every file that the system has "
                f"of the version that runs; install this version with `apt install {file.absolute()}`"
            )


def _through_current(paths: Paths) -> Iterator[tuple[str, PurePosixPath]]:
    """Yields each link of the installed package that leads through `current`, with its place in a version folder."""
    try:
        names = paths.at(_INSTALLED).read_text(encoding="utf-8").splitlines()
    except OSError:  # a folder without dpkg
        names = ["/usr/bin/cabinet"]
    for name in names:
        link = paths.at(name)
        if not link.is_symlink():
            continue
        target = PurePosixPath(os.path.normpath(PurePosixPath(name).parent / link.readlink()))
        if target.is_relative_to(_ROOT / _CURRENT) and target != _ROOT / _CURRENT:
            yield name, target.relative_to(_ROOT / _CURRENT)


def unpack(package: Package, paths: Paths, target: Path) -> None:
    """Writes the version folder of a package to `target`, durably. Raises PackageError or OSError."""
    remove_folder(target)
    target.mkdir(_PROGRAM_MODE)
    folder, links = _PROGRAMS / package.release.version, set[PurePosixPath]()
    with _members(package.file) as members:
        for member, read in members:
            place = _place(package.file, member, folder, paths)
            if place is None or place == PurePosixPath():
                continue
            if behind := links.intersection(place.parents):
                raise PackageError(
                    f"{package.file}: {member.name} lies behind the link {min(behind)}, expected a folder; {_BUILD}"
                )
            _write(member, read, target / place)
            if member.issym():
                links.add(place)
    _sync_all(target)


def _write(member: tarfile.TarInfo, read: "Read", path: Path) -> None:
    if member.isdir():
        path.mkdir(_PROGRAM_MODE, exist_ok=True)
    elif member.issym():
        path.symlink_to(member.linkname)
    else:
        write_pieces(path, read, _PROGRAM_MODE if member.mode & 0o100 else _FILE_MODE, sync=False)


def _sync_all(target: Path) -> None:
    """Makes a whole folder durable. The system writes everything at once; then each file reports its own errors."""
    os.sync()
    for folder, _, names in os.walk(target):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)
        sync_folder(Path(folder))
    sync_folder(target.parent)


# --- what is in the file ----------------------------------------------------------------------------------------

Read = Callable[[int], bytes]
"""Returns the next piece of a member."""


def _control(file: Path) -> tuple[str, str, str]:
    """Returns name, version and architecture as the package says them."""
    command = ["dpkg-deb", "--show", "--showformat=${Package}\\n${Version}\\n${Architecture}\\n", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackageError(f"{file}: it is no Debian package: {' '.join(done.stderr.split())}; {_AGAIN}")
    name, version, architecture = done.stdout.splitlines()
    return name, version, architecture


@contextmanager
def _members(file: Path) -> Iterator[Iterator[tuple[tarfile.TarInfo, Callable[..., bytes]]]]:
    """Yields the members in their order, each with a function that reads it."""
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as unpacker:
        assert unpacker.stdout is not None
        assert unpacker.stderr is not None
        try:
            with tarfile.open(fileobj=unpacker.stdout, mode="r|") as archive:
                yield _each(archive)
                while unpacker.stdout.read(1 << 16):
                    pass
        except tarfile.TarError as error:
            raise PackageError(f"{file}: its archive cannot be read: {error}; {_AGAIN}") from error
        finally:
            unpacker.stdout.close()
        if unpacker.wait():
            said = " ".join(unpacker.stderr.read().decode(errors="replace").split())
            raise PackageError(f"{file}: dpkg-deb cannot unpack it: {said}; {_AGAIN}")


def _each(archive: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, Callable[..., bytes]]]:
    for member in archive:
        content = archive.extractfile(member) if member.isreg() else None
        yield member, (content.read if content is not None else lambda _=0: b"")


def _described(file: Path, content: bytes) -> Release:
    try:
        return parse_release(content, f"{file}, {RELEASE}")
    except VersionError as error:
        raise PackageError(str(error)) from error


def _place(file: Path, member: tarfile.TarInfo, folder: PurePosixPath, paths: Paths) -> PurePosixPath | None:
    """Returns the path of a member in the version folder; None for a member that an update leaves out. Raises
    PackageError."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise PackageError(f"{file}: {member.name} leads outside, expected a place below /; {_BUILD}")
    if not (member.isreg() or member.isdir() or member.issym()):
        raise PackageError(f"{file}: {member.name} is no file, folder or link, expected one of these; {_BUILD}")
    if not path.is_relative_to(folder):
        _check_outside(file, member, path, paths)
        return None
    place = path.relative_to(folder)
    if member.issym() and not _stays(place, member.linkname):
        raise PackageError(
            f"{file}: the link {member.name} leads outside, to {member.linkname}, expected a target in {folder} or the "
            f"system's Python; {_BUILD}"
        )
    return place


def _stays(place: PurePosixPath, target: str) -> bool:
    """Returns True if a link leads to the system's Python or into the version folder."""
    if target.startswith("/"):
        return target.startswith(_PYTHON) and ".." not in PurePosixPath(target).parts
    return not os.path.normpath(place.parent / target).startswith("..")


def _check_outside(file: Path, member: tarfile.TarInfo, path: PurePosixPath, paths: Paths) -> None:
    """Refuses a member for a system folder that the system does not have yet: only apt may place it."""
    name = str(path)
    if member.isdir() or path == _CURRENT or name.startswith(_DOCUMENTS):
        return
    place = paths.root / name
    there = place.readlink() == Path(member.linkname) if member.issym() and place.is_symlink() else place.is_file()
    if path.is_relative_to(_PROGRAMS) or not there:
        raise PackageError(
            f"{file}: it has the system file /{name}, which this cabinet does not have so; an update changes the "
            f"program only: install this version with `apt install {file.absolute()}`"
        )
