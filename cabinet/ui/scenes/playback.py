"""The playback of an animation: which beats have begun, run or ended at one moment.

Rules: the machine already has its final state; a Playback only limits what of it may be shown. What has not begun is
hidden, a running beat is shown part of the way, and one that has ended has no further effect. A skipped animation is at
its end at once. Does not know texts, amounts on the rail, or places on the screen.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from cabinet.engine.effects import (
    BetsChanged,
    CardDealt,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceSettled,
    RoundBegan,
    RoundSettled,
)
from cabinet.engine.round import Action
from cabinet.presentation.memo_key import IdentityKey
from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import (
    FRAME_S,
    REMEMBERED,
    Beat,
    Sliding,
    cut_at,
    ease_out,
    share_of,
    slides,
    timeline,
)

V = TypeVar("V")

AFTER_END = math.inf
"""A moment after the end of every animation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """An animation's beats at `at_s`; `open_at_s` is when presses are taken."""

    beats: tuple[Beat, ...] = ()
    at_s: float = AFTER_END
    open_at_s: float = 0.0

    def has_begun(self, beat: Beat) -> bool:
        """Returns True once the beat has begun."""
        return self.at_s >= beat.start_s

    def has_ended(self, beat: Beat) -> bool:
        """Returns True once the beat has ended."""
        return self.at_s >= beat.end_s

    def running(self) -> Iterator[Beat]:
        """Yields the beats that run."""
        return (beat for beat in self.beats if self.has_begun(beat) and not self.has_ended(beat))

    @property
    def finished(self) -> bool:
        """True once everything is shown that presses wait for; chips may still slide."""
        return self.at_s >= _finish_s(IdentityKey(self.beats))

    def card(self, place: int | None, hand: int, position: int) -> Beat | None:
        """Returns the beat that deals this card; None when the card was there before."""
        return _cards(IdentityKey(self.beats)).get((place, hand, position))

    def ended_beats(self, place: int | None) -> int | None:
        """Returns how many of a place's beats (None: the dealer's) have ended; None while one runs.

        While this number stays the same during an animation, so does the view of the place.
        """
        ended = 0
        for beat in _beats_of(IdentityKey(self.beats), place):
            if self.has_ended(beat):
                ended += 1
            elif self.has_begun(beat):
                return None
        return ended

    @property
    def boundary_count(self) -> int:
        """How many beginnings and ends of beats have passed: while it stays the same only moving parts change."""
        return bisect_right(_boundaries(IdentityKey(self.beats)), self.at_s)

    def hole(self) -> Beat | None:
        """Returns the beat that turns the dealer's hole card."""
        return next((beat for beat in self.beats if isinstance(beat.event, HoleTurned)), None)

    def split(self, place: int) -> Beat | None:
        """Returns the beat in which a pair of this place comes apart."""
        for beat in self.beats:
            event = beat.event
            if isinstance(event, HandPlayed) and event.place == place and event.action == Action.SPLIT.value:
                return beat
        return None

    def result(self, place: int, hand: int) -> Beat | None:
        """Returns the beat that settles this hand."""
        for beat in self.beats:
            event = beat.event
            if isinstance(event, HandSettled) and (event.place, event.hand) == (place, hand):
                return beat
        return None

    def insurance(self, place: int) -> Beat | None:
        """Returns the beat that settles this place's insurance."""
        for beat in self.beats:
            if isinstance(beat.event, InsuranceSettled) and beat.event.place == place:
                return beat
        return None

    def counting(self) -> Beat | None:
        """Returns the beat that counts up the round's return."""
        return next((beat for beat in self.beats if isinstance(beat.event, RoundSettled)), None)

    def decision(self) -> HandPlayed | None:
        """Returns the decision that this animation began with."""
        return next((beat.event for beat in self.beats if isinstance(beat.event, HandPlayed)), None)

    @property
    def dealers_turn(self) -> bool:
        """True once it is the dealer's turn: no hand of a player is in play."""
        return self.at_s >= _dealers_turn_s(IdentityKey(self.beats))

    @property
    def deals(self) -> bool:
        """True when the animation begins a round."""
        return any(isinstance(beat.event, RoundBegan) for beat in self.beats)

    def share(self, beat: Beat) -> float:
        """Returns how far the beat has come, 0 to 1, linear."""
        return share_of(beat.start_s, beat.land_s, self.at_s)

    def eased(self, beat: Beat) -> float:
        """Returns how far the beat has come, 0 to 1, eased out."""
        return ease_out(self.share(beat))

    def turned(self, beat: Beat) -> float:
        """Returns how far a card has turned over after it landed, 0 to 1."""
        return share_of(beat.land_s, beat.end_s, self.at_s)

    def latest(self, kinds: tuple[type, ...]) -> Event | None:
        """Returns the event of these kinds that began last."""
        begun = (beat.event for beat in self.beats if self.has_begun(beat) and isinstance(beat.event, kinds))
        return next(reversed(tuple(begun)), None)

    def next_change_s(self, now_s: float) -> float | None:
        """Returns when the picture of this animation changes next; None after its end."""
        if self.at_s == AFTER_END:
            return None
        if any(True for _ in self.running()):
            return now_s + FRAME_S
        return min((beat.start_s for beat in self.beats if beat.start_s > now_s), default=None)


class StillViews:
    """Remembers the views of the dealer (None) and of places that stand still, from frame to frame."""

    def __init__(self) -> None:
        self._by_ended: dict[tuple[int | None, int], Any] = {}
        self._by_boundary: dict[tuple[int | None, int], Any] = {}

    def view_of(self, playback: Playback, place: int | None, view: Callable[..., V], *args: Any) -> V:
        """Returns `view(*args)`, the view of a place; while the place stands still, the same object as in the last
        frame."""
        key = place, playback.boundary_count
        if key not in self._by_boundary:
            ended = playback.ended_beats(place)
            if ended is not None and (place, ended) not in self._by_ended:
                self._by_ended[place, ended] = view(*args)
            self._by_boundary[key] = None if ended is None else self._by_ended[place, ended]
        found: V | None = self._by_boundary[key]
        return view(*args) if found is None else found


@lru_cache(maxsize=8)
def still_views(*key: Hashable) -> StillViews:
    """Returns the remembered views of an animation, found by everything they depend on besides the time."""
    del key
    return StillViews()


@lru_cache(maxsize=REMEMBERED)
def _finish_s(beats: IdentityKey[tuple[Beat, ...]]) -> float:
    """Returns when the last beat ends that presses wait for."""
    return max((beat.end_s for beat in beats.it if not isinstance(beat.event, BetsChanged)), default=-AFTER_END)


@lru_cache(maxsize=REMEMBERED)
def _dealers_turn_s(beats: IdentityKey[tuple[Beat, ...]]) -> float:
    """Returns when the dealer's turn begins, or the settling of hands."""
    return min((beat.start_s for beat in beats.it if _is_dealers(beat.event)), default=AFTER_END)


def _is_dealers(event: Event) -> bool:
    return isinstance(event, HoleTurned | HandSettled) or (isinstance(event, CardDealt) and event.place is None)


@lru_cache(maxsize=REMEMBERED)
def _cards(beats: IdentityKey[tuple[Beat, ...]]) -> Mapping[tuple[int | None, int, int], Beat]:
    """Returns the beat that deals each card."""
    dealt = ((beat.event, beat) for beat in reversed(beats.it))
    return {(event.place, event.hand, event.position): beat for event, beat in dealt if isinstance(event, CardDealt)}


@lru_cache(maxsize=REMEMBERED)
def _beats_of(beats: IdentityKey[tuple[Beat, ...]], place: int | None) -> tuple[Beat, ...]:
    """Returns the beats that can change the view of a place; for None, the dealer, all without a place."""
    return tuple(
        beat for beat in beats.it if isinstance(beat.event, BetsChanged) or getattr(beat.event, "place", None) == place
    )


@lru_cache(maxsize=REMEMBERED)
def _boundaries(beats: IdentityKey[tuple[Beat, ...]]) -> tuple[float, ...]:
    """Returns when each beat begins and ends, in order."""
    return tuple(sorted(time_s for beat in beats.it for time_s in (beat.start_s, beat.end_s)))


@lru_cache(maxsize=REMEMBERED)
def _with_sliding(sliding: Sliding, beats: IdentityKey[tuple[Beat, ...]], *, turbo: bool) -> tuple[Beat, ...]:
    """Returns the beats of an animation together with the chips that still slide from before it."""
    return (*slides(sliding, turbo=turbo), *beats.it)


def playback_of(snapshot: Snapshot, now_s: float, *, turbo: bool) -> Playback:
    """Returns the playback of the snapshot's animation at `now_s`."""
    beats = timeline(snapshot.events, turbo=turbo, from_s=snapshot.began_at_s)
    if snapshot.sliding:
        beats = _with_sliding(snapshot.sliding, IdentityKey(beats), turbo=turbo)
    cut_s = cut_at(snapshot.events, turbo=turbo, from_s=snapshot.began_at_s, open_at_s=snapshot.open_at_s)
    at_s = AFTER_END if cut_s is not None and now_s >= cut_s else now_s
    return Playback(beats=beats, at_s=at_s, open_at_s=snapshot.open_at_s)
