"""Every call by which an update changes files, in a test's hands: to copy the disk there, to fail or to die there."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

COUNTED = (
    "chmod",
    "chown",
    "fchmod",
    "fchown",
    "fsync",
    "mkdir",
    "open",
    "rename",
    "replace",
    "rmdir",
    "symlink",
    "sync",
    "unlink",
    "write",
)
"""The functions of `os` that the modules of an update change files with, also through `pathlib` and `shutil`."""
NEEDS_ROOM = frozenset({"mkdir", "open", "symlink", "write"})
"""Those that a full medium refuses."""
_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is about to be made."""

    number: int
    name: str
    arguments: tuple[Any, ...]

    def paths(self) -> tuple[Path, ...]:
        """Returns the files that the call is about."""
        found = (_path(each) for each in self.arguments[:2])
        return tuple(each for each in found if each is not None)


def _path(argument: Any) -> Path | None:
    if isinstance(argument, bool | bytes | memoryview):
        return None
    if isinstance(argument, int):
        try:
            return Path(f"/proc/self/fd/{argument}").readlink()
        except OSError:
            return None
    return Path(argument)


@contextmanager
def at_each_call(act: Callable[[Call], None]) -> Iterator[list[Call]]:
    """Calls `act` before each call that changes a file; yields the list of them. What `act` calls is not counted."""
    made, acting = list[Call](), list[bool]()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if not acting and (name != "open" or arguments[1] & _CHANGES):
                made.append(Call(len(made), name, arguments))
                acting.append(True)
                try:
                    act(made[-1])
                finally:
                    acting.pop()
            return real(*arguments, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in COUNTED:
            patch.setattr(os, name, counted(name, getattr(os, name)))
        yield made


def full_from(root: Path, number: int, refused: list[Call]) -> Callable[[Call], None]:
    """Returns a medium, with all below `root`, that is full from this call on, counted in those that need room. It adds
    each refused one to `refused`."""
    needing = list[Call]()

    def refuse(call: Call) -> None:
        if call.name not in NEEDS_ROOM or not any(each.is_relative_to(root) for each in call.paths()):
            return
        needing.append(call)
        if len(needing) > number:
            refused.append(call)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(call.arguments[0]))

    return refuse


@dataclass(slots=True)
class Images:
    """What is on the disk before each call, as copies of a folder; equal ones are kept once."""

    root: Path
    into: Path
    taken: list[Path] = field(default_factory=list)
    _last: object = None

    def take(self, call: Call) -> None:
        """Copies the folder, unless it is as it was at the last call."""
        stamp = self._stamp()
        if stamp == self._last:
            return
        image = self.into / f"image-{call.number}"
        shutil.copytree(self.root, image, symlinks=True)
        self._last = stamp
        self.taken.append(image)

    def _stamp(self) -> object:
        found = sorted(self.root.rglob("*"))
        return tuple((str(path), path.lstat().st_size, path.lstat().st_mtime_ns, path.lstat().st_ino) for path in found)


@dataclass(slots=True)
class Unsynced:
    """The worst medium: what of a folder is not yet durable. A file is dirty from a write to its sync, the names of a
    folder from a change to theirs."""

    root: Path
    files: set[Path] = field(default_factory=set)
    names: set[Path] = field(default_factory=set)

    def follow(self, call: Call) -> None:
        """Follows a call."""
        paths = [each for each in call.paths() if each.is_relative_to(self.root)]
        if not paths:
            return
        if call.name == "fsync":
            self.files.discard(paths[0])
            self.names.discard(paths[0])
        elif call.name in {"write", "chmod", "chown", "fchmod", "fchown"}:
            self.files.add(paths[0])
        else:
            self.names.update(each.parent for each in paths)
        if call.name in {"rename", "replace"}:
            old, new = paths
            self.files = {_moved(each, old, new) for each in self.files}
            self.names = {_moved(each, old, new) for each in self.names}

    def of(self, folder: Path) -> set[Path]:
        """Returns what in a folder is not durable."""
        return {each for each in self.files | self.names if each.is_relative_to(folder) and each.exists()}


def _moved(path: Path, old: Path, new: Path) -> Path:
    return new / path.relative_to(old) if path.is_relative_to(old) else path
