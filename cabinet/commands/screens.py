"""Writes a picture of every state of the screen at every size, for a visual check.

Rules: the states are those of the gallery, the returns and charts those of the games as delivered; one contact sheet
shows all of them at the first size, another a dozen. Does not judge what it draws.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from cabinet.commands.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.config.settings import Config
from cabinet.text.messages import ENGLISH, Language
from cabinet.ui.paint.still import Camera, contact_sheet, save_picture, thumbnail
from cabinet.ui.ui_state import MachineInfo
from cabinet.window.machine_info import machine_info

SIZES: Final = ((1920, 1080), (1280, 720), (1280, 1024), (3840, 2160))
"""Every size the cabinet is drawn for."""
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
"""A dozen states that show what the cabinet is."""
SHOWN_SIZE: Final = (1280, 720)
SHOWN_COLUMNS: Final = 3


def write_contact_sheet(path: Path, language: Language = ENGLISH) -> None:
    """Write one picture of a dozen states. Raises OSError when it cannot be written."""
    camera, facts = Camera(SHOWN_SIZE), _facts(path.parent, language)
    thumbs = ((name, thumbnail(camera.take(screen_of(gallery()[name], facts)))) for name in SHOWN)
    save_picture(contact_sheet(thumbs, SHOWN_COLUMNS), path)


def _facts(folder: Path, language: Language) -> MachineInfo:
    return replace(machine_info(Config(), folder), helpline=SAMPLE_FACTS.helpline, language=language)


def write_screens(
    folder: Path,
    sizes: Sequence[tuple[int, int]] = SIZES,
    progress: Callable[[str], None] = lambda _: None,
    names: Sequence[str] = (),
    language: Language = ENGLISH,
) -> list[Path]:
    """Write `folder/WIDTHxHEIGHT/state.png` for each size and state, and a contact sheet; returns what was written.

    `names` chooses states (all without), `language` the player's; `progress` receives each file before its writing.
    Raises OSError when a file cannot be written, KeyError for a state that does not exist.
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
            progress(str(path))
            picture = camera.take(screen_of(states[name], facts))
            save_picture(picture, path)
            written.append(path)
            if size == sizes[0]:
                thumbs.append((name, thumbnail(picture)))
    if thumbs:
        save_picture(contact_sheet(thumbs), folder / CONTACT_SHEET)
        written.append(folder / CONTACT_SHEET)
    return written
