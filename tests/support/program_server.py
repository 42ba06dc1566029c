"""Starts the versions of a test quickly: one process that has imported the program forks for each start.

`bin/cabinet` of such a version runs `program_launcher.launch`, which gives its arguments, environment, folder and
standard streams to the server. The program that the server forks is a process of its own: it is in the process group of
its launcher, gets the signals of its launcher, and is killed when its launcher is killed. The launcher ends as its
program ends.

The server is a program of its own and never a copy of the test's process, in which functions of `os` may be replaced.
It ends with the test's process.
"""

import atexit
import ctypes
import gc
import marshal
import os
import selectors
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from support.program_launcher import LONGEST, STREAMS

TESTS = Path(__file__).parents[1]
MODULES = (
    "support.version_program",
    "support.live",
    "cabinet.commands.doctor.checks",
    "cabinet.commands.journal",
    "cabinet.commands.rehearsal",
    "cabinet.commands.run",
    "cabinet.runtime.build",
)
"""What most starts need. It is imported once; a program imports the rest itself."""
_DIE_WITH_PARENT = 1


def end_with_parent() -> None:
    """Lets the system kill this process when its parent ends."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


@cache
def address() -> str:
    """Returns the name of the server of this process; starts the server at the first call."""
    name = f"cabinet-programs-{uuid4().hex}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        server = subprocess.Popen(
            [sys.executable, "-m", "support.program_server", str(listener.fileno())],
            env={**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"},
            pass_fds=[listener.fileno()],
            preexec_fn=end_with_parent,  # noqa: PLW1509 - one thread
        )
    atexit.register(_end, server)
    return name


def _end(server: "subprocess.Popen[bytes]") -> None:
    server.kill()
    server.wait()


@dataclass(slots=True)
class _Running:
    """A program and its launcher."""

    process: int
    launcher: socket.socket
    ended: bool = False

    def follow(self) -> bool:
        """Gives the program a signal of its launcher, and kills it when that is gone; returns whether it is there."""
        try:
            said = self.launcher.recv(1)
        except ConnectionResetError:
            said = b""
        if not self.ended:
            os.kill(self.process, said[0] if said else signal.SIGKILL)
        return bool(said)

    def report(self) -> None:
        """Says to the launcher, if it is there, how the program has ended."""
        _, status = os.waitpid(self.process, 0)
        self.ended = True
        with suppress(OSError):
            self.launcher.send(str(os.waitstatus_to_exitcode(status)).encode())


class _Server:
    """Forks for each launcher until it is killed."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(listener, selectors.EVENT_READ)

    def run(self) -> tuple[Any, ...]:
        """Returns in a forked process only, with what its launcher gives to the program."""
        while True:
            for key, _ in self._waiting.select():
                if key.data is None:
                    what = self._start()
                    if what is not None:
                        return what
                elif isinstance(key.fileobj, int):
                    key.data.report()
                    self._waiting.unregister(key.fileobj)
                    os.close(key.fileobj)
                elif not key.data.follow():
                    self._waiting.unregister(key.fileobj)
                    key.data.launcher.close()

    def _start(self) -> tuple[Any, ...] | None:
        launcher, _ = self._listener.accept()
        message, streams, _, _ = socket.recv_fds(launcher, LONGEST, STREAMS)
        if not message:  # the launcher was killed
            launcher.close()
            return None
        process = os.fork()
        if process == 0:
            launcher.close()
            self._leave()
            return _become(message, streams)
        for each in streams:
            os.close(each)
        running = _Running(process, launcher)
        self._waiting.register(launcher, selectors.EVENT_READ, running)
        self._waiting.register(os.pidfd_open(process), selectors.EVENT_READ, running)
        return None

    def _leave(self) -> None:
        """Closes what belongs to the server."""
        for key in tuple(self._waiting.get_map().values()):
            match key.fileobj:
                case int():
                    os.close(key.fileobj)
                case socket.socket():
                    key.fileobj.close()
        self._waiting.close()


def _become(message: bytes, streams: list[int]) -> tuple[Any, ...]:
    """Makes this process the one that the launcher asks for."""
    what, arguments, environment, folder, group = marshal.loads(message)
    end_with_parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setpgid(0, group)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = arguments
    return tuple(what)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in MODULES:
        import_module(each)
    gc.freeze()
    what = _Server(socket.socket(fileno=int(sys.argv[1]))).run()
    import_module("support.version_program").main(*what)


if __name__ == "__main__":
    _main()
