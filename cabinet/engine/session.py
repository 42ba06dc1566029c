"""A player's session: what went in and out since its first money, how long it has lasted, the limits the player set.

A session begins with the first money while the machine holds none of a player's. It ends when a fact says that the
machine has held none for long enough, and at once when what a reached limit had stopped is paid out. Nothing is counted
twice: what went in and out is the difference of lifetime meters to marks, the result is worked out when it is asked
for. The engine has no clock: facts report when the session began and when its time is up.
A limit can be lowered at any time; it is raised or taken away only by playing on once it has been reached, or by a new
session. A limit pauses play between hands, never inside one, and never touches paying out.
Source: requirements RG-02, RG-03, RG-05.
"""

from dataclasses import replace

from cabinet.engine import bets, locks
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import (
    ClockJumped,
    KeepPlaying,
    LimitLoss,
    LimitTime,
    SessionBegan,
    SessionEnded,
    TimeLimitReached,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind, Machine, Phase, Session, Settings
from cabinet.engine.step import StepBuilder

LONGEST_S = 7 * 24 * 3_600
"""The longest time limit."""

TIME, LOSS = "time", "loss"
"""The details of the lock: which limit was reached."""

_PUT_IN = {"bills_in": 1, "tickets_in": 1, "suspended": -1, "suspense_credited": 1}
_TAKEN_OUT = {"tickets_out": 1, "hand_paid": 1, "suspense_paid": -1}
"""Meters of what was added to the player's money and what left it; money in suspense is not the player's yet."""

_MARK = "session"


# --- what there is to know ----------------------------------------------------------------------------------------


def held_cents(machine: Machine) -> int:
    """Returns the player's money in the machine: credit, stakes, and a payout that is not finished."""
    return sum(machine.books.balance(account) for account in (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT))


def put_in_cents(machine: Machine) -> int:
    """Returns what the player has put in during this session."""
    return _since_began(machine, _PUT_IN)


def taken_out_cents(machine: Machine) -> int:
    """Returns what the player has been paid during this session."""
    return _since_began(machine, _TAKEN_OUT)


def _since_began(machine: Machine, meters: dict[str, int]) -> int:
    return sum(
        sign * (machine.books.meter(name) - machine.marks.get(f"{_MARK}.{name}", 0)) for name, sign in meters.items()
    )


def net_cents(machine: Machine) -> int:
    """Returns what the session has won (above 0) or lost (below 0). Stakes of an open hand still belong to the
    player."""
    return taken_out_cents(machine) + held_cents(machine) - put_in_cents(machine)


def lost_cents(machine: Machine) -> int:
    """Returns what the session has lost; 0 for a session that is even or ahead."""
    return max(0, -net_cents(machine))


def lasted_s(session: Session, wall_ms: int) -> int | None:
    """Returns how long the session has lasted at this time of day, in whole seconds; None when it is not known."""
    if session.began_ms is None or wall_ms < session.began_ms:
        return None
    return (wall_ms - session.began_ms) // 1_000


def reached(machine: Machine) -> bool:
    """Returns True if a limit of the player has been reached."""
    session = machine.session
    return session is not None and (session.time_is_up or _loss_is_reached(machine, session))


def _loss_is_reached(machine: Machine, session: Session) -> bool:
    return 0 < session.loss_limit_cents <= lost_cents(machine)


# --- its course ---------------------------------------------------------------------------------------------------


def follow(step: StepBuilder, before: Machine) -> None:
    """Begins a session with the first money, and pauses play at a limit. Called after each input."""
    machine = step.machine
    if machine.session is None:
        if held_cents(machine) and not held_cents(before):
            _begin(step, before)
        return
    paused, due = locks.find(machine, LockKind.PLAYER_LIMIT) is not None, reached(machine)
    paid_out = not held_cents(machine) and taken_out_cents(machine) > taken_out_cents(before)
    if due and paid_out:
        _end(step)
    elif due and not paused and not locks.hand_open(machine) and machine.phase is not Phase.CASHING_OUT:
        what = TIME if machine.session.time_is_up else LOSS
        step.log(LogKind.LIMIT_REACHED, what, lost_cents(machine) or None)
        locks.add_lock(step, LockKind.PLAYER_LIMIT, what)


def _begin(step: StepBuilder, before: Machine) -> None:
    marks = {f"{_MARK}.{name}": before.books.meter(name) for name in (*_PUT_IN, *_TAKEN_OUT)}
    step.update(session=Session(), marks={**step.machine.marks, **marks})
    step.update_shown(paid_out_cents=0, paid_out_total_cents=0)
    # A machine that was last used by an older program may still hold them; this player has not played yet.
    step.update_seat(last_bets={})


def _end(step: StepBuilder) -> None:
    """Clears the choices of this player for the next one. A payment that ends the session can still be read."""
    step.update(session=None)
    bets.forget_player(step)
    _lift(step)


def forget_payment(step: StepBuilder) -> None:
    """Removes the last payment from the screen."""
    step.update_shown(paid_out_cents=0, paid_out_total_cents=0)


def _lift(step: StepBuilder) -> None:
    lock = locks.find(step.machine, LockKind.PLAYER_LIMIT)
    if lock is not None:
        locks.clear_lock(step, lock)


def began(step: StepBuilder, fact: SessionBegan) -> None:
    """Records when the session began."""
    session = step.machine.session
    if session is not None and session.began_ms is None:
        step.update(session=replace(session, began_ms=fact.at_ms))


def ended(step: StepBuilder, _fact: SessionEnded) -> None:
    """Ends the session, unless there is money again."""
    if step.machine.session is not None and not held_cents(step.machine):
        _end(step)
        forget_payment(step)


def time_limit_reached(step: StepBuilder, _fact: TimeLimitReached) -> None:
    """Records that the time that the player wanted is over; play pauses after the hand."""
    session = step.machine.session
    if session is not None and session.time_limit_s:
        step.update(session=replace(session, time_is_up=True))


def clock_jumped(step: StepBuilder, fact: ClockJumped) -> None:
    """Moves the beginning of the session with the time of day, so that its length stays the same."""
    session = step.machine.session
    if session is not None and session.began_ms is not None:
        step.update(session=replace(session, began_ms=session.began_ms + fact.seconds * 1_000))


# --- the player's limits ------------------------------------------------------------------------------------------


def why_not_limit_time(settings: Settings, machine: Machine, command: LimitTime) -> Reason | None:
    """Refuses without a session of known time, and for a limit above the present one: a limit can only be lowered."""
    session = machine.session
    if not settings.player_limits:
        return Reason.NOT_ALLOWED
    if session is None or session.began_ms is None:
        return Reason.NOT_NOW
    if not 0 < command.session_s <= LONGEST_S:
        return Reason.NO_SUCH
    return Reason.NOT_ALLOWED if 0 < session.time_limit_s <= command.session_s else None


def limit_time(step: StepBuilder, command: LimitTime) -> None:
    """Sets or lowers the limit."""
    if step.machine.session is not None:
        step.update(session=replace(step.machine.session, time_limit_s=command.session_s))
        step.log(LogKind.LIMIT_SET, f"time, {command.session_s // 60} minutes of play")


def why_not_limit_loss(settings: Settings, machine: Machine, command: LimitLoss) -> Reason | None:
    """Refuses without a session or after a higher loss, and for a limit above the present one: a limit can only be
    lowered."""
    session = machine.session
    if not settings.player_limits:
        return Reason.NOT_ALLOWED
    if session is None:
        return Reason.NOT_NOW
    if command.cents <= lost_cents(machine):
        return Reason.NO_SUCH
    return Reason.NOT_ALLOWED if 0 < session.loss_limit_cents <= command.cents else None


def limit_loss(step: StepBuilder, command: LimitLoss) -> None:
    """Sets or lowers the limit."""
    if step.machine.session is not None:
        step.update(session=replace(step.machine.session, loss_limit_cents=command.cents))
        step.log(LogKind.LIMIT_SET, "loss", command.cents)


def why_not_keep_playing(_settings: Settings, machine: Machine, _command: KeepPlaying) -> Reason | None:
    """Refuses unless a limit pauses play and no other reason stops it."""
    if locks.find(machine, LockKind.PLAYER_LIMIT) is None or machine.phase is Phase.CASHING_OUT:
        return Reason.NOT_NOW
    others = (lock.kind for lock in machine.locks if lock.kind is not LockKind.PLAYER_LIMIT)
    return Reason.LOCKED if any(locks.LOCKS[kind].stops_play for kind in others) else None


def keep_playing(step: StepBuilder, _command: KeepPlaying) -> None:
    """Continues play. The limits that were reached end; another one stays."""
    session = step.machine.session
    if session is not None:
        step.update(session=_without_reached(step.machine, session))
    step.log(LogKind.LIMIT_PASSED)
    _lift(step)


def _without_reached(machine: Machine, session: Session) -> Session:
    left = replace(session, loss_limit_cents=0) if _loss_is_reached(machine, session) else session
    return replace(left, time_limit_s=0, time_is_up=False) if session.time_is_up else left
