"""The simulated pulse acceptor as a device on a wire in virtual time: its pins reported as a pulse line's records."""

from collections import deque

from drivers.bills.pulse.line import RELEASE, PulseProtocol, write_edge, write_found
from drivers.panel.pulse_link import INHIBIT_AFTER_S
from drivers.simulated.note_path import Timings
from drivers.simulated.pulses import PulseAcceptor

NOTES = {1: 100, 5: 500, 10: 1_000, 20: 2_000}
"""Pulses and cents. All are notes that the cabinet takes: otherwise it would never let one in."""


class _Pin:
    """A pin of a mock board: held from outside, or driven by us."""

    def __init__(self) -> None:
        self.function, self.state = "output", False
        self.moves: deque[tuple[bool, float]] = deque()

    def hold(self, level: bool, *, late_s: float = 0.0) -> None:
        if level is not self.state:
            self.state = level
            self.moves.append((level, late_s))


class _Pins:
    def __init__(self) -> None:
        self.pins = (_Pin(), _Pin())

    def pin(self, number: int) -> _Pin:
        return self.pins[number]


class PulseUnit:
    """The unit, its wires, and the board that stamps edges. Inhibited after a while without orders."""

    def __init__(self) -> None:
        board = _Pins()
        self._pulse, self._release = board.pins
        self.unit = PulseAcceptor({cents: count for count, cents in NOTES.items()}, board, pulse=0, release=1)
        self.unit.timings = Timings(stacking_s=0.3)
        self._pulse.moves.clear()
        self._now = 0.0
        self._spoken_s = 0.0
        self._owed = b""

    @property
    def stacked(self) -> list[int]:
        """The notes in the box."""
        return self.unit.stacked

    @property
    def returned(self) -> list[int]:
        """The notes that were not drawn in."""
        return self.unit.returned

    @property
    def enabled(self) -> bool:
        """True if it would draw a note in."""
        return self.unit.enabled

    @property
    def phase(self) -> str:
        """As of units with an escrow, which this is not."""
        return ""

    def insert(self, value_cents: int) -> bool:
        """Puts a note in."""
        return self.unit.insert(value_cents)

    def power_cut(self) -> None:
        """A note on its way goes into the box untold, the rest of a train is never sent."""
        self.unit.power_cut()

    def found(self) -> None:
        """The cabinet opens the line: it looks at the level first, and knows no edge of before."""
        self._pulse.moves.clear()
        self._owed = write_found(self._pulse.state, self._now)

    def receive(self, data: bytes, now: float) -> None:
        self.tick(now)
        self._spoken_s = now
        self._release.state = data[-1:] == RELEASE

    def tick(self, now: float) -> None:
        self._now = now
        if now >= self._spoken_s + INHIBIT_AFTER_S:
            self._release.state = False
        self.unit.tick(now)
        if self._pulse.moves:
            self._release.state = False
        while self._pulse.moves:
            level, late_s = self._pulse.moves.popleft()
            self._owed += write_edge(level, now - late_s)

    def due(self) -> float | None:
        return self.unit.due()

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


def host() -> PulseProtocol:
    """The host that counts."""
    return PulseProtocol(NOTES, currency="USD")
