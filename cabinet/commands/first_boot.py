"""`cabinet setup --first-boot`: what the system runs at the start of a card that was written from the image.

Rules: the screen shows one sentence at a time; how it ended is also in the report on the boot partition, for a builder
without a keyboard. A problem ends with exit code 1, and the cabinet does not start until it is settled.
"""

import subprocess
import sys
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from cabinet.commands.setup import PLUG_CHECKS, Options, SetupError, set_up, take_back
from cabinet.config.reader import ConfigError
from cabinet.installation.durable import exact_modes
from cabinet.installation.errors import InstallationError, describe
from cabinet.installation.first_boot.card import Act
from cabinet.installation.first_boot.sequence import (
    COMPLETE,
    RESTART,
    FirstBoot,
    FirstBootError,
    complete,
    incomplete,
    is_pending,
    write_report,
)
from cabinet.installation.remount import RemountError, writable
from cabinet.installation.system.socket_watch import ask_udev, find_lines, learn_socket

PROBLEMS = (ConfigError, InstallationError, OSError, SetupError)
ACT_PATIENCE_S: Final = 600
"""How long one act of a first start may need, such as enlarging a file system, in seconds."""
_AGAIN = "switch the machine off and on, and write the image to another card if that does not help"
_CLEAR = "\033[2J\033[H"


def run_command(undo: bool, first_boot: bool, root: Path, **wanted: Any) -> int:
    """Does what the command line of `cabinet setup` asks for; returns the exit code. Raises errors with a sentence."""
    options = Options(root=root, live=root == Path("/"), **wanted)
    with exact_modes():
        if first_boot:
            return run_first_boot(_find_first_boot(options))
        return take_back(options) if undo else set_up(options)


def _find_first_boot(options: Options) -> FirstBoot:
    """Returns the first start of the system below the root."""
    return FirstBoot(
        paths=options.paths,
        say=show,
        run=run_act,
        learn=lambda name: _learn(name, options),
        set_up=lambda answers: _set_up(options, answers),
        is_mounted=Path.is_mount,
    )


def run_first_boot(first: FirstBoot) -> int:
    """Does a first start, shows and reports how it ended; returns the exit code."""
    if not is_pending(first.paths):
        click.echo("This card is no new one: nothing to do.")
        return 0
    try:
        with writable(first.paths, first.say):
            return _complete(first)
    except RemountError as error:
        first.say(incomplete(str(error)))
        return 1


def _complete(first: FirstBoot) -> int:
    try:
        if complete(first):
            first.say(COMPLETE)
            first.run(RESTART)
    except PROBLEMS as error:
        text = incomplete(describe(error))
        first.say(text)
        with suppress(OSError):  # the screen has it
            write_report(first.paths, text)
        return 1
    return 0


def show(text: str) -> None:
    """Shows a text alone on the screen."""
    lines = "\n".join(f"  {line}" for line in text.splitlines())
    click.echo(f"{_CLEAR}\n\n{lines}\n", color=True)


def run_act(act: Act) -> str:
    """Runs a program of the system; returns what it prints. Raises FirstBootError with its words."""
    shown = " ".join(act.command)
    try:
        done = subprocess.run(
            act.command, input=act.feed, capture_output=True, text=True, check=False, timeout=ACT_PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FirstBootError(f"`{shown}` gave no answer: {error}; {_AGAIN}") from error
    if done.returncode not in act.good:
        said = " ".join((done.stderr or done.stdout).split()) or f"exit code {done.returncode}"
        raise FirstBootError(f"`{shown}` failed: {said}; {_AGAIN}")
    return done.stdout


def _learn(name: str, options: Options) -> str:
    show(
        f"Unplug the USB plug of the {name} if it is in. Then plug it into the socket that it is to keep.\n"
        "This waits for two minutes."
    )
    return learn_socket(lambda: find_lines(options.paths), ask_udev, options.pause, checks=PLUG_CHECKS)


def _set_up(options: Options, answers: Path) -> None:
    """Makes the set-up; what it prints goes to the log, because the screen has one sentence at a time."""
    with redirect_stdout(sys.stderr):
        set_up(replace(options, answers=answers, yes=True))
