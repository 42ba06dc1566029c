"""Whatever the engine can say survives the way to disk and back; what this program does not know is an error."""

from typing import get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inputs import COMMAND_TYPES, COMMANDS, FACT_TYPES, FACTS
from support.journals import random_steps, session_steps
from support.machines import in_every_state

from cabinet.engine import effects
from cabinet.engine.inputs import BillStacked, Deal, Input
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.state import Machine, State
from cabinet.store import codec
from cabinet.store.errors import StoreDamagedError

EVENT_TYPES: tuple[type, ...] = get_args(effects.Event)
INPUT_TYPES = (*COMMAND_TYPES, *FACT_TYPES)
WHOLE = st.integers(-(2**40), 2**40)
ROUTES = st.sampled_from(sorted(Route, key=lambda route: route.value))


WHOLE_OF: dict[object, st.SearchStrategy[object]] = {
    int: WHOLE,
    int | None: st.none() | WHOLE,
    tuple[int, ...]: st.lists(WHOLE, max_size=5).map(tuple),
}


def any_of(type_: type) -> st.SearchStrategy[object]:
    """Any value of a dataclass, with whole numbers of the size that money has."""
    hints = get_type_hints(type_)
    return st.builds(type_, **{name: WHOLE_OF.get(hint, st.from_type(hint)) for name, hint in hints.items()})


@pytest.mark.no_cover
@pytest.mark.parametrize("type_", INPUT_TYPES, ids=lambda type_: type_.__name__)
def test_every_kind_of_input_survives(type_: type) -> None:
    @given(any_of(type_))
    def survives(value: Input) -> None:
        assert codec.decode_input(codec.encode_input(value)) == value

    survives()


@pytest.mark.no_cover
@pytest.mark.parametrize("type_", EVENT_TYPES, ids=lambda type_: type_.__name__)
def test_every_kind_of_event_survives(type_: type) -> None:
    @given(st.lists(any_of(type_), max_size=3))
    def survives(events: list[effects.Event]) -> None:
        assert codec.decode_events(codec.encode_events(events)) == tuple(events)

    survives()


def test_no_input_shares_its_name_with_an_event() -> None:
    """The journal knows a value by its name alone."""
    names = [type_.__name__ for type_ in (*INPUT_TYPES, *EVENT_TYPES)]
    assert len(set(names)) == len(names)


def test_the_samples_survive() -> None:
    for input_ in (*COMMANDS, *FACTS):
        assert codec.decode_input(codec.encode_input(input_)) == input_


@given(st.lists(st.builds(Posting, route=ROUTES, cents=st.integers(1, 10**9)), max_size=5))
def test_transfers_survive(postings: list[Posting]) -> None:
    assert codec.decode_postings(codec.encode_postings(postings)) == tuple(postings)


@pytest.mark.requirement("PL-05")
@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_a_machine_in_any_state_survives(state: State) -> None:
    _survives(in_every_state()[state].machine)


@pytest.mark.requirement("PL-05")
def test_the_machines_of_random_play_and_of_the_sessions_survive() -> None:
    steps = [step for seed in range(3) for _, step in random_steps(seed, 300)]
    for name in ("table-evening", "european-places", "money-in-trouble"):
        steps += [step for _, step in session_steps(name)]
    for step in steps:
        _survives(step.machine)


def _survives(machine: Machine) -> None:
    body = codec.encode_machine(machine)
    again = codec.decode_machine(body)
    assert again == machine
    assert codec.encode_machine(again) == body


def test_a_journal_can_be_read_without_this_program() -> None:
    assert codec.encode_input(BillStacked(cents=500)) == '{"is":"BillStacked","cents":500,"recovered":false}'
    assert codec.encode_input(Deal()) == '{"is":"Deal"}'
    assert codec.encode_plain({"a": [1, 2]}) == '{"a":[1,2]}'
    assert codec.decode_plain('{"a":[1,2]}') == {"a": [1, 2]}


@pytest.mark.requirement("ME-08")
def test_a_machine_from_before_a_field_existed_gets_its_default() -> None:
    plain = msgspec.json.decode(codec.encode_machine(in_every_state()[State.DECIDING].machine))
    del plain["notice"]
    assert codec.decode_machine(msgspec.json.encode(plain)) == in_every_state()[State.DECIDING].machine


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("5", "a None, which this program does not know"),
        ("[]", "a None, which this program does not know"),
        ("{}", "a None, which this program does not know"),
        ('{"is":"Fly"}', "a 'Fly', which this program does not know"),
        ('{"is":"Deal","cents":5}', "a Deal with 'cents', which this program does not know"),
        ('{"is":"BillStacked"}', "a BillStacked that cannot be read"),
        ('{"is":"BillStacked","cents":"five"}', "a BillStacked that cannot be read"),
        ('{"is":"DoorOpened","door":"trap door"}', "a DoorOpened that cannot be read"),
    ],
)
def test_an_input_this_program_does_not_know_is_damage(text: str, words: str) -> None:
    with pytest.raises(StoreDamagedError, match=words):
        codec.decode_input(text)


@pytest.mark.parametrize("text", ["5", "{}", "[5]", '[{"is":"Fly"}]', "["])
def test_events_this_program_does_not_know_are_damage(text: str) -> None:
    with pytest.raises(StoreDamagedError, match="the journal holds"):
        codec.decode_events(text)


@pytest.mark.parametrize("text", ["5", '[["by magic",5]]', "[5]", '[["win"]]', "["])
def test_transfers_this_program_does_not_know_are_damage(text: str) -> None:
    with pytest.raises(StoreDamagedError, match="the journal holds"):
        codec.decode_postings(text)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"phase": "dreaming"}, "cannot be read"),
        ({"attract": "yes"}, "cannot be read"),
        ({"secret_credit": 5}, "machine.secret_credit, which this program does not know"),
        (
            {"books": {"balances": {}, "meters": {}, "extra": 1}},
            "machine.books.extra, which this program does not know",
        ),
        ({"locks": [{"lock_id": 1, "kind": "hand-pay", "hidden": 1}]}, r"machine.locks\[0\].hidden, which"),
    ],
)
def test_a_machine_that_says_more_than_this_program_knows_is_damage(change: dict[str, object], words: str) -> None:
    plain = msgspec.json.decode(codec.encode_machine(Machine()))
    with pytest.raises(StoreDamagedError, match=words):
        codec.decode_machine(msgspec.json.encode(plain | change))


@given(st.binary(max_size=200))
def test_no_bytes_become_a_machine_by_accident(body: bytes) -> None:
    with pytest.raises(StoreDamagedError):
        codec.decode_machine(b"\xff" + body)
