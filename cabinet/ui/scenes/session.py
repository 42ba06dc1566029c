"""The session page: how long the player has played, money in and out, the result, and the player's own limits.

Rules: a loss has the same words and size as a gain. The page shows a round's result only after its animation. A time
that cannot be trusted is shown as unknown. A limit counts from now, and a limit that the engine refuses cannot be
touched. Buttons alone point at one choice after another. Does not know how limits are kept.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from cabinet.engine import session
from cabinet.engine.effects import RoundSettled
from cabinet.engine.inputs import Fault, LimitLoss, LimitTime
from cabinet.engine.state import Session
from cabinet.text.messages import Key
from cabinet.ui.scenes.bars import limits_text
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import LimitView, OverlayAction, OverlayButton, SessionView

STEPS_MIN: Final = (15, 30, 60, 120)
"""The times offered, in minutes from now."""
STEPS_HALVES: Final = (1, 2, 4, 10)
"""The losses offered from now on, in halves of the largest bet of one place."""


def session_view(moment: Moment) -> SessionView | None:
    """Returns the open page; None while it is closed."""
    if not moment.ui.session_shown:
        return None
    say, found = moment.words.say, moment.machine.session
    limits, buttons = _limits(moment, found) if found is not None else ((), ())
    close = OverlayButton(action=OverlayAction.CLOSE, word=say(Key.HELP_CLOSE))
    return SessionView(
        title=say(Key.SESSION_TITLE),
        rows=(*_rows(moment, found), *(_money(moment) if found is not None else ())),
        result=_result(moment) if found is not None else say(Key.SESSION_NONE),
        limits=limits,
        notes=(say(Key.LIMIT_NOTE), say(Key.LIMIT_BUTTONS)) if limits else (),
        foot=moment.facts.helpline,
        buttons=_pointed((*buttons, close), moment.ui.choice),
    )


def session_change_s(moment: Moment) -> float | None:
    """Returns when the next minute of the session ends; None while the page is closed."""
    found = moment.machine.session
    if not moment.ui.session_shown or found is None or found.began_ms is None:
        return None
    return moment.now_s + 60 - (_wall_ms(moment) - found.began_ms) % 60_000 / 1_000


def _pointed(buttons: tuple[OverlayButton, ...], choice: int | None) -> tuple[OverlayButton, ...]:
    """Returns the buttons with the choice pointed at; only enabled ones take turns."""
    enabled = [index for index, button in enumerate(buttons) if button.enabled]
    if choice is None:
        return buttons
    at = enabled[choice % len(enabled)]
    return tuple(replace(button, pointed=index == at) for index, button in enumerate(buttons))


# --- facts --------------------------------------------------------------------------------------------------------


def _rows(moment: Moment, found: Session | None) -> tuple[tuple[str, str], ...]:
    say, words = moment.words.say, moment.words
    clock = (say(Key.SESSION_CLOCK), words.clock(moment.wall))
    table = (words.title(moment.table.rules), limits_text(moment, moment.table))
    if found is None:
        return (clock, table)
    lasted_s = _lasted_s(moment, found)
    return (clock, (say(Key.SESSION_TIME), _duration(moment, lasted_s)), table)


def _duration(moment: Moment, seconds: int | None) -> str:
    if seconds is None:
        return moment.words.say(Key.SESSION_UNKNOWN)
    hours, minutes = divmod(seconds // 60, 60)
    return moment.words.say(Key.SESSION_HOURS if hours else Key.SESSION_MINUTES, hours=hours, minutes=minutes)


def _money(moment: Moment) -> tuple[tuple[str, str], ...]:
    say, money, machine = moment.words.say, moment.words.money, moment.machine
    return (
        (say(Key.SESSION_PUT_IN), money(session.put_in_cents(machine))),
        (say(Key.SESSION_PAID_OUT), money(session.taken_out_cents(machine))),
        (say(Key.SESSION_HELD), money(session.held_cents(machine) - _unshown_cents(moment))),
    )


def _result(moment: Moment) -> str:
    net = session.net_cents(moment.machine) - _unshown_cents(moment)
    key = Key.SESSION_LOST if net < 0 else Key.SESSION_WON if net else Key.SESSION_EVEN
    return moment.words.say(key, amount=moment.words.money(abs(net)))


def _unshown_cents(moment: Moment) -> int:
    """Returns what the animated round has won or lost and the screen has not shown yet; 0 after the animation."""
    if moment.playback.finished:
        return 0
    settled = (event for event in moment.snapshot.events if isinstance(event, RoundSettled))
    return sum(event.returned_cents - event.staked_cents for event in settled)


def _wall_ms(moment: Moment) -> int:
    return round(moment.wall.timestamp() * 1_000)


def _lasted_s(moment: Moment, found: Session) -> int | None:
    believed = Fault.CLOCK_INVALID not in moment.machine.faults
    return session.lasted_s(found, _wall_ms(moment)) if believed else None


# --- limits -------------------------------------------------------------------------------------------------------


def _limits(moment: Moment, found: Session) -> tuple[tuple[LimitView, ...], tuple[OverlayButton, ...]]:
    """Returns both limits and their buttons; none where the operator offers none."""
    if not moment.settings.player_limits:
        return (), ()
    times, losses = tuple(_times(moment, found)), tuple(_losses(moment))
    say = moment.words.say
    return (
        LimitView(label=say(Key.LIMIT_TIME), state=_time_set(moment, found), count=len(times)),
        LimitView(label=say(Key.LIMIT_LOSS), state=_loss_set(moment, found), count=len(losses)),
    ), (*times, *losses)


def _times(moment: Moment, found: Session) -> Iterator[OverlayButton]:
    lasted_s = _lasted_s(moment, found)
    for minutes in STEPS_MIN:
        # From the nearest whole minute, so that the page does not change every second.
        session_s = ((lasted_s or 0) + 30) // 60 * 60 + minutes * 60
        yield OverlayButton(
            action=OverlayAction.LIMIT_TIME,
            word=moment.words.say(Key.SESSION_MINUTES, minutes=minutes),
            enabled=lasted_s is not None and moment.allows(LimitTime(session_s=session_s)),
            value=session_s,
        )


def _losses(moment: Moment) -> Iterator[OverlayButton]:
    lost = session.lost_cents(moment.machine)
    for halves in STEPS_HALVES:
        cents = moment.table.limits.max_cents * halves // 2
        yield OverlayButton(
            action=OverlayAction.LIMIT_LOSS,
            word=moment.words.short_money(cents),
            enabled=moment.allows(LimitLoss(cents=lost + cents)),
            value=lost + cents,
        )


def _time_set(moment: Moment, found: Session) -> str:
    lasted_s = _lasted_s(moment, found)
    if lasted_s is None or not found.time_limit_s:
        return moment.words.say(Key.LIMIT_NONE)
    at = moment.wall + timedelta(seconds=found.time_limit_s - lasted_s)
    return moment.words.say(Key.LIMIT_AT_TIME, clock=moment.words.clock(at))


def _loss_set(moment: Moment, found: Session) -> str:
    if not found.loss_limit_cents:
        return moment.words.say(Key.LIMIT_NONE)
    return moment.words.say(Key.LIMIT_AT_LOSS, amount=moment.words.money(found.loss_limit_cents))
