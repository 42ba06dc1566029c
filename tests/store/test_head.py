"""The newest end of a journal: what a start reads first, each part checked against the others."""

from pathlib import Path

import pytest
from support.journals import keep, raw, session_steps

from cabinet.store.errors import StoreDamagedError
from cabinet.store.head import newest_entry, read_head

STEPS = session_steps()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a session in it."""
    keep(tmp_path, *STEPS)
    return tmp_path


@pytest.mark.requirement("PL-08")
def test_the_head_is_the_last_row_and_the_machine_it_led_to(folder: Path) -> None:
    with raw(folder) as connection:
        seq, hash_, machine = read_head(connection, checked=False)
        (stored,) = connection.execute("SELECT hash FROM steps WHERE seq = ?", (seq,)).fetchone()
        (entry,) = connection.execute("SELECT max(number) FROM events").fetchone()
        assert (seq, hash_, machine) == (len(STEPS), stored, STEPS[-1][1].machine)
        assert newest_entry(connection) == entry


@pytest.mark.requirement("PL-08", "PL-07")
@pytest.mark.parametrize("seq", [3, len(STEPS) - 1, len(STEPS)])
def test_a_row_that_does_not_fit_is_found_wherever_it_is(folder: Path, seq: int) -> None:
    with raw(folder) as connection:
        connection.execute("UPDATE steps SET credit = credit + 1 WHERE seq = ?", (seq,))
        with pytest.raises(StoreDamagedError, match=f"row {seq}"):
            read_head(connection, checked=False)
