"""What a player sees, and what a device is ordered, is on disk already."""

import threading
from pathlib import Path
from typing import ClassVar

import pytest
from support.live import running
from support.slow_store import Stall

from cabinet.engine.inputs import Button
from cabinet.engine.ledger import Account
from cabinet.engine.state import Machine, Phase
from cabinet.store import codec
from cabinet.store.journal import Journal
from drivers.bills.events import Stack
from drivers.printers.document import Print
from drivers.protocol import Confirm
from drivers.pump import Pump

MOST_ROUNDS = 100


@pytest.mark.requirement("PD-03", "PD-15")
def test_a_result_is_shown_only_when_it_is_on_disk_and_no_press_decides_it_again(tmp_path):
    with running(tmp_path) as live:
        live.note(10_000)
        live.sit("classic")
        reported = _reported_and_kept(live)
        for _ in range(MOST_ROUNDS):
            live.deal()
            stall = Stall(live)
            before = live.machine
            live.touch(Button.STAND)
            live.until(stall.slow.is_set, "a commit that takes its time")
            assert live.machine.round == before.round, "nothing of it is shown"
            assert live.credit == before.books.credit_cents
            stall.release.set()
            live.until(lambda: live.machine.phase is Phase.SETTLED, "the result")
            result = live.machine
            for button in (Button.STAND, Button.HIT, Button.SPLIT):
                live.touch(button)
            live.touch(Button.SERVICE)
            live.until(lambda was=result: live.machine.calling is not was.calling, "everything pressed before")
            assert (live.machine.round, live.machine.books) == (result.round, result.books)
            if result.shown.last_paid_cents:
                break
        assert len(reported) > 2
        assert all(seen == kept for seen, kept in reported)
        assert any(seen.shown.last_paid_cents for seen, _ in reported)


def _reported_and_kept(live) -> list:
    """Returns a list that receives each published machine from now on, with the machine on disk at that moment."""
    found = []

    def look() -> None:
        if threading.current_thread().name != "cabinet":
            return
        connection = live.cabinet.journal.connection
        assert not connection.in_transaction
        (body,) = connection.execute("SELECT body FROM machine").fetchone()
        found.append((live.machine, codec.decode_machine(body)))

    live.controller.on_snapshot(look)
    return found


class Overheard(Pump):
    """A pump that notes with each order the machine that is on disk when the cabinet's thread gives it."""

    heard: ClassVar[list[tuple[object, Machine]]] = []
    journal: ClassVar[Journal | None] = None

    def order(self, order: object) -> None:
        journal = Overheard.journal
        if journal is not None and threading.current_thread().name == "cabinet":
            assert not journal.connection.in_transaction
            (body,) = journal.connection.execute("SELECT body FROM machine").fetchone()
            Overheard.heard.append((order, codec.decode_machine(body)))
        super().order(order)


@pytest.mark.requirement("PL-01")
def test_an_order_goes_out_only_when_the_step_that_asks_for_it_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note in, confirmed, and cashed out: the acceptor and the printer hear of it after the disk."""
    monkeypatch.setattr("cabinet.runtime.build.Pump", Overheard)
    monkeypatch.setattr(Overheard, "heard", [])
    with running(tmp_path) as live:
        monkeypatch.setattr(Overheard, "journal", live.cabinet.journal)
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.credit == 0 and live.machine.printer.printing is None, "the ticket")
        monkeypatch.setattr(Overheard, "journal", None)

    def on_disk_at(kind: type) -> Machine:
        (found,) = [machine for order, machine in Overheard.heard if isinstance(order, kind)]
        return found

    on_stack, on_confirm, on_print = on_disk_at(Stack), on_disk_at(Confirm), on_disk_at(Print)
    assert on_stack.acceptor.in_path is not None
    assert on_stack.acceptor.in_path.cents == 2_000
    assert (on_confirm.acceptor.in_path, on_confirm.books.credit_cents) == (None, 2_000)
    assert on_print.printer.printing is not None
    assert (on_print.books.credit_cents, on_print.books.balance(Account.IN_TRANSIT)) == (0, 2_000)
