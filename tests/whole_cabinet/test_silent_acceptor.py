"""A dead acceptor does not hold up money: the player is paid, before a restart and after it."""

import pytest
from support.live import running

from cabinet.config.settings import AcceptorSection, Config
from cabinet.engine.state import LockKind

FAULTS = {"bill_jam": LockKind.BILL_JAM, "cashbox_out": LockKind.CASHBOX_REMOVED}
CONFIG = Config(acceptor=AcceptorSection(protocol="ssp", poll_interval_s=0.05))


@pytest.mark.requirement("BA-08", "CM-10")
@pytest.mark.parametrize("hand", FAULTS)
def test_a_player_is_paid_though_the_acceptor_died_with_a_fault(hand: str, tmp_path):
    with running(tmp_path, CONFIG) as live:
        live.note(2_000)
        live.simulated_devices.do(hand)
        live.until(lambda: live.locked(FAULTS[hand]), "the fault")
    with running(tmp_path, CONFIG, begin=False) as live:
        live.simulated_devices.do("acceptor_unplug")
        live.cabinet.start()
        live.until(lambda: live.locked(LockKind.ACCEPTOR_LINK), "the dead line")
        live.press("reset_key")
        live.until(lambda: not live.locked(FAULTS[hand]), "the end of the fault")
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 2_000, "the ticket")
