"""The stored form of the machine: flat, with the names and the order of every journal."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import get_type_hints

import msgspec
import pytest
from support.cases import case
from support.journals import random_steps
from support.vocabulary import reader_of

from cabinet.engine.state import (
    Acceptor,
    BookedNote,
    BookedTicket,
    Machine,
    NoteIntent,
    RefusedNote,
    RefusedTicket,
    TicketIntent,
)
from cabinet.store import codec, schema
from cabinet.store.errors import StoreDamagedError
from cabinet.store.stored_machine import PLACES, from_stored, to_stored

GROUPS = ("acceptor", "access", "printer", "program", "seat", "shown")


def _paths() -> Iterator[str]:
    """Yields each field of the machine, and instead of a group each field of it."""
    hints = get_type_hints(Machine)
    for own in fields(Machine):
        if own.name in GROUPS:
            assert is_dataclass(hints[own.name])
            yield from (f"{own.name}.{inner.name}" for inner in fields(hints[own.name]))
        else:
            yield own.name


@pytest.mark.requirement("ME-08")
def test_every_field_of_the_machine_has_one_stored_name() -> None:
    assert set(PLACES.values()) == set(_paths())
    shared = [path for path, names in Counter(PLACES.values()).items() if names > 1]
    assert shared == ["acceptor.document", "acceptor.refused"], "each kind of document has its name"


@pytest.mark.requirement("ME-08")
def test_the_stored_names_are_flat_and_keep_their_order() -> None:
    before = reader_of(schema.KEPT).words["types"]["Machine"]
    assert [name for name in PLACES if name in before] == list(before)
    assert list(msgspec.json.decode(codec.encode_machine(Machine()))) == list(PLACES)


def test_reading_a_stored_machine_gives_the_machine() -> None:
    for number, (_, step) in enumerate(random_steps(7, 200)):
        with case(number=number):
            assert from_stored(to_stored(step.machine)) == step.machine


def _note(cents: int, counter: int | None = None, serial: str = "", *, by_hand: bool = False) -> dict[str, object]:
    return {"cents": cents, "counter": counter, "serial": serial, "by_hand": by_hand}


def _ticket(sequence: int, cents: int, *, by_hand: bool = False) -> dict[str, object]:
    return {"sequence": sequence, "cents": cents, "by_hand": by_hand}


def test_a_document_has_the_stored_name_and_form_of_its_kind() -> None:
    for document, name, stored in (
        (NoteIntent(cents=500, counter=3, serial="A7"), "note", _note(500, 3, "A7")),
        (TicketIntent(sequence=4, cents=700), "ticket", _ticket(4, 700)),
        (BookedNote(cents=500, by_hand=True), "unconfirmed", _note(500, by_hand=True)),
        (BookedNote(cents=None), "unconfirmed", _note(0)),
        (BookedTicket(sequence=4, cents=700, by_hand=True), "unconfirmed_ticket", _ticket(4, 700, by_hand=True)),
        (BookedTicket(sequence=None, cents=0), "unconfirmed_ticket", _ticket(0, 0)),
    ):
        with case(document=document):
            machine = Machine(acceptor=Acceptor(document=document))
            plain = msgspec.json.decode(codec.encode_machine(machine))
            documents = ("note", "unconfirmed", "ticket", "unconfirmed_ticket")
            assert {each: plain[each] for each in documents if plain[each] is not None} == {name: stored}
            assert list(plain[name]) == list(stored)
            assert from_stored(to_stored(machine)) == machine


@pytest.mark.parametrize("pair", [("note", "ticket"), ("unconfirmed", "unconfirmed_ticket")])
def test_a_stored_machine_with_a_note_and_a_ticket_in_one_place_is_damage(pair: tuple[str, str]) -> None:
    plain = msgspec.json.decode(codec.encode_machine(Machine()))
    both = dict(zip(pair, (_note(500), _ticket(4, 700)), strict=True))
    with pytest.raises(StoreDamagedError, match=r"a note and a ticket are (in the path|booked last)"):
        codec.decode_machine(msgspec.json.encode(plain | both))


def test_of_a_document_in_the_path_and_a_booked_one_in_an_old_journal_the_one_in_the_path_counts() -> None:
    plain = msgspec.json.decode(codec.encode_machine(Machine()))
    machine = codec.decode_machine(msgspec.json.encode(plain | {"note": _note(500), "unconfirmed": _note(700)}))
    assert machine.acceptor.document == NoteIntent(cents=500)


def test_a_refused_document_has_the_stored_words_of_its_kind() -> None:
    for refused, ticket, note in (
        (None, "", False),
        (RefusedNote(), "", True),
        (RefusedTicket(sequence=12), "ticket 12", False),
        (RefusedTicket(sequence=None), "no ticket of this machine", False),
    ):
        with case(refused=refused):
            machine = Machine(acceptor=Acceptor(refused=refused))
            plain = msgspec.json.decode(codec.encode_machine(machine))
            assert (plain["refused_ticket"], plain["refused_note"]) == (ticket, note)
            assert from_stored(to_stored(machine)) == machine


def test_other_words_of_a_refused_ticket_are_damage() -> None:
    plain = msgspec.json.decode(codec.encode_machine(Machine()))
    for words in ("ticket", "ticket x", "note 4", "ticket -1"):
        with case(words=words), pytest.raises(StoreDamagedError, match="the refused ticket is no ticket"):
            codec.decode_machine(msgspec.json.encode(plain | {"refused_ticket": words}))
