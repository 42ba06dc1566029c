"""A whole cabinet with a printer that cannot say how it is: it gets no ticket, the attendant pays."""

from collections.abc import Callable

import pytest
from support.live import IMPATIENT, running

from cabinet.engine.locks import find
from cabinet.engine.state import LockKind
from drivers.simulated.ticket_printer import MUTE, SimulatedTicketPrinter, Traits


def _become(traits: Traits) -> Callable[[SimulatedTicketPrinter], None]:
    def change(printer: SimulatedTicketPrinter) -> None:
        printer.traits = traits

    return change


@pytest.mark.fault(39)
@pytest.mark.requirement("TP-07")
@pytest.mark.parametrize(
    ("traits", "lock", "words"),
    [
        (MUTE, LockKind.PRINTER_LINK, "cannot report its status"),
        (Traits(nonsense=b"\x00", boot_s=0.1), LockKind.PRINTER_FAULT, "what it answers is none"),
        (Traits(answers_in_order=False), LockKind.PRINTER_FAULT, "no answer to GS r"),
    ],
    ids=["mute", "nonsense", "no proof"],
)
def test_a_cash_out_becomes_a_hand_pay_and_nothing_is_printed(tmp_path, traits, lock, words):
    with running(tmp_path, begin=False, printer_patience=IMPATIENT) as live:
        live.simulated_devices.with_printer(_become(traits))
        live.cabinet.start()
        live.until(lambda: live.controller.snapshot().notes, "notes being taken")
        live.until(lambda: live.locked(lock), "the printer's fault")
        assert words in find(live.machine, lock).detail
        assert not live.machine.printer.ready
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
        assert find(live.machine, LockKind.HAND_PAY).cents == 2_000
        assert live.credit == 0
        assert live.machine.printer.printing is None
        assert live.simulated_devices.tickets() == ()


@pytest.mark.fault(39)
def test_a_printer_that_falls_silent_later_gets_no_further_ticket(tmp_path):
    with running(tmp_path, printer_patience=IMPATIENT) as live:
        live.note(2_000)
        live.simulated_devices.with_printer(lambda printer: printer.fall_silent())
        live.until(lambda: live.locked(LockKind.PRINTER_LINK), "the lost printer")
        live.press("cash_out")
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
        assert live.simulated_devices.tickets() == ()
