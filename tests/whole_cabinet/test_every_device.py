"""A whole evening of a built cabinet for every acceptor and every printer: a note, a hand, a ticket, true books."""

from dataclasses import replace
from time import monotonic

import pytest
from support.live import running

from cabinet.config.acceptor import ACCEPTORS, PulseSection
from cabinet.config.settings import AcceptorSection, Config, PrinterSection
from cabinet.engine.locks import hand_open
from cabinet.engine.state import LockKind
from cabinet.runtime.simulated import CannotError
from cabinet.store.verify import verify
from drivers.printers.catalog import LANGUAGES

VALUES_CENTS = (100, 500, 1_000, 2_000)
SECTIONS = {name: AcceptorSection(protocol=name) for name in ACCEPTORS} | {
    "ict": AcceptorSection(protocol="ict", values_cents=VALUES_CENTS),
    "pulse": AcceptorSection(protocol="pulse", pulse=PulseSection(notes={"1": 100, "5": 500, "10": 1_000})),
}


def with_devices(acceptor: str, printer: str = "escpos") -> Config:
    """The usual settings with these devices."""
    return replace(Config(), acceptor=SECTIONS[acceptor], printer=PrinterSection(protocol=printer))


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-01", "BA-03")
@pytest.mark.parametrize(
    ("lows_s", "reported_cents", "detail"),
    [
        ((0.05, 0.05, 0.05), 300, "3 good pulses worth 3.00 USD, some notes together or one cut off"),
        ((0.05, 0.1), 0, "1 good pulse worth 1.00 USD, a low of 100 ms"),
    ],
)
def test_pulses_that_are_no_note_stop_the_acceptor_and_wait_for_the_attendant(
    lows_s: tuple[float, ...], reported_cents: int, detail: str, tmp_path
):
    with running(tmp_path, with_devices("pulse")) as live:
        acceptor, line = live.simulated_devices.acceptor, live.simulated_devices.acceptor_line
        live.until(lambda: acceptor.enabled, "the acceptor taking notes")
        line.call(lambda: (acceptor.tick(monotonic()), acceptor.disturb(*lows_s)))
        live.until(lambda: live.locked(LockKind.UNEXPECTED_NOTE), "the lock")
        (lock,) = live.machine.locks
        assert (lock.cents, lock.reported_cents, lock.detail) == (0, reported_cents, f"value unknown: {detail}")
        assert live.credit == 0
        assert not line.call(lambda: acceptor.insert(500))
    assert verify(tmp_path).ok


@pytest.mark.requirement("BA-01", "TP-01")
@pytest.mark.parametrize("printer", LANGUAGES)
@pytest.mark.parametrize("acceptor", ACCEPTORS)
def test_an_evening_ends_with_a_ticket_and_true_books(acceptor: str, printer: str, tmp_path):
    with running(tmp_path, with_devices(acceptor, printer)) as live:
        live.note(500)
        assert live.simulated_devices.acceptor_line.call(lambda: list(live.simulated_devices.acceptor.stacked)) == [500]
        live.sit("table")
        live.deal()
        live.stand()
        assert not hand_open(live.machine)
        owed = live.credit
        if owed:
            live.press("cash_out")
            live.until(lambda: live.machine.shown.paid_out_cents == owed, "the ticket")
            (printed,) = live.simulated_devices.tickets()
            assert any(f"${owed / 100:,.2f}" in line for line in printed.lines)
        assert not live.machine.locks
    assert verify(tmp_path).ok


HANDS = {
    "bill_jam": ("bill_jam_clear", LockKind.BILL_JAM),
    "cashbox_out": ("cashbox_in", LockKind.CASHBOX_REMOVED),
    "stacker_full": ("stacker_empty", LockKind.CASHBOX_FULL),
}
"""What is done, what takes it back, and the lock between."""


@pytest.mark.requirement("BA-07", "TE-01")
@pytest.mark.parametrize("acceptor", ACCEPTORS)
def test_each_action_on_an_acceptor_is_reported_or_impossible(acceptor: str, tmp_path):
    with running(tmp_path, with_devices(acceptor)) as live:
        cannot = {action.name for action in live.simulated_devices.actions() if action.cannot}
        for name, (back, kind) in HANDS.items():
            if name in cannot:
                with pytest.raises(CannotError, match="acceptor"):
                    live.simulated_devices.do(name)
                continue
            live.simulated_devices.do(name)
            live.until(lambda wanted=kind: live.locked(wanted), name)
            live.simulated_devices.do(back)
            live.until(lambda: not any(lock.present for lock in live.machine.locks), back)


@pytest.mark.requirement("TE-02")
@pytest.mark.parametrize("acceptor", ACCEPTORS)
def test_an_acceptor_comes_back_after_its_power_and_its_line(acceptor: str, tmp_path):
    with running(tmp_path, with_devices(acceptor)) as live:
        live.simulated_devices.do("acceptor_power")
        live.note(100)
        live.simulated_devices.do("acceptor_unplug")
        if acceptor != "pulse":
            live.until(lambda: live.locked(LockKind.ACCEPTOR_LINK), "the line being missed")
        live.simulated_devices.do("acceptor_replug")
        live.until(lambda: not live.machine.locks, "the line being back")
        live.note(500)
    assert verify(tmp_path).ok
