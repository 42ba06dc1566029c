"""The `cabinet` command in a test's hands: inside this process, or as a process of its own where that matters."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner, Result

from cabinet.cli import main

PATIENCE_S = 30.0
PROGRAM = (sys.executable, "-m", "cabinet")


def call(*arguments: str | Path) -> Result:
    """The command inside this process; faster, and what it raises is in the result."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="cabinet")


def start(*arguments: str | Path, cwd: Path | None = None) -> "subprocess.Popen[str]":
    """The command as a process of its own, its words kept."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.Popen(
        command, env=environment, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until_stoppable(process: "subprocess.Popen[str]") -> None:
    """Until the process answers to SIGTERM itself: before that, the system would end it."""
    status = Path(f"/proc/{process.pid}/status")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        (caught,) = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt")]
        if int(caught, 16) >> (signal.SIGTERM - 1) & 1:
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
            raise AssertionError(f"it ended by itself: {process.communicate()[1]}")
    raise AssertionError(f"it did not get ready within {PATIENCE_S:.0f} s")


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Exit code and what was written to standard output and error."""
    out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def run(*arguments: str | Path, cwd: Path | None = None) -> tuple[int, str, str]:
    """Start and finish."""
    return finish(start(*arguments, cwd=cwd))


def is_one_sentence(said: str) -> bool:
    """What standard error holds when a person has made a mistake."""
    return said.startswith("cabinet: ") and said.count("\n") == 1 and said.endswith("\n") and "Traceback" not in said
