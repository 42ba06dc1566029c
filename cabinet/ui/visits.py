"""When a player's choices on the screen (language, volume, open page) are reset for the next player.

Rules: at once when attract begins, and READ_S after the last touch of an open page. After the end of a session READ_S
later, or when the next session begins, unless the screen was touched in between. Pure but for the machine's last state,
which it remembers. Reads no clock.
"""

from typing import Final

from cabinet.engine.state import Machine

READ_S: Final = 60.0
"""Seconds a page without money in the machine stays open without a further touch."""


class Visits:
    """Follows the players of one screen."""

    def __init__(self) -> None:
        self._attract = False
        self._in_session = False
        self._ended_s: float | None = None
        """When the last session ended; None while the choices belong to the present player."""

    def left(self, machine: Machine, now: float, touched_s: float) -> bool:
        """Returns True when the choices, last changed at `touched_s`, belong to a player who has left. Call it every
        frame."""
        attract_began, self._attract = machine.attract and not self._attract, machine.attract
        session_began, session_ended = self._change_of_session(machine)
        if session_ended:
            self._ended_s = now
        ended_s = self._ended_s
        if attract_began or session_began:
            self._ended_s = None
        if attract_began:
            return True
        if session_began:
            return ended_s is not None and touched_s <= ended_s
        since_s = touched_s if ended_s is None else max(touched_s, ended_s)
        return (machine.attract or ended_s is not None) and now - since_s >= READ_S

    def _change_of_session(self, machine: Machine) -> tuple[bool, bool]:
        was, self._in_session = self._in_session, machine.session is not None
        return self._in_session and not was, was and not self._in_session
