"""Reading a running cabinet and a folder by the same commands: the same to the byte, and a clean end."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import call, finish, start
from support.journals import keep, random_steps, session_steps
from support.live import Live, running

from cabinet.commands import readers
from cabinet.store.journal import FILE

READING = (
    ["meters"],
    ["recall", "--games", "12"],
    ["events", "--count", "300"],
    ["tickets"],
    ["events", "--after", "0"],
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A cabinet that runs on books with a past."""
    folder = tmp_path_factory.mktemp("running")
    keep(folder, *session_steps())
    with running(folder, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.machine.printer.ready, "the printer")
        live.until(lambda: live.machine.acceptor.ready, "the acceptor")
        yield live


def folder_of(live: Live) -> Path:
    """The folder of its books."""
    return Path(live.cabinet.journal.connection.execute("PRAGMA database_list").fetchone()[2]).parent


def copy_of(folder: Path, place: Path) -> Path:
    """The same books in a folder on which no cabinet runs."""
    place.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        if (folder / name).exists():
            shutil.copy(folder / name, place)
    return place


@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["text", "json"])
def test_a_running_cabinet_and_its_books_print_the_same_to_the_byte(live: Live, tmp_path: Path, extra: list[str]):
    folder = folder_of(live)
    for number, arguments in enumerate(READING):
        before = live.cabinet.journal.seq
        running_ = call(*arguments, *extra, "--data", folder)
        stopped = call(*arguments, *extra, "--data", copy_of(folder, tmp_path / f"{number}"))
        assert live.cabinet.journal.seq == before, "a row came in between"
        assert (running_.exit_code, stopped.exit_code) == (0, 0)
        assert running_.stdout_bytes == stopped.stdout_bytes
        assert running_.stdout


def test_the_status_differs_in_what_runs_only(live: Live, tmp_path: Path):
    folder = folder_of(live)
    running_ = json.loads(call("status", "--json", "--data", folder).stdout)
    stopped = json.loads(call("status", "--json", "--data", copy_of(folder, tmp_path / "copy")).stdout)
    assert (running_["running"], stopped["running"]) == (True, False)
    assert {name for name in running_ if running_[name] != stopped[name]} <= {"running", "uptime_s"}
    assert list(running_) == list(stopped)


def test_a_reader_who_may_not_read_the_folder_reads_the_running_cabinet(live: Live, monkeypatch: pytest.MonkeyPatch):
    """To root the system allows everything, so its answer is replaced."""
    folder = folder_of(live)
    monkeypatch.setattr("os.access", lambda path, *_: Path(path) != folder)
    for arguments in READING:
        assert call(*arguments, "--data", folder).exit_code == 0, arguments


def test_verify_asks_for_a_stopped_cabinet(live: Live):
    result = call("verify", "--data", folder_of(live))
    assert result.exit_code == 3
    assert "stop it first" in result.stderr


def test_a_long_recall_comes_in_parts(tmp_path: Path):
    keep(tmp_path, *random_steps(7, 900))
    stopped = call("recall", "--games", "1000", "--json", "--data", copy_of(tmp_path, tmp_path / "copy"))
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        asked = call("recall", "--games", "1000", "--json", "--data", tmp_path)
    games = json.loads(asked.stdout)
    assert len(games) > 12
    assert games == json.loads(stopped.stdout)


def test_watching_shows_each_change_and_ends_with_the_cabinet(tmp_path: Path):
    found: list[int] = []
    with running(tmp_path) as live:

        def follow() -> None:
            for report in readers.watch(readers.status(), tmp_path):
                found.append(report.data["credit"])
                live.bell.set()

        watching = threading.Thread(target=follow)
        watching.start()
        live.until(lambda: found, "the first report")
        live.note(2_000)
        live.until(lambda: found[-1] == 2_000, "the note in the report")
    watching.join(60)
    assert not watching.is_alive()


def test_a_folder_without_a_cabinet_is_watched_once(tmp_path: Path):
    keep(tmp_path, *session_steps())
    assert len(list(readers.watch(readers.meters(), tmp_path))) == 1
    result = call("status", "--watch", "--json", "--data", tmp_path)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)


def test_new_entries_are_followed_as_lines_until_the_cabinet_ends(tmp_path: Path):
    with running(tmp_path) as live:
        process = start("events", "--follow", "--after", "0", "--json", "--data", tmp_path)
        assert process.stdout is not None
        lines = [json.loads(process.stdout.readline())]
        live.note(2_000)
        while lines[-1]["what"] != "note accepted":
            lines.append(json.loads(process.stdout.readline()))
    code, out, err = finish(process)
    lines += map(json.loads, out.splitlines())
    numbers = [line["number"] for line in lines]
    assert numbers == list(range(1, len(numbers) + 1))
    assert (code, err) == (0, "")


def test_an_interrupt_ends_following_in_good_order(tmp_path: Path):
    with running(tmp_path):
        process = start("status", "--watch", "--json", "--data", tmp_path)
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(2)
        code, _, err = finish(process)
    assert (code, err) == (0, "")


def test_the_booklet_of_a_running_cabinet_is_that_of_its_books(live: Live, tmp_path: Path):
    folder = folder_of(live)
    running_ = json.loads(call("report", "--json", "--data", folder).stdout)
    stopped = json.loads(call("report", "--json", "--data", copy_of(folder, tmp_path / "copy")).stdout)
    assert {**running_, "time": ""} == {**stopped, "time": ""}
    assert "Notes in" in json.dumps(running_)


def test_the_page_of_the_booklet_is_written_to_a_file(live: Live, tmp_path: Path):
    result = call("report", "--html", tmp_path / "report.html", "--data", folder_of(live))
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "report.html").read_text().endswith("</html>\n")


def test_the_booklet_as_text_has_figures_and_meters(live: Live):
    shown = call("report", "--data", folder_of(live)).stdout
    for words in ("Cash box", "Drop per day", "Notes in", "European Blackjack"):
        assert words in shown
