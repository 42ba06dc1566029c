"""The shape every wire protocol has: bytes in, events out, bytes owed.

A protocol object has no port, thread, clock or sleep. Time is an argument (`now`, monotonic seconds); the object says
when it wants to be woken. Whoever pumps it follows one order: receive (or tick), send what is owed, deliver the
events. No bytes, however bad, make a method raise: a bad frame is dropped and, where it matters, becomes an event.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

EventT_co = TypeVar("EventT_co", covariant=True)
OrderT_contra = TypeVar("OrderT_contra", contravariant=True)


class Parity(Enum):
    """Parity of a serial line."""

    NONE = "N"
    EVEN = "E"
    ODD = "O"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSettings:
    """What a protocol asks of its serial line."""

    baud: int
    data_bits: int = 8
    parity: Parity = Parity.NONE
    stop_bits: int = 1


class WireProtocol(Protocol[EventT_co, OrderT_contra]):
    """A conversation with one device; see the module's head for the order of calls."""

    @property
    def line(self) -> LineSettings:
        """The settings the line must have."""

    def opened(self, now: float) -> None:
        """The line is there (again): begin the device's start-up from the top."""

    def closed(self, now: float) -> None:
        """The line is gone: forget half a frame, answer nothing, keep what money still depends on."""

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came in, any number of them, cut anywhere."""

    def order(self, order: OrderT_contra, now: float) -> None:
        """The cabinet wants something done. An order that makes no sense now is dropped or answered by an event."""

    def tick(self, now: float) -> None:
        """Time has passed; called at the latest when `due` says so, harmless at any other time."""

    def due(self) -> float | None:
        """When `tick` must be called next; None means only after bytes or an order."""

    def bytes_to_send(self) -> bytes:
        """The bytes owed to the device; each is returned once."""

    def events(self) -> Sequence[EventT_co]:
        """What has happened since the last call; each is returned once, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Order: what the event with this receipt said is durable now; the device may be told so, and may forget."""

    receipt: int
