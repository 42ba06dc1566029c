"""The time of day, and whether it is valid.

A time is valid if it is not before this program was written, not before the newest valid time in the journal, and not
far ahead of the last valid time plus the time since. A time far ahead is valid if a time server confirms it: a computer
without a battery starts with an old time, which the network corrects. Without a time server the technician confirms the
time, and later times are compared with that one.
The order of records never depends on the time of day. The module knows no machine, no device and no money.
"""

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from cabinet.runtime.startup import RELEASED_MS

JUMP_MS = 5_000
"""A larger step of the clock is a jump; corrections are smaller."""
LEAP_MS = 3_600_000
"""How far a clock may go ahead without confirmation while the program runs."""
AWAY_MS = 7 * 24 * 3_600_000
"""How far a clock may go ahead without confirmation while the machine is off. A house closes for days; the shortest
expiry of a ticket is a month."""

SYNC_MARK = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd touches this file each time it has set the clock from a server."""
SYNC_MARK_HOLDS_MS = LEAP_MS
"""An older mark does not confirm the present time: timesyncd asks its server at least every 34 minutes."""
UNSURE_US = 16_000_000
"""The kernel's maximum error of a clock without a server, in microseconds."""
_MAX_ERROR = 3
"""The place of `maxerror` among the machine words of the kernel's `struct timex`."""
_TIMEX_WORDS = 64


class Doubt(Enum):
    """Why a time of day is not valid."""

    UNSET = "unset"
    BEHIND = "behind"
    AHEAD = "ahead"
    AHEAD_AT_START = "ahead at start"


# --- the system -------------------------------------------------------------------------------------------------


def read_wall_ms() -> int:
    """Returns the system's time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def read_confirmed(mark: Path = SYNC_MARK) -> bool:
    """True if a time server confirms the system's clock now."""
    try:
        marked_ms = mark.stat().st_mtime_ns // 1_000_000
    except OSError:
        marked_ms = None
    return is_confirmed(max_error_us=read_max_error_us(), marked_ms=marked_ms, wall_ms=read_wall_ms())


def read_max_error_us() -> int | None:
    """Returns the kernel's maximum error of its clock, in microseconds; None without permission (`ProtectClock=`)."""
    words = (ctypes.c_long * _TIMEX_WORDS)()
    try:
        refused = ctypes.CDLL(None).adjtimex(ctypes.byref(words)) < 0
    except (OSError, AttributeError):
        return None
    return None if refused else int(words[_MAX_ERROR])


def is_confirmed(*, max_error_us: int | None, marked_ms: int | None, wall_ms: int) -> bool:
    """True if the kernel's error or the mark of timesyncd shows that a server sets this clock.

    A change by hand raises the kernel's error and leaves the mark at the old time.
    """
    if max_error_us is not None and max_error_us < UNSURE_US:
        return True
    return marked_ms is not None and abs(wall_ms - marked_ms) <= SYNC_MARK_HOLDS_MS


def _never() -> bool:
    return False


# --- the judgement ----------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Clock:
    """The time of day and whether it is valid. Call `check` about once a second."""

    wall_ms: Callable[[], int]
    floor_ms: int
    """The newest valid time in the journal since the technician's last confirmation; 0 for none."""
    confirmed: Callable[[], bool] = _never
    """True if a time server confirms the time of day now."""
    doubt: str = ""
    """Why the time at the last check is not valid, for the attendant; empty for a valid time."""
    moment: tuple[int, bool] = (0, False)
    """The time of day at the last check, and whether it was valid."""
    _kind: Doubt | None = None
    _seen: tuple[int, float] | None = None
    """Time of day and `now` of the last check."""
    _believed: tuple[int, float] | None = None
    """The same, of the last check with a valid time of day."""
    _first_s: float | None = None
    """`now` of the first check."""

    @property
    def is_unset(self) -> bool:
        """True if the time at the last check is before this program was written; the technician cannot confirm it."""
        return self._kind is Doubt.UNSET

    @property
    def believed_ms(self) -> int:
        """Returns the time of day at the last check; 0 while it is not valid."""
        wall_ms, believed = self.moment
        return wall_ms if believed else 0

    def ok(self, wall_ms: int, now: float) -> bool:
        """True if this time of day is valid at `now`."""
        return self.judge(wall_ms, now) is None

    def judge(self, wall_ms: int, now: float) -> Doubt | None:
        """Returns why this time of day is not valid at `now`; None for a valid one."""
        if wall_ms < RELEASED_MS:
            return Doubt.UNSET
        if wall_ms < self.floor_ms - JUMP_MS:
            return Doubt.BEHIND
        ahead_ms = wall_ms - self._expected_ms(now) if self.floor_ms else 0
        if ahead_ms <= (AWAY_MS if self._believed is None else LEAP_MS) or self.confirmed():
            return None
        return Doubt.AHEAD_AT_START if self._believed is None else Doubt.AHEAD

    def check(self, now: float) -> int:
        """Checks the clock; returns its jump since the last check in seconds, 0 for none."""
        wall_ms = self.wall_ms()
        drift_ms = 0 if self._seen is None else wall_ms - _grown(self._seen, now)
        self._first_s = now if self._first_s is None else self._first_s
        self._seen = wall_ms, now
        kind = self.judge(wall_ms, now)
        if kind is not self._kind:
            self._kind, self.doubt = kind, self._words(kind, wall_ms, now)
        self.moment = wall_ms, kind is None
        if kind is None:
            self._believe(wall_ms, now)
        return round(drift_ms / 1_000) if abs(drift_ms) >= JUMP_MS else 0

    def confirm(self, wall_ms: int, now: float) -> None:
        """Applies the technician's durable confirmation: this time is valid, and replaces newer recorded times."""
        self.floor_ms = wall_ms
        self._believe(wall_ms, now)

    def _believe(self, wall_ms: int, now: float) -> None:
        self._believed = wall_ms, now
        self.floor_ms = max(self.floor_ms, wall_ms)

    def _expected_ms(self, now: float) -> int:
        """Returns the expected time of day, from the last valid time of this run or else of the journal."""
        first_s = now if self._first_s is None else self._first_s
        return _grown(self._believed or (self.floor_ms, first_s), now)

    def _words(self, kind: Doubt | None, wall_ms: int, now: float) -> str:
        went = f"the clock went from {_as_text(self._expected_ms(now))} to {_as_text(wall_ms)}"
        match kind:
            case Doubt.UNSET:
                return "the clock has not been set"
            case Doubt.BEHIND:
                return f"the clock is behind the newest time in the records, {_as_text(self.floor_ms)}"
            case Doubt.AHEAD:
                return f"{went} at once, and no time server confirms it"
            case Doubt.AHEAD_AT_START:
                return f"{went} while the machine was off, and no time server confirms it"
            case None:
                return ""


def _grown(seen: tuple[int, float], now: float) -> int:
    """Returns the time of day now of a clock that showed `seen`."""
    wall_ms, then = seen
    return wall_ms + round((now - then) * 1_000)


def _as_text(wall_ms: int) -> str:
    return f"{datetime.fromtimestamp(wall_ms / 1_000, tz=UTC).astimezone():%d %b %Y %H:%M}"
