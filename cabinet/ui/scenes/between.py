"""The message line between rounds: what the player can do with the credit, and what was paid out.

Rules: the text names a button only while it is lit, and asks for a note only while notes are taken. It says so when the
credit is below the least bet. A payment stays readable until the next hand begins (requirement PD-24), on every screen.
A dark CASH OUT with credit gets its reason. While no ticket can be printed the player reads between hands that the
attendant pays. Does not know what happened a moment ago.
"""

from cabinet.engine.inputs import Button
from cabinet.engine.locks import cash_out_stopped, hand_open, printing_stopped
from cabinet.engine.state import NoteIntent, Phase, State
from cabinet.text.messages import Key
from cabinet.ui.scenes.moment import Moment


def invitation(moment: Moment) -> tuple[str, str]:
    """Returns message and hint before a deal: what to do next, and how."""
    say, machine, paid = moment.words.say, moment.machine, paid_out_text(moment)
    if not machine.books.credit_cents:
        message, hint = _without_credit(moment)
        return (paid, message) if paid else (message, hint)
    if moment.is_lit(Button.DEAL) and any(machine.seat.bets):
        return say(Key.PRESS_DEAL), say(Key.PRESS_DEAL_HINT)
    if _too_little(moment):
        return say(Key.REFUSED_UNDER_LIMIT, low=moment.words.short_money(_least_cents(moment))), _more_credit(moment)
    return say(Key.PLACE_OR_REBET if moment.is_lit(Button.REBET) else Key.PLACE_BETS), _how_to_bet(moment)


def next_round_text(moment: Moment) -> str:
    """Returns what to do after a round, in one sentence; empty while presses are not taken yet."""
    if not moment.open:
        return ""
    if not moment.machine.books.credit_cents:
        return _without_credit(moment)[0]
    if _too_little(moment):
        return _more_credit(moment)
    return moment.words.say(Key.PLACE_OR_REBET) if moment.is_lit(Button.REBET) else _how_to_bet(moment)


def paid_out_text(moment: Moment) -> str:
    """Returns what was paid out since the last hand: the last amount, and the total of several."""
    machine, words = moment.machine, moment.words
    if not machine.shown.paid_out_cents:
        return ""
    amount, total = words.money(machine.shown.paid_out_cents), words.money(machine.shown.paid_out_total_cents)
    several, paid = machine.shown.paid_out_total_cents > machine.shown.paid_out_cents, moment.snapshot.paid
    if paid is not None and paid.receipt is not None and not several:
        return words.say(Key.PAID_BY_HAND, amount=amount, receipt=paid.receipt)
    return words.say(Key.PAID_OUT_TOTAL if several else Key.PAID_OUT, amount=amount, total=total)


def why_no_cash_out(moment: Moment) -> str:
    """Returns the reason why CASH OUT is dark although there is credit and no hand, payment or lock forbids it: a note
    or ticket is in the acceptor. Empty otherwise."""
    machine = moment.machine
    forbidden = hand_open(machine) or machine.phase is Phase.CASHING_OUT or cash_out_stopped(machine)
    document = machine.acceptor.in_path
    if document is None or not machine.books.credit_cents or forbidden:
        return ""
    return moment.words.say(Key.CASH_OUT_AFTER_NOTE if isinstance(document, NoteIntent) else Key.CASH_OUT_AFTER_TICKET)


def paid_by_hand_text(moment: Moment) -> str:
    """Returns the notice that the attendant pays cash-outs because no ticket can be printed. The player reads it before
    money goes in and before CASH OUT. Empty in a hand, under a page, and where the player can only choose a smaller
    chip."""
    seated = moment.state in {State.BETTING, State.SETTLED}
    if moment.snapshot.reading or not moment.playback.finished or not printing_stopped(moment.machine):
        return ""
    if not seated and moment.state not in {State.ATTRACT, State.CHOOSING}:
        return ""
    stuck = seated and moment.machine.books.credit_cents and moment.open and not moment.is_lit(Button.BET)
    return "" if stuck else moment.words.say(Key.CASH_OUT_BY_HAND)


def _least_cents(moment: Moment) -> int:
    """Returns the least stake of a place: a chip below the limit places the limit."""
    limits = moment.table.limits
    return max(limits.min_cents, min(limits.chips_cents))


def _too_little(moment: Moment) -> bool:
    return moment.machine.books.credit_cents < _least_cents(moment)


def bet_missing(moment: Moment) -> Key:
    """Returns what DEAL needs first: a bet, or without any credit the money for one."""
    if moment.machine.books.credit_cents:
        return Key.REFUSED_UNDER_LIMIT if _too_little(moment) else Key.REFUSED_NO_BETS
    return Key.INSERT_NOTE if moment.snapshot.notes else Key.NOTES_OFF


def _without_credit(moment: Moment) -> tuple[str, str]:
    say = moment.words.say
    if moment.snapshot.notes:
        return say(Key.INSERT_NOTE), say(Key.INSERT_NOTE_HINT)
    return say(Key.NOTES_OFF), say(Key.NOTES_OFF_HINT)


def _more_credit(moment: Moment) -> str:
    """Returns what the player can do with less credit than a bet."""
    pays = moment.is_lit(Button.CASH_OUT)
    if moment.snapshot.notes:
        return moment.words.say(Key.INSERT_OR_CASH_OUT if pays else Key.INSERT_NOTE)
    return moment.words.say(Key.CASH_OUT_PAYS if pays else Key.NOTES_OFF)


def _how_to_bet(moment: Moment) -> str:
    """Returns how to place a bet; with a chip above the credit, how to choose a smaller one."""
    say = moment.words.say
    if not moment.is_lit(Button.BET):
        return say(Key.SMALLER_CHIP)
    return say(Key.PLACE_BETS_HINT if moment.is_lit(Button.PLACE) else Key.PLACE_BETS_HINT_ONE)
