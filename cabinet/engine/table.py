"""The rows of the transition table: one command or fact, each with the functions that take exactly that type.

`row` and `fact` are the only places where a type and its functions meet, so the type checker compares them there: a
handler in the row of another command is a type error. Behind them the functions are kept without their argument type,
because one table holds many types; the key of a row is always the type that it was checked with.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from cabinet.engine.effects import Reason
from cabinet.engine.inputs import Command, Fact
from cabinet.engine.state import Machine, Settings
from cabinet.engine.step import StepBuilder

T = TypeVar("T")
C = TypeVar("C", bound=Command)
F = TypeVar("F", bound=Fact)

Handler = Callable[[StepBuilder, T], None]
"""Carries out a command, or takes over a fact: changes the step builder."""

WhyNot = Callable[[Settings, Machine, T], Reason | None]
"""Why a command is refused now; None when it is accepted. Changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One command in one state: why it is refused, and what it does. Made by `row` only."""

    command: type
    why_not: WhyNot[Any]
    handle: Handler[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRow:
    """One fact and what it does in every state. Made by `fact` only."""

    fact: type
    handle: Handler[Any]


Rows = Mapping[type, Row]
"""The commands accepted in one state, each with its row."""


def _always(_settings: Settings, _machine: Machine, _command: Command) -> None:
    """No reason to refuse."""


def row(command: type[C], handle: Handler[C], why_not: WhyNot[C] = _always) -> Row:
    """The row of a command. Without `why_not` the command is never refused in that state."""
    return Row(command=command, why_not=why_not, handle=handle)


def fact(kind: type[F], handle: Handler[F]) -> FactRow:
    """The row of a fact, which cannot be refused."""
    return FactRow(fact=kind, handle=handle)


def rows(*each: Row) -> dict[type, Row]:
    """Rows by their command. ValueError when a command has two."""
    return _each_once((row.command, row) for row in each)


def facts(*each: FactRow) -> dict[type, Handler[Any]]:
    """Handlers by their fact. ValueError when a fact has two."""
    return _each_once((row.fact, row.handle) for row in each)


def _each_once(pairs: Iterable[tuple[type, T]]) -> dict[type, T]:
    found: dict[type, T] = {}
    for kind, value in pairs:
        if kind in found:
            raise ValueError(f"{kind.__name__} has two rows in one state of the table; keep the one that is meant")
        found[kind] = value
    return found
