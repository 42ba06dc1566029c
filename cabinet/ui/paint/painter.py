"""Keeps a surface equal to the newest Screen and touches only what is different.

Rules: two Screens are compared as lists of blits; where they differ the surface is painted anew from the ground up,
nowhere else; equal Screens cost a comparison. The painter must be the only one to draw on its surface (`forget` after
anybody else did). Does not flip, wait, or know the time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import pygame

from cabinet.ui.art.fonts import letter
from cabinet.ui.art.tally import DRAWN
from cabinet.ui.layout import layout
from cabinet.ui.paint.assets import Assets, budget_for
from cabinet.ui.paint.compose import Composer, Section
from cabinet.ui.paint.pieces import Blit
from cabinet.ui.paint.warm import assets_to_prepare, types_to_prepare
from cabinet.ui.view import Scene, Screen

REGION_PX: Final = 4_000
"""What a region of its own costs, in pixels painted."""
DRAWN_A_CALL: Final = 3
"""How much is drawn in one call of `warm_up`."""
Kind = tuple[str, bool, bool, bool]
WHOLE_SHARE: Final = 0.7
"""A share of the surface above which it is painted as a whole."""


class Painter:
    """Paints Screens on surfaces of one size."""

    def __init__(self, size: tuple[int, int], *, budget_bytes: int | None = None) -> None:
        self.size = size
        self.assets = Assets(budget_for(size) if budget_bytes is None else budget_bytes)
        self._composer = Composer(self.assets)
        self._screen: Screen | None = None
        self._sections: tuple[Section, ...] = ()
        self._todo: tuple[Kind, Iterator[None]] | None = None
        self._prepared: set[Kind] = set()

    def paint(self, surface: pygame.Surface, screen: Screen) -> list[pygame.Rect]:
        """Make the surface show the screen. Returns the regions that changed; none when nothing did."""
        if screen == self._screen:
            return []
        sections = self._composer.sections(screen, layout(self.size, screen))
        regions = _regions(_changed(self._sections, sections), self.size)
        blits = [blit for section in sections for blit in section]
        boxes = [(blit.x, blit.y, blit.w, blit.h) for blit in blits]
        for region in regions:
            self._paint_region(surface, [blits[n] for n in region.collidelistall(boxes)], region)
        self._screen, self._sections = screen, sections
        return regions

    def forget(self) -> None:
        """The surface is not what it was (a new window): the next screen is painted as a whole."""
        self._screen, self._sections = None, ()

    def warm_up(self, screen: Screen) -> bool:
        """Prepare a little more of what play at this table may need; False when all is prepared. Takes up to some 50 ms
        a call, mostly far less."""
        if self.is_warm(screen):
            return False
        kind = _kind_of(screen)
        if self._todo is None or self._todo[0] != kind:
            self._todo = (kind, self._preparations(screen))
        made = DRAWN.count
        for _ in self._todo[1]:
            if DRAWN.count - made >= DRAWN_A_CALL:
                return True
        self._prepared.add(kind)
        return DRAWN.count > made

    def is_warm(self, screen: Screen) -> bool:
        """True when everything is prepared that play at this table may need."""
        return _kind_of(screen) in self._prepared

    def _preparations(self, screen: Screen) -> Iterator[None]:
        """One thing after another, made as it is asked for."""
        for type_ in dict.fromkeys(types_to_prepare(self.size, screen)):
            for sign in type_.signs:
                letter(type_.role, type_.px, sign)
                yield
        for asset in assets_to_prepare(self.size, screen):
            self.assets.pin(asset)
            yield

    def _paint_region(self, surface: pygame.Surface, blits: Sequence[Blit], region: pygame.Rect) -> None:
        surface.set_clip(region)
        surface.blits([(self.assets.get(blit.asset), (blit.x, blit.y)) for blit in blits], doreturn=False)
        surface.set_clip(None)


def _kind_of(screen: Screen) -> Kind:
    """What decides which assets play at a screen may need."""
    return (screen.felt, screen.table is not None, screen.scene is Scene.AUDIT, screen.four_colour)


def _changed(old: Sequence[Section], new: Sequence[Section]) -> list[pygame.Rect]:
    """The rectangles of blits that came, went, or lie in another order than before."""
    kept = {id(section) for section in old} & {id(section) for section in new}
    was = [blit for section in old if id(section) not in kept for blit in section]
    now = [blit for section in new if id(section) not in kept for blit in section]
    before, after = Counter(was), Counter(now)
    different = {blit for blit in before.keys() | after.keys() if before[blit] != after[blit]}
    stayed = ([b for b in was if b not in different], [b for b in now if b not in different])
    reordered = [blit for pair in zip(*stayed, strict=True) if pair[0] != pair[1] for blit in pair]
    return [pygame.Rect(blit.x, blit.y, blit.w, blit.h) for blit in (*different, *reordered)]


def _regions(rects: Iterable[pygame.Rect], size: tuple[int, int]) -> list[pygame.Rect]:
    """The rectangles on the surface, two made one where that paints less; or the whole surface.

    Regions may overlap: what lies in two of them is painted twice, each time from the ground up.
    """
    whole = pygame.Rect((0, 0), size)
    regions: list[pygame.Rect] = []
    for rect in rects:
        grown = rect.clip(whole)
        if not grown.w or not grown.h:
            continue
        while (near := _worth_joining(grown, regions)) is not None:
            grown = grown.union(regions.pop(near))
        regions.append(grown)
    if sum(region.w * region.h for region in regions) > WHOLE_SHARE * size[0] * size[1]:
        return [whole]
    return regions


def _worth_joining(rect: pygame.Rect, regions: Sequence[pygame.Rect]) -> int | None:
    """The first region that is painted with this one for less than both cost apart."""
    area = rect.w * rect.h
    for number, other in enumerate(regions):
        both = rect.union(other)
        if both.w * both.h <= area + other.w * other.h + REGION_PX:
            return number
    return None
