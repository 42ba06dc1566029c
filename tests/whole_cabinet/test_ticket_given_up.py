"""A ticket whose outcome the cabinet gave up waiting for keeps no later one from the printer."""

from dataclasses import replace

import pytest
from support.live import CRAWL, running

from cabinet.engine.inputs import PrintUnknown, SettleLock, Settlement
from cabinet.engine.locks import find
from cabinet.engine.state import LockKind


@pytest.mark.requirement("TP-04", "CM-08")
def test_the_next_cash_out_does_not_wait_for_a_ticket_given_up(tmp_path):
    with running(tmp_path) as live:
        live.note(2_000)
        printer, line = live.simulated_devices.printer, live.simulated_devices.printer_line
        swift = printer.traits
        printer.traits = replace(swift, dot_lines_per_s=CRAWL // 20)
        live.press("cash_out")
        live.until(lambda: line.call(lambda: not printer.page.is_blank), "the ticket being printed")
        live.controller.put(PrintUnknown(sequence=1, reason="silent"))
        live.until(lambda: live.locked(LockKind.PRINT_UNKNOWN), "the doubt")
        lock = find(live.machine, LockKind.PRINT_UNKNOWN)
        assert lock is not None
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.machine.access.audit_key, "the key")
        live.controller.put(SettleLock(lock_id=lock.lock_id, how=Settlement.GIVE_CREDIT))
        live.until(lambda: live.credit == 2_000, "the credit")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: not live.machine.access.audit_key, "the key")
        live.press("cash_out")
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
        assert "busy" in find(live.machine, LockKind.HAND_PAY).detail
        printer.traits = swift
