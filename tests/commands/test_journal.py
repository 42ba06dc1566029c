"""Reading a data folder while no cabinet runs on it: meters, recall and verification, as text and as JSON."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.journals import keep, open_journal, random_steps, raw, session_steps
from support.reports import shown

from cabinet.attendant.recall import game_rows
from cabinet.commands import journal as offline
from cabinet.commands import reader_reports
from cabinet.engine.ledger import Account
from cabinet.engine.money import plain_amount
from cabinet.engine.round import Action, Outcome
from cabinet.store.errors import StoreBusyError, StoreDamagedError
from cabinet.store.journal import FILE

LISTED = (
    "credit",
    "coin_in",
    "coin_out",
    "bills_in",
    "bills_by_denomination",
    "bills_rejected",
    "tickets_out",
    "tickets_out_count",
    "tickets_in",
    "hand_paid",
    "cancelled_credit",
    "jackpots",
    "games_played",
    "games_won",
    "games_lost",
    "games_pushed",
    "by_game",
    "doors",
    "power_ups",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with play, payouts and faults."""
    folder = tmp_path_factory.mktemp("played")
    keep(folder, *session_steps())
    return folder


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many rounds of all kinds."""
    folder = tmp_path_factory.mktemp("long")
    keep(folder, *random_steps(7, 900))
    return folder


# --- meters -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ME-01", "ME-04")
def test_meters_list_everything_for_the_lifetime_and_the_period(data: Path):
    report = offline.read_meters(data)
    for period in ("lifetime", "period"):
        assert [name for name in LISTED if name not in report[period]] == []
    assert report["lifetime"]["games_played"] > 0
    assert report["lifetime"]["bills_in"] == sum(
        int(note) * count for note, count in report["lifetime"]["bills_by_denomination"].items()
    )


def test_meters_are_those_of_the_machine_that_was_stored(long: Path):
    report = offline.read_meters(long)
    with open_journal(long) as journal:
        assert journal.machine is not None
        books = journal.machine.books
    assert report["credit"] == books.credit_cents
    assert report["lifetime"]["coin_in"] == books.meter("coin_in") > 0
    assert report["accounts"] == {account.value: books.balance(account) for account in Account}
    assert sum(report["accounts"].values()) == 0


def test_meters_as_text_write_money_as_money_and_counts_as_counts(data: Path):
    report = offline.read_meters(data)
    lines = {
        line.split("│")[1].strip(): line
        for line in shown(reader_reports.meters_report(report)).splitlines()
        if "│" in line
    }
    assert f" {report['lifetime']['coin_in'] // 100:,}." in lines["coin in"]
    assert f" {report['lifetime']['games_played']} " in lines["games played"]
    assert " 0.00 " in lines["sum"]
    assert "european: coin in" in lines
    assert "notes of 20.00" in lines
    assert not any("bill" in name for name in lines)


def test_meters_as_text_fit_a_narrow_window(data: Path):
    text = shown(reader_reports.meters_report(offline.read_meters(data)), width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_every_account_and_meter_of_money_is_known_to_be_money(long: Path):
    flat = reader_reports.flatten(offline.read_meters(long)["lifetime"])
    counted = {name for name in flat if name.rpartition(".")[2] not in reader_reports.MONEY}
    odd = {name for name in counted if flat[name] >= 10_000}
    assert odd == set(), "meters that this session never moved"


@pytest.mark.parametrize(
    ("cents", "written"), [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123_456, "1,234.56"), (-10_000, "-100.00")]
)
def test_money_is_written_with_two_digits(cents: int, written: str):
    assert plain_amount(cents) == written


# --- recall -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("EV-01")
def test_recall_reports_cards_choices_stakes_and_results_of_the_last_rounds_in_order(long: Path):
    rounds = offline.read_rounds(long, 10).stories
    numbers = [story["number"] for story in rounds]
    assert numbers == list(range(numbers[0], numbers[0] + 10))
    for story in (story for story in rounds if not story["open"] and not story["voided"]):
        assert len(story["cards"]) >= 2 * sum(map(bool, story["bets"])) + 1
        assert {result["outcome"] for result in story["results"]} <= {outcome.value for outcome in Outcome}
        assert sum(r["stake"] for r in (*story["results"], *story["insurance"])) == story["staked"]
        assert sum(r["returned"] for r in (*story["results"], *story["insurance"])) == story["returned"]
        assert {c["choice"] for c in story["choices"]} <= {action.value for action in Action} | {"insurance"}


def test_recall_gives_as_many_rounds_as_there_are(data: Path):
    played = offline.read_meters(data)["lifetime"]["games_played"]
    assert len(offline.read_rounds(data, 1_000).stories) >= played > 0
    assert len(offline.read_rounds(data, 1).stories) == 1


def test_recall_as_text_reports_what_the_json_reports(long: Path):
    (story,) = [each for each in offline.read_rounds(long, 40).stories if len(each["results"]) > 1][-1:]
    text = shown(reader_reports.rounds_report(reader_reports.LastRounds(stories=(story,))), width=200)
    lines = {tuple(line.split(None, line.count(" "))) for line in text.splitlines()}
    assert f"RECALL game {story['number']}, {story['game']}" in text
    for name, words in game_rows(story, plain_amount):
        assert tuple(f"{name} {words}".split()) in lines
    for result in story["results"]:
        assert f"{result['outcome']}, stake {plain_amount(result['stake'])}" in text


def test_recall_of_a_machine_that_never_played_says_so(tmp_path: Path):
    keep(tmp_path, session_steps()[0])
    assert "No game has been played yet." in shown(reader_reports.rounds_report(offline.read_rounds(tmp_path, 5)))


# --- verify -----------------------------------------------------------------------------------------------------


def test_a_journal_in_order_is_said_to_be_so(data: Path):
    verdict = offline.check(data)
    reported = msgspec.to_builtins(offline.verdict_report(verdict, data).data)
    assert reported["ok"] is True
    assert reported["first_bad"] is None
    assert reported["rows"] == len(session_steps())
    assert sum(reported["accounts"].values()) == 0
    assert {"ok", "rows", "first_bad", "accounts", "credit", "seconds"} <= reported.keys()
    text = shown(offline.verdict_report(verdict, data))
    assert text.startswith("In order")
    assert plain_amount(verdict.credit) in text


def test_a_changed_row_is_named(tmp_path: Path):
    keep(tmp_path, *session_steps()[:12])
    with raw(tmp_path) as connection:
        connection.execute("UPDATE steps SET credit = credit + 100 WHERE seq = 9")
    verdict = offline.check(tmp_path)
    assert (verdict.ok, verdict.first_bad) == (False, 9)
    text = shown(offline.verdict_report(verdict, tmp_path))
    assert text.startswith("Not in order")
    assert "row 9" in text
    assert "do not clear it" in text


def test_a_journal_that_is_no_database_is_a_verdict_and_not_an_error(tmp_path: Path):
    (tmp_path / FILE).write_bytes(b"once upon a time" * 500)
    verdict = offline.check(tmp_path)
    assert not verdict.ok
    assert FILE in verdict.problems[0]


def test_what_stands_in_square_brackets_is_written_as_it_is(tmp_path: Path):
    folder = tmp_path / "[red]data[/red]"
    keep(folder, *session_steps()[:3])
    verdict = offline.check(folder)
    assert "[red]data[/red]" in shown(offline.verdict_report(verdict, folder), width=400)


# --- what cannot be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "read", [offline.read_meters, lambda data: offline.read_rounds(data, 3)], ids=["meters", "recall"]
)
def test_a_folder_without_a_journal_is_refused_and_left_as_it_was(tmp_path: Path, read: Any):
    with pytest.raises(StoreDamagedError, match="no journal here"):
        read(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_journal_is_reported_apart(tmp_path: Path):
    with open_journal(tmp_path):
        pass
    with pytest.raises(StoreDamagedError, match="never run"):
        offline.read_meters(tmp_path)


def test_a_journal_in_use_is_left_to_its_owner(data: Path):
    with open_journal(data), pytest.raises(StoreBusyError, match="running"):
        offline.read_meters(data)


@pytest.mark.requirement("EV-03")
def test_reading_changes_nothing(data: Path):
    with raw(data) as connection:
        before = list(connection.iterdump())
    offline.read_meters(data)
    offline.read_rounds(data, 5)
    with raw(data) as connection:
        assert list(connection.iterdump()) == before
