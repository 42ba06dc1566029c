"""Writes a picture of every state of the screen at every size, to be looked at.

Rules: the states are those of the gallery, the returns and charts those of the games as delivered; one contact sheet
shows all of them at the first size. Does not judge what it draws.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from cabinet.config import Config
from cabinet.facts import cabinet_facts
from cabinet.ui.gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.messages import ENGLISH, Language
from cabinet.ui.paint.still import Camera, contact_sheet, save_picture, thumbnail

SIZES: Final = ((1920, 1080), (1280, 720), (1280, 1024), (3840, 2160))
"""Every size the cabinet is drawn for."""
CONTACT_SHEET: Final = "contact-sheet.png"


def write_screens(
    folder: Path,
    sizes: Sequence[tuple[int, int]] = SIZES,
    progress: Callable[[str], None] = lambda _: None,
    names: Sequence[str] = (),
    language: Language = ENGLISH,
) -> list[Path]:
    """Write `folder/WIDTHxHEIGHT/state.png` for each size and state, and a contact sheet; returns what was written.

    `names` chooses states (all without), `language` the player's; `progress` is told each file before it is written.
    Raises OSError when a file cannot be written, KeyError for a state that does not exist.
    """
    states = gallery()
    facts = replace(cabinet_facts(Config(), folder), helpline=SAMPLE_FACTS.helpline, language=language)
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
