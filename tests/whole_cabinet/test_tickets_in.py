"""A ticket's whole way on a running cabinet: printed, put into the acceptor, credit again, and never a second time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.live import Live, running

from cabinet.config.settings import AcceptorSection, Config, MoneySection
from cabinet.engine.effects import TicketGoesBack
from cabinet.engine.inputs import PayTicket
from cabinet.engine.ledger import Account
from cabinet.engine.ticket_facts import Standing
from cabinet.runtime.simulated import NO_READER, CannotError
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.store.verify import verify
from drivers.simulated.nv9 import NV9
from drivers.simulated.uba import UBA

FOREIGN = "001234567890123456"
FOR_EVER_S = 100_000.0


@pytest.fixture(params=["id003", "ssp"])
def config(request: pytest.FixtureRequest) -> Config:
    """A cabinet with an acceptor that reads tickets."""
    return replace(Config(), acceptor=AcceptorSection(protocol=request.param))


def unit_of(live: Live) -> UBA | NV9:
    """The simulated acceptor."""
    unit = live.simulated_devices.acceptor
    assert isinstance(unit, UBA | NV9)
    return unit


def stacked(live: Live) -> list[str]:
    """The tickets that are in the box."""
    unit = unit_of(live)
    return unit.stacked_tickets if isinstance(unit, UBA) else unit.tickets_stacked


def returned(live: Live) -> list[str]:
    """The tickets that went back."""
    unit = unit_of(live)
    return unit.returned_tickets if isinstance(unit, UBA) else unit.tickets_returned


def is_stacking(live: Live) -> bool:
    """Whether a ticket is on its way into the box."""
    unit = unit_of(live)
    return unit.phase == "stacking"


@contextmanager
def with_ticket(folder: Path, config: Config) -> Iterator[tuple[Live, str]]:
    """A cabinet that has paid 20.00 on a ticket, and the number that is printed on it."""
    with running(folder, config) as live:
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 2_000, "the ticket")
        (printed,) = live.simulated_devices.tickets()
        assert printed.barcode is not None
        live.simulated_devices.do("ticket_take")
        yield live, printed.barcode


def refused(live: Live, number: str, standing: Standing) -> None:
    """Put a ticket in that comes back for this reason."""
    before = len(returned(live))
    reasons: list[Standing] = []

    def hear() -> None:
        reasons.extend(
            event.standing for event in live.controller.snapshot().events if isinstance(event, TicketGoesBack)
        )

    live.controller.on_snapshot(hear)
    live.ticket_until(number, lambda: len(returned(live)) > before and reasons, "the ticket coming back")
    assert reasons[0] is standing


@pytest.mark.requirement("TP-12", "TP-05", "BA-02")
def test_a_printed_ticket_is_credit_again_and_a_copy_of_it_is_refused(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (live, number):
        live.ticket_until(number, lambda: live.credit == 2_000, "the ticket's credit")
        assert stacked(live) == [number]
        refused(live, number, Standing.USED)
        assert (live.credit, live.machine.books.meter("tickets_in")) == (2_000, 2_000)
    with Journal(tmp_path, str) as journal:
        (row,) = reports.tickets(journal.connection, limit=5)
    assert (row.number, row.state, row.settled_ms >= row.wall_ms) == (number, "redeemed", True)
    verdict = verify(tmp_path)
    assert (verdict.problems, verdict.accounts[Account.TICKETS.value]) == ((), 0)


@pytest.mark.requirement("TP-12")
def test_a_ticket_of_another_machine_comes_back(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (live, _):
        refused(live, FOREIGN, Standing.UNKNOWN)
        assert live.credit == 0


@pytest.mark.requirement("TP-12", "PL-05")
def test_a_ticket_is_known_after_a_restart_and_once_used_stays_used(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (_, number):
        pass
    with running(tmp_path, config) as live:
        live.ticket_until(number, lambda: live.credit == 2_000, "the ticket's credit")
    with running(tmp_path, config) as live:
        refused(live, number, Standing.USED)
        assert live.credit == 2_000


@pytest.mark.requirement("BA-03", "TP-12")
def test_an_acceptor_that_loses_its_power_over_a_ticket_credits_it_once(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (live, number):
        unit, call = unit_of(live), live.simulated_devices.acceptor_line.call
        usual = unit.timings
        unit.timings = replace(usual, stacking_s=FOR_EVER_S)
        live.ticket_until(number, lambda: is_stacking(live), "the ticket on its way into the box")
        unit.timings = usual
        call(unit.power_cycle)
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
        live.until(lambda: live.controller.snapshot().notes and call(lambda: unit.enabled), "the acceptor")
        assert (live.credit, live.machine.locks, stacked(live)) == (2_000, (), [number])


@pytest.mark.requirement("TP-12")
def test_a_cabinet_set_to_take_no_tickets_lets_none_in(tmp_path: Path, config: Config) -> None:
    config = replace(config, money=MoneySection(tickets_in=False))
    with with_ticket(tmp_path, config) as (live, number):
        live.ticket_until(number, lambda: returned(live) == [number], "the ticket coming back")
        assert (live.credit, live.machine.acceptor.in_path) == (0, None)


@pytest.mark.requirement("TP-12", "TP-13", "TP-05")
def test_a_ticket_that_the_desk_has_paid_comes_back(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (live, number):
        unit, call = unit_of(live), live.simulated_devices.acceptor_line.call
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.machine.access.audit_key and not call(lambda: unit.enabled), "the attendant")
        live.controller.put(PayTicket(sequence=1, cents=2_000))
        live.until(lambda: live.machine.books.meter("tickets_paid") == 2_000, "the ticket being paid")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: live.controller.snapshot().notes and call(lambda: unit.enabled), "the acceptor")
        refused(live, number, Standing.USED)
        assert (live.credit, live.machine.books.balance(Account.TICKETS)) == (0, 0)


@pytest.mark.requirement("TP-12")
def test_a_key_of_the_simulation_puts_the_last_ticket_in(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (live, number):
        live.until(
            lambda: live.simulated_devices.do("ticket_insert") or live.machine.acceptor.in_path or stacked(live),
            "the ticket",
        )
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
        assert stacked(live) == [number]


@pytest.mark.requirement("TP-12")
def test_the_key_puts_in_the_last_ticket_of_an_earlier_run(tmp_path: Path, config: Config) -> None:
    with with_ticket(tmp_path, config) as (_, number):
        pass
    with running(tmp_path, config) as live:
        live.until(
            lambda: live.simulated_devices.do("ticket_insert") or live.machine.acceptor.in_path or stacked(live),
            "the ticket",
        )
        live.until(lambda: live.credit == 2_000, "the ticket's credit")
        assert stacked(live) == [number]


def test_an_acceptor_without_a_reader_has_no_hand_for_tickets(tmp_path: Path) -> None:
    config = replace(Config(), acceptor=AcceptorSection(protocol="ict", values_cents=(100, 500)))
    with running(tmp_path, config) as live, pytest.raises(CannotError, match=NO_READER):
        live.simulated_devices.do("ticket_insert")
