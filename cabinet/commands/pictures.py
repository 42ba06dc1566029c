"""`cabinet autoplay`: plays, takes pictures of what was on the screen, and reports what it did."""

import time
from pathlib import Path

from cabinet.commands import autoplay
from cabinet.config.settings import Config, load
from cabinet.engine.money import plain_amount as money
from cabinet.presentation.snapshot import Snapshot
from cabinet.report.value import Report, Section, Span, Tone
from cabinet.runtime.build import build
from cabinet.window.machine_info import machine_info


def run_autoplay(data: Path, config_path: Path | None, *, rounds: int, screens: Path) -> Report:
    """Lets a simulated cabinet play by itself. The report is ok only when every account balances."""
    from cabinet.commands.autoplay import PLAYED_ALONE, play, refuse_books_of_players
    from cabinet.report.progress import progress
    from cabinet.ui.paint.still import without_display

    without_display()

    config = load(config_path)
    refuse_books_of_players(data)
    album = _Album(config, data, screens)
    cabinet = build(config, data, simulate=True, human_pace=False)
    if not cabinet.journal.seq:
        cabinet.journal.remember(PLAYED_ALONE, "yes")
    with progress("Playing", total=rounds) as update:
        run = play(cabinet, data, rounds=rounds, show=album.add, progress=lambda done: update(completed=done))
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


ANIMATION_S = 30.0
"""Longer than any animation, in seconds: pictures show its end."""


def _run_report(run: autoplay.Report, data: Path, screens: Path) -> Report:
    """Returns what a run did, in words and figures."""
    from cabinet.commands.journal import read_meters, verdict_report
    from cabinet.commands.reader_reports import meters_report

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
