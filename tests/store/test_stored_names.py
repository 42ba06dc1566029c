"""Names of types in stored journals."""

from typing import get_args

from cabinet.engine import effects, inputs
from cabinet.engine.log import LogEntry, LogKind
from cabinet.store.codec import decode_events, encode_events
from cabinet.store.stored_names import STORED, stored_name


def test_a_renamed_type_keeps_its_name_in_every_journal() -> None:
    entry = LogEntry(what=next(iter(LogKind)))
    text = encode_events([entry])
    assert '"is":"Logged"' in text
    assert decode_events(text) == (entry,)


def test_no_stored_name_belongs_to_two_types() -> None:
    types = (*get_args(inputs.Command), *get_args(inputs.Fact), *get_args(effects.Event))
    names = [stored_name(type_) for type_ in types]
    assert len(set(names)) == len(names)
    assert set(STORED) & set(STORED.values()) == set()
