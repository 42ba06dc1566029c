"""The name of each setting in the operator's file, and its value as text for the log. Pure.

Rules: locks and the log use the names of the file, never the engine's names. Of a secret they report only
that it changed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final

import msgspec

from cabinet.text.quoting import cut

LONGEST_VALUE: Final = 200
"""Longest value in the log, in characters."""

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
"""Engine name -> key in the file, for each setting that cannot change while the machine holds money. The settings of a
game have a table per game there."""
ONE_CREDIT: Final = "games.credit_cents"
"""One key for all games; the engine keeps its value in each table."""


def operator_key(name: str) -> str:
    """Returns the key in the file of the guarded setting `name`, such as `classic.limits.min_cents`."""
    if name in KEYS:
        return KEYS[name]
    game_id, part, rest = name.split(".", 2)
    return ONE_CREDIT if (part, rest) == ("limits", "credit_cents") else f"games.{part}.{game_id}.{rest}"


def named(changes: Iterable[tuple[str, Any, Any]]) -> tuple[tuple[str, str, str], ...]:
    """Translates changes under engine names: returns key in the file, old and new value as text, sorted, each once."""
    by_key = {operator_key(name): (name.rpartition(".")[2], old, new) for name, old, new in changes}
    return tuple((key, _value(last, old), _value(last, new)) for key, (last, old, new) in sorted(by_key.items()))


def _value(last: str, value: object) -> str:
    """Returns a value as the file writes it, where the engine's value differs."""
    if last == "cards_max" and value is None:
        return "0"
    if last == "technician_pin":
        return "set" if value else "empty"
    return word(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unguarded:
    """The settings that may change at any start, by key in the file. `shown`: their values as text. `hidden`: secrets,
    of which only the change is reported."""

    shown: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict, repr=False)


def unguarded(config: Any) -> Unguarded:
    """Returns the settings of `config` that the engine does not guard. A field without `repr` is hidden."""
    shown: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for key, value, secret in _settings_of(config):
        if secret:
            hidden[key] = str(value)
        elif key not in KEYS.values() and not key.startswith("games."):
            shown[key] = value if isinstance(value, str) else _word(_plain(value))
    return Unguarded(shown=shown, hidden=hidden)


def shown_value(value: Any, *, secret: bool) -> str:
    """Returns a setting's value as text; of a secret only whether it is set."""
    if secret:
        return "set" if value else "none"
    return cut(value if isinstance(value, str) and value else _word(_plain(value)), LONGEST_VALUE)


def _settings_of(section: Any, path: str = "") -> Iterator[tuple[str, Any, bool]]:
    for item in fields(section):
        key, value = f"{path}{item.name}", getattr(section, item.name)
        if is_dataclass(value):
            yield from _settings_of(value, f"{key}.")
        else:
            yield key, value, not item.repr


def _plain(value: Any) -> Any:
    """Converts to plain data, without empty fields."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    plain = msgspec.to_builtins(value)
    return {name: each for name, each in plain.items() if each is not None} if isinstance(plain, dict) else plain


def word(value: object) -> str:
    """Returns a plain value as text for the log; a very long text is cut."""
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
