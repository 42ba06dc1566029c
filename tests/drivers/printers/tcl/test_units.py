"""Different units, with flags they cannot clear or commands they do not know: each proves a ticket."""

from itertools import pairwise
from pathlib import Path

import pytest
from support.printer_bench import TclBench, whole_tickets

from drivers.printers.document import Document, Printed, PrintUnknown, Text
from drivers.simulated.tcl_printer import TclTraits

PAGE = Document(elements=tuple(Text(text=f"line {n}") for n in range(5)))
PAYCHECK = TclTraits(
    begin_s=1.0, clear_forgets_done=False, clear_forgets_reset=False, drops_bursts=True, taken_after_s=1.0
)
"""Like the emulator of that name: only printing clears flags, and the last command in a write is executed."""


def test_validation_done_and_power_reset_at_rest_do_not_stop_printing(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=PAYCHECK).start()
    bench.printer.receive(b"^Se|^", bench.wire.now)
    assert bench.printer.bytes_to_send() == b"*S|0|SIMGEN2.0|@|@|@|@|q|P0|*"
    assert bench.print_and_wait() == Printed(job=1)
    assert whole_tickets(bench) == 1


@pytest.mark.requirement("TP-04")
def test_a_unit_whose_power_reset_stands_proves_nothing_after_a_power_cut(tmp_path: Path) -> None:
    for moment_s in (1.2, 2.2, 3.2, 4.2):
        bench = TclBench(tmp_path / str(moment_s), traits=PAYCHECK).start()
        bench.print()
        bench.wire.run(moment_s)
        bench.printer.power_off()
        bench.printer.power_on()
        assert isinstance(bench.run_to_outcome(), PrintUnknown), moment_s


def test_every_write_holds_one_command_and_a_unit_that_drops_bursts_loses_none(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=TclTraits(drops_bursts=True, taken_after_s=1.0)).start()
    assert bench.print_and_wait(1) == Printed(job=1)
    assert bench.print_and_wait(2, PAGE) == Printed(job=2)
    bench.printer.jam()
    bench.wire.run(7)
    bench.printer.clear_jam()
    bench.wire.run(7)
    assert bench.print_and_wait(3) == Printed(job=3)
    assert all(write.count(b"^") <= 2 for write in bench.wire.sent)


def test_after_every_command_the_status_is_asked_for_before_the_next(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print_and_wait()
    bench.printer.jam()
    bench.wire.run(10)
    for command, following in pairwise(bench.wire.sent):
        assert b"^Se|^" in {command, following}


def test_a_unit_whose_clear_error_does_not_clear_the_last_ticket_prints_the_next(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=TclTraits(clear_forgets_done=False, taken_after_s=1.0)).start()
    for job in (1, 2, 3):
        bench.print(job)
        while len(bench.outcomes()) < job:
            bench.wire.run(0.05)
            assert whole_tickets(bench) >= len(bench.outcomes())
    assert bench.outcomes() == [Printed(job=1), Printed(job=2), Printed(job=3)]


def test_a_unit_that_does_not_know_how_to_drop_pages_is_reset(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=TclTraits(knows_drop=False, taken_after_s=1.0)).start()
    bench.print()
    bench.wire.run(1.5)
    bench.printer.open_cover()
    assert isinstance(bench.run_to_outcome(), PrintUnknown)
    bench.wire.run(3)
    bench.printer.close_cover()
    bench.wire.run(30)
    assert whole_tickets(bench) == 0
    assert bench.print_and_wait(2) == Printed(job=2)
