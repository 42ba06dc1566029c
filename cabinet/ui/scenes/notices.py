"""Notices over the table: a ticket that is being printed, money paid out, and every lock in plain words.

Rules: a lock's notice says what happened, what the player should do, and how much money is concerned. Of several locks
all are named, the most serious first. Where a payment waits for a note or ticket in the acceptor, the notice says so.
No notice mentions a full cash box. A large win waits for the end of its round's animation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cabinet.engine.inputs import BackOut, Button, CashOut, KeepPlaying
from cabinet.engine.locks import LOCKS
from cabinet.engine.session import LOSS, net_cents
from cabinet.engine.settlement import stuck_document
from cabinet.engine.state import Lock, LockKind, Phase, State
from cabinet.text.messages import Key
from cabinet.ui.scenes.between import why_no_cash_out
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import NoticeTone, NoticeView, OverlayAction, OverlayButton

AFTER_THE_ROUND = frozenset({LockKind.LARGE_WIN, LockKind.PLAYER_LIMIT})
"""Locks that follow from a round's result; the player sees that result first."""
PAID_S = 8.0
"""Seconds that a payment's notice stays; the message line repeats it until the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockText:
    """The texts of a kind of lock."""

    title: Key
    sentence: Key
    advice: Key = Key.ADVICE_CALL
    tone: NoticeTone = NoticeTone.FAULT
    amount: Key = Key.AMOUNT_IN_QUESTION
    covers: bool = False


_CHECK = NoticeTone.ATTENTION
LOCK_TEXTS: Mapping[LockKind, LockText] = {
    LockKind.MEMORY: LockText(
        title=Key.MEMORY_TITLE, sentence=Key.MEMORY_SENTENCE, amount=Key.AMOUNT_UNCERTAIN, covers=True
    ),
    LockKind.SETTINGS_REFUSED: LockText(
        title=Key.SETTINGS_REFUSED_TITLE, sentence=Key.SETTINGS_REFUSED_SENTENCE, amount=Key.AMOUNT_KEPT, covers=True
    ),
    LockKind.DATA_REFUSED: LockText(title=Key.DATA_REFUSED_TITLE, sentence=Key.DATA_REFUSED_SENTENCE, covers=True),
    LockKind.DATA_PARTITION_MISSING: LockText(
        title=Key.PARTITION_MISSING_TITLE, sentence=Key.PARTITION_MISSING_SENTENCE, covers=True
    ),
    LockKind.SELF_AUDIT: LockText(title=Key.SELF_AUDIT_TITLE, sentence=Key.SELF_AUDIT_SENTENCE),
    LockKind.PROGRAM_CHANGED: LockText(
        title=Key.PROGRAM_CHANGED_TITLE, sentence=Key.PROGRAM_CHANGED_SENTENCE, tone=_CHECK
    ),
    LockKind.LOGIC_DOOR: LockText(title=Key.DOOR_TITLE, sentence=Key.DOOR_LOGIC_SENTENCE, advice=Key.ADVICE_WAIT),
    LockKind.MAIN_DOOR: LockText(
        title=Key.DOOR_TITLE, sentence=Key.DOOR_MAIN_SENTENCE, advice=Key.ADVICE_WAIT_DOOR, tone=_CHECK
    ),
    LockKind.CASHBOX_DOOR: LockText(
        title=Key.DOOR_TITLE, sentence=Key.DOOR_CASHBOX_SENTENCE, advice=Key.ADVICE_WAIT_DOOR, tone=_CHECK
    ),
    LockKind.CASHBOX_REMOVED: LockText(
        title=Key.SERVICING_TITLE, sentence=Key.SERVICING_SENTENCE, advice=Key.ADVICE_WAIT, tone=_CHECK
    ),
    LockKind.DOOR_WHILE_OFF: LockText(title=Key.SERVICING_TITLE, sentence=Key.DOOR_WHILE_OFF_SENTENCE, tone=_CHECK),
    LockKind.BILL_CHEAT: LockText(title=Key.ACCEPTOR_TITLE, sentence=Key.ACCEPTOR_SENTENCE),
    LockKind.BILL_JAM: LockText(title=Key.BILL_JAM_TITLE, sentence=Key.BILL_JAM_SENTENCE),
    LockKind.NOTE_IN_DOUBT: LockText(
        title=Key.NOTE_IN_DOUBT_TITLE, sentence=Key.NOTE_IN_DOUBT_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.UNEXPECTED_NOTE: LockText(
        title=Key.NOTE_IN_DOUBT_TITLE, sentence=Key.UNEXPECTED_NOTE_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.TICKET_IN_DOUBT: LockText(
        title=Key.NOTE_IN_DOUBT_TITLE, sentence=Key.TICKET_IN_DOUBT_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.UNEXPECTED_TICKET: LockText(
        title=Key.NOTE_IN_DOUBT_TITLE, sentence=Key.UNEXPECTED_TICKET_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.EXCESSIVE_INCREMENT: LockText(
        title=Key.INCREMENT_TITLE, sentence=Key.INCREMENT_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.PRINT_UNKNOWN: LockText(
        title=Key.PRINT_UNKNOWN_TITLE, sentence=Key.PRINT_UNKNOWN_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK
    ),
    LockKind.PRINTER_JAM: LockText(title=Key.PRINTER_TITLE, sentence=Key.PRINTER_JAM_SENTENCE),
    LockKind.HAND_PAY: LockText(
        title=Key.HAND_PAY_TITLE,
        sentence=Key.HAND_PAY_SENTENCE,
        advice=Key.ADVICE_WAIT,
        tone=_CHECK,
        amount=Key.AMOUNT_TO_PAY,
    ),
    LockKind.LARGE_WIN: LockText(
        title=Key.LARGE_WIN_TITLE,
        sentence=Key.LARGE_WIN_SENTENCE,
        advice=Key.ADVICE_STAY,
        tone=NoticeTone.CALM,
        amount=Key.AMOUNT_WON,
    ),
    LockKind.OUT_OF_SERVICE: LockText(
        title=Key.OUT_OF_SERVICE_TITLE,
        sentence=Key.OUT_OF_SERVICE_SENTENCE,
        advice=Key.ADVICE_OTHER_MACHINE,
        tone=_CHECK,
        covers=True,
    ),
    LockKind.PLAYER_LIMIT: LockText(
        title=Key.LIMIT_TITLE, sentence=Key.LIMIT_TIME_SENTENCE, advice=Key.LIMIT_ADVICE, tone=NoticeTone.PAUSE
    ),
    LockKind.DISPLAY_LOST: LockText(title=Key.SERVICING_TITLE, sentence=Key.DISPLAY_SENTENCE),
    LockKind.STORAGE_LOW: LockText(title=Key.SERVICING_TITLE, sentence=Key.STORAGE_SENTENCE),
    LockKind.SECOND_COPY_LOST: LockText(title=Key.SERVICING_TITLE, sentence=Key.SECOND_COPY_SENTENCE),
    **dict.fromkeys(
        (LockKind.COPIES_NOT_COMPARED, LockKind.RECORDS_IN_DOUBT),
        LockText(title=Key.SERVICING_TITLE, sentence=Key.RECORDS_SENTENCE, advice=Key.ADVICE_STAY, tone=_CHECK),
    ),
    **dict.fromkeys(
        (
            LockKind.CASHBOX_FULL,
            LockKind.EXCESSIVE_REJECTS,
            LockKind.ACCEPTOR_FAULT,
            LockKind.ACCEPTOR_LINK,
            LockKind.ACCEPTOR_WRONG,
            LockKind.ACCEPTOR_EVENTS_LOST,
            LockKind.CASHBOX_NEAR_FULL,
        ),
        LockText(title=Key.ACCEPTOR_TITLE, sentence=Key.ACCEPTOR_SENTENCE, tone=_CHECK),
    ),
    **dict.fromkeys(
        (
            LockKind.PRINTER_LINK,
            LockKind.PRINTER_FAULT,
            LockKind.PRINTER_COVER,
            LockKind.PAPER_OUT,
            LockKind.PAPER_LOW,
        ),
        LockText(title=Key.PRINTER_TITLE, sentence=Key.PRINTER_SENTENCE, tone=_CHECK),
    ),
    **dict.fromkeys(
        (LockKind.CLOCK_INVALID, LockKind.OVER_TEMPERATURE, LockKind.UNDER_VOLTAGE, LockKind.STUCK_BUTTON),
        LockText(title=Key.SERVICING_TITLE, sentence=Key.SERVICING_SENTENCE, tone=_CHECK),
    ),
}
"""Every kind of lock in a player's words. Kinds that stop nothing are only named beside one that does."""


def notice(moment: Moment) -> NoticeView | None:
    """Returns the notice over the table, if any."""
    if moment.state is State.LOCKED:
        return _locks(moment)
    if moment.machine.phase is Phase.CASHING_OUT:
        return _printing(moment)
    return _paid(moment)


def notice_until_s(moment: Moment) -> float | None:
    """Returns when the notice closes by itself; None while it waits for the ticket to be taken."""
    until_s = moment.snapshot.paid_at_s + PAID_S
    return until_s if _paid(moment) is not None and moment.now_s < until_s else None


def _locks(moment: Moment) -> NoticeView | None:
    """Returns the most serious lock that stops play, with the others below it. A payment that no lock affects has
    precedence, and so has the ticket that a closed machine has just printed."""
    locks = _stopping(moment)
    if not locks or (locks[0].kind in AFTER_THE_ROUND and not moment.playback.finished):
        return None
    if moment.machine.printer.printing is not None and not LOCKS[locks[0].kind].stops_cash_out:
        return _printing(moment)
    if locks[0].kind is LockKind.OUT_OF_SERVICE and (paid := _paid(moment)) is not None:
        return paid
    if locks[0].kind is LockKind.PLAYER_LIMIT:
        return _limit(moment, locks[0])
    top, text, say = locks[0], LOCK_TEXTS[locks[0].kind], moment.words.say
    held = stuck_document(moment.machine, top) or top
    title = say(_title(top))
    others = dict.fromkeys(say(_title(lock)) for lock in locks[1:])
    return NoticeView(
        tone=text.tone,
        title=title,
        sentence=say(text.sentence, detail=top.detail),
        advice=_advice(moment, top, text),
        amount=moment.words.money(held.cents) if held.cents else "",
        amount_label=say(text.amount) if held.cents else "",
        more=tuple(say(Key.LOCK_ALSO, title=other) for other in others if other != title),
        foot=say(Key.LOCK_FOOT, machine_id=moment.facts.machine_id, clock=moment.words.clock(moment.wall)),
        buttons=_lock_buttons(moment),
        covers=text.covers,
    )


def _stopping(moment: Moment) -> list[Lock]:
    """Returns the locks that stop play, the most serious first."""
    order = tuple(LockKind)
    stopping = (lock for lock in moment.machine.locks if LOCKS[lock.kind].stops_play)
    return sorted(stopping, key=lambda lock: order.index(lock.kind))


def asks_for_a_call(moment: Moment) -> bool:
    """Returns True while the notice of a lock asks the player to press SERVICE, so that the message line does too."""
    locks = _stopping(moment)
    asks = bool(locks) and LOCK_TEXTS[locks[0].kind].advice is Key.ADVICE_CALL and not why_no_cash_out(moment)
    return asks and not moment.machine.calling and moment.is_lit(Button.SERVICE)


def _title(lock: Lock) -> Key:
    """Returns the title of a lock; a door that is shut and waits to be cleared is not called open."""
    title = LOCK_TEXTS[lock.kind].title
    return Key.DOOR_WAS_TITLE if title is Key.DOOR_TITLE and not lock.present else title


def _limit(moment: Moment, lock: Lock) -> NoticeView:
    """Returns the notice of the player's own limit: the session's figures, and both choices, cash-out first."""
    say, net = moment.words.say, net_cents(moment.machine)
    out = moment.machine.books.credit_cents > 0
    cash_out = OverlayButton(
        action=OverlayAction.CASH_OUT, word=say(Key.BUTTON_CASH_OUT), enabled=moment.allows(CashOut())
    )
    keep = OverlayButton(
        action=OverlayAction.KEEP_PLAYING, word=say(Key.BACK_OUT), enabled=moment.allows(KeepPlaying())
    )
    clock = moment.words.clock(moment.wall)
    return NoticeView(
        tone=NoticeTone.PAUSE,
        title=say(Key.LIMIT_TITLE),
        sentence=say(Key.LIMIT_LOSS_SENTENCE if lock.detail == LOSS else Key.LIMIT_TIME_SENTENCE),
        advice=why_no_cash_out(moment) or say(Key.LIMIT_ADVICE if out else Key.LIMIT_ADVICE_BREAK),
        amount=moment.words.money(abs(net)) if net else "",
        amount_label=say(Key.AMOUNT_LOST if net < 0 else Key.AMOUNT_GAINED) if net else "",
        more=(moment.facts.helpline,) if moment.facts.helpline else (),
        foot=say(Key.LOCK_FOOT, machine_id=moment.facts.machine_id, clock=clock),
        buttons=(cash_out, keep) if out else (keep,),
    )


def _advice(moment: Moment, lock: Lock, text: LockText) -> str:
    say = moment.words.say
    if waits := why_no_cash_out(moment):
        return waits
    if lock.kind is LockKind.HAND_PAY and moment.allows(BackOut()):
        return say(Key.ADVICE_BACK_OUT if moment.plays_after_back_out else Key.ADVICE_BACK_TO_CREDIT)
    if moment.machine.calling and text.advice is Key.ADVICE_CALL:
        return f"{say(Key.CALLED)}. {say(Key.LOCK_SAFE)}"
    if lock.kind is LockKind.OUT_OF_SERVICE and moment.allows(CashOut()):
        return say(Key.LOCK_CASH_OUT)
    if text.advice is Key.ADVICE_CALL and not moment.is_lit(Button.SERVICE):
        return say(Key.ADVICE_FETCH)
    return say(text.advice)


def _lock_buttons(moment: Moment) -> tuple[OverlayButton, ...]:
    if not moment.allows(BackOut()):
        return ()
    word = Key.BACK_OUT if moment.plays_after_back_out else Key.BACK_TO_CREDIT
    return (OverlayButton(action=OverlayAction.BACK_OUT, word=moment.words.say(word)),)


def _printing(moment: Moment) -> NoticeView | None:
    intent, say = moment.machine.printer.printing, moment.words.say
    if intent is None:
        return None
    waits = moment.snapshot.ticket_waits
    number = say(Key.PRINTING_SENTENCE, sequence=intent.sequence)
    return NoticeView(
        tone=NoticeTone.CALM,
        title=say(Key.TICKET_TITLE if waits else Key.PRINTING_TITLE),
        sentence=say(Key.TAKE_FIRST_SENTENCE) if waits else number,
        advice=say(Key.PRINTING_ADVICE),
        amount=moment.words.money(intent.cents),
        amount_label=say(Key.AMOUNT_IN_QUESTION),
        foot=moment.facts.helpline,
    )


def _paid(moment: Moment) -> NoticeView | None:
    """Returns the notice of money that left the machine a moment ago, until the player does something else. A payment
    by the attendant is shown after the menu was closed, a ticket for as long as it is in the printer's mouth."""
    paid = None if moment.snapshot.paid_replaced else moment.snapshot.paid
    ticket = paid is not None and paid.sequence is not None
    waits = ticket and moment.snapshot.ticket_waits
    if paid is None or (moment.now_s >= moment.snapshot.paid_at_s + PAID_S and not waits):
        return None
    say = moment.words.say
    total = moment.machine.shown.paid_out_total_cents
    several = (
        moment.words.say(Key.PAID_OUT_TOTAL, amount=moment.words.money(paid.cents), total=moment.words.money(total)),
    )
    return NoticeView(
        tone=NoticeTone.CALM,
        title=say(Key.TICKET_TITLE if ticket else Key.HAND_PAID_TITLE),
        sentence=say(Key.TICKET_SENTENCE, sequence=paid.sequence)
        if ticket
        else say(Key.HAND_PAID_SENTENCE, receipt=paid.receipt),
        advice=say(Key.TICKET_ADVICE if ticket else Key.HAND_PAID_ADVICE),
        amount=moment.words.money(paid.cents),
        amount_label=say(Key.AMOUNT_PAID),
        more=several if total > paid.cents else (),
        passing=True,
        foot=moment.facts.helpline,
    )
