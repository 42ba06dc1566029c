"""A whole cabinet on simulated hardware: from the note to the ticket, and over a restart."""

import socket
from dataclasses import replace

import pytest
from PIL import Image
from support.journals import session_steps, stamp
from support.live import running, wait_for
from support.live_menu import choose

from cabinet.commands.commission import commission
from cabinet.config.panel import InputSection, LampsSection, PanelSection
from cabinet.config.settings import Config, ConfigError, DataSection, GamesSection, MachineSection
from cabinet.engine.inputs import Button
from cabinet.engine.locks import hand_open
from cabinet.engine.state import Phase
from cabinet.runtime.build import build
from cabinet.runtime.startup import RELEASED_MS
from cabinet.runtime.ticket import is_valid_number
from cabinet.runtime.translate import LAMPS
from cabinet.store import reports
from cabinet.store.errors import StoreBusyError
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import verify
from drivers.errors import ConfigurationError


def _reopen(folder) -> Journal:
    return Journal(folder, lambda sequence: f"{sequence:018d}")


@pytest.mark.requirement("PL-02", "PL-03", "TP-01", "TP-02", "TP-03", "CM-07")
def test_from_the_note_to_the_ticket_and_over_a_restart(tmp_path):
    with running(tmp_path) as live:
        live.note(2_000)
        live.sit("table")
        live.deal()
        hand, credit, number = live.machine.round, live.credit, live.machine.round_number
    with running(tmp_path) as live:
        assert (live.machine.round, live.credit, live.machine.round_number) == (hand, credit, number)
        assert live.machine.phase is Phase.DECIDING
        assert Button.STAND in live.controller.snapshot().lit
        live.stand()
        owed = live.credit
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == owed, "the ticket")
        (printed,) = live.simulated_devices.tickets()
    with _reopen(tmp_path) as journal:
        (row,) = reports.tickets(journal.connection, limit=5)
    assert (row.number, row.cents, row.state) == (printed.barcode, owed, "issued")
    assert is_valid_number(row.number)
    assert any(f"${owed / 100:,.2f}" in line for line in printed.lines)
    with Image.open(printed.png) as picture:
        assert picture.height > picture.width
    assert verify(tmp_path).ok


@pytest.mark.requirement("PL-10")
def test_a_start_that_checks_many_rows_says_so_to_the_service_manager(tmp_path, monkeypatch):
    """In both copies."""
    (tmp_path / "second").mkdir()
    with Journal(tmp_path / "data", str, second=tmp_path / "second") as journal:
        for input_, step in session_steps()[:40]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    monkeypatch.setattr("cabinet.store.verify.PROGRESS_EVERY", 15)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        config = Config(data=DataSection(mirror=str(tmp_path / "second")))
        build(config, tmp_path / "data", simulate=True).parts.close()
        heard = [manager.recv(400).decode().partition("STATUS=")[2] for _ in range(4)]
    assert heard == [f"at work on the books: row {row} of 40" for row in (15, 30)] * 2


@pytest.mark.requirement("PL-10")
def test_an_orderly_stop_is_remembered_as_one(tmp_path):
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        assert live.cabinet.stop()
        assert live.cabinet.stop()
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        assert live.machine.shown.notice == ""


@pytest.mark.requirement("PL-10", "TE-05")
def test_a_stop_that_was_none_is_noticed_at_the_next_start(tmp_path):
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        live.controller.pump_failed(RuntimeError("a line that cannot be"))
        live.until(lambda: live.controller.failure, "the way down")
        assert not live.cabinet.stop()
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        assert live.machine.shown.notice == "power up after a crash"


def test_two_cabinets_cannot_share_a_folder(tmp_path):
    with running(tmp_path, begin=False), pytest.raises(StoreBusyError, match="a cabinet is running"):
        build(Config(), tmp_path, simulate=True)


def test_a_cabinet_that_cannot_be_built_gives_its_folder_back(tmp_path):
    config = replace(Config(), panel=PanelSection(factory="rpigpio"), data=DataSection(mark=""))
    commission(config, tmp_path, anew=False, mounts="", wall_ms=RELEASED_MS)
    with pytest.raises(ConfigurationError, match="rpigpio"):
        build(config, tmp_path, simulate=False, mounts=str)
    with _reopen(tmp_path) as journal:
        assert journal.seq == 1


@pytest.mark.requirement("PD-13")
def test_rules_that_return_more_than_everything_build_no_cabinet(tmp_path):
    games = GamesSection(rules={"classic": {"blackjack_pays": [2, 1], "splits_max": 0}})
    with pytest.raises(ConfigError, match=r"games\.rules\.classic: found rules that return 101"):
        build(Config(games=games), tmp_path, simulate=True)
    assert not (tmp_path / FILE).exists()


@pytest.mark.requirement("PD-06")
def test_the_panel_is_wired_as_the_settings_say(tmp_path):
    panel = PanelSection(
        inputs={"hit": InputSection(pin=18), "stand": InputSection(pin=23)},
        lamps=LampsSection(outputs=("deal", "service", "tower_call")),
    )
    with running(tmp_path, replace(Config(), panel=panel), begin=False) as live:
        live.cabinet.start()
        live.until(
            lambda: live.simulated_devices.panel.lamps() == {LAMPS[Button.DEAL], LAMPS[Button.SERVICE]}, "the two lamps"
        )
        live.press("service")
        live.until(lambda: live.machine.calling, "the call")
        live.until(lambda: live.simulated_devices.panel.tower() == {"tower_call"}, "the tower")


@pytest.mark.requirement("TP-11", "ME-11", "ME-05")
@pytest.mark.parametrize("way", [("Print an audit ticket",), ("Tests", "Print a test ticket")])
def test_a_page_for_the_attendant_comes_out_and_cannot_pass_for_money(tmp_path, way):
    with running(tmp_path, replace(Config(), machine=MachineSection(number=7))) as live:
        meters = live.machine.books.meters
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.controller.snapshot().attendant, "the menu")
        choose(live, *way, "Yes")
        live.until(live.simulated_devices.tickets, "the page")
        (printed,) = live.simulated_devices.tickets()
        words = " ".join(printed.lines)
        assert printed.barcode is None
        assert "NOT MONEY" in words
        assert "0007" in words
        assert live.machine.books.meters == meters
        assert live.machine.printer.printing is None
        _reported(live, "The page came out.")


@pytest.mark.requirement("TP-11", "EV-07")
@pytest.mark.parametrize(
    ("way", "mark"), [(("Print an audit ticket",), " ?"), (("Tests", "Print a test ticket"), "CLOCK NOT SET")]
)
def test_a_page_for_the_attendant_marks_a_time_that_is_not_believed(tmp_path, way, mark):
    with running(tmp_path, wall_ms=lambda: 5_000) as live:
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.controller.snapshot().attendant, "the menu")
        choose(live, *way, "Yes")
        live.until(live.simulated_devices.tickets, "the page")
        (printed,) = live.simulated_devices.tickets()
        assert mark in " ".join(printed.lines)


def _reported(live, words: str) -> None:
    """The menu says this of the last page."""
    live.until(lambda: words in str(live.controller.snapshot().attendant), words)


def test_nothing_wakes_a_controller_that_is_not_there_yet(tmp_path):
    with running(tmp_path, begin=False) as live:
        live.simulated_devices.panel.press("hit")
        live.simulated_devices.panel.release("hit")
        assert not hand_open(live.machine)
        assert wait_for(lambda: True)
