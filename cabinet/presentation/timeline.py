"""The timeline of an animation: when each event of a step begins and ends on the screen.

Rules: pure. The engine never waits; only the animation takes time. Cards overlap as at a real table, and the dealer
draws slower. Losing stakes are taken before winners are paid. The win is counted up in at most 1.2 seconds. TURBO and a
tap cut travel, never the time a result can be read (`MIN_SHOW_S`). No press waits for chips that move to their place.
Does not know the look of anything.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from cabinet.engine.effects import (
    BetsChanged,
    CardDealt,
    DealerPeeked,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
    RoundBegan,
    RoundSettled,
)
from cabinet.engine.round import Action
from cabinet.presentation.memo_key import IdentityKey

FRAME_S = 1 / 60
"""Seconds between two frames while something moves."""
MIN_SHOW_S = 0.8
"""Seconds. The least time between the last result and the next press that is taken."""
COUNT_UP_MAX_S = 1.2
REMEMBERED = 8
"""Animations whose beats are remembered: every frame of one asks for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Durations, in seconds."""

    travel_s: float = 0.26
    turn_s: float = 0.18
    stagger_s: float = 0.14
    """Between the cards of a deal."""
    chips_s: float = 0.18
    split_s: float = 0.34
    peek_s: float = 0.55
    hole_pause_s: float = 0.22
    hole_turn_s: float = 0.30
    dealer_step_s: float = 0.45
    """Between the cards that the dealer draws."""
    result_pause_s: float = 0.35
    take_s: float = 0.24
    pay_s: float = 0.30
    result_stagger_s: float = 0.12
    count_s: float = COUNT_UP_MAX_S


CALM = Pace()
TURBO = Pace(
    travel_s=0.0,
    turn_s=0.0,
    stagger_s=0.02,
    chips_s=0.0,
    split_s=0.0,
    peek_s=0.25,
    hole_pause_s=0.15,
    hole_turn_s=0.0,
    dealer_step_s=0.28,
    result_pause_s=0.15,
    take_s=0.0,
    pay_s=0.0,
    result_stagger_s=0.0,
    count_s=0.3,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """One event's time on the screen. A card or chip lands at `land_s`; a card may turn over until `end_s`."""

    event: Event
    start_s: float
    land_s: float
    end_s: float


@dataclass(slots=True)
class _Clock:
    """The position of the timeline as it is built: `at_s` for beats that may overlap, `done_s` for beats that must
    wait."""

    at_s: float
    done_s: float
    pace: Pace
    hole_game: bool
    drawing: bool = False
    """True if the dealer has drawn a card."""
    beats: list[Beat] = field(default_factory=list)

    def beat(self, event: Event, start_s: float, travel_s: float, rest_s: float = 0.0) -> None:
        end_s = start_s + travel_s + rest_s
        self.beats.append(Beat(event=event, start_s=start_s, land_s=start_s + travel_s, end_s=end_s))
        self.done_s = max(self.done_s, end_s)


def timeline(events: Sequence[Event], *, turbo: bool, from_s: float) -> tuple[Beat, ...]:
    """Returns one beat per event, in the order of the events. The beats of the present animation are remembered."""
    return _timeline(IdentityKey(tuple(events)), turbo=turbo, from_s=from_s)


Sliding = tuple[tuple[BetsChanged, float], ...]
"""Chips that move, and when each began."""


@lru_cache(maxsize=REMEMBERED)
def slides(sliding: Sliding, *, turbo: bool) -> tuple[Beat, ...]:
    """Returns one beat for each chip that moves."""
    way_s = (TURBO if turbo else CALM).chips_s
    return tuple(Beat(event=event, start_s=at, land_s=at + way_s, end_s=at + way_s) for event, at in sliding)


@lru_cache(maxsize=REMEMBERED)
def _timeline(animation: IdentityKey[tuple[Event, ...]], *, turbo: bool, from_s: float) -> tuple[Beat, ...]:
    events = animation.it
    clock = _Clock(
        at_s=from_s,
        done_s=from_s,
        pace=TURBO if turbo else CALM,
        hole_game=any(isinstance(event, CardDealt) and event.face_down for event in events),
    )
    for event in events:
        _add(clock, event)
    return tuple(clock.beats)


def _add(clock: _Clock, event: Event) -> None:
    pace = clock.pace
    match event:
        case BetsChanged():
            clock.beat(event, clock.at_s, pace.chips_s)
        case CardDealt():
            _add_card(clock, event)
        case HandPlayed():
            _add_play(clock, event)
        case InsuranceAnswered():
            clock.beat(event, clock.at_s, pace.chips_s if event.cents else 0.0)
            clock.at_s = clock.done_s
        case DealerPeeked():
            clock.beat(event, clock.done_s, pace.peek_s)
            clock.at_s = clock.done_s
        case HoleTurned():
            clock.beat(event, clock.done_s + pace.hole_pause_s, 0.0, pace.hole_turn_s)
            clock.at_s = clock.done_s + pace.hole_pause_s
        case HandSettled() | InsuranceSettled():
            _add_result(clock, event, event.returned_cents)
        case RoundSettled():
            counting = pace.count_s if event.returned_cents else 0.0
            clock.beat(event, clock.at_s, counting)
        case RoundBegan():
            clock.beat(event, clock.at_s, pace.chips_s)
            clock.at_s += pace.chips_s / 2
        case _:
            clock.beat(event, clock.at_s, 0.0)


def _add_card(clock: _Clock, event: CardDealt) -> None:
    pace = clock.pace
    drawn = event.place is None and (event.position >= 2 or (event.position == 1 and not clock.hole_game))
    if drawn and not clock.drawing:
        clock.at_s = max(clock.at_s, clock.done_s + pace.hole_pause_s)
        clock.drawing = True
    clock.beat(event, clock.at_s, pace.travel_s, 0.0 if event.face_down else pace.turn_s)
    clock.at_s += pace.dealer_step_s if drawn else pace.stagger_s


def _add_play(clock: _Clock, event: HandPlayed) -> None:
    """Adds the decision itself: chips for a double, the pair coming apart for a split."""
    pace = clock.pace
    if event.action == Action.SPLIT.value:
        clock.beat(event, clock.at_s, pace.split_s)
        clock.at_s = clock.done_s
    else:
        clock.beat(event, clock.at_s, pace.chips_s if event.added_cents else 0.0)
        clock.at_s += pace.chips_s / 2 if event.added_cents else 0.0


def _add_result(clock: _Clock, event: Event, returned_cents: int) -> None:
    """Adds a stake that is taken or paid; the first one waits for everything before it."""
    pace = clock.pace
    earlier = clock.beats[-1].event if clock.beats else None
    if not isinstance(earlier, HandSettled | InsuranceSettled):
        clock.at_s = max(clock.at_s, clock.done_s + pace.result_pause_s)
    elif returned_cents and not earlier.returned_cents:
        # Lost stakes reach the dealer before the first winner is paid.
        clock.at_s = max(clock.at_s, clock.done_s)
    clock.beat(event, clock.at_s, pace.pay_s if returned_cents else pace.take_s)
    clock.at_s += pace.result_stagger_s


# --- when presses are taken ---------------------------------------------------------------------------------------


def _results(beats: Sequence[Beat]) -> Iterator[Beat]:
    return (beat for beat in beats if isinstance(beat.event, HandSettled))


def last_result_s(events: Sequence[Event], *, turbo: bool, from_s: float) -> float | None:
    """Returns when the last result appears; None without results."""
    return max((beat.start_s for beat in _results(timeline(events, turbo=turbo, from_s=from_s))), default=None)


def animation_end(events: Sequence[Event], *, turbo: bool, from_s: float) -> float:
    """Returns when presses are taken again: every beat has ended, and results were visible for at least `MIN_SHOW_S`.

    No press waits for chips that are being placed.
    """
    return _end(IdentityKey(timeline(events, turbo=turbo, from_s=from_s)), from_s)


@lru_cache(maxsize=REMEMBERED)
def _end(beats: IdentityKey[tuple[Beat, ...]], from_s: float) -> float:
    ends = (beat.end_s for beat in beats.it if not isinstance(beat.event, BetsChanged))
    shown = (beat.start_s + MIN_SHOW_S for beat in _results(beats.it))
    return max((from_s, *ends, *shown))


def skipped_end(events: Sequence[Event], *, turbo: bool, from_s: float, now_s: float) -> float:
    """Returns when presses are taken again if the animation is cut short at `now_s`: at once, or `MIN_SHOW_S` after its
    results."""
    end_s = animation_end(events, turbo=turbo, from_s=from_s)
    shown_s = last_result_s(events, turbo=turbo, from_s=from_s)
    if shown_s is None:
        return min(end_s, max(now_s, from_s))
    return min(end_s, max(now_s, min(now_s, shown_s) + MIN_SHOW_S))


def cut_at(events: Sequence[Event], *, turbo: bool, from_s: float, open_at_s: float) -> float | None:
    """Returns when the picture jumps to the end of an animation whose presses are taken from `open_at_s`; None if
    never."""
    if open_at_s >= animation_end(events, turbo=turbo, from_s=from_s):
        return None
    return open_at_s - (MIN_SHOW_S if any(isinstance(event, HandSettled) for event in events) else 0.0)


def ease_out(share: float) -> float:
    """Returns the cubic ease-out of a share of time, clipped to 0 to 1."""
    left = 1.0 - min(1.0, max(0.0, share))
    return 1.0 - left * left * left


def share_of(start_s: float, end_s: float, now_s: float) -> float:
    """Returns how much of a span has passed, 0 to 1; a span without length has passed once it began."""
    if end_s <= start_s:
        return 1.0 if now_s >= start_s else 0.0
    return min(1.0, max(0.0, (now_s - start_s) / (end_s - start_s)))
