"""Pictures by an artist: the SVG files in `assets/`, found, composed and rendered to pixels.

Rules: a picture has the name of its file below `assets/`, without the ending ("cards/hearts"). A drawing is SVG text;
drawings are placed over one another and rendered once, at the pixel size asked for. SDL renders paths, basic shapes,
groups, transforms and gradients. No file uses what SDL ignores (clip paths, masks, `use`, text), and none has a style
sheet, which would apply to the other drawings too. A colour is `#rrggbb` in the file and is replaced there. A missing
or damaged file raises `PictureError`.

Does not know the contents of a picture, and keeps no pixels.
"""

import io
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.parsers import expat

import pygame

from cabinet.text.shipped import assets_folder
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.tally import DRAWN

Box = tuple[float, float, float, float]
"""Left, top, width and height in a drawing's own units."""

FOLDER: Final = assets_folder()

_NUMBER: Final = r"\s*(-?[\d.]+)\s*"
_WHOLE: Final = re.compile(rf"<svg\b[^>]*?\bviewBox=\"{_NUMBER * 4}\"[^>]*>(.*)</svg>\s*\Z", re.DOTALL)
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}\b")


class PictureError(Exception):
    """A picture cannot be used. The message names its file, or the feature that SDL lacks."""


class Picture(NamedTuple):
    """A file's drawing and its visible box."""

    drawing: str
    box: Box


@lru_cache(maxsize=128)
def read(name: str, folder: Path = FOLDER) -> Picture:
    """Returns the picture of a name. Raises `PictureError` when its file is missing or is not a whole SVG file."""
    file = folder / f"{name}.svg"
    try:
        text = file.read_text(encoding="utf-8")
        expat.ParserCreate().Parse(text, True)
    except FileNotFoundError:
        raise PictureError(f"the picture {file} is missing") from None
    except (OSError, UnicodeDecodeError, expat.ExpatError) as error:
        raise PictureError(f"the picture {file} cannot be read ({error})") from error
    found = _WHOLE.search(text)
    if found is None:
        raise PictureError(f"the picture {file} is damaged (no svg element with a viewBox)")
    left, top, width, height = map(float, found.groups()[:4])
    return Picture(found[5], (left, top, width, height))


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """Returns the names of all pictures."""
    return tuple(sorted(file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.svg")))


def drawing(name: str, *, at: tuple[float, float] = (0, 0), scale: float = 1, turned: bool = False) -> str:
    """Returns a picture's drawing with its origin at `at`, `scale` times as large, rotated by half a turn if
    `turned`."""
    turn = " rotate(180)" if turned else ""
    return f'<g transform="translate({at[0]} {at[1]}){turn} scale({scale})">{read(name).drawing}</g>'


def in_one_colour(text: str, colour: Colour) -> str:
    """Returns a drawing with every colour replaced by one."""
    return _COLOUR.sub(_written(colour), text)


def recoloured(text: str, colours: Mapping[Colour, Colour]) -> str:
    """Returns a drawing with some of its colours replaced, all at once."""
    new = {_written(old): _written(colour) for old, colour in colours.items()}
    return _COLOUR.sub(lambda found: new.get(found[0].lower(), found[0]), text)


def rendered(text: str, size: tuple[int, int], box: Box) -> pygame.Surface:
    """Returns the part of a drawing within `box`, on a clear surface of `size` pixels (at least one each way).

    Raises `PictureError` where SDL cannot render SVG.
    """
    DRAWN.count += 1
    left, top, width, height = box
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="{left} {top} {width} {height}" preserveAspectRatio="none">{text}</svg>'
    )
    try:
        return pygame.image.load(io.BytesIO(whole.encode()), "drawing.svg")
    except pygame.error as error:
        raise PictureError(f"SDL cannot render a drawing ({error})") from error


def _written(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
