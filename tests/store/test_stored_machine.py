"""The stored form of the machine: flat, with the names and the order of every journal."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import get_type_hints

import msgspec
import pytest
from support.cases import case
from support.journals import random_steps
from support.vocabulary import reader_of

from cabinet.engine.state import Machine
from cabinet.store import codec, schema
from cabinet.store.stored_machine import PLACES, flat, grouped

GROUPS = ("access", "printer", "program", "seat", "shown")


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
    assert sorted(PLACES.values()) == sorted(_paths())


@pytest.mark.requirement("ME-08")
def test_the_stored_names_are_flat_and_keep_their_order() -> None:
    before = reader_of(schema.KEPT).words["types"]["Machine"]
    assert [name for name in PLACES if name in before] == list(before)
    assert list(msgspec.json.decode(codec.encode_machine(Machine()))) == list(PLACES)


def test_grouping_undoes_flattening() -> None:
    for number, (_, step) in enumerate(random_steps(7, 200)):
        with case(number=number):
            assert grouped(flat(step.machine)) == step.machine
