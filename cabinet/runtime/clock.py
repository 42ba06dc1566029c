"""The time of day and whether it can be believed.

A time is believed when it is not before this program was written, not before the newest believed time in the journal,
and not far ahead of where the last believed time has got to since. A time far ahead is believed when a time server
confirms it: a computer without a battery starts with an old time, and the network then puts it right. Without a time
server the technician confirms the time; every later time is then judged by that one.
The order of records never depends on the time of day. Does not know the machine, devices or money.
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
"""A clock that is put right moves by less; more than this is a jump."""
LEAP_MS = 3_600_000
"""While the program runs, a clock may go ahead by this much without a confirmation."""
AWAY_MS = 7 * 24 * 3_600_000
"""While the machine is off, a clock may go ahead by this much without a confirmation. A house closes for days; a month
is the shortest time in which a ticket expires."""

SYNC_MARK = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd touches this file each time it has set the clock by a server."""
SYNC_MARK_HOLDS_MS = LEAP_MS
"""An older mark says nothing about the present time: timesyncd asks its server every 34 minutes or more often."""
UNSURE_US = 16_000_000
"""The kernel's greatest error of a clock that no server keeps right, in microseconds."""
_MAX_ERROR = 3
"""The place of `maxerror` among the machine words of the kernel's `struct timex`."""
_TIMEX_WORDS = 64


class Doubt(Enum):
    """Why a time of day is not believed."""

    UNSET = "unset"
    BEHIND = "behind"
    AHEAD = "ahead"
    AHEAD_AT_START = "ahead at start"


# --- the system -------------------------------------------------------------------------------------------------


def read_wall_ms() -> int:
    """The time of day in milliseconds since 1970, as the system has it."""
    return time.time_ns() // 1_000_000


def read_confirmed(mark: Path = SYNC_MARK) -> bool:
    """Whether a time server confirms the system's clock now."""
    try:
        marked_ms = mark.stat().st_mtime_ns // 1_000_000
    except OSError:
        marked_ms = None
    return is_confirmed(max_error_us=read_max_error_us(), marked_ms=marked_ms, wall_ms=read_wall_ms())


def read_max_error_us() -> int | None:
    """The kernel's greatest error of its clock, in microseconds; None where it may not be asked (`ProtectClock=`)."""
    words = (ctypes.c_long * _TIMEX_WORDS)()
    try:
        refused = ctypes.CDLL(None).adjtimex(ctypes.byref(words)) < 0
    except (OSError, AttributeError):
        return None
    return None if refused else int(words[_MAX_ERROR])


def is_confirmed(*, max_error_us: int | None, marked_ms: int | None, wall_ms: int) -> bool:
    """Whether the kernel's error or the mark of timesyncd says that a server keeps this time right.

    Setting the clock by hand makes the kernel unsure, and leaves the mark at the time before.
    """
    if max_error_us is not None and max_error_us < UNSURE_US:
        return True
    return marked_ms is not None and abs(wall_ms - marked_ms) <= SYNC_MARK_HOLDS_MS


def _never() -> bool:
    return False


# --- the judgement ----------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Clock:
    """The time of day and whether it can be believed. `look` must be called about once a second."""

    wall_ms: Callable[[], int]
    floor_ms: int
    """The newest believed time in the journal since the technician last confirmed one; 0 for none."""
    confirmed: Callable[[], bool] = _never
    """Whether a time server confirms the time of day now."""
    doubt: str = ""
    """Why the time at the last look is not believed, for the attendant; empty when it is."""
    moment: tuple[int, bool] = (0, False)
    """The time of day at the last look, and whether it was believed."""
    _kind: Doubt | None = None
    _seen: tuple[int, float] | None = None
    """Time of day and `now` of the last look."""
    _believed: tuple[int, float] | None = None
    """The same, of the last look at which the time of day was believed."""
    _first_s: float | None = None
    """`now` of the first look."""

    @property
    def is_unset(self) -> bool:
        """Whether the time at the last look is before this program was written: no person can confirm it."""
        return self._kind is Doubt.UNSET

    @property
    def believed_ms(self) -> int:
        """The time of day at the last look; 0 while it is not believed."""
        wall_ms, believed = self.moment
        return wall_ms if believed else 0

    def ok(self, wall_ms: int, now: float) -> bool:
        """Whether this time of day can be believed at `now`."""
        return self.judge(wall_ms, now) is None

    def judge(self, wall_ms: int, now: float) -> Doubt | None:
        """Why this time of day cannot be believed at `now`; None when it can."""
        if wall_ms < RELEASED_MS:
            return Doubt.UNSET
        if wall_ms < self.floor_ms - JUMP_MS:
            return Doubt.BEHIND
        ahead_ms = wall_ms - self._expected_ms(now) if self.floor_ms else 0
        if ahead_ms <= (AWAY_MS if self._believed is None else LEAP_MS) or self.confirmed():
            return None
        return Doubt.AHEAD_AT_START if self._believed is None else Doubt.AHEAD

    def look(self, now: float) -> int:
        """Look at the clock; by how many seconds it has jumped since the last look, 0 for not at all."""
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
        """The technician has confirmed this time, durably: it is believed, and newer times before it count no more."""
        self.floor_ms = wall_ms
        self._believe(wall_ms, now)

    def _believe(self, wall_ms: int, now: float) -> None:
        self._believed = wall_ms, now
        self.floor_ms = max(self.floor_ms, wall_ms)

    def _expected_ms(self, now: float) -> int:
        """Where the last believed time has got to: that of this run, otherwise the newest in the journal."""
        first_s = now if self._first_s is None else self._first_s
        return _grown(self._believed or (self.floor_ms, first_s), now)

    def _words(self, kind: Doubt | None, wall_ms: int, now: float) -> str:
        went = f"the clock went from {_told(self._expected_ms(now))} to {_told(wall_ms)}"
        match kind:
            case Doubt.UNSET:
                return "the clock has not been set"
            case Doubt.BEHIND:
                return f"the clock is behind the newest time in the records, {_told(self.floor_ms)}"
            case Doubt.AHEAD:
                return f"{went} at once, and no time server confirms it"
            case Doubt.AHEAD_AT_START:
                return f"{went} while the machine was off, and no time server confirms it"
            case None:
                return ""


def _grown(seen: tuple[int, float], now: float) -> int:
    """What a clock that showed this then must show now."""
    wall_ms, then = seen
    return wall_ms + round((now - then) * 1_000)


def _told(wall_ms: int) -> str:
    return f"{datetime.fromtimestamp(wall_ms / 1_000, tz=UTC).astimezone():%d %b %Y %H:%M}"
