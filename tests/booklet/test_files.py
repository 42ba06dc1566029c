"""The files of an export hold what the books hold, and no number of a ticket."""

import csv
import json
from contextlib import ExitStack

import pytest
from support.attendant_data import KeptCabinet, keep, number_of
from support.journals import session_steps
from support.machines import Cabinet

from cabinet.booklet.files import STATED, export_files, statement_of
from cabinet.booklet.value import booklet, from_plain
from cabinet.engine.state import Machine
from cabinet.statement.text import read_lines

HASH = "ab" * 32


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory):
    """A cabinet that has played a session and printed a ticket."""
    with ExitStack() as undo:
        cabinet = keep(tmp_path_factory.mktemp("books"), Cabinet(machine=Machine()), undo)
        cabinet.keep(session_steps())
        yield cabinet


@pytest.fixture
def files(kept: KeptCabinet) -> dict[str, bytes]:
    """The files of its export."""
    return export_files(kept.data(), "signed\n")


def table(content: bytes) -> list[dict[str, str]]:
    """The rows of a table by the names of its head."""
    return list(csv.DictReader(content.decode().splitlines()))


def test_every_meter_is_in_its_table(kept: KeptCabinet, files: dict[str, bytes]):
    rows = {row["meter"]: (int(row["period"]), int(row["lifetime"])) for row in table(files["meters.csv"])}
    meters = kept.data().meters
    assert rows["coin_in"] == (meters["period"]["coin_in"], meters["lifetime"]["coin_in"])
    assert rows["coin_in"][1] > 0
    assert sum(counts[1] for name, counts in rows.items() if name.startswith("bills_by_denomination.")) > 0


def test_every_event_of_the_data_is_in_its_table(kept: KeptCabinet, files: dict[str, bytes]):
    data = kept.data()
    assert [int(row["number"]) for row in table(files["events.csv"])] == [row.number for row in data.events]


def test_every_game_has_its_cards_and_its_money(kept: KeptCabinet, files: dict[str, bytes]):
    rows, stories = table(files["games.csv"]), kept.data().rounds
    assert [int(row["number"]) for row in rows] == [story["number"] for story in stories]
    ended = [(row, story) for row, story in zip(rows, stories, strict=True) if not story["open"]]
    assert ended
    for row, story in ended:
        assert row["cards"].split() == list(story["cards"])
        assert int(row["returned"]) == story["returned"]


def test_a_ticket_shows_only_the_end_of_its_number(files: dict[str, bytes]):
    rows = table(files["tickets.csv"])
    assert rows
    for row in rows:
        number = number_of(int(row["sequence"]))
        assert number.endswith(row["number_ends"])
        assert len(row["number_ends"]) < len(number) / 2
        assert not [name for name, content in files.items() if number.encode() in content]


def test_the_json_is_the_booklet(kept: KeptCabinet, files: dict[str, bytes]):
    assert from_plain(json.loads(files["report.json"])) == booklet(kept.data())


def test_the_page_and_the_statement_are_files_too(files: dict[str, bytes]):
    assert files["report.html"].startswith(b"<!DOCTYPE html>")
    assert files["statement.txt"] == b"signed\n"


def test_the_statement_has_every_meter_it_promises(kept: KeptCabinet):
    data = kept.data()
    lines = dict(read_lines(statement_of(data, row=12, row_hash=HASH)))
    assert (lines["Machine"], lines["Row"], lines["Hash"]) == (data.machine_name, "12", HASH[:32])
    assert lines["Credit"] == data.money(data.machine.books.credit_cents)
    assert lines["Notes in"] == data.money(data.meters["lifetime"]["bills_in"]) != "$0.00"
    assert len(lines) == 5 + 2 + len(STATED) + 2


def test_a_statement_of_huge_figures_fits_into_a_code(kept: KeptCabinet):
    assert len(statement_of(kept.data(), row=10**9, row_hash=HASH).encode()) < 550
