"""The growth of each hour: complete over dropped rows, sealed, bounded, and read without reading twice."""

from collections import Counter
from pathlib import Path

import pytest
from support.journals import drop_if_due, left_by_the_program_before, number_of, open_journal, random_steps, raw

from cabinet.engine.closings import NO_GROWTH
from cabinet.store.chain import StepRow
from cabinet.store.compact import Keeping
from cabinet.store.history import HOUR_MS, NO_HOUR, HourReader, add_row, merged, read
from cabinet.store.journal import Journal, Stamp
from cabinet.store.sums import Sums
from cabinet.store.verify import verify

FEW = Keeping(rows=60, step=10, rounds=2, entries=40, lasting=10, of_a_kind=3)
FIRST = 472_000
MINUTE_MS = 60_000


def at(number: int, *, clock_ok: bool = True) -> Stamp:
    """The time of a step: a minute apart, from the beginning of an hour on."""
    return Stamp(boot=1, wall_ms=FIRST * HOUR_MS + number * MINUTE_MS, mono_ms=number, clock_ok=clock_ok)


def play(folder: Path, keeping: Keeping, second: Path | None = None) -> Journal:
    """The open journal of random play, some of it while the clock was not valid."""
    journal = Journal(folder, number_of, keeping=keeping, second=second)
    for number, (input_, step) in enumerate(random_steps(23, 400)):
        journal.commit(input_, step, at(number, clock_ok=number % 10 != 0))
        drop_if_due(journal)
    return journal


def hours_of(folder: Path, keeping: Keeping) -> dict[int, dict[str, int]]:
    """Returns the hours of random play, one row in ten of unknown time, when `keeping` stays in the journal."""
    with play(folder, keeping) as journal:
        reader = HourReader()
        return reader.follow(journal.connection)


@pytest.mark.requirement("ME-01", "PL-05")
def test_the_hours_are_the_same_whether_their_rows_were_dropped_or_not(tmp_path: Path) -> None:
    whole, few = hours_of(tmp_path / "whole", Keeping()), hours_of(tmp_path / "few", FEW)
    assert sorted(whole) == [FIRST + n for n in range(7)]
    assert few == whole
    with raw(tmp_path / "few") as connection:
        assert len(read(connection)) > 4
    assert verify(tmp_path / "few").problems == ()


@pytest.mark.requirement("ME-01", "EV-07")
def test_the_hours_and_the_growth_of_unknown_time_add_up_to_the_meters(tmp_path: Path) -> None:
    with play(tmp_path, Keeping()) as journal:
        known = HourReader().follow(journal.connection)
        assert journal.machine is not None
        meters = journal.machine.books.meters
    sums = Sums()
    with raw(tmp_path) as connection:
        for values in connection.execute(f"SELECT {', '.join(StepRow._fields)} FROM steps ORDER BY seq"):
            assert sums.add(StepRow(*values)) is None
    assert {hour: grown for hour, grown in sums.hours.items() if hour != NO_HOUR} == known
    total = Counter[str]()
    for grown in sums.hours.values():
        total.update(grown)
    assert total == {name: n for name, n in meters.items() if n and name not in NO_GROWTH}


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE hours SET meters = '{}' WHERE hour = (SELECT max(hour) FROM hours)",
        "DELETE FROM hours WHERE hour = (SELECT min(hour) FROM hours WHERE hour > 0)",
        "INSERT INTO hours VALUES (1, '{}')",
    ],
)
@pytest.mark.requirement("SE-04")
def test_the_check_finds_a_changed_hour(tmp_path: Path, spoil: str) -> None:
    play(tmp_path, FEW).close()
    with raw(tmp_path) as connection:
        connection.execute(spoil)
    (problem,) = verify(tmp_path).problems
    assert "the closings or the hours before row" in problem


def test_an_hour_without_a_dropped_row_is_found(tmp_path: Path) -> None:
    play(tmp_path, Keeping()).close()
    with raw(tmp_path) as connection:
        connection.execute("INSERT INTO hours VALUES (1, '{}')")
    (problem,) = verify(tmp_path).problems
    assert "no row was dropped" in problem


@pytest.mark.requirement("PL-06")
def test_both_copies_have_the_same_hours(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    play(first, FEW, second=second).close()
    found = []
    for folder in (first, second):
        with raw(folder) as connection:
            found.append(read(connection))
        assert verify(folder).problems == ()
    assert found[0] == found[1]


def test_only_the_newest_hours_stay_and_the_growth_of_unknown_time() -> None:
    grown = {NO_HOUR: {"a": 1}, **{hour: {"a": hour} for hour in range(5, 10)}}
    kept = merged({3: '{"a":1}', 9: '{"a":1,"b":2}'}, grown, keep=2)
    assert kept == {NO_HOUR: '{"a":1}', 8: '{"a":8}', 9: '{"a":10,"b":2}'}


def test_a_reader_that_follows_reads_each_row_once(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        reader = HourReader()
        for number, (input_, step) in enumerate(random_steps(23, 300)):
            journal.commit(input_, step, at(number))
            drop_if_due(journal)
            if number % 7 == 0:
                reader.follow(journal.connection)
        assert reader.follow(journal.connection) == HourReader().follow(journal.connection)
        assert HourReader(since=FIRST + 4).follow(journal.connection).keys() == {FIRST + 4}


@pytest.mark.requirement("ME-08")
def test_a_journal_of_the_form_before_has_the_hours_of_its_rows(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        assert read(journal.connection) == {}
        assert HourReader().follow(journal.connection)


def test_a_number_that_a_memory_clear_carries_on_is_no_growth() -> None:
    grown: dict[int, dict[str, int]] = {}
    add_row(grown, FIRST * HOUR_MS, 1, {"bills_in": 5, **dict.fromkeys(NO_GROWTH, 7)})
    assert grown == {FIRST: {"bills_in": 5}}
