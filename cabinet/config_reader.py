"""Reads plain tables, as TOML gives them, into frozen dataclasses, and says exactly what does not fit.

Rules: every message names the key in full, what was found and what was expected; an unknown key is an error; nothing is
converted that was not written as what it should be. Knows no setting by name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from inspect import isclass
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

Cents = Annotated[int, msgspec.Meta(ge=0, le=10_000_000_000)]
SECRET = {"secret": True}
"""Marks a type whose value is never shown, not even in a message."""
Pin = Annotated[str, msgspec.Meta(description="six digits in quotes, or nothing for no PIN", extra=SECRET)]
_NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""What the system takes as a name, and a person can read in a message."""
Port = Annotated[
    str, msgspec.Meta(min_length=1, pattern=_NO_CONTROLS, description="a path in quotes without control characters")
]
FolderPath = Annotated[
    str, msgspec.Meta(pattern=_NO_CONTROLS, description="a path in quotes without control characters, or nothing")
]

SectionT = TypeVar("SectionT")

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


class ConfigError(Exception):
    """The settings cannot be used; the message names file, key, found and expected."""


def one_of(names: Iterable[str]) -> str:
    """What may stand here: one of these names."""
    return f"one of {', '.join(names)}"


def read_section(section: type[SectionT], raw: object, key: str = "") -> SectionT:
    """The section that a table describes. Raises ConfigError."""
    if not isinstance(raw, Mapping):
        raise ConfigError(f"{key}: found {_show(raw)}, expected a table")
    known = get_type_hints(section, include_extras=True)
    values: dict[str, Any] = {}
    for name, found in raw.items():
        full = f"{key}.{name}" if key else name
        if name not in known:
            raise ConfigError(f"{full}: unknown key, expected {one_of(known)}")
        values[name] = _read(known[name], found, full)
    return section(**values)


def _read(hint: Any, found: object, key: str) -> Any:
    if is_dataclass(hint) and isclass(hint):
        return read_section(hint, found, key)
    if get_origin(hint) is not dict:
        return read_value(hint, found, key)
    if not isinstance(found, Mapping):
        raise ConfigError(f"{key}: found {_show(found)}, expected a table")
    (_, item) = get_args(hint)
    return {name: _read(item, each, f"{key}.{name}") for name, each in found.items()}


def read_value(hint: Any, found: object, key: str) -> Any:
    """One value of a type such as `int` with limits, an enum, or a tuple. Raises ConfigError."""
    try:
        return msgspec.convert(found, hint)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        inner = where.removesuffix("`")
        shown = "something else" if any(each.extra == SECRET for each in _metas(hint)) else _show(_at(found, inner))
        raise ConfigError(f"{key}{inner}: found {shown}, expected {_wanted(hint, problem)}") from error


def _at(found: Any, inner: str) -> object:
    """The value in a list that the reader complains of, such as the one at `[2]`."""
    for index in inner.strip("[]").split("][") if inner else ():
        found = found[int(index)]
    return found


def _wanted(hint: Any, problem: str) -> str:
    """What is expected, in plain words, from the type and what the library says of the value."""
    choices = _choices(hint)
    if choices:
        return one_of(choices)
    described = [each.description for each in _metas(hint) if each.description]
    if described:
        return described[0]
    words, _, _ = problem.removeprefix("Expected ").partition(", got")
    for name, plain in _WORDS.items():
        words = words.replace(f"`{name}`", plain)
    return (
        words.replace("`str | null`", "a text in quotes")
        .replace("`int | null`", "a whole number")
        .replace("of length", "of")
    )


def _metas(hint: Any) -> list[msgspec.Meta]:
    return [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, msgspec.Meta)]


def _choices(hint: Any) -> tuple[str, ...]:
    """The words allowed, for an enum or a list of literals; also where it may be left out."""
    for each in (hint, *get_args(hint)):
        if isclass(each) and issubclass(each, Enum):
            return tuple(str(member.value) for member in each)
    return tuple(get_args(hint)) if get_origin(hint) is Literal else ()


def _show(found: object) -> str:
    """A value as it stands in the file."""
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, Mapping):
        return "a table"
    if isinstance(found, str):
        return "".join(['"', *(each if each.isprintable() else f"\\u{ord(each):04X}" for each in found), '"'])
    return str(found)
