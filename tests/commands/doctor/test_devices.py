"""The doctor's questions to the devices, on pseudo-terminals with simulated units at the far end."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep, session_steps
from support.live import QUICK

from cabinet.commands.doctor.checks import (
    Visit,
    check_acceptor_answers,
    check_mirror,
    check_printer,
    check_printer_answers,
)
from cabinet.commands.doctor.devices import ask_acceptor, ask_printer
from cabinet.commands.doctor.findings import Grade
from cabinet.config.acceptor import PulseSection
from cabinet.config.settings import AcceptorSection, Config, PrinterSection
from cabinet.engine.state import NoteIntent, TicketIntent
from cabinet.runtime import startup
from cabinet.store.journal import Journal
from drivers.bills.catalog import PROTOCOLS, AcceptorSettings
from drivers.protocol import LineSettings
from drivers.serial_link import open_link
from drivers.simulated.pty_line import PtyFarEnd
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits
from drivers.simulated.units import SerialAcceptor, Unit, make_unit

NOTES_CENTS = (100, 500, 2_000)
SHORT_S = 3.0
CHATTER_S = 0.05
LONG_S = 8.0
"""Longer than the questions take after which a printer counts as one that proves nothing."""


@contextmanager
def connected(protocol: str, folder: Path) -> Iterator[tuple[Unit, PtyFarEnd]]:
    """A unit that speaks this, on a line of its own."""
    values = NOTES_CENTS if protocol in {"ict", "pyramid"} else None
    unit = make_unit(protocol, AcceptorSettings(currency="USD", values_cents=values), NOTES_CENTS)
    assert isinstance(unit.device, SerialAcceptor)
    far = PtyFarEnd(unit.device, directory=folder, name="acceptor")
    far.start()
    try:
        yield unit, far
    finally:
        far.stop()


def configured(protocol: str, port: str) -> Config:
    values = NOTES_CENTS if protocol in {"ict", "pyramid"} else ()
    return replace(Config(), acceptor=AcceptorSection(protocol=protocol, port=port, values_cents=values))


@pytest.mark.requirement("BA-11")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_acceptor_reports_who_it_is_and_is_never_released(protocol: str, tmp_path: Path):
    with connected(protocol, tmp_path) as (unit, far):
        finding = ask_acceptor(configured(protocol, far.path), open_link, timings=QUICK)
        assert not far.call(lambda: unit.device.insert(500) and unit.device.stacked)
    assert finding.grade is Grade.GOOD, finding
    assert PROTOCOLS[protocol].title in finding.found
    assert "USD 5" in finding.found
    assert PROTOCOLS[protocol].after_power_cut in finding.found


def test_a_note_found_in_the_path_is_given_back(tmp_path: Path):
    with connected("id003", tmp_path) as (unit, far):
        finding = ask_acceptor(configured("id003", far.path), open_link)
        assert finding.grade is Grade.GOOD
        assert far.call(lambda: unit.device.stacked) == []


def test_a_silent_line_says_what_was_asked_and_what_to_look_at(tmp_path: Path):
    with connected("ict", tmp_path) as (_, far):
        finding = ask_acceptor(configured("ssp", far.path), open_link, CHATTER_S)
    assert finding.grade is Grade.BAD
    assert "9600 8N2" in finding.found
    assert "`cabinet devices`" in finding.todo


def test_an_acceptor_without_an_accepted_note_is_bad(tmp_path: Path):
    config = configured("ssp", "")
    money = replace(config.money, notes_cents=(10_000,))
    with connected("ssp", tmp_path) as (_, far):
        finding = ask_acceptor(replace(configured("ssp", far.path), money=money), open_link)
    assert finding.grade is Grade.BAD
    assert "money.notes_cents" in finding.todo


def test_a_line_that_another_owns_is_reported(tmp_path: Path):
    with connected("ssp", tmp_path) as (_, far):
        owner = open_link(far.path, PROTOCOLS["ssp"].line)
        finding = ask_acceptor(configured("ssp", far.path), open_link, SHORT_S)
        owner.close()
    assert finding.grade is Grade.BAD
    assert "if a cabinet is running, stop it" in finding.todo


def test_a_pulse_acceptor_cannot_be_asked_and_promises_nothing():
    section = AcceptorSection(protocol="pulse", pulse=PulseSection(notes={"1": 100}))
    finding = ask_acceptor(replace(Config(), acceptor=section), open_link)
    assert finding.grade is Grade.POOR
    assert "power cut" in finding.todo
    assert "nothing" in finding.todo


def test_a_table_in_which_one_pulse_is_a_note_is_warned_of():
    for notes, warned in (({"1": 100, "5": 500}, True), ({"2": 100, "10": 500}, False)):
        section = AcceptorSection(protocol="pulse", pulse=PulseSection(notes=notes))
        finding = ask_acceptor(replace(Config(), acceptor=section), open_link)
        assert ("set two or more for the smallest note" in finding.todo) is warned


@contextmanager
def printer_on(folder: Path, *, silent: bool = False) -> Iterator[tuple[SimulatedTicketPrinter, PtyFarEnd]]:
    printer = SimulatedTicketPrinter(folder=folder, silent=silent)
    far = PtyFarEnd(printer, directory=folder, name="printer")
    far.start()
    try:
        yield printer, far
    finally:
        far.stop()


def printing_on(port: str) -> Config:
    return replace(Config(), printer=PrinterSection(port=port))


@pytest.mark.requirement("TP-05")
def test_a_printer_that_reports_its_status_is_good_and_one_without_paper_poor(tmp_path: Path):
    with printer_on(tmp_path) as (printer, far):
        assert ask_printer(printing_on(far.path), open_link).grade is Grade.GOOD
        far.call(printer.paper_out)
        finding = ask_printer(printing_on(far.path), open_link, LONG_S)
    assert finding.grade is not Grade.GOOD
    assert "paper" in finding.found


@pytest.mark.requirement("TP-05")
def test_a_printer_that_cannot_report_its_status_is_bad_with_the_reason(tmp_path: Path):
    with printer_on(tmp_path, silent=True) as (_, far):
        finding = ask_printer(printing_on(far.path), open_link, SHORT_S)
    assert finding.grade is Grade.BAD
    assert "cannot report its status" in finding.todo


@pytest.mark.fault(39)
def test_a_printer_that_answers_and_can_prove_nothing_is_bad(tmp_path: Path):
    with printer_on(tmp_path) as (printer, far):
        printer.traits = Traits(answers_in_order=False)
        finding = ask_printer(printing_on(far.path), open_link, LONG_S)
    assert finding.grade is Grade.BAD
    assert "no answer to GS r" in finding.found


# --- lines that chatter -----------------------------------------------------------------------------------------


class Flood:
    """A line on which the same bytes come without an end, as fast as they are read."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, max_wait_s: float) -> bytes:
        return self._data

    def write(self, data: bytes) -> None:
        return

    def wake(self) -> None:
        return

    def close(self) -> None:
        return


FLOODS = {
    "stacked": b"\x10" * 4096,
    "jam, and over": b"\x22\x2f" * 2048,
    "statuses of a printer": b"\x12\x1e" * 2048,
    "every byte": bytes(range(256)) * 16,
    "noise": random.Random(1).randbytes(1 << 16),
}


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("protocol", [*PROTOCOLS, "escpos", "tcl"])
def test_a_line_that_chatters_is_bad_within_the_time_there_is(protocol: str, flood: str):
    def open_line(_port: str, _settings: LineSettings) -> Flood:
        return Flood(FLOODS[flood])

    began = time.monotonic()
    if protocol in PROTOCOLS:
        ends_by_itself = (protocol, flood) == ("ict", "jam, and over")
        finding = ask_acceptor(configured(protocol, "/dev/chatter"), open_line, 30.0 if ends_by_itself else CHATTER_S)
    else:
        section = PrinterSection(port="/dev/chatter", protocol=protocol)
        finding = ask_printer(replace(Config(), printer=section), open_line, CHATTER_S)
    assert time.monotonic() - began < 60.0
    assert finding.grade is Grade.BAD, finding
    assert "/dev/chatter" in finding.found
    if (protocol, flood) == ("ict", "jam, and over"):
        assert "it sends bytes and never starts" in finding.found


# --- when nothing is asked --------------------------------------------------------------------------------------


def visit(tmp_path: Path, config: Config) -> Visit:
    return Visit(
        config=config, data=tmp_path / "data", simulate=False, wall_ms=startup.RELEASED_MS + 1, patience_s=SHORT_S
    )


def test_devices_are_left_alone_while_a_cabinet_runs(tmp_path: Path):
    keep(tmp_path / "data", *session_steps())
    with connected("ssp", tmp_path) as (_, far), Journal(tmp_path / "data", str):
        finding = check_acceptor_answers(visit(tmp_path, configured("ssp", far.path)))
    assert finding.grade is Grade.POOR
    assert "the cabinet is running and owns the line" in finding.found


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("document", [NoteIntent, TicketIntent])
def test_an_acceptor_is_left_alone_while_the_books_have_a_document_under_way(tmp_path: Path, document: type):
    steps = session_steps("tickets-in" if document is TicketIntent else "table-evening")
    until = next(
        number for number, (_, step) in enumerate(steps, start=1) if isinstance(step.machine.acceptor.in_path, document)
    )
    keep(tmp_path / "data", *steps[:until])
    with connected("ssp", tmp_path) as (_, far):
        finding = check_acceptor_answers(visit(tmp_path, configured("ssp", far.path)))
    assert finding.grade is Grade.POOR
    assert "a note or ticket under way" in finding.found


def test_a_missing_line_and_a_simulation_are_not_asked(tmp_path: Path):
    missing = visit(tmp_path, configured("ssp", str(tmp_path / "nowhere")))
    assert check_acceptor_answers(missing).found.startswith("not asked")
    assert check_printer_answers(replace(missing, simulate=True)).grade is Grade.GOOD


def test_a_visit_asks_both_devices(tmp_path: Path):
    with connected("ssp", tmp_path) as (_, far), printer_on(tmp_path) as (_, paper):
        config = replace(configured("ssp", far.path), printer=PrinterSection(port=paper.path))
        one = replace(visit(tmp_path, config), patience_s=8.0)
        assert [check(one).grade for check in (check_acceptor_answers, check_printer_answers)] == [Grade.GOOD] * 2


def test_one_line_under_two_names_is_bad_and_no_device_is_asked(tmp_path: Path):
    with connected("ssp", tmp_path) as (_, far):
        other = tmp_path / "printer-link"
        other.symlink_to(far.path)
        config = replace(configured("ssp", far.path), printer=PrinterSection(port=str(other)))
        one = visit(tmp_path, config)
        found = check_printer(one)
        assert found.grade is Grade.BAD
        assert f"{other} leads to the same line as {far.path}" in found.found
        for check in (check_acceptor_answers, check_printer_answers):
            assert "not asked: acceptor and printer have the same line" in check(one).found
        assert check_printer(replace(one, simulate=True)).grade is Grade.GOOD


@pytest.mark.requirement("ME-08")
def test_the_second_copy_is_looked_at(tmp_path: Path):
    bare = visit(tmp_path, Config())
    assert check_mirror(bare).grade is Grade.POOR
    assert check_mirror(replace(bare, simulate=True)).grade is Grade.GOOD
    second, mounts = tmp_path / "second", tmp_path / "proc" / "self" / "mountinfo"
    mounts.parent.mkdir(parents=True)
    mounts.write_text("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n")
    config = replace(Config(), data=replace(Config().data, mirror="/second"))
    there = replace(visit(tmp_path, config), root=tmp_path)
    assert "/second does not exist" in check_mirror(there).found
    second.touch()
    assert "not a folder" in check_mirror(there).found
    second.unlink()
    second.mkdir()
    assert "same medium" in check_mirror(there).found
    mounts.write_text("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / /second rw - tmpfs tmpfs rw\n")
    assert "/second is on tmpfs" in check_mirror(there).found
    assert "same medium" in check_mirror(replace(there, simulate=True)).found
    assert "cannot be written" in check_mirror(replace(there, may=lambda _path, _mode: False)).found
