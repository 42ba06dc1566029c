"""An update in the middle of a hand: the power or a stop, another program, an older journal; the same hand goes on."""

from pathlib import Path

import pytest
from support.crashes import cues_of, go_on
from support.inputs import ACCEPTOR, PRINTER
from support.journals import as_form, open_journal, stamp

from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Refused
from cabinet.engine.inputs import Door, DoorClosed, DoorOpened, Input, Key, KeyTurned, PoweredUp, SettleLock, Settlement
from cabinet.engine.locks import find, hand_open, play_stopped
from cabinet.engine.state import LockKind, Machine
from cabinet.store import schema
from cabinet.store.verify import verify

UPDATED = PoweredUp(clean=False, version="2.0", program_hash="bb")


def no_cards(out: object) -> int:
    """For steps that need none."""
    raise AssertionError("a card was drawn")


@pytest.mark.requirement("SE-03", "PL-02", "PL-10", "ME-08")
@pytest.mark.parametrize("form", range(1, len(schema.MIGRATIONS) + 1))
def test_a_hand_open_at_an_update_waits_for_the_release_and_goes_on_as_it_was(tmp_path: Path, form: int) -> None:
    """Stopped in a hand, replaced by another program that finds a journal of any released form."""
    settings, cues = cues_of("table-evening")
    cut = next(cue for cue in cues if hand_open(cue.step.machine))
    with open_journal(tmp_path) as journal:
        for cue in cues[: cut.number]:
            journal.commit(cue.input, cue.step, stamp(cue.number))
    as_form(tmp_path, form)
    with open_journal(tmp_path) as journal:

        def take(input_: Input, draw: Draw) -> Machine:
            assert journal.machine is not None
            step = engine.step(settings, journal.machine, input_, draw)
            assert not any(isinstance(event, Refused) for event in step.events), (input_, step.events)
            journal.commit(input_, step, stamp(journal.seq + 1))
            return step.machine

        assert journal.machine == cut.step.machine, "nothing of the memory was lost"
        take(UPDATED, no_cards)
        take(ACCEPTOR, no_cards)
        machine = take(PRINTER, no_cards)
        lock = find(machine, LockKind.PROGRAM_CHANGED)
        assert lock is not None
        assert play_stopped(machine), "no play before the technician has released it"
        assert (machine.round, machine.books.credit_cents) == (
            cut.step.machine.round,
            cut.step.machine.books.credit_cents,
        )
        take(DoorOpened(door=Door.LOGIC), no_cards)
        take(KeyTurned(key=Key.AUDIT, on=True), no_cards)
        take(SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR), no_cards)
        machine = take(DoorClosed(door=Door.LOGIC), no_cards)
        logic = find(machine, LockKind.LOGIC_DOOR)
        assert logic is not None
        take(SettleLock(lock_id=logic.lock_id, how=Settlement.CLEAR), no_cards)
        machine = take(KeyTurned(key=Key.AUDIT, on=False), no_cards)
        assert machine.round == cut.step.machine.round
        end = next(cue for cue in cues[cut.number :] if not hand_open(cue.step.machine))
        after = go_on(machine, cues[cut.number : end.number], take)
        assert after.results == end.step.machine.results
        assert after.books.balances == end.step.machine.books.balances
    assert verify(tmp_path).ok
