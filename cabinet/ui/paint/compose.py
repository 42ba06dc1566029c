"""Composes a Screen and its layout into blits, in sections.

Rules: a section depends on its inputs alone. While these equal those of the last screen, the same section object is
used again, so an unchanged section costs one comparison. The order of the sections is the order of painting, and always
the same. Decides nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.motion import stances_of
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.audit import put_audit
from cabinet.ui.paint.bars import (
    put_amounts,
    put_chips,
    put_clock,
    put_legends,
    put_message,
    put_meters,
    put_top_bar,
    put_wood,
)
from cabinet.ui.paint.grounds import cloth
from cabinet.ui.paint.panels import put_attract, put_choice, put_overlay
from cabinet.ui.paint.pieces import Section, piece
from cabinet.ui.paint.sheet import Sheet
from cabinet.ui.paint.table import put_dealer, put_ground, put_hands, put_print, put_question, put_signs, put_sprites
from cabinet.ui.view import LegendView, Scene, Screen, TableView

PLACES: Final = range(16)
GROUNDS: Final = tuple(f"ground {number}" for number in PLACES)
HANDS: Final = tuple(f"hands {number}" for number in PLACES)
SIGNS: Final = tuple(f"signs {number}" for number in PLACES)
"""The names of each place's sections: below its cards, its cards and chips, above them."""

MUCH: Final = 4
"""New sections in a frame from which others are deferred to the next frame."""

Kept = tuple[object, Section]
"""The inputs of a section, and the section."""
PartsKey = tuple[str | int, ...]
Put = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A screen as sections; the next composition uses it to find the unchanged ones."""

    kept: Mapping[str, Kept] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    """All of them, from the ground up."""
    shape: PartsKey = ()
    behind: frozenset[str] = frozenset()
    """The deferred sections: they are the old ones, and follow with the next screen."""


NOTHING: Final = Composed()
"""Before the first composition."""


class Composer:
    """Composes one screen after another and reuses unchanged sections."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._before = NOTHING
        self._next: dict[str, Kept] = {}
        self._new = 0
        self._patient = False
        self._behind: frozenset[str] = frozenset()

    def compose(self, screen: Screen, where: Layout, before: Composed = NOTHING, *, at_once: bool = True) -> Composed:
        """Returns a screen that follows `before`. Without `at_once`, a frame with many new sections keeps some old ones
        for one frame (`Composed.behind`)."""
        shape = _shape_of(screen)
        self._before, self._next, self._behind = before, {}, frozenset()
        self._new, self._patient = 0, not at_once and shape == before.shape
        if screen.scene is Scene.AUDIT:
            if (page := screen.audit) is not None:
                if page.picture is not None:
                    self._keep("felt", screen.felt, _put_cloth, where, screen.felt)
                    self._compose_scene(screen, where)
                legends = screen.rail.legends
                self._keep("audit", (page, legends), put_audit, where, page, legends)
        else:
            self._keep("felt", screen.felt, _put_cloth, where, screen.felt)
            self._compose_scene(screen, where)
            self._compose_bars(screen, where)
            self._compose_above(screen, where)
        sections = tuple([section for _, section in self._next.values()])
        return Composed(kept=self._next, sections=sections, shape=shape, behind=self._behind)

    def _waits(self, name: str) -> bool:
        """Returns True when a section that may be deferred is deferred; never twice."""
        if not self._patient or self._new < MUCH or name in self._before.behind:
            return False
        self._behind |= {name}
        return True

    def _keep(
        self, name: str, inputs: object, put: Put, where: Layout, *args: Any, follows: bool = False, **options: Any
    ) -> None:
        """Adds a section: `inputs` is everything its blits depend on, besides the display's size; `put` paints them. A
        section that `follows` may be deferred for a frame."""
        known = self._before.kept.get(name)
        if known is not None and follows and known[0] != inputs and self._waits(name):
            self._next[name] = known
            return
        if known is None or known[0] != inputs:
            self._new += 1
            sheet = Sheet(self._assets)
            put(sheet, where, *args, **options)
            known = (inputs, Section(name, sheet.blits, sheet.surfaces))
        self._next[name] = known

    def _compose_scene(self, screen: Screen, where: Layout) -> None:
        if (table := screen.table) is not None:
            printed = (table.felt_lines, table.plate, table.question is None, table.alone)
            self._keep("print", printed, put_print, where, table)
            self._compose_table(where, table, four_colour=screen.four_colour)
            if (question := table.question) is not None:
                self._keep("question", (question, table.alone), put_question, where, question)
        if (choice := screen.choice) is not None and screen.scene is Scene.CHOICE:
            self._keep("choice", choice, put_choice, where, choice)
        if (attract := screen.attract) is not None and screen.scene is Scene.ATTRACT:
            beside, shown = screen.table is not None, "" if screen.table is None else screen.table.demonstration
            self._keep(
                "attract",
                (attract, beside, shown),
                put_attract,
                where,
                attract,
                with_table=beside,
                demonstration=shown,
            )

    def _compose_table(self, where: Layout, table: TableView, *, four_colour: bool) -> None:
        """Composes place by place, because the others stand still while one is dealt to: grounds, the dealer, hands,
        signs."""
        alone = table.alone
        known = [
            (place, (place, *stance, four_colour))
            for place, stance in zip(table.places, stances_of(bands_of(where.size), table.places), strict=True)
        ]
        for (place, inputs), name in zip(known, GROUNDS, strict=False):
            self._keep(name, inputs, put_ground, where, place, alone=alone)
        self._keep(
            "dealer", (table.dealer, alone, four_colour), put_dealer, where, table.dealer, four_colour=four_colour
        )
        for (place, inputs), name in zip(known, HANDS, strict=False):
            self._keep(name, inputs, put_hands, where, place, four_colour=four_colour)
        for (place, inputs), name in zip(known, SIGNS, strict=False):
            self._keep(name, inputs, put_signs, where, place, alone=alone)

    def _compose_bars(self, screen: Screen, where: Layout) -> None:
        top, rail = screen.top, screen.rail
        # The places of the bars' texts depend on their neighbours.
        self._keep("top", (top.title, top.limits, top.items, top.badge), put_top_bar, where, top, follows=True)
        self._keep("wood", None, put_wood, where)
        self._keep("chips", rail.chips, put_chips, where, rail.chips)
        said = (rail.message, rail.hint, len(rail.chips), len(rail.meters), rail.value_chars)
        self._keep("message", said, put_message, where, rail, follows=True)
        self._keep("legends", rail.legends, put_legends, where, rail.legends, follows=self._only_darkens(rail.legends))

    def _only_darkens(self, legends: tuple[LegendView, ...]) -> bool:
        """Returns True when no button is pressed, released or lit: a light that goes out may show a frame later."""
        known = self._before.kept.get("legends")
        before = known[0] if known is not None else ()
        return (
            isinstance(before, tuple)
            and len(before) == len(legends)
            and all(now.pressed == was.pressed and now.lit <= was.lit for was, now in zip(before, legends, strict=True))
        )

    def _compose_above(self, screen: Screen, where: Layout) -> None:
        """Composes the moving parts, and above them the parts that no overlay may cover: clock, amounts, fine line."""
        top, rail, footer, sprites = screen.top, screen.rail, screen.footer, screen.sprites
        if sprites:
            flying = (sprites, screen.table, screen.swept, screen.four_colour)
            self._keep("sprites", flying, put_sprites, where, sprites, four_colour=screen.four_colour)
        if (overlay := screen.overlay) is not None:
            self._keep("overlay", overlay, put_overlay, where, overlay)
        self._keep("clock", (top.clock, top.clock_on), put_clock, where, top)
        labels = (*[meter.label for meter in rail.meters], rail.value_chars, footer)
        self._keep("meters", labels, put_meters, where, rail, footer)
        amounts = (rail.meters, rail.celebrate, rail.value_chars)
        self._keep("amounts", amounts, put_amounts, where, rail)


def _shape_of(screen: Screen) -> PartsKey:
    """Returns a key of everything that decides which sections exist, and where the deferrable ones are."""
    rail = screen.rail
    return screen.scene.value, screen.felt, len(rail.chips), len(rail.meters), rail.value_chars, screen.overlay is None


def _put_cloth(sheet: Sheet, where: Layout, game_id: str) -> None:
    sheet.put(piece(cloth, where.size, game_id), 0, 0)
