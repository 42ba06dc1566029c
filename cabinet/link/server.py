"""The cabinet's side of the socket: a thread of its own that answers readers and never makes the money wait.

Rules:
- `publish` only keeps a reference; figures are made on this thread, from a machine that never changes.
- What needs the journal is asked of the thread that owns it, each question once for each row, and a reader has one
  request at a time.
- The number of readers and the bytes held for each are bounded. A stuck reader is dropped, never waited for.
- A failure of this thread is logged and ends only this service.
"""

import logging
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec

from cabinet.link import access, place, wire
from cabinet.link.reader import STUCK_S, DroppedError, Reader

_log = logging.getLogger(__name__)

READERS: Final = 32
"""The most readers at a time."""
KEPT: Final = 64
"""The most answers that are kept for a row."""
ENDS_S: Final = 2.0
"""How long `stop` waits for the thread, in seconds."""
_PAUSE_S: Final = 1.0
"""How long no reader is accepted after the system had no room for one, in seconds."""

_P = ParamSpec("_P")

Figures = Callable[[wire.Figures, Any], Mapping[str, Any]]
"""Makes the figures of a request from what was published. Runs on the server's thread."""
Ask = Callable[[wire.Question, Callable[[wire.Reply], None]], None]
"""Puts a question to the owner of the journal, who calls the function with the answer, on its own thread."""


class Server:
    """The service of one cabinet. Build it, `publish` the first row, `start`, and `stop` it."""

    def __init__(self, path: Path, *, figures: Figures, ask: Ask, program: str) -> None:
        """`path` is where the socket will be; `program` is the version of the program, for the greeting."""
        self._path, self._figures, self._ask = path, figures, ask
        self._hello = wire.encode(wire.Hello(version=wire.VERSION, program=program))
        self._seq = 0
        self._published: tuple[int, object] = (0, None)
        self._readers: set[Reader] = set()
        self._waiting: dict[wire.Question, list[Reader]] = {}
        """The readers that wait for an answer of the journal's owner."""
        self._watched = False
        """Whether a reader waits for the next row."""
        self._kept: dict[wire.Request, bytes] = {}
        """Answers of row `_seq`."""
        self._answers: deque[tuple[wire.Question, wire.Reply]] = deque()
        self._accept_from_s = 0.0
        self._refused = ""
        """Why the last connection was refused; empty after one that was accepted. The log has a reason once."""
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    # --- for the cabinet's thread -------------------------------------------------------------------------------

    def publish(self, seq: int, published: object) -> None:
        """Keeps the newest row and what figures are made from. Call it after the commit, never before."""
        self._published = (seq, published)
        if self._watched:
            self._wake()

    def start(self) -> None:
        """Opens the socket and starts the thread. Raises OSError when there can be no socket."""
        self._listening = place.listen(self._path)
        self._inode = self._path.stat().st_ino
        self._bell, self._woken = socket.socketpair()
        for each in (self._bell, self._woken):
            each.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread.start()

    def stop(self) -> None:
        """Ends the service; every reader sees the end of its connection."""
        self._ending = True
        if self._thread.ident is not None:
            self._wake()
            self._thread.join(ENDS_S)

    def _answered(self, question: wire.Question, reply: wire.Reply) -> None:
        """Takes the answer of the journal's owner; runs on its thread."""
        self._answers.append((question, reply))
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # full: it is awake already; closed: the service has ended
            self._bell.send(b"\0")

    # --- the loop -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._ending:
                self._turn(self._selector.select(self._patience(time.monotonic())), time.monotonic())
        except Exception as error:  # noqa: BLE001 - no fault of this service may touch the cabinet
            _log.critical("the service for readers has failed; the cabinet runs on: %s", error, exc_info=error)
        finally:
            self._close()

    def _patience(self, now: float) -> float | None:
        """Returns how long the thread may sleep, in seconds; None without an end."""
        due = [reader.due_s for reader in self._readers if reader.asked is None]
        if self._accept_from_s:
            due.append(self._accept_from_s)
        return max(0.0, min(due) - now) if due else None

    def _turn(self, ready: list[tuple[selectors.SelectorKey, int]], now: float) -> None:
        if self._accept_from_s and now >= self._accept_from_s:
            self._accept_from_s = 0.0
            self._selector.register(self._listening, selectors.EVENT_READ)
        for key, events in ready:
            if key.fileobj is self._listening:
                self._accept(now)
            elif key.fileobj is self._woken:
                with suppress(BlockingIOError):
                    self._woken.recv(4096)
            elif key.data in self._readers:
                self._guarded(self._move, key.data, events, now)
        self._hand_out(now)
        self._report_newest(now)
        for reader in [each for each in self._readers if each.is_stuck(now)]:
            self._drop(reader, "it is stuck")

    def _accept(self, now: float) -> None:
        try:
            connection, _ = self._listening.accept()
        except BlockingIOError:
            return
        except OSError as error:
            _log.warning("no reader can be accepted for a moment: %s", error)
            self._selector.unregister(self._listening)
            self._accept_from_s = now + _PAUSE_S
            return
        connection.setblocking(False)
        why = self._why_not(connection)
        refused, self._refused = self._refused, why
        if why:
            if why != refused:
                _log.warning("a reader was refused: %s", why)
            with suppress(OSError), connection:
                connection.send(wire.encode(wire.Refused(why=why)))
            return
        reader = Reader(connection, due_s=now + STUCK_S)
        self._readers.add(reader)
        self._selector.register(connection, selectors.EVENT_READ, reader)

    def _why_not(self, connection: socket.socket) -> str:
        """Returns why this peer may not read; empty when it may."""
        if len(self._readers) >= READERS:
            return f"{READERS} readers are connected already; end one"
        try:
            return access.why_not(connection, self._path)
        except OSError as error:
            return f"the group of the socket cannot be read ({error}); restart the cabinet"

    def _guarded(
        self, act: Callable[Concatenate[Reader, _P], None], reader: Reader, *args: _P.args, **kw: _P.kwargs
    ) -> None:
        """Acts for a reader; a fault of the reader ends its connection."""
        try:
            act(reader, *args, **kw)
        except DroppedError as why:
            self._drop(reader, str(why))
        except wire.WireError as error:
            self._refuse(reader, str(error))
        else:
            self._listen_to(reader)

    def _listen_to(self, reader: Reader) -> None:
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if reader.unsent else 0)
        if self._selector.get_key(reader.connection).events != wanted:
            self._selector.modify(reader.connection, wanted, reader)

    def _drop(self, reader: Reader, why: str = "") -> None:
        if why:
            _log.info("a reader was dropped: %s", why)
        self._readers.discard(reader)
        self._selector.unregister(reader.connection)
        reader.connection.close()

    def _refuse(self, reader: Reader, why: str) -> None:
        """Answers why there is no answer, and ends the connection."""
        try:
            reader.answer(wire.encode(wire.Refused(why=why)), time.monotonic(), last=True)
        except DroppedError:
            self._drop(reader, why)
        else:
            self._listen_to(reader)

    def _close(self) -> None:
        for reader in list(self._readers):
            self._drop(reader)
        with suppress(OSError):
            if self._path.stat().st_ino == self._inode:
                self._path.unlink()
        self._selector.close()
        for each in (self._listening, self._bell, self._woken):
            each.close()

    # --- answers ------------------------------------------------------------------------------------------------

    def _move(self, reader: Reader, events: int, now: float) -> None:
        if events & selectors.EVENT_WRITE:
            reader.send(now)
        if events & selectors.EVENT_READ:
            reader.receive(now)
        while (request := reader.next_request(now)) is not None:
            self._serve(reader, request, now)

    def _serve(self, reader: Reader, request: wire.Request, now: float) -> None:
        """Answers a request, or leaves it to `_hand_out` and `_report_newest`."""
        if isinstance(request, wire.Hello):
            self._greet(reader, request, now)
        elif not reader.greeted:
            raise wire.WireError(f"the first message is {type(request).__name__.lower()}, expected hello")
        elif isinstance(request, wire.Wait):
            self._watched = True
        elif (kept := self._kept_of_newest().get(request)) is not None:
            reader.answer(kept, now)
        elif isinstance(request, wire.Meters | wire.Status):
            reader.answer(self._make_figures(request), now)
        else:
            self._put(reader, request)

    def _greet(self, reader: Reader, hello: wire.Hello, now: float) -> None:
        if hello.version != wire.VERSION:
            raise wire.WireError(f"the version of the wire is {hello.version}, expected {wire.VERSION}")
        reader.greeted = True
        reader.answer(self._hello, now)

    def _kept_of_newest(self) -> dict[wire.Request, bytes]:
        """Returns the answers that are kept of the newest row."""
        seq, _ = self._published
        if seq != self._seq or len(self._kept) >= KEPT:
            self._seq, self._kept = seq, {}
        return self._kept

    def _make_figures(self, request: wire.Figures) -> bytes:
        seq, published = self._published
        message = wire.encode(wire.Answer(seq=seq, data=self._figures(request, published)))
        if isinstance(request, wire.Meters) and seq == self._seq:
            self._kept[request] = message
        return message

    def _put(self, reader: Reader, question: wire.Question) -> None:
        """Puts a question to the owner of the journal, once for all readers that ask it."""
        if question not in self._waiting and len(self._waiting) >= READERS:
            raise wire.WireError(f"{READERS} questions wait already; ask again later")
        asking = self._waiting.setdefault(question, [])
        asking.append(reader)
        if len(asking) == 1:
            self._ask(question, lambda reply: self._answered(question, reply))

    def _hand_out(self, now: float) -> None:
        """Sends the answers of the journal's owner to the readers that wait for them."""
        while self._answers:
            question, reply = self._answers.popleft()
            message = wire.encode(reply)
            kept = self._kept_of_newest()
            if isinstance(reply, wire.Answer | wire.Entries) and reply.seq == self._seq:
                kept[question] = message
            last = isinstance(reply, wire.Refused)
            for reader in self._waiting.pop(question, ()):
                if reader in self._readers:
                    self._guarded(self._answer_and_go_on, reader, message, now, last)

    def _answer_and_go_on(self, reader: Reader, message: bytes, now: float, last: bool) -> None:
        """Sends an answer, then serves the requests that the reader has already sent."""
        reader.answer(message, now, last=last)
        self._move(reader, 0, now)

    def _report_newest(self, now: float) -> None:
        """Answers the readers that wait for another row than theirs."""
        seq, _ = self._published
        message = wire.encode(wire.Newest(seq=seq))
        for reader in [each for each in self._readers if isinstance(each.asked, wire.Wait) and each.asked.after != seq]:
            self._guarded(self._answer_and_go_on, reader, message, now, False)
        self._watched = any(isinstance(reader.asked, wire.Wait) for reader in self._readers)
