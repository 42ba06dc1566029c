"""Changes of files that survive a power cut.

Rules: a function returns only after its change is on the medium; a change is made beside its place and renamed into it,
so that a name always has a whole content; a name that ends in `.partial` is never whole and may be removed at any time.
A file that is replaced keeps its rights; FAT, which has none, is written too. The module does not know what the files
mean.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PARTIAL: Final = ".partial"
"""The ending of a file or a folder that is not whole."""
PIECE_BYTES: Final = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def exact_modes() -> Iterator[None]:
    """Gives each new file and folder in the block the mode that is asked for, whatever the mask of the caller's shell.

    With a mask of 077 the cabinet's user could read neither its settings nor a new version.
    """
    mask = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(mask)


def partial(path: Path) -> Path:
    """Returns the name that a file or a folder has until it is complete."""
    return path.with_name(f"{path.name}{PARTIAL}")


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path, mode: int = 0o755) -> None:
    """Makes a folder and those above it, with their names durable; each new one has the mode."""
    if folder.is_dir():
        return
    make_folder(folder.parent, mode)
    folder.mkdir(mode, exist_ok=True)
    sync_folder(folder.parent)


def write_pieces(
    path: Path,
    read: Callable[[int], bytes],
    mode: int = 0o644,
    *,
    like: os.stat_result | None = None,
    group: int | None = None,
    sync: bool = True,
) -> None:
    """Writes a new file from pieces; `read` returns the next one, empty at the end. Raises FileExistsError.

    It has the owner of the file `like`, or else the group with this number, if the program may give them away. Without
    `sync` the caller makes it durable.
    """
    handle = os.open(path, _NEW, 0o600)
    try:
        while piece := read(PIECE_BYTES):
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(handle, rest) :]
        _set_rights(handle, mode, like, group)
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)


def _set_rights(handle: int, mode: int, like: os.stat_result | None, group: int | None) -> None:
    with suppress(PermissionError):  # FAT has one owner and one mode for all files
        os.fchmod(handle, mode)
        if like is not None:
            os.fchown(handle, like.st_uid, like.st_gid)
        elif group is not None:
            os.fchown(handle, -1, group)


def write_file(path: Path, content: bytes, mode: int = 0o644, *, group: int | None = None, anew: bool = False) -> None:
    """Writes a file, whole or not at all, over an older file or a link.

    An older file keeps its mode and its owner, unless `anew` is True; a new one has `mode`, and the group with this
    number. Its folder is made where it is missing; that of a private file is private.
    """
    make_folder(path.parent, 0o700 if mode == 0o600 else 0o755)
    like = path.stat() if not anew and path.exists() and not path.is_symlink() else None
    new, pieces = partial(path), [content]
    new.unlink(missing_ok=True)
    write_pieces(
        new,
        lambda _: pieces.pop() if pieces else b"",
        mode if like is None else stat.S_IMODE(like.st_mode),
        like=like,
        group=group,
    )
    new.replace(path)
    sync_folder(path.parent)


def copy_file(source: Path, target: Path) -> None:
    """Copies a file to a new name, with its mode and, for root, its owner."""
    found = source.stat()
    with source.open("rb") as file:
        write_pieces(target, file.read, stat.S_IMODE(found.st_mode), like=found)


def copy_folder(source: Path, target: Path) -> None:
    """Copies a folder with its files and folders; `target` appears when all of it is durable.

    Links, pipes and sockets are left out: they are no content. Raises OSError; then `target` is not there.
    """
    new = partial(target)
    remove_folder(new)
    _copy_into(source, new)
    new.rename(target)
    sync_folder(target.parent)


def _copy_into(source: Path, target: Path) -> None:
    found = source.stat()
    target.mkdir(0o700)
    for each in sorted(os.scandir(source), key=lambda entry: entry.name):
        if each.is_dir(follow_symlinks=False):
            _copy_into(Path(each.path), target / each.name)
        elif each.is_file(follow_symlinks=False):
            copy_file(Path(each.path), target / each.name)
    target.chmod(stat.S_IMODE(found.st_mode))
    if os.geteuid() == 0:
        os.chown(target, found.st_uid, found.st_gid)
    sync_folder(target)


def make_link(path: Path, target: str) -> None:
    """Makes a link to `target`, or changes the link that has this name, in one durable step; makes its folder."""
    make_folder(path.parent)
    new = partial(path)
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(path)
    sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Removes a file or a link durably; harmless when it is not there."""
    with suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)


def remove_folder(path: Path) -> None:
    """Removes a folder with its contents, if it exists.

    It is renamed first, so that a power cut leaves no folder with a complete name and half its contents.
    """
    if not path.exists():
        return
    if path.name.endswith(PARTIAL):
        gone = path
    else:
        gone = partial(path)
        remove_folder(gone)
        path.rename(gone)
        sync_folder(path.parent)
    shutil.rmtree(gone)
    sync_folder(path.parent)


def remove_partial(folder: Path) -> None:
    """Removes every incomplete file and folder in a folder."""
    if not folder.is_dir():
        return
    for each in sorted(folder.glob(f"*{PARTIAL}")):
        if each.is_dir() and not each.is_symlink():
            remove_folder(each)
        else:
            each.unlink()


def folder_bytes(folder: Path) -> int:
    """Returns the bytes of all files in a folder."""
    return sum(each.lstat().st_size for each in folder.rglob("*") if each.is_file())
