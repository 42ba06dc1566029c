"""The cabinet as a value: what it is doing, what it holds, what stands in its way.

Rules that hold: a Machine is never changed, only replaced by `machine.step`; it is all that must survive a power cut;
settings of the operator are not in it. A lock does not change the round; when it is cleared, the same hand goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from cabinet.engine.errors import RulesError
from cabinet.engine.inputs import Door, Fault, Settlement
from cabinet.engine.ledger import Books
from cabinet.engine.round import Results, Round
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Limits, Table


class Phase(Enum):
    """Where the player is, whatever locks there are."""

    CHOOSING = "choosing"
    BETTING = "betting"
    INSURANCE = "insurance"
    DECIDING = "deciding"
    SETTLED = "settled"
    CASHING_OUT = "cashing out"


class State(Enum):
    """The part of the transition table in force: the phase, or what comes before it."""

    ATTRACT = "attract"
    CHOOSING = Phase.CHOOSING.value
    BETTING = Phase.BETTING.value
    INSURANCE = Phase.INSURANCE.value
    DECIDING = Phase.DECIDING.value
    SETTLED = Phase.SETTLED.value
    CASHING_OUT = Phase.CASHING_OUT.value
    LOCKED = "locked"
    AUDIT = "audit"


class LockKind(Enum):
    """What can lock the machine, or a part of it. Order is priority: the first is shown on top."""

    MEMORY = "memory fault"
    SETTINGS_REFUSED = "settings refused"
    DATA_REFUSED = "data refused"
    DATA_PARTITION_MISSING = "data partition missing"
    SELF_AUDIT = "self-audit failure"
    PROGRAM_CHANGED = "program changed"
    LOGIC_DOOR = "logic door"
    MAIN_DOOR = "main door"
    CASHBOX_DOOR = "cash box door"
    CASHBOX_REMOVED = "cash box removed"
    DOOR_WHILE_OFF = "door opened while off"
    BILL_CHEAT = "bill cheat"
    BILL_JAM = "bill jam"
    NOTE_IN_DOUBT = "note in doubt"
    UNEXPECTED_NOTE = "unexpected note"
    TICKET_IN_DOUBT = "ticket in doubt"
    UNEXPECTED_TICKET = "unexpected ticket"
    EXCESSIVE_INCREMENT = "excessive meter increment"
    PRINT_UNKNOWN = "print outcome unknown"
    PRINTER_JAM = "printer jam"
    HAND_PAY = "hand-pay"
    LARGE_WIN = "large win"
    OUT_OF_SERVICE = "out of service"
    DISPLAY_LOST = "display lost"
    STORAGE_LOW = "storage low"
    SECOND_COPY_LOST = "second copy lost"
    COPIES_NOT_COMPARED = "copies not compared"
    RECORDS_IN_DOUBT = "records in doubt"
    PLAYER_LIMIT = "player's limit"
    CASHBOX_FULL = "cash box full"
    EXCESSIVE_REJECTS = "excessive rejects"
    ACCEPTOR_FAULT = "acceptor fault"
    ACCEPTOR_LINK = "acceptor link"
    ACCEPTOR_WRONG = "wrong acceptor"
    ACCEPTOR_EVENTS_LOST = "acceptor events lost"
    PRINTER_LINK = "printer link"
    PRINTER_FAULT = "printer fault"
    PRINTER_COVER = "printer cover"
    PAPER_OUT = "paper out"
    PAPER_LOW = "paper low"
    CASHBOX_NEAR_FULL = "cash box near full"
    CLOCK_INVALID = "clock not valid"
    OVER_TEMPERATURE = "over-temperature"
    UNDER_VOLTAGE = "under-voltage"
    STUCK_BUTTON = "stuck button"


class ClearedBy(Enum):
    """Whose act ends a lock."""

    CONDITION = "the condition ending"
    ATTENDANT = "the attendant, once the condition is gone"
    SETTLEMENT = "an attendant's decision"
    PLAYER = "the player, or the end of the session"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRule:
    """What a kind of lock stops, and how it ends."""

    stops_play: bool
    stops_notes: bool
    stops_cash_out: bool
    stops_hand_pay: bool
    """True when the records may be older than what was paid: nothing is paid by hand or printed again."""
    cleared_by: ClearedBy
    lets_hand_finish: bool = False
    """True when an open hand may still be played to its end."""
    alarm: bool = False
    calls: bool = False
    """True when the tower light calls the attendant to something that ends by itself."""
    technician: bool = False
    """True when only the technician's level may settle it."""
    settlements: tuple[Settlement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """One thing that is wrong. `present`: the device still reports it. `cents`: the money it holds; where that is not
    known, `reported_cents` is the value that the device reported, if it did."""

    lock_id: int = 0
    kind: LockKind
    detail: str = ""
    cents: int = 0
    sequence: int | None = None
    present: bool = True
    reported_cents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteIntent:
    """A note that the acceptor is ordered to stack; `counter` is the acceptor's count before it, `serial` the unit that
    counts."""

    cents: int
    counter: int | None = None
    serial: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketIntent:
    """A ticket that the acceptor is ordered to stack."""

    sequence: int
    cents: int


DocumentIntent = NoteIntent | TicketIntent
"""A document in the path: on its way into the box, until its outcome is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedNote:
    """The last document taken into the books, a note; `cents` None when its value is not known. `by_hand`: the
    attendant, not the acceptor, has reported it in the box."""

    cents: int | None
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedTicket:
    """The last document taken into the books, a ticket; `sequence` None and no `cents` for one of another machine.
    `by_hand` as for a note."""

    sequence: int | None
    cents: int
    by_hand: bool = False


BookedDocument = BookedNote | BookedTicket
"""A booked document, while the acceptor may still report it: again after a restart of the cabinet, or for the first
time when the attendant has settled it by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedNote:
    """A note that the acceptor is ordered to return."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedTicket:
    """A ticket that the acceptor is ordered to return; `sequence` None for one of another machine."""

    sequence: int | None


RefusedDocument = RefusedNote | RefusedTicket


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintIntent:
    """A ticket that the printer is ordered to print; its money is in transit."""

    sequence: int
    cents: int
    duplicate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A player's visit, from the first money put in. What went in and out since: meters less marks."""

    began_ms: int | None = None
    """The time of day at which it began, in milliseconds since 1970; None while it is not known."""
    time_limit_s: int = 0
    """The player wants play to pause after so much session time; 0 for never."""
    loss_limit_cents: int = 0
    """The player wants play to pause when the session has lost so much; 0 for never."""
    time_is_up: bool = False
    """True if the time limit has been reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The operator's settings the engine obeys. A change between runs is logged by the store."""

    tables: tuple[Table, ...] = (
        Table(rules=EUROPEAN, limits=Limits()),
        Table(rules=TABLE, limits=Limits()),
        Table(rules=CLASSIC, limits=Limits()),
    )
    notes_cents: tuple[int, ...] = (100, 500, 1_000, 2_000, 5_000, 10_000)
    """Notes that are taken."""
    tickets_in: bool = True
    """True if this machine's own tickets are taken, where the acceptor reads them."""
    credit_limit_cents: int = 300_000
    """A note or ticket that would take the credit above this goes back."""
    ticket_max_cents: int = 300_000
    """A cash-out above this is paid by hand."""
    ticket_expires_days: int = 90
    """How long a ticket may be brought back; 0 for ever."""
    large_win_cents: int = 120_000
    """A round whose net result reaches this locks for the attendant; 0 switches it off."""
    increment_max_cents: int = 1_000_000
    """Bills in of this much within one play is a fault."""
    turbo_allowed: bool = True
    technician_pin: bool = False
    """True if the technician's level asks for a PIN. The PIN itself is no setting of the engine."""
    rejects_max: int = 10
    """As many rejected notes in a row stop the acceptor."""
    player_limits: bool = True
    """True if a player may set limits of time and loss."""

    def table(self, game_id: str) -> Table:
        """The table of a game. RulesError when it is not offered."""
        for table in self.tables:
            if table.rules.game_id == game_id:
                return table
        offered = ", ".join(table.rules.game_id for table in self.tables)
        raise RulesError(f"no table for game {game_id!r}; offered are {offered}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptor:
    """The acceptor, and the document that is or was in its path."""

    ready: bool = False
    serial: str = ""
    """The serial number of the acceptor that started last; empty for one without."""
    rejects_in_a_row: int = 0
    document: DocumentIntent | BookedDocument | None = None
    """The document in the path, or the booked one while it may be reported again; never both."""
    refused: RefusedDocument | None = None
    """The refused document on its way back whose return ends no doubt; a refused note counts only while a document is
    in doubt."""

    @property
    def in_path(self) -> DocumentIntent | None:
        """The document in the path."""
        return self.document if isinstance(self.document, DocumentIntent) else None

    @property
    def booked(self) -> BookedDocument | None:
        """The booked document."""
        return self.document if isinstance(self.document, BookedDocument) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Doors, keys, and the technician's login."""

    open_doors: tuple[Door, ...] = ()
    audit_key: bool = False
    technician: bool = False
    """True if the person with the audit key has access to the technician's level."""
    wrong_pins: int = 0
    """Wrong PINs in a row."""
    clear_prepared: bool = False
    """True if the next turn of the reset key clears the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printer:
    """The ticket printer, and the numbers of what it prints."""

    ready: bool = False
    printing: PrintIntent | None = None
    next_ticket: int = 1
    next_receipt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What the player has chosen."""

    game_id: str = "european"
    chip_cents: int = 0
    """The chip in hand; 0 until a table is chosen."""
    place: int = 0
    """The place pointed at."""
    bets: tuple[int, ...] = ()
    """Chips down per place, not yet stakes."""
    last_bets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The bets of the last round of each game."""
    insurance_offer_cents: int = 0
    """The amount chosen for the place asked, 0 for none; `play.insurance_offer` is the amount that is offered now."""
    turbo: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What has happened and stays on the screen for a while."""

    last_paid_cents: int = 0
    """What the last round returned to the credit."""
    paid_out_cents: int = 0
    """The last cash-out, shown until the next hand or the end of the session; 0 for none."""
    paid_out_total_cents: int = 0
    """All cash-outs since the last hand."""
    notice: str = ""
    """What happened to the power or the program, shown until the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The program that the machine knows; another one locks it."""

    version: str = ""
    files_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Everything the cabinet must remember. `cabinet/store/stored_machine.py` has its form in the journal."""

    books: Books = field(default_factory=Books)
    period_start: Mapping[str, int] = field(default_factory=dict)
    """The meters as they were when the period began."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """Meters as they were at power-up, at the last door closing, at the last cash box removal, at the beginning of the
    current play and before the session began, as `when.meter`."""
    phase: Phase = Phase.CHOOSING
    resume: Phase = Phase.CHOOSING
    """Where the player was when the cash-out began."""
    attract: bool = False
    calling: bool = False
    locks: tuple[Lock, ...] = ()
    next_lock_id: int = 1
    faults: tuple[Fault, ...] = ()
    acceptor: Acceptor = field(default_factory=Acceptor)
    access: Access = field(default_factory=Access)
    printer: Printer = field(default_factory=Printer)
    seat: Seat = field(default_factory=Seat)
    round: Round | None = None
    """The open round, or the last one while its result stays on the table."""
    results: Results | None = None
    round_number: int = 0
    shown: Shown = field(default_factory=Shown)
    session: Session | None = None
    """The player's visit; None while there is none."""
    program: Program = field(default_factory=Program)
