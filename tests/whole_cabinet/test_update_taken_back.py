"""A cabinet whose program was put back by an update: its log says so, once."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import left_by_the_program_before, open_journal
from support.live import running

from cabinet.commands.run import report_taken_back
from cabinet.engine.log import LogKind
from cabinet.engine.record_facts import UpdateTakenBack
from cabinet.installation.durable import make_folder
from cabinet.installation.paths import Paths
from cabinet.installation.update.record import TAKEN_BACK as FILE
from cabinet.installation.update.record import write_taken_back
from cabinet.store import reports

TAKEN_BACK = UpdateTakenBack(version="0.2.0", at="20261201-101500", why="the service is not ready")


def reported_in(data: Path) -> list[str]:
    """What the log says of updates that were taken back."""
    with open_journal(data) as journal:
        rows = reports.events(journal.connection, limit=9, what=(LogKind.UPDATE_TAKEN_BACK.value,))
        return [row.detail for row in rows]


def run_with_news(data: Path, paths: Paths) -> None:
    """A whole cabinet that finds the news at its start."""
    with running(data, begin=False) as live:
        report_taken_back(live.cabinet, paths)
        live.cabinet.start()


def test_an_update_that_was_taken_back_is_in_the_log_once(tmp_path: Path) -> None:
    paths = Paths(root=tmp_path / "root")
    make_folder(paths.update)
    run_with_news(tmp_path, paths)
    assert reported_in(tmp_path) == []
    write_taken_back(paths, TAKEN_BACK)
    run_with_news(tmp_path, paths)
    run_with_news(tmp_path, paths)
    assert reported_in(tmp_path) == ["version 0.2.0 at 20261201-101500: the service is not ready"]
    write_taken_back(paths, replace(TAKEN_BACK, at="20261202-101500"))
    run_with_news(tmp_path, paths)
    assert len(reported_in(tmp_path)) == 2


def test_news_of_an_update_wait_while_the_way_back_of_the_books_is_open(tmp_path: Path) -> None:
    paths = Paths(root=tmp_path / "root")
    make_folder(paths.update)
    write_taken_back(paths, TAKEN_BACK)
    with running(left_by_the_program_before(tmp_path), begin=False) as live:
        report_taken_back(live.cabinet, paths)
        live.cabinet.start()
    assert reported_in(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff"])
def test_news_that_cannot_be_read_are_none(tmp_path: Path, content: bytes) -> None:
    paths = Paths(root=tmp_path / "root")
    make_folder(paths.update)
    (paths.update / FILE).write_bytes(content)
    run_with_news(tmp_path, paths)
    assert reported_in(tmp_path) == []
