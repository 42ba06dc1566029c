"""From a Screen and its layout to the list of blits that shows it, in sections.

Rules: what a section shows depends on its inputs alone; while these are equal to those of the screen before, the very
same blits are handed out again, so that an unchanged section costs a comparison and nothing more. The order of the
sections is the order of painting. Decides nothing.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import NamedTuple

from cabinet.ui.layout import Layout
from cabinet.ui.layout_bands import bands_of
from cabinet.ui.layout_hands import boxes_of
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.audit import put_audit
from cabinet.ui.paint.bars import put_chips, put_clock, put_legends, put_message, put_meters, put_top_bar, put_wood
from cabinet.ui.paint.decor import cloth
from cabinet.ui.paint.panels import put_attract, put_choice, put_overlay
from cabinet.ui.paint.pieces import Blit, piece
from cabinet.ui.paint.sheet import Sheet
from cabinet.ui.paint.table import put_dealer, put_ground, put_hands, put_print, put_question, put_signs, put_sprites
from cabinet.ui.view import Scene, Screen, TableView

Section = tuple[Blit, ...]


class Part(NamedTuple):
    """One section to be: its name, all that its blits depend on (besides the display's size), and what puts them."""

    name: str
    inputs: Hashable
    put: Callable[[Sheet], None]


class Composer:
    """Composes one screen after another, handing out unchanged sections again."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._last: dict[str, tuple[Hashable, Section]] = {}

    def sections(self, screen: Screen, where: Layout) -> tuple[Section, ...]:
        """All sections of a screen, from the ground up."""
        last, self._last = self._last, {}
        for part in _parts(screen, where):
            known = last.get(part.name)
            if known is None or known[0] != part.inputs:
                sheet = Sheet(self._assets)
                part.put(sheet)
                known = (part.inputs, tuple(sheet.blits))
            self._last[part.name] = known
        return tuple(section for _, section in self._last.values())


def compose(screen: Screen, where: Layout, assets: Assets) -> Section:
    """Everything on the screen as one list."""
    return tuple(blit for section in Composer(assets).sections(screen, where) for blit in section)


def _parts(screen: Screen, where: Layout) -> Iterator[Part]:
    if screen.scene is Scene.AUDIT:
        if (page := screen.audit) is not None:
            legends = screen.rail.legends
            yield Part("audit", (page, legends), lambda sheet: put_audit(sheet, where, page, legends))
        return
    ground = piece(cloth, where.size, screen.felt)
    yield Part("felt", screen.felt, lambda sheet: sheet.put(ground, 0, 0))
    yield from _scene_parts(screen, where)
    yield from _bar_parts(screen, where)
    flying = partial(put_sprites, where=where, sprites=screen.sprites, four_colour=screen.four_colour)
    yield Part("sprites", (screen.sprites, screen.table, screen.four_colour), flying)
    if (overlay := screen.overlay) is not None:
        yield Part("overlay", overlay, lambda sheet: put_overlay(sheet, where, overlay))
    yield from _constant_parts(screen, where)


def _scene_parts(screen: Screen, where: Layout) -> Iterator[Part]:
    if (table := screen.table) is not None:
        printed = (table.felt_lines, table.plate, table.question is None, table.demonstration, table.alone)
        yield Part("print", printed, lambda sheet: put_print(sheet, where, table))
        yield from _table_parts(where, table, four_colour=screen.four_colour)
        if (question := table.question) is not None:
            yield Part("question", (question, table.alone), lambda sheet: put_question(sheet, where, question))
    if (choice := screen.choice) is not None and screen.scene is Scene.CHOICE:
        yield Part("choice", choice, lambda sheet: put_choice(sheet, where, choice))
    if (attract := screen.attract) is not None and screen.scene is Scene.ATTRACT:
        beside = screen.table is not None
        yield Part("attract", (attract, beside), lambda sheet: put_attract(sheet, where, attract, with_table=beside))


def _table_parts(where: Layout, table: TableView, *, four_colour: bool) -> Iterator[Part]:
    """Place by place, because while one is dealt to the others stand still: grounds, the dealer, hands, signs."""
    places = table.places
    insured, alone = any(place.insurance for place in places), table.alone
    columns = zip(places, boxes_of(bands_of(where.size), places), strict=True)
    known = [(place, (place, box, insured, four_colour)) for place, box in columns]
    for place, inputs in known:
        yield Part(f"ground {place.number}", inputs, partial(put_ground, where=where, place=place, alone=alone))
    dealt = partial(put_dealer, where=where, dealer=table.dealer, four_colour=four_colour)
    yield Part("dealer", (table.dealer, table.alone, four_colour), dealt)
    for place, inputs in known:
        laid = partial(put_hands, where=where, place=place, four_colour=four_colour)
        yield Part(f"hands {place.number}", inputs, laid)
    for place, inputs in known:
        yield Part(f"signs {place.number}", inputs, partial(put_signs, where=where, place=place))


def _bar_parts(screen: Screen, where: Layout) -> Iterator[Part]:
    top, rail = screen.top, screen.rail
    # Where the bars' words stand depends on what stands beside them.
    yield Part("top", (top.title, top.limits, top.items, top.badge), lambda sheet: put_top_bar(sheet, where, top))
    yield Part("wood", (), lambda sheet: put_wood(sheet, where))
    yield Part("chips", rail.chips, lambda sheet: put_chips(sheet, where, rail.chips))
    room = (len(rail.chips), len(rail.meters), rail.value_chars)
    yield Part("message", (rail.message, rail.hint, room), lambda sheet: put_message(sheet, where, rail))
    yield Part("legends", rail.legends, lambda sheet: put_legends(sheet, where, rail.legends))


def _constant_parts(screen: Screen, where: Layout) -> Iterator[Part]:
    """What stays readable whatever is laid over the table: clock, amounts and the fine line."""
    top, rail, footer = screen.top, screen.rail, screen.footer
    yield Part("clock", (top.clock, top.clock_on), lambda sheet: put_clock(sheet, where, top))
    meters = (rail.meters, rail.credits, rail.celebrate, rail.value_chars, footer)
    yield Part("meters", meters, lambda sheet: put_meters(sheet, where, rail, footer))
