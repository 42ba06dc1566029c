"""The names of an older form of the journal, and encoding with these names only.

A form is more than its tables: the machine, the inputs, events and transfers are stored by name, and a program refuses
a name that it does not know. `forms/N.json` has the names of form N as its last program knew them: `types` with the
names and types of their fields, `enums` with their values. It is data and is never edited.

Rules: a field that the form does not know is left out if it has its default, because a program without the field
behaves in the same way; any other unknown name is an error and is never dropped. The result is plain data in the order
of the newest form.
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from cabinet.store.errors import StoreError
from cabinet.store.stored_names import stored_field, stored_name

_NONE = (dataclasses.MISSING, msgspec.NODEFAULT)
_FOLDER = Path(__file__).parent / "forms"


class NoWordError(StoreError):
    """A form of the journal has no name for a value; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The names of one form."""

    form: int
    types: Mapping[str, frozenset[str]]
    """Name of a type -> names of its fields."""
    enums: Mapping[str, frozenset[str]]
    """Name of an enumeration -> its values."""

    def plain(self, value: Any) -> Any:
        """Encodes the value as plain data, in these words. NoWordError names a value without a word."""
        if value is None or isinstance(value, str | int | float):
            return value
        if isinstance(value, Enum):
            return self._value(value)
        if isinstance(value, Mapping):
            return {self.plain(key): self.plain(each) for key, each in value.items()}
        if isinstance(value, tuple | list | frozenset):
            return [self.plain(each) for each in value]
        return self._fields(value)

    def _value(self, value: Enum) -> Any:
        name = stored_name(type(value))
        if value.value not in self.enums.get(name, ()):
            raise self._no_word(f"{name} {value.value!r}")
        return value.value

    def _fields(self, value: Any) -> dict[str, Any]:
        type_: Any = type(value)
        name = stored_name(type_)
        known = self.types.get(name)
        if known is None:
            raise self._no_word(name)
        plain = {}
        for field, stored, default in _fields_of(type_):
            found = getattr(value, field)
            if stored in known:
                plain[stored] = self.plain(found)
            elif found != default():
                raise self._no_word(f"{name}.{stored}")
        return plain

    def _no_word(self, what: str) -> NoWordError:
        return NoWordError(f"form {self.form} of the journal has no word for {what}")


@cache
def _fields_of(type_: Any) -> tuple[tuple[str, str, Callable[[], Any]], ...]:
    """Returns the fields of a type in their order, with their stored names and the function that makes the default. The
    default of a field without one equals no value."""
    found = msgspec.structs.fields(type_) if issubclass(type_, msgspec.Struct) else dataclasses.fields(type_)
    return tuple((field.name, stored_field(type_, field.name), _default_of(field)) for field in found)


def _default_of(field: Any) -> Callable[[], Any]:
    if field.default_factory in _NONE:
        return lambda: field.default
    made: Callable[[], Any] = field.default_factory
    return made


@cache
def vocabulary_of(form: int) -> Vocabulary:
    """Returns the names of an older form that this program still writes."""
    found = json.loads((_FOLDER / f"{form}.json").read_text(encoding="utf-8"))
    types = {name: frozenset(names) for name, names in found["types"].items()}
    enums = {name: frozenset(values) for name, values in found["enums"].items()}
    return Vocabulary(form=form, types=types, enums=enums)
