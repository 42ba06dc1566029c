"""The whole conversation with a simulated TCL printer in virtual time: every fault at every moment of a ticket's life.

What must hold whatever happens: one outcome per job; `Printed` only with the whole ticket on paper; `PrintFailed` only
when nothing of it ever comes out.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.printer_bench import DIGITS, TclBench, build_ticket, whole_tickets
from support.wire import Harm, byte_by_byte

from drivers.printers.document import (
    Barcode,
    Document,
    Paper,
    Print,
    Printed,
    PrinterStarted,
    PrinterStatus,
    PrintFailed,
    PrintUnknown,
    Text,
)
from drivers.printers.tcl.printer import TclProtocol
from drivers.protocol import Confirm
from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits

FAULTS = {
    "paper out": SimulatedTclPrinter.paper_out,
    "head up": SimulatedTclPrinter.open_cover,
    "jam": SimulatedTclPrinter.jam,
    "power off": SimulatedTclPrinter.power_off,
    "silence": SimulatedTclPrinter.fall_silent,
    "offline": SimulatedTclPrinter.go_offline,
}
CURES = {
    "paper out": SimulatedTclPrinter.refill,
    "head up": SimulatedTclPrinter.close_cover,
    "jam": SimulatedTclPrinter.clear_jam,
    "power off": SimulatedTclPrinter.power_on,
    "offline": SimulatedTclPrinter.go_online,
}
PAGE = Document(elements=(Text(text="NOT MONEY"), *(Text(text=f"line {n}") for n in range(20))))


# Start-up and status


def test_a_printer_starts_with_its_firmware_and_then_its_status(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    assert bench.wire.events == [
        PrinterStarted(model="TCL SIMGEN2.0"),
        PrinterStatus(link=True, online=True, paper=Paper.OK),
    ]


def test_the_status_is_requested_about_once_a_second(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    before = bench.sent.count(b"^Se|^")
    bench.wire.run(20)
    assert 18 <= bench.sent.count(b"^Se|^") - before <= 21


@pytest.mark.requirement("TP-06")
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("paper out", PrinterStatus(link=True, online=True, paper=Paper.OUT)),
        ("head up", PrinterStatus(link=True, online=True, paper=Paper.OK, cover_open=True)),
        ("jam", PrinterStatus(link=True, online=True, paper=Paper.OK, jam=True)),
        ("offline", PrinterStatus(link=True, paper=Paper.OK)),
    ],
)
def test_each_trouble_shows_in_the_status_and_goes_again(tmp_path: Path, fault: str, expected: PrinterStatus) -> None:
    bench = TclBench(tmp_path).start()
    FAULTS[fault](bench.printer)
    bench.wire.run(2)
    assert bench.status == expected
    CURES[fault](bench.printer)
    bench.wire.run(8)  # a jam is reported until it is cleared
    assert bench.status == PrinterStatus(link=True, online=True, paper=Paper.OK)


def test_few_tickets_left_are_reported_and_tickets_still_come(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.printer.paper_low()
    bench.wire.run(2)
    assert bench.status.paper is Paper.LOW
    assert bench.print_and_wait() == Printed(job=1)


def test_silence_of_less_than_ten_seconds_is_none(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.printer.silent = True
    bench.wire.run(9)
    assert bench.status.link
    bench.wire.run(3)
    assert not bench.status.link
    bench.printer.silent = False
    bench.wire.run(10)
    assert bench.status.can_print


def test_a_printer_switched_off_and_on_is_found_again(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.printer.power_off()
    bench.wire.run(15)
    assert not bench.status.link
    bench.printer.power_on()
    bench.wire.run(12)
    assert bench.status.can_print
    assert len(bench.all(PrinterStarted)) == 2


@pytest.mark.parametrize("torn", [b"^", b"^P|0|1|00-56", b"^j|^", b"^j|^half a line", b"^Se", b"x^C|j|^^"])
def test_a_torn_command_or_a_forgotten_journal_is_survived(tmp_path: Path, torn: bytes) -> None:
    bench = TclBench(tmp_path)
    bench.printer.receive(torn, 0.0)
    bench.wire.connect()
    bench.wire.run(40)
    assert bench.status.can_print
    bench.printer.take()
    bench.wire.run(10)
    assert bench.print_and_wait() == Printed(job=1)


def test_a_journal_left_open_by_an_answering_printer_is_closed() -> None:
    protocol = TclProtocol()
    protocol.opened(0.0)
    protocol.tick(0.0)
    protocol.bytes_to_send()
    protocol.receive(b"*S|0|X|@|@|@|H|@|P0|*", 0.1)
    assert protocol.bytes_to_send() == b"\x1b[^]\x1b"


# Tickets


def test_a_ticket_comes_out_whole_and_is_reported_printed_once(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    assert bench.print_and_wait(7) == Printed(job=7)
    bench.wire.run(30)
    assert bench.outcomes() == [Printed(job=7)]
    assert whole_tickets(bench) == len(bench.printer.tickets) == 1


@pytest.mark.parametrize("answers", [True, False], ids=["talks while printing", "is silent while printing"])
def test_printed_is_reported_only_after_the_ticket_is_out(tmp_path: Path, answers: bool) -> None:
    bench = TclBench(tmp_path, traits=TclTraits(answers_while_printing=answers, print_s=8.0)).start()
    bench.print()
    while not bench.outcomes():
        bench.wire.run(0.05)
        assert whole_tickets(bench) == 1 or not bench.outcomes()
    assert bench.outcomes() == [Printed(job=1)]


@pytest.mark.fault(30)
def test_the_same_job_ordered_again_while_in_flight_is_sent_once(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1)
    bench.print(1)
    bench.print(2)
    bench.wire.run(30)
    assert bench.outcomes() == [PrintFailed(job=2, reason="busy"), Printed(job=1)]
    assert bench.sent.count(b"^P|") == 1


def test_bytes_that_come_one_at_a_time_change_nothing(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, damage=byte_by_byte).start()
    assert bench.print_and_wait() == Printed(job=1)


def test_a_page_that_cannot_be_made_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1, Document(elements=(Barcode(digits=DIGITS),)))
    assert isinstance(bench.outcomes()[0], PrintFailed)
    assert bench.print_and_wait(2) == Printed(job=2)


def test_a_page_before_start_up_or_on_a_closed_line_is_refused(tmp_path: Path) -> None:
    bench = TclBench(tmp_path)
    bench.print(1)
    bench.wire.connect()
    bench.print(2)
    assert [type(outcome) for outcome in bench.outcomes()] == [PrintFailed, PrintFailed]


def test_the_last_ticket_of_the_stack_is_good_and_then_it_is_out_of_paper_and_nothing_else(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.printer.stack = 1
    assert bench.print_and_wait() == Printed(job=1)
    assert whole_tickets(bench) == 1
    bench.wire.run(5)
    assert bench.status == PrinterStatus(link=True, online=True, paper=Paper.OUT)


@pytest.mark.requirement("TP-11")
def test_nothing_is_ever_printed_without_an_order(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    for name, undo in CURES.items():
        FAULTS[name](bench.printer)
        bench.wire.run(20)
        undo(bench.printer)
        bench.wire.run(20)
    bench.wire.order(Confirm(receipt=1))
    bench.wire.disconnect()
    bench.wire.connect()
    bench.wire.run(60)
    assert bench.printer.tickets == []


# The chute


@pytest.mark.requirement("TP-08")
def test_the_next_ticket_waits_until_the_last_is_taken(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=TclTraits()).start()
    bench.print_and_wait(1)
    bench.print(2)
    bench.wire.run(10)
    assert len(bench.outcomes()) == 1
    assert bench.sent.count(b"^P|") == 1
    bench.printer.take()
    assert bench.run_to_outcome(2) == Printed(job=2)


@pytest.mark.requirement("TP-08")
def test_a_ticket_left_in_the_printer_stops_the_next_and_is_a_fault_until_it_is_gone(tmp_path: Path) -> None:
    bench = TclBench(tmp_path, traits=TclTraits()).start()
    bench.print_and_wait(1)
    bench.print(2)
    outcome = bench.run_to_outcome(2)
    assert outcome == PrintFailed(job=2, reason="a ticket is in the printer's mouth: take it out")
    assert not bench.status.can_print
    assert bench.status.fault == "a ticket is in the printer's mouth: take it out"

    bench.printer.take()
    bench.wire.run(3)
    assert bench.status.can_print
    assert len(bench.printer.tickets) == 1


# Faults before, during, after


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_before_the_first_byte_is_a_certain_failure(tmp_path: Path, fault: str) -> None:
    bench = TclBench(tmp_path).start()
    FAULTS[fault](bench.printer)
    assert isinstance(bench.print_and_wait(), PrintFailed)
    CURES.get(fault, SimulatedTclPrinter.take)(bench.printer)
    bench.wire.run(60)
    assert bench.printer.tickets == []


@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("moment_s", [0.6, 1.0, 2.5, 3.5, 4.4])
def test_a_fault_while_printing_is_an_unknown_outcome(tmp_path: Path, fault: str, moment_s: float) -> None:
    bench = TclBench(tmp_path).start()
    bench.print()
    bench.wire.run(moment_s)
    assert bench.outcomes() == []
    FAULTS[fault](bench.printer)
    assert isinstance(bench.run_to_outcome(), PrintUnknown)
    CURES.get(fault, SimulatedTclPrinter.take)(bench.printer)
    bench.wire.run(60)
    assert len(bench.outcomes()) == 1


@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize("moment_s", [0.6, 1.0, 2.0, 3.0, 4.0])
def test_power_lost_for_a_moment_between_sent_and_done_is_noticed(tmp_path: Path, moment_s: float) -> None:
    bench = TclBench(tmp_path, traits=TclTraits(boot_s=0.05, taken_after_s=0.5)).start()
    bench.print()
    bench.wire.run(moment_s)
    bench.printer.power_off()
    bench.printer.power_on()
    outcome = bench.run_to_outcome()
    assert outcome == PrintUnknown(job=1, reason="the printer was switched off while printing")


@pytest.mark.fault(33)
def test_a_ticket_paid_otherwise_does_not_come_out_on_refill(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print()
    bench.wire.run(1.5)
    bench.printer.paper_out()
    assert isinstance(bench.run_to_outcome(), PrintUnknown)
    bench.wire.run(3)
    assert b"^F|A|^" in bench.sent[bench.sent.index(b"^P|") :]
    bench.printer.refill()
    bench.wire.run(60)
    assert whole_tickets(bench) == 0
    assert bench.print_and_wait(2) == Printed(job=2)
    assert whole_tickets(bench) == 1


def test_a_page_kept_from_before_the_host_started_is_dropped(tmp_path: Path) -> None:
    bench = TclBench(tmp_path)
    bench.printer.paper_out()
    bench.printer.receive(b"^P|0|1|" + b"x|" * 16 + b"0056|^", 0.0)
    bench.start()
    bench.wire.run(3)
    bench.printer.refill()
    bench.wire.run(30)
    assert bench.printer.tickets == []


@pytest.mark.requirement("TP-04")
def test_a_line_lost_while_printing_is_unknown_reported_once_and_survived(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1)
    bench.wire.run(1.0)
    bench.wire.disconnect()
    assert bench.outcomes() == [PrintUnknown(job=1, reason="the line to the printer was lost")]
    bench.wire.connect()
    bench.wire.run(30)
    assert bench.print_and_wait(2) == Printed(job=2)
    assert [outcome.job for outcome in bench.outcomes()] == [1, 2]


def test_a_line_lost_before_the_first_byte_is_a_certain_failure(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print()
    bench.wire.disconnect()
    assert [type(outcome) for outcome in bench.outcomes()] == [PrintFailed]
    bench.wire.connect()
    bench.wire.run(30)
    assert bench.printer.tickets == []


def test_a_printer_that_refuses_the_form_leaves_an_unknown_outcome_and_prints_again_later(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1)
    bench.wire.run_until(lambda: b"^P|" in bench.sent)
    bench.printer.receive(b"^X|^", bench.wire.now)
    assert bench.run_to_outcome(1) == PrintUnknown(job=1, reason="it did not understand a command")
    bench.wire.run(10)
    assert bench.print_and_wait(2) == Printed(job=2)


def test_a_printer_that_will_not_forget_the_page_before_is_reset() -> None:
    protocol = TclProtocol()
    protocol.opened(0.0)
    now, out = 0.0, b""
    protocol.tick(now)
    protocol.receive(b"*S|0|X|@|H|@|@|@|P0|*", now)
    protocol.order(Print(job=1, document=build_ticket()), now)
    while now < 8:
        now += 0.25
        protocol.tick(now)
        out += protocol.bytes_to_send()
        protocol.receive(b"*S|0|X|@|H|@|@|@|P0|*", now)
    assert PrintFailed(job=1, reason="the printer did not clear the earlier page") in protocol.events()
    assert b"^r|^" in out
    assert b"^P|" not in out


# Pages other than tickets


def test_a_page_without_value_comes_out_in_journal_mode(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    assert bench.print_and_wait(1, PAGE) == Printed(job=1)
    (page,) = bench.printer.tickets
    assert [line.strip() for line in page.lines] == ["NOT MONEY", *(f"line {n}" for n in range(20))]
    assert page.barcode is None
    bench.wire.run(5)
    assert bench.print_and_wait(2) == Printed(job=2)


@pytest.mark.requirement("TP-08")
def test_the_ticket_after_an_interrupted_page_begins_on_new_paper(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1, PAGE)
    bench.wire.run_until(lambda: b"^j|^" in bench.sent)
    bench.wire.run(0.5)
    bench.printer.paper_out()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    bench.wire.run(10)
    before = len(bench.sent)
    bench.printer.refill()
    bench.wire.run(10)
    assert bench.print_and_wait(2) == Printed(job=2)
    assert b"^f|I|^" in bench.sent[before:].split(b"^P|")[0]
    assert bench.sent[before:].count(b"^f|I|^") == 1


def test_no_question_is_sent_between_the_lines_of_a_journal(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print_and_wait(1, PAGE)
    inside = bench.sent.split(b"^j|^")[1].split(b"\x1b[^]\x1b")[0]
    assert b"^" not in inside


@pytest.mark.fault(42)
def test_a_long_page_goes_out_line_by_line_at_the_pace_of_the_paper(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1, PAGE)
    bench.wire.run_until(lambda: b"^j|^" in bench.sent)
    begun = bench.wire.now
    bench.wire.run_until(lambda: b"^f|I|^" in bench.sent)
    assert bench.wire.now - begun == pytest.approx(22 * 0.15, abs=0.2)
    assert max(map(len, bench.wire.sent)) < 64


def test_a_printer_that_requests_a_wait_gets_no_further_line(tmp_path: Path) -> None:
    bench = TclBench(tmp_path).start()
    bench.print(1, PAGE)
    bench.wire.run_until(lambda: b"^j|^" in bench.sent)
    bench.protocol.receive(b"\x13", bench.wire.now)
    before = bench.sent
    bench.wire.run(5)
    assert bench.sent == before
    bench.protocol.receive(b"\x11", bench.wire.now)
    assert bench.run_to_outcome(1) == Printed(job=1)


# Damage on the line


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "harm", [Harm(), Harm(delayed=0.05), Harm(lost=0.02), Harm(flipped=0.02, doubled=0.02)], ids=str
)
def test_no_damage_or_fault_makes_a_missing_ticket_printed_or_a_coming_one_failed(tmp_path: Path, harm: Harm) -> None:
    outcomes: set[type[object]] = set()
    for seed in range(12):
        rng = random.Random(seed)
        bench = TclBench(tmp_path / str(seed)).start()
        damage = harm.by(rng)
        # A wrong bit inside the ticket's text is beyond the protocol: it has no check sum.
        bench.wire.damage = lambda chunk, harmed=damage: harmed(chunk) if b"^P|" not in chunk else [(0.0, chunk)]
        outcomes |= {live_through(bench, job, rng) for job in range(1, 4)}
    assert outcomes == {Printed, PrintFailed, PrintUnknown}


def live_through(bench: TclBench, job: int, rng: random.Random) -> type[object]:
    """One ticket with a fault at any moment, and the conditions for its outcome."""
    came_before, sent_before = whole_tickets(bench), bench.sent.count(b"^P|")
    fault = rng.choice(sorted(CURES))
    if rng.random() < 0.2:
        FAULTS[fault](bench.printer)
    bench.print(job)
    bench.wire.run(rng.random() * 8)
    FAULTS[fault](bench.printer)
    bench.wire.run(rng.random() * 4)
    CURES[fault](bench.printer)
    outcome = bench.run_to_outcome(job)
    bench.wire.run(20)
    if isinstance(outcome, Printed):
        assert whole_tickets(bench) > came_before
    if isinstance(outcome, PrintFailed):
        assert bench.sent.count(b"^P|") == sent_before
    assert [reported.job for reported in bench.outcomes()] == list(range(1, job + 1))
    return type(outcome)


@given(
    steps=st.lists(
        st.one_of(
            st.binary(min_size=1, max_size=12),
            st.floats(0.0, 3.0),
            st.sampled_from(["print", "close", "open", "@@@@@", "@@@@`", "T@@@@", "@@@@a", "@@@H@"]),
        ),
        max_size=40,
    )
)
def test_no_bytes_at_any_moment_make_the_protocol_raise(steps: list[bytes | float | str]) -> None:
    protocol = TclProtocol()
    now, ordered, reported = 0.0, 0, []
    protocol.opened(now)
    for step in steps:
        if isinstance(step, bytes):
            protocol.receive(step, now)
        elif isinstance(step, float):
            now += step
        elif step == "print":
            ordered += 1
            protocol.order(Print(job=ordered, document=build_ticket()), now)
        elif step == "close":
            protocol.closed(now)
        elif step == "open":
            protocol.opened(now)
        else:
            protocol.receive(f"*S|0|X|{'|'.join(step)}|P0|*".encode(), now)
        protocol.tick(now)
        protocol.bytes_to_send()
        reported += jobs(protocol)
    protocol.closed(now)
    assert sorted(reported + jobs(protocol)) == list(range(1, ordered + 1))


def jobs(protocol: TclProtocol) -> list[int]:
    return [event.job for event in protocol.events() if isinstance(event, Printed | PrintFailed | PrintUnknown)]
