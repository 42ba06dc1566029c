"""The timer of a player's session: its beginning, the player's time limit, its end.

Rules: each finding is a fact for the machine. The beginning is reported only with a valid time of day; if the clock
becomes valid later, the beginning is computed back from it. A limit also works without a valid clock: then the time
since the first sight of the session counts.
Of money the module knows only whether any is in the machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.engine.inputs import Fact, SessionBegan, SessionEnded, TimeLimitReached
from cabinet.engine.session import held_cents, lasted_s
from cabinet.engine.state import Machine, Session


@dataclass(slots=True, kw_only=True)
class SessionWatch:
    """The timer of one session after another."""

    gap_s: float
    """Seconds without money in the machine that end a session."""
    _none_seen: bool = False
    """True if there was no session at the last check; then a present session has just begun."""
    _met_s: float | None = None
    """The first sight of the present session."""
    _seen_to_begin: bool = False
    _empty_since_s: float | None = None

    def facts(self, machine: Machine, now: float, wall_ms: int, *, clock_ok: bool) -> Iterator[Fact]:
        """Yields the facts about the session now."""
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
        wall_s = None if wall_ms is None else lasted_s(session, wall_ms)
        return (now - self._met_s if wall_s is None else wall_s) >= session.time_limit_s

    def _is_over(self, machine: Machine, now: float) -> bool:
        if held_cents(machine) or machine.acceptor.in_path is not None:
            self._empty_since_s = None
            return False
        if self._empty_since_s is None:
            self._empty_since_s = now
        return now - self._empty_since_s >= self.gap_s
