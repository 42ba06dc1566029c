"""Remembers SIGTERM and SIGINT, also those that arrive before the main loop runs.

Rules: a signal interrupts the running code with KeyboardInterrupt and is remembered, because Python drops exceptions
that are raised inside some of its own calls (a module's lock, a finalizer) and a signal is sent only once. Does not
know what is running.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_requests: list[int] = []
_deferring: list[bool] = []
"""Not empty while a signal is only remembered."""


@contextmanager
def terminable() -> Iterator[None]:
    """Makes SIGTERM and SIGINT raise KeyboardInterrupt in this block and set `shutdown_requested`, so that SDL swallows
    neither."""

    def interrupt(number: int, _frame: FrameType | None) -> None:
        _requests.append(number)
        if not _deferring:
            raise KeyboardInterrupt

    def report(dropped: "sys.UnraisableHookArgs") -> None:
        # The signal has been remembered; a traceback of the dropped KeyboardInterrupt would look like a fault.
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
    """Remembers a signal in this block without an interrupt: an interrupted import can keep its lock, and threads that
    import would wait for ever. Check `shutdown_requested` afterwards."""
    _deferring.append(True)
    try:
        yield
    finally:
        _deferring.pop()


def shutdown_requested() -> bool:
    """Returns True once a signal asked for the end, even if Python dropped the interrupt."""
    return bool(_requests)
