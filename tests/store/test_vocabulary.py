"""The words of an older form: what has its default is left out, what has no word is refused, nothing else changes."""

from dataclasses import dataclass, field

import msgspec
import pytest
from support.journals import random_steps, session_steps
from support.vocabulary import Reader, fields_of, present, reader_of, stored_types

from cabinet.engine.inputs import PayTicket, SettleLock, Settlement
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.record_facts import MachineCommissioned
from cabinet.engine.state import Machine
from cabinet.store import codec, schema
from cabinet.store.vocabulary import NoWordError, Vocabulary, vocabulary_of

KEPT = vocabulary_of(schema.KEPT)
ALL = Vocabulary(
    form=schema.NEWEST,
    types={name: frozenset(names) for name, names in present()["types"].items()},
    enums={name: frozenset(values) for name, values in present()["enums"].items()},
)


@pytest.mark.requirement("ME-08")
def test_every_word_of_the_form_before_is_still_known_and_means_the_same() -> None:
    """What it wrote is read by this program, and what this program writes in it by that one."""
    now, before = present(), reader_of(schema.KEPT).words
    for name, known in before["types"].items():
        assert known.items() <= now["types"][name].items(), name
    for name, values in before["enums"].items():
        assert set(values) <= set(now["enums"][name]), name


@pytest.mark.requirement("ME-08")
def test_what_this_program_adds_to_a_known_type_has_a_default() -> None:
    before, now = reader_of(schema.KEPT).words["types"], stored_types()
    for name, known in before.items():
        required = {field for field, has_default in fields_of(now[name]).items() if not has_default}
        assert required <= known.keys(), name


def test_in_all_words_a_step_is_said_as_without_any() -> None:
    """The same bytes: the order of the fields, of mappings and of lists stays."""
    for input_, step in (*session_steps(), *random_steps(3, 80)):
        assert codec.encode_machine(step.machine, ALL) == codec.encode_machine(step.machine)
        assert codec.encode_input(input_, ALL) == codec.encode_input(input_)
        assert codec.encode_events(step.events, ALL) == codec.encode_events(step.events)
        assert codec.encode_postings(step.postings, ALL) == codec.encode_postings(step.postings)


@pytest.mark.requirement("ME-08")
def test_in_the_words_of_the_form_before_its_program_reads_every_step() -> None:
    reader = reader_of(schema.KEPT)
    for input_, step in (*session_steps(), *random_steps(5, 80)):
        body = codec.encode_machine(step.machine, KEPT)
        reader.read_machine(body)
        assert codec.decode_machine(body) == step.machine
        said = codec.encode_input(input_, KEPT)
        reader.read_tagged(codec.decode_plain(said))
        assert codec.decode_input(said) == input_
        for plain in codec.decode_plain(codec.encode_events(step.events, KEPT)):
            reader.read_tagged(plain)


def test_a_new_field_is_left_out_at_its_default_and_has_no_word_otherwise() -> None:
    old = PayTicket(sequence=1, cents=500)
    assert "expired_days" not in codec.encode_input(old, KEPT)
    assert codec.decode_input(codec.encode_input(old, KEPT)) == old
    with pytest.raises(NoWordError, match=r"form 4 of the journal has no word for PayTicket\.expired_days"):
        codec.encode_input(PayTicket(sequence=1, cents=500, expired_days=3), KEPT)


def test_a_new_type_a_new_value_and_a_new_way_of_money_have_no_word() -> None:
    with pytest.raises(NoWordError, match="no word for MachineCommissioned"):
        codec.encode_input(MachineCommissioned(version="2.0"), KEPT)
    with pytest.raises(NoWordError, match="no word for Settlement 'the time is right'"):
        codec.encode_input(SettleLock(lock_id=1, how=Settlement.TIME_IS_RIGHT), KEPT)
    known = next(iter(Route))
    fewer = Vocabulary(form=3, types=KEPT.types, enums={"Route": KEPT.enums["Route"] - {known.value}})
    with pytest.raises(NoWordError, match=f"no word for Route '{known.value}'"):
        codec.encode_postings((Posting(route=known, cents=1),), fewer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """A value within another."""

    kept: int = 1
    added: tuple[int, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    """A value that holds others in every way."""

    one: Inner | None = None
    many: tuple[Inner, ...] = ()
    named: dict[str, Inner] = field(default_factory=dict)


def test_values_within_values_are_said_in_the_same_words() -> None:
    words = Vocabulary(
        form=1, types={"Outer": frozenset({"one", "many", "named"}), "Inner": frozenset({"kept"})}, enums={}
    )
    whole = Outer(one=Inner(), many=(Inner(kept=2),), named={"a": Inner(kept=3)})
    assert words.plain(whole) == {"one": {"kept": 1}, "many": [{"kept": 2}], "named": {"a": {"kept": 3}}}
    for spoilt in (
        Outer(one=Inner(added=(1,))),
        Outer(many=(Inner(added=(1,)),)),
        Outer(named={"a": Inner(added=(1,))}),
    ):
        with pytest.raises(NoWordError, match=r"no word for Inner\.added"):
            words.plain(spoilt)


def test_the_reader_of_the_tests_refuses_what_the_form_does_not_know() -> None:
    reader = reader_of(schema.KEPT)
    reader.read_machine(codec.encode_machine(Machine(), KEPT))
    with pytest.raises(msgspec.ValidationError):
        reader.read_machine(b'{"wings":2}')
    with pytest.raises(msgspec.ValidationError):
        reader.read_tagged({"is": "SettleLock", "lock_id": 1, "how": "the time is right"})
    with pytest.raises(KeyError):
        Reader(reader.words).read_tagged({"is": "MachineCommissioned"})
