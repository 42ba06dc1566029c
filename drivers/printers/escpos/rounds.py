"""Asks an ESC/POS printer for its status, one real-time question at a time.

Rules:
- one question is open at a time, because an answer does not name its question;
- after a question without an answer the same time passes without a question, and bytes received meanwhile are
  dropped, so that a late answer cannot count for the next question;
- a round is reported once, when its last question is answered or given up. An impatient round ends at
  the first silence.

Knows no bits: see `drivers.printers.escpos.status`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from drivers.printers.escpos.bytes import ask_now


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The answers to one set of questions; `begun_at` is the time of the first question."""

    begun_at: float
    answers: Mapping[int, int]
    unanswered: frozenset[int]


class Rounds:
    """The questions to a printer; the owner sends `questions` and passes the answers to `answer`."""

    def __init__(self, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._owed = b""
        self.stop()

    def stop(self) -> None:
        """Drops the round; the line is gone."""
        self._owed = b""
        self._to_ask: list[int] = []
        self._asked: int | None = None
        self._deadline: float | None = None
        self._quiet_until: float | None = None
        self._answers: dict[int, int] = {}
        self._unanswered: set[int] = set()
        self._begun_at: float | None = None
        self._patient = False
        self._finished: Round | None = None

    @property
    def running(self) -> bool:
        """True if a round is running, from `begin` until it is finished."""
        return self._begun_at is not None

    def begin(self, numbers: Iterable[int], now: float, *, patient: bool) -> None:
        """Starts a round; has no effect while one is running."""
        if self.running:
            return
        self._to_ask = list(numbers)
        self._answers, self._unanswered = {}, set()
        self._begun_at, self._patient, self._finished = now, patient, None
        self._go_on(now)

    def answer(self, byte: int, now: float) -> None:
        """Handles a byte with the form of an answer."""
        if self._asked is None:
            return
        self._answers[self._asked] = byte
        self._asked = self._deadline = None
        self._go_on(now)

    def tick(self, now: float) -> None:
        """Gives up an unanswered question, or asks the next one after the pause."""
        if self._asked is not None and self._deadline is not None and now >= self._deadline:
            self._unanswered.add(self._asked)
            self._asked = self._deadline = None
            self._quiet_until = now + self._timeout_s
            if not self._patient:
                self._to_ask.clear()
        self._go_on(now)

    def due(self) -> float | None:
        """Returns when `tick` must be called next."""
        if self._deadline is not None:
            return self._deadline
        return self._quiet_until if self.running else None

    def questions(self) -> bytes:
        """Returns the bytes to send, each once."""
        owed, self._owed = self._owed, b""
        return owed

    def finished(self) -> Round | None:
        """Returns the finished round, once; None without one."""
        done, self._finished = self._finished, None
        return done

    def _go_on(self, now: float) -> None:
        if self._begun_at is None or self._asked is not None:
            return
        if not self._to_ask:
            self._finish(self._begun_at)
            return
        if self._quiet_until is not None and now < self._quiet_until:
            return
        self._quiet_until = None
        self._asked = self._to_ask.pop(0)
        self._deadline = now + self._timeout_s
        self._owed += ask_now(self._asked)

    def _finish(self, begun_at: float) -> None:
        self._finished = Round(begun_at=begun_at, answers=dict(self._answers), unanswered=frozenset(self._unanswered))
        self._begun_at = None
