"""What a setting is called in the operator's file, and its value in the words of the log. Pure.

Rules: whoever reads a lock or the log finds what is named there in the file; the engine's own names are told nowhere; a
secret is known to have changed and never told.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final

import msgspec

from cabinet.text.quoting import cut

LONGEST_VALUE: Final = 200
"""Characters of a value in the log."""

KEYS: Final[Mapping[str, str]] = {
    "games": "games.offered",
    "notes_cents": "money.notes_cents",
    "tickets_in": "money.tickets_in",
    "credit_limit_cents": "money.credit_limit_cents",
    "ticket_max_cents": "money.ticket_max_cents",
    "ticket_expires_days": "money.ticket_expires_days",
    "large_win_cents": "money.large_win_cents",
    "increment_max_cents": "money.increment_max_cents",
    "rejects_max": "money.rejects_max",
    "turbo_allowed": "games.turbo",
    "technician_pin": "attendant.technician_pin",
    "player_limits": "session.limits",
    "currency": "machine.currency",
    "machine_number": "machine.number",
}
"""The key in the file of each setting that is guarded while the machine holds money; those of a game are in a table of
its own there."""
ONE_CREDIT: Final = "games.credit_cents"
"""One key for every game, which the engine keeps with each table."""


def operator_key(name: str) -> str:
    """The key in the file of the guarded setting `name`, such as `classic.limits.min_cents`."""
    if name in KEYS:
        return KEYS[name]
    game_id, part, rest = name.split(".", 2)
    return ONE_CREDIT if (part, rest) == ("limits", "credit_cents") else f"games.{part}.{game_id}.{rest}"


def named(changes: Iterable[tuple[str, Any, Any]]) -> tuple[tuple[str, str, str], ...]:
    """Key in the file, old and new value in words, each once and in order, of changes under the engine's names."""
    told = {operator_key(name): (name.rpartition(".")[2], old, new) for name, old, new in changes}
    return tuple((key, _value(last, old), _value(last, new)) for key, (last, old, new) in sorted(told.items()))


def _value(last: str, value: object) -> str:
    """A value as the file has it, where that is another than the engine's."""
    if last == "cards_max" and value is None:
        return "0"
    if last == "technician_pin":
        return "set" if value else "empty"
    return word(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unguarded:
    """The settings that are taken at any start, by their key in the file: those that are told, in words, and those of
    which only is told that they changed."""

    shown: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict, repr=False)


def unguarded(config: Any) -> Unguarded:
    """What of the sections of `config` is not the engine's; what a section leaves out of its `repr` is hidden."""
    shown: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for key, value, secret in _settings_of(config):
        if secret:
            hidden[key] = str(value)
        elif key not in KEYS.values() and not key.startswith("games."):
            shown[key] = value if isinstance(value, str) else _word(_plain(value))
    return Unguarded(shown=shown, hidden=hidden)


def _settings_of(section: Any, path: str = "") -> Iterator[tuple[str, Any, bool]]:
    for item in fields(section):
        key, value = f"{path}{item.name}", getattr(section, item.name)
        if is_dataclass(value):
            yield from _settings_of(value, f"{key}.")
        else:
            yield key, value, not item.repr


def _plain(value: Any) -> Any:
    """As plain data, without what is left out."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    plain = msgspec.to_builtins(value)
    return {name: each for name, each in plain.items() if each is not None} if isinstance(plain, dict) else plain


def word(value: object) -> str:
    """A plain value in the words of the log; what is very long is cut."""
    return cut(_word(value), LONGEST_VALUE)


def _word(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None | "" | [] | ():
            return "none"
        case dict():
            return " ".join(f"{name}={_inner(each)}" for name, each in sorted(value.items())) or "none"
        case list() | tuple():
            return " ".join(map(_word, value))
        case _:
            return str(value)


def _inner(value: object) -> str:
    return f"({_word(value)})" if isinstance(value, dict) else _word(value)
