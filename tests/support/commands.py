"""The `cabinet` command in a test's hands: inside this process, or as a process of its own where that matters."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner, Result

from cabinet.commands.main import main

PATIENCE_S = 90.0
PROGRAM = (sys.executable, "-m", "cabinet")


def call(*arguments: str | Path, typed: str | bytes = "") -> Result:
    """The command inside this process; faster, and what it raises is in the result. `typed` is its standard input."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed, prog_name="cabinet")


def start(*arguments: str | Path, cwd: Path | None = None) -> "subprocess.Popen[str]":
    """The command as a process of its own, its words kept."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.Popen(
        command, env=environment, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until(process: "subprocess.Popen[str]", met: Callable[[], bool]) -> None:
    """Until the process has brought something about; fails when it ends before that."""
    until = time.monotonic() + PATIENCE_S
    while not met():
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
        if process.returncode is not None or time.monotonic() > until:
            process.kill()
            raise AssertionError(f"it did not come to what was waited for: {process.communicate()}")


def finish(process: "subprocess.Popen[str]", patience_s: float = PATIENCE_S) -> tuple[int, str, str]:
    """Returns the exit code and what was written to standard output and error."""
    try:
        out, err = process.communicate(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return process.returncode, out, err


def run(*arguments: str | Path, cwd: Path | None = None, patience_s: float = PATIENCE_S) -> tuple[int, str, str]:
    """Starts the command and waits for its end."""
    return finish(start(*arguments, cwd=cwd), patience_s)


def is_one_sentence(said: str) -> bool:
    """Returns True if standard error has what it has after a mistake of a person: one sentence."""
    return said.startswith("cabinet: ") and said.count("\n") == 1 and said.endswith("\n") and "Traceback" not in said
