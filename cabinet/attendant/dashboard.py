"""The first page after the key: what the machine holds, what is wrong and what to do first, as figures. Pure.

Rules: the machine's state comes first, then its locks in the order in which to settle them, then money. What is not
known is a dash with its reason, never a zero.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from cabinet.attendant import statistics
from cabinet.attendant.advice import ADVICE
from cabinet.attendant.charts import Figure, Form, Tile, Tone
from cabinet.attendant.data import AttendantData, Closing
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.closings import box_growth
from cabinet.engine.inputs import Door
from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS, hand_open
from cabinet.engine.state import Lock, LockKind
from cabinet.text.attendant_words import text

LOCKS_SHOWN = 3
UNKNOWN = "-"
NEAR_FULL = 0.9
"""The share of a cash box from which it is emptied soon."""
_PRINTER: Mapping[LockKind, tuple[Tone, str]] = {
    LockKind.PRINTER_LINK: (Tone.BAD, text("Does not answer")),
    LockKind.PRINTER_FAULT: (Tone.BAD, text("Faulty")),
    LockKind.PRINTER_JAM: (Tone.BAD, text("Jammed")),
    LockKind.PRINTER_COVER: (Tone.BAD, text("Cover open")),
    LockKind.PAPER_OUT: (Tone.BAD, text("No paper")),
    LockKind.PAPER_LOW: (Tone.WARN, text("Paper low")),
}
"""What each lock says of the printer, the worst first."""


def dashboard_figures(data: AttendantData) -> tuple[Figure, ...]:
    """Returns the figures of the first page."""
    return (
        _state(data),
        *_notices(data),
        _cash_box(data),
        _credit(data),
        _tickets(data),
        _printer(data),
        _over_days(data, data.say("Drop today"), statistics.drop_cents),
        _over_days(data, data.say("Win today"), statistics.win_cents),
        _collection(data),
        _doors(data),
        statistics.note_shares(data, _boxed(data), data.say("Notes in the cash box")),
        statistics.return_band(data, statistics.LIFETIME, data.say("Return of the games, lifetime")),
    )


# --- state and locks --------------------------------------------------------------------------------------------


def _state(data: AttendantData) -> Tile:
    """Returns the state of the machine, over the whole width."""
    locks = data.machine.locks
    kinds = {lock.kind for lock in locks}
    if LockKind.OUT_OF_SERVICE in kinds:
        tone, value = Tone.WARN, data.say("Out of service")
    elif any(LOCKS[kind].stops_play for kind in kinds):
        tone, value = Tone.BAD, data.say("Locked: play is stopped")
    elif locks:
        tone, value = Tone.WARN, data.say("In service, with faults")
    else:
        tone, value = Tone.OK, data.say("In service")
    return Tile(label=data.say("State"), value=value, detail=_todo(data), tone=tone, form=Form.STRIP)


def _todo(data: AttendantData) -> str:
    count = len(data.machine.locks)
    if not count:
        return data.say("A hand is open.") if hand_open(data.machine) else data.say("Nothing to do.")
    said = data.say("Locks: {count}.", count=count)
    if count > LOCKS_SHOWN:
        return data.say("{said} The first {shown} are here.", said=said, shown=LOCKS_SHOWN)
    return said


def _notices(data: AttendantData) -> Iterator[Tile]:
    """Yields what has happened at the first locks, and what to do about the one that is first."""
    for number, lock in enumerate(data.machine.locks[:LOCKS_SHOWN], start=1):
        advice = ADVICE[lock.kind]
        yield Tile(
            label=_number_of(data, number, lock),
            value=data.say(advice.what),
            detail=data.say(advice.to_do) if number == 1 else "",
            tone=Tone.BAD if LOCKS[lock.kind].stops_play else Tone.WARN,
            form=Form.NOTICE,
        )


def _number_of(data: AttendantData, number: int, lock: Lock) -> str:
    amount = data.money(lock.cents) if lock.cents else ""
    first = data.say("do this first") if number == 1 and len(data.machine.locks) > 1 else ""
    return " · ".join(filter(None, (f"{number}", data.say(lock.kind.value), amount, first)))


# --- money ------------------------------------------------------------------------------------------------------


def _boxed(data: AttendantData) -> Mapping[str, int]:
    found: Mapping[str, int] = data.meters.get("in_cashbox_by_denomination", {})
    return found


def _cash_box(data: AttendantData) -> Tile:
    machine = data.machine
    notes, room = sum(_boxed(data).values()), data.stacker_notes
    tickets = box_growth(machine.books.meters, machine.marks).get("tickets_in_count", 0)
    level = min((notes + tickets) / room, 1.0) if room else None
    tone, words = _fullness(data, level)
    filled = UNKNOWN if level is None else f"{level:.0%}"
    parts = (
        words,
        data.say("Notes: {count}", count=f"{notes:,}"),
        data.say("tickets: {count}", count=f"{tickets:,}") if tickets else "",
        data.say("filled: {filled}", filled=filled),
    )
    return Tile(
        label=data.say("Cash box"),
        value=data.money(data.meters.get("in_cashbox", 0)),
        detail=" · ".join(filter(None, parts)),
        tone=tone,
        level=level,
    )


def _fullness(data: AttendantData, level: float | None) -> tuple[Tone, str]:
    """Returns whether the box must be emptied, in colour and words. The acceptor knows best."""
    kinds = {lock.kind for lock in data.machine.locks}
    if LockKind.CASHBOX_FULL in kinds:
        return Tone.BAD, data.say("full")
    if LockKind.CASHBOX_NEAR_FULL in kinds or (level is not None and level >= NEAR_FULL):
        return Tone.WARN, data.say("nearly full")
    return Tone.PLAIN, ""


_ELSEWHERE: Mapping[Account, str] = {
    Account.TABLE: text("on the table: {amount}"),
    Account.IN_TRANSIT: text("being paid out: {amount}"),
    Account.SUSPENSE: text("in doubt: {amount}"),
}
"""The player's money besides the credit."""


def _credit(data: AttendantData) -> Tile:
    books = data.machine.books
    found = ((words, books.balance(account)) for account, words in _ELSEWHERE.items())
    parts = [data.say(words, amount=data.money(cents)) for words, cents in found if cents]
    detail = " · ".join(parts) or data.say("None of it is on the table.")
    return Tile(label=data.say("Credit"), value=data.money(books.credit_cents), detail=detail)


def _tickets(data: AttendantData) -> Tile:
    expired = sum(1 for ticket in data.unpaid if ticket.expired_days)
    said = data.say("Tickets: {count}", count=f"{len(data.unpaid):,}")
    late = data.say("expired: {count}", count=f"{expired:,}") if expired else ""
    return Tile(
        label=data.say("Tickets out, not paid"),
        value=data.money(sum(ticket.cents for ticket in data.unpaid)),
        detail=" · ".join(filter(None, (said, late))),
    )


def _over_days(data: AttendantData, label: str, amount: statistics.Amount) -> Tile:
    """Returns an amount of today, yesterday and the last seven days."""
    today = statistics.sum_of_days(data, amount, first=0)
    yesterday = statistics.sum_of_days(data, amount, first=1, last=1)
    week = statistics.sum_of_days(data, amount, first=statistics.WEEK - 1)
    if today is None or yesterday is None or week is None:
        return Tile(label=label, value=UNKNOWN, detail=data.say("The clock is not valid."))
    detail = data.say("Yesterday: {yesterday} · 7 days: {week}", yesterday=data.money(yesterday), week=data.money(week))
    return Tile(label=label, value=data.money(today), detail=detail)


def _collection(data: AttendantData) -> Tile:
    """Returns the last removal of the cash box, with its count."""
    label = data.say("Last cash collection")
    last = next((each for each in data.closings if each.kind is ClosingKind.CASH_BOX), None)
    if last is None:
        return Tile(label=label, value=UNKNOWN, detail=data.say("No cash box was removed yet."))
    tone, counted = _counted(data, last)
    return Tile(
        label=label,
        value=data.money(last.expected_cents),
        detail=" · ".join(filter(None, (last.ended, counted))),
        tone=tone,
    )


def _counted(data: AttendantData, closing: Closing) -> tuple[Tone, str]:
    if closing.counted_cents is None:
        return Tone.PLAIN, data.say("not counted")
    apart = closing.counted_cents - closing.expected_cents
    if not apart:
        return Tone.OK, data.say("count agrees")
    return Tone.WARN, data.say("difference: {amount}", amount=data.money(apart))


# --- devices ----------------------------------------------------------------------------------------------------


def _printer(data: AttendantData) -> Tile:
    kinds = {lock.kind for lock in data.machine.locks}
    label = data.say("Printer")
    worst = next((kind for kind in _PRINTER if kind in kinds), None)
    if worst is not None:
        tone, value = _PRINTER[worst]
        paid = "" if worst is LockKind.PAPER_LOW else data.say("Cash-outs are paid by hand.")
        return Tile(label=label, value=data.say(value), detail=paid, tone=tone)
    if not data.machine.printer.ready:
        return Tile(label=label, value=data.say("Not known"), detail=data.say("The printer has not started."))
    return Tile(label=label, value=data.say("Paper ok"), tone=Tone.OK)


def _doors(data: AttendantData) -> Tile:
    opened = data.machine.access.open_doors
    report: Mapping[str, Any] = statistics.report_of(data, statistics.PERIOD)
    counts = report.get("doors", {})
    said = data.say("Opened in this period: {count}", count=f"{sum(counts.get(door.value, 0) for door in Door):,}")
    if not opened:
        return Tile(label=data.say("Doors"), value=data.say("All closed"), detail=said, tone=Tone.OK)
    names = ", ".join(data.say(door.value) for door in opened)
    return Tile(label=data.say("Doors"), value=data.say("Open: {doors}", doors=names), detail=said, tone=Tone.BAD)
