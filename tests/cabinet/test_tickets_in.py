"""A ticket's whole way on a running cabinet: printed, put into the acceptor, credit again, and never a second time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.live import Live, running

from cabinet.config import AcceptorSection, Config, MoneySection
from cabinet.engine.effects import TicketGoesBack
from cabinet.engine.ledger import Account
from cabinet.engine.ticket_facts import Standing
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.store.verify import verify
from drivers.simulated.uba import UBA

CONFIG = replace(Config(), acceptor=AcceptorSection(protocol="id003"))
FOREIGN = "001234567890123456"


def uba_of(live: Live) -> UBA:
    """The simulated acceptor."""
    assert isinstance(live.bench.acceptor, UBA)
    return live.bench.acceptor


def put_in(live: Live, number: str) -> None:
    """Put a ticket in, as soon as the acceptor draws it in."""
    unit = uba_of(live)
    live.until(lambda: live.bench.acceptor_line.call(lambda: unit.insert_ticket(number)), "the ticket drawn in")


@contextmanager
def with_ticket(folder: Path, config: Config = CONFIG) -> Iterator[tuple[Live, str]]:
    """A cabinet that has paid 20.00 on a ticket, and the number that is printed on it."""
    with running(folder, config) as live:
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.machine.paid_out_cents == 2_000, "the ticket")
        (printed,) = live.bench.tickets()
        assert printed.barcode is not None
        live.bench.do("ticket_take")
        yield live, printed.barcode


def refused(live: Live, number: str, standing: Standing) -> None:
    """Put a ticket in that comes back for this reason."""
    before = len(uba_of(live).returned_tickets)
    told: list[object] = []
    live.heart.on_news(lambda: told.extend(live.heart.news().events))
    put_in(live, number)
    live.until(lambda: len(uba_of(live).returned_tickets) > before, "the ticket coming back")
    assert [event.standing for event in told if isinstance(event, TicketGoesBack)][:1] == [standing]


@pytest.mark.requirement("TP-12", "TP-05", "BA-02")
def test_a_printed_ticket_is_credit_again_and_a_copy_of_it_is_refused(tmp_path: Path) -> None:
    with with_ticket(tmp_path) as (live, number):
        put_in(live, number)
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
        assert uba_of(live).stacked_tickets == [number]
        refused(live, number, Standing.USED)
        assert (live.credit, live.machine.books.meter("tickets_in")) == (2_000, 2_000)
    with Journal(tmp_path, str) as journal:
        (row,) = reports.tickets(journal.connection, limit=5)
    assert (row.number, row.state, row.settled_ms >= row.wall_ms) == (number, "redeemed", True)
    verdict = verify(tmp_path)
    assert (verdict.problems, verdict.accounts[Account.TICKETS.value]) == ((), 0)


@pytest.mark.requirement("TP-12")
def test_a_ticket_of_another_machine_comes_back(tmp_path: Path) -> None:
    with with_ticket(tmp_path) as (live, _):
        refused(live, FOREIGN, Standing.UNKNOWN)
        assert live.credit == 0


@pytest.mark.requirement("TP-12", "PL-05")
def test_a_ticket_is_known_after_a_restart_and_once_used_stays_used(tmp_path: Path) -> None:
    with with_ticket(tmp_path) as (_, number):
        pass
    with running(tmp_path, CONFIG) as live:
        put_in(live, number)
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
    with running(tmp_path, CONFIG) as live:
        refused(live, number, Standing.USED)
        assert live.credit == 2_000


@pytest.mark.requirement("BA-03", "TP-12")
def test_an_acceptor_that_loses_its_power_over_a_ticket_credits_it_once(tmp_path: Path) -> None:
    with with_ticket(tmp_path) as (live, number):
        unit, call = uba_of(live), live.bench.acceptor_line.call
        put_in(live, number)
        live.until(lambda: call(lambda: unit.phase == "stacking" and not unit.power_cycle()), "the power cut")
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
        live.until(lambda: live.heart.news().notes and call(lambda: unit.enabled), "the acceptor")
        assert (live.credit, live.machine.locks, unit.stacked_tickets) == (2_000, (), [number])


@pytest.mark.requirement("TP-12")
def test_a_cabinet_set_to_take_no_tickets_lets_none_in(tmp_path: Path) -> None:
    config = replace(CONFIG, money=MoneySection(tickets_in=False))
    with with_ticket(tmp_path, config) as (live, number):
        put_in(live, number)
        live.until(lambda: uba_of(live).returned_tickets == [number], "the ticket coming back")
        assert (live.credit, live.machine.ticket) == (0, None)
