"""One thread per serial line: moves bytes between a link and a protocol, orders in, events out.

Rules:
- Only the pump uses its protocol and its link; other threads hand orders in and get events out.
- One turn: read, receive, apply orders, tick when due, write, deliver the events. An order ends the wait of the read,
  so it is applied at once, and an idle line costs no time.
- When a line is gone or cannot be opened, the pump calls `closed`, tries again after 0.5 s, doubling to 5 s, and
  calls `opened` when the line is back. The log has it at once, then rarely.
- Any other exception is a program error: it is kept in `failure` and handed to `failed`, and the pump ends. So a
  failure is always reported and always stops the pump.
- A pump runs once. After `stop` the pump still sends earlier orders for a moment, so that an inhibit
  arrives during shutdown.

Knows no protocol and no meaning of an event.
"""

import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from drivers.errors import LineError, LineGoneError
from drivers.protocol import WireProtocol
from drivers.serial_link import Link

EventT = TypeVar("EventT")
OrderT = TypeVar("OrderT")

LONGEST_READ_S = 0.25
FIRST_BACK_OFF_S = 0.5
LONGEST_BACK_OFF_S = 5.0
"""Seconds between two attempts to open a line: each pause is twice the one before, up to the longest."""
STOP_GRACE_S = 0.3
"""Seconds from `stop` to the end of the line, for the last orders and what the device still answers."""
FIRST_REMINDER_S = 60.0
LONGEST_REMINDER_S = 3600.0

_log = logging.getLogger(__name__)


class OutageLog:
    """Logs a line that is gone: at once, after a minute, then ever more rarely, and when bytes arrive again."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._since: float | None = None
        self._next = 0.0

    def report(self, reason: Exception, now: float) -> None:
        """Logs that the line is gone, or still gone."""
        if self._since is None:
            self._since, self._next = now, now + FIRST_REMINDER_S
            _log.warning("pump %s: %s", self._name, reason)
        elif now >= self._next:
            away_s = now - self._since
            self._next = now + min(away_s, LONGEST_REMINDER_S)
            _log.warning("pump %s: for %.0f s so far: %s", self._name, away_s, reason)

    def end(self, now: float) -> None:
        """Logs that bytes arrived again."""
        if self._since is not None:
            _log.warning("pump %s: the line is back after %.0f s", self._name, now - self._since)
            self._since = None


class Pump(Generic[EventT, OrderT]):
    """Runs one protocol on one line.

    `open_line` opens the line or raises LineError. `deliver` gets each event and `failed` the exception of a program
    error; both run in the pump's thread, so they should only put it in a queue. `stop_grace_s` is the time for the last
    orders.
    """

    def __init__(
        self,
        name: str,
        protocol: WireProtocol[EventT, OrderT],
        open_line: Callable[[], Link],
        deliver: Callable[[EventT], None],
        *,
        failed: Callable[[BaseException], None],
        stop_grace_s: float = STOP_GRACE_S,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self.name = name
        self.failure: BaseException | None = None
        self.last_alive = clock()
        self.connected = False
        self._protocol = protocol
        self._open_line = open_line
        self._deliver = deliver
        self._failed = failed
        self._stop_grace_s = stop_grace_s
        self._clock = clock
        self._wait = wait
        self._orders: SimpleQueue[OrderT] = SimpleQueue()
        self._link: Link | None = None
        self._outage = OutageLog(name)
        self._thread = threading.Thread(target=self._run, name=f"pump {name}", daemon=True)
        self._stopping = threading.Event()
        self._stop_at: float | None = None
        self._started = threading.Lock()

    def start(self) -> None:
        """Starts the thread; a second call has no effect."""
        if self._started.acquire(blocking=False):
            self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> bool:
        """Sends the last orders, closes the line and ends the thread. Returns True when it has ended in time."""
        self._stopping.set()
        self._wake()
        if not self._thread.ident:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def order(self, order: OrderT) -> None:
        """Hands an order to the protocol, from any thread; it is applied at once."""
        self._orders.put(order)
        self._wake()

    def _wake(self) -> None:
        link = self._link
        if link is not None:
            link.wake()

    def _run(self) -> None:
        try:
            while not self._ending():
                self._converse()
        except BaseException as failure:  # noqa: BLE001 - a program error: kept, reported, and the end of this pump
            _log.critical("pump %s stops after a program error", self.name, exc_info=failure)
            self.failure = failure
            self._failed(failure)
        finally:
            self.connected = False

    def _converse(self) -> None:
        link = self._connect()
        if link is None:
            return
        try:
            self.connected = True
            self._link = link
            self._protocol.opened(self._clock())
            self._exchange(link)
            while not self._ending():
                self._turn(link)
        except LineGoneError as gone:
            self._outage.report(gone, self._clock())
            self._report_closed()
        finally:
            self.connected = False
            self._link = None
            self._close(link)
        self._rest(FIRST_BACK_OFF_S)

    def _connect(self) -> Link | None:
        back_off_s = FIRST_BACK_OFF_S
        while not self._stopping.is_set():
            try:
                link = self._open_line()
            except LineError as reason:
                self._outage.report(reason, self._clock())
                self._report_closed()
                self._rest(back_off_s)
                back_off_s = min(back_off_s * 2, LONGEST_BACK_OFF_S)
            else:
                _log.info("pump %s: line open", self.name)
                return link
        return None

    def _rest(self, seconds: float) -> None:
        """Waits without the line, applies orders, and stays alive for the watchdog."""
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0 and not self._wait(self._stopping, min(left, LONGEST_READ_S)):
            self._take_orders()
            self._hand_over_events()

    def _turn(self, link: Link) -> None:
        data = link.read(self._patience())
        if data:
            self._outage.end(self._clock())
            self._protocol.receive(data, self._clock())
        self._take_orders()
        due, now = self._protocol.due(), self._clock()
        if due is not None and due <= now:
            self._protocol.tick(now)
        self._exchange(link)

    def _exchange(self, link: Link) -> None:
        if owed := self._protocol.bytes_to_send():
            link.write(owed)
        self._hand_over_events()

    def _patience(self) -> float:
        ends = [self._clock() + LONGEST_READ_S, self._protocol.due(), self._stop_at]
        return max(0.0, min(end for end in ends if end is not None) - self._clock())

    def _take_orders(self) -> None:
        try:
            while True:
                self._protocol.order(self._orders.get_nowait(), self._clock())
        except Empty:
            return

    def _hand_over_events(self) -> None:
        for event in self._protocol.events():
            self._deliver(event)
        self.last_alive = self._clock()

    def _report_closed(self) -> None:
        self.connected = False
        self._protocol.closed(self._clock())
        self._hand_over_events()

    def _ending(self) -> bool:
        """Returns True if the time for the last orders is over."""
        if not self._stopping.is_set():
            return False
        if not self.connected:
            return True
        if self._stop_at is None:
            self._stop_at = self._clock() + self._stop_grace_s
        return self._clock() >= self._stop_at

    def _close(self, link: Link) -> None:
        try:
            link.close()
        except LineGoneError as gone:
            _log.info("pump %s: %s", self.name, gone)
