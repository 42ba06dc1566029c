"""The wish to end that a signal brings, before there is a loop that could look for it.

Rules: the wish interrupts whatever is under way, in good order, and is remembered: Python drops what is raised inside
some of its own calls (a module's lock, a finalizer), and nobody asks twice. Does not know what is running.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_asked: list[int] = []
_noting: list[bool] = []
"""Not empty while a wish is only noted."""


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM and SIGINT raise KeyboardInterrupt, and `was_asked` tells of them; SDL swallows neither then."""

    def interrupt(number: int, _frame: FrameType | None) -> None:
        _asked.append(number)
        if not _noting:
            raise KeyboardInterrupt

    def tell(dropped: "sys.UnraisableHookArgs") -> None:
        # An interruption that Python drops has been noted; its traceback would tell of a fault where there is none.
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            told_by(dropped)

    _asked.clear()
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    told_by, sys.unraisablehook = sys.unraisablehook, tell
    try:
        yield
    finally:
        sys.unraisablehook = told_by
        for number, handler in before.items():
            signal.signal(number, handler)
        _asked.clear()


@contextmanager
def deferred() -> Iterator[None]:
    """A wish is noted and interrupts nothing: an import that is cut short can keep its lock, and threads that load
    something wait for it for ever. Whoever uses this asks `was_asked`."""
    _noting.append(True)
    try:
        yield
    finally:
        _noting.pop()


def shutdown_requested() -> bool:
    """True once somebody asked for the end, whatever became of the interruption."""
    return bool(_asked)
