"""Reads plain tables of a TOML file into frozen dataclasses, with exact errors.

Rules: every message names the full key, the found value and the expected values. An unknown key is an error. No value
is converted from another type. The module knows no setting by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from inspect import isclass
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from cabinet.text.quoting import cut, plain, show

Cents = Annotated[int, msgspec.Meta(ge=0, le=10_000_000_000)]
BITS_MAX = 63
"""Without the sign; TOML guarantees no larger number."""
SECRET = {"secret": True}
"""Marks a type whose value no message shows."""
Pin = Annotated[str, msgspec.Meta(description="six digits in quotes, or nothing for no PIN", extra=SECRET)]
_NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""Text without control characters: valid as a path and readable in a message."""
LONGEST_PATH = 255
_PATH = f"a path in quotes without control characters, of {LONGEST_PATH} characters at most"
Port = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_PATH, pattern=_NO_CONTROLS, description=_PATH)]
FolderPath = Annotated[
    str, msgspec.Meta(max_length=LONGEST_PATH, pattern=_NO_CONTROLS, description=f"{_PATH}, or nothing")
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
    """The settings are not valid; the message names file, key, found and expected value, in printable characters."""

    def __init__(self, *mistakes: str) -> None:
        self.mistakes = tuple(map(plain, mistakes))
        """One sentence for each mistake."""
        super().__init__(list_mistakes(self.mistakes))


def list_mistakes(mistakes: Sequence[str]) -> str:
    """Returns the mistakes as one text; several are numbered."""
    if len(mistakes) == 1:
        return mistakes[0]
    return f"{len(mistakes)} mistakes: " + "; ".join(f"({n}) {each}" for n, each in enumerate(mistakes, start=1))


def one_of(names: Iterable[str]) -> str:
    """Returns the expectation: one of these names."""
    return f"one of {', '.join(names)}"


def read_section(section: type[SectionT], raw: object, key: str = "") -> SectionT:
    """Converts a table to a section. Raises ConfigError with every mistake in it."""
    if not isinstance(raw, Mapping):
        raise ConfigError(f"{key}: found {show(raw)}, expected a table")
    known = get_type_hints(section, include_extras=True)
    values: dict[str, Any] = {}
    mistakes: list[str] = []
    for name, found in raw.items():
        full = f"{key}.{cut(name)}" if key else cut(name)
        if name not in known:
            mistakes.append(f"{full}: unknown key, expected {one_of(known)}")
            continue
        try:
            values[name] = _read(known[name], found, full)
        except ConfigError as error:
            mistakes += error.mistakes
    if mistakes:
        raise ConfigError(*mistakes)
    return section(**values)


def _read(hint: Any, found: object, key: str) -> Any:
    if is_dataclass(hint) and isclass(hint):
        return read_section(hint, found, key)
    if get_origin(hint) is not dict:
        return read_value(hint, found, key)
    if not isinstance(found, Mapping):
        raise ConfigError(f"{key}: found {show(found)}, expected a table")
    (_, item) = get_args(hint)
    return {name: _read(item, each, f"{key}.{cut(name)}") for name, each in found.items()}


def read_value(hint: Any, found: object, key: str) -> Any:
    """Checks one value of a type such as `int` with limits, an enum, or a tuple. Raises ConfigError."""
    if isinstance(found, int) and found.bit_length() > BITS_MAX:
        raise ConfigError(f"{key}: found {show(found)}, expected a whole number of {BITS_MAX + 1} bits at most")
    try:
        return msgspec.convert(found, hint)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        inner = where.removesuffix("`")
        shown = _kind(found) if any(each.extra == SECRET for each in _metas(hint)) else show(_at(found, inner))
        raise ConfigError(f"{key}{inner}: found {shown}, expected {_wanted(hint, problem)}") from error


def _at(found: Any, inner: str) -> object:
    """Returns the value that the error is about, such as the one at `[2]` of a list; of a table the whole table."""
    for index in inner.strip("[]").split("][") if inner else ():
        if not index.isdigit():
            break
        found = found[int(index)]
    return found


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


def _kind(found: object) -> str:
    """Returns what a value is, without the value."""
    return _KINDS.get(type(found), "another kind of value")


def _wanted(hint: Any, problem: str) -> str:
    """Returns the expectation in plain words, from the type and the library's message."""
    choices = _choices(hint)
    if choices:
        return one_of(choices)
    described = [each.description for each in _metas(hint) if each.description]
    if described:
        return described[0]
    words, _, _ = problem.removeprefix("Expected ").partition(", got")
    if " of length" in words:
        words = f"{words.partition(' of length')[0]} of {_length(hint)}" if _length(hint) else words
    elif words.startswith(("`int`", "`float`")):
        words = f"{words.split()[0]}{_span(hint)}"
    for name, ours in _WORDS.items():
        words = words.replace(f"`{name}`", ours)
    return (
        words.replace("`str | null`", "a text in quotes")
        .replace("`int | null`", "a whole number")
        .replace("of length", "of")
    )


def allowed(hint: Any) -> str:
    """Returns what a setting of this type may be, in the words of an error."""
    choices = _choices(hint)
    if choices:
        return one_of(choices)
    described = [each.description for each in _metas(hint) if each.description]
    if described:
        return described[0]
    named = _WORDS.get(_base(hint), "a list" if get_origin(_bare(hint)) is tuple else "a table")
    return f"{named}{_span(hint)}"


def _bare(hint: Any) -> Any:
    """Returns the type without its limits."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _base(hint: Any) -> str:
    """Returns the name of the plain type; of an optional one the name of the type that it may be."""
    bare = _bare(hint)
    plain_types = [each for each in get_args(bare) if each is not type(None)] if get_origin(bare) is not tuple else []
    return str(getattr(_bare(plain_types[0]) if len(plain_types) == 1 else bare, "__name__", ""))


def _span(hint: Any) -> str:
    """Returns the range of a number, both ends of it; of the items, if the type is a list."""
    for meta in _all_metas(hint):
        least = meta.ge if meta.ge is not None else meta.gt
        most = meta.le if meta.le is not None else meta.lt
        if least is not None and most is not None:
            above, below = "" if meta.gt is None else "above ", "" if meta.lt is None else "below "
            return f" from {above}{least} to {below}{most}"
        if least is not None:
            return f" of {least} or more" if meta.gt is None else f" above {least}"
        if most is not None:
            return f" up to {most}" if meta.lt is None else f" below {most}"
    return ""


def _length(hint: Any) -> str:
    """Returns how long a text or a list may be, both ends of it."""
    for meta in _metas(hint):
        least, most = meta.min_length, meta.max_length
        if most is not None:
            return f"{least or 0} to {most}"
        if least is not None:
            return f"{least} or more"
    return ""


def _all_metas(hint: Any) -> list[msgspec.Meta]:
    return [*_metas(hint), *(meta for each in get_args(hint) for meta in _all_metas(each))]


def _metas(hint: Any) -> list[msgspec.Meta]:
    return [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, msgspec.Meta)]


def _choices(hint: Any) -> tuple[str, ...]:
    """Returns the accepted words of an enum or of literals, optional ones included."""
    for each in (hint, *get_args(hint)):
        if isclass(each) and issubclass(each, Enum):
            return tuple(str(member.value) for member in each)
    return tuple(get_args(hint)) if get_origin(hint) is Literal else ()
