"""A machine whose data is damaged: it locks, names what the players had, and its meters can still be read."""

import json
import shutil
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.cases import case
from support.journals import keep, raw, stamp
from support.machines import dealt, seated
from support.refused import REFUSED, played, state_of
from support.reports import shown

from cabinet.attendant.pages import Page
from cabinet.commands import journal as offline
from cabinet.commands import reader_reports
from cabinet.commands.main import main
from cabinet.commands.run import run_cabinet
from cabinet.config.settings import Config
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import LockKind
from cabinet.presentation.port import CabinetPort
from cabinet.runtime.build import build
from cabinet.runtime.fault_machine import fault_machine, memory_fault
from cabinet.store import slots
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE, Journal
from cabinet.store.mark import MARK, REACHED
from cabinet.store.verify import verify
from cabinet.window import supervisor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hand is open: 4 of 5 dollars of credit left, 1 on the table; then a byte of the books has changed."""
    keep(tmp_path, *dealt("table", "9S 6D 8H 10C", credit=500).history)
    with raw(tmp_path) as connection:
        connection.execute("UPDATE machine SET body = CAST(replace(body, '\"coin_in\":1', '\"coin_in\":9') AS BLOB)")
    return tmp_path


def damage(folder: Path) -> StoreDamagedError:
    """The error of a start on this folder."""
    with pytest.raises(StoreDamagedError) as found:
        Journal(folder, str)
    return found.value


@pytest.mark.requirement("PL-07", "TE-01", "TE-02")
def test_the_lock_of_damaged_data_names_the_players_money_and_nothing_can_be_done(folder: Path) -> None:
    machine = memory_fault(damage(folder), (folder,))
    (lock,) = machine.locks
    assert lock.kind is LockKind.MEMORY
    assert lock.cents == 500
    assert "Players' money, as far as can be read: credit 4.00, table 1.00" in lock.detail
    assert "the stored machine is not the one" in lock.detail
    rule = LOCKS[lock.kind]
    assert (rule.stops_play, rule.stops_notes, rule.stops_cash_out, rule.settlements) == (True, True, True, ())


@pytest.mark.requirement("PL-07")
def test_money_that_is_not_sure_is_marked_in_the_lock(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("DROP TABLE steps")
    (lock,) = memory_fault(damage(folder), (folder,)).locks
    assert "credit 4.00 ?, table 1.00 ?" in lock.detail


@pytest.mark.requirement("PL-07")
def test_a_lock_of_data_that_reports_nothing_names_no_amount(folder: Path) -> None:
    (folder / FILE).write_bytes(b"x" * 10_000)
    (lock,) = memory_fault(damage(folder), (folder,)).locks
    assert lock.cents == 0
    assert "Players' money" not in lock.detail


@pytest.mark.requirement("PL-07")
def test_without_any_money_in_it_the_lock_says_so(tmp_path: Path) -> None:
    keep(tmp_path, *seated("table", credit=0).history)
    with raw(tmp_path) as connection:
        connection.execute("UPDATE steps SET credit = 1 WHERE seq = 1")
    (lock,) = memory_fault(damage(tmp_path), (tmp_path,)).locks
    assert "as far as can be read: none" in lock.detail


@pytest.mark.requirement("PL-07", "ME-01")
def test_meters_of_damaged_data_are_shown_and_those_that_may_be_wrong_marked(folder: Path) -> None:
    report = offline.read_meters(folder)
    assert report["lifetime"]["bills_in"] == 500
    assert "coin_in" in report["suspect"]
    assert "bills_in" not in report["suspect"]
    text = shown(reader_reports.meters_report(report), 120)
    lines = {line.split("│")[1].strip(): line for line in text.splitlines() if line.count("│") > 2}
    assert "?" in lines["coin in"]
    assert "?" not in lines["notes in"]


@pytest.mark.requirement("PL-07")
def test_the_command_prints_what_can_be_read_and_says_that_it_is_damaged(folder: Path) -> None:
    reported = CliRunner().invoke(main, ["meters", "--data", str(folder)])
    assert reported.exit_code == 1
    assert "This data is damaged" in reported.output
    plain = CliRunner().invoke(main, ["meters", "--json", "--data", str(folder)])
    assert json.loads(plain.output)["suspect"]


def test_meters_of_sound_data_carry_no_mark(tmp_path: Path) -> None:
    keep(tmp_path, *seated("table", credit=0).history)
    report = offline.read_meters(tmp_path)
    assert "suspect" not in report
    assert "?" not in shown(reader_reports.meters_report(report), 120)


# --- records that have lost their end ---------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder with the journal of the third step put back; all the rest is the newest."""
    steps = dealt("table", "9S 6D 8H 10C", credit=500).history
    keep(tmp_path / "early", *steps[:3])
    keep(tmp_path / "data", *steps)
    shutil.copy(tmp_path / "early" / FILE, tmp_path / "data" / FILE)
    assert not verify(tmp_path / "data").ok
    return tmp_path / "data"


@pytest.mark.requirement("PL-07", "ME-01")
def test_meters_of_an_old_journal_are_all_suspect_and_the_reason_is_shown(old: Path) -> None:
    reported = CliRunner().invoke(main, ["meters", "--json", "--data", str(old)])
    report = json.loads(reported.stdout)
    assert reported.exit_code == 1
    assert {"coin_in", "tickets_out", "credit", "table", "classic.coin_in"} <= set(report["suspect"])
    assert "ends at row 3, but the machine had got to row" in report["problems"][0]
    plain = CliRunner().invoke(main, ["meters", "--data", str(old)], terminal_width=200)
    figures = [line for line in plain.stdout.splitlines() if line.count("│") > 2 and "sum" not in line]
    assert len(figures) > 20
    assert [line for line in figures[2:] if "?" not in line and "Account" not in line] == []


@pytest.mark.requirement("PL-07")
def test_rounds_of_an_old_journal_are_shown_with_the_reason_and_code_1(old: Path) -> None:
    for options in ([], ["--json"]):
        reported = CliRunner().invoke(main, ["recall", "--data", str(old), *options])
        assert reported.exit_code == 1
        assert "ends at row 3, but the machine had got to row" in reported.stderr
        assert "No game has been played" not in reported.stdout
    assert json.loads(reported.stdout) == []


@pytest.mark.requirement("PL-07")
def test_the_doctor_calls_an_old_journal_bad_whichever_copy_it_is(old: Path, tmp_path: Path) -> None:
    settings = tmp_path / "cabinet.toml"
    settings.write_text(f'[data]\nmirror = "{old}"')
    for data, what in ((old, "Books"), (tmp_path / "early", "Second copy")):
        reported = CliRunner().invoke(
            main, ["doctor", "--simulate", "--json", "--config", str(settings), "--data", str(data)]
        )
        bad = {
            each["what"]: each["found"] for each in json.loads(reported.stdout)["findings"] if each["grade"] == "bad"
        }
        assert reported.exit_code == 1
        assert "ends at row 3, but the machine had got to row" in bad[what]


@pytest.mark.requirement("PL-07")
def test_the_lock_of_an_old_journal_does_not_say_that_the_players_have_nothing(tmp_path: Path) -> None:
    keep(tmp_path, *seated("table", credit=0).history)
    (tmp_path / REACHED).write_bytes(slots.whole(99))
    (lock,) = memory_fault(damage(tmp_path), (tmp_path,)).locks
    assert "as far as can be read: none, which is not certain" in lock.detail


@pytest.mark.requirement("PL-07")
def test_an_invalid_number_of_the_newest_row_makes_every_figure_suspect(tmp_path: Path) -> None:
    keep(tmp_path, *seated("table", credit=500).history)
    (tmp_path / REACHED).write_bytes(b"noise")
    assert {"credit", "bills_in", "tickets_out"} <= set(offline.read_meters(tmp_path)["suspect"])


@pytest.mark.requirement("PL-07")
def test_no_reader_calls_a_folder_fresh_on_which_a_machine_has_played(tmp_path: Path) -> None:
    """Its journal is empty or gone; each mark alone is enough."""
    keep(tmp_path, *seated("table", credit=500).history)
    for journal in (b"", None):
        for ending in ("", "-wal"):
            (tmp_path / f"{FILE}{ending}").unlink(missing_ok=True)
        if journal is not None:
            (tmp_path / FILE).write_bytes(journal)
        for gone in (None, REACHED, MARK):
            kept = (tmp_path / gone).read_bytes() if gone else b""
            if gone:
                (tmp_path / gone).unlink()
            for command in (["verify"], ["meters"], ["recall"], ["doctor", "--simulate"]):
                reported = CliRunner().invoke(main, [*command, "--data", str(tmp_path)], terminal_width=400)
                assert reported.exit_code == 1, command
                assert "a machine has played on this folder" in " ".join(reported.output.split()), command
            if gone:
                (tmp_path / gone).write_bytes(kept)


@pytest.mark.requirement("PL-07")
def test_data_of_which_nothing_can_be_read_shows_no_zeros(folder: Path) -> None:
    (folder / FILE).write_bytes(b"x" * 10_000)
    with pytest.raises(StoreDamagedError):
        offline.read_meters(folder)


@pytest.mark.requirement("PL-06")
def test_the_command_writes_a_new_medium_from_the_second_copy(tmp_path: Path) -> None:
    steps = seated("table", credit=500).history
    (tmp_path / "second").mkdir()
    with Journal(tmp_path / "data", str, second=tmp_path / "second") as journal:
        for input_, step in steps:
            journal.commit(input_, step, stamp(journal.seq + 1))
    reported = CliRunner().invoke(main, ["restore", str(tmp_path / "second"), "--data", str(tmp_path / "new")])
    assert reported.exit_code == 0
    assert reported.output.startswith(
        f"{len(steps)} steps were written to {tmp_path / 'new'}; the newest is of 14 Nov 2023"
    )
    assert "Money that moved later cannot be known: the machine starts locked." in reported.output
    assert "in the menu; the reset key does not clear it." in reported.output
    assert LOCKS[LockKind.RECORDS_IN_DOUBT].stops_hand_pay, "such a lock is passed over by the reset key"
    assert offline.read_meters(tmp_path / "new")["credit"] == 500


# --- refused data is evidence -----------------------------------------------------------------------------------

READERS = (["verify"], ["meters"], ["recall"], ["tickets"], ["doctor", "--simulate"], ["commission"])


@pytest.mark.requirement("PL-07")
def test_no_command_and_no_start_changes_data_that_is_refused(tmp_path: Path) -> None:
    for name, (spoil, error) in REFUSED.items():
        data = tmp_path / name
        played(data)
        spoil(data)
        before = state_of(data)
        for command in READERS:
            with case(name=name, command=command):
                CliRunner().invoke(main, [*command, "--data", str(data)])
                assert state_of(data) == before
        with case(name=name):
            with pytest.raises(error) as raised:
                build(Config(), data, simulate=True)
            assert fault_machine(raised.value, (data,)).locks
            assert state_of(data) == before


@pytest.mark.requirement("PL-07", "AT-02")
def test_the_audit_key_opens_pages_that_only_show(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[Page | None] = []

    def turn_the_key(*, cabinet: CabinetPort, options: object) -> int:
        del options
        woken = threading.Event()
        cabinet.on_snapshot(woken.set)
        assert cabinet.simulate is not None
        cabinet.simulate.keys["f8"].down()
        assert woken.wait(60)
        pages.append(cabinet.snapshot().attendant)
        return 0

    monkeypatch.setattr(supervisor, "run_window", turn_the_key)
    before = state_of(folder)
    assert run_cabinet(folder, None, simulate=True, windowed=True) == 1
    assert [page.notice.partition(":")[0] for page in pages if page] == ["DOUBTFUL"]
    assert state_of(folder) == before
