"""What a setting is called in the operator's file, and its value in the words of the log. Pure.

Rules: whoever reads a lock or the log finds what is named there in the file; the engine's own names are told nowhere.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cabinet.quoting import cut

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
