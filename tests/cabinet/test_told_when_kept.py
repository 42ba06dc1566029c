"""What a player is told is on disk already, on a medium that takes its time."""

import threading

import pytest
from support.live import running
from support.slow_store import Stall

from cabinet.engine.inputs import Button
from cabinet.engine.state import Phase
from cabinet.store import codec

MOST_ROUNDS = 100


@pytest.mark.requirement("PD-03", "PD-15")
def test_a_result_is_told_only_when_it_is_on_disk_and_no_press_decides_it_again(tmp_path):
    with running(tmp_path) as live:
        live.note(10_000)
        live.sit("classic")
        told = _told_and_kept(live)
        for _ in range(MOST_ROUNDS):
            live.deal()
            stall = Stall(live)
            before = live.machine
            live.touch(Button.STAND)
            live.until(stall.slow.is_set, "a commit that takes its time")
            assert live.machine.round == before.round, "nothing of it is told"
            assert live.credit == before.books.credit_cents
            stall.release.set()
            live.until(lambda: live.machine.phase is Phase.SETTLED, "the result")
            result = live.machine
            for button in (Button.STAND, Button.HIT, Button.SPLIT):
                live.touch(button)
            live.touch(Button.SERVICE)
            live.until(lambda was=result: live.machine.calling is not was.calling, "everything pressed before")
            assert (live.machine.round, live.machine.books) == (result.round, result.books)
            if result.last_paid_cents:
                break
        assert len(told) > 2
        assert all(seen == kept for seen, kept in told)
        assert any(seen.last_paid_cents for seen, _ in told)


def _told_and_kept(live) -> list:
    """From now on each machine that is told, and the one that is on disk at that moment."""
    found = []

    def look() -> None:
        if threading.current_thread().name != "cabinet":
            return
        connection = live.cabinet.journal.connection
        assert not connection.in_transaction
        (body,) = connection.execute("SELECT body FROM machine").fetchone()
        found.append((live.machine, codec.decode_machine(body)))

    live.heart.on_news(look)
    return found
