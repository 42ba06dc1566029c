"""The side of the commands: asks a running cabinet for its figures.

Rules: the cabinet is found by the folder of its books; without one there is no client. Each answer has a deadline. A
cabinet that ends is an error of its own, so that a command that follows it can end in good order.
"""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from cabinet.link import wire
from cabinet.link.place import COMMON, places, short

PATIENCE_S: Final = 5.0
"""How long an answer may take, in seconds."""

_Reply = TypeVar("_Reply", bound=wire.Reply)


class LinkError(Exception):
    """The running cabinet gave no answer; the text says why and what to do."""


class EndedError(LinkError):
    """The cabinet has ended."""


class Client:
    """A connection to a running cabinet. Each method raises LinkError."""

    def __init__(self, connection: socket.socket, path: Path) -> None:
        """Takes a connected socket and greets the cabinet."""
        self._connection, self._path = connection, path
        self._received = bytearray()
        self.seq = 0
        """The row of the last answer."""
        greeted = self.ask(wire.Hello(version=wire.VERSION), wire.Hello)
        self.program = greeted.program
        """The version of the program that runs."""

    def figures(self, request: wire.Figures) -> dict[str, Any]:
        """Returns the figures of the newest row."""
        data = self.ask(request, wire.Answer).data
        if not isinstance(data, dict):
            raise LinkError(f"{self._path}: the cabinet sent something else than figures; use the same program")
        return data

    def pages(self, first: wire.Events | wire.Tickets | wire.Games, most: int, key: str) -> list[dict[str, Any]]:
        """Returns up to `most` rows, newest first, in as many requests as they need; `key` numbers a row."""
        found: list[dict[str, Any]] = []
        before = 0
        while len(found) < most:
            limit = min(first.limit, most - len(found))
            rows = self.ask(type(first)(before=before, limit=limit), wire.Answer).data
            found += rows
            if len(rows) < limit:
                break
            before = rows[-1][key]
        return found

    def rows(self, after: int) -> wire.Entries:
        """Returns the next entries of the log after a row."""
        return self.ask(wire.Rows(after=after), wire.Entries)

    def newest(self) -> int:
        """Returns the number of the newest row."""
        return self.ask(wire.Rows(after=2**62, limit=1), wire.Entries).seq

    def wait(self, after: int) -> int:
        """Waits for another row than this one, without an end; returns its number."""
        return self.ask(wire.Wait(after=after), wire.Newest, patience_s=None).seq

    def ask(self, request: wire.Request, wanted: type[_Reply], patience_s: float | None = PATIENCE_S) -> _Reply:
        """Returns the answer to a request."""
        self._connection.settimeout(patience_s)
        try:
            with suppress(BrokenPipeError):  # a cabinet that refuses says why before it hangs up
                self._connection.sendall(wire.encode(request))
            reply = wire.decode_reply(self._next())
        except TimeoutError as error:
            raise LinkError(f"{self._path}: the cabinet gave no answer in {PATIENCE_S:.0f} s; try again") from error
        except OSError as error:
            raise EndedError(f"{self._path}: the cabinet has ended") from error
        except wire.WireError as error:
            raise LinkError(f"{self._path}: {error}; use the program of the running cabinet") from error
        if isinstance(reply, wire.Refused):
            raise LinkError(f"{self._path}: {reply.why}")
        if not isinstance(reply, wanted):
            raise LinkError(f"{self._path}: the cabinet sent another answer than asked; use the program that runs")
        if isinstance(reply, wire.Answer | wire.Entries | wire.Newest):
            self.seq = reply.seq
        return reply

    def _next(self) -> bytes:
        """Returns the next message. Raises WireError, or OSError when the cabinet has ended."""
        while (body := wire.take(self._received, wire.ANSWER_BYTES)) is None:
            got = self._connection.recv(65_536)
            if not got:
                raise ConnectionResetError
            self._received += got
        return body


@contextmanager
def connected(data: Path, common: Path = COMMON) -> Iterator[Client | None]:
    """Yields a connection to the cabinet that runs on the books in `data`; None without one.

    Raises LinkError when there is a socket that this user may not use.
    """
    found = _connect(data, common)
    if found is None:
        yield None
        return
    connection, path = found
    with connection:
        yield Client(connection, path)


def _connect(data: Path, common: Path) -> tuple[socket.socket, Path] | None:
    refused: Path | None = None
    for path in places(data, common):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # A blocking socket waits where many readers connect at once; one with a timeout of Python would fail.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(PATIENCE_S), 0))
        try:
            with short(path) as name:
                connection.connect(name)
        except PermissionError:
            refused = path
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            pass
        else:
            return connection, path
        connection.close()
    if refused is not None and not os.access(data, os.R_OK | os.X_OK):
        raise LinkError(
            f"{refused}: this user may not read the cabinet; use its user or a member of its readers' group"
        )
    return None
