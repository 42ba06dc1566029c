"""Decides whether the cabinet is alive, and reports it to the service manager.

Rules:
- The watchdog is fed only while every part has reported within its limit: the store, the pump of each serial line, the
  last finished frame. A thread that only sleeps and feeds would prove nothing.
- The cabinet's thread feeds at the end of a turn, so a hanging turn does not feed. The store reports the beginning of
  the last finished turn: a turn with slow commits does not feed.
- The frame's limit is long, because switching a monitor takes time; but a cabinet that takes money behind a dead screen
  must restart.
- The status names a stale part, so the system's journal has the reason of a restart.
- Long work on the books (a check or a drop of very many rows) reports its progress and feeds: it ends, because each
  report is about further rows.
- A report to the service manager never blocks and never fails: the money path does not depend on process 1.

Does not know: the work of the parts, threads, the hardware watchdog behind the service manager.

Source of the protocol: sd_notify(3) and sd_watchdog_enabled(3) of systemd.
"""

import os
import socket
from collections.abc import Mapping

STORE = "store"
FRAME = "last frame"
STORE_LIMIT_S = 5.0
LINE_LIMIT_S = 5.0
FRAME_LIMIT_S = 30.0
STARTING_S = 60.0
"""How long the service manager waits for the next report of a start, in seconds; a Pi checks 20,000 rows in a few."""


def name_line(line: str) -> str:
    """Returns the name under which the pump of a serial line reports."""
    return f"{line} line"


def make_limits(*lines: str) -> dict[str, float]:
    """Returns how long each part may be silent, in seconds, for a cabinet with these serial lines."""
    return {STORE: STORE_LIMIT_S, **{name_line(line): LINE_LIMIT_S for line in lines}, FRAME: FRAME_LIMIT_S}


def may_feed(now: float, beats: Mapping[str, float], limits: Mapping[str, float]) -> str | None:
    """Returns None if every part in `limits` has reported in time, else a sentence naming each that has not.

    `beats` holds when each part last reported, monotonic seconds; a part that is missing there has never reported.
    """
    stale = [
        _describe(part, now, beats.get(part), limit_s)
        for part, limit_s in limits.items()
        if part not in beats or now - beats[part] > limit_s
    ]
    return "; ".join(stale) or None


def _describe(part: str, now: float, beat_s: float | None, limit_s: float) -> str:
    if beat_s is None:
        return f"{part}: never reported (limit {limit_s:.0f} s)"
    return f"{part}: silent for {now - beat_s:.1f} s (limit {limit_s:.0f} s)"


class Health:
    """The time of each part's last report. At the start, `now`, every part counts as having reported.

    Any thread may call `beat`; each part has one thread.
    """

    def __init__(self, limits: Mapping[str, float], now: float) -> None:
        self._limits = dict(limits)
        self._beats = dict.fromkeys(limits, now)

    def beat(self, part: str, now: float) -> None:
        """Records that a part is alive. Raises KeyError for a part without a limit."""
        if part not in self._limits:
            raise KeyError(f"{part!r} is not watched; watched are {', '.join(self._limits)}")
        self._beats[part] = now

    def complaint(self, now: float) -> str | None:
        """Returns the result of `may_feed` for the parts now."""
        return may_feed(now, self._beats, self._limits)


class ServiceManager:
    """Speaks to systemd through the datagram socket named in NOTIFY_SOCKET; silent when there is none."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the NUL of an abstract socket.
        self._address = f"\0{path[1:]}" if path.startswith("@") else path

    def ready(self) -> None:
        """Reports that the cabinet is up: the start is over, and the watchdog counts from now."""
        self._send("READY=1")

    def at_work(self, text: str) -> None:
        """Reports the progress of long work on the books: it feeds the watchdog and extends a start by `STARTING_S`."""
        extended = f"EXTEND_TIMEOUT_USEC={round(STARTING_S * 1_000_000)}"
        self._send(f"WATCHDOG=1\n{extended}\nSTATUS={' '.join(text.split())}")

    def feed(self) -> None:
        """Feeds the watchdog for one period."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Sets the status line of `systemctl status`."""
        self._send(f"STATUS={' '.join(text.split())}")

    def stopping(self) -> None:
        """Reports an intended shutdown."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.setblocking(False)
                sender.sendto(message.encode(), self._address)
        except OSError:
            # A lost report has the right consequence: the watchdog expires.
            return


def read_watchdog_interval(environment: Mapping[str, str] = os.environ, pid: int | None = None) -> float | None:
    """Returns how often to feed, in seconds: a third of the period in WATCHDOG_USEC. None if no watchdog is set.

    A WATCHDOG_PID that is not ours means that the watchdog is meant for another process. Raises ValueError if a
    variable is not a number.
    """
    period_us = int(environment.get("WATCHDOG_USEC", "0"))
    meant_for = environment.get("WATCHDOG_PID")
    if period_us <= 0 or (meant_for is not None and int(meant_for) != (os.getpid() if pid is None else pid)):
        return None
    return period_us / 3_000_000


class Watchdog:
    """Feeds the service manager's watchdog every `interval_s` while no part is stale; None never feeds."""

    def __init__(self, manager: ServiceManager, interval_s: float | None) -> None:
        self._manager = manager
        self._interval_s = interval_s
        self._due_s = float("-inf")
        self._complaint: str | None = None

    def due(self) -> float | None:
        """Returns when `tick` should be called next, monotonic seconds; None if never."""
        return None if self._interval_s is None else self._due_s

    def tick(self, health: Health, now: float) -> str | None:
        """Feeds if it is due and no part is stale. Returns a new complaint once, for the log; otherwise None."""
        if self._interval_s is None or now < self._due_s:
            return None
        self._due_s = now + self._interval_s
        complaint, before = health.complaint(now), self._complaint
        self._complaint = complaint
        if complaint is None:
            self._manager.feed()
            if before:
                self._manager.status("all parts report again")
            return None
        self._manager.status(f"not feeding the watchdog: {complaint}")
        return None if before else complaint
