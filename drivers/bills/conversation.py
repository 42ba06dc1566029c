"""A conversation with a device that sends only when asked, one question at a time.

A protocol writes its conversation as a generator, which yields

    Ask      send these bytes; resumed with the answer, or with None without an answer to the last repeat
    Send     send these bytes; no answer is expected, resumed at once
    Pause    go on at this time, or as soon as an order comes if `orders_end_it`

Rules:
- A question without answer goes out again, byte for byte, after the time-out. After the last repeat it stays known as
  `unanswered`: if the device keeps its last reply, that reply may have carried money.
- The protocol decides what an answer is. It drops bytes that arrive together behind an answer: they were sent before
  the next question.
- `keep_talking` starts the device and serves it without end. When the device is silent or unfit, it tries again after
  a pause that doubles up to a longest one.

Knows no frames, no notes and no line.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar, assert_never

from drivers.bills.events import Trouble

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0

AnswerT = TypeVar("AnswerT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Ask:
    """Send `wire` and wait for an answer; `repeats` replaces the default number of repeats."""

    wire: bytes
    repeats: int | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Send `wire` and continue at once."""

    wire: bytes


@dataclass(frozen=True, slots=True)
class Pause:
    """Continue at `until`, or as soon as an order comes if `orders_end_it`."""

    until: float
    orders_end_it: bool = False


Talk = Generator[Ask | Send | Pause, AnswerT | None, ResultT]


class SilentError(Exception):
    """The device does not answer; ends the conversation at any step."""


class UnfitError(Exception):
    """The device answers, but cannot be used; `trouble` is the fault to report."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble


class Conversation(Generic[AnswerT]):
    """Runs one such generator: it holds the bytes to send and the time of the next step."""

    def __init__(self, *, reply_timeout_s: float, repeats: int) -> None:
        self.now = 0.0
        self.unanswered = b""
        self._reply_timeout_s = reply_timeout_s
        self._repeats = repeats
        self._talk: Talk[AnswerT, None] | None = None
        self._pause: Pause | None = None
        self._repeats_left = 0
        self._ask_at: float | None = None
        self._owed = b""

    @property
    def is_asking(self) -> bool:
        """True if a question is open."""
        return self._ask_at is not None

    def begin(self, talk: Talk[AnswerT, None], now: float) -> None:
        """Begins this conversation in place of the current one."""
        self.stop()
        self.now = now
        self._talk = talk
        self._resume(None)

    def stop(self) -> None:
        """Stops the conversation of a closed line; the unanswered question stays known."""
        self._talk = self._pause = self._ask_at = None
        self._owed = b""

    def answer(self, answer: AnswerT, now: float) -> None:
        """Resumes the conversation with the answer to the open question."""
        self.now = now
        if self._ask_at is not None:
            self._ask_at = None
            self.unanswered = b""
            self._resume(answer)

    def notice_order(self, now: float) -> None:
        """Ends a pause that waits for an order."""
        self.now = now
        if self._pause is not None and self._pause.orders_end_it:
            self._resume(None)

    def tick(self, now: float) -> bool:
        """Repeats, gives up, or continues after a pause. Returns True when a question has timed out."""
        self.now = now
        if self._ask_at is not None and now >= self._ask_at:
            self._ask_at = None
            if self._repeats_left > 0:
                self._send(self.unanswered, self._repeats_left - 1)
            else:
                self._resume(None)
            return True
        if self._pause is not None and now >= self._pause.until:
            self._resume(None)
        return False

    def due(self) -> float | None:
        """Returns when `tick` must be called next."""
        return self._pause.until if self._pause is not None else self._ask_at

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send, each once."""
        owed, self._owed = self._owed, b""
        return owed

    def _send(self, wire: bytes, repeats: int) -> None:
        self._owed += wire
        self.unanswered = wire
        self._repeats_left = repeats
        self._ask_at = self.now + self._reply_timeout_s

    def _resume(self, answer: AnswerT | None) -> None:
        self._pause = None
        while self._talk is not None:
            step = self._talk.send(answer)
            match step:
                case Send(wire=wire):
                    self._owed += wire
                    answer = None
                    continue
                case Ask(wire=wire, repeats=repeats):
                    self._send(wire, self._repeats if repeats is None else repeats)
                case Pause():
                    self._pause = step
                case _:
                    assert_never(step)
            return


def keep_talking(
    conversation: Conversation[AnswerT],
    *,
    start_up: Callable[[], Talk[AnswerT, None]],
    serve: Callable[[], Talk[AnswerT, None]],
    give_up: Callable[[SilentError | UnfitError], None],
    first_pause_s: float = FIRST_PAUSE_S,
    longest_pause_s: float = LONGEST_PAUSE_S,
) -> Talk[AnswerT, None]:
    """Starts the device, serves it until it needs a new start-up, and repeats without end."""
    pause_s = first_pause_s
    while True:
        try:
            yield from start_up()
            pause_s = first_pause_s
            yield from serve()
        except (SilentError, UnfitError) as reason:
            give_up(reason)
            yield Pause(conversation.now + pause_s)
            pause_s = min(pause_s * 2, longest_pause_s)
