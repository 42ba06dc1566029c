"""A medium that does not answer: the commits of a running cabinet wait until they are let go.

Rules: the journal's connection is touched in the cabinet's thread only. Nothing waits longer than `PATIENCE_S`.
"""

import sqlite3
import threading
from collections.abc import Callable

from support.live import Live

from cabinet.engine.inputs import Button

PATIENCE_S = 30.0


def in_its_thread(live: Live, act: Callable[[sqlite3.Connection], object]) -> None:
    """Does something to the journal's connection in the only thread that may; SERVICE is pressed for it."""
    done = threading.Event()

    def once() -> None:
        if threading.current_thread().name == "cabinet" and not done.is_set():
            act(live.cabinet.journal.connection)
            done.set()

    live.controller.on_snapshot(once)
    live.touch(Button.SERVICE)
    live.until(done.is_set, "the cabinet's thread")


class Stall:
    """A medium that does not answer until `release` is set; `slow` is set once a caller waits for it."""

    def __init__(self, live: Live) -> None:
        """From the next commit on."""
        self.release, self.slow = threading.Event(), threading.Event()
        in_its_thread(live, lambda connection: connection.set_progress_handler(self._answer, 1))

    def _answer(self) -> int:
        self.slow.set()
        self.release.wait(PATIENCE_S)
        return 0
