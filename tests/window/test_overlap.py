"""Work in a thread while the caller waits."""

import gc
import threading

import pytest

from cabinet.window.overlap import FrameWorker

PATIENCE_S = 20.0


def test_work_runs_during_the_wait_and_is_done_after_it():
    worker, running = FrameWorker("work"), threading.Event()
    said: list[str] = []

    def work() -> None:
        said.append(threading.current_thread().name)
        running.set()

    worker.run_while(work, waiting=lambda: said.append(str(running.wait(PATIENCE_S))))
    assert said[0].startswith("work")
    assert said[1:] == ["True"]


def test_the_caller_waits_until_the_work_is_done():
    worker, waited = FrameWorker("work"), threading.Event()
    done: list[bool] = []
    worker.run_while(lambda: done.append(waited.wait(PATIENCE_S)), waiting=waited.set)
    assert done == [True]


def fail() -> None:
    """Fails, as work does."""
    raise OSError("the work")


def fail_to_wait() -> None:
    """Fails, as a wait does."""
    raise OSError("the wait")


def test_when_both_fail_the_waits_error_is_raised_and_the_works_is_logged(caplog: pytest.LogCaptureFixture):
    with pytest.raises(OSError, match="the wait"):
        FrameWorker("work").run_while(fail, waiting=fail_to_wait)
    (running,) = caplog.records
    assert "the work" in running.getMessage()


def test_the_waits_error_is_raised_after_the_work():
    worker, failing = FrameWorker("work"), threading.Event()
    done: list[bool] = []

    def wait() -> None:
        failing.set()
        fail_to_wait()

    with pytest.raises(OSError, match="the wait"):
        worker.run_while(lambda: done.append(failing.wait(PATIENCE_S)), waiting=wait)
    assert done == [True]


def test_the_works_error_is_raised_after_the_wait_and_the_next_work_runs():
    worker = FrameWorker("work")
    waited: list[int] = []
    with pytest.raises(OSError, match="the work"):
        worker.run_while(fail, waiting=lambda: waited.append(1))
    worker.run_while(lambda: waited.append(2), waiting=lambda: None)
    assert waited == [1, 2]


def test_the_worker_thread_ends_with_its_owner():
    worker, threads = FrameWorker("work that ends"), []
    worker.run_while(lambda: threads.append(threading.current_thread()), waiting=lambda: None)
    del worker
    gc.collect()
    (thread,) = threads
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
