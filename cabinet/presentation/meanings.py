"""Decides from when a button counts after its meaning has changed: a press meant for one question answers no other.

Rules:
- After every change of the machine the old meaning of each button is compared with the new one.
- A button with a new meaning counts READY_AFTER_S after the latest of these moments: the change; the release of the
  button, if it was down at the change or pushed since; the end of the animation, if it was pushed for the change or
  during its animation.
- A button with the same meaning counts at once, even if it had no meaning in between. SERVICE always counts.
- A touch without a button is new when the state before did not accept it; it counts READY_AFTER_S after the
  change of state.

Pure. Reads no clock. Does not know lamps, animations or fingers.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from cabinet.engine import machine as engine
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import Button, CallAttendant, Command
from cabinet.engine.state import Machine, Settings, State

READY_AFTER_S: Final = 0.6
"""Seconds. Longer than the time between two presses of a rhythm, and long enough to read that the question has
changed."""
LONG_AGO: Final = float("-inf")

_OF_THE_STATE = frozenset({Reason.NOT_NOW, Reason.LOCKED, Reason.AUDIT})
"""Reasons for which a button has no effect in the present state."""

Meaning = type | State
"""What a button means: the type of its command, or the state itself in the attendant's menu."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A button whose meaning has changed."""

    at_s: float
    up_s: float
    """When the button was first up after the change; infinite while it is down."""
    pushed: bool = False
    """True when it was pushed for the change or during the animation of the change."""
    lifting: bool = False
    """True while the finger of that push is still down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """What the buttons mean, and which meanings changed a moment ago."""

    last: Mapping[Button, Meaning] = field(default_factory=dict)
    """The last meaning of each button."""
    changes: Mapping[Button, Change] = field(default_factory=dict)
    state: State | None = None
    before: State | None = None
    """The state before the last change of state, at `state_s`."""
    state_s: float = LONG_AGO


def meanings_of(settings: Settings, machine: Machine) -> dict[Button, Meaning]:
    """Returns what each button means now. A dark button keeps its meaning unless the state itself refuses the
    command."""
    state = engine.state_of(machine)
    if state is State.AUDIT:
        return dict.fromkeys(Button, State.AUDIT)
    found: dict[Button, Meaning] = {}
    for button in engine.BUTTON_COMMANDS[state]:
        command = engine.bound(settings, machine, button)
        if command is not None and engine.why_not(settings, machine, command) not in _OF_THE_STATE:
            found[button] = type(command)
    return found


# --- changes ------------------------------------------------------------------------------------------------------


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
    """Returns the meanings after a change of the machine. `open_at_s` is the end of the old animation, `by` the button
    pushed for the change, `down` the panel's buttons that are down."""
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
    """Returns the meanings after a push during an animation. `down` as in `follow`."""
    change = meanings.changes.get(button)
    if change is None:
        return meanings
    up_s = float("inf") if button in down else now_s
    return _with(meanings, button, replace(change, up_s=up_s, pushed=True, lifting=True))


def lifted(meanings: Meanings, button: Button, now_s: float) -> Meanings:
    """Returns the meanings after a button was released; the same object when nothing changes."""
    change = meanings.changes.get(button)
    if change is None or not change.lifting:
        return meanings
    return _with(meanings, button, replace(change, up_s=now_s, lifting=False))


def _with(meanings: Meanings, button: Button, change: Change) -> Meanings:
    return replace(meanings, changes={**meanings.changes, button: change})


# --- which presses count ------------------------------------------------------------------------------------------


def unready(meanings: Meanings, open_at_s: float, at_s: float) -> frozenset[Button]:
    """Returns the buttons that do not count yet at `at_s`. `open_at_s` is the end of the animation."""
    changes = meanings.changes.items()
    return frozenset(button for button, each in changes if at_s < _counts_s(each, open_at_s)) - {Button.SERVICE}


def unknown_before(meanings: Meanings, at_s: float) -> frozenset[type[Command]]:
    """Returns the kinds of commands that a touch at `at_s` cannot have meant: the state before did not accept them."""
    state, before = meanings.state, meanings.before
    if state is None or before is None or at_s >= meanings.state_s + READY_AFTER_S:
        return frozenset()
    return frozenset(engine.ROWS[state].keys() - engine.ROWS[before].keys() - {CallAttendant})


def next_ready_s(meanings: Meanings, open_at_s: float, now_s: float) -> float | None:
    """Returns when the next button or touch counts; None when all count, or when only a finger is waited for."""
    ends = [_counts_s(each, open_at_s) for each in meanings.changes.values()]
    if meanings.before is not None:
        ends.append(meanings.state_s + READY_AFTER_S)
    return min((end for end in ends if now_s < end < float("inf")), default=None)


def _counts_s(change: Change, open_at_s: float) -> float:
    end_s = open_at_s if change.pushed else LONG_AGO
    return max(change.at_s, change.up_s, end_s) + READY_AFTER_S
