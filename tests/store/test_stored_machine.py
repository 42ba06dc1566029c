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

from cabinet.engine.state import Acceptor, Machine, NoteIntent, TicketIntent
from cabinet.store import codec, schema
from cabinet.store.errors import StoreDamagedError
from cabinet.store.stored_machine import PLACES, flat, grouped

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
    assert shared == ["acceptor.in_path", "acceptor.booked"], "a note and a ticket have a name each"


@pytest.mark.requirement("ME-08")
def test_the_stored_names_are_flat_and_keep_their_order() -> None:
    before = reader_of(schema.KEPT).words["types"]["Machine"]
    assert [name for name in PLACES if name in before] == list(before)
    assert list(msgspec.json.decode(codec.encode_machine(Machine()))) == list(PLACES)


def test_grouping_undoes_flattening() -> None:
    for number, (_, step) in enumerate(random_steps(7, 200)):
        with case(number=number):
            assert grouped(flat(step.machine)) == step.machine


NOTE, TICKET = NoteIntent(cents=500, counter=3, serial="A7"), TicketIntent(sequence=4, cents=700, by_hand=True)


def test_a_document_has_the_stored_name_of_its_kind() -> None:
    for in_path, booked, names in (
        (NOTE, None, ["note"]),
        (TICKET, None, ["ticket"]),
        (None, NOTE, ["unconfirmed"]),
        (None, TICKET, ["unconfirmed_ticket"]),
        (NOTE, TICKET, ["note", "unconfirmed_ticket"]),
    ):
        with case(names=names):
            machine = Machine(acceptor=Acceptor(in_path=in_path, booked=booked))
            plain = msgspec.json.decode(codec.encode_machine(machine))
            documents = ("note", "unconfirmed", "ticket", "unconfirmed_ticket")
            assert [name for name in documents if plain[name] is not None] == names
            assert grouped(flat(machine)) == machine


@pytest.mark.parametrize("pair", [("note", "ticket"), ("unconfirmed", "unconfirmed_ticket")])
def test_a_stored_machine_with_two_documents_in_one_place_is_damage(pair: tuple[str, str]) -> None:
    plain = msgspec.json.decode(codec.encode_machine(Machine()))
    both = dict(zip(pair, map(msgspec.to_builtins, (NOTE, TICKET)), strict=True))
    with pytest.raises(StoreDamagedError, match=r"both documents of acceptor\.(in_path|booked) are there"):
        codec.decode_machine(msgspec.json.encode(plain | both))
