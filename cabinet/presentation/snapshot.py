"""The state that the cabinet's thread publishes to the screen, as one value.

Rules: a snapshot is complete, the screen needs no older one, and a higher number replaces a lower one. Events that
happen during an animation are appended to it (`next_snapshot`), so a note inserted during a deal does not remove the
cards from the table. Knows the machine's values and the timeline. Does not know drawing, texts or devices.
"""

from dataclasses import dataclass, field, replace

from cabinet.attendant.pages import Page
from cabinet.engine.effects import BetsChanged, Event, PaidOut, RoundBegan
from cabinet.engine.inputs import Button
from cabinet.engine.round import Stage
from cabinet.engine.state import Machine, Phase, Settings
from cabinet.presentation.meanings import Meanings, follow, lifted, pushed, unknown_before, unready
from cabinet.presentation.timeline import Sliding, animation_end, skipped_end, slides


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The newest machine and the events that led to it.

    `began_at_s` is when the animation of the events began, `open_at_s` when presses are taken again, both on the
    monotonic clock.
    `lit` are the buttons that the engine accepts after the animation. `notes` is True while notes are taken,
    `ticket_waits` while the printer reports a ticket in its mouth.
    """

    number: int
    machine: Machine
    events: tuple[Event, ...] = ()
    began_at_s: float = 0.0
    open_at_s: float = 0.0
    lit: frozenset[Button] = frozenset()
    notes: bool = False
    attendant: Page | None = None
    call: bool = False
    ticket_waits: bool = False
    round_shown_s: float = float("-inf")
    """When this round and the insurance it offers became visible; earlier presses are dropped."""
    sliding: Sliding = ()
    """Chips of earlier animations that were still moving when this one began: a press does not stop them."""
    swept: Machine | None = None
    """The machine with the last round that was cleared away, at `swept_at_s`."""
    swept_at_s: float = float("-inf")
    paid: PaidOut | None = None
    """The last payment, until the next hand or the end of the session; visible from `paid_at_s` on."""
    paid_at_s: float = 0.0
    paid_hidden: bool = False
    """True while the attendant's menu, in which the payment was made, covers it."""
    paid_replaced: bool = False
    """True when the player has done something since the payment."""
    called_at_s: float = float("-inf")
    """When the attendant was last called."""
    meanings: Meanings = field(default_factory=Meanings)
    """What the buttons mean, and which do not count yet because their meaning has just changed."""
    reading: bool = False
    """True while the rules or the session cover the table, so that the player cannot see what would be played."""


def next_snapshot(
    old: Snapshot | None,
    *,
    machine: Machine,
    events: tuple[Event, ...],
    lit: frozenset[Button],
    notes: bool,
    attendant: Page | None,
    now_s: float,
    settings: Settings | None = None,
    by: Button | None = None,
    down: frozenset[Button] = frozenset(),
) -> Snapshot:
    """Returns the snapshot after one step: a new animation, or a longer one if the last still runs. `by` is the
    button pushed for the step, `down` the panel's buttons that are down. Without `settings` a changed meaning counts
    at once."""
    animating = old is not None and now_s < old.open_at_s
    animation, began_at_s, open_at_s = _animation(old, events, now_s, turbo=machine.seat.turbo)
    payment = _payment(old, machine, events, attendant=attendant is not None, now_s=now_s)
    acted = old is not None and (by is not None or _acted(old.machine, machine))
    swept, swept_at_s = _cleared(old, machine, now_s)
    meanings = Meanings()
    if settings is not None:
        was, was_open_s = (old.meanings, old.open_at_s) if old is not None else (meanings, now_s)
        meanings = follow(was, settings, machine, open_at_s=was_open_s, now_s=now_s, by=by, down=down)
    called = machine.calling and (old is None or not old.call)
    return Snapshot(
        number=old.number + 1 if old else 1,
        machine=machine,
        events=animation,
        began_at_s=began_at_s,
        open_at_s=open_at_s,
        lit=lit,
        notes=notes,
        attendant=attendant,
        call=machine.calling,
        ticket_waits=old is not None and old.ticket_waits,
        round_shown_s=old.round_shown_s if old is not None and _asks_the_same(old.machine, machine) else now_s,
        sliding=_sliding(old, events, now_s, animating=animating, turbo=machine.seat.turbo),
        swept=swept,
        swept_at_s=swept_at_s,
        paid=payment.paid,
        paid_at_s=payment.at_s,
        paid_hidden=payment.hidden,
        paid_replaced=not payment.new and (acted or (old is not None and old.paid_replaced)),
        called_at_s=now_s if called else old.called_at_s if old is not None else float("-inf"),
        meanings=meanings,
        reading=old is not None and old.reading,
    )


def _animation(
    old: Snapshot | None, events: tuple[Event, ...], now_s: float, *, turbo: bool
) -> tuple[tuple[Event, ...], float, float]:
    """Returns the events of the animation, when it began, and when it ends. An animation that still runs gets longer;
    a skipped one keeps its end."""
    if old is None or now_s >= old.open_at_s:
        return events, now_s, animation_end(events, turbo=turbo, from_s=now_s)
    longer = old.events + events
    ends_s = old.open_at_s if is_skipped(old) else animation_end(longer, turbo=turbo, from_s=old.began_at_s)
    return longer, old.began_at_s, ends_s


def _asks_the_same(before: Machine, after: Machine) -> bool:
    """Returns True when the player gets the same question as before: the round is the same, and so is the credit, which
    decides what insurance is offered."""
    if after.round is not before.round:
        return False
    return after.phase is not Phase.INSURANCE or after.books.credit_cents == before.books.credit_cents


def _sliding(old: Snapshot | None, events: tuple[Event, ...], now_s: float, *, animating: bool, turbo: bool) -> Sliding:
    """Returns the chips of earlier animations that still move; at a deal all of them have arrived."""
    if old is None or any(isinstance(event, RoundBegan) for event in events):
        return ()
    placed = () if animating else ((event, old.began_at_s) for event in old.events if isinstance(event, BetsChanged))
    beats = zip(earlier := (*old.sliding, *placed), slides(earlier, turbo=turbo), strict=True)
    return tuple(each for each, beat in beats if now_s < beat.end_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Payment:
    """The last payment, from when it is visible, whether the attendant's menu hides it, and whether it is of this
    step."""

    paid: PaidOut | None
    at_s: float
    hidden: bool
    new: bool = False


def _payment(
    old: Snapshot | None, machine: Machine, events: tuple[Event, ...], *, attendant: bool, now_s: float
) -> _Payment:
    """Returns the last payment; one that the attendant makes in the menu becomes visible when the menu is left."""
    now = next((event for event in reversed(events) if isinstance(event, PaidOut)), None)
    if now is not None or old is None:
        return _Payment(paid=now, at_s=now_s, hidden=attendant, new=True)
    paid = old.paid if machine.shown.paid_out_cents or old.ticket_waits else None
    uncovered = old.paid_hidden and not attendant
    return _Payment(paid=paid, at_s=now_s if uncovered else old.paid_at_s, hidden=old.paid_hidden and attendant)


def _acted(before: Machine, after: Machine) -> bool:
    """Returns True when the player has done something: put money in, placed chips, changed the game or woken it."""
    woken = before.attract and not after.attract
    return woken or _of_the_player(before) != _of_the_player(after)


def _of_the_player(machine: Machine) -> tuple[object, ...]:
    seat = machine.seat
    return machine.phase, seat.game_id, seat.bets, machine.round_number, machine.books.credit_cents


def _cleared(old: Snapshot | None, machine: Machine, now_s: float) -> tuple[Machine | None, float]:
    """Returns the machine whose finished round was last cleared from the table, and when."""
    if old is None:
        return None, now_s
    before = old.machine.round
    if before is not None and before.stage is Stage.OVER and machine.round is not before:
        return old.machine, now_s
    return old.swept, old.swept_at_s


def skip_animation(snapshot: Snapshot, now_s: float) -> Snapshot:
    """Returns the snapshot with its animation cut short: the final picture now, presses as soon as a result was
    readable."""
    end_s = skipped_end(snapshot.events, turbo=snapshot.machine.seat.turbo, from_s=snapshot.began_at_s, now_s=now_s)
    return snapshot if end_s >= snapshot.open_at_s else replace(snapshot, number=snapshot.number + 1, open_at_s=end_s)


def is_skipped(snapshot: Snapshot) -> bool:
    """Returns True when the animation was cut short."""
    return snapshot.open_at_s < animation_end(
        snapshot.events, turbo=snapshot.machine.seat.turbo, from_s=snapshot.began_at_s
    )


def is_open(snapshot: Snapshot, now_s: float) -> bool:
    """Returns True when presses are taken: the animation has ended."""
    return now_s >= snapshot.open_at_s


def lit_now(snapshot: Snapshot, now_s: float) -> frozenset[Button]:
    """Returns the buttons that are lit now. During an animation these are the ones that are always taken, under an open
    page the ones that do not play. A button with a new meaning is dark until it counts."""
    lit = snapshot.lit & OVER_A_PAGE if snapshot.reading and snapshot.attendant is None else snapshot.lit
    return lit - unready_now(snapshot, now_s) if is_open(snapshot, now_s) else lit & ALWAYS_OPEN


def unready_now(snapshot: Snapshot, at_s: float) -> frozenset[Button]:
    """Returns the buttons whose meaning has changed and that do not count yet at that moment."""
    return unready(snapshot.meanings, snapshot.open_at_s, at_s) if snapshot.meanings.changes else frozenset()


def not_yet_meant(snapshot: Snapshot, at_s: float) -> frozenset[type]:
    """Returns the kinds of commands that a touch cannot have meant yet at that moment: the state before did not know
    them, or their button has come to mean them."""
    new = (snapshot.meanings.last.get(button) for button in unready_now(snapshot, at_s))
    return unknown_before(snapshot.meanings, at_s) | {meaning for meaning in new if isinstance(meaning, type)}


def push(snapshot: Snapshot, button: Button, now_s: float, *, down: frozenset[Button]) -> Snapshot:
    """Returns the snapshot after a push that only skipped the animation."""
    return _meaning(snapshot, pushed(snapshot.meanings, button, now_s, down=down))


def lift(snapshot: Snapshot, button: Button, now_s: float) -> Snapshot:
    """Returns the snapshot after a button was released; the same object when nothing changes."""
    return _meaning(snapshot, lifted(snapshot.meanings, button, now_s))


def _meaning(snapshot: Snapshot, meanings: Meanings) -> Snapshot:
    return (
        snapshot if meanings is snapshot.meanings else replace(snapshot, number=snapshot.number + 1, meanings=meanings)
    )


def played_unseen(snapshot: Snapshot, button: Button) -> bool:
    """Returns True for a button that would play under an open page; such a press does nothing."""
    return snapshot.reading and snapshot.attendant is None and button not in OVER_A_PAGE


ALWAYS_OPEN = frozenset({Button.SERVICE})
"""Buttons whose presses are taken during an animation too."""
OVER_A_PAGE = frozenset({Button.SERVICE, Button.CASH_OUT})
"""Buttons whose presses are taken while rules or session cover the table: neither needs a view of the table."""


def with_page_open(snapshot: Snapshot, *, reading: bool) -> Snapshot:
    """Returns the snapshot with a page opened over the table, or closed; the same object when nothing changes."""
    return snapshot if snapshot.reading == reading else replace(snapshot, number=snapshot.number + 1, reading=reading)
