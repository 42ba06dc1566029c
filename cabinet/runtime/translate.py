"""Translates device events into engine facts, and effects into orders. Pure tables and small functions.

Devices have channels, papers and pins; the engine has notes, tickets and buttons. Only this module knows both. It has
no state, no clock and no device.
"""

from collections.abc import Callable, Iterable

from cabinet.engine import bills_in, tickets_in
from cabinet.engine.effects import Effect, PrintTicket, ReturnBill, StackBill
from cabinet.engine.inputs import (
    AcceptorStarted,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    BillUnasked,
    Button,
    Door,
    DoorClosed,
    DoorOpened,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    PrinterStarted,
    PrintFailed,
    PrintUnknown,
    TicketPrinted,
)
from cabinet.engine.locks import LOCKS, printing_stopped
from cabinet.engine.state import ClearedBy, Machine, Settings
from cabinet.engine.ticket_facts import TicketOffered, TicketStacked
from drivers.bills import events as bills
from drivers.panel.layout import Input as PanelInput
from drivers.panel.layout import Tower
from drivers.printers import document as printer

TROUBLES: dict[bills.Trouble, Fault] = {
    bills.Trouble.JAM: Fault.BILL_JAM,
    bills.Trouble.STACKER_FULL: Fault.CASHBOX_FULL,
    bills.Trouble.STACKER_NEAR_FULL: Fault.CASHBOX_NEAR_FULL,
    bills.Trouble.CASHBOX_REMOVED: Fault.CASHBOX_REMOVED,
    bills.Trouble.CHEAT: Fault.BILL_CHEAT,
    bills.Trouble.COUNTERFEIT: Fault.BILL_COUNTERFEIT,
    bills.Trouble.HARDWARE: Fault.ACCEPTOR_HARDWARE,
    bills.Trouble.LINK: Fault.ACCEPTOR_LINK,
    bills.Trouble.WRONG_DEVICE: Fault.ACCEPTOR_WRONG,
    bills.Trouble.LOST_EVENTS: Fault.ACCEPTOR_EVENTS_LOST,
}
"""Trouble of an acceptor -> fault of the engine."""

MOMENTARY = frozenset({bills.Trouble.CHEAT, bills.Trouble.COUNTERFEIT, bills.Trouble.LOST_EVENTS})
"""Troubles that a device reports once and never ends: the fault ends at once."""

SILENT = frozenset({bills.Trouble.LINK, bills.Trouble.WRONG_DEVICE, bills.Trouble.HARDWARE})
"""Troubles with which an acceptor may never start, so that it never ends a fault of an earlier run."""

PERSON_PRESENT = (
    bills.Offered
    | bills.Stacked
    | bills.Unsolicited
    | bills.TicketOffered
    | bills.TicketStacked
    | bills.Returned
    | bills.Rejected
)
"""Acceptor events that mean that a person is present."""

ACCEPTOR_FAULTS = frozenset(TROUBLES.values())
ONLY_THE_ACCEPTOR_REPORTS = ACCEPTOR_FAULTS - {TROUBLES[trouble] for trouble in SILENT | MOMENTARY}
PRINTER_FAULTS = (
    Fault.PRINTER_LINK,
    Fault.PRINTER_HARDWARE,
    Fault.PRINTER_COVER,
    Fault.PRINTER_JAM,
    Fault.PAPER_OUT,
    Fault.PAPER_LOW,
)

BUTTON_OF_INPUT: dict[PanelInput, Button] = {PanelInput[button.name]: button for button in Button}
DOORS: dict[PanelInput, Door] = {PanelInput[f"{door.name}_DOOR"]: door for door in Door}
KEYS: dict[PanelInput, Key] = {PanelInput[f"{key.name}_KEY"]: key for key in Key}
LAMPS: dict[Button, PanelInput] = {button: name for name, button in BUTTON_OF_INPUT.items()}


LookUp = Callable[[str], TicketOffered]
"""Ticket number -> its record among the issued tickets."""


def bill_facts(event: bills.BillEvent, standing: frozenset[Fault], look_up: LookUp) -> tuple[Fact, ...]:
    """Returns the facts of an acceptor's event. `standing` are the faults that the acceptor has reported in this run: a
    start, or a trouble that prevents one, ends the faults of earlier runs. `look_up` finds a ticket."""
    match event:
        case bills.Started():
            started = AcceptorStarted(
                model=event.model, firmware=event.firmware, serial=event.serial, counter=event.counter
            )
            return (*_ended(ACCEPTOR_FAULTS - standing), started)
        case bills.Offered():
            return (BillOffered(cents=event.value_cents, counter=event.counter),)
        case bills.Stacked():
            return (BillStacked(cents=event.value_cents, recovered=event.recovered),)
        case bills.Unsolicited():
            return (BillUnasked(reported_cents=event.reported_cents, detail=event.detail, evidence=event.evidence),)
        case bills.TicketOffered():
            return (look_up(event.number),)
        case bills.TicketStacked():
            return (_ticket_stacked(event, look_up),)
        case bills.Returned():
            return (BillReturned(recovered=event.recovered),)
        case bills.Rejected():
            return (BillRejected(reason=event.reason),)
        case bills.TroubleBegan():
            return _trouble_began(event, standing)
        case bills.TroubleEnded():
            return (FaultEnded(fault=TROUBLES[event.trouble]),)
        case bills.Enabled():
            return ()


def _trouble_began(event: bills.TroubleBegan, standing: frozenset[Fault]) -> tuple[Fact, ...]:
    """Returns the fault with what ends at the same time: a silent acceptor reports no other fault, and a momentary
    fault is over."""
    began = FaultBegan(fault=TROUBLES[event.trouble], detail=event.detail)
    if event.trouble in SILENT:
        return (began, *_ended(ONLY_THE_ACCEPTOR_REPORTS - standing))
    return (began, FaultEnded(fault=TROUBLES[event.trouble])) if event.trouble in MOMENTARY else (began,)


def _ended(faults: Iterable[Fault]) -> tuple[FaultEnded, ...]:
    return tuple(FaultEnded(fault=fault) for fault in sorted(faults, key=_silence_first))


def _silence_first(fault: Fault) -> tuple[bool, str]:
    """The sort key: the end of the link fault comes before the ends of faults that only the acceptor reports."""
    return fault in ONLY_THE_ACCEPTOR_REPORTS, fault.value


def _ticket_stacked(event: bills.TicketStacked, look_up: LookUp) -> TicketStacked:
    if event.number is None:
        return TicketStacked(recovered=event.recovered)
    known = look_up(event.number)
    return TicketStacked(sequence=known.sequence, cents=known.cents, standing=known.standing, recovered=event.recovered)


def printer_facts(event: printer.PrinterEvent, faults: Iterable[Fault]) -> tuple[Fact, ...]:
    """Yields the facts of a printer's event, given the printer faults of the machine."""
    match event:
        case printer.PrinterStarted():
            return (PrinterStarted(model=event.model),)
        case printer.PrinterStatus():
            return status_facts(event, faults)
        case printer.Printed():
            return (TicketPrinted(sequence=event.job),)
        case printer.PrintFailed():
            return (PrintFailed(sequence=event.job, reason=event.reason),)
        case printer.PrintUnknown():
            return (PrintUnknown(sequence=event.job, reason=event.reason),)


def status_facts(status: printer.PrinterStatus, faults: Iterable[Fault]) -> tuple[Fact, ...]:
    """Yields the printer faults that have begun or ended since the last status."""
    held = set(faults)
    now = _faults_in(status)
    began = tuple(FaultBegan(fault=fault, detail=now[fault]) for fault in PRINTER_FAULTS if fault in now)
    ended = tuple(FaultEnded(fault=fault) for fault in PRINTER_FAULTS if fault in held and fault not in now)
    return (*(fact for fact in began if fact.fault not in held), *ended)


def _faults_in(status: printer.PrinterStatus) -> dict[Fault, str]:
    """Returns the faults of a status. One of them stops printing exactly when the status does."""
    if not status.link:
        return {Fault.PRINTER_LINK: status.fault}
    found = {
        Fault.PRINTER_COVER: status.cover_open,
        Fault.PRINTER_JAM: status.jam,
        Fault.PAPER_OUT: status.paper is printer.Paper.OUT,
    }
    named = {fault: "" for fault, there in found.items() if there}
    silent = "the paper sensor reports nothing" if status.paper is printer.Paper.UNKNOWN else ""
    offline = "" if status.online or named else "offline"
    trouble = status.fault or silent or offline
    if trouble:
        named[Fault.PRINTER_HARDWARE] = trouble
    if status.paper is printer.Paper.LOW:
        named[Fault.PAPER_LOW] = ""
    return named


def door_or_key_fact(name: PanelInput, *, active: bool) -> Fact | None:
    """Returns the fact of a door or key contact; None for a button."""
    if name in DOORS:
        return DoorOpened(door=DOORS[name]) if active else DoorClosed(door=DOORS[name])
    if name in KEYS:
        return KeyTurned(key=KEYS[name], on=active)
    return None


def bill_order(effect: Effect) -> bills.BillOrder | None:
    """Returns the acceptor's order for an effect; None for another device's effect."""
    match effect:
        case StackBill():
            return bills.Stack()
        case ReturnBill():
            return bills.Return()
        case PrintTicket():
            return None


def channels_taken(channels: Iterable[bills.Channel], notes_cents: Iterable[int], currency: str) -> frozenset[int]:
    """Returns the allowed channels: notes of the machine's currency that the operator takes."""
    wanted = set(notes_cents)
    return frozenset(c.number for c in channels if c.value_cents in wanted and c.currency == currency)


def take_now(
    settings: Settings, machine: Machine, started: bills.Started | None, currency: str, *, escrow: bool
) -> bills.Take:
    """Returns what the acceptor may accept now: notes, and tickets if it reads them.

    One that keeps nothing in escrow lets notes in only while the machine would take every one of them, and no tickets.
    """
    if started is None:
        return bills.TAKE_NOTHING
    taken = settings.notes_cents if bills_in.taking(settings, machine) else ()
    channels = channels_taken(started.channels, taken, currency)
    values = {channel.value_cents for channel in started.channels if channel.number in channels}
    if not escrow and any(bills_in.why_not_note(settings, machine, cents) is not None for cents in values):
        return bills.TAKE_NOTHING
    tickets = escrow and started.reads_tickets and tickets_in.taking(settings, machine)
    return bills.Take(channels=channels, tickets=tickets)


def tower_of(machine: Machine) -> frozenset[Tower]:
    """Returns the tower light: call while a player or a lock waits for the attendant, fault while a lock stops play,
    notes or tickets."""
    rules = [LOCKS[lock.kind] for lock in machine.locks]
    waited_for = machine.calling or any(
        rule.calls or rule.cleared_by in {ClearedBy.ATTENDANT, ClearedBy.SETTLEMENT} for rule in rules
    )
    stopped = any((rule.stops_play or rule.stops_notes) and rule.cleared_by is not ClearedBy.PLAYER for rule in rules)
    faulty = stopped or printing_stopped(machine)
    lit = ((Tower.TOWER_CALL, waited_for), (Tower.TOWER_FAULT, faulty))
    return frozenset(lamp for lamp, on in lit if on)
