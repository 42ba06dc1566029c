"""Everything that can happen to the machine: what a player or attendant wants, and what has happened.

Commands (imperative names) may be refused; facts (past tense) may not: each has a handler in every state. Inputs are
values without behaviour; they carry what the journal must know to replay them and nothing else.
"""

from dataclasses import dataclass
from enum import Enum

from cabinet.engine.closing_facts import EnterCount
from cabinet.engine.record_facts import FormChanged, MachineCommissioned, UpdateTakenBack
from cabinet.engine.ticket_facts import TicketOffered, TicketStacked


class Button(Enum):
    """The player's buttons, in the order of the panel."""

    CASH_OUT = "cash out"
    SERVICE = "service"
    CHIP = "chip"
    BET = "bet"
    PLACE = "place"
    CLEAR = "clear"
    REBET = "rebet"
    DOUBLE = "double"
    SPLIT = "split"
    STAND = "stand"
    HIT = "hit"
    DEAL = "deal"


class Door(Enum):
    """The doors the cabinet watches."""

    MAIN = "main door"
    CASHBOX = "cash box door"
    LOGIC = "logic door"


class Key(Enum):
    """The attendant's key switches."""

    AUDIT = "audit key"
    RESET = "reset key"


# --- player's commands ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Leave the attract mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointAtGame:
    """In the game choice, move to the next game (None) or to this one."""

    game_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseGame:
    """Sit down at a game; None means the one pointed at."""

    game_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTable:
    """Back to the game choice; only with no bets down and no hand open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseChip:
    """Take this chip in hand; None means the next one."""

    chip_cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoosePlace:
    """Point at a place (0 is the first); None means the next one."""

    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """Put the chip in hand on a place; None means the place pointed at."""

    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BetAll:
    """Put the chip in hand on every place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeChip:
    """Take one chip (the one in hand, or what is left) back from a place."""

    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearBets:
    """Take every bet back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebet:
    """Put the last round's bets down again; on top of the bets if pressed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleBet:
    """Double the bets; with none down: rebet, then double."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Start the round with the bets down; with none down and a last bet known: rebet and deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeInsurance:
    """Go to the next amount that may be insured for the place asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Insure:
    """Insure the place asked; None means the amount shown."""

    cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineInsurance:
    """No insurance for the place asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One more card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """No more cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Double the stake and take exactly one card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Make two hands of a pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToggleTurbo:
    """Switch TURBO on or off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut:
    """Pay out all of the credit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackOut:
    """The player gives up a pending hand-pay and has the credit back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAttendant:
    """Switch the call lamp on or off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitTime:
    """Pause play once the session has lasted `session_s` seconds."""

    session_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitLoss:
    """Pause play once the session has lost this much."""

    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepPlaying:
    """Play on after the player's own limit was reached; that limit is gone."""


# --- attendant's commands ---------------------------------------------------------------------------------------


class Settlement(Enum):
    """How an attendant settles a lock."""

    CLEAR = "clear"
    PAID_BY_HAND = "paid by hand"
    GIVE_CREDIT = "give the credit back"
    TICKET_CAME_OUT = "the ticket came out"
    REPRINT = "reprint as duplicate"
    CREDIT_NOTE = "credit the note"
    NOTE_RETURNED = "the note went back"
    NOTHING_OWED = "nothing is owed for the note"
    CREDIT_TICKET = "credit the ticket"
    TICKET_RETURNED = "the ticket went back"
    TIME_IS_RIGHT = "the time is right"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleLock:
    """Attendant: settle this lock this way. `cents` is the value of a note that the acceptor could not report."""

    lock_id: int
    how: Settlement
    cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTicket:
    """Attendant: pay this issued ticket by hand, as the record knows it. One from before a memory clear is not `owed`:
    it is on the list and no longer in the books. `expired_days` is how long ago it expired, 0 for a good one."""

    sequence: int
    cents: int
    owed: bool = True
    expired_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound:
    """Attendant: void the open round after a malfunction; every stake of it goes back to the credit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetPeriod:
    """Attendant: close the period; lifetime meters stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutOfService:
    """Attendant: take the machine out of service, or back."""

    out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareMemoryClear:
    """Technician: the next turn of the reset key clears the memory; or, after all, it does not."""

    on: bool


Command = (
    Wake
    | PointAtGame
    | ChooseGame
    | LeaveTable
    | ChooseChip
    | ChoosePlace
    | Bet
    | BetAll
    | TakeChip
    | ClearBets
    | Rebet
    | DoubleBet
    | Deal
    | ChangeInsurance
    | Insure
    | DeclineInsurance
    | Hit
    | Stand
    | Double
    | Split
    | ToggleTurbo
    | CashOut
    | BackOut
    | CallAttendant
    | LimitTime
    | LimitLoss
    | KeepPlaying
    | SettleLock
    | PayTicket
    | VoidRound
    | ResetPeriod
    | EnterCount
    | SetOutOfService
    | PrepareMemoryClear
)


# --- facts ------------------------------------------------------------------------------------------------------


class Fault(Enum):
    """Device faults that the machine distinguishes; see the lock table for what each one stops."""

    BILL_JAM = "bill jam"
    BILL_CHEAT = "bill cheat"
    BILL_COUNTERFEIT = "counterfeit reported"
    CASHBOX_FULL = "cash box full"
    CASHBOX_NEAR_FULL = "cash box near full"
    CASHBOX_REMOVED = "cash box removed"
    ACCEPTOR_HARDWARE = "acceptor hardware"
    ACCEPTOR_LINK = "acceptor link"
    ACCEPTOR_WRONG = "wrong acceptor"
    ACCEPTOR_EVENTS_LOST = "acceptor events lost"
    PRINTER_LINK = "printer link"
    PRINTER_HARDWARE = "printer fault"
    PRINTER_COVER = "printer cover"
    PRINTER_JAM = "printer jam"
    PAPER_OUT = "paper out"
    PAPER_LOW = "paper low"
    DISPLAY_LOST = "display lost"
    STORAGE_LOW = "storage low"
    SECOND_COPY_LOST = "second copy lost"
    CLOCK_INVALID = "clock not valid"
    PROGRAM_CHANGED = "program changed"
    STUCK_BUTTON = "stuck button"
    OVER_TEMPERATURE = "over-temperature"
    UNDER_VOLTAGE = "under-voltage"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredUp:
    """The program started. `clean` is False when the last stop was not orderly; `crashed` when the program fell."""

    clean: bool
    crashed: bool = False
    version: str = ""
    program_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """The operator's settings are not those of the last run; `old` and `new` name what differs, as the
    operator does. `of_play` is False when none of them is of money or play: then the chips down stay."""

    old: str
    new: str
    of_play: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChecked:
    """The program's files were hashed while it runs."""

    version: str
    program_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecovered:
    """One of the two copies of the data was renewed from the other; `detail` says which and why."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiesNotCompared:
    """The program started without the second copy: the first may be an old one. `detail` says why it was not there."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiesCompared:
    """The second copy is there and holds the same records as the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsDoubted:
    """Newer records than these may have been lost; `detail` says what is known of it."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleCopyFound:
    """The data is kept on one medium only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsDropped:
    """The oldest records leave the machine with this step: rows before `row`, and of the log what is older than entry
    `entry` and no rarity. `digest` seals what is known of them from here on."""

    row: int
    entry: int
    digest: str
    history: str = ""
    """Seals the closings and the hours of the dropped rows; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockJumped:
    """The time of day moved by `seconds` more than has passed; negative when it went back."""

    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredDown:
    """The program is stopping in good order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft:
    """No player has touched the machine for the attract time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAbandoned:
    """No player has touched the machine for the time after which an open hand counts as abandoned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBegan:
    """The time of day at which the session under way began, in milliseconds since 1970."""

    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """The machine has held no money of a player for the time after which a session is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimitReached:
    """The session has lasted as long as the player wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillOffered:
    """A note is in escrow. `counter`: how many notes the acceptor has ever kept, where it counts them."""

    cents: int
    counter: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BillStacked:
    """A note is the machine's, or a document that the device cannot name: then `cents` is None, and it may be a ticket.
    Reported once per document."""

    cents: int | None
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BillUnasked:
    """Something is the machine's that was never offered, so it is not the open note. `reported_cents`: the value that
    the device reported, if it did; `detail` is for the attendant, `evidence` for the log."""

    reported_cents: int | None
    detail: str
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillReturned:
    """The note or ticket in escrow went back to the player."""

    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BillRejected:
    """The acceptor refused a note by itself."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperOverdue:
    """The acceptor has not reported for this long what became of the note or ticket that it was ordered to take."""

    after_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptorStarted:
    """The acceptor is up and has reported everything it had kept; an open note is in doubt from here on, unless
    `counter` (as in `BillOffered`) shows what became of it."""

    model: str
    firmware: str
    serial: str
    counter: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterStarted:
    """The printer is up and can report its status."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketPrinted:
    """Ticket number `sequence` came out."""

    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintFailed:
    """Ticket number `sequence` was not begun; nothing of it came out."""

    sequence: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintUnknown:
    """It is not known whether ticket number `sequence` came out."""

    sequence: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultBegan:
    """A device reports a fault."""

    fault: Fault
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultEnded:
    """A device reports that a fault is gone."""

    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpened:
    """A door was opened. `while_off`: it is found open at the start, or its latch says that it was open meanwhile."""

    door: Door
    while_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorClosed:
    """A door was closed (or found closed at start)."""

    door: Door


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTurned:
    """A key switch was turned on or off."""

    key: Key
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PinEntered:
    """A technician's PIN was entered, the right one or a wrong one. The PIN itself is in no input."""

    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PinWaitOver:
    """The time has passed in which no PIN is taken after too many wrong ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallViewed:
    """The attendant views the last games."""


Fact = (
    MachineCommissioned
    | FormChanged
    | UpdateTakenBack
    | PoweredUp
    | SettingsChanged
    | ProgramChecked
    | MemoryRecovered
    | CopiesNotCompared
    | CopiesCompared
    | RecordsDoubted
    | SingleCopyFound
    | RecordsDropped
    | ClockJumped
    | PoweredDown
    | PlayerLeft
    | HandAbandoned
    | SessionBegan
    | SessionEnded
    | TimeLimitReached
    | BillOffered
    | BillStacked
    | BillUnasked
    | TicketOffered
    | TicketStacked
    | BillReturned
    | BillRejected
    | PaperOverdue
    | AcceptorStarted
    | PrinterStarted
    | TicketPrinted
    | PrintFailed
    | PrintUnknown
    | FaultBegan
    | FaultEnded
    | DoorOpened
    | DoorClosed
    | KeyTurned
    | PinEntered
    | PinWaitOver
    | RecallViewed
)

Input = Command | Fact
