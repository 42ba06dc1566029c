"""Whole sessions as text: one input per line, what it caused indented below.

    Deal | AS 6D KH 10C          an input, and the cards that will be drawn from now on
        RoundBegan number=1 ...  an event
        ! PrintTicket ...        an effect
        = betting, credit 20.00  where things stand afterwards

Lines that begin with `#` are remarks, `@ name=value` sets a setting of the operator before the first input. What is
indented is written by `render` and compared in full by the test of the playthroughs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import msgspec
from support.rounds import draws

from cabinet.engine import inputs
from cabinet.engine import machine as engine
from cabinet.engine.cards import RANKS, rank_of, suit_of
from cabinet.engine.effects import CardDealt, HoleTurned
from cabinet.engine.inputs import Input
from cabinet.engine.ledger import Account, faults_of
from cabinet.engine.state import Machine, Settings
from cabinet.engine.step import Step

FOLDER = Path(__file__).parents[1] / "playthroughs"
TYPES = {type_.__name__: type_ for type_ in (*get_args(inputs.Command), *get_args(inputs.Fact))}
SHOWN = (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE, Account.TICKETS, Account.HAND_PAID)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One input of a session; `remark` is what stands above it."""

    input: Input
    cards: str = ""
    remark: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session as it is written down."""

    settings: Settings
    lines: tuple[Line, ...]
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()


def read_session(name: str) -> Session:
    """The session in the file of this name among the playthroughs."""
    return parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def parse(text: str) -> Session:
    """The inputs of a session; what is indented is left out."""
    settings = Settings()
    lines: list[Line] = []
    remark: list[str] = []
    head: tuple[str, ...] = ()
    for written in text.splitlines():
        if written.startswith(" "):
            continue
        if not written or written.startswith("#"):
            remark.append(written)
        elif written.startswith("@"):
            name, _, value = written[1:].strip().partition("=")
            change: Mapping[str, Any] = {name: int(value)}
            settings = replace(settings, **change)
            head, remark = (*head, *remark, written), []
        else:
            words, _, cards = written.partition("|")
            lines.append(Line(input=_input(words), cards=cards.strip(), remark=tuple(remark)))
            remark = []
    return Session(settings=settings, lines=tuple(lines), head=head, tail=tuple(remark))


def _input(words: str) -> Input:
    name, *pairs = words.split()
    given = {key: value.replace("_", " ") for key, _, value in (pair.partition("=") for pair in pairs)}
    found: Input = msgspec.convert(given, TYPES[name], strict=False)
    return found


def play(session: Session) -> Iterator[tuple[Line, Step]]:
    """The steps of a session, one for each line. Fails when the books disagree or a card was left over."""
    machine, draw = engine.starting(session.settings), draws("")
    for line in session.lines:
        if line.cards:
            assert not draw.left, f"{draw.left} were not drawn before {line.cards}"
            draw = draws(line.cards)
        step = engine.step(session.settings, machine, line.input, draw)
        assert faults_of(step.machine.books) == (), line.input
        machine = step.machine
        yield line, step
    assert not draw.left, f"{draw.left} were not drawn at all"


def render(session: Session) -> str:
    """The session with everything it causes."""
    written = list(session.head)
    before: tuple[str, ...] = ()
    for line, step in play(session):
        written += line.remark
        written.append(_as_text(line.input) + (f" | {line.cards}" if line.cards else ""))
        written += [f"    {_as_text(event)}" for event in step.events]
        written += [f"    ! {_as_text(effect)}" for effect in step.effects]
        now = _standing(step.machine)
        written += [f"    {fact}" for fact in now if fact not in before]
        before = now
    return "\n".join((*written, *session.tail)) + "\n"


def _as_text(value: object) -> str:
    shown = [type(value).__name__]
    for field in fields(value):  # type: ignore[arg-type]
        item = getattr(value, field.name)
        if item == field.default:
            continue
        shown.append(f"{field.name}={_item(value, field.name, item)}")
    return " ".join(shown)


def _item(owner: object, name: str, item: object) -> str:
    if isinstance(owner, (CardDealt, HoleTurned)) and name == "card" and isinstance(item, int):
        return "face-down" if item < 0 else _name_of(item)
    if isinstance(item, Enum):
        return str(item.value).replace(" ", "_")
    if isinstance(item, tuple):
        return ",".join(str(each) for each in item)
    return str(item).replace(" ", "_")


def _standing(machine: Machine) -> tuple[str, ...]:
    held = ", ".join(
        f"{account.value.replace('_', ' ')} {cents / 100:.2f}"
        for account in SHOWN
        if (cents := machine.books.balance(account)) or account is Account.CREDIT
    )
    bets = " ".join(str(bet // 100) for bet in machine.seat.bets) if sum(machine.seat.bets) else ""
    locks = "; ".join(f"{lock.kind.value} {lock.cents / 100:.2f}" if lock.cents else lock.kind.value
                      for lock in machine.locks)  # fmt: skip
    return (
        f"= {engine.state_of(machine).value}, {held}",
        *((f"  bets {bets}",) if bets else ()),
        *((f"  locked: {locks}",) if locks else ()),
    )


def _name_of(card: int) -> str:
    """A short name such as `A♠` or `10♥`."""
    return RANKS[rank_of(card)] + "♠♥♦♣"[suit_of(card)]
