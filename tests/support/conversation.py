"""Conversations as text: what goes over a wire, what it means, and when.

A file is a list of lines; `#` begins a comment, empty lines are for the eye:

    > 7F 80 01 11 65 82      the protocol sends these bytes
    < 7F 80 01 F0 23 80      these bytes come in
    = Offered channel=3      the protocol reports this event (names and values as in the code; defaults left out)
    ! Stack                  the cabinet orders this
    ~ 0.2                    this many seconds pass
    opened / closed          the line

`replay` drives a protocol through one and returns what it did in the same form, so that a difference shows as a diff.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from drivers.protocol import WireProtocol

OrderT = TypeVar("OrderT")


def read_conversation(path: Path) -> list[str]:
    """The lines that count."""
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [" ".join(line.split()) for line in lines if line]


def replay(
    protocol: WireProtocol[Any, OrderT], lines: list[str], orders: Callable[[str], OrderT], *, cut: int | None = None
) -> list[str]:
    """Feeds the lines that are done to the protocol, and writes down what it does after each of them.

    `cut` splits incoming bytes into pieces of that size.
    """
    now = 100.0
    done: list[str] = []
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind in (">", "="):
            continue
        done.append(line)
        match kind:
            case "opened":
                protocol.opened(now)
            case "closed":
                protocol.closed(now)
            case "<":
                for piece in _pieces(bytes.fromhex(rest), cut):
                    protocol.receive(piece, now)
            case "!":
                protocol.order(orders(rest), now)
            case "~":
                now = _pass_time(protocol, now, now + float(rest), done)
            case _:
                raise ValueError(f"a line begins with >, <, =, !, ~, opened or closed, not: {line}")
        done.extend(_outcome(protocol))
    return done


def _pass_time(protocol: WireProtocol[Any, Any], now: float, end: float, done: list[str]) -> float:
    while (due := protocol.due()) is not None and due <= end + 1e-9:
        now = max(now, due)
        protocol.tick(now)
        done.extend(_outcome(protocol))
    return end


def _pieces(data: bytes, size: int | None) -> Iterator[bytes]:
    step = size or len(data)
    for at in range(0, len(data), step):
        yield data[at : at + step]


def _outcome(protocol: WireProtocol[Any, Any]) -> Iterator[str]:
    if owed := protocol.bytes_to_send():
        yield f"> {owed.hex(' ').upper()}"
    for event in protocol.events():
        yield f"= {describe_event(event)}"


def describe_event(event: Any) -> str:
    """An event as one line: its name, then each field that is not at its default."""
    words = [type(event).__name__]
    for each in fields(event):
        value = getattr(event, each.name)
        if each.default is MISSING or value != each.default:
            words.append(f"{each.name}={_word(value)}")
    return " ".join(words)


def _word(value: Any) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return f"{len(value)} of them"
    return " ".join(str(value).split())
