"""From when a button counts that has come to mean something else: a press meant for one question answers no other.

Rules: with every change of the machine, whatever its cause, what each button meant is compared with what it means now.
One that means something else counts once it was up and SETTLE_S have passed: since the change, and since the end of its
story when the button was pushed for the change or during the story. One that means the same is not slowed down; that it
meant nothing in between makes no difference. SERVICE always counts. What a touch asks for without a button is new when
the state before did not know it, and counts SETTLE_S after the change of state.
Pure. Reads no clock; does not know lamps, stories or whose finger it is.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from cabinet.engine import machine as engine
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import Button, CallAttendant, Command
from cabinet.engine.state import Machine, Settings, State

SETTLE_S: Final = 0.6
"""Longer than from one press of a rhythm to the next, and long enough to see that the question is another one."""
LONG_AGO: Final = float("-inf")

_OF_THE_STATE = frozenset({Reason.NOT_NOW, Reason.LOCKED, Reason.AUDIT})
"""Reasons why a button does nothing here at all."""

Meaning = type | State
"""What a button means: the kind of its command; in the attendant's menu that state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A button that has come to mean something else."""

    at_s: float
    up_s: float
    """When it was up for the first time since; infinite while it is still down."""
    pushed: bool = False
    """Whether it was pushed for the change, or while the story of it was told."""
    lifting: bool = False
    """Whether the finger of that push has yet to be lifted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """What the buttons mean, and which of them have changed a moment ago."""

    last: Mapping[Button, Meaning] = field(default_factory=dict)
    """What each button meant when it last meant anything."""
    changes: Mapping[Button, Change] = field(default_factory=dict)
    state: State | None = None
    before: State | None = None
    """The state before the last change of state, at `state_s`."""
    state_s: float = LONG_AGO


def meanings_of(settings: Settings, machine: Machine) -> dict[Button, Meaning]:
    """What the buttons mean now; a dark one means what it would do, but nothing where the state itself refuses that."""
    state = engine.state_of(machine)
    if state is State.AUDIT:
        return dict.fromkeys(Button, State.AUDIT)
    found: dict[Button, Meaning] = {}
    for button in engine.BUTTONS[state]:
        command = engine.bound(settings, machine, button)
        if command is not None and engine.why_not(settings, machine, command) not in _OF_THE_STATE:
            found[button] = type(command)
    return found


# --- how it goes on -----------------------------------------------------------------------------------------------


def follow(
    old: Meanings,
    settings: Settings,
    machine: Machine,
    *,
    open_at_s: float,
    now_s: float,
    by: Button | None = None,
    down: AbstractSet[Button] = frozenset(),
) -> Meanings:
    """The meanings after a change of the machine. `open_at_s` is when the old story was told, `by` the button that was
    pushed for the change, `down` the buttons of the panel that are down."""
    now, state = meanings_of(settings, machine), engine.state_of(machine)
    changes = {button: each for button, each in old.changes.items() if now_s < _counts_s(each, open_at_s)}
    for button, meaning in now.items():
        if old.last.get(button, meaning) is not meaning:
            change = Change(at_s=now_s, up_s=float("inf") if button in down else now_s)
            changes[button] = replace(change, pushed=button is by, lifting=button is by or button in down)
    moved = state is not old.state
    return Meanings(
        last={**old.last, **now},
        changes=changes,
        state=state,
        before=old.state if moved else old.before,
        state_s=now_s if moved else old.state_s,
    )


def pushed(meanings: Meanings, button: Button, now_s: float, *, down: AbstractSet[Button] = frozenset()) -> Meanings:
    """A button was pushed while a story was told. `down` as for `follow`."""
    change = meanings.changes.get(button)
    if change is None:
        return meanings
    up_s = float("inf") if button in down else now_s
    return _with(meanings, button, replace(change, up_s=up_s, pushed=True, lifting=True))


def lifted(meanings: Meanings, button: Button, now_s: float) -> Meanings:
    """A button was let go; the same when that makes no difference."""
    change = meanings.changes.get(button)
    if change is None or not change.lifting:
        return meanings
    return _with(meanings, button, replace(change, up_s=now_s, lifting=False))


def _with(meanings: Meanings, button: Button, change: Change) -> Meanings:
    return replace(meanings, changes={**meanings.changes, button: change})


# --- what counts --------------------------------------------------------------------------------------------------


def settling(meanings: Meanings, open_at_s: float, at_s: float) -> frozenset[Button]:
    """The buttons that do not count yet at that moment. `open_at_s` is when the story is told."""
    changes = meanings.changes.items()
    return frozenset(button for button, each in changes if at_s < _counts_s(each, open_at_s)) - {Button.SERVICE}


def unknown_before(meanings: Meanings, at_s: float) -> frozenset[type[Command]]:
    """The kinds of commands that a touch cannot have meant yet at that moment: the state before did not know them."""
    state, before = meanings.state, meanings.before
    if state is None or before is None or at_s >= meanings.state_s + SETTLE_S:
        return frozenset()
    return frozenset(engine.ROWS[state].keys() - engine.ROWS[before].keys() - {CallAttendant})


def settles_s(meanings: Meanings, open_at_s: float, now_s: float) -> float | None:
    """When the next of these counts; None when all do, or when that waits for a finger."""
    ends = [_counts_s(each, open_at_s) for each in meanings.changes.values()]
    if meanings.before is not None:
        ends.append(meanings.state_s + SETTLE_S)
    return min((end for end in ends if now_s < end < float("inf")), default=None)


def _counts_s(change: Change, open_at_s: float) -> float:
    end_s = open_at_s if change.pushed else LONG_AGO
    return max(change.at_s, change.up_s, end_s) + SETTLE_S
