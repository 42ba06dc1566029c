"""`cabinet update`: the command line around an update of the program."""

import signal
import time
from contextlib import nullcontext, suppress
from pathlib import Path

import click

from cabinet.config.settings import Config, load
from cabinet.installation.durable import exact_modes
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths
from cabinet.installation.remount import writable
from cabinet.installation.root import check_below
from cabinet.installation.update import sequence
from cabinet.installation.update.environment import Outcome, Updater
from cabinet.installation.update.service import Service, Systemd
from cabinet.store.mounts import read_mounts
from cabinet.window.signals import deferred


def run_command(
    file: Path | None,
    back: bool,
    resume: bool,
    at_start: bool,
    dry_run: bool,
    root: Path,
    rehearse: Path | None,
    config_path: Path | None,
) -> int:
    """Runs the command line; returns the exit code. Raises click.UsageError."""
    if rehearse is not None:
        return run_rehearsal(load(config_path), rehearse)
    if (file is not None) + back + resume != 1:
        raise click.UsageError("Give one of FILE, --back and --resume")
    return run_update(file, root.absolute(), resume=resume, at_start=at_start, dry_run=dry_run)


def run_update(
    file: Path | None,
    root: Path,
    *,
    resume: bool,
    dry_run: bool,
    at_start: bool = False,
    service: Service | None = None,
) -> int:
    """Updates, goes back (`file` None) or ends an interrupted update; returns the exit code. `at_start` is True before
    a start of the service.

    A terminal that is lost does not stop an update in the middle.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    updater = Updater(
        paths=Paths(root=root),
        service=service or Systemd(),
        say=_say,
        now=time.monotonic,
        sleep=time.sleep,
        date=time.strftime("%Y%m%d-%H%M%S"),
        mounts=read_mounts() if root == Path("/") else "",
        undisturbed=deferred,
    )
    try:
        for place in (updater.paths.current, updater.paths.update / "record"):
            check_below(updater.paths, place)
        with exact_modes(), nullcontext() if dry_run else writable(updater.paths, _say):
            if resume:
                outcome = sequence.resume(updater, at_start=at_start)
            else:
                outcome = sequence.update(updater, file, dry_run=dry_run)
    except InstallationError as error:
        click.echo(f"cabinet: {error}", err=True)
        return Outcome.REFUSED.value
    return outcome.value


def _say(line: str) -> None:
    with suppress(OSError):
        click.echo(line)


def run_rehearsal(config: Config, data: Path) -> int:
    """Prints as JSON the result of a start on a copy of the books."""
    import msgspec

    from cabinet.commands.rehearsal import rehearse
    from cabinet.runtime.clock import read_wall_ms

    click.echo(msgspec.json.encode(rehearse(config, data, read_wall_ms())).decode())
    return 0
