"""Saving the books as files: complete, signed, in bounded parts, and never of two different rows."""

import csv
import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.attendant_data import keep
from support.live import running
from support.live_menu import choose, open_menu, page_of
from support.machines import seated

from cabinet.attendant.data import AttendantData
from cabinet.engine.inputs import Bet, CashOut, Deal, Door, DoorOpened, Stand, TicketPrinted
from cabinet.runtime.attendant_export import KEPT, Exporter
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.statement.folder import MANIFEST, check_folder
from cabinet.statement.signing import check
from cabinet.statement.text import read_lines

GAMES = 3


@pytest.fixture
def kept(tmp_path):
    """A cabinet with three games, a ticket and a log."""
    with ExitStack() as undo:
        found = keep(tmp_path / "books", seated("table", credit=100_000), undo)
        for _ in range(GAMES):
            found.cabinet.cards("9S 6D 8H 10C 10D")
            found.do(Bet(), Deal(), Stand())
        found.do(CashOut(), TicketPrinted(sequence=1))
        yield found


@pytest.fixture
def signer(kept):
    return StatementSigner(bytes(32), lambda: (kept.journal.seq, kept.journal.row_hash))


@pytest.fixture
def exporter(kept, signer, tmp_path):
    return Exporter(tmp_path / "exports", signer, kept.journal, part=2, part_games=2)


def finish(exporter: Exporter) -> str:
    """Works until the outcome is there; the writing thread needs an unknown number of turns."""
    while (outcome := exporter.work()) is None:
        assert exporter.due_s(0.0) < float("inf")
    return outcome


def saved(exporter: Exporter, data: AttendantData, folder: Path) -> str:
    exporter.begin(data)
    assert finish(exporter).startswith(f"Saved: {folder}")
    (name,) = [path.name for path in folder.iterdir()]
    return name


def test_the_folder_is_signed_and_holds_every_game_entry_and_ticket(kept, exporter, signer, tmp_path):
    data = kept.data()
    folder = tmp_path / "exports" / saved(exporter, data, tmp_path / "exports")
    assert check_folder(folder, signer.public_key).key == signer.public_key
    tables = {
        name: list(csv.reader((folder / f"{name}.csv").read_text().splitlines()))
        for name in ("games", "events", "tickets")
    }
    assert [row[0] for row in tables["games"][1:]] == [f"{number}" for number in range(1, GAMES + 1)]
    assert [row[0] for row in tables["events"][1:]] == [f"{row.number}" for row in data.events]
    assert [row[0] for row in tables["tickets"][1:]] == ["1"]
    assert json.loads((folder / "report.json").read_text())["sections"]
    statement = dict(read_lines(check((folder / "statement.txt").read_text(), signer.public_key).text))
    assert statement["Row"] == f"{kept.journal.seq}"


def test_each_turn_reads_one_part(kept, exporter):
    exporter.begin(kept.data())
    turns, outcome = 0, None
    while exporter.due_s(5.0) == 5.0:
        assert outcome is None
        outcome = exporter.work()  # of the last turn: a quick thread has written the files already
        turns += 1
    assert turns >= len(kept.data().events) // 2
    assert (outcome or finish(exporter)).startswith("Saved: ")


def test_a_step_in_between_ends_the_reading_and_nothing_is_saved(kept, exporter, tmp_path):
    exporter.begin(kept.data())
    exporter.work()
    kept.do(DoorOpened(door=Door.MAIN))
    assert "something has happened at the machine" in finish(exporter)
    assert not (tmp_path / "exports").exists()
    assert exporter.due_s(0.0) == float("inf")


def test_a_second_request_waits_for_the_end_of_the_first(kept, exporter):
    exporter.begin(kept.data())
    assert exporter.begin(kept.data()) == "The files are still being written"
    assert finish(exporter).startswith("Saved: ")


def test_a_medium_that_refuses_is_a_sentence(kept, exporter, tmp_path):
    (tmp_path / "exports").write_text("in the way")
    exporter.begin(kept.data())
    assert finish(exporter).startswith(f"Nothing is saved: {tmp_path / 'exports'}")


def test_an_unfinished_folder_is_written_again_and_a_finished_one_stays(kept, exporter, tmp_path):
    folder = tmp_path / "exports" / saved(exporter, kept.data(), tmp_path / "exports")
    before = (folder / MANIFEST).read_bytes()
    saved(exporter, kept.data(), tmp_path / "exports")
    assert (folder / MANIFEST).read_bytes() == before
    (folder / MANIFEST).unlink()
    saved(exporter, kept.data(), tmp_path / "exports")
    check_folder(folder)


def test_the_oldest_folders_go(kept, exporter, tmp_path):
    for number in range(KEPT + 1):
        (tmp_path / "exports" / f"CABINET-0042-{number:09d}").mkdir(parents=True)
    exporter.begin(kept.data())
    outcome = finish(exporter)
    names = sorted(path.name for path in (tmp_path / "exports").iterdir())
    assert len(names) == KEPT
    assert "CABINET-0042-000000001" not in names
    assert outcome.endswith(names[-1])


def test_a_link_in_the_place_of_the_folder_is_not_followed(kept, exporter, tmp_path):
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "kept.txt").write_text("kept")
    (tmp_path / "exports").mkdir()
    link = tmp_path / "exports" / f"CABINET-0042-{kept.journal.seq:09d}"
    link.symlink_to(victim)
    exporter.begin(kept.data())
    assert finish(exporter).startswith("Nothing is saved: ")
    assert [path.name for path in victim.iterdir()] == ["kept.txt"]


def test_an_attendant_who_leaves_ends_the_reading(kept, exporter, tmp_path):
    exporter.begin(kept.data())
    exporter.leave()
    assert exporter.work() is None
    assert not (tmp_path / "exports").exists()


def test_the_page_shows_where_the_files_are(tmp_path):
    with running(tmp_path) as live:
        open_menu(live)
        choose(live, "Save the books as files", "Yes")
        live.until(lambda: page_of(live).notice.startswith("Saved: "), "the outcome")
    (folder,) = (tmp_path / "exports").iterdir()
    check_folder(folder)
