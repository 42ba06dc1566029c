"""The words of a form of the journal: of the program as it is, and as types that read nothing else.

`python -m support.vocabulary` writes those of the program as it is; a release keeps them in `cabinet/store/forms/`.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from cabinet.engine import effects, inputs
from cabinet.engine.ledger import Route
from cabinet.store import vocabulary
from cabinet.store.stored_machine import StoredMachine
from cabinet.store.stored_names import stored_field, stored_name

FORMS = Path(vocabulary.__file__).parent / "forms"
Words = Mapping[str, Mapping[str, Any]]
"""`types`: name of a type -> name of a field -> its type in words. `enums`: name -> values."""


def stored_types() -> dict[str, type]:
    """Every type that the journal may hold a value of, by its name."""
    roots = (StoredMachine, Route, *get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    found: dict[str, type] = {}
    waiting: list[Any] = list(roots)
    while waiting:
        hint = waiting.pop()
        if get_args(hint):
            waiting += get_args(hint)
        elif _is_ours(hint) and stored_name(hint) not in found:
            found[stored_name(hint)] = hint
            waiting += () if issubclass(hint, Enum) else get_type_hints(hint).values()
    return dict(sorted(found.items()))


def _is_ours(hint: Any) -> bool:
    return isinstance(hint, type) and (issubclass(hint, Enum | Struct) or is_dataclass(hint))


def present() -> dict[str, dict[str, Any]]:
    """The words of this program."""
    types, enums = {}, {}
    for name, type_ in stored_types().items():
        if issubclass(type_, Enum):
            enums[name] = [member.value for member in type_]
        else:
            types[name] = dict(_fields(type_))
    return {"types": types, "enums": enums}


def _fields(type_: type) -> Iterator[tuple[str, str]]:
    hints = get_type_hints(type_)
    for name in fields_of(type_):
        (field,) = (field for field in hints if stored_field(type_, field) == name)
        yield name, _spell(hints[field])


def fields_of(type_: type) -> dict[str, bool]:
    """The stored names of the fields of a type in their order, and whether each has a default."""
    if issubclass(type_, Struct):
        return {each.name: not each.required for each in msgspec.structs.fields(type_)}
    return {
        stored_field(type_, each.name): not (each.default is MISSING and each.default_factory is MISSING)
        for each in fields(type_)  # type: ignore[arg-type]
    }


def _spell(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return " | ".join(sorted(map(_spell, parts)))
    if hint in {NoneType, Ellipsis}:
        return "None" if hint is NoneType else "..."
    if origin is not None:
        return f"{origin.__name__}[{', '.join(map(_spell, parts))}]"
    return str(stored_name(hint))


# --- a reader that knows the words of one form and nothing else -------------------------------------------------


class Reader:
    """Reads what the program of a form could read: the types are made of its words alone, and refuse every other."""

    def __init__(self, words: Words) -> None:
        """Types are made when they are first needed."""
        self.words = words
        enums = {name: Enum(name, {str(value): value for value in values}) for name, values in words["enums"].items()}
        self._made: dict[str, Any] = {"Mapping": Mapping, **enums}

    def type_of(self, name: str) -> Any:
        """The type of this name. KeyError where the form has none."""
        if name not in self._made:
            spelled = self.words["types"][name]
            for other in {word for each in spelled.values() for word in re.findall(r"\w+", each)}:
                if other in self.words["types"]:
                    self.type_of(other)
            hints = [(field, eval(each, {}, self._made)) for field, each in spelled.items()]
            made = [(field, hint, msgspec.field(default=None)) for field, hint in hints]
            self._made[name] = msgspec.defstruct(name, made, forbid_unknown_fields=True)
        return self._made[name]

    def read_machine(self, body: bytes) -> None:
        """Reads a stored machine. ValidationError where it says more than the form knows."""
        msgspec.json.decode(body, type=self.type_of("Machine"))

    def read_tagged(self, plain: Mapping[str, Any]) -> None:
        """Reads an input or event with its name. As above; KeyError where the form has no such name."""
        msgspec.convert({key: value for key, value in plain.items() if key != "is"}, self.type_of(plain["is"]))


def reader_of(form: int) -> Reader:
    """The reader of a form that a release has kept."""
    return Reader(json.loads((FORMS / f"{form}.json").read_text(encoding="utf-8")))


if __name__ == "__main__":
    json.dump(present(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
