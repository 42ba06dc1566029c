"""Writes a picture of every state of the screen at every size, for a visual check.

Rules: the states are those of the gallery, the returns and charts those of the games as delivered; one contact sheet
has all states at the first size, another has a dozen. The module does not judge the pictures.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from cabinet.config.settings import Config
from cabinet.report.progress import progress
from cabinet.text.messages import ENGLISH, LANGUAGES, Language
from cabinet.tools.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.paint.still import Camera, contact_sheet, save_picture, thumbnail, without_display
from cabinet.ui.ui_state import MachineInfo
from cabinet.window.machine_info import machine_info

SIZES: Final = ((1920, 1080), (1280, 720), (1280, 1024), (3840, 2160))
"""Every size for which the cabinet is drawn."""
CONTACT_SHEET: Final = "contact-sheet.png"
SHOWN: Final = (
    "attract-welcome",
    "choice",
    "betting",
    "deciding",
    "split-four",
    "results",
    "classic-win",
    "eleven-cards",
    "insurance",
    "help-chart",
    "take-ticket",
    "lock-main-door",
)
"""A dozen states that show the whole product."""
SHOWN_SIZE: Final = (1280, 720)
SHOWN_COLUMNS: Final = 3
LARGEST_SIDE: Final = 7_680
"""Pixels; no display of a cabinet is larger."""


def write_contact_sheet(path: Path, language: Language = ENGLISH) -> None:
    """Writes one picture of a dozen states. Raises OSError when it cannot be written."""
    camera, facts = Camera(SHOWN_SIZE), _facts(path.parent, language)
    thumbs = ((name, thumbnail(camera.take(screen_of(gallery()[name], facts)))) for name in SHOWN)
    save_picture(contact_sheet(thumbs, SHOWN_COLUMNS), path)


def _facts(folder: Path, language: Language) -> MachineInfo:
    return replace(machine_info(Config(), folder), helpline=SAMPLE_FACTS.helpline, language=language)


def write_screens(
    folder: Path,
    sizes: Sequence[tuple[int, int]] = SIZES,
    written_next: Callable[[str], None] = lambda _: None,
    names: Sequence[str] = (),
    language: Language = ENGLISH,
) -> list[Path]:
    """Writes `folder/WIDTHxHEIGHT/state.png` for each size and state, and a contact sheet. Returns the written files.

    `names` chooses states (all without), `language` is the player's; `written_next` receives each file before it is
    written. Raises OSError when a file cannot be written, KeyError for a state that does not exist.
    """
    states = gallery()
    facts = _facts(folder, language)
    chosen = tuple(names) or tuple(states)
    written: list[Path] = []
    thumbs = []
    for size in sizes:
        camera = Camera(size)
        place = folder / f"{size[0]}x{size[1]}"
        place.mkdir(parents=True, exist_ok=True)
        for name in chosen:
            path = place / f"{name}.png"
            written_next(str(path))
            picture = camera.take(screen_of(states[name], facts))
            save_picture(picture, path)
            written.append(path)
            if size == sizes[0]:
                thumbs.append((name, thumbnail(picture)))
    if thumbs:
        save_picture(contact_sheet(thumbs), folder / CONTACT_SHEET)
        written.append(folder / CONTACT_SHEET)
    return written


# --- the command ---


def run_contact_sheet(path: Path, language: str = "en") -> int:
    """Writes one picture of a dozen states; returns the exit code."""
    without_display()
    spoken = _spoken(language)
    try:
        write_contact_sheet(path, spoken)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error
    click.echo(path)
    return 0


def run_screens(folder: Path, sizes: tuple[str, ...], language: str = "en") -> int:
    """Writes a picture of every state; returns the exit code."""
    without_display()
    spoken = _spoken(language)
    wanted = tuple(_size(text) for text in sizes) or SIZES
    try:
        with progress("Painting") as update:
            report = (lambda name: update(description=name)) if sys.stderr.isatty() else report_folders()
            written = write_screens(folder, wanted, report, language=spoken)
    except OSError as error:
        raise click.ClickException(f"{folder}: cannot be written: {error.strerror}") from error
    click.echo(f"{len(written)} pictures in {folder}")
    return 0


def _spoken(code: str) -> Language:
    """Returns the language of a code. Raises BadParameter for an unknown one."""
    if code not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise click.BadParameter(
            f"{code!r} is not a language of the screens; expected one of {known}", param_hint="--language"
        )
    return LANGUAGES[code]


def report_folders() -> Callable[[str], None]:
    """Returns the progress for an output in which no line can be overwritten: one line for each folder."""
    said: set[str] = set()

    def report(name: str) -> None:
        folder = str(Path(name).parent)
        if folder not in said:
            said.add(folder)
            click.echo(f"Painting {folder}", err=True)

    return report


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a size; expected something like 1920x1080", param_hint="--size")
    width, height = int(found[1]), int(found[2])
    if max(width, height) > LARGEST_SIDE:
        raise click.BadParameter(f"{text!r} is too large; expected at most {LARGEST_SIDE} a side", param_hint="--size")
    return width, height
