"""Two copies: what is made of the two as they are found, and how the worse one is made anew."""

import os
import random
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from support.journals import drop_if_due, number_of, raw, session_steps, stamp

from cabinet.store import mirror
from cabinet.store.compact import Keeping
from cabinet.store.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFolderError,
    StoreFullError,
    StoreMissingError,
)
from cabinet.store.journal import FILE, LOCK_FILE, Copies, Journal
from cabinet.store.mark import REACHED
from cabinet.store.mirror import ASIDE_FILE, BEHIND_FILE, Condition, Copy, Plan, decide
from cabinet.store.restore import restore
from cabinet.store.verify import verify

STEPS = session_steps()
HALF = len(STEPS) // 2


class Pair:
    """Two folders with a copy each."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second = folder / "data", folder / "stick"
        self.second.mkdir(parents=True)

    def open(self, keeping: Keeping | None = None) -> Journal:
        """The journal on both."""
        return Journal(self.first, number_of, second=self.second, keeping=keeping or Keeping())

    def keep(self, *steps: object, journal: Journal | None = None) -> None:
        """Commit steps."""
        with journal or self.open() as opened:
            for input_, step in steps:  # type: ignore[misc]
                opened.commit(input_, step, stamp(opened.seq + 1))

    def in_step(self) -> bool:
        """Whether both are whole and hold the same."""
        one, other = verify(self.first), verify(self.second)
        return one.ok and other.ok and rows(self.first) == rows(self.second)


def rows(folder: Path) -> list[tuple[object, ...]]:
    """Everything in a copy, but the order of writing."""
    tables = ("steps", "machine", "events", "tickets", "facts", "snapshots", "checkpoint")
    with raw(folder) as connection:
        return [row for table in tables for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1")]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


@pytest.fixture
def played(pair: Pair) -> Pair:
    """Half of a session on both copies."""
    pair.keep(*STEPS[:HALF])
    return pair


# --- in order ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-06")
def test_every_step_and_every_fact_goes_to_both_copies(pair: Pair) -> None:
    with pair.open() as journal:
        assert journal.copies is Copies.TWO
        for input_, step in STEPS:
            journal.commit(input_, step, stamp(journal.seq + 1))
        journal.remember("a", "b")
        assert journal.recovered == ()
    assert pair.in_step()
    with pair.open() as journal:
        assert (journal.recovered, journal.copies, journal.fact("a")) == ((), Copies.TWO, "b")
        assert journal.machine == STEPS[-1][1].machine


@pytest.mark.requirement("PL-06")
def test_old_rows_leave_both_copies_in_the_same_step(pair: Pair) -> None:
    few = Keeping(rows=20, step=5, rounds=2)
    with pair.open(few) as journal:
        dropped = 0
        for input_, step in STEPS:
            journal.commit(input_, step, stamp(journal.seq + 1))
            dropped += drop_if_due(journal)
    assert dropped > 2
    assert pair.in_step()


def test_without_a_mirror_there_is_one_copy(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of) as journal:
        assert (journal.copies, journal.renew_lost_second()) == (Copies.ONE, None)


def test_a_second_copy_that_is_in_use_is_not_shared(pair: Pair, tmp_path: Path) -> None:
    with (
        pair.open(),
        pytest.raises(StoreBusyError, match="a cabinet is running on this data folder"),
    ):
        Journal(tmp_path / "other", number_of, second=pair.second)


# --- one copy is damaged, missing or shorter --------------------------------------------------------------------


def _flip(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("UPDATE steps SET credit = credit + 1 WHERE seq = 5")


def _flip_meter(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("UPDATE machine SET body = CAST(replace(body, 'bills_in', 'bills_im') AS BLOB)")


def _flip_fact(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("UPDATE facts SET value = 'forged' WHERE name = 'secret'")


def _zero(folder: Path) -> None:
    (folder / FILE).write_bytes(bytes((folder / FILE).stat().st_size))


def _halve(folder: Path) -> None:
    whole = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(whole[: len(whole) // 2])


def _empty(folder: Path) -> None:
    (folder / FILE).write_bytes(b"")


def _lose(folder: Path) -> None:
    (folder / FILE).unlink()


def _garbage(folder: Path) -> None:
    (folder / FILE).write_bytes(bytes(range(256)) * 64)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "a row": _flip,
    "a meter": _flip_meter,
    "a fact": _flip_fact,
    "zeros": _zero,
    "half of it": _halve,
    "an empty file": _empty,
    "no file": _lose,
    "garbage": _garbage,
}


@pytest.mark.requirement("PL-06", "PL-07", "PL-08")
@pytest.mark.parametrize("which", ["first", "second"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_bad_copy_is_renewed_from_the_good_one_and_reported(pair: Pair, damage: str, which: str) -> None:
    with pair.open() as journal:
        journal.remember("secret", "one")
    pair.keep(*STEPS[:HALF])
    before = rows(pair.second)
    DAMAGE[damage](getattr(pair, which))
    with pair.open() as journal:
        (reported,) = journal.recovered
        assert reported.startswith(f"{which} copy: ")
        assert journal.copies is Copies.TWO
        assert journal.machine == STEPS[HALF - 1][1].machine
        assert journal.fact("secret") == "one"
    assert rows(pair.first) == rows(pair.second) == before
    pair.keep(*STEPS[HALF:])
    assert pair.in_step()


@pytest.mark.requirement("PL-07")
def test_what_was_damaged_is_kept_beside_the_new_copy(played: Pair) -> None:
    _garbage(played.first)
    damaged = (played.first / FILE).read_bytes()
    played.open().close()
    assert (played.first / ASIDE_FILE).read_bytes() == damaged


def _older(folder: Path, steps: int) -> None:
    """Restores a copy as it was `lost` steps ago: the medium has lost its newest writes."""
    with raw(folder) as connection:
        (head,) = connection.execute("SELECT max(seq) FROM steps").fetchone()
    shutil.rmtree(folder)
    folder.mkdir()
    with Journal(folder, number_of) as journal:
        for input_, step in STEPS[: head - steps]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    mirror.unmark_behind(folder)  # it was never used alone


@pytest.mark.requirement("PL-06", "PL-01")
@pytest.mark.parametrize("lost", [1, 2, 7])
def test_a_first_copy_that_lost_its_end_is_made_anew(played: Pair, lost: int) -> None:
    _older(played.first, lost)
    with played.open() as journal:
        assert journal.recovered == (f"first copy: it ended at row {HALF - lost}, the second at row {HALF}",)
        assert journal.seq == HALF
    assert played.in_step()


@pytest.mark.requirement("PL-06", "PL-01")
@pytest.mark.parametrize("lost", [1, 2, 7])
def test_a_second_copy_one_step_behind_is_normal_after_a_cut_and_more_is_reported(played: Pair, lost: int) -> None:
    _older(played.second, lost)
    with played.open() as journal:
        assert len(journal.recovered) == (lost > 1)
        assert journal.seq == HALF
    assert played.in_step()


def test_a_second_copy_that_is_new_is_written_at_once(tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    with Journal(pair.first, number_of) as journal:
        for input_, step in STEPS[:HALF]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    with pair.open() as journal:
        assert journal.recovered == ("second copy: there was none",)
    assert pair.in_step()


def test_a_fact_that_a_cut_kept_from_the_second_copy_is_given_to_it(played: Pair) -> None:
    with Journal(played.first, number_of) as journal:
        journal.remember("boots", "2")
    with played.open() as journal:
        assert journal.recovered == ()
    assert played.in_step()


# --- both -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize(
    ("one", "other"), [*product(["a row", "zeros", "garbage"], ["a meter", "half of it", "no file"])]
)
def test_two_bad_copies_lock_and_are_left_alone(played: Pair, one: str, other: str) -> None:
    DAMAGE[one](played.first)
    DAMAGE[other](played.second)
    before = [
        (folder / FILE).read_bytes() if (folder / FILE).exists() else b"" for folder in (played.first, played.second)
    ]
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="keep both media and call the technician"):
            played.open()
    assert before == [
        (folder / FILE).read_bytes() if (folder / FILE).exists() else b"" for folder in (played.first, played.second)
    ]


@pytest.mark.requirement("PL-07")
def test_two_copies_that_disagree_lock(played: Pair) -> None:
    for folder, end in ((played.first, 1), (played.second, 2)):
        _older(folder, 3)
        with Journal(folder, number_of) as journal:
            for input_, step in STEPS[HALF - 3 : HALF]:
                journal.commit(input_, step, stamp(journal.seq + end * 100))
    with pytest.raises(StoreDamagedError, match="the two copies disagree"):
        played.open()


@pytest.mark.requirement("PL-07")
def test_the_copy_of_another_machine_is_not_touched(played: Pair, tmp_path: Path) -> None:
    shutil.rmtree(played.second)
    played.second.mkdir()
    with Journal(played.second, number_of) as journal:
        journal.commit(*STEPS[0], stamp(999))
    before = rows(played.second)
    with pytest.raises(StoreDamagedError, match="that of another machine"):
        played.open()
    assert rows(played.second) == before


# --- copies that have lost their end ----------------------------------------------------------------------------


def _put_back(pair: Pair, *folders: Path) -> None:
    """Put the file of half a session back where more has been played since: what a lost log leaves."""
    old = (pair.first / FILE).read_bytes()
    pair.keep(*STEPS[HALF:])
    for folder in folders:
        (folder / FILE).write_bytes(old)


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_first_copy_that_has_lost_its_end_is_made_anew_from_the_second(played: Pair) -> None:
    _put_back(played, played.first)
    with played.open() as journal:
        assert "had got to row" in journal.recovered[0]
        assert journal.machine == STEPS[-1][1].machine
    assert played.in_step()
    with played.open() as journal:
        assert journal.recovered == ()


@pytest.mark.requirement("PL-07")
def test_two_copies_that_have_lost_the_same_end_are_a_lock(played: Pair) -> None:
    _put_back(played, played.first, played.second)
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match=r"had got to row .* the second is damaged .* had got to row"):
            played.open()


@pytest.mark.requirement("PL-07")
def test_a_second_copy_that_has_lost_its_end_does_not_replace_a_first_that_is_gone(played: Pair) -> None:
    _put_back(played, played.second)
    _lose(played.first)
    with pytest.raises(StoreDamagedError, match=f"no data here, .* ends at row {HALF}, but the machine had got to row"):
        played.open()
    with pytest.raises(StoreDamagedError, match=f"ends at row {HALF}, but the machine had got to row"):
        restore(played.second, played.first)
    assert not (played.first / FILE).exists()


def _with_log(played: Pair, place: Path) -> Path:
    """The second copy as a cut leaves it, with its marks, after a few more steps."""
    with played.open() as journal:
        for input_, step in STEPS[HALF : HALF + 8]:
            journal.commit(input_, step, stamp(journal.seq + 1))
        return shutil.copytree(played.second, place)


@pytest.mark.requirement("PL-07")
def test_a_second_copy_alone_shows_that_its_log_has_lost_its_end(played: Pair, tmp_path: Path) -> None:
    """One flipped bit anywhere in the log: all rows are read, or the check says that some are gone."""
    left, whole = _with_log(played, tmp_path / "left"), HALF + 8
    log = left / f"{FILE}{mirror.WAL}"
    sound, lot = log.read_bytes(), random.Random(23)
    assert verify(left).ok
    lost = 0
    for _ in range(40):
        at = lot.randrange(len(sound))
        log.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << lot.randrange(8)]) + sound[at + 1 :])
        found = verify(left)
        assert (found.rows == whole) is found.ok, at
        lost += not found.ok
    assert lost > 20
    with pytest.raises(StoreDamagedError, match=f"the second copy is damaged .* had got to row {whole}"):
        restore(left, tmp_path / "new")
    assert not (tmp_path / "new" / FILE).exists()


@pytest.mark.requirement("PL-06")
def test_a_second_copy_that_refuses_its_number_is_lost_when_money_leaves(pair: Pair) -> None:
    with pair.open() as journal:
        (pair.second / REACHED).mkdir()
        for input_, step in STEPS:
            journal.commit(input_, step, stamp(journal.seq + 1))
        assert journal.copies is Copies.SECOND_LOST
        assert "newest-row: the number of the newest row cannot be kept" in journal.second_trouble
        assert mirror.is_behind(pair.first)
        (pair.second / REACHED).rmdir()
        assert journal.renew_lost_second() is not None
        assert journal.copies is Copies.TWO
    assert pair.in_step()


# --- nothing where something should be --------------------------------------------------------------------------


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("how", ["gone", "empty"])
def test_a_machine_that_has_played_does_not_start_as_new_in_an_empty_folder(played: Pair, how: str) -> None:
    shutil.rmtree(played.first)
    if how == "empty":
        played.first.mkdir()
    for _ in range(2):
        with pytest.raises(StoreMissingError, match=f"this machine has played {HALF} steps, says the second copy"):
            played.open()
    assert not (played.first / LOCK_FILE).exists()


@pytest.mark.requirement("PL-07")
def test_a_machine_whose_second_copy_is_out_of_reach_does_not_start_as_new(tmp_path: Path) -> None:
    with pytest.raises(
        StoreMissingError, match="connect its medium, so that it is known whether this machine has played"
    ):
        Journal(tmp_path / "data", number_of, second=tmp_path / "stick")
    assert not (tmp_path / "data").exists()


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_person_can_write_a_new_medium_from_the_second_copy(played: Pair) -> None:
    before = rows(played.second)
    shutil.rmtree(played.first)
    assert restore(played.second, played.first).seq == HALF
    assert rows(played.first) == before
    with played.open() as journal:
        assert journal.recovered == ()
        assert f"{HALF} rows: check against papers" in journal.doubt
    with played.open() as journal:
        assert journal.doubt, "a start that is cut before the machine is locked must not lose it"
        journal.forget_doubt()
    with played.open() as journal:
        assert journal.doubt == ""
    with pytest.raises(StoreError, match="there is data here; nothing was written"):
        restore(played.second, played.first)


@pytest.mark.requirement("PL-07")
def test_nothing_is_restored_from_a_copy_that_is_not_sound_or_known_to_be_behind(played: Pair, tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError, match="connect the medium of the second copy"):
        restore(tmp_path / "nothing", tmp_path / "new")
    played.first.joinpath(BEHIND_FILE).write_text("9")
    _lose(played.first)
    with pytest.raises(StoreError, match="the second copy misses steps"):
        restore(played.second, played.first)
    _garbage(played.second)
    with pytest.raises(StoreDamagedError, match="the second copy is damaged"):
        restore(played.second, tmp_path / "new")
    assert not (tmp_path / "new").exists()


# --- a second copy that is lost while the machine runs ----------------------------------------------------------


def _refuse(journal: Journal) -> None:
    """The second medium takes no more writes."""
    _, second = journal.connections
    second.execute("PRAGMA query_only = ON")


@pytest.mark.requirement("PL-06")
def test_a_second_copy_that_refuses_costs_no_step_and_is_made_anew_when_it_can_be(pair: Pair) -> None:
    with pair.open() as journal:
        for number, (input_, step) in enumerate(STEPS):
            if number == HALF:
                _refuse(journal)
            journal.commit(input_, step, stamp(journal.seq + 1))
            assert journal.copies is (Copies.TWO if number < HALF else Copies.SECOND_LOST)
        assert "the medium refused a write" in journal.second_trouble
        assert (pair.first / BEHIND_FILE).exists()
        assert journal.renew_lost_second() == "second copy: it was out of reach"
        assert (journal.copies, journal.second_trouble, journal.renew_lost_second()) == (Copies.TWO, "", None)
        journal.remember("a", "b")
    assert not (pair.first / BEHIND_FILE).exists()
    assert pair.in_step()


@pytest.mark.requirement("PL-06")
def test_a_fact_that_the_second_copy_refuses_loses_it_too(played: Pair) -> None:
    with played.open() as journal:
        _refuse(journal)
        journal.remember("a", "b")
        assert journal.copies is Copies.SECOND_LOST
    with played.open() as journal:
        assert journal.fact("a") == "b"
    assert played.in_step()


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_second_copy_known_to_be_behind_is_never_believed_against_the_first(played: Pair) -> None:
    with played.open() as journal:
        _refuse(journal)
        journal.commit(*STEPS[HALF], stamp(journal.seq + 1))
    _garbage(played.first)
    with pytest.raises(StoreDamagedError, match=f"the second is sound but ends at row {HALF} and misses later steps"):
        played.open()
    _lose(played.first)
    with pytest.raises(StoreMissingError):
        played.open()


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_disconnected_second_copy_without_missing_steps_is_still_trusted(played: Pair, tmp_path: Path) -> None:
    away = tmp_path / "away"
    played.second.rename(away)
    with played.open() as journal:
        assert journal.copies is Copies.SECOND_LOST
    away.rename(played.second)
    with played.open() as journal:
        assert journal.copies is Copies.TWO
    assert not (played.first / BEHIND_FILE).exists()
    _garbage(played.first)
    with played.open() as journal:
        assert journal.seq == HALF


@pytest.mark.requirement("PL-06")
def test_a_medium_that_is_pulled_and_put_back_is_brought_into_step(played: Pair, tmp_path: Path) -> None:
    away = tmp_path / "away"
    played.second.rename(away)
    with played.open() as journal:
        assert journal.copies is Copies.SECOND_LOST
        assert "is not there" in journal.second_trouble
        assert journal.recovered == ()
        journal.commit(*STEPS[HALF], stamp(journal.seq + 1))
        assert journal.renew_lost_second() is None
        away.rename(played.second)
        assert journal.renew_lost_second() is not None
    assert played.in_step()


@pytest.mark.requirement("PL-06")
def test_a_second_copy_that_cannot_be_made_anew_leaves_the_first_alone(played: Pair) -> None:
    _garbage(played.second)
    (played.second / mirror.NEW_FILE).mkdir()
    with played.open() as journal:
        assert journal.copies is Copies.SECOND_LOST
        assert journal.renew_lost_second() is None
        journal.commit(*STEPS[HALF], stamp(journal.seq + 1))
    (played.second / mirror.NEW_FILE).rmdir()
    with played.open() as journal:
        assert journal.copies is Copies.TWO
    assert played.in_step()


def test_a_first_copy_that_cannot_be_made_anew_is_an_error(played: Pair) -> None:
    _garbage(played.first)
    (played.first / mirror.NEW_FILE).mkdir()
    with pytest.raises(StoreFullError, match="a copy cannot be written"):
        played.open()


# --- a second copy that comes late, or is not the one --------------------------------------------------------------


def _late(played: Pair, tmp_path: Path, prepare: Callable[[], None]) -> Journal:
    """A machine that started without the second copy's medium, which is there just now."""
    played.second.rename(tmp_path / "away")
    prepare()
    journal = played.open()
    assert (journal.unseen, journal.compared) == (f"{played.second} is not there", False)
    (tmp_path / "away").rename(played.second)
    return journal


@pytest.mark.requirement("PL-06", "PL-07")
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_second_copy_that_comes_late_and_knows_more_is_not_overwritten(
    played: Pair, tmp_path: Path, steps: int
) -> None:
    """The first medium has forgotten what the second remembers; on top of that the machine goes on for some steps."""
    before = rows(played.second)
    with _late(played, tmp_path, lambda: _older(played.first, 2)) as journal:
        for input_, step in STEPS[HALF : HALF + steps]:
            journal.commit(input_, step, stamp(900 + journal.seq))
        assert journal.renew_lost_second() is None
        assert journal.doubt
        assert (journal.copies, journal.compared) == (Copies.SECOND_LOST, False)
    assert rows(played.second) == before
    assert (played.first / BEHIND_FILE).exists()


@pytest.mark.requirement("PL-07")
def test_the_copy_of_another_machine_that_comes_late_is_not_touched(played: Pair, tmp_path: Path) -> None:
    def prepare() -> None:
        shutil.rmtree(tmp_path / "away")
        with Journal(tmp_path / "away", number_of) as other:
            other.commit(*STEPS[0], stamp(999))

    with _late(played, tmp_path, prepare) as journal:
        before = rows(played.second)
        assert journal.renew_lost_second() is None
        assert "that of another machine" in journal.second_trouble
        assert journal.doubt == ""
    assert rows(played.second) == before
    assert not (played.second / ASIDE_FILE).exists()


@pytest.mark.requirement("PL-06")
def test_the_right_copy_after_a_wrong_one_is_taken_and_proves_the_first(played: Pair, tmp_path: Path) -> None:
    with _late(played, tmp_path, lambda: None) as journal:
        played.second.rename(tmp_path / "away")
        shutil.copytree(tmp_path / "away", played.second)
        _garbage(played.second)
        assert journal.renew_lost_second() is not None
        assert not journal.compared, "a damaged copy proves nothing"
        shutil.rmtree(played.second)
        (tmp_path / "away").rename(played.second)
        journal.check_files()
        assert journal.renew_lost_second() is not None
        assert journal.compared
        journal.commit(*STEPS[HALF], stamp(journal.seq + 1))
    assert played.in_step()


@pytest.mark.requirement("PL-06")
def test_a_medium_that_comes_late_and_is_in_use_is_left_to_its_cabinet(played: Pair, tmp_path: Path) -> None:
    with _late(played, tmp_path, lambda: None) as journal, Journal(played.second, number_of):
        assert journal.renew_lost_second() is None
        assert "a cabinet is running" in journal.second_trouble


# --- a first copy that nothing proves ---------------------------------------------------------------------------


@pytest.mark.requirement("PL-06", "PL-07")
@pytest.mark.parametrize("damage", [_lose, _empty, _zero, _garbage], ids=lambda damage: damage.__name__)
def test_a_second_copy_that_missed_a_time_without_it_is_not_believed(
    played: Pair, damage: Callable[[Path], None]
) -> None:
    with Journal(played.first, number_of) as alone:
        alone.commit(*STEPS[HALF], stamp(alone.seq + 1))
    damage(played.first)
    before = rows(played.second)
    with pytest.raises(StoreError, match=f"ends at row {HALF}.* misses later steps"):
        played.open()
    assert rows(played.second) == before


@pytest.mark.requirement("PL-06")
def test_a_time_without_the_second_copy_costs_nothing_while_the_first_is_sound(played: Pair) -> None:
    with Journal(played.first, number_of) as alone:
        alone.commit(*STEPS[HALF], stamp(alone.seq + 1))
    with played.open() as journal:
        assert (journal.seq, journal.doubt, journal.compared) == (HALF + 1, "", True)
    assert played.in_step()
    assert not (played.first / BEHIND_FILE).exists()


@pytest.mark.requirement("PL-06", "PL-07")
@pytest.mark.parametrize("damage", [_lose, _empty, _zero], ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("known", [True, False])
def test_a_renewed_first_copy_is_in_doubt_unless_its_newest_row_is_known(
    played: Pair, damage: Callable[[Path], None], known: bool
) -> None:
    damage(played.first)
    if not known:
        (played.first / REACHED).unlink()
    with played.open() as journal:
        if known:
            assert journal.doubt == ""
            return
        assert journal.doubt.startswith("data from the second copy of ")
        assert journal.doubt.endswith(f"{HALF} rows: check against papers")


# --- a second copy that is none ---------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["itself", "by another name", "inside"])
def test_a_second_copy_in_the_data_folder_is_named_as_that(tmp_path: Path, how: str) -> None:
    data, link = tmp_path / "data", tmp_path / "link"
    (data / "inside").mkdir(parents=True)
    link.symlink_to(data)
    second = {"itself": data, "by another name": link, "inside": data / "inside"}[how]
    with pytest.raises(StoreError, match=f'data.mirror: found "{second}".*expected a folder on another medium'):
        Journal(data, number_of, second=second)
    assert not (data / FILE).exists()


@pytest.mark.requirement("ME-08")
def test_a_second_copy_at_no_place_is_not_there(played: Pair, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    (tmp_path / "file").write_text("")
    places = (loop, loop / "below", tmp_path / ("a" * 300), tmp_path / "file", tmp_path / "file" / "below")
    for place in (*places, tmp_path / "nothing"):
        with Journal(played.first, number_of, second=place) as journal:
            assert journal.copies is Copies.SECOND_LOST
            assert journal.second_trouble.startswith(str(place))
            assert journal.renew_lost_second() is None


@pytest.mark.requirement("PL-06")
@pytest.mark.parametrize("name", [LOCK_FILE, FILE])
def test_a_second_copy_that_the_system_refuses_is_out_of_reach_until_it_can_be_read(played: Pair, name: str) -> None:
    path, kept = played.second / name, played.second.parent / "kept"
    path.rename(kept)
    path.symlink_to(path)
    with played.open() as journal:
        assert journal.copies is Copies.SECOND_LOST
        assert str(played.second) in journal.unseen
        assert journal.renew_lost_second() is None
        path.unlink()
        kept.rename(path)
        assert journal.renew_lost_second() is not None


@pytest.mark.requirement("ME-08")
def test_data_at_no_place_is_refused_and_never_taken_for_a_new_machine(played: Pair, tmp_path: Path) -> None:
    loop, file = tmp_path / "loop", tmp_path / "file"
    loop.symlink_to(loop)
    file.write_text("")
    for place in (loop, loop / "below", tmp_path / ("a" * 300), file, file / "below"):
        for second in (None, played.second):
            with pytest.raises(StoreFolderError, match="cannot be used as data folder") as raised:
                Journal(place, number_of, second=second)
            assert raised.value.found.startswith(f"{place}: E")


# --- a cut during the renewal of a copy ---------------------------------------------------------------------------


class CutError(BaseException):
    """The power goes."""


@pytest.mark.no_cover
@pytest.mark.requirement("PL-01", "PL-06")
@pytest.mark.parametrize("which", ["first", "second"])
def test_the_next_start_completes_a_renewal_cut_before_any_rename_or_sync(
    tmp_path: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call that changes names or makes them durable is cut once, before it happens."""
    number, cut = 0, True
    while cut:
        pair = Pair(tmp_path / str(number))
        pair.keep(*STEPS[:HALF])
        _garbage(getattr(pair, which))
        cut = _cut_at(number, pair, monkeypatch)
        with pair.open() as journal:
            assert journal.machine == STEPS[HALF - 1][1].machine
        assert pair.in_step(), number
        number += 1
    assert number > 6


def _cut_at(number: int, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> bool:
    left = [number]

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **kwargs: object) -> object:
            if left[0] == 0:
                raise CutError
            left[0] -= 1
            return call(*args, **kwargs)

        return run

    with monkeypatch.context() as patch:
        for owner, name in ((Path, "replace"), (Path, "unlink"), (os, "fsync")):
            patch.setattr(owner, name, counted(getattr(owner, name)))
        try:
            pair.open().close()
        except CutError:
            return True
    return False


# --- the table --------------------------------------------------------------------------------------------------


def copies() -> list[Copy]:
    """A copy in each condition."""
    return [
        Copy(condition=Condition.MISSING),
        Copy(condition=Condition.MISSING, known=False),
        Copy(condition=Condition.EMPTY),
        Copy(condition=Condition.DAMAGED, detail="row 3"),
        Copy(condition=Condition.DAMAGED, detail="row 3", seq=8),
        Copy(condition=Condition.OUT_OF_REACH, detail="is not there"),
        *(Copy(condition=Condition.SOUND, seq=seq, identity=b"1") for seq in (5, 6, 8)),
    ]


@pytest.mark.requirement("PL-06", "PL-07")
@pytest.mark.parametrize("behind", [False, True])
def test_whatever_is_decided_never_trades_more_steps_for_fewer(behind: bool) -> None:
    for first, second in product(copies(), copies()):
        try:
            plan = decide(first, second, behind=behind, same_story=True).plan
        except StoreError:
            continue
        newest = max(first.seq, 0 if behind else second.seq)
        kept = second.seq if plan is Plan.RENEW_FIRST else first.seq
        assert kept >= newest, (first, second, plan)
        if plan is Plan.RENEW_FIRST:
            assert second.condition is Condition.SOUND
            assert not behind
        if plan in {Plan.RENEW_SECOND, Plan.CATCH_UP}:
            assert first.condition is Condition.SOUND


@pytest.mark.requirement("PL-07")
def test_a_sound_first_copy_always_starts_unless_the_second_contradicts_it() -> None:
    first = Copy(condition=Condition.SOUND, seq=8, identity=b"1")
    for second in copies():
        decide(first, second, behind=False, same_story=True)
    short = Copy(condition=Condition.SOUND, seq=6, identity=b"1")
    with pytest.raises(StoreDamagedError, match="it shows row 8, and the first ends at row 6"):
        decide(short, Copy(condition=Condition.DAMAGED, detail="row 3", seq=8), behind=False, same_story=True)
    with pytest.raises(StoreDamagedError):
        decide(first, Copy(condition=Condition.SOUND, seq=6, identity=b"1"), behind=False, same_story=False)
