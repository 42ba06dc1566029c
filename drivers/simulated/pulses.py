"""A simulated pulse acceptor: the far end of two wires, on mock pins.

It behaves like a real unit. It reads its release wire only when a note is put in, accepts every known note, stacks
it, and reports it once in pulses, with or without a host. A power cut stops it in the middle of a train.

Rules:
- It finishes the present note even when it is inhibited meanwhile, and draws no further note in while inhibited. A
  unit that `overlaps` draws the next note in while it still reports the last, and reports both without a gap between.
- A resistor holds an undriven release wire, and both ends of a pulled plug, at "inhibited".
- No clock: `tick` gets the time; pins change only inside `tick` and by a user action on the wire. An edge has the
  time at which it was due, even when `tick` is called late.

`stacked` and `returned` are the true notes, in cents. Knows no host.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any

from drivers.simulated.note_path import REAL, Timings


class PulseAcceptor:
    """One unit. `pulses` maps cents to the number of pulses of the note. The pins come from gpiozero's mock
    factory.

    A pulse is `low_s` long; `gap_s`, the seconds between two, is 0.1 for fast and 0.3 for slow pulses. Of the timings
    it uses `stacking_s`.
    """

    def __init__(
        self,
        pulses: Mapping[int, int],
        factory: Any,
        *,
        pulse: int,
        release: int,
        idle_high: bool = True,
        low_s: float = 0.05,
        gap_s: float = 0.1,
        overlaps: bool = False,
        timings: Timings = REAL,
    ) -> None:
        self.timings = timings
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self._pulses = dict(pulses)
        self._pulse_pin = factory.pin(pulse)
        self._release_pin = factory.pin(release)
        self._low_s, self._gap_s, self._overlaps = low_s, gap_s, overlaps
        self._now = 0.0
        self._under_way: tuple[int, float] | None = None
        self._moves: deque[tuple[float, bool]] = deque()
        self._next_low_s = 0.0
        self._idle_level = idle_high
        self._plugged = True
        self._pulse_pin.hold(idle_high)

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        driven = self._plugged and self._release_pin.function == "output" and bool(self._release_pin.state)
        return driven and self._under_way is None and (self._overlaps or not self._moves)

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not accept it."""
        if not self.enabled or value_cents not in self._pulses:
            self.returned.append(value_cents)
            return False
        self._under_way = (value_cents, self._now + self.timings.stacking_s)
        return True

    def disturb(self, *lows_s: float) -> None:
        """Puts lows of these lengths on the pulse wire, one after the other, with the gaps of pulses; a gap
        follows the last low, too."""
        for low_s in lows_s:
            at_s = max(self._now, self._next_low_s)
            self._moves += [(at_s, False), (at_s + low_s, True)]
            self._next_low_s = at_s + low_s + self._gap_s

    def short(self) -> None:
        """Shorts the pulse wire to ground."""
        self._end_train()
        self._drive(False)

    def repair(self) -> None:
        """Ends the short of the pulse wire."""
        self._drive(True)

    def power_cut(self) -> None:
        """Cuts the power: a note on its way goes into the box without a report, the rest of a train is never sent."""
        if self._under_way is not None:
            self.stacked.append(self._under_way[0])
        self._under_way = None
        self._end_train()
        self._drive(True)

    def unplug(self) -> None:
        """Pulls the plug of both wires: the host cannot detect it, and the unit accepts no more notes."""
        self._plugged = False
        self._pulse_pin.hold(self._idle_level)

    def replug(self) -> None:
        """Puts the plug back; pulses sent meanwhile are lost."""
        self._plugged = True

    def _end_train(self) -> None:
        self._moves.clear()
        self._next_low_s = 0.0

    def _drive(self, idle: bool, *, late_s: float = 0.0) -> None:
        if self._plugged:
            self._pulse_pin.hold(idle is self._idle_level, late_s=late_s)

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: notes are stacked, the pulse wire changes."""
        self._now = max(self._now, now)
        if self._under_way is not None and self._now >= self._under_way[1]:
            value_cents, _ = self._under_way
            self._under_way = None
            self.stacked.append(value_cents)
            self.disturb(*[self._low_s] * self._pulses[value_cents])
        while self._moves and self._moves[0][0] <= self._now:
            at_s, level = self._moves.popleft()
            self._drive(level, late_s=self._now - at_s)

    def due(self) -> float | None:
        """Returns the time of the next movement."""
        times = [self._under_way[1]] if self._under_way is not None else []
        times += [self._moves[0][0]] if self._moves else []
        return min(times, default=None)
