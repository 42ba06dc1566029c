"""Rules and cards as words on the command line: `decks=8`, `split_by="same value"`, `A,7`.

A setting is read by the type of its field in `Rules`, so a new rule can be set here without a line being written.
Knows: how a value of each type is spelled. Does not know: what a rule does.
"""

from collections.abc import Iterable
from dataclasses import fields
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from cabinet.engine.errors import RulesError
from cabinet.engine.rules import Rules, vary

FIXED = frozenset({"game_id", "title"})
"""What a game is called is no rule."""
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_CARDS = {"A": 1, **{str(value): value for value in range(2, 11)}, "T": 10, "J": 10, "Q": 10, "K": 10}


def settable() -> dict[str, Any]:
    """Every rule that can be set, with its type."""
    hints = get_type_hints(Rules)
    return {item.name: hints[item.name] for item in fields(Rules) if item.name not in FIXED}


def change_rules(rules: Rules, settings: Iterable[str]) -> Rules:
    """The rules with settings such as `decks=8` made. RulesError for a setting that is none, or rules that contradict
    themselves."""
    known = settable()
    changes: dict[str, Any] = {}
    for setting in settings:
        name, sign, word = (part.strip() for part in setting.partition("="))
        if not sign:
            raise RulesError(f"--set {setting!r}: expected a rule, =, and its value, such as decks=8")
        if name not in known:
            raise RulesError(f"--set {setting!r}: there is no rule {name!r}; expected one of {', '.join(known)}")
        changes[name] = _read(known[name], word, setting)
    return vary(rules, **changes)


def rule_words(rules: Rules) -> dict[str, Any]:
    """The rules as plain data: choices as their words, ratios as lists."""
    plain = {item.name: getattr(rules, item.name) for item in fields(rules)}
    return {name: _plain(value) for name, value in plain.items()}


def read_cards(text: str) -> tuple[int, ...]:
    """The values of cards written as `A,7` or `10,10`; 1 for an ace. RulesError for anything else."""
    words = [word.strip().upper() for word in text.split(",")]
    wrong = [word for word in words if word not in _CARDS]
    if wrong:
        raise RulesError(f"{text!r}: {wrong[0]!r} is no card; expected cards such as A,7 (A, 2 to 10, T, J, Q, K)")
    return tuple(_CARDS[word] for word in words)


def read_card(text: str) -> int:
    """The value of one card. RulesError for anything else."""
    cards = read_cards(text)
    if len(cards) != 1:
        raise RulesError(f"{text!r}: expected one card")
    return cards[0]


def card_word(value: int) -> str:
    """A card's value as it is written: A, 2 … 10."""
    return "A" if value == 1 else str(value)


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _read(kind: Any, word: str, setting: str) -> Any:
    options = get_args(kind)
    if NoneType in options:
        if word.lower() in {"none", "no limit", ""}:
            return None
        return _read(next(option for option in options if option is not NoneType), word, setting)
    if kind is bool:
        return _one_of(setting, {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}, word, "yes or no")
    if kind is int:
        return _whole(word, setting)
    if get_origin(kind) is tuple:
        paid, sign, per = word.replace(" to ", ":").replace("/", ":").partition(":")
        if not sign:
            raise RulesError(f"--set {setting!r}: found {word!r}, expected a ratio such as 3:2")
        return _whole(paid, setting), _whole(per, setting)
    choices = {str(member.value).lower(): member for member in kind} | {member.name.lower(): member for member in kind}
    return _one_of(setting, choices, word, " or ".join(f'"{member.value}"' for member in kind))


def _one_of(setting: str, choices: dict[str, Any], word: str, expected: str) -> Any:
    if word.lower() not in choices:
        raise RulesError(f"--set {setting!r}: found {word!r}, expected {expected}")
    return choices[word.lower()]


def _whole(word: str, setting: str) -> int:
    if not word.strip().isdecimal():
        raise RulesError(f"--set {setting!r}: found {word!r}, expected a whole number")
    return int(word)
