"""Work that is done while something else is waited for."""

import gc
import threading

import pytest

from cabinet.window.overlap import FrameWorker

PATIENCE_S = 20.0


def test_the_work_is_done_during_the_wait_and_over_after_it():
    beside, told = FrameWorker("work"), threading.Event()
    said: list[str] = []

    def run_while() -> None:
        said.append(threading.current_thread().name)
        told.set()

    beside.run_while(run_while, waiting=lambda: said.append(str(told.wait(PATIENCE_S))))
    assert said[0].startswith("work")
    assert said[1:] == ["True"]


def test_nobody_goes_on_before_the_work_is_done():
    beside, waited = FrameWorker("work"), threading.Event()
    done: list[bool] = []
    beside.run_while(lambda: done.append(waited.wait(PATIENCE_S)), waiting=waited.set)
    assert done == [True]


def fail() -> None:
    """What fails beside a wait."""
    raise OSError("the work")


def fail_to_wait() -> None:
    """A wait that fails."""
    raise OSError("the wait")


def test_when_both_fail_the_wait_is_told_and_the_log_tells_of_the_work(caplog: pytest.LogCaptureFixture):
    with pytest.raises(OSError, match="the wait"):
        FrameWorker("work").run_while(fail, waiting=fail_to_wait)
    (told,) = caplog.records
    assert "the work" in told.getMessage()


def test_what_the_wait_raises_is_raised_once_the_work_is_done():
    beside, failing = FrameWorker("work"), threading.Event()
    done: list[bool] = []

    def wait() -> None:
        failing.set()
        fail_to_wait()

    with pytest.raises(OSError, match="the wait"):
        beside.run_while(lambda: done.append(failing.wait(PATIENCE_S)), waiting=wait)
    assert done == [True]


def test_what_the_work_raises_is_raised_after_the_wait_and_the_next_work_is_done():
    beside = FrameWorker("work")
    waited: list[int] = []
    with pytest.raises(OSError, match="the work"):
        beside.run_while(fail, waiting=lambda: waited.append(1))
    beside.run_while(lambda: waited.append(2), waiting=lambda: None)
    assert waited == [1, 2]


def test_its_thread_ends_with_it():
    beside, threads = FrameWorker("work that ends"), []
    beside.run_while(lambda: threads.append(threading.current_thread()), waiting=lambda: None)
    del beside
    gc.collect()
    (thread,) = threads
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
