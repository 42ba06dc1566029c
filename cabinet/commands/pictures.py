"""`cabinet autoplay` and `cabinet screens`: commands that paint without a display."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabinet.commands.autoplay import Report
from cabinet.config.settings import Config, load
from cabinet.engine.money import plain_amount as money
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.build import build
from cabinet.window.machine_info import machine_info

if TYPE_CHECKING:
    from cabinet.text.messages import Language


def run_autoplay(data: Path, config_path: Path | None, *, rounds: int, screens: Path, as_json: bool) -> int:
    """Let a simulated cabinet play by itself; the exit code is 0 only when every account balances."""
    _without_display()
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from cabinet.commands.autoplay import play
    from cabinet.commands.journal import print_json

    config = load(config_path)
    console = Console(stderr=True)
    album = _Album(config, data, screens)
    cabinet = build(config, data, simulate=True, human_pace=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Playing", total=rounds)
        report = play(
            cabinet, data, rounds=rounds, look=album.add, progress=lambda done: progress.update(task, completed=done)
        )
    report.screens = [str(path) for path in album.written]
    if as_json:
        print_json(report.as_json())
    else:
        _show_report(report, data, screens)
    return 0 if report.balanced else 1


class _Album:
    """Takes a picture of what was on the screen, as the window would have painted it."""

    def __init__(self, config: Config, data: Path, folder: Path) -> None:
        """Pictures go into `folder`, one per name, numbered in order."""
        from cabinet.ui.paint.still import Camera

        self._settings = config.settings()
        self._facts = machine_info(config, data)
        self._folder = folder
        self._camera = Camera((1280, 720))
        self.written: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, snapshot: Snapshot) -> None:
        """Writes one picture, after the animation of the snapshot."""
        from datetime import UTC, datetime

        from cabinet.ui.paint.still import save_picture
        from cabinet.ui.presenter import present
        from cabinet.ui.ui_state import fresh_ui

        wall = datetime.now(tz=UTC).astimezone()
        facts = self._facts
        screen = present(snapshot, fresh_ui(facts), time.monotonic() + ANIMATION_S, wall, self._settings, facts)
        path = self._folder / f"{len(self.written) + 1:02d}-{name}.png"
        save_picture(self._camera.take(screen), path)
        self.written.append(path)


LARGEST_SIDE = 7_680
"""Pixels; no display of a cabinet is larger."""


ANIMATION_S = 30.0
"""Longer than any animation, in seconds: pictures show its end."""


def _show_report(report: Report, data: Path, screens: Path) -> None:
    """What a run did, in words and figures."""
    from rich.console import Console

    from cabinet.commands.journal import read_meters, show_meters, show_verdict

    console = Console(highlight=False)
    show_meters(read_meters(data), console)
    console.print(
        f"Played {report.rounds} rounds: {money(report.inserted)} put in, {money(report.wagered)} staked, "
        f"{money(report.paid)} paid."
    )
    console.print(f"Ticket:   {report.ticket or 'none: there was no credit left'}")
    console.print(f"Pictures: {screens} ({len(report.screens)})")
    if report.verdict is not None:
        show_verdict(report.verdict, data, console)
    console.print("Every account balances." if report.balanced else "[red]The accounts do not balance.[/red]")


def run_contact_sheet(path: Path, language: str = "en") -> int:
    """Write one picture of a dozen states; the exit code."""
    _without_display()
    import click

    from cabinet.commands.screens import write_contact_sheet

    spoken = _spoken(language)
    try:
        write_contact_sheet(path, spoken)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error
    print(path)  # noqa: T201 - the answer of the command
    return 0


def run_screens(folder: Path, sizes: tuple[str, ...], language: str = "en") -> int:
    """Write a picture of every state; the exit code."""
    _without_display()
    import click
    from rich.console import Console

    from cabinet.commands.screens import SIZES, write_screens

    spoken = _spoken(language)
    wanted = tuple(_size(text) for text in sizes) or SIZES
    console = Console(stderr=True)
    try:
        with console.status("Painting") as status:
            report = (
                (lambda name: status.update(f"Painting {name}")) if console.is_terminal else report_folders(console)
            )
            written = write_screens(folder, wanted, report, language=spoken)
    except OSError as error:
        raise click.ClickException(f"{folder}: cannot be written: {error.strerror}") from error
    print(f"{len(written)} pictures in {folder}")  # noqa: T201 - the answer of the command
    return 0


def _spoken(code: str) -> "Language":
    """The language of a code. Raises BadParameter for one that is not spoken."""
    import click

    from cabinet.text.messages import LANGUAGES

    if code not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise click.BadParameter(
            f"{code!r} is not a language of the screens; expected one of {known}", param_hint="--language"
        )
    return LANGUAGES[code]


def report_folders(console: Any) -> Callable[[str], None]:
    """Progress where no line can be written over: one line for each folder."""
    said: set[str] = set()

    def report(name: str) -> None:
        folder = str(Path(name).parent)
        if folder not in said:
            said.add(folder)
            console.print(f"Painting {folder}", soft_wrap=True)

    return report


def _size(text: str) -> tuple[int, int]:
    import click

    found = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a size; expected something like 1920x1080", param_hint="--size")
    width, height = int(found[1]), int(found[2])
    if max(width, height) > LARGEST_SIDE:
        raise click.BadParameter(f"{text!r} is too large; expected at most {LARGEST_SIDE} a side", param_hint="--size")
    return width, height


def _without_display() -> None:
    """Pictures are painted without a display and without sound."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["SDL_AUDIODRIVER"] = "dummy"
