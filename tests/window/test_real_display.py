"""The window of a real cabinet under X and under Wayland: nothing leads out, and a lost display locks the cabinet.

Takes an X server, simulated input on it, and a Wayland server whose display is a window of the X server. Without Xvfb,
xdotool and weston these tests are skipped with that reason.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

import pytest
from support.played_cabinet import PlayedCabinet
from support.street_display import READY

from cabinet.engine.inputs import Button
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.layout.screen import layout
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Kind, Slot

MISSING = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
NEEDED = "install the Debian packages xvfb, xdotool and weston to run these tests"
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"no {' and no '.join(MISSING)} here: {NEEDED}"),
]
with_wayland = pytest.mark.skipif(shutil.which("weston") is None, reason=f"no weston here: {NEEDED}")

SIZE = (1280, 720)
TESTS = Path(__file__).parents[1]
PATIENCE_S = 60.0
POLL_S = 0.02
"""Seconds between two checks of a process."""
ENDED = "ended"
"""The last line of a cabinet's process."""
ELSEWHERE = (SIZE[0] // 2, SIZE[1] // 3)
"""On the cloth, where a touch has no effect."""
WAYS_OUT = {
    "alt+F4",
    "Escape",
    "ctrl+c",
    "ctrl+q",
    "ctrl+w",
    "ctrl+alt+F2",
    "ctrl+alt+BackSpace",
    "ctrl+alt+Delete",
    "alt+Tab",
    "super",
    "super+d",
    "Menu",
    "Print",
    "F1",
    "F11",
    "F12",
    "s",
    "space",
    "Return",
}


def own_number() -> int:
    """Returns a display number that no other process of the tests takes, not even while a server of this one
    restarts."""
    return 1_000 + os.getpid() % 50_000


class XServer:
    """An X server of its own, ended at the end."""

    ENDS_BY: frozenset[str] = frozenset()
    """Keys by which the server itself ends."""

    def __init__(self, folder: Path) -> None:
        del folder
        self.number = own_number()
        reading, writing = os.pipe()
        ready = ["-displayfd", str(writing)]
        # It would reset whenever its last client is gone: a simulated key is such a client.
        kept = ["-noreset", "-nolisten", "tcp"]
        command = ["Xvfb", f":{self.number}", *ready, *kept, "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"]
        self.process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as line:
            assert line.readline().strip() == str(self.number), f"the X server did not start on display {self.number}"

    @property
    def environment(self) -> dict[str, str]:
        """Returns the environment of a program that shows something here."""
        return {"DISPLAY": f":{self.number}", "SDL_VIDEODRIVER": "x11"}

    def end(self) -> None:
        """Ends the server, as if its plug were pulled."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    def act(self, *command: str) -> None:
        """Sends input of keyboard and mouse."""
        self._ask("xdotool", *command)

    def close_window(self) -> None:
        """Closes the cabinet's window as a window manager's button does."""
        window = self._ask("xdotool", "getwindowfocus").strip()
        assert self._ask("xdotool", "getwindowname", window).strip() == "Blackjack"
        self._ask(sys.executable, "-m", "support.x_close", window)

    def _ask(self, *command: str) -> str:
        environment = os.environ | {"DISPLAY": f":{self.number}", "PYTHONPATH": str(TESTS)}
        done = subprocess.run(command, env=environment, check=True, timeout=PATIENCE_S, capture_output=True, text=True)
        return done.stdout


class WaylandServer(XServer):
    """A Wayland server that fills an X server of its own; both are ended at the end."""

    ENDS_BY = frozenset({"ctrl+alt+BackSpace"})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        # It may not know the pointer's position at its start, assumes this corner, and keeps the difference.
        self.act("mousemove", "0", "0")
        folder.chmod(0o700)
        self._folder = folder
        size = (f"--width={SIZE[0]}", f"--height={SIZE[1]}")
        self.wayland = subprocess.Popen(
            [
                "weston",
                "--backend=x11-backend.so",
                "--use-pixman",
                "--shell=kiosk-shell.so",
                "--idle-time=0",
                "--socket=cabinet",
                *size,
            ],
            env=os.environ | {"DISPLAY": f":{self.number}", "XDG_RUNTIME_DIR": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = monotonic() + PATIENCE_S
        while not (folder / "cabinet").exists():
            with suppress(subprocess.TimeoutExpired):
                raise AssertionError(f"the Wayland server did not start: {self.wayland.wait(POLL_S)}")
            assert monotonic() < until, "the Wayland server opened no socket"

    @property
    def environment(self) -> dict[str, str]:
        """Returns no variable of X: every picture comes over Wayland."""
        return {
            "WAYLAND_DISPLAY": "cabinet",
            "XDG_RUNTIME_DIR": str(self._folder),
            "SDL_VIDEODRIVER": "wayland",
            "DISPLAY": "",
        }

    def close_window(self) -> None:
        """The server has no such button on a window that fills the display."""

    def end(self) -> None:
        """Ends the Wayland server at once, without notice to its clients."""
        self.wayland.kill()
        self.wayland.wait(PATIENCE_S)
        (self._folder / "cabinet").unlink(missing_ok=True)
        super().end()


class Shown:
    """A cabinet in a process of its own, and its output."""

    def __init__(self, server: XServer) -> None:
        self._server = server
        environment = os.environ | {
            **server.environment,
            "SDL_AUDIODRIVER": "dummy",
            "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS.parent))),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.street_display"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        self.said: list[str] = []
        self._ear = Thread(target=self._listen, daemon=True)
        self._ear.start()

    def end(self) -> None:
        """Ends the process in any state."""
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self._ear.join(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.strip())
        self._lines.put(ENDED)

    def until(self, wanted: str) -> None:
        """Waits until the output has this line, or the process ends."""
        until = monotonic() + PATIENCE_S
        with suppress(Empty):
            while (left_s := until - monotonic()) > 0 and ENDED not in self.said:
                self.said.append(self._lines.get(timeout=left_s))
                if self.said[-1] == wanted:
                    return
        raise AssertionError(f"waited for {wanted!r}; it said {[line for line in self.said if line != 'frame']}")

    def point_at(self, place: tuple[int, int]) -> None:
        """Moves the pointer to another place and waits until that is reported: then all earlier input was handled
        too."""
        x, y = map(str, place)
        self._server.act("mousemove", x, y)
        self.until(f"pointer {x} {y}")

    def wishes(self) -> list[str]:
        """Returns the wishes so far."""
        return [line for line in self.said if line.startswith("wish")]


KINDS = [pytest.param(XServer, id="x"), pytest.param(WaylandServer, id="wayland", marks=with_wayland)]


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[XServer]:
    server: XServer = request.param(tmp_path)
    yield server
    server.end()


@contextmanager
def shown(server: XServer) -> Iterator[Shown]:
    """Yields a cabinet on this display; ended at the end."""
    cabinet = Shown(server)
    try:
        yield cabinet
    finally:
        cabinet.end()


def legend_of(button: Button) -> tuple[int, int]:
    """Returns the place of a button's legend on the display."""
    cabinet = PlayedCabinet()
    cabinet.step(*READY)
    screen = present(cabinet.snapshot(), UiState(), 100.0, WALL, cabinet.settings, SAMPLE_FACTS)
    return layout(SIZE, screen).rect(Slot(Kind.LEGEND, nth=list(Button).index(button))).centre


@pytest.mark.requirement("SE-04")
def test_no_key_and_no_window_control_leads_a_player_out(server: XServer):
    with shown(server) as cabinet:
        # Input before the window exists does not reach it.
        cabinet.until("keys")
        for key in sorted(WAYS_OUT - server.ENDS_BY):
            server.act("key", key)
        server.close_window()
        cabinet.point_at(legend_of(Button.BET))
        server.act("click", "2", "click", "3", "click", "4", "click", "5")
        cabinet.point_at(ELSEWHERE)
        assert cabinet.wishes() == []
        cabinet.point_at(legend_of(Button.BET))
        server.act("click", "1")
        cabinet.point_at(ELSEWHERE)
        assert cabinet.wishes() == ["wish bet"]
        assert cabinet.process.poll() is None
        cabinet.process.send_signal(signal.SIGINT)
        cabinet.until("frame")
        cabinet.process.terminate()
        assert cabinet.process.wait(PATIENCE_S) == 0


def test_a_lost_display_locks_the_cabinet_after_the_restart_until_it_is_back(server: XServer, tmp_path: Path):
    with shown(server) as cabinet:
        cabinet.until("found []")
        cabinet.until("frame")
        server.end()
        # The X library ends a program whose display is gone, and under Wayland the program ends itself; the service
        # manager starts it again.
        assert cabinet.process.wait(PATIENCE_S) == 1
    with shown(server) as cabinet:
        cabinet.until("lost ['display lost']")
        for _ in range(10):
            cabinet.until("frame")
        assert cabinet.process.poll() is None
        again = type(server)(tmp_path)
        try:
            cabinet.until("found []")
            cabinet.until("frame")
        finally:
            cabinet.process.terminate()
            assert cabinet.process.wait(PATIENCE_S) == 0
            again.end()
