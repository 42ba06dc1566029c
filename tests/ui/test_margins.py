"""No text or button comes near the inner border of its frame: every panel, every question, the games' cards and the
plate on the felt, in every language, at every size."""

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest
from support.blits import composed, ink_of, pieces_of
from support.display import open_display
from support.pseudo import spoken
from support.tables import SIZES

from cabinet.text.messages import LANGUAGES
from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.art.buttons import panel_border
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.panels import BORDER
from cabinet.ui.layout.screen import Layout, layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.grounds import DIALOG_RATIO, dialog
from cabinet.ui.paint.lettering import amount, line
from cabinet.ui.paint.pieces import Asset, Blit
from cabinet.ui.ui_state import MachineInfo
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

CLEAR = 7.0
"""Free space inside the border, in design units: at 1280 x 720 nearly five pixels."""
PRESSED = frozenset({Kind.OVERLAY_BUTTON, Kind.QUESTION_BUTTON})
HELPLINE = (
    "Glücksspiel kann süchtig machen. Beratung anonym und kostenlos: 0800 1 37 27 00 – www.check-dein-spiel.de "
    "– jederzeit da"
)
"""As long as an operator may write one."""
CARD_BORDER = 0.04
"""The distance of the inner border of a game's card, as a share of its lesser side."""
PLATE_BORDER = 1 / 18
"""The same for the plate on the felt."""


class WordsOnly(Assets):
    """Texts as they are; everything else as small as possible, since its size is not needed."""

    def get(self, asset: Asset) -> pygame.Surface:
        if any(piece.make in {line, amount} for piece in pieces_of(asset)):
            return super().get(asset)
        return pygame.Surface((1, 1))


def frames(where: Layout, screen: Screen) -> Iterator[tuple[Rect, float]]:
    """Yields everything with an inner border on a screen, and the border's distance from its edge; of two the upper
    one."""
    dialogs = [slot for slot in (Slot(Kind.OVERLAY), Slot(Kind.QUESTION)) if where.has(slot.kind)]
    if dialogs:
        box = where.rect(dialogs[0])
        yield box, panel_border((box.w, round(box.w * DIALOG_RATIO)))
        return
    if screen.choice is not None:
        for nth in range(len(screen.choice.games)):
            box = where.rect(Slot(Kind.GAME, nth=nth))
            yield box, min(box.w, box.h) * CARD_BORDER
    if screen.table is not None and screen.table.plate:
        box = where.rect(Slot(Kind.PLATE))
        yield box, box.h * PLATE_BORDER


def too_near(screen: Screen, size: tuple[int, int], assets: Assets) -> list[tuple[object, Rect]]:
    """Returns the contents of a frame that enter its margin, and where."""
    where = layout(size, screen)
    blits = composed(screen, size, assets)
    found: list[tuple[object, Rect]] = []
    for box, border in frames(where, screen):
        keep = border + CLEAR * where.unit
        inner = Rect(round(box.x + keep), round(box.y + keep), round(box.w - 2 * keep), round(box.h - 2 * keep))
        inks = [(blit.asset, ink_of(blit, assets)) for blit in _on_top(blits, box) if blit.w > 1]
        found += [(asset, ink) for asset, ink in inks if _middle_in(ink, box) and not ink.within(inner)]
        found += [(slot, rect) for slot, rect in where.rects.items() if slot.kind in PRESSED and not rect.within(inner)]
    return found


def _on_top(blits: tuple[Blit, ...], box: Rect) -> tuple[Blit, ...]:
    """Returns the blits after the ground of a dialog; all when the frame is none."""
    grounds = [number for number, blit in enumerate(blits) if blit.asset == dialog((box.w, box.h))]
    return blits[max(grounds, default=0) :]


def _middle_in(ink: Rect, box: Rect) -> bool:
    return ink.w > 0 and box.x < ink.x + ink.w / 2 < box.right and box.y < ink.y + ink.h / 2 < box.bottom


def hardest(facts: MachineInfo) -> MachineInfo:
    """Returns a cabinet with the longest texts possible."""
    return replace(facts, helpline=HELPLINE)


@pytest.mark.sample(5)
@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("tongue", LANGUAGES)
def test_contents_keep_away_from_the_border_of_their_panel(tongue: str, size: tuple[int, int]):
    open_display((64, 64))
    assets = WordsOnly(2**26)
    assert len(HELPLINE) == 120
    near: dict[str, list[tuple[object, Rect]]] = {}
    framed = 0
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit, hardest(spoken()[tongue]))
        if screen.scene is not Scene.AUDIT:
            framed += any(frames(layout(size, screen), screen))
            near |= {name: found} if (found := too_near(screen, size, assets)) else {}
    assert near == {}
    assert framed > 60


@pytest.mark.parametrize("width", [500, 573, 747, 1040, 1560, 2400])
def test_the_painted_border_matches_the_layout(width: int):
    assert panel_border((width, round(width * DIALOG_RATIO))) <= max(5.0, width * BORDER)
