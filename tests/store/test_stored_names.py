"""Names of types and fields in stored journals."""

from dataclasses import fields
from typing import get_args

import pytest

from cabinet.engine import effects, inputs
from cabinet.engine.inputs import BillUnasked
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import Lock, LockKind, Machine
from cabinet.store.codec import (
    UnknownWordError,
    decode_events,
    decode_input,
    decode_machine,
    encode_events,
    encode_input,
    encode_machine,
)
from cabinet.store.schema import KEPT
from cabinet.store.stored_names import STORED, STORED_FIELDS, stored_name
from cabinet.store.vocabulary import vocabulary_of


def test_a_renamed_type_keeps_its_name_in_every_journal() -> None:
    entry = LogEntry(what=next(iter(LogKind)))
    text = encode_events([entry])
    assert '"is":"Logged"' in text
    assert decode_events(text) == (entry,)


def test_a_renamed_field_keeps_its_name_in_every_journal() -> None:
    fact = BillUnasked(reported_cents=600, detail="6 pulses")
    text = encode_input(fact)
    assert text == '{"is":"BillUnasked","told_cents":600,"detail":"6 pulses","evidence":""}'
    assert decode_input(text) == fact
    assert '"told_cents":600' in encode_input(fact, vocabulary_of(KEPT))
    with pytest.raises(UnknownWordError, match="a BillUnasked with 'reported_cents'"):
        decode_input(text.replace("told_cents", "reported_cents"))


def test_a_renamed_field_of_a_lock_keeps_its_name_in_the_stored_machine() -> None:
    machine = Machine(locks=(Lock(lock_id=1, kind=LockKind.UNEXPECTED_NOTE, reported_cents=600),))
    for words in (None, vocabulary_of(KEPT)):
        body = encode_machine(machine, words)
        assert b'"present":true,"told_cents":600}' in body
        assert decode_machine(body) == machine


def test_the_names_of_renamed_fields_are_those_of_fields() -> None:
    for type_ in (BillUnasked, Lock):
        assert STORED_FIELDS[type_.__name__].keys() <= {field.name for field in fields(type_)}
    assert STORED_FIELDS.keys() == {"BillUnasked", "Lock"}


def test_only_fields_are_renamed_that_every_form_renames() -> None:
    members = (*get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    supported = {type_.__name__ for type_ in members} | {Lock.__name__}
    unsupported = STORED_FIELDS.keys() - supported
    assert not unsupported, f"rename the fields of {unsupported} in codec._tagged and stored_machine first"


def test_no_stored_name_belongs_to_two_types() -> None:
    types = (*get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    names = [stored_name(type_) for type_ in types]
    assert len(set(names)) == len(names)
    assert set(STORED) & set(STORED.values()) == set()
