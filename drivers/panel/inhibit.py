"""The release line of an acceptor that can only be inhibited: it is released only while the program
repeats the release.

Rules:
- The line is inhibited at the start, after `inhibit`, after `close`, and when `release` is not
  repeated within `alive_s`.
- The wiring must inhibit without the program: a resistor holds an undriven line at "inhibited" during boot, after a
  crash and after the end of the program. High means released, because a pin may be low while it is being opened.

Knows no pins, no gpiozero, and no reason to accept notes.
"""

from collections.abc import Callable

ALIVE_S = 1.0


class InhibitLine:
    """Controls one line. `write` drives it: True releases the acceptor, False inhibits it."""

    def __init__(self, write: Callable[[bool], None], *, alive_s: float = ALIVE_S) -> None:
        self._write = write
        self._alive_s = alive_s
        self._until_s: float | None = None
        write(False)

    @property
    def released(self) -> bool:
        """True if the acceptor is released now."""
        return self._until_s is not None

    def release(self, now: float) -> None:
        """Releases the acceptor for `alive_s` from now; must be repeated before that."""
        if self._until_s is None:
            self._write(True)
        self._until_s = now + self._alive_s

    def inhibit(self) -> None:
        """Inhibits the acceptor; harmless when repeated."""
        if self._until_s is not None:
            self._until_s = None
            self._write(False)

    def tick(self, now: float) -> None:
        """Inhibits the acceptor when the release was not repeated in time."""
        if self._until_s is not None and now >= self._until_s:
            self.inhibit()

    def due(self) -> float | None:
        """Returns when `tick` must be called next; None while inhibited."""
        return self._until_s

    def close(self) -> None:
        """Inhibits the acceptor, before the pin is released."""
        self.inhibit()
