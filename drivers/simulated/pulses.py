"""A simulated pulse acceptor: the far end of two wires, on mock pins.

It is honest, and as unhelpful as a real one: it looks at its release wire only when a note is put in, takes whatever
note it knows, stacks it, tells of it once in pulses whether or not anybody counts, and stops in the middle of a train
when its power is cut.

Rules:
- It finishes the note that it has, whatever the release wire says meanwhile, and draws in no further one while that
  says "inhibited". One that `overlaps` draws the next note in while it still tells of the last, and tells of both
  without a rest between.
- A release wire that nobody drives is held at "inhibited" by its resistor, and so are both ends of a pulled plug.
- No clock: time is what `tick` is given; pins move only inside `tick` and when somebody touches the wire. An edge is
  stamped with the time at which it was to be, however late `tick` is called.

`stacked` and `returned` are the truth about notes, in cents. Does not know: who counts.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """How long things take, in seconds; `gap_s` is 0.1 for fast and 0.3 for slow pulses."""

    stacking_s: float = 1.0
    low_s: float = 0.05
    gap_s: float = 0.1
    overlaps: bool = False


class PulseAcceptor:
    """One unit. `pulses`: how many pulses a note of so many cents has. The pins come from gpiozero's mock factory."""

    def __init__(
        self,
        pulses: Mapping[int, int],
        factory: Any,
        *,
        pulse: int,
        release: int,
        idle_high: bool = True,
        timings: Timings | None = None,
    ) -> None:
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self._pulses = dict(pulses)
        self._pulse_pin = factory.pin(pulse)
        self._release_pin = factory.pin(release)
        self._now = 0.0
        self._under_way: tuple[int, float] | None = None
        self._moves: deque[tuple[float, bool]] = deque()
        self._idle_level = idle_high
        self._plugged = True
        self._pulse_pin.hold(idle_high)

    @property
    def enabled(self) -> bool:
        """Whether it would draw a note in."""
        driven = self._plugged and self._release_pin.function == "output" and bool(self._release_pin.state)
        return driven and self._under_way is None and (self.timings.overlaps or not self._moves)

    def insert(self, value_cents: int) -> bool:
        """Put in a genuine note; False when the unit does not take it."""
        if not self.enabled or value_cents not in self._pulses:
            self.returned.append(value_cents)
            return False
        self._under_way = (value_cents, self._now + self.timings.stacking_s)
        return True

    def disturb(self, *lows_s: float) -> None:
        """Lows of these lengths appear on the pulse wire one after the other, as far apart as pulses are."""
        at_s = max(self._now, self._moves[-1][0] + self.timings.gap_s if self._moves else self._now)
        for low_s in lows_s:
            self._moves += [(at_s, False), (at_s + low_s, True)]
            at_s += low_s + self.timings.gap_s

    def short(self) -> None:
        """The pulse wire is shorted to ground."""
        self._moves.clear()
        self._drive(False)

    def mend(self) -> None:
        """The pulse wire is whole again."""
        self._drive(True)

    def power_cut(self) -> None:
        """Everything stops: a note on its way goes into the box untold, the rest of a train is never sent."""
        if self._under_way is not None:
            self.stacked.append(self._under_way[0])
        self._under_way = None
        self._moves.clear()
        self._drive(True)

    def unplug(self) -> None:
        """The plug of both wires is pulled: nobody can tell, only notes are not taken any more."""
        self._plugged = False
        self._pulse_pin.hold(self._idle_level)

    def replug(self) -> None:
        """The plug is put back; what was told meanwhile is lost."""
        self._plugged = True

    def _drive(self, idle: bool, *, late_s: float = 0.0) -> None:
        if self._plugged:
            self._pulse_pin.hold(idle is self._idle_level, late_s=late_s)

    def tick(self, now: float) -> None:
        """Let time pass: notes are stacked, the pulse wire moves."""
        self._now = max(self._now, now)
        if self._under_way is not None and self._now >= self._under_way[1]:
            value_cents, _ = self._under_way
            self._under_way = None
            self.stacked.append(value_cents)
            self.disturb(*[self.timings.low_s] * self._pulses[value_cents])
        while self._moves and self._moves[0][0] <= self._now:
            at_s, level = self._moves.popleft()
            self._drive(level, late_s=self._now - at_s)

    def due(self) -> float | None:
        """When something happens by itself next."""
        times = [self._under_way[1]] if self._under_way is not None else []
        times += [self._moves[0][0]] if self._moves else []
        return min(times, default=None)
