"""A journal that was touched is found out, and the first wrong row is named."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from support.clears import cleared_steps
from support.journals import keep, open_journal, random_steps, raw, session_steps

from cabinet.store.chain import START, StepRow, digest, link
from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreNewerError
from cabinet.store.journal import FILE
from cabinet.store.salvage import salvage
from cabinet.store.verify import PROGRESS_EVERY, verify


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole session in its journal."""
    folder = tmp_path_factory.mktemp("kept")
    keep(folder, *session_steps())
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    shutil.copy(kept / FILE, tmp_path / FILE)
    return tmp_path


def spoil(folder: Path, statement: str, *values: object) -> None:
    """Change the database behind the cabinet's back."""
    with raw(folder) as connection:
        assert connection.execute(statement, values).rowcount > 0, "nothing was changed"


@pytest.mark.requirement("EV-05", "CM-05")
def test_an_untouched_journal_is_right(kept: Path) -> None:
    steps = session_steps()
    verdict = verify(kept)
    assert (verdict.ok, verdict.rows, verdict.first_bad, verdict.problems) == (True, len(steps), None, ())
    last = steps[-1][1].machine.books
    assert verdict.credit == last.credit_cents
    assert verdict.accounts == dict(last.balances)
    assert verdict.seconds > 0


@pytest.mark.requirement("PL-09", "EV-05")
def test_a_memory_clear_resets_the_sums_and_the_chain_goes_on(tmp_path: Path) -> None:
    steps = cleared_steps()
    keep(tmp_path, *steps)
    verdict = verify(tmp_path)
    assert (verdict.ok, verdict.problems, verdict.rows) == (True, (), len(steps))
    assert verdict.accounts == dict(steps[-1][1].machine.books.balances)
    with open_journal(tmp_path) as journal:
        assert journal.machine == steps[-1][1].machine
    assert salvage([tmp_path]).suspect == ()


@pytest.mark.requirement("PL-09", "EV-05")
def test_a_clear_that_is_forged_into_a_row_is_found(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps())
    forged = '[{"is":"MemoryCleared","number":1}]'
    spoil(tmp_path, "UPDATE steps SET events = ? WHERE seq = (SELECT max(seq) FROM steps)", forged)
    assert not verify(tmp_path).ok


def test_an_empty_journal_is_right(tmp_path: Path) -> None:
    open_journal(tmp_path).close()
    assert verify(tmp_path).ok
    assert verify(tmp_path).rows == 0


COLUMNS = ("boot", "wall_ms", "mono_ms", "clock_ok", "round", "credit", "input", "drawn", "postings", "counts",
           "events", "tickets", "machine_hash", "hash")  # fmt: skip


@pytest.mark.requirement("EV-05")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", [1, 20, -1])
def test_any_changed_field_of_any_row_is_found_and_the_row_named(folder: Path, column: str, row: int) -> None:
    with raw(folder) as connection:
        (last,) = connection.execute("SELECT max(seq) FROM steps").fetchone()
        seq = last if row < 0 else row
        (value,) = connection.execute(f"SELECT {column} FROM steps WHERE seq = ?", (seq,)).fetchone()
        changed = value[:-1] + bytes([value[-1] ^ 1]) if isinstance(value, bytes) else _other(value)
        connection.execute(f"UPDATE steps SET {column} = ? WHERE seq = ?", (changed, seq))
    verdict = verify(folder)
    assert (verdict.ok, verdict.first_bad) == (False, seq)
    assert verdict.problems[0].startswith(f"row {seq}: ")


def _other(value: int | str) -> int | str:
    return value + 1 if isinstance(value, int) else value[:-1] + " " + value[-1:]


@pytest.mark.requirement("EV-05")
def test_a_byte_that_is_no_text_is_named_by_its_row(folder: Path) -> None:
    spoil(folder, "UPDATE steps SET input = CAST(x'ff' AS TEXT) WHERE seq = 9")
    assert verify(folder).first_bad == 9


@pytest.mark.requirement("EV-05")
def test_missing_moved_and_added_rows_are_named(kept: Path, tmp_path: Path) -> None:
    changes = {
        "DELETE FROM steps WHERE seq = 7": 7,
        "DELETE FROM steps WHERE seq = 1": 1,
        "UPDATE steps SET seq = 1000 WHERE seq = 12": 12,
        "INSERT INTO steps SELECT 0, boot, wall_ms, mono_ms, clock_ok, round, credit, input, drawn, postings, counts, "
        "events, tickets, machine_hash, hash FROM steps WHERE seq = 5": 1,
    }
    for number, (statement, first_bad) in enumerate(changes.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(kept / FILE, folder / FILE)
        spoil(folder, statement)
        verdict = verify(folder)
        assert (verdict.ok, verdict.first_bad) == (False, first_bad), statement


def forge(folder: Path, seq: int, **fields: object) -> None:
    """Changes a row and computes every later hash again, as an attacker who knows this program."""
    columns = ", ".join(StepRow._fields)
    with raw(folder) as connection:
        before = START
        for *values, hash_ in connection.execute(f"SELECT {columns}, hash FROM steps ORDER BY seq").fetchall():
            row = StepRow(*values)
            if row.seq == seq:
                row = row._replace(**fields)
                for name, value in fields.items():
                    connection.execute(f"UPDATE steps SET {name} = ? WHERE seq = ?", (value, seq))
            before = hash_ if row.seq < seq else link(before, row)
            connection.execute("UPDATE steps SET hash = ? WHERE seq = ?", (before, row.seq))


@pytest.mark.requirement("CM-05", "EV-05")
@pytest.mark.parametrize(
    ("seq", "fields", "words"),
    [
        (20, {"credit": 999_999}, "the transfers lead to a credit of"),
        (20, {"postings": '[["bill in",500]]'}, "the transfers lead to a credit of"),
        (20, {"postings": '[["by magic",500]]'}, "postings that cannot be read"),
        (20, {"events": '[{"is":"Fly"}]'}, "which this program does not know"),
        (20, {"events": '[{"is":"TicketVoided","sequence":88}]'}, "it speaks of ticket 88, which no row before it"),
        (1, {"counts": '{"power_ups":2}'}, "meter power_ups is 5, the journal adds up to 6"),
    ],
)
def test_a_forger_who_knows_the_chain_still_has_the_sums_against_him(
    folder: Path, seq: int, fields: dict[str, object], words: str
) -> None:
    forge(folder, seq, **fields)
    verdict = verify(folder)
    assert not verdict.ok
    assert words in verdict.problems[0]


@pytest.mark.requirement("ME-08")
@pytest.mark.parametrize(
    "fields",
    [
        {"events": '[{"is":"Fly"}]'},
        {"events": '[{"is":"Logged","what":"wings grown","detail":"","cents":null}]'},
        {"events": '[{"is":"TicketVoided","sequence":1,"wings":2}]'},
        {"postings": '[["by magic",500]]'},
    ],
)
def test_unknown_names_whose_hash_fits_come_from_a_newer_program(folder: Path, fields: dict[str, object]) -> None:
    forge(folder, 20, **fields)
    with pytest.raises(StoreNewerError, match="so a newer program wrote it: install that program again") as raised:
        open_journal(folder)
    assert "damaged" not in str(raised.value)
    assert raised.value.found == "row 20"


def test_a_machine_in_words_that_this_program_does_not_know_is_that_of_a_newer_one(folder: Path) -> None:
    with raw(folder) as connection:
        (seq, body) = connection.execute("SELECT seq, body FROM machine").fetchone()
        newer = bytes(body).replace(b'{"books"', b'{"wings":2,"books"', 1)
        connection.execute("UPDATE machine SET body = ?", (newer,))
    forge(folder, seq, machine_hash=digest(newer))
    with pytest.raises(StoreNewerError, match=r"the stored machine holds machine\.wings, .* a newer program wrote it"):
        open_journal(folder)


def test_a_cut_off_end_is_found(folder: Path) -> None:
    spoil(folder, "DELETE FROM steps WHERE seq > 30")
    spoil(folder, "DELETE FROM events WHERE seq > 30")
    assert verify(folder).problems == ("the stored machine is not the one row 30 led to",)


@pytest.mark.requirement("EV-05")
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE events SET cents = cents + 1 WHERE number = 8", "log entry 8 is not what the row says"),
        ("UPDATE events SET detail = 'nothing' WHERE number = 1", "log entry 1 is not what the row says"),
        ("UPDATE events SET what = 'call lamp on' WHERE number = 10", "log entry 10 is not"),
        ("UPDATE events SET wall_ms = 0 WHERE number = 10", "log entry 10 is not"),
        ("DELETE FROM events WHERE number = 3", "log entry 3 is not"),
        ("INSERT INTO events VALUES (9999, 3, 0, 1, 'hand-pay made', '', 5)", "log entry 9999 belongs to no row"),
        ("UPDATE tickets SET cents = 1 WHERE sequence = 1", "ticket 1 is listed as issued, 0.01"),
        ("UPDATE tickets SET number = '1' WHERE sequence = 3", "ticket 3 is listed as"),
        ("UPDATE tickets SET state = 'issued' WHERE sequence = 2", "ticket 2 is listed as issued"),
        (
            "UPDATE tickets SET duplicates = 0",
            "issued, 135.00, 0 duplicates, the journal says",
        ),
        ("UPDATE tickets SET wall_ms = 5 WHERE sequence = 1", "ticket 1 is listed as"),
        ("DELETE FROM tickets WHERE sequence = 2", "ticket 2 is listed as absent"),
        ("INSERT INTO tickets VALUES (77, '1', 5, 'issued', 0, 1, 0, 0, 0, 0)", "the journal says absent"),
        ("DELETE FROM machine", "the stored machine is not the one row"),
        ("UPDATE machine SET body = x'7b7d'", "the stored machine is not the one row"),
    ],
)
def test_a_touched_log_ticket_or_machine_is_found(folder: Path, statement: str, words: str) -> None:
    spoil(folder, statement)
    verdict = verify(folder)
    assert not verdict.ok
    assert any(words in problem for problem in verdict.problems), verdict.problems


def test_no_problem_reports_a_validation_number(folder: Path) -> None:
    spoil(folder, "UPDATE tickets SET number = '123123123', cents = 1")
    assert not any("123123123" in problem or "0000000000" in problem for problem in verify(folder).problems)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("place", range(0, 100, 9))
def test_a_flipped_byte_anywhere_in_the_file_never_goes_by_as_something_else(folder: Path, place: int) -> None:
    """Where it hits a row, log entry or ticket it is found; where it hits unused space nothing has changed."""
    right = verify(folder)
    path = folder / FILE
    data = bytearray(path.read_bytes())
    data[4096 + place * (len(data) - 4096) // 100] ^= 0x04
    path.write_bytes(data)
    try:
        verdict = verify(folder)
    except StoreDamagedError:
        return
    assert not verdict.ok or (verdict.accounts, verdict.rows) == (right.accounts, right.rows)


def test_nothing_to_check_and_nothing_readable_are_errors(tmp_path: Path) -> None:
    with pytest.raises(StoreDamagedError, match="there is no journal here; check --data"):
        verify(tmp_path)
    (tmp_path / FILE).write_bytes(b"no database at all " * 300)
    with pytest.raises(StoreDamagedError, match="file is not a database; the machine stays locked, keep this file"):
        verify(tmp_path)


def test_a_running_cabinet_is_not_checked(tmp_path: Path) -> None:
    with open_journal(tmp_path), pytest.raises(StoreBusyError):
        verify(tmp_path)


def test_progress_is_reported_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert PROGRESS_EVERY > 1
    monkeypatch.setattr("cabinet.store.verify.PROGRESS_EVERY", 50)
    keep(tmp_path, *random_steps(2, 120))
    reported: list[tuple[int, int]] = []
    assert verify(tmp_path, lambda done, of: reported.append((done, of))).ok
    assert reported == [(50, 120), (100, 120)]


def test_checking_changes_nothing(folder: Path) -> None:
    def words() -> list[str]:
        with sqlite3.connect(folder / FILE) as connection:
            return list(connection.iterdump())

    before = words()
    verify(folder)
    assert words() == before


@pytest.mark.requirement("PL-08")
def test_a_file_the_start_would_refuse_is_not_called_right_though_every_row_is(folder: Path) -> None:
    free_list = 32
    with (folder / FILE).open("r+b") as file:
        file.seek(free_list)
        file.write((9_699_328).to_bytes(4, "big"))

    verdict = verify(folder)

    assert not verdict.ok
    assert "free" in verdict.problems[0].lower()


@pytest.mark.requirement("EV-05", "PL-07")
def test_words_that_a_damaged_file_marks_as_bytes_are_found(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps())
    with raw(tmp_path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'steps'")
    with raw(tmp_path) as connection:
        connection.execute("UPDATE steps SET input = CAST(input AS BLOB) WHERE seq = 3")
    assert verify(tmp_path).problems == ("row 3: its words are no text",)
