"""A pulse acceptor with the interface of a wire protocol, so that the same pump runs it.

Input: records of nine bytes, one for each change of the pulse wire: the kind, and the time (monotonic seconds,
stamped by the kernel). Output: one byte that releases or inhibits the acceptor.

    in    "l" or "h" + time     the line was found at that level: the watch begins
          "L" or "H" + time     the line went to that level; H is its idle level
    out   01                    accept notes; repeated every REPEAT_S, silence inhibits
          00                    inhibit

Rules:
- The acceptor is inhibited until the first `Take`, and again as soon as the line is closed.
- A running train is not an event: its pulses so far go into the log, as evidence after a crash. It is never money.

Knows no pins and no thread; `drivers.panel.pulse_link` is the other side of the records.
"""

import logging
import struct
from collections.abc import Mapping

from drivers.bills.events import BillEvent, BillOrder, Channel
from drivers.bills.pulse.host import Counting, PulseCounter, PulseTiming
from drivers.protocol import LineSettings

REPEAT_S = 0.3
RELEASE, INHIBIT = b"\x01", b"\x00"
NO_LINE = LineSettings(baud=0)
"""Pins have no line settings."""

_RECORD = struct.Struct(">cd")
_FOUND = {b"l": False, b"h": True}
_EDGES = {b"L": False, b"H": True}

_log = logging.getLogger(__name__)


def write_found(level: bool, at_s: float) -> bytes:
    """Returns the record of the level at which the line was found; True is idle."""
    return _RECORD.pack(b"h" if level else b"l", at_s)


def write_edge(level: bool, at_s: float) -> bytes:
    """Returns the record of a change to this level."""
    return _RECORD.pack(b"H" if level else b"L", at_s)


class PulseProtocol:
    """A `WireProtocol` around the counter; `notes` maps pulses to cents."""

    def __init__(self, notes: Mapping[int, int], *, currency: str, timing: PulseTiming | None = None) -> None:
        table = {
            pulses: Channel(number=number, value_cents=cents, currency=currency)
            for number, (pulses, cents) in enumerate(sorted(notes.items()), start=1)
        }
        self._counter = PulseCounter(table, timing=timing)
        self._received = b""
        self._now = 0.0
        self._sent_release: bool | None = None
        self._repeat_at_s = 0.0

    @property
    def line(self) -> LineSettings:
        """No line settings; the line is two pins."""
        return NO_LINE

    def opened(self, now: float) -> None:
        """Handles opened pins; the first record has the level of the wire."""
        self._now, self._sent_release, self._received = now, None, b""

    def closed(self, now: float) -> None:
        """Handles closed pins; drops half a record."""
        self._now, self._received = now, b""

    def receive(self, data: bytes, now: float) -> None:
        """Handles records, cut anywhere. Unknown records are skipped."""
        self._now = now
        self._received += data
        whole = len(self._received) // _RECORD.size * _RECORD.size
        records, self._received = self._received[:whole], self._received[whole:]
        for kind, at_s in _RECORD.iter_unpack(records):
            if kind in _FOUND:
                self._counter.opened(_FOUND[kind], at_s)
            elif kind in _EDGES:
                self._counter.edge(_EDGES[kind], at_s)

    def order(self, order: BillOrder, now: float) -> None:
        """Applies an order."""
        self._now = now
        self._counter.order(order)

    def tick(self, now: float) -> None:
        """Handles what is due at `now`."""
        self._now = now
        self._counter.tick(now)

    def due(self) -> float | None:
        """Returns when `tick` must be called next."""
        times = [self._counter.due(), self._repeat_at_s if self._sent_release else None]
        return min((each for each in times if each is not None), default=None)

    def bytes_to_send(self) -> bytes:
        """Returns release or inhibit at every change, and release again every REPEAT_S."""
        released = self._counter.released
        if released is self._sent_release and not (released and self._now >= self._repeat_at_s):
            return b""
        self._sent_release = released
        self._repeat_at_s = self._now + REPEAT_S
        return RELEASE if released else INHIBIT

    def events(self) -> list[BillEvent]:
        """Returns the events of the acceptor since the last call."""
        out: list[BillEvent] = []
        for event in self._counter.events():
            if isinstance(event, Counting):
                _log.warning("acceptor: %d pulses since %.3f s, the train goes on", event.pulses, event.since_s)
            else:
                out.append(event)
        return out
