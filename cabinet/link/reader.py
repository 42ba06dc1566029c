"""One connection of a reader, on the cabinet's side: what was received, what waits to be sent, until when.

Rules: the number of bytes held for a reader is bounded in both directions; a reader that does not finish a message,
does not take its answer, or asks for nothing for a long time is dropped. `now` is an argument. The module decides
nothing about answers.
"""

import socket
from dataclasses import dataclass, field
from typing import Final

from cabinet.link import wire

STUCK_S: Final = 5.0
"""How long a reader may take for its first message, for the rest of a begun one, and for a part of its answer."""
IDLE_S: Final = 300.0
"""How long a reader may be connected without a request."""
HELD_BYTES: Final = 4 * (wire.HEADER + wire.REQUEST_BYTES)
"""The most bytes that a reader may send ahead of its answers."""


class DroppedError(Exception):
    """The reader is dropped; the text says why. Empty where it has gone by itself."""


@dataclass(slots=True, eq=False)
class Reader:
    """A connected reader."""

    connection: socket.socket
    due_s: float
    """When it is dropped, on the monotonic clock, unless something moves."""
    greeted: bool = False
    asked: wire.Request | None = None
    """The request whose answer is not known yet."""
    received: bytearray = field(default_factory=bytearray)
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    ends: bool = False
    """Whether the connection ends after the unsent bytes."""

    def receive(self, now: float) -> None:
        """Reads what has arrived. Raises DroppedError when the reader has gone or has sent too much."""
        try:
            got = self.connection.recv(HELD_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise DroppedError from error
        if not got:
            raise DroppedError
        if not self.received and self.greeted:
            self.due_s = now + STUCK_S
        self.received += got
        if len(self.received) > HELD_BYTES:
            raise DroppedError("it sends requests without waiting for the answers")

    def next_request(self, now: float) -> wire.Request | None:
        """Returns the next complete request, None while there is none or an answer is owed. Raises WireError."""
        if self.ends or self.unsent or self.asked is not None:
            return None
        body = wire.take(self.received, wire.REQUEST_BYTES)
        if body is None:
            if self.greeted and not self.received:
                self.due_s = now + IDLE_S
            return None
        self.due_s = now + STUCK_S
        self.asked = wire.decode_request(body)
        return self.asked

    def answer(self, message: bytes, now: float, *, last: bool = False) -> None:
        """Sends the answer to the request, as much as the reader takes now. Raises DroppedError."""
        self.asked = None
        self.unsent = memoryview(message)
        self.ends = last
        self.due_s = now + STUCK_S
        self.send(now)

    def send(self, now: float) -> None:
        """Sends more of the answer. Raises DroppedError when the reader has gone or the connection ends with it."""
        try:
            while self.unsent:
                self.unsent = self.unsent[self.connection.send(self.unsent) :]
                self.due_s = now + STUCK_S
        except BlockingIOError:
            return
        except OSError as error:
            raise DroppedError from error
        if self.ends:
            raise DroppedError

    def is_stuck(self, now: float) -> bool:
        """Returns True when the reader has used up its time. One that waits for an answer of the cabinet is not."""
        return self.asked is None and now >= self.due_s
