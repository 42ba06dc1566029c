"""The release line of an acceptor that can only be inhibited: notes are taken only while somebody alive says so.

Rules:
- Inhibited from the start, after `inhibit`, after `close`, and when `release` was not said again within `alive_s`.
- The wiring must do the same without us: a resistor holds the line at "inhibited" while nobody drives it, during boot,
  after a crash and after the program ended. High means released, because a pin that is just being opened may be low.

Does not know: pins, gpiozero, why notes are taken or not.
"""

from collections.abc import Callable

ALIVE_S = 1.0


class InhibitLine:
    """Keeps one line. `write` drives it: True releases the acceptor, False inhibits it."""

    def __init__(self, write: Callable[[bool], None], *, alive_s: float = ALIVE_S) -> None:
        self._write = write
        self._alive_s = alive_s
        self._until_s: float | None = None
        write(False)

    @property
    def released(self) -> bool:
        """Whether the acceptor is allowed to take notes now."""
        return self._until_s is not None

    def release(self, now: float) -> None:
        """Notes may be taken until `alive_s` from now; to be said again before that."""
        if self._until_s is None:
            self._write(True)
        self._until_s = now + self._alive_s

    def inhibit(self) -> None:
        """No notes from now on; harmless when said again."""
        if self._until_s is not None:
            self._until_s = None
            self._write(False)

    def tick(self, now: float) -> None:
        """Inhibit when nobody has said for too long that the acceptor may be released."""
        if self._until_s is not None and now >= self._until_s:
            self.inhibit()

    def due(self) -> float | None:
        """When `tick` must be called next; None while inhibited."""
        return self._until_s

    def close(self) -> None:
        """Inhibit, before the pin is let go."""
        self.inhibit()
