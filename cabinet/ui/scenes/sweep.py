"""The sweep: the cards of the last round leave to the discard side together, its chips go to the player.

Rules: everything leaves from its exact place (`table_before`), at its size and brightness. The sweep takes `SWEEP_S`
from when the table was cleared. That is no longer than the first card of the next deal needs to land, so no deal waits
for it.
TURBO and a tap leave it out, because it is only travel. Does not know pixels.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cabinet.engine.rules import Table
from cabinet.engine.state import Machine
from cabinet.presentation.memo_key import IdentityKey
from cabinet.presentation.timeline import FRAME_S, ease_out
from cabinet.text.messages import Words
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.playback import AFTER_END, Playback
from cabinet.ui.scenes.table import CARD_LIFT, CHIP_LIFT, DEALER_LIFT, Seen, player_chips_slot, table_view
from cabinet.ui.view import DEALER, HandView, Kind, Slot, Sprite, SpriteKind, TableView

SWEEP_S: Final = 0.2
SWEPT_LIFT: Final = CARD_LIFT / 2


def table_before(moment: Moment) -> TableView | None:
    """Returns the table before it was cleared, while a part of it still moves; None after that."""
    machine = moment.snapshot.swept
    if machine is None or machine.seat.game_id != moment.machine.seat.game_id or not _is_sweeping(moment):
        return None
    return _table_before(IdentityKey(machine), IdentityKey(moment.table), moment.words)


@lru_cache(maxsize=2)
def _table_before(machine: IdentityKey[Machine], table: IdentityKey[Table], words: Words) -> TableView:
    seen = Seen(machine=machine.it, table=table.it, playback=Playback(at_s=AFTER_END), words=words, now_s=0.0)
    return table_view(seen)


def swept(moment: Moment) -> tuple[Sprite, ...]:
    """Returns the cards and chips of the last round that leave the table; none after the sweep."""
    table = table_before(moment)
    return () if table is None else tuple(_sprites(moment, table))


def swept_change_s(moment: Moment) -> float | None:
    """Returns when the next part that leaves moves; None without any."""
    return moment.now_s + FRAME_S if moment.snapshot.swept is not None and _is_sweeping(moment) else None


def _is_sweeping(moment: Moment) -> bool:
    hurried = bool(moment.playback.beats) and moment.playback.at_s == AFTER_END
    return 0.0 <= _since_s(moment) < SWEEP_S and not moment.machine.seat.turbo and not hurried


def _since_s(moment: Moment) -> float:
    return moment.now_s - moment.snapshot.swept_at_s


def _sprites(moment: Moment, table: TableView) -> Iterator[Sprite]:
    progress = ease_out(_since_s(moment) / SWEEP_S)
    yield from _cards(table.dealer.hand, DEALER, 0, progress)
    hands = [(place.number, number, hand) for place in table.places for number, hand in enumerate(place.hands)]
    for place, number, hand in hands:
        yield from _cards(hand, place, number, progress)
    for place, number, hand in hands:
        yield from _chips(hand, place, number, progress, player_chips_slot(moment.seen))


def _cards(hand: HandView, place: int, number: int, progress: float) -> Iterator[Sprite]:
    for nth, card in enumerate(hand.cards):
        yield Sprite(
            kind=SpriteKind.CARD,
            start=Slot(Kind.CARD, place, number, nth),
            end=Slot(Kind.DISCARD),
            progress=progress,
            lift=DEALER_LIFT if place == DEALER else SWEPT_LIFT,
            card=card.card,
            dimmed=hand.dimmed,
            swept=True,
        )


def _chips(hand: HandView, place: int, number: int, progress: float, end: Slot) -> Iterator[Sprite]:
    for kind, chips in ((Kind.CHIPS, hand.chips), (Kind.WIN_CHIPS, hand.win_chips)):
        if chips:
            yield Sprite(
                kind=SpriteKind.CHIPS,
                start=Slot(kind, place, number),
                end=end,
                progress=progress,
                lift=CHIP_LIFT,
                chips=chips,
                swept=True,
            )
