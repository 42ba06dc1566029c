"""When a reader's question is answered: between steps, soon, and never in the way of play."""

import itertools
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep, raw, session_steps
from support.machines import seated

from cabinet.engine.state import NoteIntent, PrintIntent
from cabinet.link import wire
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.inbox import Asked
from cabinet.runtime.questions import BOOKLET_HOLDS_S, FIRST_MOMENTS_S, LONGEST_WAIT_S, Questions

MACHINE = seated("table").machine
STILL = Snapshot(number=1, machine=MACHINE, began_at_s=10.0, open_at_s=10.0)


def asked(replies: list[wire.Reply], question: wire.Question | None = None) -> Asked:
    """A question whose answer is kept."""
    return Asked(question=question or wire.Events(limit=3), reply=replies.append)


def one_waiting(at_s: float) -> Questions:
    """A question that was asked then."""
    questions = Questions(dict)
    questions.add(asked([]), at_s)
    return questions


def test_without_a_question_nothing_is_due():
    assert Questions(dict).due_s(MACHINE, STILL) == float("inf")


def test_a_question_at_rest_is_due_at_once():
    assert one_waiting(20.0).due_s(MACHINE, STILL) == 20.0


def test_an_animation_has_its_first_moments_for_itself():
    begun = replace(STILL, began_at_s=20.0, open_at_s=25.0)
    assert one_waiting(20.0).due_s(MACHINE, begun) == 20.0 + FIRST_MOMENTS_S


@pytest.mark.parametrize("what", ["note", "ticket"])
def test_what_is_on_its_way_goes_first_but_not_for_long(what: str):
    if what == "note":
        machine = replace(MACHINE, acceptor=replace(MACHINE.acceptor, document=NoteIntent(cents=500)))
    else:
        machine = replace(MACHINE, printer=replace(MACHINE.printer, printing=PrintIntent(sequence=1, cents=500)))
    assert one_waiting(20.0).due_s(machine, STILL) == 20.0 + LONGEST_WAIT_S


def test_one_after_the_other_animation_delays_no_question_for_long():
    begun = replace(STILL, began_at_s=20.2, open_at_s=25.0)
    assert one_waiting(20.0).due_s(MACHINE, begun) == 20.0 + LONGEST_WAIT_S
    assert LONGEST_WAIT_S < 0.5


def test_one_question_is_answered_in_a_turn_the_oldest_first(tmp_path: Path):
    keep(tmp_path, *session_steps())
    questions, first, second = Questions(dict), [], []
    questions.add(asked(first), 1.0)
    questions.add(asked(second, wire.Rows(after=0)), 2.0)
    with raw(tmp_path) as connection:
        questions.answer_one(connection, 8)
        assert [type(reply) for reply in first] == [wire.Answer]
        assert second == []
        questions.answer_one(connection, 8)
    assert [type(reply) for reply in second] == [wire.Entries]
    assert questions.due_s(MACHINE, STILL) == float("inf")


def test_a_question_that_fails_is_refused_and_nothing_else_happens(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    keep(tmp_path, *session_steps())
    replies: list[wire.Reply] = []
    questions = Questions(dict)
    with raw(tmp_path) as connection:
        connection.execute("DROP TABLE events")
        questions.add(asked(replies), 1.0)
        questions.answer_one(connection, 8)
    closed = sqlite3.connect(":memory:")
    closed.close()
    questions.add(asked(replies), 1.0)
    questions.answer_one(closed, 8)
    assert [type(reply) for reply in replies] == [wire.Refused, wire.Refused]


def test_a_booklet_is_made_once_for_all_readers_of_a_few_seconds(tmp_path: Path):
    numbers = itertools.count(1)
    questions = Questions(lambda: {"number": next(numbers)})
    replies: list[wire.Reply] = []
    keep(tmp_path, *session_steps())
    with raw(tmp_path) as connection:
        for at_s in (10.0, 10.0 + BOOKLET_HOLDS_S - 0.1, 10.0 + BOOKLET_HOLDS_S):
            questions.add(asked(replies, wire.Booklet()), at_s)
            questions.answer_one(connection, 7)
    assert [reply.data for reply in replies] == [{"number": 1}, {"number": 1}, {"number": 2}]


def test_a_booklet_that_cannot_be_made_is_refused(tmp_path: Path):
    questions, replies = Questions(lambda: {}["nothing"]), []
    questions.add(asked(replies, wire.Booklet()), 1.0)
    keep(tmp_path, *session_steps())
    with raw(tmp_path) as connection:
        questions.answer_one(connection, 7)
    assert isinstance(replies[0], wire.Refused)
