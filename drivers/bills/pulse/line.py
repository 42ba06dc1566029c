"""A pulse acceptor in the shape of a wire protocol, so that the same pump runs it and the same heart hears it.

What comes in are records of nine bytes, one for each change of the pulse wire: what it is, and when it was (monotonic
seconds, as the kernel stamped it). What goes out is one byte at a time: let the acceptor take notes, or inhibit it.

    in    "l" or "h" + time     the line was found at that level: the watching begins
          "L" or "H" + time     the line went to that level; H is its idle level
    out   01                    take notes; said again every SAY_AGAIN_S, silence inhibits
          00                    take none

Rules:
- Inhibited until the cabinet has ordered otherwise, and again as soon as the line is closed.
- A train that is not over is no event of an acceptor: how far it has come goes into the log, for whoever has to find
  out after a crash what was put in. It is never money.

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
    """The record of the level at which the line was found; True is idle."""
    return _RECORD.pack(b"h" if level else b"l", at_s)


def write_edge(level: bool, at_s: float) -> bytes:
    """The record of a change to this level."""
    return _RECORD.pack(b"H" if level else b"L", at_s)


class PulseProtocol:
    """A `WireProtocol` around the counter; `notes` says what so many pulses are worth in cents."""

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
        """None to speak of."""
        return NO_LINE

    def opened(self, now: float) -> None:
        """The wires are ours; the first record says how the line was found."""
        self._now, self._sent_release, self._received = now, None, b""

    def closed(self, now: float) -> None:
        """Half a record means nothing any more."""
        self._now, self._received = now, b""

    def receive(self, data: bytes, now: float) -> None:
        """Records, cut anywhere. One that is none is passed over."""
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
        """What the cabinet wants."""
        self._now = now
        self._counter.order(order)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._now = now
        self._counter.tick(now)

    def due(self) -> float | None:
        """When `tick` must be called next."""
        times = [self._counter.due(), self._repeat_at_s if self._sent_release else None]
        return min((each for each in times if each is not None), default=None)

    def bytes_to_send(self) -> bytes:
        """Whether notes may be taken: at every change, and again and again while they may."""
        released = self._counter.released
        if released is self._sent_release and not (released and self._now >= self._repeat_at_s):
            return b""
        self._sent_release = released
        self._repeat_at_s = self._now + REPEAT_S
        return RELEASE if released else INHIBIT

    def events(self) -> list[BillEvent]:
        """What an acceptor reports."""
        out: list[BillEvent] = []
        for event in self._counter.events():
            if isinstance(event, Counting):
                _log.warning("acceptor: %d pulses since %.3f s, the train goes on", event.pulses, event.since_s)
            else:
                out.append(event)
        return out
