"""What every simulated ticket printer does alike: power, silence, the mouth, and the tickets on disk."""

from pathlib import Path

import pytest

from drivers.simulated.printer_body import TicketPrinter, newest_barcode
from drivers.simulated.printer_units import PRINTERS, make_printer

QUESTIONS = {"escpos": b"\x10\x04\x01", "tcl": b"^Se|^"}
BOOT_S = 0.5
NUMBER = "005671408547977327"
TICKET = b"^P|0|1|" + b"".join(f"f{n}|".encode() for n in range(1, 17)) + NUMBER.encode() + b"|^"
TORN = b"^j|^torn\n\x1b[^]\x1b"


def answered(unit: TicketPrinter, language: str, now: float) -> bool:
    """Whether it answers a question at this time."""
    unit.receive(QUESTIONS[language], now)
    return bool(unit.bytes_to_send())


@pytest.fixture(params=PRINTERS)
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def unit(tmp_path: Path, language: str) -> TicketPrinter:
    return make_printer(language, tmp_path, 576)


def test_it_is_silent_until_it_has_started(unit: TicketPrinter, language: str) -> None:
    assert answered(unit, language, 0.0)
    unit.power_off()
    assert not answered(unit, language, 1.0)
    unit.power_on()
    answers = [answered(unit, language, now) for now in (2.0, 2.0 + BOOT_S - 0.01, 2.0 + BOOT_S)]
    assert answers == [False, False, True]
    assert unit.due() is None


def test_a_power_cut_deletes_the_answers_not_sent_yet(unit: TicketPrinter, language: str) -> None:
    unit.receive(QUESTIONS[language], 0.0)
    unit.power_off()
    assert unit.bytes_to_send() == b""


def test_a_silent_printer_never_answers(unit: TicketPrinter, language: str) -> None:
    unit.fall_silent()
    assert not answered(unit, language, 0.0)


@pytest.mark.parametrize(
    ("begin", "end"), [("open_cover", "close_cover"), ("jam", "clear_jam"), ("go_offline", "go_online")]
)
def test_what_stops_it_shows_in_its_answer_until_it_is_over(
    unit: TicketPrinter, language: str, begin: str, end: str
) -> None:
    def answer() -> bytes:
        unit.receive((b"^C|j|^" if language == "tcl" else b"") + QUESTIONS[language], 0.0)
        return unit.bytes_to_send()

    ready = answer()
    getattr(unit, begin)()
    stopped = answer()
    getattr(unit, end)()
    assert stopped != ready
    assert answer() == ready


def print_pages(unit: TicketPrinter, *pages: bytes) -> None:
    """Prints each page and takes it."""
    for number, page in enumerate(pages):
        unit.receive(page, 10.0 * number)
        for step in range(10):
            unit.tick(10.0 * number + step)
        assert unit.take() is not None


def test_tickets_are_files_in_their_order_and_the_newest_bar_code_stays(tmp_path: Path) -> None:
    assert newest_barcode(tmp_path) is None
    unit = make_printer("tcl", tmp_path, 576)
    print_pages(unit, TICKET, TORN)
    assert [ticket.png.name for ticket in unit.tickets] == ["ticket-0001.png", "ticket-0002.png"]
    assert [ticket.barcode for ticket in unit.tickets] == [NUMBER, None]
    assert "torn" in unit.tickets[1].text.read_text(encoding="utf-8")
    assert newest_barcode(tmp_path) == NUMBER


def test_another_printer_on_the_same_folder_overwrites_no_ticket(tmp_path: Path) -> None:
    print_pages(make_printer("tcl", tmp_path, 576), TICKET)
    later = make_printer("tcl", tmp_path, 576)
    print_pages(later, TORN)
    assert later.tickets[0].png.name == "ticket-0002.png"
    assert newest_barcode(tmp_path) == NUMBER


def test_the_oldest_ticket_in_the_mouth_is_taken_first(tmp_path: Path) -> None:
    unit = make_printer("escpos", tmp_path, 576)
    for line in (b"one\n", b"two\n"):
        unit.receive(line + b"\x1bd\x06\x1dV\x00", 0.0)
    while (due := unit.due()) is not None:
        unit.tick(due)
    first, second = unit.tickets
    assert (unit.take(), unit.take(), unit.take()) == (first, second, None)
