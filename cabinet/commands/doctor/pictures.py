"""What the doctor finds of the pictures: whether every file is there and can be drawn."""

from pathlib import Path

from cabinet.commands.doctor.findings import Finding, bad, good
from cabinet.text.shipped import assets_folder


def find_pictures(folder: Path | None = None) -> Finding:
    """Reads every picture in `folder` (normally that of the program), then draws every card, large and small."""
    todo = "install the program again: the pictures belong to it"
    try:
        from cabinet.ui.art import cards, pictures
        from cabinet.ui.shapes import SMALL_CARD_PX
    except ImportError as error:
        return bad("Pictures", str(error), todo)
    place = folder or assets_folder()
    try:
        for name in pictures.names(place):
            pictures.read(name, place)
        for card in range(52):
            for height_px in (SMALL_CARD_PX // 2, SMALL_CARD_PX):
                cards.card_face(card % 13, card // 13, height_px)
    except pictures.PictureError as error:
        return bad("Pictures", str(error), todo)
    return good("Pictures", f"all pictures in {place} can be drawn")
