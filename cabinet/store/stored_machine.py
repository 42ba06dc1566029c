"""The machine as every journal holds it: one flat object, whose names and order never change.

`PLACES` is the only place that maps a stored name to a field of the machine and its groups. Each stored name has the
type and the default of its field, so a name that an old journal lacks gets the default. Does not know bytes or forms.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, Final, get_type_hints

import msgspec

from cabinet.engine.state import DocumentIntent, Lock, Machine, NoteIntent, TicketIntent
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
    "note": "acceptor.in_path",
    "unconfirmed": "acceptor.booked",
    "ticket": "acceptor.in_path",
    "unconfirmed_ticket": "acceptor.booked",
    "refused_ticket": "acceptor.refused_ticket",
    "refused_note": "acceptor.refused_note",
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

_KINDS: Final[Mapping[str, type[DocumentIntent]]] = {
    "note": NoteIntent,
    "unconfirmed": NoteIntent,
    "ticket": TicketIntent,
    "unconfirmed_ticket": TicketIntent,
}
"""Stored names that share a field of the machine with another, each with the kind of its document."""

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
    kind = _KINDS[name] | None if name in _KINDS else get_type_hints(owner)[attribute]
    return name, tuple[_StoredLock, ...] if name == "locks" else kind, _default(owner, attribute)


StoredMachine: Final[Any] = msgspec.defstruct(
    "Machine", [_stored(name, path) for name, path in PLACES.items()], frozen=True
)
"""The stored object. Its fields are the stored names."""

_read = attrgetter(*PLACES.values())
_shared = [(number, _KINDS[name]) for number, name in enumerate(PLACES) if name in _KINDS]
_locks = list(PLACES).index("locks")


def flat(machine: Machine) -> Any:
    """Returns the machine as the stored object."""
    values = [*_read(machine)]
    if machine.locks:
        values[_locks] = tuple(map(_flat_lock, machine.locks))
    for number, kind in _shared:
        if not isinstance(values[number], kind):
            values[number] = None
    return StoredMachine(*values)


def _flat_lock(lock: Lock) -> Any:
    return _StoredLock(**{name: getattr(lock, field) for name, field in _LOCK_FIELDS.items()})


def grouped(stored: Any) -> Machine:
    """Returns the machine that the stored object describes. Raises ValueError when it has two documents, since at most
    one is in the path."""
    values: dict[str, dict[str, Any]] = {"": {}, **{group: {} for group in _GROUPS}}
    for name, path in PLACES.items():
        group, _, attribute = path.rpartition(".")
        found, other = getattr(stored, name), values[group].get(attribute)
        if found is not None and other is not None:
            raise ValueError(f"both documents of {path} are there: {other} and {found}")
        values[group][attribute] = other if found is None else found
    values[""]["locks"] = tuple(map(_lock, stored.locks))
    return Machine(**values.pop(""), **{group: _GROUPS[group](**found) for group, found in values.items()})


def _lock(stored: Any) -> Lock:
    return Lock(**{field: getattr(stored, name) for name, field in _LOCK_FIELDS.items()})
