"""`cabinet autoplay` and `cabinet screens`: commands that paint without a display."""

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cabinet.commands import autoplay
from cabinet.config.settings import Config, load
from cabinet.engine.money import plain_amount as money
from cabinet.presentation.snapshot import Snapshot
from cabinet.report.value import Report, Section, Span, Tone
from cabinet.runtime.build import build
from cabinet.window.machine_info import machine_info

if TYPE_CHECKING:
    from cabinet.text.messages import Language


def run_autoplay(data: Path, config_path: Path | None, *, rounds: int, screens: Path) -> Report:
    """Lets a simulated cabinet play by itself. The report is ok only when every account balances."""
    _without_display()
    from cabinet.commands.autoplay import play
    from cabinet.report.progress import progress

    config = load(config_path)
    album = _Album(config, data, screens)
    cabinet = build(config, data, simulate=True, human_pace=False)
    with progress("Playing", total=rounds) as update:
        run = play(cabinet, data, rounds=rounds, look=album.add, progress=lambda done: update(completed=done))
    run.screens = [str(path) for path in album.written]
    return _run_report(run, data, screens)


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


def _run_report(run: autoplay.Report, data: Path, screens: Path) -> Report:
    """Returns what a run did, in words and figures."""
    from cabinet.commands.journal import meters_report, read_meters, verdict_report

    verdict = verdict_report(run.verdict, data).sections if run.verdict is not None else ()
    wrong = Span(text="The accounts do not balance.", tone=Tone.BAD)
    moved = f"{money(run.inserted)} put in, {money(run.wagered)} staked, {money(run.paid)} paid"
    played = Section(
        blocks=(
            f"Played {run.rounds} rounds: {moved}.",
            f"Ticket:   {run.ticket or 'none: there was no credit left'}",
            f"Pictures: {screens} ({len(run.screens)})",
        )
    )
    balance = Section(blocks=("Every account balances." if run.balanced else wrong,))
    sections = (*meters_report(read_meters(data)).sections, played, *verdict, balance)
    return Report(data=run.as_json(), sections=sections, ok=run.balanced)


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

    from cabinet.commands.screens import SIZES, write_screens
    from cabinet.report.progress import progress

    spoken = _spoken(language)
    wanted = tuple(_size(text) for text in sizes) or SIZES
    try:
        with progress("Painting") as update:
            report = (lambda name: update(description=name)) if sys.stderr.isatty() else report_folders()
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


def report_folders() -> Callable[[str], None]:
    """Returns the progress where no line can be written over: one line for each folder."""
    import click

    said: set[str] = set()

    def report(name: str) -> None:
        folder = str(Path(name).parent)
        if folder not in said:
            said.add(folder)
            click.echo(f"Painting {folder}", err=True)

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
