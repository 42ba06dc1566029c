"""Changes single values in a settings file, and keeps its other lines, comments and order. Pure.

Rules: the result is TOML that differs from the file before in the given keys only; otherwise it is an error. The module
knows no setting by name.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from cabinet.config.reader import ConfigError
from cabinet.config.text_file import parse_toml
from cabinet.installation.system.blocks import split_lines
from cabinet.text.quoting import show

Values = Mapping[tuple[str, str], object]
"""(table, key) -> value, such as ("machine", "number") -> 17. A table in a table is `acceptor.pulse`."""

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")


def set_values(text: str, values: Values) -> str:
    """Returns the file with these values. Raises ConfigError for a file in which a value cannot be set by itself."""
    raw = parse_toml(text)
    for (table, key), value in values.items():
        if _look_up(raw, table).get(key) == value and type(_look_up(raw, table).get(key)) is type(value):
            continue
        changed = _set(text, table, key, value)
        _check_only(raw, changed, table, key, value)
        text, raw = changed, tomllib.loads(changed)
    return text


def write_value(value: object) -> str:
    """Returns a value as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list() | tuple():
            return f"[{', '.join(map(write_value, value))}]"
        case dict():
            return (
                f"{{ {', '.join(f'{key} = {write_value(each)}' for key, each in value.items())} }}" if value else "{}"
            )
        case _:
            return str(value)


def _look_up(raw: Mapping[str, Any], table: str) -> Mapping[str, Any]:
    found: Any = raw
    for name in table.split("."):
        found = found.get(name, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def _set(text: str, table: str, key: str, value: object) -> str:
    """Returns the text with the value at its place, below its table, or in a new table at the end."""
    lines = split_lines(text)
    section, header = "", None
    for number, line in enumerate(lines):
        if found := _HEADER.match(line):
            section = found[1].replace(" ", "")
            header = number if section == table else header
        elif section == table and re.match(rf"\s*{re.escape(key)}\s*=", line):
            return "".join([*lines[:number], *_replaced(lines[number:], value)])
    line = f"{key} = {write_value(value)}\n"
    if header is not None:
        return "".join([*lines[: header + 1], line, *lines[header + 1 :]])
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}\n[{table}]\n{line}"


def _replaced(lines: list[str], value: object) -> list[str]:
    """Returns the lines with another value for the key that they begin with; its comment stays."""
    head = re.match(r"\s*[^=]+=\s*", lines[0])
    if head is None:
        return lines
    for count in range(1, len(lines) + 1):
        whole = "".join(lines[:count])
        if _parses(whole):
            tail = _tail(whole, head.end())
            return [_aligned(head[0] + write_value(value), tail, whole), *lines[count:]]
    return lines


def _aligned(begin: str, tail: str, whole: str) -> str:
    """Returns the line with its comment in the column where it was, if there is room."""
    comment = tail.lstrip(" \t")
    if "\n" in whole.rstrip("\n") or not comment.startswith("#"):
        return begin + tail
    return begin.ljust(len(whole) - len(comment) - 1) + " " + comment


def _tail(whole: str, start: int) -> str:
    """Returns what follows the value: blanks, its comment, and the line end."""
    read = tomllib.loads(whole)
    for found in re.finditer(r"#", whole[start:]):
        before = whole[: start + found.start()]
        if _parses(before) and tomllib.loads(before) == read:
            return whole[len(before.rstrip()) :]
    return whole[len(whole.rstrip()) :]


def _parses(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _plain(value: object) -> Any:
    """Returns a copy of the value that can be compared: lists for tuples."""
    return json.loads(json.dumps(value, default=str))


def _check_only(raw: Mapping[str, Any], changed: str, table: str, key: str, value: object) -> None:
    """Raises ConfigError if the changed text differs from the file in more than the value."""
    expected: dict[str, Any] = _plain(raw)
    inner = expected
    for name in table.split("."):
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{table}: found {show(inner)}, expected a table; write [{table}] and its keys below it")
    inner[key] = _plain(value)
    if not _parses(changed) or _plain(tomllib.loads(changed)) != expected:
        raise ConfigError(
            f"{table}.{key}: the file writes this key in a way that cannot be changed by itself, expected a line "
            f"`{key} = {write_value(value)}` below [{table}]; change it with an editor and repeat the set-up"
        )
