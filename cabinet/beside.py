"""A thread that works while another one waits.

Rules: the two never work at the same time on what is not safe for that, because the waiting one does nothing else and
goes on only when both are done. Does not know what is waited for, or what is done.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


class Beside:
    """One such thread; it ends when nobody keeps this any more."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def work(self, work: Callable[[], None], during: Callable[[], None]) -> None:
        """Wait `during` something and have `work` done meanwhile. Raises what the wait raises, or else the work."""
        done = self._pool.submit(work)
        try:
            during()
        finally:
            failure = done.exception()
        if failure is not None:
            raise failure
