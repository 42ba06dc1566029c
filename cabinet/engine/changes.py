"""The fields of the machine and of its groups, each with its type and none required.

They are the keyword arguments of `StepBuilder.update` and its siblings, so a misspelt field or a wrong type is a type
error. A test compares them with the fields themselves.
"""

from collections.abc import Mapping
from typing import TypedDict

from cabinet.engine.inputs import Door, Fault
from cabinet.engine.ledger import Books
from cabinet.engine.round import Results, Round
from cabinet.engine.state import (
    Acceptor,
    Access,
    BookedDocument,
    DocumentIntent,
    Lock,
    Phase,
    Printer,
    PrintIntent,
    Program,
    RefusedDocument,
    Seat,
    Session,
    Shown,
)


class AcceptorChanges(TypedDict, total=False):
    """The fields of `Acceptor`: keyword arguments of `StepBuilder.update_acceptor`."""

    ready: bool
    serial: str
    rejects_in_a_row: int
    document: DocumentIntent | BookedDocument | None
    refused: RefusedDocument | None


class AccessChanges(TypedDict, total=False):
    """The fields of `Access`: keyword arguments of `StepBuilder.update_access`."""

    open_doors: tuple[Door, ...]
    audit_key: bool
    technician: bool
    wrong_pins: int
    clear_prepared: bool


class PrinterChanges(TypedDict, total=False):
    """The fields of `Printer`: keyword arguments of `StepBuilder.update_printer`."""

    ready: bool
    printing: PrintIntent | None
    next_ticket: int
    next_receipt: int


class SeatChanges(TypedDict, total=False):
    """The fields of `Seat`: keyword arguments of `StepBuilder.update_seat`."""

    game_id: str
    chip_cents: int
    place: int
    bets: tuple[int, ...]
    last_bets: Mapping[str, tuple[int, ...]]
    insurance_offer_cents: int
    turbo: bool


class ShownChanges(TypedDict, total=False):
    """The fields of `Shown`: keyword arguments of `StepBuilder.update_shown`."""

    last_paid_cents: int
    paid_out_cents: int
    paid_out_total_cents: int
    notice: str


class ProgramChanges(TypedDict, total=False):
    """The fields of `Program`: keyword arguments of `StepBuilder.update_program`."""

    version: str
    files_hash: str


class MachineChanges(TypedDict, total=False):
    """The fields of `Machine`: keyword arguments of `StepBuilder.update`."""

    books: Books
    period_start: Mapping[str, int]
    marks: Mapping[str, int]
    phase: Phase
    resume: Phase
    attract: bool
    calling: bool
    locks: tuple[Lock, ...]
    next_lock_id: int
    faults: tuple[Fault, ...]
    acceptor: Acceptor
    access: Access
    printer: Printer
    seat: Seat
    round: Round | None
    results: Results | None
    round_number: int
    shown: Shown
    session: Session | None
    program: Program
