"""Engine values to JSON bytes and back.

The machine is one JSON object. Inputs and events are JSON objects with their type's name under "is", so that a journal
can be read without this program. A name or field this program does not know is an error, never dropped.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from cabinet.engine import effects, inputs
from cabinet.engine.effects import Event
from cabinet.engine.inputs import Input
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.state import Machine
from cabinet.store.errors import StoreDamagedError

_TAG = "is"


@cache
def _types() -> dict[str, type]:
    members = (*get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    return {member.__name__: member for member in members}


def encode_machine(machine: Machine) -> bytes:
    """The machine as JSON."""
    return msgspec.json.encode(machine)


def decode_machine(body: bytes) -> Machine:
    """The machine a JSON object describes. StoreDamagedError when it does not describe one."""
    try:
        return msgspec.json.decode(body, type=Machine)
    except (msgspec.DecodeError, ValueError) as error:
        raise StoreDamagedError(f"the stored machine cannot be read: {error}") from error


def _tagged(value: object) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return {_TAG: type(value).__name__, **plain}


def _untagged(plain: Mapping[str, Any]) -> Any:
    fields = dict(plain)
    name = fields.pop(_TAG, None)
    found = _types().get(str(name))
    if found is None:
        raise StoreDamagedError(f"the journal holds a {name!r}, which this program does not know")
    try:
        return msgspec.convert(fields, found)
    except (msgspec.ValidationError, ValueError) as error:
        raise StoreDamagedError(f"the journal holds a {name} that cannot be read: {error}") from error


def encode_input(input_: Input) -> str:
    """An input as JSON."""
    return msgspec.json.encode(_tagged(input_)).decode()


def decode_input(text: str) -> Input:
    """The input a journal row holds."""
    value: Input = _untagged(_json(text))
    return value


def encode_events(events: Iterable[Event]) -> str:
    """Events as a JSON list."""
    return msgspec.json.encode([_tagged(event) for event in events]).decode()


def decode_events(text: str) -> tuple[Event, ...]:
    """The events a journal row holds."""
    return tuple(_untagged(plain) for plain in _json(text))


def encode_postings(postings: Iterable[Posting]) -> str:
    """Postings as a JSON list of [route, cents]."""
    return msgspec.json.encode([(posting.route.value, posting.cents) for posting in postings]).decode()


def decode_postings(text: str) -> tuple[Posting, ...]:
    """The postings a journal row holds."""
    try:
        return tuple(Posting(route=Route(route), cents=cents) for route, cents in _json(text))
    except (ValueError, TypeError) as error:
        raise StoreDamagedError(f"the journal holds postings that cannot be read: {error}") from error


def encode_plain(value: object) -> str:
    """A plain value (numbers, lists, mappings) as JSON."""
    return msgspec.json.encode(value).decode()


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise StoreDamagedError(f"the journal holds text that is not JSON: {error}") from error


def decode_plain(text: str) -> Any:
    """The plain value a journal row holds."""
    return _json(text)
