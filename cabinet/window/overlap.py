"""A thread that works while another one waits.

Rules: the one that waits does nothing else but wait, and goes on only when both are done, so nothing that they share
needs a lock. What is waited for must let other threads work (as `pygame.display.flip` does). Does not know what is
waited for, or what is done.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_log = logging.getLogger(__name__)


class FrameWorker:
    """One such thread; it ends when nobody keeps this any more."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def run_while(self, work: Callable[[], None], waiting: Callable[[], None]) -> None:
        """Wait `during` something and have `work` done meanwhile. Raises what the wait raises, or else the work; when
        both do the log tells of the work."""
        done = self._pool.submit(work)
        try:
            waiting()
        except BaseException:
            if (failure := done.exception()) is not None:
                _log.error("what was done beside a wait that failed has failed, too: %s", failure, exc_info=failure)
            raise
        done.result()
