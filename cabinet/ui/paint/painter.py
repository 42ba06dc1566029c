"""Keeps a surface equal to the newest Screen and paints only the differences.

Rules: two Screens are compared as lists of blits. Where they differ the surface is painted anew, from the topmost
opaque ground on, and nowhere else; equal Screens cost a comparison. Only the painter may draw on its surface (call
`forget` after any other drawing). Does not flip, wait, or know the time.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import pygame

from cabinet.ui.art.fonts import letter
from cabinet.ui.art.tally import DRAWN
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets, budget_for
from cabinet.ui.paint.compose import NOTHING, Composed, Composer
from cabinet.ui.paint.pieces import Section
from cabinet.ui.paint.warm import assets_to_prepare, types_to_prepare
from cabinet.ui.view import Scene, Screen

REGION_PX: Final = 12_000
"""The cost of a separate region, in pixels painted."""
NEAR_PX: Final = 24
"""Regions further apart are not joined."""
DRAWN_A_CALL: Final = 3
"""Pieces drawn in one call of `warm_up`."""
Kind = tuple[str, bool, bool, bool]
WHOLE_SHARE: Final = 0.7
"""A share of the surface above which all of it is painted."""


class Plan(NamedTuple):
    """How to bring a surface to a screen: only the painting is left to do."""

    screen: Screen
    before: Composed
    """The surface's present contents; the plan is only valid for these."""
    composed: Composed
    regions: list[pygame.Rect]
    """The regions that change."""
    draws: list[list[tuple[pygame.Surface, tuple[int, int]]]]
    """The blits of each region, from the topmost opaque ground on."""


class Painter:
    """Paints Screens on surfaces of one size."""

    def __init__(self, size: tuple[int, int], *, budget_bytes: int | None = None) -> None:
        self.size = size
        self.assets = Assets(budget_for(size) if budget_bytes is None else budget_bytes)
        self._composer = Composer(self.assets)
        self._screen: Screen | None = None
        self._painted = NOTHING
        self._todo: tuple[Kind, Iterator[None]] | None = None
        self._prepared: set[Kind] = set()

    @property
    def is_behind(self) -> bool:
        """True when texts or dark buttons of the newest screen were deferred to the next frame."""
        return bool(self._painted.behind)

    def paint(self, surface: pygame.Surface, screen: Screen, *, at_once: bool = True) -> list[pygame.Rect]:
        """Paints the screen on the surface. Returns the regions that changed; none without a change.

        Without `at_once`, texts that change together with many other parts follow with the next call (`is_behind`).
        """
        self.assets.aim_at(surface)
        return self.carry_out(surface, self.plan(screen, at_once=at_once))

    def plan(self, screen: Screen, *, at_once: bool = True) -> Plan:
        """Returns the plan that brings the surface, as painted last, to a screen; paints nothing."""
        before = self._painted
        if screen == self._screen and not self.is_behind:
            return Plan(screen=screen, before=before, composed=before, regions=[], draws=[])
        composed = self._composer.compose(screen, layout(self.size, screen), before, at_once=at_once)
        regions = _regions(_changed(before.sections, composed.sections), self.size)
        bounds = [section.bounds for section in composed.sections]
        draws = [_draws_in(region, composed.sections, bounds) for region in regions]
        return Plan(screen=screen, before=before, composed=composed, regions=regions, draws=draws)

    def carry_out(self, surface: pygame.Surface, plan: Plan) -> list[pygame.Rect]:
        """Paints a plan; if the surface has other contents than the plan expects, makes the plan again. Returns the
        regions that changed."""
        if plan.before is not self._painted:
            return self.paint(surface, plan.screen, at_once=False)
        self._screen, self._painted = plan.screen, plan.composed
        for region, draws in zip(plan.regions, plan.draws, strict=True):
            surface.set_clip(region)
            surface.blits(draws, doreturn=False)
        surface.set_clip(None)
        return plan.regions

    def forget(self) -> None:
        """Forgets the surface's contents (a new window): the next screen is painted as a whole."""
        self._screen, self._painted = None, Composed()

    def warm_up(self, screen: Screen) -> bool:
        """Prepares some more assets for play at this table; returns False when all are prepared. A call takes at most
        some 50 ms, mostly far less."""
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
        """Returns True when all assets for play at this table are prepared."""
        return _kind_of(screen) in self._prepared

    def _preparations(self, screen: Screen) -> Iterator[None]:
        """Yields after each asset, which is made when it is asked for."""
        for type_ in dict.fromkeys(types_to_prepare(self.size, screen)):
            for sign in type_.signs:
                letter(type_.role, type_.px, sign)
                yield
        for asset in assets_to_prepare(self.size, screen):
            self.assets.pin(asset)
            yield


def _draws_in(
    region: pygame.Rect, sections: Sequence[Section], bounds: list[pygame.Rect]
) -> list[tuple[pygame.Surface, tuple[int, int]]]:
    """Returns the blits of a region, from the topmost opaque ground on."""
    shown: list[tuple[pygame.Surface, tuple[int, int]]] = []
    for number in reversed(region.collidelistall(bounds)):
        draws, hides = sections[number].draws_in(region)
        shown[:0] = draws
        if hides:
            break
    return shown


def _kind_of(screen: Screen) -> Kind:
    """Returns a key of everything that decides the assets for play at a screen."""
    return (screen.felt, screen.table is not None, screen.scene is Scene.AUDIT, screen.four_colour)


def _changed(old: Sequence[Section], new: Sequence[Section]) -> Iterator[pygame.Rect]:
    """Yields the rectangles of blits that are new, gone, or in another order."""
    before = {section.name: section for section in old}
    for section in new:
        was = before.pop(section.name, None)
        if was is None:
            yield from section.everything()
        elif was is not section:
            yield from section.differing(was)
    for section in before.values():
        yield from section.everything()


def _regions(rects: Iterable[pygame.Rect], size: tuple[int, int]) -> list[pygame.Rect]:
    """Returns the rectangles on the surface, two joined where that paints less; or the whole surface.

    Regions may overlap: what is in two of them is painted twice, each time from the ground up.
    """
    whole = pygame.Rect((0, 0), size)
    regions: list[pygame.Rect] = []
    # Large ones first: they contain most of the others.
    for rect in sorted((rect.clip(whole) for rect in rects), key=_area, reverse=True):
        met = rect.collidelist(regions)
        if not _area(rect) or (met >= 0 and regions[met].contains(rect)):
            continue
        grown = rect
        while (near := _worth_joining(grown, regions)) is not None:
            grown = grown.union(regions.pop(near))
        regions.append(grown)
    if sum(map(_area, regions)) > WHOLE_SHARE * size[0] * size[1]:
        return [whole]
    return regions


def _area(rect: pygame.Rect) -> int:
    return rect.w * rect.h


def _worth_joining(rect: pygame.Rect, regions: Sequence[pygame.Rect]) -> int | None:
    """Returns the index of a near region that costs less when it is painted together with this one; None without
    one."""
    area = rect.w * rect.h
    for number in rect.inflate(2 * NEAR_PX, 2 * NEAR_PX).collidelistall(regions):
        other = regions[number]
        both = rect.union(other)
        if both.w * both.h <= area + other.w * other.h + REGION_PX:
            return number
    return None
