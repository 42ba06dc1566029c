"""Cards that are cleared away: those of the last round leave to the discard side together.

Rules: it takes `SWEEP_S` from when the table was cleared and no longer than the first card of the next deal needs to
land, so nobody waits for it; TURBO and a tap leave it out, for it is travel only. Does not know pixels.
"""

from collections.abc import Iterator
from typing import Final

from cabinet.engine.cards import Card
from cabinet.engine.round import Round
from cabinet.ui.pace import ease_out
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.telling import FRAME_S, TOLD
from cabinet.ui.view import DEALER, Kind, Slot, Sprite, SpriteKind

SWEEP_S: Final = 0.2


def swept(moment: Moment) -> tuple[Sprite, ...]:
    """The cards of the last round on their way off the table; none once they are gone."""
    round_, since_s = moment.news.swept, moment.since_told_s()
    if round_ is None or not _under_way(moment):
        return ()
    progress, end = ease_out(since_s / SWEEP_S), Slot(Kind.DISCARD)
    return tuple(
        Sprite(kind=SpriteKind.CARD, start=start, end=end, progress=progress, card=card)
        for start, card in _cards(round_)
    )


def swept_change_s(moment: Moment) -> float | None:
    """When cards on their way off the table are next seen elsewhere; None when there are none."""
    return moment.now_s + FRAME_S if moment.news.swept is not None and _under_way(moment) else None


def _under_way(moment: Moment) -> bool:
    hurried = bool(moment.telling.beats) and moment.telling.at_s == TOLD
    return 0.0 <= moment.since_told_s() < SWEEP_S and not moment.machine.turbo and not hurried


def _cards(round_: Round) -> Iterator[tuple[Slot, Card]]:
    for nth, card in enumerate(round_.dealer):
        yield Slot(Kind.CARD, DEALER, 0, nth), card
    for place in round_.places:
        for number, hand in enumerate(place.hands):
            for nth, card in enumerate(hand.cards):
                yield Slot(Kind.CARD, place.number, number, nth), card
