"""A running cabinet read from outside: the same figures as its books, while it plays, and without making it wait."""

import os
import random
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from threading import Event as Bell

import pytest
from support.live import CRAWL, Live, running

from cabinet.engine.effects import Event
from cabinet.engine.inputs import Button
from cabinet.engine.state import Machine
from cabinet.link import wire
from cabinet.link.client import Client, EndedError, connected
from cabinet.link.place import BESIDE, short
from cabinet.runtime.inbox import Pressed
from cabinet.runtime.live import LiveFigures
from cabinet.runtime.reader_figures import last_note, meter_figures, page, status_figures
from cabinet.store.following import newest_row
from cabinet.store.journal import FILE, Journal
from cabinet.store.reading import reading
from drivers.simulated.ticket_printer import SimulatedTicketPrinter


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A running cabinet with a note in it."""
    with running(tmp_path / "data") as live:
        live.note(2_000)
        yield live


def folder_of(live: Live) -> Path:
    """The folder of its books."""
    return Path(live.cabinet.journal.connection.execute("PRAGMA database_list").fetchone()[2]).parent


@contextmanager
def client(live: Live) -> Iterator[Client]:
    """A connection to it."""
    with connected(folder_of(live)) as found:
        assert found is not None
        yield found


def test_a_running_cabinet_gives_what_its_books_hold(live: Live, tmp_path: Path):
    live.sit("table")
    live.press("bet", "deal")
    with client(live) as reader:
        status = reader.figures(wire.Status())
        meters = reader.figures(wire.Meters())
        seen = [reader.pages(kind(), 20, key) for kind, key in ((wire.Events, "number"), (wire.Games, "number"))]
        assert reader.seq == live.cabinet.journal.seq
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        shutil.copy(tmp_path / "data" / name, copy)
    with reading(copy) as connection:
        found = newest_row(connection)
        assert (status.pop("running"), status.pop("uptime_s") >= 0) == (True, True)
        assert status == status_figures(live.machine, found, last_note(connection))
        assert meters == meter_figures(live.machine)
        assert seen == [page(connection, wire.Events(limit=20)), page(connection, wire.Games())]


def test_figures_are_published_after_the_commit_and_never_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    journals: list[Journal] = []
    durable: list[bool] = []
    publish = LiveFigures.publish

    def watched(figures: LiveFigures, machine: Machine, events: tuple[Event, ...], wall_ms: int) -> None:
        durable.extend(journal.machine is machine for journal in journals)
        publish(figures, machine, events, wall_ms)

    monkeypatch.setattr(LiveFigures, "publish", watched)
    with running(tmp_path, begin=False) as live:
        journals.append(live.cabinet.journal)
        live.cabinet.start()
        live.ready()
        live.note(2_000)
    assert len(durable) > 3
    assert all(durable)


def test_a_reader_follows_every_entry_without_loss_or_double(live: Live):
    with client(live) as reader:
        found, at = [], 0
        for cents in (500, 1_000, 2_000):
            live.note(cents)
            while at < live.cabinet.journal.seq:
                part = reader.rows(at)
                found += part.rows
                at = part.through
        numbers = [row["number"] for row in found]
        assert numbers == list(range(1, len(numbers) + 1))
        assert [row["cents"] for row in found if row["what"] == "note accepted"] == [2_000, 500, 1_000, 2_000]


def test_the_end_of_the_cabinet_ends_the_reading_and_the_socket(tmp_path: Path):
    with running(tmp_path) as live:
        with client(live) as reader:
            live.cabinet.stop()
            with pytest.raises(EndedError):
                reader.wait(reader.newest())
        assert not (tmp_path / BESIDE).exists()


def test_a_cabinet_without_a_socket_plays(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / BESIDE).mkdir()
    with running(tmp_path) as live:
        live.note(2_000)
        assert live.credit == 2_000
    assert "no figures for other programs" in caplog.text


def test_the_socket_of_a_killed_cabinet_does_not_stop_the_next(tmp_path: Path):
    child = os.fork()
    if not child:
        try:
            with running(tmp_path):
                os.kill(os.getpid(), 9)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -9
    assert (tmp_path / BESIDE).is_socket()
    with running(tmp_path) as live, client(live) as reader:
        assert reader.figures(wire.Status())["running"] is True


def test_random_bytes_move_nothing_in_a_cabinet_that_plays(live: Live):
    draw, hello = random.Random(14), wire.encode(wire.Hello(version=1))
    live.sit("table")
    live.until(lambda: live.machine.acceptor.in_path is None, "the acceptor at rest")
    before = (live.machine.books, live.cabinet.journal.connection.total_changes)
    for _ in range(60):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as near, short(folder_of(live) / BESIDE) as name:
            near.connect(name)
            with suppress(BrokenPipeError, ConnectionResetError):
                near.sendall(hello[: draw.choice((0, 7, len(hello)))] + draw.randbytes(draw.randint(1, 20_000)))
    with client(live) as reader:
        assert reader.figures(wire.Status())["credit"] == live.credit
    assert (live.machine.books, live.cabinet.journal.connection.total_changes) == before
    live.press("bet", "deal")


def test_a_press_is_answered_as_fast_with_ten_readers_as_without(live: Live, capsys: pytest.CaptureFixture[str]):
    """Ten readers ask ten times a second each. The bound leaves room for a busy machine; the figures are printed."""
    live.sit("table")
    alone, ended = _presses(live, 60), Bell()

    def poll() -> int:
        asked = 0
        with client(live) as reader:
            while not ended.wait(0.1):
                reader.figures(wire.Status() if asked % 2 else wire.Meters())
                reader.pages(wire.Events(), 20, "number")
                asked += 1
        return asked

    with ThreadPoolExecutor(10) as readers:
        polls = [readers.submit(poll) for _ in range(10)]
        watched = _presses(live, 60)
        ended.set()
        asked = sum(each.result() for each in polls)
    with capsys.disabled():
        sys.stdout.write(
            f"\npress to snapshot, ms: {1e3 * median(alone):.2f} alone, {1e3 * median(watched):.2f} with 10 readers"
            f" ({asked} polls), ratio {median(watched) / median(alone):.2f}"
        )
    assert median(watched) < 5 * median(alone) + 0.05


def _presses(live: Live, number: int) -> list[float]:
    """Seconds from a touch of SERVICE to the snapshot that shows it."""
    found = []
    for _ in range(number):
        calling = live.machine.calling
        began_s = time.perf_counter()
        live.controller.put(Pressed(wish=Button.SERVICE, at_s=time.monotonic()))
        live.bell.clear()
        while live.machine.calling == calling:
            live.bell.wait(0.5)
            live.bell.clear()
        found.append(time.perf_counter() - began_s)
        Bell().wait(0.02)
    return found


def test_publishing_costs_the_money_little(live: Live, capsys: pytest.CaptureFixture[str]):
    figures, machine = live.cabinet.live, live.machine
    began_s = time.thread_time()
    for _ in range(2_000):
        figures.publish(machine, (), 1)
    each_us = (time.thread_time() - began_s) / 2_000 * 1e6
    with capsys.disabled():
        sys.stdout.write(f"\npublish: {each_us:.1f} us of the processor")
    assert each_us < 500


def test_a_question_does_not_wait_for_the_end_of_a_ticket(live: Live):
    printer, line = live.simulated_devices.printer, live.simulated_devices.printer_line
    assert isinstance(printer, SimulatedTicketPrinter)
    printer.traits = replace(swift := printer.traits, dot_lines_per_s=CRAWL // 20)
    with client(live) as reader:
        live.press("cash_out")
        live.until(lambda: line.call(lambda: not printer.page.is_blank), "the ticket being printed")
        (row,) = reader.pages(wire.Tickets(), 5, "sequence")
        assert live.machine.printer.printing is not None
        assert row["state"] == "printing"
    printer.traits = swift
