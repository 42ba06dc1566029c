"""The language of the socket: messages as msgpack, each after its length. Pure; `docs/status.md` has its examples.

Rules:
- A message is 4 bytes of length, most significant first, then that number of bytes of msgpack: a map whose key `is`
  names the kind. A reader ignores keys that it does not know.
- A reader speaks first: `hello` with the version. Then each request has one answer, in order.
- Within a version, kinds and keys are only added. No message moves money or changes anything.
"""

from typing import Any, Final, TypeAlias

import msgspec

VERSION: Final = 1
HEADER: Final = 4
"""Bytes of a length."""
REQUEST_BYTES: Final = 256
"""The longest message that the cabinet reads."""
ANSWER_BYTES: Final = 4 * 2**20
"""The longest message that the cabinet sends."""
ROWS_AT_MOST: Final = 200
"""The most rows in one answer."""
GAMES_AT_MOST: Final = 5
"""The most games in one answer."""


class WireError(Exception):
    """The bytes are no message of this wire; the text says what was expected."""


class _Message(msgspec.Struct, tag_field="is", tag=str.lower, frozen=True, kw_only=True):
    """A message; its kind is the name of its class in small letters."""


# --- what a reader sends ----------------------------------------------------------------------------------------


class Hello(_Message, frozen=True, kw_only=True):
    """The first message of both sides."""

    version: int
    program: str = ""
    """The version of the cabinet's program; a reader leaves it out."""


class Meters(_Message, frozen=True, kw_only=True):
    """Asks for every meter."""


class Status(_Message, frozen=True, kw_only=True):
    """Asks for the state of the machine."""


class Rows(_Message, frozen=True, kw_only=True):
    """Asks for the entries of the log after a row of the journal, oldest first."""

    after: int
    limit: int = ROWS_AT_MOST


class Events(_Message, frozen=True, kw_only=True):
    """Asks for the newest entries of the log before a number, newest first; 0 for the newest of all."""

    before: int = 0
    limit: int = ROWS_AT_MOST


class Tickets(_Message, frozen=True, kw_only=True):
    """Asks for the newest tickets before a sequence, newest first; 0 for the newest of all."""

    before: int = 0
    limit: int = ROWS_AT_MOST


class Games(_Message, frozen=True, kw_only=True):
    """Asks for the last games before a number, newest first; 0 for the newest of all."""

    before: int = 0
    limit: int = GAMES_AT_MOST


class Booklet(_Message, frozen=True, kw_only=True):
    """Asks for everything that an attendant reads of the money, as `cabinet report --json` prints it."""


class Wait(_Message, frozen=True, kw_only=True):
    """Asks for the number of the newest row as soon as it is another one than `after`."""

    after: int


Request: TypeAlias = Hello | Meters | Status | Rows | Events | Tickets | Games | Booklet | Wait
Figures: TypeAlias = Meters | Status
"""What is answered from the newest machine."""
Question: TypeAlias = Rows | Events | Tickets | Games | Booklet
"""What is answered from the journal."""


# --- what the cabinet sends -------------------------------------------------------------------------------------


class Answer(_Message, frozen=True, kw_only=True):
    """The data of an answer after row `seq`: an object for figures, a list for events, tickets and games."""

    seq: int
    data: Any


class Entries(_Message, frozen=True, kw_only=True):
    """The entries of the log after a row; they are complete up to row `through`, with which the next request begins."""

    seq: int
    rows: list[dict[str, Any]]
    through: int
    lost_from: int = 0
    """The first row of a gap: its entries were dropped before they were read. 0 without a gap."""
    lost_to: int = 0
    """The last row of the gap."""


class Newest(_Message, frozen=True, kw_only=True):
    """The number of the newest row."""

    seq: int


class Refused(_Message, frozen=True, kw_only=True):
    """Why there is no answer; the connection then ends."""

    why: str


Reply: TypeAlias = Hello | Answer | Entries | Newest | Refused

_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)


def encode(message: Request | Reply) -> bytes:
    """Returns the bytes of a message with their length."""
    body = _encoder.encode(message)
    return len(body).to_bytes(HEADER, "big") + body


def decode_request(body: bytes) -> Request:
    """Returns the request; raises WireError."""
    try:
        return _limited(_requests.decode(body))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"expected a request of version {VERSION}: {error}") from error


def decode_reply(body: bytes) -> Reply:
    """Returns the answer; raises WireError."""
    try:
        return _replies.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"expected an answer of version {VERSION}: {error}") from error


def _limited(request: Request) -> Request:
    """Returns the request; raises WireError for a number outside its range."""
    match request:
        case Rows(after=at, limit=limit) | Events(before=at, limit=limit) | Tickets(before=at, limit=limit):
            most = ROWS_AT_MOST
        case Games(before=at, limit=limit):
            most = GAMES_AT_MOST
        case Wait(after=at):
            limit, most = 1, 1
        case _:
            return request
    if not 1 <= limit <= most:
        raise WireError(f"limit is {limit}, expected 1 to {most}")
    if not 0 <= at < 2**63:
        raise WireError(f"a number is {at}, expected 0 or more")
    return request


def take(received: bytearray, most: int) -> bytes | None:
    """Removes the first message from the received bytes and returns its body; None while it is not complete.

    Raises WireError for a length of 0 or above `most`.
    """
    if len(received) < HEADER:
        return None
    length = int.from_bytes(received[:HEADER], "big")
    if not 1 <= length <= most:
        raise WireError(f"the length of a message is {length}, expected 1 to {most} bytes")
    if len(received) < HEADER + length:
        return None
    body = bytes(received[HEADER : HEADER + length])
    del received[: HEADER + length]
    return body
