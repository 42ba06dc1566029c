"""The drawing of where to look: the cabinet from the front with a place marked, and the place in words beside it.

Rules: the picture keeps its proportions and is never without its words. The drawing has one coordinate system for the
cabinet and every mark.
"""

from typing import Final

import pygame

from cabinet.attendant.charts import Drawing, Place
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.pictures import drawing, read, rendered
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, Sheet

CABINET: Final = "attendant/cabinet"
TITLE_PX: Final = 21.0
"""Heights of type and lengths, in design units."""
WORDS_PX: Final = 30.0
PAD: Final = 16.0


def cabinet_with(place: Place, size: tuple[int, int]) -> pygame.Surface:
    """Returns the cabinet with a place marked, at a size in pixels."""
    marked = drawing(CABINET) + drawing(f"attendant/at-{place.value}")
    return rendered(marked, size, read(CABINET).box)


def put_drawing(sheet: Sheet, what: Drawing, room: Rect, unit: float) -> None:
    """Paints the picture at the left of a room and its words at the right, on a ground of their own."""
    pad = round(PAD * unit)
    _, _, wide, high = read(CABINET).box
    picture_h = room.h - 2 * pad
    size = (round(picture_h * wide / high), picture_h)
    sheet.put(piece(shade, (room.w, room.h), palette.FIGURE_GROUND), room.x, room.y)
    sheet.put(piece(cabinet_with, what.place, size), room.x + pad, room.y + pad)
    left = room.x + size[0] + 3 * pad
    title_h = round(TITLE_PX * 1.4 * unit)
    middle = room.y + room.h // 2
    title = Rect(left, middle - title_h, room.right - pad - left, title_h)
    sheet.words(Role.TEXT, round(TITLE_PX * unit), what.title, title, across=LEFT, colour=palette.BRASS_LIGHT)
    words = Rect(left, middle, title.w, room.bottom - pad - middle)
    sheet.paragraphs(Role.TEXT_BOLD, round(WORDS_PX * unit), (what.words,), words, across=LEFT, down=0.0)
