"""The machine as every journal holds it: one flat object, whose names and order never change.

`PLACES` is the only place that maps a stored name to a field of the machine and its groups. Each stored name has the
type and the default of its field, so a name that an old journal lacks gets the default. Does not know bytes or forms.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, Final, get_type_hints

import msgspec

from cabinet.engine.state import (
    BookedDocument,
    BookedNote,
    BookedTicket,
    DocumentIntent,
    Lock,
    Machine,
    NoteIntent,
    RefusedDocument,
    RefusedNote,
    RefusedTicket,
    TicketIntent,
)
from cabinet.store.stored_names import stored_field

PLACES: Final[Mapping[str, str]] = {
    "books": "books",
    "period_start": "period_start",
    "marks": "marks",
    "phase": "phase",
    "resume": "resume",
    "attract": "attract",
    "audit_key": "access.audit_key",
    "technician": "access.technician",
    "wrong_pins": "access.wrong_pins",
    "clear_prepared": "access.clear_prepared",
    "locks": "locks",
    "next_lock_id": "next_lock_id",
    "open_doors": "access.open_doors",
    "faults": "faults",
    "note": "acceptor.document",
    "unconfirmed": "acceptor.document",
    "ticket": "acceptor.document",
    "unconfirmed_ticket": "acceptor.document",
    "refused_ticket": "acceptor.refused",
    "refused_note": "acceptor.refused",
    "printing": "printer.printing",
    "next_ticket": "printer.next_ticket",
    "next_receipt": "printer.next_receipt",
    "rejects_in_a_row": "acceptor.rejects_in_a_row",
    "acceptor_ready": "acceptor.ready",
    "acceptor_serial": "acceptor.serial",
    "printer_ready": "printer.ready",
    "calling": "calling",
    "turbo": "seat.turbo",
    "game_id": "seat.game_id",
    "chip_cents": "seat.chip_cents",
    "place": "seat.place",
    "bets": "seat.bets",
    "last_bets": "seat.last_bets",
    "round": "round",
    "results": "results",
    "round_number": "round_number",
    "insurance_offer_cents": "seat.insurance_offer_cents",
    "last_paid_cents": "shown.last_paid_cents",
    "paid_out_cents": "shown.paid_out_cents",
    "paid_out_total_cents": "shown.paid_out_total_cents",
    "session": "session",
    "notice": "shown.notice",
    "version": "program.version",
    "program_hash": "program.files_hash",
}
"""Stored name -> field of `Machine`, or group and field."""

_StoredNote: Final[Any] = msgspec.defstruct(
    "NoteIntent",
    [("cents", int), ("counter", int | None, None), ("serial", str, ""), ("by_hand", bool, False)],
    frozen=True,
    kw_only=True,
)
_StoredTicket: Final[Any] = msgspec.defstruct(
    "TicketIntent", [("sequence", int), ("cents", int), ("by_hand", bool, False)], frozen=True, kw_only=True
)
_DOCUMENTS: Final[Mapping[str, tuple[type[DocumentIntent | BookedDocument], Any]]] = {
    "note": (NoteIntent, _StoredNote),
    "unconfirmed": (BookedNote, _StoredNote),
    "ticket": (TicketIntent, _StoredTicket),
    "unconfirmed_ticket": (BookedTicket, _StoredTicket),
}
"""Stored names of the acceptor's document, each with the kind that it is for and the stored form."""

_NO_TICKET_OF_OURS: Final = "no ticket of this machine"
_REFUSED: Final[Mapping[str, str | bool]] = {"refused_ticket": "", "refused_note": False}
"""Stored names of the refused document, each with the stored value without one."""

_GROUPS: Final[Mapping[str, Any]] = {
    path.partition(".")[0]: get_type_hints(Machine)[path.partition(".")[0]] for path in PLACES.values() if "." in path
}


def _default(owner: Any, attribute: str) -> Any:
    (found,) = (each for each in fields(owner) if each.name == attribute)
    if found.default_factory is not MISSING:
        return msgspec.field(default_factory=found.default_factory)
    return msgspec.NODEFAULT if found.default is MISSING else msgspec.field(default=found.default)


_LOCK_FIELDS: Final = {stored_field(Lock, field.name): field.name for field in fields(Lock)}
_StoredLock: Final[Any] = msgspec.defstruct(
    "Lock",
    [(name, get_type_hints(Lock)[field], _default(Lock, field)) for name, field in _LOCK_FIELDS.items()],
    frozen=True,
    kw_only=True,
)


def _stored(name: str, path: str) -> tuple[str, Any, Any]:
    """Returns the stored name with its type and default."""
    group, _, attribute = path.rpartition(".")
    owner = _GROUPS[group] if group else Machine
    if name in _REFUSED:
        without = _REFUSED[name]
        return name, type(without), msgspec.field(default=without)
    kind = _DOCUMENTS[name][1] | None if name in _DOCUMENTS else get_type_hints(owner)[attribute]
    return name, tuple[_StoredLock, ...] if name == "locks" else kind, _default(owner, attribute)


StoredMachine: Final[Any] = msgspec.defstruct(
    "Machine", [_stored(name, path) for name, path in PLACES.items()], frozen=True
)
"""The stored object. Its fields are the stored names."""

_read = attrgetter(*PLACES.values())
_documents = [(number, _DOCUMENTS[name][0]) for number, name in enumerate(PLACES) if name in _DOCUMENTS]
_refused_ticket, _refused_note = (list(PLACES).index(name) for name in _REFUSED)
_locks = list(PLACES).index("locks")


def to_stored(machine: Machine) -> Any:
    """Returns the machine as the stored object."""
    values = [*_read(machine)]
    if machine.locks:
        values[_locks] = tuple(map(_stored_lock, machine.locks))
    if machine.acceptor.document is not None:
        for number, kind in _documents:
            values[number] = _stored_document(values[number]) if isinstance(values[number], kind) else None
    values[_refused_ticket], values[_refused_note] = _stored_refused(machine.acceptor.refused)
    return StoredMachine(*values)


def _stored_refused(refused: RefusedDocument | None) -> tuple[str, bool]:
    """Returns the stored ticket, which is the log's name of it, and whether a note was refused."""
    match refused:
        case None:
            return "", False
        case RefusedNote():
            return "", True
        case RefusedTicket(sequence=sequence):
            return _NO_TICKET_OF_OURS if sequence is None else f"ticket {sequence}", False


def _stored_document(document: DocumentIntent | BookedDocument) -> Any:
    """Returns the stored document. What is not known of a booked one is 0 there."""
    match document:
        case NoteIntent():
            return _StoredNote(cents=document.cents, counter=document.counter, serial=document.serial)
        case TicketIntent():
            return _StoredTicket(sequence=document.sequence, cents=document.cents)
        case BookedNote():
            return _StoredNote(cents=document.cents or 0, by_hand=document.by_hand)
        case BookedTicket():
            return _StoredTicket(sequence=document.sequence or 0, cents=document.cents, by_hand=document.by_hand)


def _stored_lock(lock: Lock) -> Any:
    return _StoredLock(**{name: getattr(lock, field) for name, field in _LOCK_FIELDS.items()})


def from_stored(stored: Any) -> Machine:
    """Returns the machine that the stored object describes. Raises ValueError when it has a note and a ticket in the
    same place."""
    values: dict[str, dict[str, Any]] = {"": {}, **{group: {} for group in _GROUPS}}
    for name, path in PLACES.items():
        group, _, attribute = path.rpartition(".")
        values[group][attribute] = getattr(stored, name)
    values[""]["locks"] = tuple(map(_lock, stored.locks))
    values["acceptor"]["refused"] = _refused_of(stored)
    values["acceptor"]["document"] = _in_path(stored) or _booked(stored)
    return Machine(**values.pop(""), **{group: _GROUPS[group](**found) for group, found in values.items()})


def _lock(stored: Any) -> Lock:
    return Lock(**{field: getattr(stored, name) for name, field in _LOCK_FIELDS.items()})


def _check_one(note: Any, ticket: Any, where: str) -> None:
    if note is not None and ticket is not None:
        raise ValueError(f"a note and a ticket are {where}: {note} and {ticket}")


def _in_path(stored: Any) -> DocumentIntent | None:
    note, ticket = stored.note, stored.ticket
    _check_one(note, ticket, "in the path")
    if note is not None:
        return NoteIntent(cents=note.cents, counter=note.counter, serial=note.serial)
    return TicketIntent(sequence=ticket.sequence, cents=ticket.cents) if ticket is not None else None


def _booked(stored: Any) -> BookedDocument | None:
    note, ticket = stored.unconfirmed, stored.unconfirmed_ticket
    _check_one(note, ticket, "booked last")
    if note is not None:
        return BookedNote(cents=note.cents or None, by_hand=note.by_hand)
    if ticket is not None:
        return BookedTicket(sequence=ticket.sequence or None, cents=ticket.cents, by_hand=ticket.by_hand)
    return None


def _refused_of(stored: Any) -> RefusedDocument | None:
    """Returns the refused document. Raises ValueError when the words of a ticket are not those of `_stored_refused`."""
    words = stored.refused_ticket
    if words == _NO_TICKET_OF_OURS:
        return RefusedTicket(sequence=None)
    if words:
        head, number = words[:7], words[7:]
        if head != "ticket " or not number.isdecimal():
            raise ValueError(f"the refused ticket is no ticket: {words!r}")
        return RefusedTicket(sequence=int(number))
    return RefusedNote() if stored.refused_note else None
