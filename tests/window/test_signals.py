"""A signal before there is a loop: raised, remembered, and not lost when Python drops it."""

import os
import signal
import sys
import weakref

import pytest
from support.played_cabinet import PlayedCabinet

from cabinet.engine.state import Settings
from cabinet.tools.screens_gallery import SAMPLE_FACTS
from cabinet.window.loop import WindowOptions
from cabinet.window.signals import deferred, shutdown_requested, terminable
from cabinet.window.supervisor import run_window


class Thing:
    """An object with a finalizer."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_interrupts_and_is_remembered_until_the_command_ends(number: int):
    before = signal.getsignal(number)
    with terminable():
        assert not shutdown_requested()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        assert shutdown_requested()
    assert not shutdown_requested()
    assert signal.getsignal(number) is before


def test_a_signal_during_the_start_is_deferred_and_remembered():
    with terminable(), deferred():
        signal.raise_signal(signal.SIGTERM)
        assert shutdown_requested()


@pytest.mark.screen
def test_an_interrupt_that_python_drops_still_ends_the_window(monkeypatch: pytest.MonkeyPatch):
    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)
    cabinet = PlayedCabinet()
    with terminable():
        thing = Thing()
        watcher = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGTERM))
        del thing
        assert watcher() is None
        assert (shutdown_requested(), dropped) == (True, []), "remembered, without a traceback"
        options = WindowOptions(settings=Settings(), facts=SAMPLE_FACTS, windowed=(1280, 720))
        assert run_window(cabinet=cabinet, options=options) == 0
    assert cabinet.frames == []
