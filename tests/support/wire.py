"""Couples a protocol with a simulated device in virtual time: thousands of notes in a second, every fault by seed.

`Wire` carries chunks of bytes both ways with a small delay. A `Damage` decides what becomes of each chunk. Bytes keep
their order within a direction, as on a real line.
"""

import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from drivers.protocol import WireProtocol
from drivers.simulated.pty_line import Device

EventT = TypeVar("EventT")
OrderT = TypeVar("OrderT")

Damage = Callable[[bytes], list[tuple[float, bytes]]]
"""What arrives of a chunk: pieces with an extra delay in seconds each; an empty list loses it."""


def unharmed(chunk: bytes) -> list[tuple[float, bytes]]:
    """Everything arrives."""
    return [(0.0, chunk)]


def byte_by_byte(chunk: bytes) -> list[tuple[float, bytes]]:
    """Each byte arrives alone."""
    return [(0.001, bytes((byte,))) for byte in chunk]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """Probabilities of what happens to a chunk."""

    lost: float = 0.0
    flipped: float = 0.0
    cut: float = 0.0
    doubled: float = 0.0
    delayed: float = 0.0
    longest_delay_s: float = 1.5

    def by(self, rng: random.Random) -> Damage:
        """The damage function that draws from `rng`."""

        def damage(chunk: bytes) -> list[tuple[float, bytes]]:
            if rng.random() < self.lost:
                return []
            if rng.random() < self.flipped:
                at = rng.randrange(len(chunk))
                chunk = chunk[:at] + bytes((chunk[at] ^ 1 << rng.randrange(8),)) + chunk[at + 1 :]
            if rng.random() < self.cut:
                chunk = chunk[: rng.randrange(len(chunk))]
            delay_s = rng.random() * self.longest_delay_s if rng.random() < self.delayed else 0.0
            return [(delay_s, chunk)] * (2 if rng.random() < self.doubled else 1)

        return damage


class Wire(Generic[EventT, OrderT]):
    """One protocol, one device, one clock. `protocol` may be exchanged to play a restart of the host."""

    def __init__(
        self,
        protocol: WireProtocol[EventT, OrderT],
        device: Device,
        *,
        damage: Damage = unharmed,
        latency_s: float = 0.005,
        on_event: Callable[[EventT], None] | None = None,
    ) -> None:
        self.protocol = protocol
        self.device = device
        self.damage = damage
        self.now = 1000.0
        self.events: list[EventT] = []
        self.sent: list[bytes] = []
        self.connected = False
        self._latency_s = latency_s
        self._on_event = on_event
        self._under_way: list[tuple[float, int, str, bytes]] = []
        self._order_of_chunks = itertools.count()
        self._last_arrival = {"host": 0.0, "device": 0.0}

    def connect(self) -> None:
        """The host opens its end; what was under way from before is gone, as a port flushes when it is opened."""
        self._under_way = [chunk for chunk in self._under_way if chunk[2] == "device"]
        heapq.heapify(self._under_way)
        self.connected = True
        self.protocol.opened(self.now)
        self._settle()

    def disconnect(self) -> None:
        """The line breaks under the host."""
        self.connected = False
        self.protocol.closed(self.now)
        self._under_way.clear()
        self._settle()

    def restart_host(self, protocol: WireProtocol[EventT, OrderT]) -> None:
        """The host dies without a word and a new one opens the line."""
        self.protocol = protocol
        self.connect()

    def order(self, order: OrderT) -> None:
        """The cabinet orders something now."""
        self.protocol.order(order, self.now)
        self._settle()

    def run(self, seconds: float) -> None:
        """Lets this much time pass."""
        self._run_until(self.now + seconds, lambda: False)

    def run_until(self, happened: Callable[[], bool], *, at_most_s: float = 60.0) -> None:
        """Lets time pass until `happened`; fails when it does not within `at_most_s`."""
        assert self._run_until(self.now + at_most_s, happened), f"not within {at_most_s} s; events: {self.events[-10:]}"

    def run_until_event(self, kind: type[Any], *, at_most_s: float = 60.0) -> Any:
        """Lets time pass until a new event of this kind, and returns it."""
        seen = len(self.events)
        self.run_until(lambda: any(isinstance(event, kind) for event in self.events[seen:]), at_most_s=at_most_s)
        return next(event for event in self.events[seen:] if isinstance(event, kind))

    def _run_until(self, end: float, happened: Callable[[], bool]) -> bool:
        self._settle()
        while not happened():
            dues = [due for due in (self._protocol_due(), self.device.due()) if due is not None]
            arrivals = [self._under_way[0][0]] if self._under_way else []
            next_time = max(self.now, min([end, *dues, *arrivals]))
            self.now = next_time
            if next_time >= end and not (arrivals and arrivals[0] <= end):
                self._step()
                return happened()
            self._step()
        return True

    def _protocol_due(self) -> float | None:
        return self.protocol.due() if self.connected else None

    def _step(self) -> None:
        while self._under_way and self._under_way[0][0] <= self.now:
            _, _, side, chunk = heapq.heappop(self._under_way)
            if side == "device":
                self.device.receive(chunk, self.now)
            elif self.connected:
                self.protocol.receive(chunk, self.now)
            self._settle()
        due = self._protocol_due()
        if due is not None and due <= self.now:
            self.protocol.tick(self.now)
        self.device.tick(self.now)
        self._settle()

    def _settle(self) -> None:
        """Sends what both sides owe, then delivers events, as a pump does, until nothing is left."""
        while True:
            owed = self.protocol.bytes_to_send() if self.connected else b""
            if owed:
                self.sent.append(owed)
            self._carry("device", owed)
            self._carry("host", self.device.bytes_to_send())
            events = list(self.protocol.events())
            if not events:
                return
            for event in events:
                self.events.append(event)
                if self._on_event is not None:
                    self._on_event(event)

    def _carry(self, side: str, chunk: bytes) -> None:
        if not chunk or not self.connected:
            return
        for delay_s, piece in self.damage(chunk):
            arrival = max(self._last_arrival[side], self.now + self._latency_s + delay_s)
            self._last_arrival[side] = arrival
            if piece:
                heapq.heappush(self._under_way, (arrival, next(self._order_of_chunks), side, piece))
