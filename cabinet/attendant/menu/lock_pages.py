"""The pages of the locks: the list, one lock with its choices, and the question before a settlement. Pure.

Rules: a lock's page says what has happened, where to look, the amount at stake, and what each choice does to the books
before it is chosen. The machine decides which settlements are offered.
"""

from collections.abc import Iterator
from dataclasses import replace

from cabinet.attendant import technician
from cabinet.attendant.advice import ADVICE, CONSEQUENCES, end_of
from cabinet.attendant.charts import Drawing
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.receipt_pages import offer
from cabinet.attendant.menu.values import Entry, Menu, Node
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.attendant.places import PLACE_WORDS, PLACES
from cabinet.engine import locks
from cabinet.engine.bills_in import value_unknown, values_of
from cabinet.engine.inputs import SetOutOfService, SettleLock, Settlement, VoidRound
from cabinet.engine.locks import LOCKS
from cabinet.engine.settlement import settlements_of, stuck_document
from cabinet.engine.state import ClearedBy, Lock, LockKind
from cabinet.text.attendant_words import text

LOCKS_PAGE = text("Locks and how to settle them")
VOIDS = text("Every stake of the game goes back to the credit. Nothing is won. Its cards stay under Last games.")
OUT = text("An open hand can be finished and the credit cashed out. No new hand begins.")
_ON = text("Players can play again.")


def service_entry(data: AttendantData) -> Entry:
    """Returns the entry that takes the machine out of service, or puts it back."""
    if locks.find(data.machine, LockKind.OUT_OF_SERVICE) is not None:
        off = SetOutOfService(out=False)
        return Entry(
            label=data.say("Put back in service"), short=data.say("in service"), asks=off, detail=data.say(_ON)
        )
    label, on = data.say("Take out of service"), SetOutOfService(out=True)
    return Entry(label=label, short=data.say("out of service"), asks=on, detail=data.say(OUT))


def lock_name(data: AttendantData, lock: Lock) -> str:
    """Returns the lock with the amount at stake."""
    cents = (stuck_document(data.machine, lock) or lock).cents
    amount = f"  {data.money(cents)}" if cents else ""
    return f"{data.say(lock.kind.value.capitalize())}{amount}"


def lock_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the list of locks, or the page of one."""
    if len(menu.path) < 3:
        return _list_node(menu, data)
    lock = locks.find_id(data.machine, int(menu.path[2]))
    if lock is None:
        gone = (Line(cells=(data.say("This lock is gone"),)),)
        return Node(title=data.say(LOCKS_PAGE), lines=gone, entries=offer(menu, data))
    value = int(menu.path[3]) if len(menu.path) > 3 else None
    return Node(
        title=data.say(lock.kind.value.capitalize()),
        lines=lock_lines(data, lock),
        drawing=drawing_of(data, lock.kind),
        entries=(service_entry(data),) if lock.kind is LockKind.OUT_OF_SERVICE else _ways(data, lock, value),
    )


def drawing_of(data: AttendantData, kind: LockKind) -> Drawing | None:
    """Returns the drawing of where to look; None where nothing in the cabinet shows the cause."""
    place = PLACES.get(kind)
    if place is None:
        return None
    return Drawing(place=place, title=data.say("Where to look"), words=data.say(PLACE_WORDS[place]))


def _list_node(menu: Menu, data: AttendantData) -> Node:
    void = Entry(label=data.say("Void the open game"), asks=VoidRound(), detail=data.say(VOIDS))
    stopped = locks.hand_open(data.machine) and locks.play_stopped(data.machine)
    listed = tuple(
        Entry(label=lock_name(data, lock), goes=(str(lock.lock_id),), detail=data.say(ADVICE[lock.kind].what))
        for lock in data.machine.locks
    )
    nothing = () if listed else (Line(cells=(data.say("Nothing is locked"),)),)
    return Node(
        title=data.say(LOCKS_PAGE),
        lines=nothing,
        entries=(*offer(menu, data), *listed, *((void,) if stopped else ())),
    )


def _ways(data: AttendantData, lock: Lock, value: int | None) -> tuple[Entry, ...]:
    """Returns the settlements of the lock; for a note of unknown value the attendant chooses its value first."""
    ways = settlements_of(data.machine, lock)
    values: tuple[Entry, ...] = ()
    if value_unknown(lock) and value is None:
        values = tuple(
            Entry(label=data.say("It is {amount}", amount=data.money(cents)), goes=(f"{cents}",))
            for cents in values_of(data.settings, lock)
        )
        ways = (Settlement.NOTE_RETURNED,)
    elif value_unknown(lock):
        ways = tuple(how for how in ways if how is not Settlement.NOTE_RETURNED)
    return (*values, *(_settlement(data, lock, how, value) for how in ways))


def _settlement(data: AttendantData, lock: Lock, how: Settlement, value: int | None) -> Entry:
    settles = SettleLock(lock_id=lock.lock_id, how=how, cents=value)
    return Entry(label=data.say(how.value.capitalize()), asks=settles, detail=data.say(CONSEQUENCES[how]))


# --- what is read -----------------------------------------------------------------------------------------------


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def lock_lines(data: AttendantData, lock: Lock) -> tuple[Line, ...]:
    """Returns what has happened, what is at stake, and what the attendant does first."""
    rule, advice = LOCKS[lock.kind], ADVICE[lock.kind]
    held = stuck_document(data.machine, lock) or lock
    technician_here = data.machine.access.technician
    return (
        *(_strong(*line.cells) for line in sentences(data.say(advice.what))),
        *_at_stake(data, held),
        *(Line(cells=pair) for pair in _facts(data, lock, held) if pair[1]),
        *_receipt(data, held, settlements_of(data.machine, lock)),
        *sentences(data.say(advice.to_do)),
        *(sentences(data.say(technician.ONLY)) if rule.technician and not technician_here else ()),
        *sentences(data.say(end_of(lock if lock.present else held, technician=technician_here))),
        *_later(data, lock),
    )


def _at_stake(data: AttendantData, held: Lock) -> tuple[Line, ...]:
    """Returns the money that the lock is about."""
    return (_strong(data.say("Amount"), data.money(held.cents)),) if held.cents else ()


def _later(data: AttendantData, lock: Lock) -> tuple[Line, ...]:
    """Returns what can be chosen once the fault is gone, and what each choice does."""
    ways = settlements_of(data.machine, replace(lock, present=False))
    if settlements_of(data.machine, lock) or ways in {(), (Settlement.CLEAR,)}:
        return ()
    named = (f"{data.say(how.value.capitalize())}: {data.say(CONSEQUENCES[how])}" for how in ways)
    head = Line(cells=(data.say("Then choose one:"),), style=LineStyle.HEAD)
    return (head, *(line for words in named for line in sentences(words)))


def _facts(data: AttendantData, lock: Lock, held: Lock) -> Iterator[tuple[str, str]]:
    rule = LOCKS[lock.kind]
    stopped = (
        (data.say("play"), rule.stops_play),
        (data.say("notes"), rule.stops_notes),
        (data.say("paying"), rule.stops_cash_out),
    )
    yield data.say("Switched off"), ", ".join(word for word, off in stopped if off) or data.say("nothing")
    yield data.say("Detail"), lock.detail
    yield data.say("Ticket"), f"{held.sequence:06d}" if held.sequence is not None else ""
    yield data.say("The fault"), _fault(data, lock)


def _fault(data: AttendantData, lock: Lock) -> str:
    """Returns whether the device still reports the fault; empty for a lock without a fault of a device."""
    if LOCKS[lock.kind].cleared_by is not ClearedBy.ATTENDANT:
        return ""
    return data.say("is still reported") if lock.present else data.say("is no longer reported")


def _receipt(data: AttendantData, lock: Lock, ways: tuple[Settlement, ...]) -> tuple[Line, ...]:
    """Returns the receipt number, if the lock can be paid by hand."""
    pays = Settlement.PAID_BY_HAND in ways and lock.cents
    return (Line(cells=(data.say("Receipt number"), f"{data.machine.printer.next_receipt}")),) if pays else ()


def settling_lines(data: AttendantData, settles: SettleLock) -> tuple[Line, ...]:
    """Returns what a yes to a settlement does."""
    lock = locks.find_id(data.machine, settles.lock_id)
    consequence = sentences(data.say(CONSEQUENCES[settles.how]))
    if lock is None:
        return consequence
    held = stuck_document(data.machine, lock) or lock
    valued = replace(lock, cents=held.cents or settles.cents or 0)
    named = (Line(cells=(lock_name(data, valued),)), *_receipt(data, valued, (settles.how,)))
    if settles.how is Settlement.TIME_IS_RIGHT:
        detail = (Line(cells=line.cells) for line in sentences(lock.detail))
        named = (_strong(data.say("The clock shows"), data.time), *detail)
    return (*named, *consequence)
