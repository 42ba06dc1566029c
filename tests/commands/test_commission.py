"""A new machine is commissioned once; a machine that takes money never begins on a folder without books."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep, open_journal, raw, session_steps

from cabinet.commands import run as running
from cabinet.commands.commission import commission
from cabinet.commands.doctor.data import find_commissioning, find_copy
from cabinet.commands.doctor.findings import Grade
from cabinet.config.settings import Config, DataSection, MachineSection, PanelSection
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.runtime.build import build
from cabinet.runtime.fault_machine import refused_data
from cabinet.runtime.startup import RELEASED_MS
from cabinet.store import reports
from cabinet.store.errors import (
    StoreError,
    StoreMissingError,
    StoreNewerError,
    StoreNewError,
    StorePlaceError,
    StoreRefusedError,
)
from cabinet.store.ground import HAS_BOOKS, has_books
from cabinet.store.journal import FILE, LOCK_FILE
from cabinet.store.reading import find_books
from cabinet.store.schema import MIGRATIONS, migrate
from cabinet.store.verify import verify
from drivers.errors import ConfigurationError

DISK = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A real cabinet with a place for its mark; its pins are not to be had here, which is where building it ends."""
    (tmp_path / "marks").mkdir()
    data = DataSection(mark=str(tmp_path / "marks"))
    return replace(Config(), data=data, panel=PanelSection(factory="rpigpio"))


def begin(config: Config, data: Path, *, anew: bool = False, mounts: str = DISK) -> str:
    """Commission the machine."""
    return commission(config, data, anew=anew, mounts=mounts, wall_ms=RELEASED_MS)


def start(config: Config, data: Path, mounts: str = DISK) -> None:
    """Start a real cabinet, as far as its books and its mark; it ends where its pins begin."""
    with pytest.raises(ConfigurationError, match="rpigpio"):
        build(config, data, simulate=False, mounts=lambda: mounts)


@pytest.mark.requirement("ME-08", "EV-05")
def test_a_new_machine_begins_with_a_row_that_says_so(tmp_path: Path, config: Config) -> None:
    data = tmp_path / "data"
    assert begin(config, data) == f"The books of a new machine begin in {data}, number 0042, copies: one."
    with open_journal(data) as journal:
        (entry,) = reports.events(journal.connection, limit=9)
        assert entry.what == LogKind.COMMISSIONED.value
        assert journal.machine is not None
    assert verify(data).ok
    assert has_books(tmp_path / "marks")
    start(config, data)


@pytest.mark.requirement("ME-08")
def test_a_real_cabinet_does_not_start_on_a_folder_that_was_never_commissioned(tmp_path: Path, config: Config) -> None:
    with pytest.raises(StoreNewError, match="on a new machine the technician runs `cabinet commission` once"):
        build(config, tmp_path / "data", simulate=False, mounts=lambda: DISK)
    assert not (tmp_path / "data").exists()


@pytest.mark.requirement("ME-08", "PL-06")
def test_a_machine_whose_data_folder_is_missing_does_not_start_as_new_by_itself(tmp_path: Path, config: Config) -> None:
    data = tmp_path / "data"
    keep(data, *session_steps()[:5])
    start(config, data)
    assert has_books(tmp_path / "marks"), "a machine that has played before is remembered from its next start on"
    shutil.rmtree(data)
    for _ in range(2):
        with pytest.raises(StoreNewError, match="but this machine has had some"):
            build(config, data, simulate=False, mounts=lambda: DISK)
    with pytest.raises(StoreNewError, match="but this machine has had some"):
        begin(config, data)
    assert not data.exists()
    begin(config, data, anew=True)
    start(config, data)


def test_books_that_are_there_are_never_begun_anew(tmp_path: Path, config: Config) -> None:
    data = tmp_path / "data"
    keep(data, *session_steps()[:5])
    for anew in (False, True):
        with pytest.raises(StoreError, match="has books already, 5 rows; nothing was begun"):
            begin(config, data, anew=anew)
    assert verify(data).rows == 5


def test_a_commissioning_that_was_cut_off_before_its_row_is_done_again(tmp_path: Path, config: Config) -> None:
    open_journal(tmp_path / "data").close()
    begin(config, tmp_path / "data")
    assert verify(tmp_path / "data").rows == 1


@pytest.mark.requirement("PL-06")
def test_both_copies_begin_together(tmp_path: Path, config: Config) -> None:
    second = tmp_path / "second"
    mirrored = replace(config, data=replace(config.data, mirror=str(second)))
    with pytest.raises(StoreMissingError, match="second copy is out of reach"):
        begin(mirrored, tmp_path / "data")
    second.mkdir()
    assert begin(mirrored, tmp_path / "data").endswith("copies: two.")
    assert verify(second).rows == 1


@pytest.mark.requirement("PL-06", "ME-08")
def test_commissioning_adopts_no_second_copy_and_writes_nothing(tmp_path: Path, config: Config) -> None:
    data, second = tmp_path / "data", tmp_path / "second"
    keep(second, *session_steps()[:5])
    mirrored = replace(config, data=replace(config.data, mirror=str(second)))
    data.mkdir()
    for anew in (False, True):
        for name in ("", LOCK_FILE):
            if name:
                (data / name).touch()
            before = {path: path.read_bytes() for path in (*data.iterdir(), *second.iterdir())}
            with pytest.raises(StoreError, match="the second copy holds books, 5 rows; nothing was begun"):
                begin(mirrored, data, anew=anew)
            assert {path: path.read_bytes() for path in (*data.iterdir(), *second.iterdir())} == before


@pytest.mark.requirement("PL-06")
def test_the_books_of_another_machine_are_never_taken_from_a_second_copy(tmp_path: Path, config: Config) -> None:
    data, second = tmp_path / "data", tmp_path / "second"
    seventh = replace(config, machine=MachineSection(number=7))
    begin(seventh, second)
    mirrored = replace(config, data=replace(config.data, mirror=str(second)))
    (data / "lost").mkdir(parents=True)
    (data / LOCK_FILE).touch()
    for spoilt in (None, b"no database at all" * 300):
        if spoilt is not None:
            (data / FILE).write_bytes(spoilt)
        for simulate in (False, True):
            with pytest.raises(StoreRefusedError, match="holds the books of machine 0007") as raised:
                build(mirrored, data, simulate=simulate, mounts=lambda: DISK)
            assert raised.value.found == f"{second}: machine 0007"
    assert (data / FILE).read_bytes() == b"no database at all" * 300
    start(replace(seventh, data=mirrored.data), data)
    assert verify(data).ok


@pytest.mark.requirement("ME-08")
def test_a_mark_that_cannot_be_read_is_named(tmp_path: Path, config: Config, caplog: pytest.LogCaptureFixture) -> None:
    data, marks = tmp_path / "data", tmp_path / "file"
    marks.write_text("no folder")
    unreadable = replace(config, data=DataSection(mark=str(marks)))
    finding = find_commissioning(data, marks, os.access)
    assert (finding.grade, "cannot be read: Not a directory" in finding.found) == (Grade.BAD, True)
    with pytest.raises(StoreNewError, match=r"it is not known .* cannot be read: Not a directory; make the folder"):
        begin(unreadable, data)
    keep(data, *session_steps()[:5])
    start(unreadable, data)
    assert f"data.mark: {marks / HAS_BOOKS} cannot be read: Not a directory" in caplog.text
    finding = find_commissioning(data, marks, os.access)
    assert (finding.grade, "cannot be read: Not a directory" in finding.found) == (Grade.POOR, True)


def test_no_machine_is_commissioned_where_its_books_would_be_lost(tmp_path: Path, config: Config) -> None:
    with pytest.raises(StorePlaceError, match="is on tmpfs"):
        begin(config, tmp_path / "data", mounts="1 0 0:9 / / rw - tmpfs tmpfs rw")
    assert not (tmp_path / "data").exists()


@pytest.mark.requirement("ME-08")
def test_a_simulated_cabinet_commissions_itself_anywhere_and_leaves_no_mark(tmp_path: Path, config: Config) -> None:
    cabinet = build(config, tmp_path / "data", simulate=True, mounts=lambda: "1 0 0:9 / / rw - tmpfs tmpfs rw")
    cabinet.parts.close()
    assert (tmp_path / "data" / FILE).exists()
    assert not (tmp_path / "marks" / HAS_BOOKS).exists()


def test_a_mark_that_cannot_be_kept_does_not_stop_a_machine_with_books(
    tmp_path: Path, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    keep(tmp_path / "data", *session_steps()[:5])
    start(replace(config, data=DataSection(mark=str(tmp_path / "nowhere"))), tmp_path / "data")
    assert "make the folder for the cabinet's user" in caplog.text


@pytest.mark.requirement("TE-02")
def test_the_screen_names_what_was_found_and_the_money_in_the_books(
    tmp_path: Path,
) -> None:
    data, steps = tmp_path / "data", session_steps()
    with_credit = next(number for number, (_, step) in enumerate(steps, start=1) if step.machine.books.credit_cents)
    keep(data, *steps[:with_credit])
    credit = steps[with_credit - 1][1].machine.books.credit_cents
    error = StorePlaceError("a sentence", found="/data=tmpfs")
    (lock,) = running.fault_machine(error, (data,)).locks
    assert (lock.kind, lock.cents) == (LockKind.DATA_REFUSED, credit)
    assert lock.detail == "/data=tmpfs"
    assert refused_data(error, (tmp_path / "none",)).locks[0].cents == 0


@pytest.mark.requirement("TE-02", "ME-08")
def test_the_screen_shows_the_form_of_newer_data_and_no_amount(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps())
    with raw(tmp_path) as connection:
        migrate(connection, (*MIGRATIONS, ()))
        (body,) = connection.execute("SELECT body FROM machine").fetchone()
        connection.execute("UPDATE machine SET body = ?", (body.replace(b'{"books"', b'{"wings":2,"books"', 1),))
    with pytest.raises(StoreNewerError) as raised:
        open_journal(tmp_path)
    (lock,) = running.fault_machine(raised.value, (tmp_path,)).locks
    assert (lock.kind, lock.detail, lock.cents) == (LockKind.DATA_REFUSED, "6 > 5", 0)
    finding = find_copy("Books", tmp_path)
    assert (finding.grade, finding.todo) == (Grade.BAD, "install the program that wrote it")


@pytest.mark.requirement("TE-02")
def test_a_real_cabinet_on_an_empty_folder_shows_the_lock_and_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: Config
) -> None:
    seen: list[running.FaultPort] = []

    def window(*, cabinet: running.FaultPort, options: object) -> int:
        del options
        seen.append(cabinet)
        return 0

    monkeypatch.setattr("cabinet.window.supervisor.run_window", window)
    file = tmp_path / "cabinet.toml"
    file.write_text(f'[data]\nmark = "{tmp_path / "marks"}"\n', encoding="utf-8")
    monkeypatch.setattr("cabinet.store.mounts.MOUNTS", _written(tmp_path / "mountinfo", DISK))
    assert running.run_cabinet(tmp_path / "data", file, simulate=False, windowed=True) == 1
    (lock,) = seen[0].snapshot().machine.locks
    assert lock.kind is LockKind.DATA_REFUSED
    assert lock.detail == f"{tmp_path / 'data'}=?"


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_machine_that_begins_out_of_service_takes_no_money_from_its_first_row(tmp_path: Path, config: Config) -> None:
    data = tmp_path / "data"
    commission(config, data, anew=False, mounts=DISK, wall_ms=RELEASED_MS, out_of_service=True)
    with open_journal(data) as journal:
        assert journal.machine is not None
        assert [lock.kind for lock in journal.machine.locks] == [LockKind.OUT_OF_SERVICE]
    assert verify(data).ok
    assert find_books(data).rows == 1  # a power cut cannot come between the two


def test_books_that_are_there_stay_where_only_a_new_machine_is_to_begin(tmp_path: Path, config: Config) -> None:
    data = tmp_path / "data"
    begin(config, data)
    before = (data / FILE).read_bytes()
    said = commission(config, data, anew=False, mounts=DISK, wall_ms=RELEASED_MS, if_new=True)
    assert "stay as they are, 1 rows" in said
    assert (data / FILE).read_bytes() == before
