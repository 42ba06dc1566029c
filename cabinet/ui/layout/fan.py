"""The size and arrangement of a place's cards: the arithmetic under `layout.hands`.

Rules: of all ways to line up the hands and to break their cards into rows, the one with the largest cards wins; fewer
rows and lines count a little. A step never hides a corner index. Cards have only the prepared heights (`heights_px`),
so that play scales none. Pure arithmetic in design units, for hands that stand still: `HandView.open` has no effect.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cabinet.ui.shapes import CARD_RATIO, SMALL_CARD_PX
from cabinet.ui.view import HandView

CARD_FLOOR = 56.0
"""Design height below which no card is drawn, as long as no hand has more than twelve cards."""
NATURAL_STEP = 0.46
"""Distance from one card to the next, in card widths, where there is room."""
HAND_GAP = 10.0
PLAQUE_MIN, PLAQUE_MAX, PLAQUE_OF_CARD = 44.0, 84.0, 0.38
OVERHANG = 0.55
"""How far a plaque extends to the right of the last card, in its diameters."""
ROW_COST = 0.9
LINE_COST = 0.85
"""The gain in size that a further row of cards or line of hands must bring."""

THIRD_HAND = 0.1
"""The additional share of the width for three hands: two of them stand side by side as with four, and need as much
there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """The part of a card that must stay visible: its index, in shares of its width and height, for one way of drawing.

    `step` and `pitch` are the least distances to the next card and the next row; a little more, as pixels are whole.
    """

    index_w: float
    index_h: float
    step: float
    pitch: float


LARGE = Face(index_w=0.26, index_h=0.37, step=0.30, pitch=0.40)
SMALL = Face(index_w=0.40, index_h=0.56, step=0.44, pitch=0.61)


def face_of(card_px: float) -> Face:
    """Returns how a card of this height in pixels is drawn."""
    return LARGE if card_px >= SMALL_CARD_PX else SMALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How the hands of a place are lined up, and the room above and below the cards of each, in design units."""

    lines: int
    pointer_h: float
    stake_h: float
    banner_h: float
    circle: bool = False
    tag_h: float = 30
    """Height of the tag with the amount."""
    tag_beside: bool = False
    """True when the tag is left of the circle, not below the chips."""

    @property
    def around_h(self) -> float:
        """The height of a line without its cards."""
        return self.pointer_h + self.stake_h + self.banner_h / 2 + 4

    def lined_up(self, hands: Sequence[HandView]) -> Iterator[tuple[tuple[int, HandView], ...]]:
        """Yields the hands of each line with their numbers."""
        per_line = math.ceil(len(hands) / self.lines)
        numbered = tuple(enumerate(hands))
        for start in range(0, len(hands), per_line):
            yield numbered[start : start + per_line]

    def stake_w(self, view: HandView) -> float:
        """Returns the least width under a hand's cards: chips, amount and a result."""
        letters = max(len(view.stake), view.stake_room, 6)
        beside = 56.0 if self.lines > 1 else 0.0
        return max(letters * 11.0 + 18 + beside, (letters + 6) * self.banner_h * 0.36 + self.banner_h * 0.6)


ONE_HAND = Form(lines=1, pointer_h=34, stake_h=136, banner_h=36, circle=True)
ONE_LINE = Form(lines=1, pointer_h=34, stake_h=106, banner_h=30)
LONE_HAND = Form(lines=1, pointer_h=32, stake_h=124, banner_h=44, circle=True, tag_h=40, tag_beside=True)
LONE_LINE = Form(lines=1, pointer_h=32, stake_h=124, banner_h=40, tag_h=34)
TWO_LINES = Form(lines=2, pointer_h=24, stake_h=34, banner_h=30)
STAKE_GROWS = 70.0
"""The additional height of the stakes of two lines on a felt that is twice as high."""


def forms_for(*, hands: int, alone: bool = False, stretch: float = 1.0) -> tuple[Form, ...]:
    """Returns the ways to line up this number of hands. When theirs is the only place of the table (`alone`), the room
    around their cards grows with the height of the felt (`stretch`); the chips of two lines do so at any table."""
    if hands <= 1:
        return (_stretched(LONE_HAND, stretch) if alone else ONE_HAND,)
    line = _stretched(LONE_LINE, stretch) if alone else ONE_LINE
    taller = replace(TWO_LINES, stake_h=TWO_LINES.stake_h + STAKE_GROWS * (stretch - 1.0))
    return (line,) if hands == 2 else (line, taller)


def _stretched(form: Form, by: float) -> Form:
    return replace(form, stake_h=form.stake_h * by, banner_h=form.banner_h * by, tag_h=form.tag_h * by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The room of a place: width and height, the largest card wanted, pixels per design unit, and the heights in pixels
    that cards may have, the largest first."""

    width: float
    height: float
    card_h: float
    unit: float
    heights_px: tuple[int, ...] = ()
    alone: bool = False
    """True for the only place of a table."""
    stretch: float = 1.0
    """The height of the felt in that of a 16:9 display."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fan:
    """The arrangement of cards at a place, in design units: their height, the step to the next and the pitch of
    rows."""

    card_h: float
    step: float
    row_pitch: float
    per_row: int
    form: Form

    @property
    def card_w(self) -> float:
        """A card's width."""
        return self.card_h * CARD_RATIO

    @property
    def plaque(self) -> float:
        """The diameter of a total plaque."""
        return plaque_of(self.card_h)

    @property
    def overhang(self) -> float:
        """How far a plaque reaches out to the right."""
        return self.plaque * OVERHANG

    def rows_of(self, cards: int) -> int:
        """Returns the number of rows of a hand of `cards` cards."""
        return max(1, math.ceil(cards / self.per_row))

    def spread_of(self, view: HandView) -> float:
        """Returns the width of a hand's cards; an empty hand has the width of two cards."""
        shown = min(len(view.cards) or 2, self.per_row)
        return self.card_w + (shown - 1) * self.step

    def slot_widths(self, views: Sequence[HandView], room: float) -> tuple[float, ...]:
        """Returns the width of each hand in a line `room` wide, with its plaque and its stake."""
        least = (room - self.gaps(views)) / max(1, len(views))
        overhang = self.overhang * (2 if len(views) == 1 else 1)
        return tuple(max(self.spread_of(v) + overhang, min(self.form.stake_w(v), least)) for v in views)

    def gaps(self, views: Sequence[HandView]) -> float:
        """Returns all the space between the hands of a line."""
        return HAND_GAP * (len(views) - 1)


def plaque_of(card_h: float) -> float:
    """Returns the diameter of the total plaque beside cards of this height."""
    return min(PLAQUE_MAX, max(PLAQUE_MIN, card_h * PLAQUE_OF_CARD))


def best_fan(room: Room, hands: tuple[HandView, ...]) -> Fan:
    """Returns the arrangement of the hands of a place with the largest cards."""
    most = max((len(view.cards) for view in hands), default=0)
    found: tuple[float, Fan] | None = None
    for form in forms_for(hands=len(hands), alone=room.alone, stretch=room.stretch):
        for per_row in range(2, max(2, most) + 1):
            for face in (LARGE, SMALL):
                for fan in _fitted(room, hands, form, face, per_row):
                    worth = _score(fan, most)
                    if worth >= room.card_h - 1 / room.unit:
                        # No card is larger than wanted: no later form can be better.
                        return fan
                    found = (worth, fan) if found is None or worth > found[0] else found
    assert found is not None
    return found[1]


def _score(fan: Fan, most: int) -> float:
    """Returns the value of a fan; cards below the floor have the least."""
    high = fan.card_h if fan.card_h >= CARD_FLOOR else fan.card_h / 10
    return high * ROW_COST ** (fan.rows_of(most) - 1) * LINE_COST ** (fan.form.lines - 1)


def _fitted(room: Room, hands: tuple[HandView, ...], form: Form, face: Face, per_row: int) -> Iterator[Fan]:
    """Returns the largest cards of this form; None when they would be too small for this way of drawing."""
    rows = max(1, math.ceil(max((len(view.cards) for view in hands), default=0) / per_row))
    by_height = (room.height / form.lines - form.around_h) / (1 + (rows - 1) * face.pitch)
    high = min(room.card_h, by_height)
    lines = tuple(tuple(view for _, view in line) for line in form.lined_up(hands))
    high = max(20.0, min(high, *(_height_by_width(room, line, form, face, per_row, high) for line in lines)))
    high = _prepared_height(high, room)
    if face is LARGE and high * room.unit < SMALL_CARD_PX:
        return
    step = min(_step_of(room, line, form, face, per_row, high) for line in lines)
    yield Fan(
        card_h=high,
        step=step * high * CARD_RATIO,
        row_pitch=face.pitch * high,
        per_row=per_row,
        form=form,
    )


def _prepared_height(high: float, room: Room) -> float:
    """Returns the largest prepared height that is not above `high`; `high` itself below the smallest."""
    # A little more, so that it is the same whole number of pixels again.
    prepared = ((height_px + 0.01) / room.unit for height_px in room.heights_px if height_px <= high * room.unit + 0.01)
    return next(prepared, high)


def _units(view: HandView, per_row: int, step: float) -> float:
    """Returns a hand's width in card widths."""
    return 1 + (min(len(view.cards) or 2, per_row) - 1) * step


def _height_by_width(
    room: Room, line: tuple[HandView, ...], form: Form, face: Face, per_row: int, high: float
) -> float:
    """Returns the largest card height at which this line is no wider than the room, at most `high`.

    Hands whose cards are narrower than what stands below them take that width; the others share the rest.
    """
    sides = 2 if len(line) == 1 else 1
    gaps = HAND_GAP * (len(line) - 1)
    least = (room.width - gaps) / len(line)
    asked = [(_units(view, per_row, face.step), min(form.stake_w(view), least)) for view in line]
    alone = [_height_for(below / sides, units / sides, 1, high) for units, below in asked]
    for share in sorted(set(alone)):
        wide = [pair for pair, height in zip(asked, alone, strict=True) if height <= share]
        left = room.width - gaps - sum(pair[1] for pair, height in zip(asked, alone, strict=True) if height > share)
        fits = _height_for(left / sides, sum(units for units, _ in wide) / sides, len(wide), high)
        following = min((height for height in alone if height > share), default=high)
        if fits <= following:
            return fits
    return high


def _height_for(width: float, units: float, hands: int, high: float) -> float:
    """Returns the height at which `units` card widths and the overhang of `hands` plaques fill `width`, at most
    `high`."""
    for disc in (PLAQUE_MAX, None, PLAQUE_MIN):
        if disc is None:
            height = width / (CARD_RATIO * units + PLAQUE_OF_CARD * OVERHANG * hands)
            if PLAQUE_MIN <= height * PLAQUE_OF_CARD <= PLAQUE_MAX:
                return min(high, height)
        else:
            height = (width - disc * OVERHANG * hands) / (CARD_RATIO * units)
            if plaque_of(height) == disc:
                return min(high, height)
    return min(high, height)


def _step_of(room: Room, line: tuple[HandView, ...], form: Form, face: Face, per_row: int, high: float) -> float:
    """Returns the step in card widths: natural where there is room, never less than the index."""
    sides = 2 if len(line) == 1 else 1
    wide = high * CARD_RATIO
    gaps = HAND_GAP * (len(line) - 1)
    least = (room.width - gaps) / len(line)
    used = gaps + sum(
        max(
            wide * _units(view, per_row, face.step) + plaque_of(high) * OVERHANG * sides,
            min(form.stake_w(view), least),
        )
        for view in line
    )
    steps = sum(min(len(view.cards) or 2, per_row) - 1 for view in line)
    if steps <= 0:
        return NATURAL_STEP
    return min(NATURAL_STEP, face.step + max(0.0, room.width - used) / (steps * wide))


def shares_of(places: Sequence[int]) -> tuple[float, ...]:
    """Returns each place's share of the width by its number of hands: more for several, less for a place without any if
    another has several."""
    if all(hands <= 1 for hands in places):
        return (1 / len(places),) * len(places)
    weights = tuple(1 + 0.42 * (hands - 1) + THIRD_HAND * (hands == 3) if hands else 1 - 0.35 for hands in places)
    return tuple(weight / sum(weights) for weight in weights)
