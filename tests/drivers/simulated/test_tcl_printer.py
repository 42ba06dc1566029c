"""The simulated TCL printer refuses and keeps the same as a real one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from drivers.simulated.tcl_printer import SimulatedTclPrinter, TclTraits

TICKET = b"^P|0|1|" + b"".join(f"f{n}|".encode() for n in range(1, 17)) + b"005671408547977327|^"


@pytest.fixture
def printer(tmp_path: Path) -> SimulatedTclPrinter:
    unit = SimulatedTclPrinter(folder=tmp_path)
    unit.receive(b"^C|^", 0.0)
    return unit


def flags(unit: SimulatedTclPrinter, now: float = 0.0) -> str:
    unit.bytes_to_send()
    unit.receive(b"^Se|^", now)
    reply = unit.bytes_to_send().decode()
    assert reply.startswith("*S|0|SIMGEN2.0|")
    assert reply.endswith("|P0|*")
    return reply[15:24:2]


def test_a_status_is_twenty_nine_characters_and_shows_power_reset_until_cleared(tmp_path: Path) -> None:
    unit = SimulatedTclPrinter(folder=tmp_path)
    unit.receive(b"^Se|^", 0.0)
    assert unit.bytes_to_send() == b"*S|0|SIMGEN2.0|@|@|@|@|q|P0|*"
    unit.receive(b"^C|^", 0.0)
    assert flags(unit) == "@@@@P"


@pytest.mark.parametrize(
    ("hand", "back", "expected"),
    [
        ("paper_out", "refill", "T@@@P"),
        ("paper_low", "refill", "@@@AP"),
        ("open_cover", "close_cover", "X@@@P"),
        ("go_offline", "go_online", "@@B@P"),
        ("jam", "clear_jam", "@@@BP"),
    ],
)
def test_user_actions_show_in_the_status(printer: SimulatedTclPrinter, hand: str, back: str, expected: str) -> None:
    getattr(printer, hand)()
    assert flags(printer) == expected
    printer.receive(b"^C|^", 0.0)
    assert flags(printer) == expected  # clearing does not repair anything
    getattr(printer, back)()
    printer.receive(b"^C|j|^", 0.0)
    assert flags(printer) == "@@@@P"


def test_a_ticket_takes_time_reports_its_bars_and_stays_until_taken(
    printer: SimulatedTclPrinter,
) -> None:
    printer.receive(TICKET, 0.0)
    seen = tuple(flags(printer, now) for now in (0.0, 1.0, 3.5, 5.0, 6.5))
    assert seen == ("`@@@@", "`@@@B", "`@@@`", "@@H@`", "@@H@p")
    (ticket,) = printer.tickets
    assert (ticket.barcode, ticket.cut) == ("005671408547977327", True)
    with Image.open(ticket.png) as picture:
        assert picture.width > picture.height
    assert "f1" in ticket.text.read_text(encoding="utf-8")
    assert printer.take() == ticket
    assert printer.take() is None
    assert flags(printer, 7.0) == "@@@@p"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (TICKET.replace(b"|f3|", b"|"), "@H@@P"),
        (TICKET.replace(b"|f3|", b"|f3|more|"), "@H@@P"),
        (TICKET.replace(b"005671408547977327", b"00567140854797732"), "@H@@P"),
        (TICKET.replace(b"^P|0|", b"^P|7|"), "@P@@P"),
        (TICKET.replace(b"^P|0|1|", b"^P|0|2|"), "@H@@P"),
        (b"^Q|^", "@@`@P"),
    ],
)
def test_what_is_not_right_is_refused_and_nothing_printed(
    printer: SimulatedTclPrinter, page: bytes, expected: str
) -> None:
    printer.receive(page, 0.0)
    assert flags(printer, 10.0) == expected
    assert printer.tickets == []


def test_a_page_is_kept_without_paper_and_comes_out_on_refill_unless_cleared(printer: SimulatedTclPrinter) -> None:
    printer.paper_out()
    printer.receive(TICKET, 0.0)
    printer.refill()
    printer.tick(1.0)
    printer.tick(6.0)
    assert len(printer.tickets) == 1
    printer.take()
    printer.paper_out()
    printer.receive(TICKET + b"^C|j|^^F|A|^", 7.0)
    printer.refill()
    printer.tick(8.0)
    printer.tick(20.0)
    assert len(printer.tickets) == 1


def test_what_is_interrupted_is_begun_again(printer: SimulatedTclPrinter) -> None:
    printer.receive(TICKET, 0.0)
    printer.open_cover()
    assert flags(printer, 1.0) == "x@@@@"
    printer.close_cover()
    printer.tick(2.0)
    assert flags(printer, 7.0) == "@@H@`"


def test_a_second_page_is_too_much_and_the_next_waits_for_the_chute(printer: SimulatedTclPrinter) -> None:
    printer.receive(TICKET + TICKET, 0.0)
    assert flags(printer, 0.0) == "`B@@@"
    printer.tick(5.0)
    printer.receive(b"^C|^" + TICKET, 6.0)
    printer.tick(20.0)
    assert len(printer.tickets) == 1
    printer.take()
    printer.tick(21.0)
    printer.tick(26.0)
    assert len(printer.tickets) == 2


def test_power_lost_in_the_middle_leaves_half_a_ticket_and_nothing_in_memory(printer: SimulatedTclPrinter) -> None:
    printer.receive(TICKET, 0.0)
    printer.power_off()
    (half,) = printer.tickets
    assert (half.barcode, half.cut) == (None, False)
    printer.power_on()
    printer.tick(1.0)
    printer.receive(b"^Se|^", 1.1)
    assert printer.bytes_to_send() == b""
    printer.take()
    printer.tick(3.0)
    assert flags(printer, 20.0) == "@@@@q"
    assert printer.tickets == [half]


def test_journal_mode_prints_everything_until_it_is_left(printer: SimulatedTclPrinter) -> None:
    printer.receive(b"^j|^one\r\n^Se|^\r\n", 0.0)
    assert printer.bytes_to_send() == b""
    printer.receive(b"\x1b[^]\x1b", 1.0)
    printer.tick(10.0)
    assert [ticket.lines for ticket in printer.tickets] == [("one", "^Se|^")]


def test_a_reset_drops_the_page_and_reports_it(printer: SimulatedTclPrinter) -> None:
    printer.receive(TICKET + b"^r|^", 0.0)
    assert flags(printer, 10.0) == "@@@@q"
    assert printer.tickets == []


def test_a_unit_may_be_silent_while_it_prints_or_always(tmp_path: Path) -> None:
    busy = SimulatedTclPrinter(folder=tmp_path, traits=TclTraits(answers_while_printing=False))
    busy.receive(TICKET, 0.0)
    busy.receive(b"^Se|^", 0.5)
    busy.receive(b"^Se|^", 1.0)
    assert busy.bytes_to_send() == b""
    busy.tick(5.0)
    assert busy.bytes_to_send().count(b"*S|") == 2
    busy.fall_silent()
    busy.receive(b"^Se|^", 6.0)
    assert busy.bytes_to_send() == b""


def test_of_commands_in_one_write_a_unit_may_obey_only_the_last(tmp_path: Path) -> None:
    unit = SimulatedTclPrinter(folder=tmp_path, traits=TclTraits(drops_bursts=True))
    unit.receive(TICKET + b"^Se|^", 0.0)
    assert unit.bytes_to_send() == b"*S|0|SIMGEN2.0|@|@|@|@|q|P0|*"
    unit.tick(10.0)
    assert unit.tickets == []


def test_the_last_ticket_is_printed_while_the_tray_is_already_empty(printer: SimulatedTclPrinter) -> None:
    printer.stack = 1
    printer.receive(TICKET, 0.0)
    assert (flags(printer, 1.0), flags(printer, 5.0)) == ("t@@@B", "T@H@`")


def test_a_player_who_always_takes_the_ticket_takes_it(tmp_path: Path) -> None:
    unit = SimulatedTclPrinter(folder=tmp_path, traits=TclTraits(taken_after_s=2.0))
    unit.receive(TICKET, 0.0)
    unit.tick(5.0)
    assert len(unit.in_chute) == 1
    unit.tick(6.0)
    assert unit.due() == 7.0
    unit.tick(7.0)
    assert unit.in_chute == []


@given(st.lists(st.tuples(st.binary(max_size=60) | st.just(TICKET), st.floats(0, 3)), max_size=10))
def test_any_bytes_are_swallowed(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bytes, float]]) -> None:
    unit = SimulatedTclPrinter(folder=tmp_path_factory.getbasetemp() / "any-tcl")
    now = 0.0
    for data, wait_s in steps:
        now += wait_s
        unit.receive(data, now)
        unit.bytes_to_send()
    while (due := unit.due()) is not None:
        assert due >= now
        now = due
        unit.tick(now)
