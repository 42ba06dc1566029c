"""What becomes of a wish at this moment: a step, the end of a story, or nothing.

Rules: while a story is told a wish only hurries it; the call for the attendant passes at any time; what would play
under an open page is no wish; one that was made before the round could be seen as it is was meant for another one, and
so was one that meant something else a moment ago (`meanings`).
Does not know the attendant's menu, holds, or whose finger it was. Reads no clock.
"""

from dataclasses import dataclass

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Button, CallAttendant, Command
from cabinet.engine.state import Settings
from cabinet.presentation.meanings import unknown_before
from cabinet.presentation.snapshot import Snapshot, is_open, played_unseen, settling_now


@dataclass(frozen=True, slots=True)
class SkipAnimation:
    """The story is cut short; `news.hurry` says how."""


def accept(
    settings: Settings, snapshot: Snapshot, wish: Button | Command, now_s: float, *, pressed_at_s: float
) -> Command | SkipAnimation | None:
    """What a wish comes to that was made at `made_s`, both on the monotonic clock."""
    command = _meant(settings, snapshot, wish) if isinstance(wish, Button) else wish
    if isinstance(command, CallAttendant):
        return command
    if snapshot.machine.round is not None and pressed_at_s < snapshot.round_shown_s:
        return None
    if not is_open(snapshot, now_s):
        return SkipAnimation()
    return None if _meant_otherwise(snapshot, wish, pressed_at_s) else command


def _meant_otherwise(snapshot: Snapshot, wish: Button | Command, pressed_at_s: float) -> bool:
    """Whether the wish was made so soon after a change that it was meant for what was there before."""
    if isinstance(wish, Button):
        return wish in settling_now(snapshot, pressed_at_s)
    return type(wish) in unknown_before(snapshot.meanings, pressed_at_s)


def _meant(settings: Settings, snapshot: Snapshot, button: Button) -> Command | None:
    return None if played_unseen(snapshot, button) else engine.bound(settings, snapshot.machine, button)
