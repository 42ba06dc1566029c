"""A machine that has played never becomes a new one by itself."""

from pathlib import Path

import pytest
from support.journals import stamp

from cabinet.engine.inputs import PoweredUp
from cabinet.engine.machine import starting, step
from cabinet.engine.state import Settings
from cabinet.store import mark
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import Journal
from cabinet.store.opening import FILE


def play(folder: Path) -> None:
    """Two durable steps."""
    settings, up = Settings(), PoweredUp(clean=True)
    with Journal(folder, str) as journal:
        for number in (1, 2):
            machine = journal.machine or starting(settings)
            journal.commit(up, step(settings, machine, up, lambda _: 0), stamp(number))


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("emptied", [True, False])
def test_a_journal_that_is_gone_or_emptied_is_a_lock_and_never_a_fresh_machine(tmp_path: Path, emptied: bool):
    play(tmp_path)
    for path in tmp_path.glob(f"{FILE}*"):
        path.write_bytes(b"") if emptied else path.unlink()

    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="a machine has played on this folder"):
            Journal(tmp_path, str)


def test_a_folder_on_which_nothing_was_played_is_a_new_machine(tmp_path: Path):
    Journal(tmp_path, str).close()

    assert not mark.is_marked(tmp_path)
    with Journal(tmp_path, str) as journal:
        assert journal.machine is None
