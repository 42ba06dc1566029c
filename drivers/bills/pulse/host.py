"""Pulse acceptors: time-stamped edges of one wire in, notes out. Not a serial line, so not a `WireProtocol`.

    high ____      __      __      ________________________
             |____|  |____|  |____|          silence: the train is over, its pulses give the note
               low     gap     low

Who sends: only the unit, once. Nothing is repeated, acknowledged or re-reported after power-up, and there is no
escrow: a note is already in the box when its pulses arrive. The host can only inhibit the unit.

Rules:
- A level shorter than `noise_s`, low or high, is ignored. A low of the right width (50 ms +- 40 %) is a pulse. Any
  other low, or a lost edge, spoils the train: it is no longer counted.
- A low longer than `stuck_s` is a broken or shorted wire, and a train that does not end is not a train: a fault, and
  the acceptor is inhibited until the line has been quiet again.
- From the first edge of a train until its offer is answered the acceptor is inhibited, so that the pulses of a second
  note cannot run into those of the first.
- Every pulse has the same value in all notes of a table; another table is refused. Otherwise two notes with touching
  trains could be counted as a third note of another value.
- Only a complete train counts, only when it is not spoiled, and only when the table has its number of pulses. Nothing
  is rounded. Every other train is `Unsolicited`, with the raw evidence, so that an attendant settles it. When notes
  of the table add up to this number of pulses, it reports their value, which may also be that of a larger note cut
  off. When not, one event is reported for each note that this number of pulses needs at least. It is not a `Stacked`,
  because that could close an intent of another note.
- A faulty wire without any pulse is an alarm (LOST_EVENTS): a note may have gone in without a report.
- A train that counts is `Offered` first, so that the cabinet can make its intent durable, and is `Stacked` after any
  answer of the cabinet: the note is in the box even when the cabinet orders a return. One note at a time.
- A train that is under way when the watch begins is spoiled: the number of its earlier pulses is unknown. So the
  acceptor is not released until the line has been watched for the time that ends a train.
- After an `Unsolicited` the acceptor stays inhibited until the next `Take`.
- While a train runs, `Counting` reports its pulses so far, so that a crash leaves evidence. It is never money.
- Single notes cannot be refused: the acceptor is released only while every note of the table is enabled.

Not detectable: a unit that loses its power inside a train, after exactly the pulses of a smaller note. The cabinet
then credits less than went in, never more.

Source: International Currency Technologies and Pyramid, pulse interface descriptions; the widths compared with ICT's
published sheets of programs (U70: D13O4RUB2, DTSAARU9G; P77: P77X0A2A520B320UA620) and its option sheet of the A6 and
A7 (SW0SA110). Knows no pins, no threads, no identity of the unit, and no note that went in while the program was off.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import assert_never

from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Channel,
    Enabled,
    Offered,
    Return,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
    Unsolicited,
)
from drivers.errors import ConfigurationError
from drivers.protocol import Confirm

SHORTEST_TRAIN_END_S = 0.5
MOST_MERGED = 10
"""Notes. A train with more pulses than this many of the largest note is not a sum of notes."""
RESTLESS = 4
"""Factor. A train with more edges than this multiple of the edges of the longest sum is not a train."""
MOST_SHOWN = 1_000
"""Edges of a train that are kept as evidence."""
LATEST_EDGE_S = 0.15
"""Seconds that an edge may be handed in late: it has the kernel's time, but a busy machine may read it later."""
_ROUNDING_S = 1e-6
"""Seconds. A time that was added and subtracted again may be too small by a rounding error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PulseTiming:
    """The timing of pulses in seconds; `tolerance` is a fraction of `pulse_s`.

    Raises ConfigurationError when the limits are out of order (noise, pulse, stuck), or when a train would end within
    a slow one.
    """

    pulse_s: float = 0.05
    tolerance: float = 0.4
    noise_s: float = 0.02
    stuck_s: float = 0.15
    train_end_s: float = 0.5
    evidence_interval_s: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.noise_s <= self.shortest_s < self.longest_s < self.stuck_s:
            raise ConfigurationError(
                f"pulse timing: found noise_s {self.noise_s}, a pulse of {self.shortest_s:.3f} s to "
                f"{self.longest_s:.3f} s (pulse_s, tolerance) and stuck_s {self.stuck_s}, expected each above the one "
                "before it"
            )
        if self.train_end_s < SHORTEST_TRAIN_END_S:
            raise ConfigurationError(
                f"pulse timing: train_end_s is {self.train_end_s}, expected {SHORTEST_TRAIN_END_S} or more, because "
                "the gap between slow pulses is 0.3 s"
            )

    @property
    def shortest_s(self) -> float:
        """The shortest low that is a pulse."""
        return self.pulse_s * (1 - self.tolerance)

    @property
    def longest_s(self) -> float:
        """The longest low that is a pulse."""
        return self.pulse_s * (1 + self.tolerance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """A train is running: its good pulses since `since_s`. Evidence for the log, never money."""

    pulses: int
    since_s: float


PulseEvent = BillEvent | Counting


def find_pulse_value(notes: Mapping[int, int]) -> Fraction:
    """Returns the value of one pulse in cents; `notes` maps pulses to cents. Returns 0 without notes.

    Raises ConfigurationError when it is not the same for all notes.
    """
    values = {Fraction(cents, pulses): pulses for pulses, cents in sorted(notes.items())}
    if len(values) > 1:
        (first_cents, first), (other_cents, other), *_ = values.items()
        raise ConfigurationError(
            f"a pulse is worth {_show_cents(first_cents)} cents in the note of {first} pulses and "
            f"{_show_cents(other_cents)} in the note of {other}, expected the same in every note: notes whose pulses "
            "run together would be counted as another note of another value"
        )
    return next(iter(values), Fraction(0))


def _show_cents(cents: Fraction) -> str:
    return f"{float(cents):.10g}"


@dataclass(slots=True, kw_only=True)
class _Train:
    """The edges since the line was last quiet, and their pulses."""

    since_s: float
    pulses: int = 0
    wire_only: bool = True
    """True if only the wire is at fault, without any pulse, good or bad."""
    spoiled_by: list[str] = field(default_factory=list)
    edges: list[tuple[bool, float]] = field(default_factory=list)
    edges_seen: int = 0
    last_edge_s: float = 0.0
    next_evidence_s: float = 0.0

    def add_edge(self, level: bool, at_s: float) -> None:
        """Keeps an edge as evidence."""
        self.edges_seen += 1
        self.last_edge_s = at_s
        if len(self.edges) < MOST_SHOWN:
            self.edges.append((level, at_s))

    def add_pulse(self) -> None:
        """Counts a good pulse."""
        self.pulses += 1
        self.wire_only = False

    def spoil(self, why: str, *, wire: bool = False) -> None:
        """Marks the train as not countable; `wire`: the cause is the wire and not a pulse."""
        self.wire_only = self.wire_only and wire
        self.spoiled_by.append(why)

    def show(self) -> str:
        """Returns the raw edges as text: the times of low, high, low ... in milliseconds."""
        spans = []
        for (level, at_s), (_, until_s) in pairwise(self.edges):
            spans.append(f"{'high' if level else 'low'} {(until_s - at_s) * 1000:.0f}")
        unseen = self.edges_seen - len(self.edges)
        return f"in ms: {', '.join(spans) or 'one edge'}{f' and {unseen} more edges' if unseen else ''}"


class PulseCounter:
    """Counts the pulses of one acceptor. `table` maps numbers of pulses to notes.

    Order of calls, as for a protocol: `opened` once, then `edge` with each change of the line (True is high, the idle
    level) or `tick`, then `events`. Times are monotonic seconds; edges come in order, at most LATEST_EDGE_S late.
    Raises ConfigurationError for a table whose notes give pulses of different values.
    """

    def __init__(self, table: Mapping[int, Channel], *, timing: PulseTiming | None = None) -> None:
        self._table = dict(table)
        self._pulse_cents = find_pulse_value({pulses: channel.value_cents for pulses, channel in table.items()})
        self._currency = next((channel.currency for channel in table.values()), "")
        self._timing = timing or PulseTiming()
        self._wanted: frozenset[int] = frozenset()
        self._open = False
        self._level = self._raw = True
        self._level_since_s = self._opened_s = 0.0
        self._turned_s: float | None = None
        self._last_s = 0.0
        self._at_fault = self._unheard = False
        self._most_edges = 2 * RESTLESS * MOST_MERGED * max(table, default=1)
        self._train: _Train | None = None
        self._counted: deque[Channel | Unsolicited] = deque()
        self._offered: Channel | None = None
        self._taking: bool | None = None
        self._out: list[PulseEvent] = []

    @property
    def released(self) -> bool:
        """True if the acceptor is released now; otherwise it must be inhibited."""
        all_wanted = bool(self._table) and all(channel.number in self._wanted for channel in self._table.values())
        busy = self._train is not None or self._offered is not None or bool(self._counted)
        return self._open and self._watched_long_enough() and all_wanted and not busy and not self._unheard

    def opened(self, level: bool, at_s: float) -> None:
        """Begins to watch the wire, which is at `level`. A train that had begun is reported and is not money."""
        self._open = True
        train, self._train = self._train, None
        if train is not None:
            train.spoil("the line was opened again meanwhile", wire=True)
            self._finish(train)
        self._level, self._raw = True, level
        self._level_since_s = self._last_s = self._opened_s = at_s
        self._turned_s = None if level else at_s
        channels = tuple(self._table.values())
        self._out.append(Started(model="pulses", firmware="", serial="", channels=channels))
        self._watch_taking()

    def edge(self, level: bool, at_s: float) -> None:
        """Handles a change of the wire to `level` at `at_s`. The same level twice means a lost edge between."""
        at_s = max(at_s, self._last_s)
        self._advance(at_s)
        train = self._begin_train(at_s)
        self._watch_taking()
        train.add_edge(level, at_s)
        if train.edges_seen > self._most_edges:
            self._report_fault("it did not end", "the pulse line does not come to rest")
        if level is self._raw:
            train.spoil("an edge was lost")
            return
        self._raw = level
        self._turned_s = None if self._turned_s is not None else at_s

    def tick(self, now: float) -> None:
        """Handles what is due at `now`."""
        self._advance(max(now - LATEST_EDGE_S, self._last_s))

    def due(self) -> float | None:
        """Returns when `tick` must be called next; None means only after an edge or an order."""
        timing, times = self._timing, []
        if self._turned_s is not None:
            times.append(self._turned_s + timing.noise_s)
        elif not self._level and not self._at_fault:
            times.append(self._level_since_s + timing.stuck_s)
        if self._open and not self._watched_long_enough():
            times.append(self._opened_s + timing.train_end_s)
        if self._train is not None:
            times.append(self._train.next_evidence_s)
            if self._level and self._turned_s is None:
                times.append(self._quiet_since_s() + timing.train_end_s)
        return min(times) + LATEST_EDGE_S if times else None

    def order(self, order: BillOrder) -> None:
        """Applies an order. Stack and Return both answer an offer: the note is in the box. Confirm has no effect."""
        match order:
            case Stack() | Return():
                self._report_stacked()
            case Take(channels=channels):
                self._wanted, self._unheard = channels, False
            case Confirm():
                pass
            case _:
                assert_never(order)
        self._watch_taking()

    def events(self) -> list[PulseEvent]:
        """Returns the events since the last call, in order."""
        out, self._out = self._out, []
        return out

    def _advance(self, now: float) -> None:
        self._last_s = now
        if self._turned_s is not None and now >= self._turned_s + self._timing.noise_s - _ROUNDING_S:
            self._settle(self._turned_s)
        if not self._level and not self._at_fault:
            low_until_s = self._turned_s if self._turned_s is not None else now
            if low_until_s >= self._level_since_s + self._timing.stuck_s - _ROUNDING_S:
                why = f"low for more than {self._timing.stuck_s * 1000:.0f} ms"
                self._report_fault(why, "the pulse line is held low: a broken or shorted wire")
        if self._train is not None:
            self._follow(self._train, now)
        self._watch_taking()

    def _settle(self, turned_s: float) -> None:
        """Accepts the level; it was stable for long enough."""
        width_s = turned_s - self._level_since_s
        self._level, self._level_since_s, self._turned_s = self._raw, turned_s, None
        train = self._begin_train(turned_s)
        if not self._level:
            return
        timing = self._timing
        if timing.shortest_s - _ROUNDING_S <= width_s <= timing.longest_s + _ROUNDING_S:
            train.add_pulse()
        elif not self._at_fault:
            train.spoil(f"a low of {width_s * 1000:.0f} ms")

    def _begin_train(self, at_s: float) -> _Train:
        if self._train is None:
            self._train = _Train(since_s=at_s, next_evidence_s=at_s + self._timing.evidence_interval_s)
            if at_s < self._opened_s + self._timing.train_end_s:
                self._train.spoil("it had begun before the counting", wire=True)
        return self._train

    def _report_fault(self, why: str, detail: str) -> None:
        if not self._at_fault:
            self._at_fault = True
            self._begin_train(self._level_since_s).spoil(why, wire=True)
            self._out.append(TroubleBegan(trouble=Trouble.HARDWARE, detail=detail))

    def _follow(self, train: _Train, now: float) -> None:
        """Ends the train when the line has been quiet, or reports its pulses so far."""
        at_rest = self._level and self._turned_s is None
        if at_rest and now >= self._quiet_since_s() + self._timing.train_end_s - _ROUNDING_S:
            self._train = None
            self._finish(train)
        elif now >= train.next_evidence_s - _ROUNDING_S:
            train.next_evidence_s = now + self._timing.evidence_interval_s
            if train.pulses:
                self._out.append(Counting(pulses=train.pulses, since_s=train.since_s))

    def _quiet_since_s(self) -> float:
        """Returns the time of the last edge, including noise: a line with noise is not quiet."""
        return max(self._level_since_s, self._train.last_edge_s if self._train else self._level_since_s)

    def _finish(self, train: _Train) -> None:
        if self._at_fault:
            self._at_fault = False
            self._out.append(TroubleEnded(trouble=Trouble.HARDWARE))
        channel = None if train.spoiled_by else self._table.get(train.pulses)
        if channel is not None:
            self._counted.append(channel)
        elif not train.wire_only:
            self._counted += self._unsolicited(train)
        elif train.spoiled_by:
            detail = f"no pulse, {'; '.join(dict.fromkeys(train.spoiled_by))}; {train.show()}"
            self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))
        self._report_next()

    def _unsolicited(self, train: _Train) -> Iterable[Unsolicited]:
        """Yields the events of a train that is not a note of the table: one with its value when the train is
        well-formed (some notes together, or one cut off); otherwise one for each note that its pulses need."""
        count = f"{train.pulses} good {'pulse' if train.pulses == 1 else 'pulses'}"
        value = f"{count} worth {float(train.pulses * self._pulse_cents) / 100:.2f} {self._currency}"
        if not train.spoiled_by and _is_sum(train.pulses, self._table):
            detail = f"{value}, some notes together or one cut off"
            yield Unsolicited(
                reported_cents=int(train.pulses * self._pulse_cents), detail=detail, evidence=train.show()
            )
            return
        why = "; ".join(dict.fromkeys(train.spoiled_by)) or "the notes of the table do not add up to this"
        least = min(-(-train.pulses // max(self._table, default=train.pulses or 1)) or 1, MOST_MERGED)
        for number in range(1, least + 1):
            which = f" (note {number} of {least} or more)" if least > 1 else ""
            yield Unsolicited(reported_cents=None, detail=f"{value}, {why}{which}", evidence=train.show())

    def _report_next(self) -> None:
        while self._offered is None and self._counted:
            match self._counted.popleft():
                case Channel() as channel:
                    self._offered = channel
                    self._out.append(Offered(channel=channel.number, value_cents=channel.value_cents))
                case Unsolicited() as unsolicited:
                    self._unheard = True
                    self._out.append(unsolicited)

    def _report_stacked(self) -> None:
        channel, self._offered = self._offered, None
        if channel is not None:
            self._out.append(Stacked(channel=channel.number, value_cents=channel.value_cents, receipt=None))
            self._report_next()

    def _watched_long_enough(self) -> bool:
        """Returns True if a train that begins now must be complete."""
        return self._last_s >= self._opened_s + self._timing.train_end_s - _ROUNDING_S

    def _watch_taking(self) -> None:
        if self._open and self.released is not self._taking:
            self._taking = self.released
            self._out.append(Enabled(taking=self._taking))


def _is_sum(pulses: int, counts: Iterable[int]) -> bool:
    """Returns True if notes with these counts can add up to this number of pulses."""
    counts = tuple(counts)
    if not 0 < pulses <= MOST_MERGED * max(counts, default=0):
        return False
    reached = [True]
    for total in range(1, pulses + 1):
        reached.append(any(total >= count and reached[total - count] for count in counts))
    return reached[pulses]
