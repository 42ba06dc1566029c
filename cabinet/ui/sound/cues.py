"""Sound cues as values: which sounds begin between two moments.

Rules: each beat sounds once, when it begins (a card when it lands). A return above the round's stake is celebrated, a
return equal to it has a neutral sound, and a lower one has none. The alarm is separate because the volume does not
silence it.
Does not know sound cards, files or loudness.
"""

import math
from enum import Enum

from cabinet.engine.effects import (
    BetsChanged,
    CardDealt,
    Credited,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    NoteGoesBack,
    Refused,
    RoundSettled,
    TicketGoesBack,
)
from cabinet.engine.inputs import Wake
from cabinet.engine.locks import LOCKS
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import Machine
from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import Beat, cut_at, slides, timeline

MEDIUM_WIN, LARGE_WIN = 2.0, 5.0
"""The factors of the stake from which a win sounds as a medium or a large one."""


class Cue(Enum):
    """A sound; the value names its function in `synth`, and the sound in the attendant's test."""

    CARD = "card"
    CHIP = "chip"
    PRESS = "press"
    WIN_SMALL = "win_small"
    WIN_MEDIUM = "win_medium"
    WIN_LARGE = "win_large"
    PUSH = "push"
    REFUSAL = "refusal"
    ALARM = "alarm"


def cues_between(snapshot: Snapshot, after_s: float, until_s: float, *, turbo: bool) -> tuple[Cue, ...]:
    """Returns the cues from just after `after_s` up to `until_s`, each at most once.

    A skipped animation is silent but for its result. In the attendant's sound test the cue is the selected one.
    """
    tried = snapshot.attendant.sound if snapshot.attendant else ""
    if tried:
        return (Cue(tried),) if after_s < snapshot.began_at_s <= until_s else ()
    cut_s = cut_at(snapshot.events, turbo=turbo, from_s=snapshot.began_at_s, open_at_s=snapshot.open_at_s)
    found: dict[Cue, None] = {}
    beats = timeline(snapshot.events, turbo=turbo, from_s=snapshot.began_at_s)
    for beat in (*slides(snapshot.sliding, turbo=turbo), *beats):
        cue, at_s = _cue_of(beat), _sounds_at_s(beat)
        if cut_s is not None and at_s > cut_s:
            at_s = cut_s if isinstance(beat.event, RoundSettled) else math.inf
        if cue is not None and after_s < at_s <= until_s:
            found[cue] = None
    return tuple(found)


class CueTracker:
    """Finds the cues from frame to frame, each once; those that began before the first frame are left out."""

    def __init__(self) -> None:
        self._last_frame_s: float | None = None
        self._began_s = -math.inf

    def cues(self, snapshot: Snapshot, now: float, *, turbo: bool) -> tuple[Cue, ...]:
        """Returns the cues since the last call."""
        after_s = now if self._last_frame_s is None else self._last_frame_s
        if self._last_frame_s is not None and snapshot.began_at_s > self._began_s:
            # An animation that began before the last frame may have reached the screen only after it.
            after_s = min(after_s, math.nextafter(snapshot.began_at_s, -math.inf))
        self._last_frame_s, self._began_s = now, snapshot.began_at_s
        return cues_between(snapshot, after_s, now, turbo=turbo)


def alarm_now(machine: Machine) -> bool:
    """Returns True while a fault sounds the alarm, at any volume."""
    return any(LOCKS[lock.kind].alarm and lock.present for lock in machine.locks)


def _sounds_at_s(beat: Beat) -> float:
    return beat.land_s if isinstance(beat.event, CardDealt | BetsChanged) else beat.start_s


def _cue_of(beat: Beat) -> Cue | None:
    match beat.event:
        case CardDealt() | HoleTurned():
            return Cue.CARD
        case BetsChanged() | Credited():
            return Cue.CHIP
        case HandPlayed(added_cents=added) | InsuranceAnswered(cents=added):
            return Cue.CHIP if added else None
        case HandSettled(returned_cents=0):
            return Cue.CHIP
        case RoundSettled(staked_cents=staked, returned_cents=returned):
            return result_cue(staked, returned)
        case Refused(command=command):
            return Cue.REFUSAL if command != Wake.__name__ else None
        case NoteGoesBack() | TicketGoesBack() | LogEntry(what=LogKind.NOTE_REJECTED):
            return Cue.REFUSAL
        case LogEntry(what=LogKind.NOTE_RETURNED | LogKind.TICKET_RETURNED, cents=int()):
            # The acceptor gave back what the machine had accepted; a refusal by the machine has sounded already.
            return Cue.REFUSAL
        case _:
            return None


def result_cue(staked_cents: int, returned_cents: int) -> Cue | None:
    """Returns the sound of a round's result; none when less comes back than was staked."""
    if returned_cents < staked_cents:
        return None
    if returned_cents == staked_cents:
        return Cue.PUSH
    times = (returned_cents - staked_cents) / staked_cents
    if times >= LARGE_WIN:
        return Cue.WIN_LARGE
    return Cue.WIN_MEDIUM if times >= MEDIUM_WIN else Cue.WIN_SMALL
