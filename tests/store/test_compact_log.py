"""What a player does moves no door, key, lock, settlement or setting out of the log."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep_dropping, open_journal
from support.machines import seated

from cabinet.engine.inputs import CallAttendant, Door, DoorClosed, DoorOpened
from cabinet.engine.log import LASTING, LogKind
from cabinet.store import reports
from cabinet.store.compact import KEEPING, Keeping
from cabinet.store.verify import verify

FEW = Keeping(rows=100, step=20, rounds=3, entries=60, lasting=20, of_a_kind=4, tickets=5)


@pytest.mark.requirement("EV-06", "AT-04", "SE-02")
def test_a_player_moves_no_door_key_or_lock_out_of_the_log(tmp_path: Path) -> None:
    cabinet = seated("table", credit=1_000)
    for _ in range(20):
        cabinet.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
    cabinet.do(*(CallAttendant() for _ in range(500)))
    for lasting in (0, 30):
        folder = tmp_path / str(lasting)
        folder.mkdir()
        keep_dropping(folder, cabinet.history, replace(FEW, lasting=lasting))
        with open_journal(folder) as journal:
            doors = [LogKind.DOOR_OPENED.value, LogKind.DOOR_CLOSED.value]
            kept = reports.events(journal.connection, limit=1_000, what=doors)
        assert len(kept) == max(lasting, 2 * FEW.of_a_kind)
        assert verify(folder).ok


def test_a_thousand_entries_of_doors_keys_locks_settlements_and_settings_stay() -> None:
    assert KEEPING.lasting >= 1_000
    of_settings = {LogKind.OPTIONS_CHANGED, LogKind.PERIOD_RESET, LogKind.OUT_OF_SERVICE, LogKind.BACK_IN_SERVICE}
    of_keys = {each for each in LogKind if each.name.partition("_")[0] in {"AUDIT", "TECHNICIAN", "PIN"}}
    of_doors = {each for each in LogKind if each.name.partition("_")[0] in {"DOOR", "FAULT", "LOCKED", "UNLOCKED"}}
    assert of_settings | of_keys | of_doors | {LogKind.SETTLED} <= LASTING
