"""A new program on the data of the one before: the form of the journal waits for the technician."""

from pathlib import Path

import pytest
from support.crashes import no_cards
from support.inputs import ACCEPTOR
from support.journals import left_by_the_program_before, number_of, open_journal, stamp
from support.live import running
from support.machines import SETTINGS

from cabinet.engine import machine as engine
from cabinet.engine.inputs import PoweredUp
from cabinet.engine.log import LogKind
from cabinet.engine.record_facts import FormChanged, MachineCommissioned
from cabinet.engine.state import Lock, LockKind, Machine
from cabinet.runtime.clock import Clock
from cabinet.runtime.housekeeping import ENOUGH_BYTES, Housekeeping
from cabinet.store import reports, schema
from cabinet.store.journal import Journal
from cabinet.store.verify import verify

MOVED = FormChanged(old=schema.KEPT, new=schema.NEWEST)


def changed(folder: Path) -> Path:
    """The data of a machine that is locked, as its program is not the one of the last run."""
    with open_journal(left_by_the_program_before(folder)) as journal:
        for number, program in enumerate(("old", "new")):
            assert journal.machine is not None
            fact = PoweredUp(clean=True, version=str(number), program_hash=program)
            journal.commit(fact, engine.step(SETTINGS, journal.machine, fact, no_cards), stamp(journal.seq + 1))
    return folder


def why_moved(folder: Path) -> list[str]:
    """What the log says of changes of the form."""
    with open_journal(folder) as journal:
        return [
            entry.detail for entry in reports.events(journal.connection, limit=9, what=(LogKind.FORM_CHANGED.value,))
        ]


@pytest.mark.requirement("ME-08")
def test_the_form_is_due_once_no_lock_says_that_the_program_changed(tmp_path: Path) -> None:
    with Journal(left_by_the_program_before(tmp_path), number_of) as journal:
        clock = Clock(wall_ms=lambda: 0, floor_ms=0)
        found = Housekeeping(journal=journal, clock=clock, free_bytes=lambda: ENOUGH_BYTES)
        locked = Machine(locks=(Lock(lock_id=1, kind=LockKind.PROGRAM_CHANGED),))
        assert MOVED not in tuple(found.facts(locked, 0.0))
        assert MOVED in tuple(found.facts(Machine(), 1.0))


@pytest.mark.requirement("ME-08", "EV-05")
def test_a_simulated_cabinet_needs_no_confirmation(tmp_path: Path) -> None:
    with running(left_by_the_program_before(tmp_path), begin=False) as live:
        live.cabinet.start()
        assert live.cabinet.journal.form_change() is None
    assert why_moved(tmp_path) == ["form 4 to 5"]
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("ME-08", "EV-05")
def test_a_fact_without_a_word_in_the_form_moves_it_on_first_and_the_log_says_why(tmp_path: Path) -> None:
    with running(changed(tmp_path), begin=False) as live:
        live.cabinet.start()
        live.controller.put(ACCEPTOR)
        live.until(lambda: live.machine.acceptor.ready, "the acceptor")
        assert live.cabinet.journal.form_change() == MOVED
        live.controller.put(MachineCommissioned(version="2.0"))
        live.until(lambda: live.cabinet.journal.form_change() is None, "the newest form")
    assert why_moved(tmp_path) == [
        "form 4 to 5: form 4 of the journal has no word for MachineCommissioned",
    ]
    with open_journal(tmp_path) as journal:
        entries = reports.events(journal.connection, limit=99)
        assert [each.detail for each in entries if each.what == LogKind.COMMISSIONED.value] == ["2.0"]
    assert verify(tmp_path).problems == ()
