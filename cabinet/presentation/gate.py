"""Decides what a press does at this moment: a step, the end of the animation, or nothing.

Rules: a press during an animation only skips it. The call for the attendant passes at any time. A press that would play
under an open page does nothing. A press is dropped when the player made it before the present round was visible, or
when its button had another meaning a moment ago (`meanings`).
Does not know the attendant's menu, holds or fingers. Reads no clock.
"""

from dataclasses import dataclass

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Button, CallAttendant, Command
from cabinet.engine.state import Settings
from cabinet.presentation.snapshot import Snapshot, is_open, not_yet_meant, played_unseen, unready_now


@dataclass(frozen=True, slots=True)
class SkipAnimation:
    """The animation is cut short; see `snapshot.skip_animation`."""


def accept(
    settings: Settings, snapshot: Snapshot, wish: Button | Command, now_s: float, *, pressed_at_s: float
) -> Command | SkipAnimation | None:
    """Returns what to do with a press made at `pressed_at_s`; None for nothing. Times are on the monotonic clock."""
    command = _command_of(settings, snapshot, wish) if isinstance(wish, Button) else wish
    if isinstance(command, CallAttendant):
        return command
    if snapshot.machine.round is not None and pressed_at_s < snapshot.round_shown_s:
        return None
    if not is_open(snapshot, now_s):
        return SkipAnimation()
    return None if _meant_before_change(snapshot, wish, pressed_at_s) else command


def _meant_before_change(snapshot: Snapshot, wish: Button | Command, pressed_at_s: float) -> bool:
    """Returns True when the press came so soon after a change that the player meant the state before it."""
    if isinstance(wish, Button):
        return wish in unready_now(snapshot, pressed_at_s)
    return type(wish) in not_yet_meant(snapshot, pressed_at_s)


def _command_of(settings: Settings, snapshot: Snapshot, button: Button) -> Command | None:
    return None if played_unseen(snapshot, button) else engine.bound(settings, snapshot.machine, button)
