"""The wish to end that a signal brings, before there is a loop that could look for it.

Rules: the wish interrupts whatever is under way, in good order, and is remembered: Python drops what is raised inside
some of its own calls (a module's lock, a finalizer), and nobody asks twice. Does not know what is running.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_requests: list[int] = []
_deferring: list[bool] = []
"""Not empty while a wish is only noted."""


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM and SIGINT raise KeyboardInterrupt, and `was_asked` tells of them; SDL swallows neither then."""

    def interrupt(number: int, _frame: FrameType | None) -> None:
        _requests.append(number)
        if not _deferring:
            raise KeyboardInterrupt

    def report(dropped: "sys.UnraisableHookArgs") -> None:
        # An interruption that Python drops has been noted; its traceback would tell of a fault where there is none.
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            previous_hook(dropped)

    _requests.clear()
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    previous_hook, sys.unraisablehook = sys.unraisablehook, report
    try:
        yield
    finally:
        sys.unraisablehook = previous_hook
        for number, handler in before.items():
            signal.signal(number, handler)
        _requests.clear()


@contextmanager
def deferred() -> Iterator[None]:
    """A wish is noted and interrupts nothing: an import that is cut short can keep its lock, and threads that load
    something wait for it for ever. Whoever uses this asks `was_asked`."""
    _deferring.append(True)
    try:
        yield
    finally:
        _deferring.pop()


def shutdown_requested() -> bool:
    """True once somebody asked for the end, whatever became of the interruption."""
    return bool(_requests)
