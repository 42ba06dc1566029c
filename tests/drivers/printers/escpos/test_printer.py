"""The whole conversation with a simulated printer in virtual time: start-up, status, and every fault at every moment.

What must hold whatever happens: one outcome per job; `Printed` only with the whole ticket on paper; `PrintFailed` only
when nothing of it ever comes out.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.printer_bench import DIGITS, PrinterBench, build_page
from support.wire import Harm, Wire, byte_by_byte, unharmed

from drivers.printers.document import (
    Barcode,
    Document,
    Feed,
    Paper,
    Print,
    Printed,
    PrinterEvent,
    PrinterStarted,
    PrinterStatus,
    PrintFailed,
    PrintOrder,
    PrintUnknown,
    Text,
)
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.escpos.printer import EscPosProtocol
from drivers.printers.paper import MM_58, MM_80, PaperProfile, Symbology
from drivers.protocol import Confirm
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Traits

Touch = Callable[[SimulatedTicketPrinter], None]

FAULTS: dict[str, Touch] = {
    "paper out": SimulatedTicketPrinter.paper_out,
    "cover open": SimulatedTicketPrinter.open_cover,
    "jam": SimulatedTicketPrinter.jam,
    "power off": SimulatedTicketPrinter.power_off,
    "silence": SimulatedTicketPrinter.fall_silent,
    "offline": SimulatedTicketPrinter.go_offline,
}
CURES: dict[str, Touch] = {
    "paper out": SimulatedTicketPrinter.refill,
    "cover open": SimulatedTicketPrinter.close_cover,
    "jam": SimulatedTicketPrinter.clear_jam,
    "power off": SimulatedTicketPrinter.power_on,
    "offline": SimulatedTicketPrinter.go_online,
}


def cure(printer: SimulatedTicketPrinter, fault: str) -> None:
    """Undo a fault, where it can be undone."""
    if fault in CURES:
        CURES[fault](printer)


def is_whole(lines: tuple[str, ...]) -> bool:
    """Whether a piece of paper carries all of the standard page."""
    return "VENUE" in "".join(lines) and all(any(f"Line {n} " in line for line in lines) for n in range(30))


def whole_tickets(bench: PrinterBench) -> int:
    return sum(is_whole(ticket.lines) and ticket.barcode == DIGITS and ticket.cut for ticket in bench.printer.tickets)


# Start-up


def test_a_printer_that_can_report_starts_with_its_model_and_then_its_status(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()

    assert bench.wire.events == [
        PrinterStarted(model="SIM-TP80"),
        PrinterStatus(link=True, online=True, paper=Paper.OK),
    ]
    assert bench.printer.page.unknown_commands == 0


def test_start_up_asks_four_real_time_questions_then_model_then_an_in_order_answer(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()

    questions, in_order = bench.sent.split(bytes(32))
    assert questions.hex(" ") == "10 04 01 10 04 02 10 04 03 10 04 04"
    assert in_order.hex(" ") == "1d 61 00 1d 49 43 1d 72 01 1d 61 0e"


def test_a_printer_that_answers_nothing_never_starts(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, silent=True)
    bench.wire.connect()
    bench.wire.run(60)

    assert [type(event) for event in bench.wire.events] == [PrinterStatus]
    assert not bench.status.link
    assert "cannot report its status" in bench.status.fault


@pytest.mark.parametrize("answers", [{4}, {1, 4}, {1, 2}, {2, 4}])
def test_a_board_that_reports_only_some_things_never_starts(tmp_path: Path, answers: set[int]) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(answers=frozenset(answers)))
    bench.wire.connect()
    bench.wire.run(60)

    assert not bench.all(PrinterStarted)
    assert "cannot report its status: no answer to DLE EOT" in bench.status.fault
    assert not bench.status.can_print


def test_a_printer_without_in_order_answers_never_starts(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(answers_in_order=False))
    bench.wire.connect()
    bench.wire.run(60)

    assert not bench.all(PrinterStarted)
    assert "no answer to GS r" in bench.status.fault
    assert not bench.status.can_print


@pytest.mark.parametrize(
    "traits",
    [Traits(answers=frozenset({1, 2, 4})), Traits(error_answer=0x00, paper_absent_bits=0x60)],
)
def test_a_board_without_error_status_starts_and_is_not_asked_for_it_again(tmp_path: Path, traits: Traits) -> None:
    bench = PrinterBench(tmp_path, traits=traits).start()
    bench.wire.run(10)

    assert bench.sent.count(bytes.fromhex("10 04 03")) == 1
    assert isinstance(bench.print_and_wait(), Printed)


def test_a_printer_switched_on_later_starts_then(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path)
    bench.printer.power_off()
    bench.wire.connect()
    bench.wire.run(30)
    assert not bench.status.link

    bench.printer.power_on()
    bench.wire.run(30)
    assert bench.status.can_print


def test_a_printer_without_paper_at_start_up_reports_it_and_starts_when_refilled(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path)
    bench.printer.paper_out()
    bench.wire.connect()
    bench.wire.run(30)
    assert not bench.all(PrinterStarted)
    assert (bench.status.link, bench.status.paper, bench.status.fault) == (True, Paper.OUT, "")

    bench.printer.refill()
    bench.wire.run(5)
    assert bench.all(PrinterStarted)
    assert bench.status.can_print


def test_a_one_byte_model_number_is_taken_for_the_model() -> None:
    protocol = EscPosProtocol(style=PageStyle(paper=MM_80))
    protocol.opened(0.0)
    protocol.tick(0.0)
    protocol.receive(bytes.fromhex("12 12 12 12 20 00"), 0.1)
    assert protocol.events()[0] == PrinterStarted(model="ESC/POS 20")


# Status


@pytest.mark.requirement("TP-06")
def test_each_trouble_shows_in_the_status_and_goes_again(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    well = PrinterStatus(link=True, online=True, paper=Paper.OK)
    expected = {
        "paper out": PrinterStatus(link=True, paper=Paper.OUT),
        "cover open": PrinterStatus(link=True, paper=Paper.OK, cover_open=True),
        "jam": PrinterStatus(link=True, paper=Paper.OK, jam=True),
        "offline": PrinterStatus(link=True, paper=Paper.OK),
        "power off": PrinterStatus(link=False, fault="stopped answering"),
    }
    for name, status in expected.items():
        FAULTS[name](bench.printer)
        bench.wire.run(2.5)
        assert bench.status == status, name
        CURES[name](bench.printer)
        bench.wire.run(20)
        assert bench.status == well, name
    bench.printer.paper_low()
    bench.wire.run(2.5)
    assert bench.status == PrinterStatus(link=True, online=True, paper=Paper.LOW)
    assert bench.status.can_print


def test_an_unchanged_status_is_reported_once(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.wire.run(60)
    assert len(bench.all(PrinterStatus)) == 1


def test_silence_is_always_a_fault(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.printer.fall_silent()
    bench.wire.run(2.5)

    assert not bench.status.link
    assert isinstance(bench.print_and_wait(), PrintFailed)


def test_an_automatic_status_is_understood_at_once() -> None:
    protocol = started_protocol()
    protocol.receive(bytes.fromhex("38 00 00 00"), 1.0)
    assert protocol.events() == (PrinterStatus(link=True, paper=Paper.OK, cover_open=True),)


def test_an_automatic_status_amid_questions_does_not_disturb_the_start_up() -> None:
    protocol = EscPosProtocol(style=PageStyle(paper=MM_80))
    protocol.opened(0.0)
    protocol.tick(0.0)
    protocol.receive(bytes.fromhex("1A 32 12 7E"), 0.1)  # no paper yet
    protocol.tick(1.2)  # asks again
    protocol.bytes_to_send()
    protocol.receive(bytes.fromhex("10 00 00 00"), 1.3)  # refilled, and reports it without a question
    assert protocol.bytes_to_send() == b""
    protocol.receive(bytes.fromhex("12 12 12 12"), 1.4)
    assert bytes.fromhex("1D 49 43") in protocol.bytes_to_send()


def test_half_an_automatic_status_does_not_swallow_later_answers(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.protocol.receive(b"\x10", bench.wire.now)
    bench.wire.run(2)
    assert isinstance(bench.print_and_wait(), Printed)


# Printing


@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize("symbology", Symbology)
def test_a_page_comes_out_whole_and_is_reported_printed_once(
    tmp_path: Path, paper: PaperProfile, symbology: Symbology
) -> None:
    bench = PrinterBench(tmp_path, paper=paper, symbology=symbology).start()
    assert bench.print_and_wait(7) == Printed(job=7)
    bench.wire.run(30)

    assert bench.outcomes() == [Printed(job=7)]
    assert whole_tickets(bench) == len(bench.printer.tickets) == 1
    assert bench.printer.page.unknown_commands == 0


def test_printed_is_reported_only_after_the_cut(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print()
    while not bench.outcomes():
        bench.wire.run(0.01)
        assert whole_tickets(bench) == 1 or not bench.outcomes()
    assert bench.outcomes() == [Printed(job=1)]


def test_tickets_one_after_another_all_come_out(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    for job in range(5):
        assert bench.print_and_wait(job) == Printed(job=job)
    assert whole_tickets(bench) == 5


def test_bytes_that_come_one_at_a_time_change_nothing(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, damage=byte_by_byte).start()
    assert bench.print_and_wait() == Printed(job=1)


def test_a_small_buffer_never_overflows_though_there_is_no_handshake(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(buffer_bytes=300, dot_lines_per_s=200)).start()
    assert bench.print_and_wait(document=build_page(lines=100)) == Printed(job=1)
    assert bench.printer.bytes_lost == 0


def test_the_host_waits_for_a_printer_that_requests_a_wait(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print()
    bench.protocol.receive(b"\x13", bench.wire.now)
    bench.wire.run(5)
    assert bench.outcomes() == []
    assert bench.printer.tickets == []

    bench.protocol.receive(b"\x11", bench.wire.now)
    assert bench.run_to_outcome() == Printed(job=1)


def test_a_printer_that_never_ends_its_wait_gets_nothing_of_the_page(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.protocol.receive(b"\x13", bench.wire.now)
    assert isinstance(bench.print_and_wait(), PrintFailed)
    bench.wire.run(60)
    assert bench.printer.tickets == []


def test_a_bar_code_that_holds_a_real_time_question_prints_anyway(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    digits = "001604011604040000"  # the pairs 16 04 01 are DLE EOT 1
    assert bench.print_and_wait(document=build_page(digits=digits)) == Printed(job=1)
    assert bench.printer.tickets[0].barcode == digits


@pytest.mark.requirement("TP-11")
def test_nothing_is_ever_printed_without_an_order(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    for name, undo in CURES.items():
        FAULTS[name](bench.printer)
        bench.wire.run(10)
        undo(bench.printer)
        bench.wire.run(10)
    bench.wire.order(Confirm(receipt=1))
    bench.wire.disconnect()
    bench.wire.connect()
    bench.wire.run(30)

    assert bench.printer.tickets == []
    assert bench.printer.page.is_blank


# Orders that are not possible now


def test_a_second_page_is_refused_while_one_is_in_flight(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.print(2)
    assert bench.outcomes() == [PrintFailed(job=2, reason="busy")]
    assert bench.run_to_outcome(1) == Printed(job=1)
    assert len(bench.printer.tickets) == 1


@pytest.mark.fault(30)
def test_the_same_job_ordered_again_while_in_flight_is_sent_once(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.print(1)
    bench.wire.run(30)
    assert bench.outcomes() == [Printed(job=1)]
    assert len(bench.printer.tickets) == 1


def test_a_page_before_start_up_or_on_a_closed_line_is_refused(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path)
    bench.print(1)
    bench.wire.connect()
    bench.print(2)
    assert [type(outcome) for outcome in bench.outcomes()] == [PrintFailed, PrintFailed]


@pytest.mark.parametrize("digits", ["1" * 40, "123", "12x4"])
def test_a_page_that_cannot_be_made_is_refused_and_harms_nothing(tmp_path: Path, digits: str) -> None:
    bench = PrinterBench(tmp_path, paper=MM_58).start()
    bench.print(1, Document(elements=(Barcode(digits=digits),)))
    assert isinstance(bench.outcomes()[0], PrintFailed)
    assert bench.print_and_wait(2) == Printed(job=2)


# Faults before, during, after


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_before_the_first_byte_is_a_certain_failure(tmp_path: Path, fault: str) -> None:
    bench = PrinterBench(tmp_path).start()
    FAULTS[fault](bench.printer)
    assert isinstance(bench.print_and_wait(), PrintFailed)

    cure(bench.printer, fault)
    bench.wire.run(60)
    assert bench.printer.tickets == []
    assert bench.printer.page.is_blank


@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("moment_s", [0.1, 0.3, 0.5, 0.8, 1.1])
def test_a_fault_while_printing_is_an_unknown_outcome(tmp_path: Path, fault: str, moment_s: float) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print()
    bench.wire.run(moment_s)
    assert bench.outcomes() == []
    FAULTS[fault](bench.printer)

    assert isinstance(bench.run_to_outcome(), PrintUnknown)
    cure(bench.printer, fault)
    bench.wire.run(60)
    assert len(bench.outcomes()) == 1


@pytest.mark.requirement("TP-04")
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in {"paper out", "silence", "offline"}])
def test_a_fault_just_after_the_last_answer_is_an_unknown_outcome(tmp_path: Path, fault: str) -> None:
    bench = bench_just_after_the_cut(tmp_path)
    FAULTS[fault](bench.printer)
    assert isinstance(bench.run_to_outcome(), PrintUnknown)


def test_paper_that_ends_exactly_after_the_ticket_leaves_it_printed(tmp_path: Path) -> None:
    bench = bench_just_after_the_cut(tmp_path)
    bench.printer.paper_out()
    assert bench.run_to_outcome() == Printed(job=1)

    assert bench.wire.events[-1] == PrinterStatus(link=True, paper=Paper.OUT)
    assert bench.wire.events[-2] == Printed(job=1)


def test_a_feed_button_held_after_the_ticket_is_waited_for(tmp_path: Path) -> None:
    bench = bench_just_after_the_cut(tmp_path)
    bench.printer.go_offline()
    bench.wire.run(1)
    assert bench.outcomes() == []
    bench.printer.go_online()
    assert bench.run_to_outcome() == Printed(job=1)


def test_a_page_kept_by_the_printer_comes_out_on_refill_and_is_not_confused_with_the_next(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=4000)).start()
    bench.print(1, build_page(lines=4))
    bench.wire.run(0.05)
    bench.printer.paper_out()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    bench.printer.refill()
    bench.wire.run(5)
    kept = len(bench.printer.tickets)

    assert bench.print_and_wait(2) == Printed(job=2)
    assert is_whole(bench.printer.tickets[-1].lines)
    assert len(bench.printer.tickets) == kept + 2, "a slip without a word, and the page"
    assert [outcome.job for outcome in bench.outcomes()] == [1, 2]


def test_late_answers_of_an_unknown_page_never_confirm_the_next(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.wire.run(0.3)
    bench.printer.go_offline()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    bench.printer.go_online()
    bench.print(2)
    bench.wire.run(0.3)
    bench.printer.power_off()

    assert isinstance(bench.run_to_outcome(2), PrintUnknown | PrintFailed)


def test_after_an_unknown_page_the_next_begins_with_a_reset_and_a_cut(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.wire.run(0.5)
    bench.printer.power_off()
    bench.run_to_outcome(1)
    bench.printer.power_on()
    bench.wire.run(20)
    before = len(bench.sent)

    assert bench.print_and_wait(2) == Printed(job=2)
    clean_then_question = bytes.fromhex("1B 40 1C 2E 1B 64 06 1D 56 00 1D 61 00 1D 72 01")
    assert clean_then_question in bench.sent[before:]


@pytest.mark.requirement("TP-08")
def test_the_rest_of_an_interrupted_page_is_on_no_other_ticket(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=400)).start()
    bench.print(1, build_page(lines=30))
    bench.wire.run_until(lambda: b"Line 9" in bench.sent and bench.printer.bytes_waiting > 100)
    bench.printer.paper_out()
    assert isinstance(bench.run_to_outcome(1), PrintUnknown)
    bench.printer.refill()
    bench.wire.run(5)
    words = Document(elements=(Text(text="THE NEXT TICKET"),))
    assert bench.print_and_wait(2, words) == Printed(job=2)
    assert [line.strip() for line in bench.printer.tickets[-1].lines if line.strip()] == ["THE NEXT TICKET"]


def test_a_line_lost_before_the_first_byte_is_a_certain_failure(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print()
    bench.wire.disconnect()
    assert [type(outcome) for outcome in bench.outcomes()] == [PrintFailed]
    bench.wire.connect()
    bench.wire.run(30)
    assert bench.printer.tickets == []


@pytest.mark.requirement("TP-04")
def test_a_line_lost_while_printing_is_unknown_reported_once_and_survived(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.wire.run(0.4)
    bench.wire.disconnect()
    assert bench.outcomes() == [PrintUnknown(job=1, reason="the line to the printer was lost")]
    assert not bench.status.link

    bench.wire.connect()
    bench.wire.run(30)
    assert bench.print_and_wait(2) == Printed(job=2)
    assert [outcome.job for outcome in bench.outcomes()] == [1, 2]


@pytest.mark.parametrize("lost", [1, 2, 3, 4, 7, 13, 15, 20, 30])
def test_a_command_torn_by_a_lost_line_does_not_swallow_the_next_start_up(tmp_path: Path, lost: int) -> None:
    bench = PrinterBench(tmp_path).start()
    bench.print(1)
    bench.wire.run_until(lambda: b"\x1dkI" in bench.sent)
    chunk = next(sent for sent in reversed(bench.wire.sent) if b"\x1dkI" in sent)
    bench.wire.disconnect()  # drops the chunk; only the beginning of it gets through
    bench.printer.receive(chunk[: chunk.index(b"\x1dkI") + lost], bench.wire.now)
    bench.wire.connect()
    bench.wire.run(4)
    assert bench.status.can_print


def test_an_outcome_not_yet_fetched_survives_close_and_open() -> None:
    protocol = started_protocol()
    protocol.order(Print(job=9, document=build_page()), 1.0)
    protocol.closed(1.1)
    protocol.closed(1.2)
    protocol.opened(1.3)
    outcomes = [event for event in protocol.events() if isinstance(event, PrintFailed)]
    assert outcomes == [PrintFailed(job=9, reason="the line to the printer was lost")]


def test_power_lost_for_a_moment_between_two_chunks_is_noticed(tmp_path: Path) -> None:
    for moment in range(1, 12):
        bench = PrinterBench(tmp_path, traits=Traits(boot_s=0.05)).start()
        bench.print()
        bench.wire.run(moment / 10)
        bench.printer.power_off()
        bench.printer.power_on()
        outcome = bench.run_to_outcome()
        assert isinstance(outcome, PrintUnknown) or whole_tickets(bench)


# Damage on the line


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "harm",
    [Harm(), Harm(delayed=0.05), Harm(lost=0.01), Harm(lost=0.01, delayed=0.05)],
    ids=["clean", "late", "lossy", "both"],
)
def test_no_loss_delay_or_fault_gives_a_wrong_outcome_of_a_ticket(tmp_path: Path, harm: Harm) -> None:
    outcomes: set[type[object]] = set()
    for seed in range(16):
        rng = random.Random(seed)
        bench = PrinterBench(tmp_path / str(seed), traits=Traits(dot_lines_per_s=2000)).start()
        bench.wire.damage = harm.by(rng)
        outcomes |= {live_through(bench, job, rng) for job in range(1, 4)}
    assert outcomes == {Printed, PrintFailed, PrintUnknown}


def live_through(bench: PrinterBench, job: int, rng: random.Random) -> type[object]:
    """One page with a fault at any moment, and the conditions for its outcome."""
    came_before = whole_tickets(bench)
    nothing_pending = bench.printer.page.is_blank and not bench.all(PrintUnknown)
    fault = rng.choice(sorted(CURES))
    if rng.random() < 0.2:
        FAULTS[fault](bench.printer)
    bench.print(job)
    bench.wire.run(rng.random() * 2.5)
    FAULTS[fault](bench.printer)
    bench.wire.run(rng.random() * 2)
    CURES[fault](bench.printer)
    outcome = bench.run_to_outcome(job)
    bench.wire.run(15)
    if isinstance(outcome, Printed):
        assert whole_tickets(bench) > came_before
    if isinstance(outcome, PrintFailed) and nothing_pending:
        assert bench.printer.page.is_blank
        assert whole_tickets(bench) == came_before
    assert [reported.job for reported in bench.outcomes()] == list(range(1, job + 1))
    return type(outcome)


@pytest.mark.parametrize("seed", range(12))
def test_wrong_bits_on_the_way_to_the_host_never_finish_a_page_early(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=2000)).start()
    harm = Harm(flipped=0.1, doubled=0.02).by(rng)
    bench.wire.damage = lambda chunk: harm(chunk) if len(chunk) < 3 else [(0.0, chunk)]
    if isinstance(bench.print_and_wait(), Printed):
        assert whole_tickets(bench) == 1


@given(
    steps=st.lists(
        st.one_of(st.binary(min_size=1, max_size=12), st.floats(0.0, 3.0), st.sampled_from(["print", "close", "open"])),
        max_size=40,
    )
)
def test_no_bytes_at_any_moment_make_the_protocol_raise(steps: list[bytes | float | str]) -> None:
    protocol = EscPosProtocol(style=PageStyle(paper=MM_80))
    now, ordered = 0.0, 0
    outcomes: list[int] = []
    protocol.opened(now)
    for step in steps:
        if isinstance(step, bytes):
            protocol.receive(step, now)
        elif isinstance(step, float):
            now += step
        elif step == "print":
            ordered += 1
            protocol.order(Print(job=ordered, document=Document(elements=(Feed(),))), now)
        elif step == "close":
            protocol.closed(now)
        else:
            protocol.opened(now)
        protocol.tick(now)
        protocol.bytes_to_send()
        outcomes += [
            event.job for event in protocol.events() if isinstance(event, Printed | PrintFailed | PrintUnknown)
        ]
    protocol.closed(now)
    outcomes += [event.job for event in protocol.events() if isinstance(event, Printed | PrintFailed | PrintUnknown)]
    assert sorted(outcomes) == list(range(1, ordered + 1))


def test_a_wrong_bit_in_an_answer_never_finishes_a_page_early(tmp_path: Path) -> None:
    """The page is still on its way when a stray byte of the right form comes: one such byte is not enough."""
    bench = PrinterBench(tmp_path, traits=Traits(dot_lines_per_s=300)).start()
    bench.print()
    bench.wire.run(1.0)
    bench.protocol.receive(b"\x00", bench.wire.now)
    assert isinstance(bench.run_to_outcome(), Printed)
    assert whole_tickets(bench) == 1


def reported_jobs(protocol: EscPosProtocol) -> list[int]:
    """The jobs whose outcome is among the events now."""
    return [event.job for event in protocol.events() if isinstance(event, Printed | PrintFailed | PrintUnknown)]


def bench_just_after_the_cut(folder: Path) -> PrinterBench:
    """A bench at the moment the ticket is cut and the last answers are on their way to the host."""
    bench = PrinterBench(folder).start()
    bench.print()
    bench.wire.run_until(lambda: bool(bench.printer.tickets))
    assert bench.outcomes() == []
    return bench


def started_protocol() -> EscPosProtocol:
    """A protocol with the status of a healthy printer, at time 1."""
    protocol = EscPosProtocol(style=PageStyle(paper=MM_80))
    protocol.opened(0.0)
    protocol.tick(0.0)
    protocol.receive(bytes.fromhex("12 12 12 12") + b"_X\x00" + b"\x00", 0.5)
    protocol.tick(1.0)
    assert protocol.events()[0] == PrinterStarted(model="X")
    return protocol


class Chatter:
    """No printer at all: a line full of noise, ten bytes every tenth of a second."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._next = 1000.0
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        return

    def tick(self, now: float) -> None:
        while self._next <= now:
            self._next += 0.1
            self._owed += self._rng.randbytes(10)

    def due(self) -> float | None:
        return self._next

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.requirement("TP-07")
def test_noise_is_no_printer() -> None:
    for seed in range(20):
        wire: Wire[PrinterEvent, PrintOrder] = Wire(EscPosProtocol(style=PageStyle(paper=MM_80)), Chatter(seed))
        wire.connect()
        wire.run(60.0)
        assert not [event for event in wire.events if isinstance(event, PrinterStarted)]
        reported = [event for event in wire.events if isinstance(event, PrinterStatus)]
        assert [event.fault for event in reported if event.link and not event.reports]
        assert not [event for event in reported if event.link and event.reports]


def test_a_printer_starts_as_soon_as_the_noise_is_over(tmp_path: Path) -> None:
    bench = PrinterBench(tmp_path, damage=lambda chunk: [(0.0, chunk + b"\xa5")])
    bench.wire.connect()
    bench.wire.run(20.0)
    assert "noise among its answers" in bench.status.fault
    assert not bench.all(PrinterStarted)
    bench.wire.damage = unharmed
    bench.wire.run_until(lambda: bool(bench.all(PrinterStarted)))
    assert bench.print_and_wait() == Printed(job=1)
