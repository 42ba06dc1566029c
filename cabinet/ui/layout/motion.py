"""The places of hands while a card arrives or a pair comes apart: on the straight way between two tables at rest.

Rules: a moving thing begins and ends exactly at its places at rest. From the first frame on it has its final size, so
that nothing is scaled in flight. While a pair comes apart the other places make room in the same time. Depends on
`HandView.open` alone. Does not know the value of cards, or time.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from cabinet.presentation.memo_key import IdentityKey
from cabinet.ui.layout.bands import Bands
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.hands import FORESEEN, Box, boxes_of, lying
from cabinet.ui.view import HandView, Kind, PlaceView, Slot, TableView

Hands = tuple[HandView, ...]


class Way(NamedTuple):
    """A place between two rests: its hands `before` and `after`, the share of the way, and for a pair that comes apart
    the number of its former hand."""

    before: Hands
    after: Hands
    share: float = 1.0
    parted: int | None = None


class Stance(NamedTuple):
    """The columns of a place before and after, and the share of the way between them."""

    before: Box
    after: Box
    share: float


def place_rects(bands: Bands, table: TableView) -> Mapping[Slot, Rect]:
    """Returns all places of a table at this moment."""
    rects: dict[Slot, Rect] = {}
    for place, stance in zip(table.places, stances_of(bands, table.places), strict=True):
        rects |= _standing(bands, IdentityKey(place), stance, alone=table.alone)
    return rects


def stances_of(bands: Bands, places: tuple[PlaceView, ...]) -> tuple[Stance, ...]:
    """Returns the columns of the places: everything outside a place that decides where it is."""
    after = boxes_of(bands, tuple([_count(place.hands) for place in places]))
    # Only with several hands can one still come apart from another.
    several = [way_of(place.hands) for place in places if len(place.hands) > 1]
    parting = next((way for way in several if way.parted is not None), None)
    if parting is None:
        return _at_rest(after)
    before = boxes_of(bands, tuple([_count(way_of(place.hands).before) for place in places]))
    return tuple([Stance(was, will, parting.share) for was, will in zip(before, after, strict=True)])


@lru_cache(maxsize=FORESEEN)
def _at_rest(boxes: tuple[Box, ...]) -> tuple[Stance, ...]:
    return tuple([Stance(box, box, 1.0) for box in boxes])


def _count(hands: Hands) -> int:
    return len(hands) if any(hand.cards for hand in hands) else 0


def way_of(hands: Hands) -> Way:
    """Returns the two rests that the hands of a place are between."""
    for number, hand in enumerate(hands):
        if hand.cards and hand.open < 1 and number:
            pair = replace(hands[number - 1], cards=hands[number - 1].cards + hand.cards)
            return Way((*hands[: number - 1], pair, *hands[number + 1 :]), hands, hand.open, number - 1)
    arriving = [(hand.open - len(hand.cards) + 1, number) for number, hand in enumerate(hands) if _arrives(hand)]
    if not arriving:
        return Way(hands, hands)
    share, number = min(arriving)
    without = replace(hands[number], cards=hands[number].cards[:-1])
    return Way((*hands[:number], without, *hands[number + 1 :]), hands, share)


def _arrives(hand: HandView) -> bool:
    return len(hand.cards) > 1 and hand.open < len(hand.cards)


@lru_cache(maxsize=FORESEEN)
def _standing(bands: Bands, place: IdentityKey[PlaceView], stance: Stance, *, alone: bool) -> Mapping[Slot, Rect]:
    """Returns one place; found by identity for the place of the last frame."""
    it, way = place.it, way_of(place.it.hands)
    insured = bool(it.insurance)
    rects = lying(bands, it.number, way.after, stance.after, insured=insured, alone=alone)
    share = min(way.share, stance.share)
    if share >= 1:
        return rects
    before = lying(bands, it.number, way.before, stance.before, insured=insured, alone=alone)
    return {slot: _between(before.get(_earlier(slot, way), rect), rect, share) for slot, rect in rects.items()}


def _earlier(slot: Slot, way: Way) -> Slot:
    """Returns where the thing in a slot was before: one hand of a pair that comes apart was the second card of the
    other."""
    if way.parted is None or slot.hand <= way.parted:
        return slot
    if slot.hand > way.parted + 1:
        return slot._replace(hand=slot.hand - 1)
    return slot._replace(hand=way.parted, nth=1 if slot.kind is Kind.CARD else slot.nth)


def _between(before: Rect, after: Rect, share: float) -> Rect:
    """Returns a rectangle of the final size, its middle at `share` of the way."""
    x, y = before.x + (before.w - after.w) / 2, before.y + (before.h - after.h) / 2
    return Rect(round(x + (after.x - x) * share), round(y + (after.y - y) * share), after.w, after.h)
