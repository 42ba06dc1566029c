"""Closings in the journal: listed, checked, kept when rows leave, in both copies, and absent from older journals."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.crashes import no_cards
from support.journals import drop_if_due, keep, left_by_the_program_before, number_of, open_journal, raw, stamp
from support.machines import SETTINGS, Cabinet

from cabinet.engine import machine as engine
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.closings import REMOVALS
from cabinet.engine.inputs import CallAttendant, Fault, FaultBegan, FaultEnded, Input, PoweredUp, ResetPeriod
from cabinet.engine.locks import find
from cabinet.engine.record_facts import MachineCommissioned
from cabinet.engine.state import LockKind
from cabinet.store import schema
from cabinet.store.closings import count_to_enter, expected_cents, is_there, listed, notes_of
from cabinet.store.compact import Keeping
from cabinet.store.journal import Journal
from cabinet.store.reading import reading
from cabinet.store.verify import verify

FEW = Keeping(rows=60, step=10, rounds=2, entries=40, lasting=10, of_a_kind=3, closings=2)
OUT, BACK = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)
BOX, PERIOD = ClosingKind.CASH_BOX, ClosingKind.PERIOD


def a_day(cabinet: Cabinet, *notes: int) -> None:
    """Notes, then the cash box is taken out and the period closed."""
    for cents in notes:
        cabinet.note(cents)
    cabinet.do(OUT, BACK)
    cabinet.audit()
    cabinet.do(ResetPeriod())
    cabinet.audit(on=False)


def count(cabinet: Cabinet, number: int, cents: int, expected: int) -> None:
    """A count of a cash box."""
    cabinet.audit()
    cabinet.do(EnterCount(kind=BOX, number=number, cents=cents, expected_cents=expected))
    cabinet.audit(on=False)


def days() -> Cabinet:
    """Two days; the first cash box is counted twice."""
    cabinet = Cabinet(machine=engine.starting(SETTINGS))
    cabinet.do(MachineCommissioned(version="1.0"), PoweredUp(clean=True, version="1.0", program_hash="aa"))
    a_day(cabinet, 500, 500, 2_000)
    count(cabinet, 1, 2_900, 3_000)
    count(cabinet, 1, 3_000, 3_000)
    a_day(cabinet, 1_000)
    return cabinet


def idle(cabinet: Cabinet, steps: int) -> None:
    """Steps that move nothing."""
    cabinet.do(*(CallAttendant() for _ in range(steps)))


def kept(folder: Path, cabinet: Cabinet, keeping: Keeping = FEW, second: Path | None = None) -> Journal:
    """The open journal of a cabinet, with old rows dropped."""
    journal = Journal(folder, number_of, keeping=keeping, second=second)
    for input_, step in cabinet.history:
        journal.commit(input_, step, stamp(journal.seq + 1))
        drop_if_due(journal)
    return journal


def facts(journal: Journal) -> list[tuple[ClosingKind, int, int, int | None]]:
    """Kind, number, expected and counted amount of each closing, newest first."""
    closings = listed(journal.connection, 50)
    return [(each.kind, each.number, expected_cents(each.meters), each.counted_cents) for each in closings]


DAYS = [(PERIOD, 2, 1_000, None), (BOX, 2, 1_000, None), (PERIOD, 1, 3_000, None), (BOX, 1, 3_000, 3_000)]


@pytest.mark.requirement("AT-10", "ME-04")
def test_a_closing_is_listed_with_its_number_its_notes_and_the_newest_count(tmp_path: Path) -> None:
    with kept(tmp_path, days()) as journal:
        assert facts(journal) == DAYS
        newest, box, *_ = listed(journal.connection, 50)
    assert dict(notes_of(box.meters)) == {1_000: 1}
    assert (newest.meters[REMOVALS], newest.meters["bills_in"]) == (1, 1_000)
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("AT-10", "EV-07")
def test_a_closing_begins_where_the_one_before_ended_and_the_first_with_the_machine(tmp_path: Path) -> None:
    with kept(tmp_path, days()) as journal:
        period, box, first_period, first_box = listed(journal.connection, 50)
    assert (period.began, box.began) == (first_period.ended, first_box.ended)
    assert first_period.began == first_box.began == (stamp(1).wall_ms, True)
    assert period.ended > box.ended


@pytest.mark.requirement("AT-10", "PL-05", "PL-06")
def test_closings_outlive_their_rows_in_both_copies_and_the_newest_of_each_kind_stay(tmp_path: Path) -> None:
    cabinet, first, second = days(), tmp_path / "first", tmp_path / "second"
    second.mkdir()
    idle(cabinet, 200)
    with kept(first, cabinet, second=second) as journal:
        assert facts(journal) == DAYS
        (oldest,) = journal.connection.execute("SELECT min(seq) FROM steps").fetchone()
        assert oldest > len(days().history)
    for folder in (first, second):
        assert verify(folder).problems == ()
    a_day(cabinet, 5_000)
    idle(cabinet, 200)
    with kept(tmp_path / "third", cabinet) as journal:
        assert facts(journal) == [(PERIOD, 3, 5_000, None), (BOX, 3, 5_000, None), *DAYS[:2]]
    assert verify(tmp_path / "third").problems == ()


SPOILED = (
    "UPDATE closings SET meters = '{}' WHERE number = 1",
    "DELETE FROM closings WHERE number = 2",
    "UPDATE closing_counts SET cents = cents + 1",
    "INSERT INTO closings VALUES ('period', 9, 1, 0, 1, '{}')",
)


@pytest.mark.requirement("AT-10", "SE-04")
@pytest.mark.parametrize("spoil", SPOILED)
@pytest.mark.parametrize("dropped", [False, True], ids=["rows kept", "rows dropped"])
def test_the_check_finds_a_changed_closing_with_its_rows_and_without(tmp_path: Path, spoil: str, dropped: bool) -> None:
    cabinet = days()
    if dropped:
        idle(cabinet, 200)
    kept(tmp_path, cabinet).close()
    with raw(tmp_path) as connection:
        connection.execute(spoil)
    (problem,) = verify(tmp_path).problems
    assert "closings" in problem


@pytest.mark.requirement("ME-08")
def test_what_an_older_program_closed_is_in_no_list_and_the_next_cash_box_knows_its_notes(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        _take(journal, [OUT, BACK])
        assert not is_there(journal.connection), "the form before has no list"
        _take(journal, [journal.form_change("a test")])
        assert [(each.kind, each.number) for each in listed(journal.connection, 9)] == [(BOX, 1)]
    assert verify(tmp_path).problems == ()
    with reading(tmp_path) as connection:
        assert len(listed(connection, 9)) == 1


def _take(journal: Journal, inputs: Sequence[Input | None]) -> None:
    for input_ in filter(None, inputs):
        assert journal.machine is not None
        step = engine.step(SETTINGS, journal.machine, input_, no_cards)
        journal.commit(input_, step, stamp(journal.seq + 1))


@pytest.mark.requirement("ME-08", "SE-03")
def test_a_period_and_a_cash_box_are_closed_in_the_words_of_the_form_before(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        _take(journal, [PoweredUp(clean=True, version="2.0", program_hash="new"), OUT, BACK])
        assert journal.machine is not None
        assert find(journal.machine, LockKind.PROGRAM_CHANGED) is not None
        (form,) = journal.connection.execute("PRAGMA user_version").fetchone()
    assert form == schema.KEPT
    assert verify(tmp_path).problems == ()


def test_a_journal_of_this_form_from_before_the_lists_gets_them(tmp_path: Path) -> None:
    keep(tmp_path, *days().history)
    with raw(tmp_path) as connection:
        for table in ("closings", "closing_counts", "hours"):
            connection.execute(f"DROP TABLE {table}")
    assert verify(tmp_path).problems == ()
    with open_journal(tmp_path) as journal:
        assert facts(journal) == DAYS
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("AT-10")
def test_a_count_gets_the_amount_that_the_listed_closing_expects(tmp_path: Path) -> None:
    with kept(tmp_path, days()) as journal:
        asked = EnterCount(kind=BOX, number=2, cents=900)
        assert count_to_enter(journal.connection, asked) == EnterCount(
            kind=BOX, number=2, cents=900, expected_cents=1_000
        )
        assert count_to_enter(journal.connection, EnterCount(kind=BOX, number=3, cents=900)) is None
