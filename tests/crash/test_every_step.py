"""A session cut off at every step, before it is kept and after: the same hand, the same money, or a lock naming it."""

import os
import shutil
import signal
from pathlib import Path

import pytest
from support.clears import CLEARS, prepared
from support.crashes import SESSIONS, Cue, InMemory, cues_of, go_on, money_of, restart
from support.journals import open_journal, stamp
from support.settling import WAYS, choice, ready

from cabinet.engine import machine as engine
from cabinet.engine.inputs import PoweredUp, Settlement
from cabinet.engine.ledger import Account, faults_of
from cabinet.engine.locks import find, hand_open
from cabinet.engine.machine import lit
from cabinet.engine.state import LockKind, Machine, NoteIntent, Settings, TicketIntent
from cabinet.store import reports
from cabinet.store.journal import FILE
from cabinet.store.verify import verify

DOUBTS = frozenset({LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT})
PLAYERS = (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE)


def woken(settings: Settings, machine: Machine) -> InMemory:
    """Returns the machine after a restart whose devices report no event."""
    take = InMemory(settings, machine)
    restart(take)
    return take


def check_wakes_whole(settings: Settings, machine: Machine) -> None:
    """Nothing is lost, printed or dealt by waking up; what is unclear is a lock with its amount."""
    take = woken(settings, machine)
    after = take.machine
    assert not [effect for step in take.steps for effect in step.effects]
    assert faults_of(after.books) == ()
    assert [after.books.balance(account) for account in PLAYERS] == [
        machine.books.balance(account) for account in PLAYERS
    ]
    document = machine.acceptor.in_path
    if isinstance(document, NoteIntent):
        doubt = find(after, LockKind.NOTE_IN_DOUBT)
        assert doubt is not None
        assert doubt.cents == document.cents
    if isinstance(document, TicketIntent):
        doubt = find(after, LockKind.TICKET_IN_DOUBT)
        assert doubt is not None
        assert (doubt.cents, doubt.sequence) == (document.cents, document.sequence)
    if machine.printer.printing is not None:
        lock = find(after, LockKind.PRINT_UNKNOWN)
        assert lock is not None
        assert (lock.cents, lock.sequence) == (machine.printer.printing.cents, machine.printer.printing.sequence)
        assert lock.cents == after.books.balance(Account.IN_TRANSIT)
    if hand_open(machine):
        assert (after.round, after.phase, after.results) == (machine.round, machine.phase, machine.results)
        if not any(find(after, kind) for kind in DOUBTS):
            assert lit(settings, after) == lit(settings, machine)
    kept = {lock for lock in machine.locks if lock.kind not in DOUBTS}
    assert kept <= set(after.locks)


@pytest.mark.requirement("PL-01", "PL-02", "BA-03", "TP-04", "PL-04", "CM-10")
@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_cut_off_before_or_after_any_step_ends_with_the_same_money(name: str) -> None:
    settings, cues = cues_of(name)
    whole = money_of(cues[-1].step.machine)
    for cue in cues:
        for machine, rest in ((cue.before, cues[cue.number - 1 :]), (cue.step.machine, cues[cue.number :])):
            check_wakes_whole(settings, machine)
            take = woken(settings, machine)
            assert money_of(go_on(take.machine, rest, take)) == whole, (cue.number, cue.input)


@pytest.mark.requirement("PL-02", "PL-03")
@pytest.mark.parametrize("name", SESSIONS)
def test_the_cards_of_a_session_cut_off_everywhere_are_those_of_the_session(name: str) -> None:
    """One run with a restart after every single step."""
    settings, cues = cues_of(name)
    take = InMemory(settings, engine.starting(settings))
    dealt = []
    for cue in cues:
        before = len(take.steps)
        go_on(take.machine, (cue,), take)
        dealt += [card for step in take.steps[before:] for card in step.drawn]
        restart(take)
    assert dealt == [card for cue in cues for card in cue.step.drawn]
    assert money_of(take.machine) == money_of(cues[-1].step.machine)


def _statements(folder: Path, cue: Cue) -> int:
    """How many statements keep this step."""
    said: list[str] = []
    with open_journal(folder) as journal:
        journal.connection.set_trace_callback(said.append)
        journal.commit(cue.input, cue.step, stamp(cue.number))
        journal.connection.set_trace_callback(None)
    return len(said)


def _killed_at(folder: Path, cue: Cue, statement: int) -> None:
    """A process that keeps the step and is killed as it comes to this statement (0 is the first)."""
    child = os.fork()
    if child == 0:
        left = [statement]

        def kill(_: str) -> None:
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

        journal = open_journal(folder)
        journal.connection.set_trace_callback(kill)
        journal.commit(cue.input, cue.step, stamp(cue.number))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) is (statement >= 0)


@pytest.mark.requirement("PL-01", "PL-03", "EV-05", "TP-02")
def test_a_kill_at_any_statement_leaves_the_step_before_and_a_sound_journal(tmp_path: Path, breadth: int) -> None:
    """Each third step of the session (`make test-all`: every one) is kept with a kill at one of its statements, each
    time at another one."""
    settings, cues = cues_of("money-in-trouble")
    whole, cut, measured = tmp_path / "whole", tmp_path / "cut", tmp_path / "measured"
    for folder in (whole, cut, measured):
        folder.mkdir()
    open_journal(whole).close()
    for cue in cues:
        if breadth == 1 and cue.number % 3:
            with open_journal(whole) as journal:
                journal.commit(cue.input, cue.step, stamp(cue.number))
            continue
        shutil.copy(whole / FILE, cut / FILE)
        shutil.copy(whole / FILE, measured / FILE)
        number = _statements(measured, cue)
        _killed_at(cut, cue, cue.number % number)
        with open_journal(cut) as journal:
            kept = journal.machine or engine.starting(settings)
            assert (journal.seq, kept) == (cue.number - 1, cue.before)
            journal.commit(cue.input, cue.step, stamp(cue.number))
        assert verify(cut).ok
        shutil.copy(cut / FILE, whole / FILE)
    assert verify(whole).rows == len(cues)


@pytest.mark.requirement("PL-02", "EV-04", "PL-10")
def test_an_interrupted_round_is_reported_and_recalled(tmp_path: Path) -> None:
    settings, cues = cues_of("table-evening")
    cut = next(cue for cue in cues if hand_open(cue.step.machine))
    with open_journal(tmp_path) as journal:
        for cue in cues[: cut.number]:
            journal.commit(cue.input, cue.step, stamp(cue.number))
    with open_journal(tmp_path) as journal:
        assert journal.machine == cut.step.machine
        step = engine.step(settings, journal.machine, PoweredUp(clean=False), lambda _: 0)
        journal.commit(PoweredUp(clean=False), step, stamp(99))
        assert step.machine.shown.notice == "power lost during play"
        assert reports.recall(journal.connection, rounds=1)[0]["open"]
        log = reports.events(journal.connection, limit=3)
    assert "power lost during play" in [entry.what for entry in log]


@pytest.mark.requirement("PL-09", "PL-01")
def test_a_memory_clear_cut_off_at_any_statement_has_happened_whole_or_not_at_all(tmp_path: Path) -> None:
    cabinet = prepared()
    whole = tmp_path / "whole"
    whole.mkdir()
    with open_journal(whole) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number))
    before, number = cabinet.machine, len(cabinet.history) + 1
    cue = Cue(number=number, input=CLEARS, step=cabinet.do(CLEARS), before=before)
    measured = tmp_path / "measured"
    shutil.copytree(whole, measured)
    for statement in range(_statements(measured, cue)):
        cut = tmp_path / f"cut-{statement}"
        shutil.copytree(whole, cut)
        _killed_at(cut, cue, statement)
        assert verify(cut).ok
        with open_journal(cut) as journal:
            assert journal.machine == before
            take = woken(cabinet.settings, before)
            assert not take.machine.access.clear_prepared, "after a cut the key clears nothing"
    with open_journal(measured) as journal:
        assert journal.machine == cabinet.machine
    assert verify(measured).ok


UNMADE = {LockKind.SELF_AUDIT}
"""Locks that no step of a sound machine adds, so that no journal can lead to them."""


@pytest.mark.requirement("PL-01", "CM-10", "TP-05")
@pytest.mark.parametrize(("kind", "how"), [way for way in WAYS if way[0] not in UNMADE], ids=str)
def test_a_settlement_cut_off_in_its_middle_has_not_happened_and_happens_once(
    kind: LockKind, how: Settlement, tmp_path: Path
) -> None:
    cabinet = ready(kind)
    cut, measured = tmp_path / "cut", tmp_path / "measured"
    cut.mkdir()
    with open_journal(cut) as journal:
        for number, (input_, step) in enumerate(cabinet.history, start=1):
            journal.commit(input_, step, stamp(number))
    shutil.copytree(cut, measured)
    before, settle = cabinet.machine, choice(cabinet, kind, how)
    cue = Cue(number=len(cabinet.history) + 1, input=settle, step=cabinet.do(settle), before=before)
    _killed_at(cut, cue, WAYS.index((kind, how)) % _statements(measured, cue))
    with open_journal(cut) as journal:
        assert journal.machine == before
        journal.commit(settle, cue.step, stamp(cue.number))
        assert journal.machine == cabinet.machine
    assert verify(cut).ok
