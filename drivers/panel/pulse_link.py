"""The two wires of a pulse acceptor as a link that a pump can own.

Rules:
- Every change of the pulse wire is read as one record of `drivers.bills.pulse.line`; the first says how the wire was
  found.
- A written byte releases the acceptor for INHIBIT_AFTER_S or inhibits it. Nobody writing inhibits it, and so does
  closing: notes are taken only while the pump lives and says so.
- An edge inhibits, before anybody is asked: while a train runs no further note may be drawn in. A release that was
  decided on before the edge was read does not count.
- The link is made with its pins, before the pump runs, so that a pin that cannot be had is told at the start.

Does not know: what the records mean, gpiozero.
"""

from queue import Empty, SimpleQueue
from typing import Any

from drivers.bills.pulse.line import RELEASE, write_edge, write_found
from drivers.panel.gpio import PulsePins
from drivers.panel.inhibit import InhibitLine
from drivers.panel.layout import Level

INHIBIT_AFTER_S = 1.0


class PulseLink:
    """An open link. Raises `ConfigurationError` when a pin cannot be had; a `Link` from then on."""

    def __init__(self, *, pulse: int, release: int, active: Level, factory: Any) -> None:
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._pins = PulsePins(pulse, release, self.wake, factory, active=active)
        self._inhibit = InhibitLine(self._pins.release, alive_s=INHIBIT_AFTER_S)
        self._owed = write_found(self._pins.level(), self._pins.now())

    def read(self, max_wait_s: float) -> bytes:
        """Records as soon as there are some; empty when none came in time."""
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
        """The last byte counts."""
        if data[-1:] == RELEASE and not self._pins.has_edges():
            self._inhibit.release(self._pins.now())
        else:
            self._inhibit.inhibit()

    def wake(self) -> None:
        """End a `read` that is waiting."""
        self._bell.put(None)

    def close(self) -> None:
        """Inhibit and let the pins go."""
        self._inhibit.close()
        self._pins.close()

    def _wait(self, max_wait_s: float) -> None:
        """Until something happens, or until the inhibit is due."""
        due_s = self._inhibit.due()
        left_s = max_wait_s if due_s is None else min(max_wait_s, max(0.0, due_s - self._pins.now()))
        try:
            self._bell.get(timeout=left_s) if left_s > 0 else self._bell.get_nowait()
            while True:
                self._bell.get_nowait()
        except Empty:
            return
