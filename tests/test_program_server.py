"""That a version which the server of the tests starts is a process like any other, as an update meets it."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.updates import SECOND, Installed, installed, members_of, unpack_first
from support.version_program import Fault

from cabinet.installation.update.versions import switch
from cabinet.store.errors import StoreBusyError
from cabinet.store.journal import Journal


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Installed]:
    with installed(tmp_path, running=False) as found:
        yield found


def answer(cabinet: Installed, *words: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command of the version in the root of the cabinet."""
    command = [str(cabinet.paths.command()), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cabinet.paths.root)


def running(cabinet: Installed) -> "subprocess.Popen[bytes]":
    """Returns the launcher of a program that is ready."""
    cabinet.service.start()
    cabinet.until(cabinet.service.is_ready)
    assert cabinet.service.process is not None
    return cabinet.service.process


def is_free(data: Path) -> bool:
    """Whether no program has the books open."""
    with suppress(StoreBusyError), Journal(data, str):
        return True
    return False


def test_a_program_writes_and_ends_as_one_that_is_started_directly(cabinet: Installed):
    known, unknown = answer(cabinet, "--version"), answer(cabinet, "unheard")
    assert (known.returncode, known.stderr) == (0, "")
    assert "0.1.0" in known.stdout
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "unheard" in unknown.stderr


def test_a_program_runs_in_the_folder_of_its_launcher(cabinet: Installed):
    assert answer(cabinet, "verify", "--data", str(cabinet.paths.data.relative_to(cabinet.paths.root))).returncode == 0


def test_each_program_has_its_own_fault(cabinet: Installed):
    unpack_first(cabinet.paths, members_of(SECOND, Fault.NOT_VERIFIED))
    switch(cabinet.paths, SECOND)
    words = ("verify", "--data", str(cabinet.paths.data))
    assert answer(cabinet, *words).returncode == 1
    switch(cabinet.paths, "0.1.0")
    assert answer(cabinet, *words).returncode == 0


def test_a_launcher_that_is_asked_to_end_ends_when_its_program_has_ended_in_order(cabinet: Installed):
    launcher = running(cabinet)
    launcher.terminate()
    assert launcher.wait(90) == 0
    assert is_free(cabinet.paths.data)


def test_a_program_is_killed_with_its_launcher(cabinet: Installed):
    launcher = running(cabinet)
    assert not is_free(cabinet.paths.data)
    launcher.kill()
    assert launcher.wait(90) == -signal.SIGKILL
    cabinet.until(lambda: is_free(cabinet.paths.data))
