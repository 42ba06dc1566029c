"""The meaning of each lock, how to settle it, and the effect of each settlement, in plain words for the attendant.

Rules: every kind of lock has its text; the text names the reset key exactly where the key settles the lock. The text
decides nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cabinet.engine.closing_facts import EnterCount
from cabinet.engine.inputs import (
    Command,
    PrepareMemoryClear,
    ResetPeriod,
    SetOutOfService,
    SettleLock,
    Settlement,
    VoidRound,
)
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import ClearedBy, Lock, LockKind
from cabinet.text.attendant_words import text


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """`what` has happened, and what the attendant has `to_do`."""

    what: str
    to_do: str


def _say(what: str, to_do: str) -> Advice:
    return Advice(what=what, to_do=to_do)


ADVICE: Mapping[LockKind, Advice] = {
    LockKind.MEMORY: _say(
        "The machine cannot read its own records.",
        "Clear nothing. Switch off, keep the memory card as it is and call the technician.",
    ),
    LockKind.SETTINGS_REFUSED: _say(
        "The settings were changed while the machine held money.",
        "Start it with the settings of the last run, let the player finish, pay everything out, then change them.",
    ),
    LockKind.DATA_REFUSED: _say(
        "The machine found no data that it may use.",
        "Read the detail. Connect the medium with the data, commission a new machine, or install the newer program; "
        "then restart the machine.",
    ),
    LockKind.DATA_PARTITION_MISSING: _say(
        "The partition with the data is missing.",
        "Keep the machine on and call the technician: check the medium of the data and its mount. The machine starts "
        "by itself when the partition is there.",
    ),
    LockKind.SELF_AUDIT: _say(
        "The books of the machine do not agree.",
        "Write the detail down, print an audit ticket and call the technician. If it is cleared here, it "
        "comes back until the books agree.",
    ),
    LockKind.PROGRAM_CHANGED: _say(
        "The program has changed since the last run.",
        "After a known update the technician clears it here. Otherwise keep players away and call the technician.",
    ),
    LockKind.LOGIC_DOOR: _say(
        "The door of the computer was opened.",
        "The technician finds out who opened it, checks for changes, closes it and clears it here.",
    ),
    LockKind.MAIN_DOOR: _say("The main door is open.", "Close it; the machine goes on where it was."),
    LockKind.CASHBOX_DOOR: _say("The cash box door is open.", "Close it; the machine goes on where it was."),
    LockKind.CASHBOX_REMOVED: _say(
        "The cash box is not in its place.", "Put it back; the machine goes on where it was."
    ),
    LockKind.DOOR_WHILE_OFF: _say(
        "A door was opened while the power was off.",
        "Check the seals, the cash box and the computer, then clear it here or with the reset key.",
    ),
    LockKind.BILL_CHEAT: _say(
        "The acceptor reports that a note was pulled back.",
        "Check the acceptor and the area around it, then clear it here or with the reset key.",
    ),
    LockKind.BILL_JAM: _say(
        "A note is stuck in the acceptor.",
        "Open the acceptor and free it, then clear it here or with the reset key. With an amount, a note or ticket was "
        "on its way: say here where it is now. Compare the credit with what the player says before you hand it back.",
    ),
    LockKind.NOTE_IN_DOUBT: _say(
        "The machine does not know where a note of this amount is.",
        "Search the acceptor and the top of the cash box. If the note is there, credit it. If the player has "
        "it back, say so.",
    ),
    LockKind.UNEXPECTED_NOTE: _say(
        "The cash box took a note that the machine had not accepted.",
        "Ask the player. Credit it, pay it by hand, or say that nothing is owed for it. If no amount is "
        "shown, the acceptor could not read its value: check the top of the cash box, then choose the value "
        "here. If there is no such note, it went back.",
    ),
    LockKind.TICKET_IN_DOUBT: _say(
        "The machine does not know where a ticket of this amount is.",
        "Search the acceptor and the top of the cash box. If the ticket is there, credit it or pay it by "
        "hand. If the player has it back, say so; it stays good.",
    ),
    LockKind.UNEXPECTED_TICKET: _say(
        "The cash box took a ticket that the machine had not accepted.",
        "Ask the player. Credit it or pay it by hand. If no amount is shown, the machine owes nothing on it: "
        "check the top of the cash box and the list of tickets, then clear it here.",
    ),
    LockKind.EXCESSIVE_INCREMENT: _say(
        "More notes came in during one play than can be right.",
        "Compare the list of notes with the cash box. If they agree, the technician clears it here.",
    ),
    LockKind.PRINT_UNKNOWN: _say(
        "The machine does not know whether this ticket came out.",
        "Check the printer and ask the player, then choose what happened. A reprint has the same number, is "
        "marked as duplicate and needs a printer that works.",
    ),
    LockKind.PRINTER_JAM: _say(
        "The printer is jammed.",
        "Open it, free the paper and the cutter, close it, then clear it here or with the reset key.",
    ),
    LockKind.HAND_PAY: _say(
        "The player waits for this amount.",
        "Pay it, then choose that here or turn the reset key. Or give the credit back. The player can do that, too.",
    ),
    LockKind.LARGE_WIN: _say(
        "A game has won this amount; it is in the credit.",
        "Check it under Games, Last games. Clear it here or with the reset key to leave it in the credit, or pay it by "
        "hand.",
    ),
    LockKind.OUT_OF_SERVICE: _say("An attendant took the machine out of service.", "Put it back in service here."),
    LockKind.DISPLAY_LOST: _say("The screen does not answer.", "Check its power and its cable."),
    LockKind.STORAGE_LOW: _say(
        "The memory is nearly full.",
        "Call the technician. A hand can be finished and the credit cashed out.",
    ),
    LockKind.SECOND_COPY_LOST: _say(
        "The second copy of the data cannot be written.",
        "Check its medium; the machine tries again every minute. A hand can be finished and the credit cashed out.",
    ),
    LockKind.COPIES_NOT_COMPARED: _say(
        "The machine started without its second copy of the data.",
        "Connect the medium of the second copy; the machine tries again every minute. If it is lost, compare "
        "the credit, the last tickets and the hand-pays with the papers, then clear it here. Until then "
        "nothing is paid by hand.",
    ),
    LockKind.RECORDS_IN_DOUBT: _say(
        "Newer records may be lost. The detail says from when these are.",
        "Compare the meters, the credit, the last tickets and the hand-pays with the papers: an amount they "
        "show may have been paid already. Then clear it here. Until then nothing is paid by hand.",
    ),
    LockKind.PLAYER_LIMIT: _say(
        "Play pauses at a limit of time or loss that the player has set.",
        "The player decides: CASH OUT pays out, HIT plays on without that limit. With no credit it ends by "
        "itself with the session.",
    ),
    LockKind.CASHBOX_FULL: _say(
        "The cash box is full.",
        "Empty it; see Close the period, under Money. Players read only that no notes are taken.",
    ),
    LockKind.EXCESSIVE_REJECTS: _say(
        "Too many notes in a row were refused.",
        "Clean the acceptor and check it for tampering, then clear it here or with the reset key.",
    ),
    LockKind.ACCEPTOR_FAULT: _say(
        "The acceptor has failed its self-test.",
        "Clean it and switch it off and on. Credit can be played and cashed out meanwhile.",
    ),
    LockKind.ACCEPTOR_LINK: _say(
        "The acceptor does not answer.",
        "Check its power and its cable. Credit can be played and cashed out meanwhile.",
    ),
    LockKind.ACCEPTOR_WRONG: _say(
        "The acceptor or its notes are not those of the settings.",
        "Connect the right one or change the settings, then clear it here or with the reset key.",
    ),
    LockKind.ACCEPTOR_EVENTS_LOST: _say(
        "The acceptor counts more notes than it has reported, or could not report for a while.",
        "Compare the list of notes with the cash box, then clear it here or with the reset key.",
    ),
    LockKind.PRINTER_LINK: _say(
        "The printer does not answer.",
        "Check its power and its cable. Cash-outs are paid by hand meanwhile.",
    ),
    LockKind.PRINTER_FAULT: _say(
        "The printer is offline or reports an error.",
        "Read the detail; switch it off and on. Cash-outs are paid by hand meanwhile.",
    ),
    LockKind.PRINTER_COVER: _say("The printer's cover is open.", "Close it. Cash-outs are paid by hand meanwhile."),
    LockKind.PAPER_OUT: _say("The printer has no paper.", "Put in a new roll. Cash-outs are paid by hand meanwhile."),
    LockKind.PAPER_LOW: _say("The roll of paper ends soon.", "Have a new roll ready. Nothing is switched off."),
    LockKind.CASHBOX_NEAR_FULL: _say("The cash box is nearly full.", "Empty it soon. Nothing is switched off."),
    LockKind.CLOCK_INVALID: _say(
        "The clock shows a time that cannot be believed.",
        "Connect the network or set the clock. If the time is right, the technician says so here. Until then times are "
        "marked with a question mark, and no ticket is refused as expired.",
    ),
    LockKind.OVER_TEMPERATURE: _say(
        "The computer is too hot and has slowed down.",
        "Check the fan, the vents and the sun on the cabinet. Nothing is switched off.",
    ),
    LockKind.UNDER_VOLTAGE: _say(
        "The computer gets too little voltage.",
        "Have its power supply and cable changed soon: too little voltage damages memory cards. Nothing is switched "
        "off.",
    ),
    LockKind.STUCK_BUTTON: _say(
        "A button has been down since the start, or for half a minute.",
        "Free it; then this ends by itself. Nothing is switched off.",
    ),
}
"""The words of every lock."""

CONSEQUENCES: Mapping[Settlement, str] = {
    Settlement.CLEAR: text("The lock goes. No money moves."),
    Settlement.PAID_BY_HAND: text("You have paid the amount to the player. It leaves the machine's books."),
    Settlement.GIVE_CREDIT: text("The amount goes back to the credit. A ticket for it is worth nothing."),
    Settlement.TICKET_CAME_OUT: text("The player has the ticket and it is good. The amount has left the machine."),
    Settlement.REPRINT: text("The same ticket is printed again, marked as duplicate."),
    Settlement.CREDIT_NOTE: text("The note is in the cash box. Its amount becomes credit."),
    Settlement.NOTE_RETURNED: text("The player has the note. Nothing is credited."),
    Settlement.NOTHING_OWED: text("The note is in the cash box and belongs to no player. Nothing is credited or paid."),
    Settlement.CREDIT_TICKET: text("The ticket is in the cash box. Its amount becomes credit; its number is used up."),
    Settlement.TICKET_RETURNED: text("The player has the ticket, and it is good. Nothing is credited."),
    Settlement.TIME_IS_RIGHT: text(
        "Compare the time with another clock first. The records go on from here, even where they "
        "hold newer times. Tickets expire by this clock again."
    ),
}
"""What each settlement does."""


_ENDS = {
    ClearedBy.CONDITION: text("It ends by itself when the cause is gone."),
    ClearedBy.ATTENDANT: text("It can be cleared when the cause is gone."),
    ClearedBy.SETTLEMENT: text("It stays until it is settled. What is chosen is done once."),
    ClearedBy.PLAYER: text("The player ends it: by cashing out, or by playing on."),
}


def end_of(lock: Lock, *, technician: bool) -> str:
    """Returns how the lock ends; nothing where its cause is gone and only the technician may clear it, which the page
    says already. `technician` is True while the technician is at the machine."""
    rule = LOCKS[lock.kind]
    if rule.cleared_by is not ClearedBy.ATTENDANT or lock.present:
        return _ENDS[rule.cleared_by]
    return "" if rule.technician and not technician else text("It can be cleared now.")


def said(command: Command, say: Callable[..., str], *, done: bool) -> str:
    """Returns the outcome of a confirmed command as text; `say` is that of the attendant's data."""
    if not done:
        return say("Nothing was changed: the machine does not allow it now.")
    match command:
        case ResetPeriod():
            return say("The period is closed; a new one has begun.")
        case EnterCount(kind=kind, number=number):
            name = say(kind.value.capitalize())
            return say("{name} {number}: the count is entered. The log has the difference.", name=name, number=number)
        case SetOutOfService(out=out):
            return say("The machine is out of service.") if out else say("The machine is in service again.")
        case SettleLock(how=how):
            return say("Settled: {choice}.", choice=say(how.value.capitalize()))
        case VoidRound():
            return say("The game is voided; its stakes are in the credit.")
        case PrepareMemoryClear(on=on):
            return say("Prepared: turn the reset key.") if on else say("The memory is kept.")
        case _:
            return say("Done.")
