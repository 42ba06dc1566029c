"""Old records leave: what stays is enough, hangs together, and does not grow with the rounds that were played."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from support.clears import cleared_steps
from support.crashes import no_cards
from support.journals import (
    drop_if_due,
    keep_dropping,
    number_of,
    open_journal,
    random_steps,
    raw,
    session_steps,
    stamp,
)
from support.machines import SETTINGS, Cabinet, seated

from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    Bet,
    CallAttendant,
    CashOut,
    Deal,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    PayTicket,
    PrintUnknown,
    RecordsDropped,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.engine.step import Step
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.store import codec, compact, reports
from cabinet.store.chain import START, Checkpoint, link
from cabinet.store.compact import KEEPING, Keeping
from cabinet.store.errors import StoreDamagedError, StoreError
from cabinet.store.journal import FILE, Journal
from cabinet.store.tickets import look_up
from cabinet.store.verify import verify

FEW = Keeping(rows=100, step=20, rounds=3, entries=60, lasting=20, of_a_kind=4, tickets=5)


@cache
def steps() -> Sequence[tuple[Input, Step]]:
    """Returns the steps of long play."""
    return random_steps(19, 2_000)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which little is kept of long play."""
    folder = tmp_path_factory.mktemp("played")
    keep_dropping(folder, steps(), FEW)
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """The same, to be spoilt."""
    (tmp_path / FILE).write_bytes((played / FILE).read_bytes())
    return tmp_path


def count(folder: Path, table: str) -> int:
    """How many rows a table has."""
    with raw(folder) as connection:
        (found,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(found)


def calls(number: int) -> list[tuple[Input, Step]]:
    """Presses the service button this number of times; each press is an entry of the log."""
    cabinet = Cabinet(machine=engine.starting(SETTINGS))
    cabinet.do(*(CallAttendant() for _ in range(number)))
    return cabinet.history


# --- what stays -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-05", "ME-03")
def test_machine_meters_and_balances_are_those_of_all_the_rows_there_ever_were(played: Path) -> None:
    machine = steps()[-1][1].machine
    with open_journal(played) as journal:
        assert journal.machine == machine
        assert compact.first_kept(journal.connection) > 1_500
    verdict = verify(played)
    assert verdict.ok, verdict.problems
    assert verdict.since > 1_500
    assert verdict.accounts == dict(machine.books.balances)


@pytest.mark.requirement("EV-01", "EV-02")
def test_the_last_rounds_are_recalled_whole_as_if_nothing_had_left(played: Path, tmp_path: Path) -> None:
    keep_dropping(tmp_path, steps(), KEEPING)
    with open_journal(tmp_path) as journal:
        whole = {story["number"]: story for story in reports.recall(journal.connection, rounds=100)}
    with open_journal(played) as journal:
        stories = reports.recall(journal.connection, rounds=100)
    assert len(stories) >= FEW.rounds
    assert len(stories) < len(whole)
    for story in stories:
        same = whole[story["number"]]
        for part in ("cards", "bets", "choices", "results", "staked", "returned", "credit_before", "credit_after"):
            assert story[part] == same[part], (story["number"], part)


def test_a_round_that_is_longer_than_the_rows_that_stay_is_kept_whole(tmp_path: Path) -> None:
    hand = seated("table", cards="9S 6D 8H 10C")
    hand.do(*(CallAttendant() for _ in range(40)))
    start = len(hand.history)
    hand.do(Bet(place=0), Deal(), *(CallAttendant() for _ in range(400)))
    keep_dropping(tmp_path, hand.history, Keeping(rows=50, step=10, rounds=3))
    with open_journal(tmp_path) as journal:
        assert 1 < compact.first_kept(journal.connection) <= start + 2
        (story,) = reports.recall(journal.connection, rounds=5)
    assert story["open"]
    assert sorted(story["cards"]) == sorted(["9S", "6D", "8H", reports.HIDDEN])


@pytest.mark.requirement("EV-06", "EV-05")
def test_the_log_drops_its_oldest_entries_says_so_and_counts_on(played: Path) -> None:
    with open_journal(played) as journal:
        newest = reports.events(journal.connection, limit=FEW.entries)
        overflows = reports.events(journal.connection, limit=100, what=(LogKind.LOG_OVERFLOW.value,))
        everything = reports.events(journal.connection, limit=100_000)
    assert [a.number - b.number for a, b in pairwise(newest)] == [1] * (FEW.entries - 1)
    assert overflows
    assert "entries before" in overflows[0].detail
    assert newest[0].number > 4 * len(everything)


@pytest.mark.requirement("EV-06", "SE-02")
def test_what_is_rare_outlives_what_is_daily(tmp_path: Path) -> None:
    cabinet = seated("table", credit=1_000)
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.PAID_BY_HAND)
    cabinet.do(*(CallAttendant() for _ in range(500)))
    keep_dropping(tmp_path, cabinet.history, FEW)
    with open_journal(tmp_path) as journal:
        (paid,) = reports.events(journal.connection, limit=9, what=(LogKind.HAND_PAID.value,))
        called = reports.events(journal.connection, limit=1_000, what=(LogKind.CALL_ON.value,))
    assert paid.cents == 1_000
    assert paid.number < called[-1].number
    assert len(called) < 200


@pytest.mark.requirement("TP-05", "PL-05")
def test_the_last_tickets_and_every_unsettled_one_stay(tmp_path: Path) -> None:
    cabinet = seated("table", credit=100)
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="line lost"))
    doubt = len(cabinet.history)
    cabinet.do(*(CallAttendant() for _ in range(200)))
    cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.TICKET_CAME_OUT)
    for sequence in range(2, 12):
        cabinet.note(100)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    cabinet.do(*(CallAttendant() for _ in range(300)))
    assert doubt < 100
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for number, (input_, step) in enumerate(cabinet.history):
            journal.commit(input_, step, stamp(journal.seq + 1))
            drop_if_due(journal)
            if number == doubt + 190:
                assert compact.first_kept(journal.connection) > doubt
                assert [ticket.state for ticket in reports.tickets(journal.connection, limit=9)] == ["in doubt"]
        kept = reports.tickets(journal.connection, limit=99)
    assert [(ticket.sequence, ticket.state) for ticket in kept] == [(n, "issued") for n in range(11, 0, -1)]
    assert verify(tmp_path).ok


DAYS = 86_400


@pytest.mark.requirement("TP-12", "TP-14", "PL-05")
@pytest.mark.parametrize(
    ("days", "later", "redeemed", "kept"),
    [
        (30, 10 * DAYS, (), range(1, 13)),
        (30, 40 * DAYS, (), range(7, 13)),
        (0, 4_000 * DAYS, (), range(1, 13)),
        (30, 10 * DAYS, (1, 2, 3, 12), (*range(4, 13),)),
    ],
    ids=["can still be brought back", "expired", "never expires", "some were brought back"],
)
def test_a_ticket_leaves_only_when_it_cannot_come_back(
    tmp_path: Path, days: int, later: int, redeemed: Sequence[int], kept: Sequence[int]
) -> None:
    cabinet = seated("table", credit=0, settings=replace(SETTINGS, ticket_expires_days=days))
    for sequence in range(1, 13):
        cabinet.note(100)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    for sequence in redeemed:
        payable = {"sequence": sequence, "cents": 100, "standing": Standing.PAYABLE}
        cabinet.do(TicketOffered(**payable), TicketStacked(**payable))  # type: ignore[arg-type]
    printed = len(cabinet.history)
    cabinet.do(*(CallAttendant() for _ in range(400)))
    with Journal(tmp_path, number_of, keeping=replace(FEW, expired=6)) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number + (later if number > printed else 0)))
            drop_if_due(journal)
        assert compact.first_kept(journal.connection) > printed
        listed = reports.tickets(journal.connection, limit=99)
        for ticket in listed:
            there = look_up(journal.connection, ticket.number, stamp(printed + later).wall_ms)
            assert (there.sequence, there.cents) == (ticket.sequence, 100)
    assert sorted(ticket.sequence for ticket in listed) == list(kept)
    assert verify(tmp_path).ok


@pytest.mark.requirement("TP-13", "TP-14", "PL-05")
def test_an_expired_ticket_paid_by_hand_stays_as_long_as_the_row_of_its_payment(tmp_path: Path) -> None:
    cabinet = seated("table", credit=0)
    for sequence in range(1, 13):
        cabinet.note(100)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    printed = len(cabinet.history)
    cabinet.do(*(CallAttendant() for _ in range(50)))
    cabinet.audit()
    cabinet.do(PayTicket(sequence=1, cents=100))
    paid = len(cabinet.history)
    cabinet.audit(on=False)
    cabinet.do(*(CallAttendant() for _ in range(400)))
    seen: set[bool] = set()
    with Journal(tmp_path, number_of, keeping=replace(FEW, expired=0)) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number + (400 * DAYS if number > printed else 0)))
            drop_if_due(journal)
            if printed < compact.first_kept(journal.connection) < paid < number:
                seen.add(1 in {ticket.sequence for ticket in reports.tickets(journal.connection, limit=99)})
        left = {ticket.sequence for ticket in reports.tickets(journal.connection, limit=99)}
    assert seen == {True}
    assert 1 not in left
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("TP-12", "TP-14", "PL-05")
def test_an_expired_ticket_that_the_machine_has_in_hand_stays_until_that_is_settled(tmp_path: Path) -> None:
    cabinet = seated("table", credit=0)
    for sequence in range(1, 13):
        cabinet.note(100)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    printed = len(cabinet.history)
    cabinet.do(*(CallAttendant() for _ in range(104)))
    cabinet.do(TicketOffered(sequence=1, cents=100, standing=Standing.PAYABLE))
    cabinet.do(FaultBegan(fault=Fault.ACCEPTOR_LINK), FaultEnded(fault=Fault.ACCEPTOR_LINK))
    cabinet.do(*(CallAttendant() for _ in range(200)))
    cabinet.settle(LockKind.TICKET_IN_DOUBT, Settlement.CREDIT_TICKET)
    with Journal(tmp_path, number_of, keeping=replace(FEW, expired=0)) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number + (400 * DAYS if number > printed else 0)))
            drop_if_due(journal)
        kept = {ticket.sequence: ticket.state for ticket in reports.tickets(journal.connection, limit=99)}
    assert (kept[1], 2 in kept) == ("redeemed", False)
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("TP-12", "TP-14", "PL-05")
def test_a_ticket_that_is_good_outlives_a_clock_that_was_wrong(tmp_path: Path) -> None:
    cabinet = seated("table", credit=0)
    for sequence in range(1, 13):
        cabinet.note(100)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    printed = len(cabinet.history)
    cabinet.do(*(CallAttendant() for _ in range(400)))
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number + (70 * 365 * DAYS if number > printed else 0)))
            drop_if_due(journal)
        assert compact.first_kept(journal.connection) > printed
        assert look_up(journal.connection, number_of(1), stamp(printed).wall_ms).standing is Standing.PAYABLE


@pytest.mark.requirement("EV-07")
def test_the_newest_trusted_time_is_known_even_when_its_row_has_left(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for number, (input_, step) in enumerate(calls(400)):
            trusted = number < 4
            journal.commit(input_, step, stamp(number + (5_000 if trusted else 9_000), clock_ok=trusted))
            drop_if_due(journal)
        assert compact.first_kept(journal.connection) > 10
        assert reports.newest_time_ms(journal.connection) == stamp(5_003).wall_ms


# --- how much ---------------------------------------------------------------------------------------------------


def test_rows_and_file_stay_as_they_are_however_long_the_machine_plays(tmp_path: Path) -> None:
    sizes, rows = [], []
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for number, (input_, step) in enumerate(calls(3_000), start=1):
            journal.commit(input_, step, stamp(journal.seq + 1))
            drop_if_due(journal)
            if number % 500 == 0:
                sizes.append(journal.connection.execute("PRAGMA page_count").fetchone()[0])
                rows.append(journal.connection.execute("SELECT count(*) FROM steps").fetchone()[0])
    assert max(rows) <= FEW.rows + FEW.step + 2
    assert sizes[-1] <= sizes[1] + 4
    assert count(tmp_path, "snapshots") <= FEW.rows // FEW.step + 3


def test_nothing_is_due_before_there_is_more_than_is_kept(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for input_, step in calls(FEW.rows + FEW.step):
            journal.commit(input_, step, stamp(journal.seq + 1))
            assert journal.find_droppable() is None
        assert compact.first_kept(journal.connection) == 1


def test_a_backlog_is_checked_a_part_at_a_time_while_play_goes_on(tmp_path: Path) -> None:
    """As after a program that dropped nothing: 400 rows without a kept machine, then the rule begins to hold."""
    steps = calls(540)
    with Journal(tmp_path, number_of, keeping=Keeping(step=10_000)) as journal:
        for input_, step in steps[:400]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    slow = replace(FEW, at_once=50)
    with Journal(tmp_path, number_of, keeping=slow) as journal:
        for input_, step in steps[400:]:
            journal.commit(input_, step, stamp(journal.seq + 1))
            at = compact.begin_check(journal.connection, journal.seq, slow)
            if at is not None:
                break
        assert at is not None
        assert at.place == 420
        asked = 0
        for input_, step in steps[journal.seq :]:
            asked += 1
            if (due := journal.find_droppable()) is not None:
                break
            journal.commit(input_, step, stamp(journal.seq + 1))
        assert asked == 9, "420 rows, 50 in a call"
        assert due is not None
        assert due.row == 420
        assert journal.machine is not None
        journal.commit(due, engine.step(SETTINGS, journal.machine, due, no_cards), stamp(journal.seq + 1))
        assert compact.first_kept(journal.connection) == 420
    assert verify(tmp_path).ok


def test_many_rows_are_dropped_with_word_of_how_far_it_has_got(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one step: both copies are as they were, or have dropped all."""
    monkeypatch.setattr("cabinet.store.record.DROPPED_AT_ONCE", 50)
    (tmp_path / "second").mkdir()
    words: list[tuple[int, int]] = []
    with Journal(
        tmp_path / "first",
        number_of,
        second=tmp_path / "second",
        keeping=replace(FEW, rows=40),
        progress=lambda done, rows: words.append((done, rows)),
    ) as journal:
        for input_, step in calls(200):
            journal.commit(input_, step, stamp(journal.seq + 1))
        assert words == []
        assert drop_if_due(journal)
        assert compact.first_kept(journal.connection) == 160
    assert words == [(50, 159), (100, 159), (150, 159), (159, 159)] * 2
    for name in ("first", "second"):
        assert verify(tmp_path / name).problems == ()


def test_the_rule_keeps_at_least_what_an_attendant_is_shown() -> None:
    assert KEEPING.rounds >= 11
    assert KEEPING.tickets >= 35
    assert KEEPING.of_a_kind >= 35
    assert KEEPING.entries >= 140


# --- how it hangs together --------------------------------------------------------------------------------------

SPOILS = {
    "UPDATE checkpoint SET seq = seq + 20": "the checkpoint does not fit its hash",
    "UPDATE checkpoint SET identity = before": "the checkpoint does not fit its hash",
    "DELETE FROM checkpoint": "row 1: it is missing",
    "DELETE FROM steps WHERE seq = (SELECT seq FROM checkpoint)": "or it is missing",
    "UPDATE steps SET credit = credit + 1 WHERE seq = (SELECT seq FROM checkpoint)": "do not fit its hash",
    "UPDATE steps SET credit = credit + 1 WHERE seq = (SELECT seq + 1 FROM checkpoint)": "do not fit its hash",
    "UPDATE snapshots SET body = x'7b7d' WHERE seq = (SELECT seq FROM checkpoint)": "is not the one it led to",
    "UPDATE snapshots SET body = x'7b7d' WHERE seq > (SELECT seq FROM checkpoint)": "is not the one it led to",
    "UPDATE events SET detail = 'x' WHERE number = (SELECT min(number) FROM events)": "is not what was sealed",
    "DELETE FROM events WHERE number = (SELECT min(number) FROM events)": "is not what was sealed",
    "DELETE FROM events WHERE number = (SELECT max(number) FROM events)": "is not what the row says",
    "UPDATE tickets SET cents = cents + 1 WHERE sequence = (SELECT min(sequence) FROM tickets)": "is listed as",
    "DELETE FROM tickets WHERE sequence = (SELECT min(sequence) FROM tickets)": "is listed as absent",
}


@pytest.mark.requirement("PL-06", "PL-07", "EV-05", "PL-08")
@pytest.mark.parametrize("statement", SPOILS)
def test_whatever_is_touched_of_what_stayed_is_found(folder: Path, statement: str) -> None:
    with raw(folder) as connection:
        assert connection.execute(statement).rowcount > 0
    verdict = verify(folder)
    assert not verdict.ok
    assert SPOILS[statement] in verdict.problems[0], verdict.problems
    with pytest.raises(StoreDamagedError):
        open_journal(folder)


@pytest.mark.requirement("EV-05")
def test_a_row_left_before_the_checkpoint_is_found(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute(
            "INSERT INTO steps SELECT seq - 1, boot, wall_ms, mono_ms, clock_ok, round, credit, input, drawn, "
            "postings, counts, events, tickets, machine_hash, hash FROM steps WHERE seq = (SELECT seq FROM checkpoint)"
        )
    assert "stands before the checkpoint" in verify(folder).problems[0]


@pytest.mark.requirement("EV-05")
def test_a_checkpoint_with_other_words_does_not_fit_the_step_that_made_it(folder: Path) -> None:
    """An attacker forges a checkpoint with a correct hash; the chain still has the seal of the true one."""
    columns = ", ".join(Checkpoint._fields)
    with raw(folder) as connection:
        point = Checkpoint(*connection.execute(f"SELECT {columns} FROM checkpoint").fetchone())
        tickets = {
            key: [*words[:1], words[1] + 100, *words[2:]] for key, words in codec.decode_plain(point.tickets).items()
        }
        forged = point._replace(tickets=codec.encode_plain(tickets))
        connection.execute("UPDATE checkpoint SET tickets = ?, hash = ?", (forged.tickets, link(START, forged)))
        connection.execute("UPDATE tickets SET cents = cents + 100")
    verdict = verify(folder)
    assert verdict.first_bad is not None
    assert "it seals other words than those of the checkpoint" in verdict.problems[0]


@pytest.mark.requirement("PL-07")
def test_rows_that_do_not_fit_are_never_dropped(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for input_, step in calls(FEW.rows + FEW.step + 1):
            journal.commit(input_, step, stamp(journal.seq + 1))
        journal.connection.execute("UPDATE steps SET credit = 7 WHERE seq = 9")
        with pytest.raises(StoreDamagedError, match="row 9: its words do not fit its hash"):
            journal.find_droppable()
        assert compact.first_kept(journal.connection) == 1


def test_only_what_was_agreed_is_dropped(tmp_path: Path) -> None:
    with Journal(tmp_path, number_of, keeping=FEW) as journal:
        for input_, step in calls(FEW.rows + FEW.step + 1):
            journal.commit(input_, step, stamp(journal.seq + 1))
        assert journal.machine is not None
        wish = RecordsDropped(row=100, entry=100, digest="00")
        step = engine.step(SETTINGS, journal.machine, wish, lambda _: 0)
        with pytest.raises(StoreError, match="only be dropped as `find_droppable` has returned"):
            journal.commit(wish, step, stamp(1))
        assert journal.find_droppable() is not None
        with pytest.raises(StoreError, match="only be dropped as `find_droppable` has returned"):
            journal.commit(wish, step, stamp(1))
        assert drop_if_due(journal)
    assert verify(tmp_path).ok


def test_an_identity_stays_when_the_first_row_has_left(tmp_path: Path) -> None:
    steps = session_steps()
    with Journal(tmp_path, number_of, keeping=Keeping(rows=20, step=5, rounds=1)) as journal:
        assert compact.identity(journal.connection) is None
        journal.commit(*steps[0], stamp(1))
        first = compact.identity(journal.connection)
        for input_, step in steps[1:]:
            journal.commit(input_, step, stamp(journal.seq + 1))
            drop_if_due(journal)
        assert compact.first_kept(journal.connection) > 1
        assert compact.identity(journal.connection) == first


@pytest.mark.requirement("PL-09", "EV-06")
def test_the_entry_of_a_memory_clear_never_leaves_the_log(tmp_path: Path) -> None:
    steps = cleared_steps()
    cabinet = Cabinet(machine=steps[-1][1].machine)
    cabinet.do(*(CallAttendant() for _ in range(600)))
    none_of_a_kind = Keeping(rows=100, step=20, rounds=1, entries=30, of_a_kind=0, tickets=5)
    keep_dropping(tmp_path, [*steps, *cabinet.history], none_of_a_kind)
    kept = [LogKind.MEMORY_CLEARED.value, LogKind.METERS_ZEROED.value]
    with open_journal(tmp_path) as journal:
        assert sorted(entry.what for entry in reports.events(journal.connection, limit=9, what=kept)) == sorted(
            [LogKind.METERS_ZEROED.value, LogKind.MEMORY_CLEARED.value]
        )
        assert reports.events(journal.connection, limit=9, what=[LogKind.POWER_UP.value]) == ()
        (oldest,) = journal.connection.execute("SELECT min(seq) FROM steps").fetchone()
        assert oldest > len(steps)
    assert verify(tmp_path).ok
