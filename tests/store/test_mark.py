"""A machine that has played never becomes a new one by itself."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.journals import raw, stamp

from cabinet.engine.inputs import PoweredUp
from cabinet.engine.machine import starting, step
from cabinet.engine.state import Settings
from cabinet.store import mark, slots
from cabinet.store.errors import StoreDamagedError, StoreError
from cabinet.store.journal import Journal
from cabinet.store.mirror import BEHIND_FILE, DOUBT_FILE, mark_behind
from cabinet.store.opening import FILE, WAL
from cabinet.store.salvage import salvage
from cabinet.store.verify import verify


def play(folder: Path, second: Path | None = None, *, steps: int = 2) -> None:
    """A few durable steps."""
    settings, up = Settings(), PoweredUp(clean=True)
    with Journal(folder, str, second=second) as journal:
        for _ in range(steps):
            machine = journal.machine or starting(settings)
            journal.commit(up, step(settings, machine, up, lambda _: 0), stamp(journal.seq + 1))


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("emptied", [True, False])
def test_a_journal_that_is_gone_or_emptied_is_a_lock_and_never_a_fresh_machine(tmp_path: Path, emptied: bool):
    play(tmp_path)
    for path in tmp_path.glob(f"{FILE}*"):
        path.write_bytes(b"") if emptied else path.unlink()

    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="a machine has played on this folder"):
            Journal(tmp_path, str)


def test_a_folder_on_which_nothing_was_played_is_a_new_machine(tmp_path: Path):
    Journal(tmp_path, str).close()

    assert not mark.is_marked(tmp_path)
    with Journal(tmp_path, str) as journal:
        assert journal.machine is None


def cut(folder: Path, place: Path, *names: str) -> Path:
    """What a cut leaves of these files, after two more steps in a journal that is open."""
    place.mkdir()
    settings, up = Settings(), PoweredUp(clean=True)
    with Journal(folder, str) as journal:
        for _ in range(2):
            machine = journal.machine or starting(settings)
            journal.commit(up, step(settings, machine, up, lambda _: 0), stamp(journal.seq + 1))
        for name in (mark.MARK, mark.REACHED, *names):
            shutil.copy(folder / name, place)
    return place


@pytest.mark.requirement("PL-07")
def test_a_journal_whose_log_is_gone_is_a_lock_and_not_an_older_machine(tmp_path: Path):
    play(tmp_path / "a")
    left = cut(tmp_path / "a", tmp_path / "b", FILE)

    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="ends at row 2, but the machine had got to row 4"):
            Journal(left, str)
    assert not verify(left).ok
    assert "it had got to row 4" in salvage([left]).problems[-1]
    assert set(salvage([left]).suspect) >= set(salvage([left]).machine.books.meters)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("looked_at", [False, True], ids=["as it lies", "after a tool has opened and closed it"])
def test_a_cut_that_leaves_the_log_is_no_lock(tmp_path: Path, looked_at: bool):
    play(tmp_path / "a")
    left = cut(tmp_path / "a", tmp_path / "b", FILE, f"{FILE}{WAL}")
    if looked_at:
        with raw(left) as connection:
            connection.execute("SELECT count(*) FROM steps").fetchall()
        assert not (left / f"{FILE}{WAL}").exists()

    for seq in (4, 5):
        with Journal(left, str) as journal:
            assert journal.seq == seq
            machine, up = journal.machine, PoweredUp(clean=True)
            assert machine is not None
            journal.commit(up, step(Settings(), machine, up, lambda _: 0), stamp(seq + 1))


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize(
    "content", ["", "\0" * 21, "two", "-5", f"{2:020d}\n" + "\0" * 43, "9" * 4200], ids=lambda text: ascii(text[:8])
)
def test_a_number_that_is_none_leaves_a_doubt_and_is_made_anew(tmp_path: Path, content: str):
    data = tmp_path / "data"
    play(data)
    (data / mark.REACHED).write_text(content)
    assert not verify(data).ok
    assert "expected the number of the newest row" in salvage([data]).problems[-1]

    for _ in range(2):
        with Journal(data, str) as journal:
            assert "expected the number of the newest row; check against papers" in journal.doubt
            assert len(journal.doubt) < len(str(data)) + 200, "what is no number is not shown whole"
    with Journal(data, str) as journal:
        journal.forget_doubt()
    play(data)
    assert mark.reached(data) == 4
    with Journal(data, str) as journal:
        assert journal.doubt == ""


@pytest.mark.requirement("PL-07")
def test_a_number_that_is_none_is_made_anew_without_a_doubt_where_two_copies_agree(tmp_path: Path):
    """Equal, or the second one step behind, as a cut may leave it."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    play(data, stick)
    shutil.copytree(stick, tmp_path / "behind")
    for content in ("", "\0" * 21, "two", "9" * 4200, "x" * slots.SIZE):
        for folder, name in ((data, "first copy"), (stick, "second copy")):
            (folder / mark.REACHED).write_text(content)
            assert not verify(folder).ok
            with Journal(data, str, second=stick) as journal:
                assert journal.doubt == ""
                assert [said[: len(name)] for said in journal.recovered] == [name]
            assert (mark.reached(data), mark.reached(stick)) == (2, 2)
    play(data, stick, steps=1)
    shutil.rmtree(stick)
    shutil.copytree(tmp_path / "behind", stick)
    (data / mark.REACHED).write_text("two")
    with Journal(data, str, second=stick) as journal:
        assert (journal.seq, journal.doubt) == (3, "")


@pytest.mark.requirement("PL-07")
def test_a_number_that_is_none_is_a_doubt_where_the_copies_do_not_agree(tmp_path: Path):
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    play(data, stick)
    shutil.copytree(stick, tmp_path / "behind")
    play(data, stick)
    shutil.rmtree(stick)
    shutil.copytree(tmp_path / "behind", stick)
    (data / mark.REACHED).write_text("two")
    with Journal(data, str, second=stick) as journal:
        assert "expected the number of the newest row; check against papers" in journal.doubt


@pytest.mark.requirement("PL-07")
def test_one_flipped_bit_of_the_number_stops_no_machine(tmp_path: Path):
    """Whichever bit it is: the number is not above the truth, and hardly below."""
    reached = mark.Reached(tmp_path)
    reached.record(6, wait=True)
    reached.record(7, wait=False)
    reached.close()
    path = tmp_path / mark.REACHED
    sound = path.read_bytes()
    assert mark.reached(tmp_path) == 7
    slot = len(slots.slot(0))
    for at in (*range(64), *(slots.place(which) + n for which in (0, 1) for n in range(slot))):
        for bit in range(8):
            path.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << bit]) + sound[at + 1 :])
            assert mark.reached(tmp_path) in {6, 7}, (at, bit)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("size", [512, 4096])
def test_one_sector_of_noise_in_the_number_stops_no_machine(tmp_path: Path, size: int):
    play(tmp_path)
    path, lot = tmp_path / mark.REACHED, random.Random(size)
    sound = path.read_bytes()
    for at in range(0, len(sound), size):
        for noise in (lot.randbytes(size), bytes(size), b"\xff" * size):
            path.write_bytes((sound[:at] + noise + sound[at + size :])[: len(sound)])
            assert mark.reached(tmp_path) == 2, at
    with Journal(tmp_path, str) as journal:
        assert journal.doubt == ""


@pytest.mark.requirement("PL-07")
def test_a_believable_number_that_is_too_high_refuses_the_start(tmp_path: Path):
    play(tmp_path)
    for content in (slots.whole(3), b"%020d\n" % 3):
        (tmp_path / mark.REACHED).write_bytes(content)
        with pytest.raises(StoreDamagedError, match="ends at row 2, but the machine had got to row 3"):
            Journal(tmp_path, str)
        assert not verify(tmp_path).ok


@pytest.mark.requirement("PL-07")
def test_a_file_without_slots_is_read_and_gets_slots(tmp_path: Path):
    play(tmp_path)
    (tmp_path / mark.REACHED).write_bytes(b"%020d\n" % 1)
    assert mark.reached(tmp_path) == 1
    with Journal(tmp_path, str) as journal:
        assert journal.doubt == ""
    assert (tmp_path / mark.REACHED).read_bytes() == slots.whole(2)


@pytest.mark.requirement("PL-07")
def test_the_slot_of_the_last_synced_number_stays_until_a_newer_one_is_durable(tmp_path: Path):
    reached, path = mark.Reached(tmp_path), tmp_path / mark.REACHED
    reached.record(1, wait=True)
    kept = [5, 1]
    for seq, wait in ((2, False), (3, False), (4, True), (5, False), (6, False)):
        before = path.read_bytes()
        reached.record(seq, wait=wait)
        after = path.read_bytes()
        changed = [w for w in (0, 1) if slots.numbers(before)[w] != slots.numbers(after)[w]]
        assert len(changed) == 1 or wait, "a number that is not waited for takes one slot"
        kept.append(min(found for found in slots.numbers(after) if found is not None))
    assert kept[2:] == [1, 1, 1, 4, 4]
    reached.close()


@pytest.mark.requirement("PL-01", "PL-07")
def test_a_power_cut_keeps_the_last_synced_number_and_makes_none_too_high(tmp_path: Path):
    """Any sectors that were written since the last wait may be on the medium, each of them torn to noise."""
    reached, path, lot = mark.Reached(tmp_path), tmp_path / mark.REACHED, random.Random(29)
    sector, place = 512, tmp_path / "cut"
    place.mkdir()
    reached.record(1, wait=True)
    durable, waited = path.read_bytes(), 1
    for seq in range(2, 120):
        wait = lot.random() < 0.3
        reached.record(seq, wait=wait)
        now = path.read_bytes()
        changed = [at for at in range(0, len(now), sector) if now[at : at + sector] != durable[at : at + sector]]
        for kept in range(2 ** len(changed)):
            found = bytearray(durable)
            for at in (at for bit, at in enumerate(changed) if kept >> bit & 1):
                torn, end = at + lot.randrange(sector + 1), at + sector
                found[at:torn] = now[at:torn]
                found[torn:end] = lot.choice([found[torn:end], lot.randbytes(end - torn)])
            (place / mark.REACHED).write_bytes(found[: len(now)])
            assert waited <= mark.reached(place) <= seq
        if wait:
            durable, waited = now, seq
    reached.close()


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("tail", [b"", b"\0" * 43], ids=["", "with a tail"])
def test_a_number_is_written_whole(tmp_path: Path, tail: bytes):
    (tmp_path / mark.REACHED).write_bytes(b"7" * 20 + tail)
    reached = mark.Reached(tmp_path)
    for seq in (8, 9):
        reached.record(seq, wait=False)
        assert slots.newest((tmp_path / mark.REACHED).read_bytes()) == seq
    assert (tmp_path / mark.REACHED).stat().st_size == slots.SIZE
    reached.close()


@pytest.mark.requirement("PL-07")
def test_a_refused_number_is_an_error_only_when_money_leaves_and_is_written_later(tmp_path: Path):
    (tmp_path / mark.REACHED).mkdir()
    reached = mark.Reached(tmp_path)
    reached.record(1, wait=False)
    with pytest.raises(StoreError, match="newest-row: the number of the newest row cannot be kept: Is a directory"):
        reached.record(2, wait=True)
    (tmp_path / mark.REACHED).rmdir()
    reached.record(3, wait=True)
    reached.close()
    assert mark.reached(tmp_path) == 3


def _lose(path: Path) -> None:
    path.unlink()


def _lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x" * 43)


def _replace(path: Path) -> None:
    path.unlink()
    path.write_text("7\n")


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("damage", [_lose, _lengthen, _replace], ids=lambda damage: damage.__name__)
def test_a_number_that_is_spoilt_while_it_is_kept_is_made_anew_where_money_leaves(
    tmp_path: Path, damage: Callable[[Path], None]
):
    reached = mark.Reached(tmp_path)
    reached.record(1, wait=True)
    damage(tmp_path / mark.REACHED)
    reached.record(2, wait=True)
    reached.record(3, wait=False)
    assert slots.newest((tmp_path / mark.REACHED).read_bytes()) == 3
    reached.close()


@pytest.mark.requirement("PL-07")
def test_a_start_makes_sure_of_the_number(tmp_path: Path):
    play(tmp_path)
    (tmp_path / mark.REACHED).unlink()
    with Journal(tmp_path, str):
        assert mark.reached(tmp_path) == 2


# --- marks that are none ----------------------------------------------------------------------------------------

MARKS = (mark.MARK, mark.REACHED, BEHIND_FILE, DOUBT_FILE)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
@pytest.mark.parametrize("name", MARKS)
def test_a_mark_that_is_no_file_stops_the_start_with_a_sentence(tmp_path: Path, name: str, make: Callable[..., None]):
    data, stick = tmp_path / "data", tmp_path / "stick"
    play(data)
    stick.mkdir()
    (data / name).unlink(missing_ok=True)
    make(data / name)

    for _ in range(2):
        with pytest.raises(StoreDamagedError, match=f"{name}: found something that is no file; expected a mark"):
            Journal(data, str, second=stick).close()
    assert (data / name).exists()


def test_the_tools_report_a_number_that_is_no_file(tmp_path: Path):
    play(tmp_path)
    (tmp_path / mark.REACHED).unlink()
    os.mkfifo(tmp_path / mark.REACHED)

    assert "found something that is no file" in verify(tmp_path).problems[0]
    assert "found something that is no file" in salvage([tmp_path]).problems[-1]


@pytest.mark.requirement("PL-07")
def test_a_note_without_words_is_a_doubt_all_the_same(tmp_path: Path):
    play(tmp_path)
    (tmp_path / DOUBT_FILE).touch()

    with Journal(tmp_path, str) as journal:
        assert journal.doubt == "records-in-doubt lies there and says nothing: check against papers"
        journal.forget_doubt()
    assert not (tmp_path / DOUBT_FILE).exists()


@pytest.mark.parametrize("content", [b"9" * 4200, b"\x1b\xff\n\0" * 1000], ids=["long", "no text"])
def test_a_note_is_shown_in_a_line_of_which_nothing_is_hidden_but_the_end(tmp_path: Path, content: bytes):
    play(tmp_path)
    (tmp_path / DOUBT_FILE).write_bytes(content)

    with Journal(tmp_path, str) as journal:
        assert journal.doubt.isprintable()
        assert 0 < len(journal.doubt) < 500
        assert journal.doubt.endswith("...")


def test_a_pipe_where_a_mark_is_to_be_written_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / BEHIND_FILE)
    mark_behind(tmp_path, 7)

    assert mark.read(tmp_path / BEHIND_FILE) == b"7\n"
