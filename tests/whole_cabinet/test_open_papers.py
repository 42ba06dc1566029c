"""A note or ticket that goes astray in the acceptor of a running cabinet: it ends, or a lock calls the attendant."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.live import QUICK, Live, running
from support.live_menu import choose

from cabinet.config.settings import AcceptorSection, Config
from cabinet.engine.inputs import Settlement
from cabinet.engine.locks import find
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind
from cabinet.runtime import housekeeping
from cabinet.store.verify import verify
from drivers.bills.catalog import Timings
from drivers.panel.layout import Tower
from drivers.simulated.note_path import Phase, SimulatedAcceptor
from drivers.simulated.nv9 import NV9

FOR_EVER_S = 100_000.0
SOON_S = 0.5
TWENTY, FIVE = 2_000, 500
IMPATIENT = replace(
    QUICK,
    cctalk=replace(QUICK.cctalk, stacking_patience_s=SOON_S),
    ict=replace(QUICK.ict, stacking_patience_s=SOON_S),
    ssp=replace(QUICK.ssp, stacking_patience_s=SOON_S),
)
"""The waits for an acceptor whose stacker may take only as long as this."""
SECTIONS = {
    "ssp": AcceptorSection(protocol="ssp", poll_interval_s=0.02),
    "cctalk": AcceptorSection(protocol="cctalk"),
    "ict": AcceptorSection(protocol="ict", values_cents=(100, 500, 1_000, 2_000)),
}


@contextmanager
def with_twenty(folder: Path, protocol: str = "ssp", *, counters: bool = True, acks: bool = True) -> Iterator[Live]:
    """A cabinet with 20.00 on the meter; its SSP unit is polled fifty times a second."""
    with without_money(folder, protocol, counters=counters, acks=acks) as live:
        live.note(TWENTY)
        yield live


@contextmanager
def without_money(
    folder: Path,
    protocol: str = "ssp",
    *,
    counters: bool = True,
    acks: bool = True,
    acceptor_timings: Timings = QUICK,
) -> Iterator[Live]:
    """A cabinet without credit, where no note need be stacked in time."""
    config = replace(Config(), acceptor=SECTIONS[protocol])
    with running(folder, config, begin=False, acceptor_timings=acceptor_timings) as live:
        unit = live.simulated_devices.acceptor
        if isinstance(unit, NV9):
            unit.knows_counters, unit.knows_acks = counters, acks
        live.cabinet.start()
        live.ready()
        yield live
    assert verify(folder).ok


def nv9(live: Live) -> NV9:
    unit = live.simulated_devices.acceptor
    assert isinstance(unit, NV9)
    return unit


def slow_down(live: Live) -> None:
    """From now on a note is stacked for ever."""
    unit = live.simulated_devices.acceptor
    unit.timings = replace(unit.timings, stacking_s=FOR_EVER_S)  # type: ignore[attr-defined]


def on_its_way(live: Live) -> None:
    """A note of five is on its way into the box, and stays there."""
    slow_down(live)
    live.on_its_way(FIVE)


def stack_at_once(live: Live) -> None:
    """The note that is on its way arrives in the box."""
    unit = live.simulated_devices.acceptor
    assert isinstance(unit, SimulatedAcceptor)
    unit.timings = replace(unit.timings, stacking_s=0.0)
    live.simulated_devices.acceptor_line.call(
        lambda: unit.path.note and unit.path.enter(unit.path.note, Phase.STACKING)
    )


def jam_and_free(live: Live) -> None:
    """The note jams and is freed by hand."""
    live.simulated_devices.do("bill_jam")
    live.until(lambda: live.locked(LockKind.BILL_JAM), "the jam")
    live.simulated_devices.do("bill_jam_clear")
    live.until(
        lambda: not any(lock.present for lock in live.machine.locks if lock.kind is LockKind.BILL_JAM), "its end"
    )


def settle(live: Live, label: str) -> None:
    """The attendant settles the first lock this way."""
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.controller.snapshot().attendant, "the menu")
    choose(live, "Locks", live.machine.locks[0].kind.value.capitalize(), label, "Yes")
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.machine.access.audit_key, "the key")


def cash_out(live: Live, cents: int) -> None:
    """CASH OUT works, and this is paid."""
    assert not live.machine.locks
    live.press("cash_out")
    live.until(lambda: live.machine.shown.paid_out_cents == cents, f"{cents} paid out")


@pytest.mark.requirement("BA-03")
def test_a_note_freed_from_a_jam_by_hand_went_back_by_the_units_count(tmp_path: Path) -> None:
    with with_twenty(tmp_path) as live:
        on_its_way(live)
        jam_and_free(live)
        live.until(lambda: live.machine.acceptor.in_path is None, "the note's end")
        (jam,) = live.machine.locks
        assert (jam.kind, jam.detail.partition("; ")[2]) == (
            LockKind.BILL_JAM,
            "the note in it was not kept and is the player's",
        )
        live.press("reset_key")
        live.until(lambda: not live.machine.locks, "the reset key's yes")
        cash_out(live, TWENTY)


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(("label", "cents"), [("Credit the note", TWENTY + FIVE), ("The note went back", TWENTY)])
def test_a_note_freed_from_a_unit_that_does_not_count_is_in_doubt_and_settled(
    label: str, cents: int, tmp_path: Path
) -> None:
    with with_twenty(tmp_path, counters=False) as live:
        on_its_way(live)
        jam_and_free(live)
        live.until(lambda: live.locked(LockKind.NOTE_IN_DOUBT), "the doubt")
        lock = find(live.machine, LockKind.NOTE_IN_DOUBT)
        assert lock is not None
        assert lock.cents == FIVE
        live.press("reset_key")
        live.until(lambda: live.machine.locks[0].kind is LockKind.NOTE_IN_DOUBT, "the jam cleared")
        settle(live, label)
        while live.machine.locks:
            live.press("reset_key")
            live.until(lambda: live.controller.snapshot().notes, "the alarm cleared")
        cash_out(live, cents)


def test_an_escrow_reported_once_without_a_note_ends_by_itself(tmp_path: Path) -> None:
    with with_twenty(tmp_path) as live:
        unit = nv9(live)
        live.simulated_devices.acceptor_line.call(lambda: unit.see_ghost(3))
        live.until(lambda: live.machine.acceptor.in_path is not None, "the offer")
        live.until(lambda: live.machine.acceptor.in_path is None, "its end")
        cash_out(live, TWENTY)


@pytest.mark.requirement("BA-02")
def test_a_credit_that_cannot_be_read_of_a_unit_that_does_not_count_is_in_doubt(tmp_path: Path) -> None:
    with with_twenty(tmp_path, counters=False, acks=False) as live:
        nv9(live).loses_credits = True
        live.note_until(FIVE, lambda: live.locked(LockKind.NOTE_IN_DOUBT), "the doubt")
        assert live.credit == TWENTY


@pytest.mark.requirement("TP-12", "TP-13")
def test_a_ticket_freed_from_a_jam_by_hand_is_good_again(tmp_path: Path) -> None:
    with with_twenty(tmp_path) as live:
        cash_out(live, TWENTY)
        live.simulated_devices.do("ticket_take")
        (printed,) = live.simulated_devices.tickets()
        live.note(FIVE)
        slow_down(live)
        unit = nv9(live)
        live.ticket_until(str(printed.barcode), lambda: unit.phase == "stacking", "the ticket being stacked")
        jam_and_free(live)
        live.until(lambda: live.machine.acceptor.in_path is None, "the ticket's end")
        assert [lock.kind for lock in live.machine.locks] == [LockKind.BILL_JAM]
        live.press("reset_key")
        live.until(lambda: not live.machine.locks, "the reset key's yes")
        cash_out(live, FIVE)


@pytest.mark.requirement("BA-08")
def test_a_stacker_that_never_ends_is_a_jam_with_lock_lamp_and_log(tmp_path: Path) -> None:
    with without_money(tmp_path, acceptor_timings=IMPATIENT) as live:
        on_its_way(live)
        live.until(lambda: live.locked(LockKind.BILL_JAM), "the jam")
        live.until(lambda: live.simulated_devices.panel.tower() == set(Tower), "the tower light")
        jam = find(live.machine, LockKind.BILL_JAM)
        assert jam is not None
        assert (jam.detail, settlements_of(live.machine, jam)) == (
            f"a note is on its way into the stacker for more than {SOON_S:g} s",
            (),
        )
        jam_and_free(live)
        live.until(lambda: live.machine.acceptor.in_path is None, "the note's end")


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("protocol", ["cctalk", "ict"])
def test_a_silent_unit_leaves_the_note_in_doubt_and_a_late_report_credits_it(protocol: str, tmp_path: Path) -> None:
    with without_money(tmp_path, protocol, acceptor_timings=IMPATIENT) as live:
        on_its_way(live)
        live.until(lambda: live.locked(LockKind.NOTE_IN_DOUBT), "the doubt")
        assert live.credit == 0
        stack_at_once(live)
        live.until(lambda: live.credit == FIVE, "the late word")
        assert not live.locked(LockKind.NOTE_IN_DOUBT)


@pytest.mark.requirement("BA-03", "AT-04")
def test_whatever_the_acceptor_does_the_machine_itself_ends_the_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "PAPER_S", SOON_S)
    with without_money(tmp_path) as live:
        on_its_way(live)
        live.until(lambda: live.locked(LockKind.NOTE_IN_DOUBT), "the doubt")
        live.until(lambda: live.simulated_devices.panel.tower() == set(Tower), "the tower light")
        lock = find(live.machine, LockKind.NOTE_IN_DOUBT)
        assert lock is not None
        assert settlements_of(live.machine, lock) == (Settlement.CREDIT_NOTE, Settlement.NOTE_RETURNED)


@pytest.mark.requirement("BA-03", "AT-04")
def test_the_attendant_who_settles_a_jam_with_a_note_in_it_says_where_the_note_is(tmp_path: Path) -> None:
    with with_twenty(tmp_path, "ict") as live:
        on_its_way(live)
        jam_and_free(live)
        live.press("reset_key")
        assert live.locked(LockKind.BILL_JAM)
        settle(live, "Credit the note")
        cash_out(live, TWENTY + FIVE)
