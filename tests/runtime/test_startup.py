"""What a start finds out: how the last run ended, which settings and program are new, and a secret of its own."""

import logging
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clears import CLEARS, prepared
from support.machines import SETTINGS, Cabinet, dealt, seated

from cabinet.config.key_names import KEYS, Unguarded
from cabinet.engine.inputs import (
    BillOffered,
    BillStacked,
    CashOut,
    CopiesNotCompared,
    MemoryRecovered,
    PayTicket,
    PoweredUp,
    PrintUnknown,
    RecordsDoubted,
    SettingsChanged,
    SingleCopyFound,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.rules import EUROPEAN, Table, vary
from cabinet.engine.state import Settings
from cabinet.runtime import startup
from cabinet.runtime.program import program_hash
from cabinet.store.journal import FILE, Journal, Stamp
from cabinet.store.mark import REACHED

STAMP = Stamp(boot=1, wall_ms=startup.RELEASED_MS + 5_000, mono_ms=0, clock_ok=True)


def _open(folder) -> Journal:
    return Journal(folder, lambda sequence: f"{sequence:018d}")


def _powered(start: startup.Boot) -> PoweredUp:
    (first, *_) = start.facts
    assert isinstance(first, PoweredUp)
    return first


def _changes(start: startup.Boot) -> list[SettingsChanged]:
    return [fact for fact in start.facts if isinstance(fact, SettingsChanged)]


def _begin(journal: Journal, settings: Settings = SETTINGS) -> startup.Boot:
    """A start whose facts are acknowledged."""
    start = startup.open_run(journal, settings, check_program=False)
    startup.acknowledge(journal, start)
    return start


def _keep(journal: Journal, cabinet: Cabinet) -> None:
    """Leave the cabinet's machine in the journal."""
    assert cabinet.last is not None
    journal.commit(BillOffered(cents=1), replace(cabinet.last, events=(), postings=()), STAMP)


def _keep_all(journal: Journal, history) -> None:
    for input_, step in history:
        journal.commit(input_, step, STAMP)


@pytest.fixture
def journal(tmp_path):
    with _open(tmp_path) as opened:
        yield opened


# --- how the last run ended -------------------------------------------------------------------------------------


def test_the_first_start_is_clean(journal):
    start = startup.open_run(journal, SETTINGS, check_program=False)
    assert (start.number, _powered(start).clean, _powered(start).crashed) == (1, True, False)
    assert _changes(start) == []


def test_a_start_after_an_orderly_end_is_clean(journal):
    _begin(journal)
    startup.close_run(journal)
    start = startup.open_run(journal, SETTINGS, check_program=False)
    assert (start.number, _powered(start).clean) == (2, True)


@pytest.mark.requirement("PL-10", "TE-05")
def test_a_start_without_an_orderly_end_is_not_clean_and_a_crash_under_the_same_kernel(journal):
    _begin(journal)
    powered = _powered(startup.open_run(journal, SETTINGS, check_program=False))
    assert (powered.clean, powered.crashed) == (False, True)


@pytest.mark.requirement("PL-10")
def test_without_an_orderly_end_and_under_another_kernel_the_power_was_lost(journal, monkeypatch, tmp_path):
    _begin(journal)
    other = tmp_path / "boot_id"
    other.write_text("another\n", encoding="utf-8")
    monkeypatch.setattr(startup, "BOOT_ID", other)
    powered = _powered(startup.open_run(journal, SETTINGS, check_program=False))
    assert (powered.clean, powered.crashed) == (False, False)


def test_where_the_kernel_does_not_name_its_boot_no_crash_is_claimed(journal, monkeypatch, tmp_path):
    monkeypatch.setattr(startup, "BOOT_ID", tmp_path / "nothing")
    _begin(journal)
    assert not _powered(startup.open_run(journal, SETTINGS, check_program=False)).crashed


# --- settings ---------------------------------------------------------------------------------------------------

CHANGED = replace(SETTINGS, turbo_allowed=False, credit_limit_cents=200_000)


@pytest.mark.requirement("AT-09")
def test_changed_settings_are_reported_with_old_and_new_values(journal):
    _begin(journal)
    (change,) = _changes(startup.open_run(journal, CHANGED, check_program=False))
    assert change.old == "games.turbo=yes, money.credit_limit_cents=300000"
    assert change.new == "games.turbo=no, money.credit_limit_cents=200000"


@pytest.mark.requirement("AT-09")
def test_a_changed_rule_is_reported_by_its_game(journal):
    _begin(journal)
    table = Table(rules=vary(EUROPEAN, splits_max=1), limits=SETTINGS.tables[0].limits)
    (change,) = _changes(
        startup.open_run(journal, replace(SETTINGS, tables=(table, *SETTINGS.tables[1:])), check_program=False)
    )
    assert (change.old, change.new) == ("games.rules.european.splits_max=3", "games.rules.european.splits_max=1")


def test_a_game_that_is_gone_is_reported(journal):
    _begin(journal)
    (change,) = _changes(startup.open_run(journal, replace(SETTINGS, tables=SETTINGS.tables[:1]), check_program=False))
    assert (change.old, change.new) == ("games.offered=european table classic", "games.offered=european")


def test_a_change_that_was_not_reported_before_the_power_went_is_found_again(journal):
    _begin(journal)
    startup.open_run(journal, CHANGED, check_program=False)
    assert len(_changes(startup.open_run(journal, CHANGED, check_program=False))) == 1


def test_a_change_is_reported_once(journal):
    _begin(journal)
    _begin(journal, CHANGED)
    assert _changes(startup.open_run(journal, CHANGED, check_program=False)) == []


def test_a_setting_that_is_new_in_the_program_is_no_change_of_the_operator(journal):
    _begin(journal)
    known = journal.fact("settings")
    assert known is not None
    journal.remember("settings", known.replace('"turbo_allowed":true,', ""))
    _keep(journal, seated(credit=500))
    assert _changes(_begin(journal)) == []
    assert journal.fact("settings") == known


HOLDING = {
    "a credit of 5.00": lambda: seated(credit=500),
    "an open hand": lambda: dealt("table", "9S 6D 8H 10C", credit=100),
    "a note still in the acceptor": lambda: _after(seated(credit=0), BillOffered(cents=500)),
    "an unsettled payout of 5.00": lambda: _after(seated(credit=500), CashOut()),
    "an unexpected note of 5.00": lambda: _after(seated(credit=0), BillStacked(cents=500)),
    "an unexpected note of unknown value": lambda: _after(seated(credit=0), BillStacked(cents=None)),
}


def _after(cabinet: Cabinet, *inputs) -> Cabinet:
    cabinet.do(*inputs)
    return cabinet


@pytest.mark.requirement("AT-09")
@pytest.mark.parametrize("what", HOLDING)
def test_settings_are_not_changed_while_the_machine_holds_something_of_the_players(journal, what):
    _begin(journal)
    _keep(journal, HOLDING[what]())
    with pytest.raises(startup.SettingsRefusedError) as refused:
        startup.open_run(journal, CHANGED, check_program=False)
    assert what in str(refused.value)
    assert "games.turbo from yes to no, money.credit_limit_cents from 300000 to 200000" in str(refused.value)
    assert refused.value.keys == ("games.turbo", "money.credit_limit_cents")
    assert "start it with the settings of the last run, finish the hand and pay the player" in str(refused.value)


@pytest.mark.requirement("AT-09")
@pytest.mark.parametrize(("key", "value"), [("currency", "EUR"), ("machine_number", 7)])
def test_what_gives_money_and_tickets_their_meaning_is_guarded_like_a_setting(journal, key, value):
    identity = {"currency": "USD", "machine_number": 42}
    startup.acknowledge(journal, startup.open_run(journal, SETTINGS, check_program=False, identity=identity))
    _keep(journal, seated(credit=500))

    with pytest.raises(startup.SettingsRefusedError, match=KEYS[key]):
        startup.open_run(journal, SETTINGS, check_program=False, identity={**identity, key: value})


@pytest.mark.requirement("AT-09", "TP-12")
@pytest.mark.parametrize(("key", "value"), [("currency", "GBP"), ("machine_number", 7)])
def test_what_stands_on_a_ticket_is_not_changed_while_one_is_owed(journal, key, value):
    identity = {"currency": "USD", "machine_number": 42}
    startup.acknowledge(journal, startup.open_run(journal, SETTINGS, check_program=False, identity=identity))
    cabinet = seated(credit=500)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    _keep_all(journal, cabinet.history)
    assert cabinet.machine.books.credit_cents == 0

    with pytest.raises(startup.SettingsRefusedError, match=r"5.00 owed on printed tickets \(1 listed\)") as refused:
        startup.open_run(journal, SETTINGS, check_program=False, identity={**identity, key: value})
    assert (refused.value.keys, refused.value.cents) == ((KEYS[key],), 500)
    assert "pay the tickets by hand" in str(refused.value)
    other = startup.open_run(journal, CHANGED, check_program=False, identity=identity)
    assert len(_changes(other)) == 1, "other settings say nothing of a ticket"

    kept = len(cabinet.history)
    cabinet.audit()
    cabinet.do(PayTicket(sequence=1, cents=500))
    _keep_all(journal, cabinet.history[kept:])
    assert (
        len(_changes(startup.open_run(journal, SETTINGS, check_program=False, identity={**identity, key: value}))) == 1
    )


@pytest.mark.requirement("AT-09", "PL-09")
def test_the_currency_is_guarded_by_a_ticket_from_before_a_memory_clear(journal):
    identity = {"currency": "USD"}
    startup.acknowledge(journal, startup.open_run(journal, SETTINGS, check_program=False, identity=identity))
    cabinet = prepared()
    cabinet.do(CLEARS)
    _keep_all(journal, cabinet.history)
    assert cabinet.balance(Account.TICKETS) == 0

    with pytest.raises(startup.SettingsRefusedError, match=r"5.00 owed on printed tickets \(1 listed\)"):
        startup.open_run(journal, SETTINGS, check_program=False, identity={"currency": "GBP"})


def test_a_ticket_in_doubt_is_still_the_players(journal):
    _begin(journal)
    _keep(journal, _after(seated(credit=500), CashOut(), PrintUnknown(sequence=1, reason="link lost")))
    with pytest.raises(startup.SettingsRefusedError, match=r"an unsettled payout of 5\.00"):
        startup.open_run(journal, CHANGED, check_program=False)


def test_a_refused_change_is_refused_again_and_the_old_settings_still_start(journal):
    _begin(journal)
    _keep(journal, seated(credit=500))
    for _ in range(2):
        with pytest.raises(startup.SettingsRefusedError):
            startup.open_run(journal, CHANGED, check_program=False)
    assert _changes(startup.open_run(journal, SETTINGS, check_program=False)) == []


def test_an_empty_machine_takes_changed_settings(journal):
    _begin(journal)
    _keep(journal, seated(credit=0))
    assert len(_changes(startup.open_run(journal, CHANGED, check_program=False))) == 1


OTHERS = Unguarded(shown={"sound.volume": "6", "machine.venue": "Bar"}, hidden={"attendant.technician_pin": "493817"})


def _begin_with(journal: Journal, others: Unguarded) -> list[SettingsChanged]:
    """Returns the changed settings of a start whose facts are acknowledged."""
    start = startup.open_run(journal, SETTINGS, check_program=False, others=others)
    startup.acknowledge(journal, start)
    return _changes(start)


@pytest.mark.requirement("AT-09")
def test_unguarded_settings_may_change_with_money_in_the_machine_and_are_reported_once(journal):
    assert _begin_with(journal, OTHERS) == []
    _keep(journal, seated(credit=500))
    others = replace(OTHERS, shown={"sound.volume": "8", "machine.venue": "Bar"})
    assert _begin_with(journal, others) == [SettingsChanged(old="sound.volume=6", new="sound.volume=8", of_play=False)]
    assert _begin_with(journal, others) == []


@pytest.mark.requirement("AT-09")
def test_another_pin_is_reported_and_no_pin_is_kept_or_shown(journal):
    _begin_with(journal, OTHERS)
    (change,) = _begin_with(journal, replace(OTHERS, hidden={"attendant.technician_pin": "271828"}))
    assert (change.old, change.new) == ("attendant.technician_pin=not shown", "attendant.technician_pin=another")
    kept = journal.fact("other settings")
    assert kept is not None
    assert "493817" not in kept
    assert "271828" not in kept
    assert "271828" not in repr(OTHERS) + repr(change)


def test_a_pin_that_came_or_went_is_reported_by_the_guarded_setting_alone(journal):
    _begin_with(journal, OTHERS)
    assert _begin_with(journal, replace(OTHERS, hidden={"attendant.technician_pin": ""})) == []


def test_settings_of_which_the_last_run_kept_nothing_are_no_change(journal):
    _begin(journal)
    assert _begin_with(journal, OTHERS) == []


@given(
    old=st.dictionaries(st.sampled_from("abc"), st.integers() | st.dictionaries(st.sampled_from("xy"), st.integers())),
    new=st.dictionaries(st.sampled_from("abc"), st.integers() | st.dictionaries(st.sampled_from("xy"), st.integers())),
)
def test_a_difference_names_two_values_that_differ(old, new):
    assert list(startup.differences(old, old)) == []
    assert all(was != is_ for _, was, is_ in startup.differences(old, new))
    assert len(list(startup.differences(old, new))) == len(list(startup.differences(new, old)))


# --- the secret -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("SE-08")
def test_the_secret_is_made_once_and_kept(tmp_path):
    with _open(tmp_path) as journal:
        first = startup.open_run(journal, SETTINGS, check_program=False).secret
    with _open(tmp_path) as journal:
        assert startup.open_run(journal, SETTINGS, check_program=False).secret == first
    assert len(first) == 32


@pytest.mark.requirement("SE-08")
def test_two_machines_have_two_secrets(tmp_path):
    with _open(tmp_path / "a") as one, _open(tmp_path / "b") as other:
        assert startup.ticket_secret(one) != startup.ticket_secret(other)


@pytest.mark.requirement("SE-08")
def test_the_secret_is_neither_logged_nor_shown(journal, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    start = _begin(journal)
    shown = f"{start!r}{start}{caplog.text}{''.join(capsys.readouterr())}"
    assert start.secret.hex() not in shown
    assert repr(start.secret) not in shown


# --- the clock --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("EV-07")
def test_the_clock_floor_is_the_newest_trusted_time_of_the_journal(journal):
    assert startup.open_run(journal, SETTINGS, check_program=False).clock_floor_ms == 0
    _keep(journal, seated())
    assert startup.open_run(journal, SETTINGS, check_program=False).clock_floor_ms == STAMP.wall_ms


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_single_copy_and_a_recovered_one_are_reported_at_the_start(tmp_path):
    def opened():
        return Journal(tmp_path / "data", lambda sequence: f"{sequence:018d}", second=tmp_path / "stick")

    with _open(tmp_path / "data") as journal:
        assert SingleCopyFound() in _begin(journal).facts
        for input_, step in seated(credit=0).history:
            journal.commit(input_, step, STAMP)
    (tmp_path / "stick").mkdir()
    with opened() as journal:
        assert MemoryRecovered(detail="second copy: there was none") in _begin(journal).facts
    with opened() as journal:
        assert len(_begin(journal).facts) == 1


@pytest.mark.requirement("PL-06", "PL-07")
def test_a_doubt_about_the_records_is_reported_until_it_is_acknowledged(tmp_path):
    def opened():
        return Journal(tmp_path / "data", lambda sequence: f"{sequence:018d}", second=tmp_path / "stick")

    (tmp_path / "stick").mkdir()
    steps = seated(credit=0).history
    with opened() as journal:
        for input_, step in steps:
            journal.commit(input_, step, STAMP)
    for name in (FILE, REACHED):
        (tmp_path / "data" / name).unlink()
    for _ in range(2):  # the power fails before the first is acknowledged
        with opened() as journal:
            start = startup.open_run(journal, SETTINGS, check_program=False)
            (doubted,) = [fact for fact in start.facts if isinstance(fact, RecordsDoubted)]
            assert f"{len(steps)} rows: check against papers" in doubted.detail
    with opened() as journal:
        _begin(journal)
    with opened() as journal:
        assert not [fact for fact in _begin(journal).facts if isinstance(fact, RecordsDoubted)]


@pytest.mark.requirement("PL-06")
def test_a_start_without_the_second_copy_is_reported_every_time(tmp_path):
    with _open(tmp_path / "data") as journal:
        for input_, step in seated(credit=0).history:
            journal.commit(input_, step, STAMP)
    for _ in range(2):
        with Journal(tmp_path / "data", str, second=tmp_path / "stick") as journal:
            assert CopiesNotCompared(detail=f"{tmp_path / 'stick'} is not there") in _begin(journal).facts


# --- the program ------------------------------------------------------------------------------------------------


def test_the_hash_of_the_program_is_reported_where_it_is_checked(journal):
    checked = _powered(startup.open_run(journal, SETTINGS, check_program=True))
    assert checked.program_hash == program_hash()
    assert _powered(startup.open_run(journal, SETTINGS, check_program=False)).program_hash == ""
