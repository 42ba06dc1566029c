"""The two wires of a pulse acceptor as a link for a pump.

Rules:
- Every change of the pulse wire is one record of `drivers.bills.pulse.line`; the first has the level at the opening.
- A written byte releases the acceptor for INHIBIT_AFTER_S or inhibits it. Without a write, and after closing, it is
  inhibited: it accepts notes only while the pump runs and repeats the release.
- An edge inhibits at once: no further note may be accepted while a train runs. A release that was decided before the
  edge was read does not count.
- The link opens its pins before the pump runs, so that an unusable pin is reported at the start.

Knows no meaning of the records and no gpiozero.
"""

from queue import Empty, SimpleQueue
from typing import Any

from drivers.bills.pulse.line import RELEASE, write_edge, write_found
from drivers.panel.gpio import PulsePins
from drivers.panel.inhibit import InhibitLine
from drivers.panel.layout import Level

INHIBIT_AFTER_S = 1.0


class PulseLink:
    """An open `Link`. The constructor raises `ConfigurationError` when a pin cannot be opened."""

    def __init__(self, *, pulse: int, release: int, active: Level, factory: Any) -> None:
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._pins = PulsePins(pulse, release, self.wake, factory, active=active)
        self._inhibit = InhibitLine(self._pins.release, alive_s=INHIBIT_AFTER_S)
        self._owed = write_found(self._pins.level(), self._pins.now())

    def read(self, max_wait_s: float) -> bytes:
        """Returns records as soon as there are some; empty when none arrive in time."""
        if not self._owed:
            self._wait(max_wait_s)
        self._inhibit.tick(self._pins.now())
        edges = self._pins.edges()
        if edges:
            self._inhibit.inhibit()
        records = b"".join(write_edge(level, at_s) for level, at_s in edges)
        owed, self._owed = self._owed, b""
        return owed + records

    def write(self, data: bytes) -> None:
        """Applies the last byte of `data`."""
        if data[-1:] == RELEASE and not self._pins.has_edges():
            self._inhibit.release(self._pins.now())
        else:
            self._inhibit.inhibit()

    def wake(self) -> None:
        """Ends a waiting `read`."""
        self._bell.put(None)

    def close(self) -> None:
        """Inhibits the acceptor and releases the pins."""
        self._inhibit.close()
        self._pins.close()

    def _wait(self, max_wait_s: float) -> None:
        """Waits for an edge or a wake-up, or until the inhibit is due."""
        due_s = self._inhibit.due()
        left_s = max_wait_s if due_s is None else min(max_wait_s, max(0.0, due_s - self._pins.now()))
        try:
            self._bell.get(timeout=left_s) if left_s > 0 else self._bell.get_nowait()
            while True:
                self._bell.get_nowait()
        except Empty:
            return
