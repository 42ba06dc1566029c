"""The simulated printer behaves like a real one, including its faults."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.simulated.ticket_printer import NEAR_END_DOTS, SimulatedTicketPrinter, Traits

ASK_IN_ORDER = bytes.fromhex("1D 72 01")
AUTOMATIC = bytes.fromhex("1D 61 FF")
CUT = b"\x1bd\x06\x1dV\x00"


@pytest.fixture
def printer(tmp_path: Path) -> SimulatedTicketPrinter:
    return SimulatedTicketPrinter(folder=tmp_path)


def ask(printer: SimulatedTicketPrinter, question: bytes, now: float = 0.0) -> str:
    printer.receive(question, now)
    return printer.bytes_to_send().hex(" ").upper()


def state(printer: SimulatedTicketPrinter) -> list[str]:
    return [ask(printer, bytes([0x10, 0x04, number])) for number in (1, 2, 3, 4)]


def run(printer: SimulatedTicketPrinter, now: float = 0.0) -> float:
    """Let the printer finish what it can."""
    while (due := printer.due()) is not None:
        now = max(now, due)
        printer.tick(now)
    return now


def words(printer: SimulatedTicketPrinter) -> list[list[str]]:
    return [[line for line in ticket.lines if line] for ticket in printer.tickets]


def test_states_answer_as_measured(printer: SimulatedTicketPrinter) -> None:
    assert (state(printer), ask(printer, ASK_IN_ORDER)) == (["12", "12", "12", "12"], "00")
    printer.paper_low()
    assert (state(printer), ask(printer, ASK_IN_ORDER)) == (["12", "12", "12", "1E"], "03")
    printer.paper_out()
    assert (state(printer), ask(printer, ASK_IN_ORDER)) == (["1A", "32", "12", "7E"], "")
    printer.refill()
    printer.open_cover()
    assert state(printer) == ["1A", "16", "12", "12"]
    printer.close_cover()
    printer.jam()
    assert state(printer) == ["1A", "52", "1A", "12"]


def test_automatic_status_comes_when_enabled_and_on_every_change(printer: SimulatedTicketPrinter) -> None:
    printer.open_cover()
    printer.tick(0.0)
    assert printer.bytes_to_send() == b""
    printer.close_cover()
    assert ask(printer, AUTOMATIC) == "10 00 00 00"
    printer.open_cover()
    printer.tick(1.0)
    assert printer.bytes_to_send().hex(" ") == "38 00 00 00"
    printer.close_cover()
    printer.paper_out()
    printer.tick(2.0)
    assert printer.bytes_to_send().hex(" ") == "18 00 0f 00"


def test_an_in_order_answer_comes_only_after_the_paper_has_moved(printer: SimulatedTicketPrinter) -> None:
    printer.receive(b"A\n" * 40 + ASK_IN_ORDER, 0.0)
    assert printer.bytes_to_send() == b""
    assert ask(printer, b"\x10\x04\x01", 0.1) == "12"
    assert run(printer, 0.1) == pytest.approx(1.0, abs=0.1)
    assert printer.bytes_to_send() == b"\x00"


def test_what_was_sent_while_paper_was_out_is_printed_after_refill(printer: SimulatedTicketPrinter) -> None:
    printer.paper_out()
    printer.receive(b"KEPT\n" + CUT + ASK_IN_ORDER, 0.0)
    run(printer)
    assert (printer.tickets, printer.bytes_to_send()) == ([], b"")

    printer.refill()
    run(printer, 60.0)
    assert words(printer) == [["KEPT"]]
    assert printer.bytes_to_send() == b"\x00"


def test_paper_that_ends_in_the_middle_gives_two_pieces(printer: SimulatedTicketPrinter) -> None:
    printer.receive(b"FIRST\nSECOND\n" + CUT, 0.0)
    printer.paper_out()
    printer.refill()
    run(printer)
    assert words(printer) == [["FIRST"], ["SECOND"]]
    assert [ticket.cut for ticket in printer.tickets] == [False, True]


def test_the_roll_gets_shorter_until_it_is_low_and_out(printer: SimulatedTicketPrinter) -> None:
    printer.paper_left_dots = NEAR_END_DOTS + 30
    assert not printer.paper_is_low
    printer.receive(b"A\n", 0.0)
    assert printer.paper_is_low
    printer.paper_left_dots = 30
    run(printer)
    printer.receive(b"B\nC\n" + CUT, 10.0)
    run(printer, 10.0)
    assert printer.paper_is_out
    printer.refill()
    run(printer, 20.0)
    assert words(printer) == [["A", "B"], ["C"]]


@pytest.mark.parametrize("trouble", ["open_cover", "jam", "go_offline"])
def test_printing_stops_with_a_trouble_and_goes_on_without_it(printer: SimulatedTicketPrinter, trouble: str) -> None:
    printer.receive(b"A\n" * 10 + CUT, 0.0)
    getattr(printer, trouble)()
    run(printer)
    assert printer.tickets == []
    getattr(printer, {"open_cover": "close_cover", "jam": "clear_jam", "go_offline": "go_online"}[trouble])()
    run(printer, 10.0)
    assert words(printer) == [["A"] * 10]


def test_power_loss_forgets_the_buffer_and_leaves_half_a_ticket(printer: SimulatedTicketPrinter) -> None:
    printer.receive(b"\x1ba\x02PRINTED\nFORGOTTEN\n" + CUT, 0.0)
    printer.power_off()
    assert ask(printer, b"\x10\x04\x01", 1.0) == ""
    printer.power_on()
    assert ask(printer, b"\x10\x04\x01", 2.0) == ""
    printer.tick(4.0)
    assert ask(printer, b"\x10\x04\x01", 4.0) == "12"
    printer.receive(b"NEW\n" + CUT, 5.0)
    run(printer, 5.0)
    assert [[line.strip() for line in lines] for lines in words(printer)] == [["PRINTED", "NEW"]]


def test_a_cheap_board_prints_without_answers(tmp_path: Path) -> None:
    printer = SimulatedTicketPrinter(folder=tmp_path, silent=True)
    printer.receive(b"X\n" + CUT + ASK_IN_ORDER + bytes.fromhex("10 04 01 1D 49 43"), 0.0)
    run(printer)
    assert (words(printer), printer.bytes_to_send()) == ([["X"]], b"")


def test_what_overflows_the_buffer_is_lost(tmp_path: Path) -> None:
    printer = SimulatedTicketPrinter(folder=tmp_path, traits=Traits(buffer_bytes=100))
    printer.receive(b"A\n" * 200, 0.0)
    assert printer.bytes_lost == 300


def test_flow_control_requests_a_wait_and_its_end(tmp_path: Path) -> None:
    printer = SimulatedTicketPrinter(folder=tmp_path, traits=Traits(buffer_bytes=100, flow_control=True))
    printer.receive(b"A\n" * 45, 0.0)
    assert printer.bytes_to_send() == b"\x13"
    run(printer)
    assert printer.bytes_to_send() == b"\x11"


def test_the_model_is_reported_when_asked(printer: SimulatedTicketPrinter) -> None:
    assert ask(printer, bytes.fromhex("1D 49 43")) == b"_SIM-TP80\x00".hex(" ").upper()
    assert ask(printer, bytes.fromhex("1D 49 01")) == "20"


def test_a_question_cut_in_two_is_answered(printer: SimulatedTicketPrinter) -> None:
    assert ask(printer, b"\x10\x04") == ""
    assert ask(printer, b"\x02") == "12"


def test_a_cut_ticket_is_a_picture_and_a_text_and_hangs_until_taken(printer: SimulatedTicketPrinter) -> None:
    for name in (b"ONE\n", b"TWO\n"):
        printer.receive(name + CUT, 0.0)
        run(printer)
    first, second = printer.tickets
    assert (first.png.name, second.png.name) == ("ticket-0001.png", "ticket-0002.png")
    assert first.text.read_text(encoding="utf-8").split() == ["ONE"]
    assert (printer.take(), printer.take(), printer.take()) == (first, second, None)
    assert printer.tickets == [first, second]


@given(st.lists(st.tuples(st.binary(max_size=60), st.floats(0, 3)), max_size=10))
def test_any_bytes_are_swallowed(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bytes, float]]) -> None:
    printer = SimulatedTicketPrinter(
        folder=tmp_path_factory.getbasetemp() / "any", traits=Traits(dot_lines_per_s=10**6)
    )
    now = 0.0
    for data, wait_s in steps:
        now += wait_s
        printer.receive(data, now)
        printer.bytes_to_send()
    assert run(printer, now) >= now
