"""Engine values to JSON bytes and back.

The machine is one JSON object. Inputs and events are JSON objects with their type's name under "is", so that a journal
can be read without this program. An unknown name or field is an error and is never dropped. Encoding in an older form
uses only the words of that form (`vocabulary.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields as fields_of
from functools import cache
from typing import Any, get_args

import msgspec

from cabinet.engine import effects, inputs
from cabinet.engine.effects import Event
from cabinet.engine.inputs import Input
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.state import Machine
from cabinet.store.errors import StoreDamagedError
from cabinet.store.stored_machine import StoredMachine, from_stored, to_stored
from cabinet.store.stored_names import STORED_FIELDS, stored_field, stored_name
from cabinet.store.vocabulary import Vocabulary

_TAG = "is"


class UnknownWordError(StoreDamagedError):
    """A name or value that this program does not know: a newer program wrote it if the hash fits; otherwise it is
    damage."""


@cache
def _types() -> dict[str, type]:
    members = (*get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    return {stored_name(member): member for member in members}


@cache
def _fields(type_: type) -> Mapping[str, str]:
    """Returns the stored name of each field of a type with its name in the program."""
    return {stored_field(type_, field.name): field.name for field in fields_of(type_)}


def encode_machine(machine: Machine, words: Vocabulary | None = None) -> bytes:
    """Returns the machine as JSON, in `words` or in the newest form. Raises NoWordError when that form has no word for
    a value."""
    stored = to_stored(machine)
    return msgspec.json.encode(stored if words is None else words.plain(stored))


def decode_machine(body: bytes) -> Machine:
    """Returns the machine in a JSON object. Raises StoreDamagedError when the object is not exactly one machine."""
    try:
        stored = msgspec.json.decode(body, type=StoredMachine)
        dropped = _dropped(msgspec.json.decode(body), msgspec.to_builtins(stored), "machine")
        machine = from_stored(stored)
    except msgspec.ValidationError as error:
        raise UnknownWordError(f"the stored machine cannot be read: {error}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise StoreDamagedError(f"the stored machine cannot be read: {error}") from error
    if dropped is not None:
        raise UnknownWordError(f"the stored machine holds {dropped}, which this program does not know")
    return machine


def _dropped(found: Any, kept: Any, path: str) -> str | None:
    """Returns the first name in `found` that is not in `kept`, with its path; None if there is none."""
    if isinstance(found, dict) and isinstance(kept, dict):
        unknown = next((f"{path}.{name}" for name in found if name not in kept), None)
        return unknown or _first(_dropped(value, kept[name], f"{path}.{name}") for name, value in found.items())
    if isinstance(found, list) and isinstance(kept, Sequence):
        return _first(
            _dropped(one, other, f"{path}[{i}]") for i, (one, other) in enumerate(zip(found, kept, strict=True))
        )
    return None


def _first(answers: Iterable[str | None]) -> str | None:
    return next((answer for answer in answers if answer is not None), None)


def _tagged(value: object, words: Vocabulary | None) -> dict[str, Any]:
    type_ = type(value)
    if words is not None:
        plain: dict[str, Any] = words.plain(value)
    else:
        plain = msgspec.to_builtins(value)
        if type_.__name__ in STORED_FIELDS:
            plain = {stored_field(type_, field): found for field, found in plain.items()}
    return {_TAG: stored_name(type_), **plain}


def _untagged(plain: object) -> Any:
    fields = dict(plain) if isinstance(plain, dict) else {}
    name = fields.pop(_TAG, None)
    found = _types().get(str(name))
    if found is None:
        raise UnknownWordError(f"the journal holds a {name!r}, which this program does not know")
    known = _fields(found)
    unknown = sorted(fields.keys() - known)
    if unknown:
        raise UnknownWordError(f"the journal holds a {name} with {unknown[0]!r}, which this program does not know")
    try:
        return msgspec.convert({known[field]: each for field, each in fields.items()}, found)
    except (msgspec.ValidationError, ValueError) as error:
        raise UnknownWordError(f"the journal holds a {name} that cannot be read: {error}") from error


def encode_input(input_: Input, words: Vocabulary | None = None) -> str:
    """Returns an input as JSON."""
    return msgspec.json.encode(_tagged(input_, words)).decode()


def decode_input(text: str) -> Input:
    """Returns the input in a journal row."""
    value: Input = _untagged(_json(text))
    return value


def encode_events(events: Iterable[Event], words: Vocabulary | None = None) -> str:
    """Returns events as a JSON list."""
    return msgspec.json.encode([_tagged(event, words) for event in events]).decode()


def decode_events(text: str) -> tuple[Event, ...]:
    """Returns the events in a journal row."""
    plain = _json(text)
    if not isinstance(plain, list):
        raise StoreDamagedError(f"the journal holds events that are no list: {text[:40]}")
    return tuple(_untagged(each) for each in plain)


def encode_postings(postings: Iterable[Posting], words: Vocabulary | None = None) -> str:
    """Returns postings as a JSON list of [route, cents]."""
    routes = [(posting.route if words is None else words.plain(posting.route), posting.cents) for posting in postings]
    return msgspec.json.encode(routes).decode()


def decode_postings(text: str) -> tuple[Posting, ...]:
    """Returns the postings in a journal row."""
    try:
        return tuple(Posting(route=Route(route), cents=cents) for route, cents in _json(text))
    except (ValueError, TypeError) as error:
        raise UnknownWordError(f"the journal holds postings that cannot be read: {error}") from error


def encode_plain(value: object) -> str:
    """Returns a plain value (numbers, lists, mappings) as JSON."""
    return msgspec.json.encode(value).decode()


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StoreDamagedError(f"the journal holds text that is not JSON: {error}") from error


def decode_plain(text: str) -> Any:
    """Returns the plain value in a journal row."""
    return _json(text)
