"""The time of a player's session: since when it lasts, when the player's own limit is up, when it is over.

Rules that hold: everything noticed is a fact for the machine; the time of day is told only while it can be believed,
and one that becomes believed later is counted back to when the session really began. A limit is kept even while nobody
knows the time of day: then the time since this program met the session counts.
Does not know money beyond whether any of the player's is in the machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.engine.inputs import Fact, SessionBegan, SessionEnded, TimeLimitReached
from cabinet.engine.session import held_cents, lasted_s
from cabinet.engine.state import Machine, Session


@dataclass(slots=True, kw_only=True)
class SessionWatch:
    """Looks after one session after another."""

    gap_s: float
    """A session is over when no money of the player's has been there for so long."""
    _none_seen: bool = False
    """Whether there was no session at the last look: then one that is there now has just begun."""
    _met_s: float | None = None
    """When the session under way was first seen."""
    _seen_to_begin: bool = False
    _empty_since_s: float | None = None

    def facts(self, machine: Machine, now: float, wall_ms: int, *, clock_ok: bool) -> Iterator[Fact]:
        """What the machine has to be told of its session now."""
        session = machine.session
        if session is None:
            self._none_seen, self._met_s, self._empty_since_s = True, None, None
            return
        if self._met_s is None:
            self._met_s, self._seen_to_begin, self._none_seen = now, self._none_seen, False
        if session.began_ms is None and self._seen_to_begin and clock_ok:
            yield SessionBegan(at_ms=wall_ms - round((now - self._met_s) * 1_000))
        elif self._time_is_up(session, now, wall_ms if clock_ok else None):
            yield TimeLimitReached()
        if self._is_over(machine, now):
            self._met_s, self._none_seen = None, True
            yield SessionEnded()

    def _time_is_up(self, session: Session, now: float, wall_ms: int | None) -> bool:
        if not session.time_limit_s or session.time_is_up or self._met_s is None:
            return False
        told_s = None if wall_ms is None else lasted_s(session, wall_ms)
        return (now - self._met_s if told_s is None else told_s) >= session.time_limit_s

    def _is_over(self, machine: Machine, now: float) -> bool:
        if held_cents(machine) or machine.document_in_path:
            self._empty_since_s = None
            return False
        if self._empty_since_s is None:
            self._empty_since_s = now
        return now - self._empty_since_s >= self.gap_s
