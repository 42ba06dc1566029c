"""A recording file system: what the medium has for certain at any moment of a scenario.

The scenario runs in a forked child. Its system calls that sync, and those that rename, stop it (ptrace and a seccomp
filter), so the calls of SQLite are seen as well as those of Python. The worst medium is assumed: a content is durable
only as it was when its file was synced, a name only as it was when its folder was synced. What such a medium has is an
image of a folder, which can be opened like any other.

A call counts as done when it begins: the scenario has one thread. Needs Linux on x86_64 or arm64, where a process may
follow its own child.
"""

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

Say = Callable[[str], None]

_WRITE, _SYNC, _RENAME, _RENAME_AT = range(4)
_CALLS: Mapping[str, Mapping[int, int]] = {
    "x86_64": {1: _WRITE, 74: _SYNC, 75: _SYNC, 82: _RENAME, 264: _RENAME_AT, 316: _RENAME_AT},
    "aarch64": {64: _WRITE, 82: _SYNC, 83: _SYNC, 38: _RENAME_AT, 276: _RENAME_AT},
}
"""The numbers of write, fsync, fdatasync, rename, renameat and renameat2. A write only matters for what is said."""

_TRACEME, _CONT, _SETOPTIONS, _SYSCALL_INFO = 0, 7, 0x4200, 0x420E
_STOP_AT_CALLS, _DIE_WITH_THE_WATCHER = 1 << 7, 1 << 20
_CALL_STOP = signal.SIGTRAP | 7 << 8
_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LOAD_NUMBER, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_TRACE, _ALLOW = 0x7FF00000, 0x7FFF0000
_LONGEST_PATH = 4096

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_ulong, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_void_p]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What the scenario did last: `said` a word, `sync` of a path, `move` of a path to another place."""

    kind: str
    path: str
    other: str = ""


@dataclass(slots=True)
class Medium:
    """What the worst medium has."""

    contents: dict[int, bytes] = field(default_factory=dict)
    """Each file as it was when it was synced, by inode."""
    names: dict[Path, dict[str, int]] = field(default_factory=dict)
    """The names of each folder when it was synced, with their inodes."""

    def sync(self, path: Path) -> None:
        """A file or a folder is synced as it is now."""
        if path.is_dir():
            self.names[path] = {each.name: each.inode() for each in os.scandir(path) if each.is_file()}
        else:
            self.contents[path.stat().st_ino] = path.read_bytes()

    def has(self, path: Path) -> bool:
        """Returns True if the content of a file is durable as it is now, whatever its name."""
        return self.contents.get(path.stat().st_ino) == path.read_bytes()

    def image(self, folder: Path) -> dict[str, bytes]:
        """The files of a folder that would be found after a cut now, with their contents."""
        return {name: self.contents.get(inode, b"") for name, inode in self.names.get(folder, {}).items()}

    def write(self, folder: Path, into: Path) -> Path:
        """Writes the image of a folder to another place."""
        into.mkdir(parents=True)
        for name, content in self.image(folder).items():
            (into / name).write_bytes(content)
        return into


def record(scenario: Callable[[Say], None], *folders: Path) -> Iterator[tuple[Call, Medium]]:
    """Runs the scenario in a child; each call as it is made, with what the medium has then. A rename is seen before it
    is made, everything else when it is done. The scenario is given a function that says a word. What is in `folders`
    at the beginning is durable."""
    medium = Medium()
    for path in (each for folder in folders for each in (folder, *folder.iterdir())):
        medium.sync(path)
    ears, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        _perform(scenario, mouth)
    os.close(mouth)
    try:
        yield from _follow(child, str(Path(f"/proc/self/fd/{ears}").readlink()), medium)
    finally:
        os.close(ears)


def _say(mouth: int, word: str) -> None:
    os.write(mouth, word.encode())


def _perform(scenario: Callable[[Say], None], mouth: int) -> None:
    """The child; it ends with code 0 when the scenario has ended in order."""
    code = 1
    try:
        _ptrace(_TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        _filter_calls()
        scenario(partial(_say, mouth))
        code = 0
    finally:
        os._exit(code)


def _filter_calls() -> None:
    """Stops this process at the calls that matter, and only there."""
    numbers = _CALLS[platform.machine()]
    lines = [struct.pack("HBBI", _LOAD_NUMBER, 0, 0, 0)]
    lines += [struct.pack("HBBI", _JUMP_IF_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    lines += [struct.pack("HBBI", _RETURN, 0, 0, _ALLOW), struct.pack("HBBI", _RETURN, 0, 0, _TRACE)]
    code = ctypes.create_string_buffer(b"".join(lines))
    program = ctypes.create_string_buffer(struct.pack("HP", len(lines), ctypes.addressof(code)))
    for option, value, address in (
        (_SET_NO_NEW_PRIVS, 1, 0),
        (_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(program)),
    ):
        if _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_void_p(address), ctypes.c_ulong(0), ctypes.c_ulong(0)):
            raise OSError(ctypes.get_errno(), "the calls cannot be followed: seccomp is refused")


def _ptrace(request: int, child: int, address: int = 0, data: int = 0) -> None:
    if _libc.ptrace(request, child, address, data) < 0:
        raise OSError(ctypes.get_errno(), "the child cannot be followed: ptrace is refused")


def _follow(child: int, ears: str, medium: Medium) -> Iterator[tuple[Call, Medium]]:
    signal_, ended = 0, False
    try:
        _, status = os.waitpid(child, 0)
        assert os.WIFSTOPPED(status), "the child cannot be followed: ptrace is refused"
        _ptrace(_SETOPTIONS, child, 0, _STOP_AT_CALLS | _DIE_WITH_THE_WATCHER)
        while True:
            _ptrace(_CONT, child, 0, signal_)
            _, status = os.waitpid(child, 0)
            if ended := os.WIFEXITED(status) or os.WIFSIGNALED(status):
                break
            at_call = status >> 8 == _CALL_STOP
            signal_ = 0 if at_call else os.WSTOPSIG(status)
            call = _read_call(child, ears) if at_call else None
            if call is not None:
                if call.kind == "sync":
                    medium.sync(Path(call.path))
                yield call, medium
        assert status == 0, "the scenario failed: its traceback is on standard error"
    finally:
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _read_call(child: int, ears: str) -> Call | None:
    """The call that the child is about to make; None for a write to anything but the scenario's own pipe."""
    info = ctypes.create_string_buffer(88)
    _ptrace(_SYSCALL_INFO, child, len(info), ctypes.addressof(info))
    number, *arguments = struct.unpack_from("7Q", info.raw, 24)
    kind = _CALLS[platform.machine()][number]
    if kind in {_RENAME, _RENAME_AT}:
        old, new = (0, 1) if kind == _RENAME else (1, 3)
        return Call(kind="move", path=_text(child, arguments[old]), other=_text(child, arguments[new]))
    path = str(Path(f"/proc/{child}/fd/{arguments[0]}").readlink())
    if kind == _SYNC:
        return Call(kind="sync", path=path)
    return Call(kind="said", path=_memory(child, arguments[1], arguments[2]).decode()) if path == ears else None


def _memory(child: int, at: int, size: int) -> bytes:
    with Path(f"/proc/{child}/mem").open("rb", buffering=0) as memory:
        memory.seek(at)
        return memory.read(size)


def _text(child: int, at: int) -> str:
    return _memory(child, at, _LONGEST_PATH).split(b"\0")[0].decode()
