"""The interface of every wire protocol: bytes in, events out, bytes to send.

A protocol object has no port, thread, clock or sleep. Time is an argument (`now`, monotonic seconds); `due` returns
when the object must be called next. The pump calls in one order: receive (or tick), send the bytes, deliver the
events. No bytes make a method raise: a bad frame is dropped and, if it matters, becomes an event.
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
    """The settings of a serial line."""

    baud: int
    data_bits: int = 8
    parity: Parity = Parity.NONE
    stop_bits: int = 1


class WireProtocol(Protocol[EventT_co, OrderT_contra]):
    """A conversation with one device; the module's head has the order of calls."""

    @property
    def line(self) -> LineSettings:
        """The settings that the line must have."""

    def opened(self, now: float) -> None:
        """Handles an opened line: begins the start-up of the device."""

    def closed(self, now: float) -> None:
        """Handles a closed line: drops half a frame and all bytes to send, and keeps the state that money depends
        on."""

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes, any number of them, cut anywhere."""

    def order(self, order: OrderT_contra, now: float) -> None:
        """Applies an order of the cabinet. An order that is not possible now is dropped or answered by an event."""

    def tick(self, now: float) -> None:
        """Handles what is due at `now`; called at the time of `due` at the latest, and harmless at any other time."""

    def due(self) -> float | None:
        """Returns when `tick` must be called next; None means only after bytes or an order."""

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send to the device, each once."""

    def events(self) -> Sequence[EventT_co]:
        """Returns the events since the last call, each once, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Order: the event with this receipt is durable; the protocol may acknowledge it, and the device may delete
    it."""

    receipt: int
