"""The end of a set-up on the machine itself: the system's programs put the changes in force, then the doctor runs.

Rules: this module changes no file of the system. A program that fails is reported with its message, because a restart
puts everything in force as well. The boot loader is written only if the answers allow it. Books begin only where they
belong, never in the empty folder of a missing medium.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from cabinet.installation.durable import write_file
from cabinet.installation.paths import ON_CABINET, USER, Paths
from cabinet.installation.setup.answers import Answers
from cabinet.installation.system.board import Board
from cabinet.installation.system.eeprom import BEFORE, advise, how_to_restore, put_advice

TOOL: Final = "cabinet"
"""The command of an installed cabinet, which runs as the right user."""
NOT_READY: Final = 3
"""The exit code of a set-up that was made on a machine that the doctor calls bad, or that it could not examine."""
TOOL_PATIENCE_S: Final = 60
"""How long a program of the system may need to put a change in force, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A program of the system that puts changes in force; `below` is a folder that must be a mount for it."""

    command: tuple[str, ...]
    reason: str
    below: Path | None = None


def find_acts(answers: Answers, paths: Paths) -> tuple[Act, ...]:
    """Returns the acts that put the changes in force without a restart, in order."""
    acts = [
        Act(command=("systemctl", "daemon-reload"), reason="the new mounts and units"),
        Act(command=("udevadm", "control", "--reload"), reason="the names of the USB sockets"),
        Act(command=("udevadm", "trigger", "--settle", "--subsystem-match=tty"), reason="the names of the USB sockets"),
    ]
    for wanted, folder in ((answers.books_partition, paths.data), (answers.second_copy, paths.second)):
        if not wanted:
            continue
        if not folder.is_mount():
            acts.append(Act(command=("mount", str(folder)), reason="its file system"))
        owned = ("install", "-d", "-o", USER, "-g", USER, "-m", "750", str(folder))
        # The folder below a missing medium stays the system's, so that nothing is written there.
        acts.append(Act(command=owned, reason="the cabinet writes there", below=folder))
    return tuple(acts)


def put_in_force(answers: Answers, paths: Paths) -> None:
    """Runs the acts, and shows what failed."""
    for act in find_acts(answers, paths):
        if act.below is not None and not act.below.is_mount():
            continue
        if problem := _run(act.command):
            click.echo(f"Note: {' '.join(act.command)} ({act.reason}) failed: {problem}")


def set_boot_loader(board: Board, answers: Answers, paths: Paths) -> None:
    """Shows the settings that the boot loader should have, and writes them only if the answers allow it."""
    if board.pi not in {4, 5}:
        return
    try:
        text = subprocess.run(
            ["rpi-eeprom-config"], capture_output=True, text=True, check=True, timeout=TOOL_PATIENCE_S
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        click.echo(f"Note: the settings of the boot loader cannot be read: {error}")
        return
    advice = advise(text, board.medium)
    for each in advice:
        click.echo(f"Boot loader: {each}")
    if not advice or not answers.eeprom:
        return
    if not (paths.setup / BEFORE).exists():  # a second set-up finds the settings of the first
        write_file(paths.setup / BEFORE, text.encode("utf-8"), mode=0o600)
    wanted = paths.setup / "boot-loader.txt"
    write_file(wanted, put_advice(text, advice).encode("utf-8"), mode=0o600)
    problem = _run(("rpi-eeprom-config", "--apply", str(wanted)))
    click.echo(
        f"Note: the boot loader was not changed: {problem}" if problem else "The boot loader changes at the restart."
    )


def end_undo(paths: Paths, *, live: bool) -> None:
    """Shows what an undo of the files leaves to the technician."""
    if (before := paths.setup / BEFORE).exists():
        click.echo(how_to_restore(before))
    if live:
        click.echo("Mounts, units and the kernel still have the set-up: run `systemctl daemon-reload`, then `reboot`.")


def begin_and_examine(answers: Answers, paths: Paths) -> int:
    """Begins the books if this was asked for, and runs the doctor; returns the exit code: 0 or `NOT_READY`."""
    if answers.commission:
        _begin_books(answers, paths)
    try:
        done = subprocess.run([TOOL, "doctor"], check=False).returncode == 0
    except OSError as error:
        click.echo(f"Note: the doctor was not asked: {error}; install the package")
        done = False
    if not done:
        click.echo("The set-up is complete, but the cabinet cannot run yet: see what the doctor calls bad.")
    return 0 if done else NOT_READY


def _begin_books(answers: Answers, paths: Paths) -> None:
    if answers.books_partition and not paths.data.is_mount():
        click.echo(
            f"Note: the books did not begin, because {ON_CABINET.data} is not mounted; connect its medium, then run "
            "`cabinet commission`"
        )
        return
    try:
        done = subprocess.run([TOOL, "commission"], check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        click.echo("Note: the books did not begin; settle what is said above, then run `cabinet commission`")


def _run(command: Sequence[str]) -> str:
    """Runs a program of the system; returns its complaint, empty for success."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TOOL_PATIENCE_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else " ".join((done.stderr or done.stdout).split()) or f"code {done.returncode}"
