"""Runs work in a thread while the caller waits.

Rules: the caller does nothing but wait, and continues only when both are done, so what they share needs no lock. The
wait must let other threads run (as `pygame.display.flip` does). Does not know the work or the wait.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_log = logging.getLogger(__name__)


class FrameWorker:
    """Owns one worker thread; it exits when this object is collected."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def run_while(self, work: Callable[[], None], waiting: Callable[[], None]) -> None:
        """Runs `work` while `waiting` blocks. Raises the error of the wait, or else that of the work; when both fail
        the log has the work's."""
        done = self._pool.submit(work)
        try:
            waiting()
        except BaseException:
            if (failure := done.exception()) is not None:
                _log.error("the work during a failed wait has failed too: %s", failure, exc_info=failure)
            raise
        done.result()
