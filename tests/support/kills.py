"""Kills a process at each of its acts on files, one after the other: a real process, and a real SIGKILL."""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator

ACTS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.symlink", "os.chmod", "os.chown", "os.rmdir"})
"""Events of Python's audit hook before which a process is killed."""


def kill_at_each_act(prepare: Callable[[], None], work: Callable[[], None], *, every: int = 1) -> Iterator[int]:
    """Yields after each kill, with the number of acts that were done; ends when `work` has been done without one.

    Fails when `work` has no act at which it could be killed. `prepare` runs before each attempt, in this process. With
    `every` there are `every` acts from one kill to the next.
    """
    done = 0
    while True:
        prepare()
        if _run_and_kill(work, done):
            assert done, "the work has no act, so that nothing was tried"
            return
        yield done
        done += every


def _run_and_kill(work: Callable[[], None], acts: int) -> bool:
    """Runs `work` in a child that is killed before its next act after `acts`; whether it ended by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside the threads of a test runner
        child = os.fork()
    if child == 0:
        left = acts

        def hook(event: str, _arguments: object) -> None:
            nonlocal left
            if event in ACTS:
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

        sys.addaudithook(hook)
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    assert os.waitstatus_to_exitcode(status) == 0, "the work failed"
    return True
