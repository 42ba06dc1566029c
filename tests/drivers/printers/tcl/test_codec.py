"""Golden statuses and the golden ticket; no text that ends a field."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.printer_bench import DIGITS, VOUCHER

from drivers.errors import ConfigurationError
from drivers.printers.document import (
    Align,
    Barcode,
    Columns,
    Document,
    Feed,
    Line,
    Paper,
    PrinterStatus,
    Text,
    Voucher,
)
from drivers.printers.tcl.codec import (
    ASK_STATUS,
    BEGIN_JOURNAL,
    CLEAR_ERROR,
    CLEAR_JAM,
    DROP_PAGES,
    END_JOURNAL,
    FEED_TICKET,
    RESET,
    Flag,
    Reader,
    encode_journal,
    encode_ticket,
    field,
)


def reply(flags: str, *, firmware: str = "GEN2V1.00", end: str = "P0") -> bytes:
    return f"*S|0|{firmware}|{'|'.join(flags)}|{end}|*".encode("ascii")


def read(data: bytes) -> set[Flag]:
    (report,) = Reader().feed(data)
    return set(report.flags)


@pytest.mark.requirement("TP-06")
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("@@@@@", set()),
        ("D@@@@", {Flag.PAPER_OUT}),
        ("@@H@@", {Flag.TICKET_IN_CHUTE}),
        ("@@@B@", {Flag.JAM}),
        ("@@@A@", {Flag.PAPER_LOW}),
        ("@@@@A", {Flag.POWER_RESET}),
        ("@@@@B", {Flag.BARCODE_BEGUN}),
        ("@@@@`", {Flag.VALIDATION_DONE}),
        ("@@@@a", {Flag.VALIDATION_DONE, Flag.POWER_RESET}),
        ("@@@@P", {Flag.AT_TOP_OF_FORM}),
        ("T@@@@", {Flag.SYSTEM_ERROR, Flag.PAPER_OUT}),
    ],
)
def test_golden_statuses_read_as_they_should(flags: str, expected: set[Flag]) -> None:
    assert len(reply(flags)) == 29
    assert read(reply(flags)) == expected


def test_commands_are_a_caret_a_letter_a_bar_and_a_caret() -> None:
    commands = (ASK_STATUS, CLEAR_ERROR, CLEAR_JAM, DROP_PAGES, RESET, FEED_TICKET, BEGIN_JOURNAL)
    assert commands == (b"^Se|^", b"^C|^", b"^C|j|^", b"^F|A|^", b"^r|^", b"^f|I|^", b"^j|^")
    assert END_JOURNAL == b"\x1b[^]\x1b"


def test_every_flag_has_a_separate_bit() -> None:
    assert len({flag.value for flag in Flag}) == len(Flag) == 28


@given(st.sets(st.sampled_from(list(Flag))))
def test_any_flags_are_read_also_where_they_make_a_bar(flags: set[Flag]) -> None:
    characters = "".join(chr(0x40 | sum(f.value[1] for f in flags if f.value[0] == place)) for place in range(1, 6))
    assert read(reply(characters)) == flags


@pytest.mark.parametrize("firmware", ["", "G3", "GEN3 V12.345 beta"])
@pytest.mark.parametrize("end", ["", "P0", "17,4"])
def test_a_status_of_another_length_is_read_anyway(firmware: str, end: str) -> None:
    assert read(reply("@@H@`", firmware=firmware, end=end)) == {Flag.TICKET_IN_CHUTE, Flag.VALIDATION_DONE}


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    "bad", [b"*S|0|X|@|@|@|@|P0|*", b"*S|0|X|@|@|\xc0|@|@|P0|*", b"*S|0|X|@|@|@|1|@|P0|*", b"^Se|^"]
)
def test_what_has_not_five_flag_characters_is_no_status(bad: bytes) -> None:
    reader = Reader()
    assert reader.feed(bad) == ()
    assert reader.puzzled
    assert [report.flags for report in reader.feed(reply("@@@@@"))] == [frozenset()]
    assert not reader.puzzled


def test_statuses_are_found_in_noise_in_pieces_and_two_at_a_time() -> None:
    reader = Reader()
    stream = b"\xff\x00*S|" + reply("D@@@@") + reply("@@@A@") + b"*S|0|G"
    found = [report.paper for byte in stream for report in reader.feed(bytes([byte]))]
    assert found == [Paper.OUT, Paper.LOW]


def test_wait_and_go_on_are_taken_out_of_the_stream() -> None:
    reader = Reader()
    half = reply("@@@@@")
    assert len(reader.feed(half[:9] + b"\x13" + half[9:])) == 1
    assert reader.held
    reader.feed(b"\x11")
    assert not reader.held


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_no_bytes_make_the_reader_grow_or_raise(pieces: list[bytes]) -> None:
    reader = Reader()
    for piece in pieces:
        reader.feed(piece)
    reader.reset()
    assert not reader.puzzled


@pytest.mark.parametrize(
    ("flags", "status", "obstacle"),
    [
        ("@@@@@", PrinterStatus(link=True, online=True, paper=Paper.OK), ""),
        ("H@@@@", PrinterStatus(link=True, online=True, paper=Paper.OK, cover_open=True), "the head is up"),
        ("@@@@D", PrinterStatus(link=True, online=True, paper=Paper.OK, cover_open=True), "the head is up"),
        ("@@@D@", PrinterStatus(link=True, online=True, paper=Paper.OK, jam=True), "jammed"),
        ("D@@@@", PrinterStatus(link=True, online=True, paper=Paper.OUT), "out of tickets"),
        ("@@B@@", PrinterStatus(link=True, paper=Paper.OK), "offline"),
        ("@`@@@", PrinterStatus(link=True, online=True, paper=Paper.OK, fault="print head too hot"), "too hot"),
        ("@@A@@", PrinterStatus(link=True, online=True, paper=Paper.OK, fault="*"), "no index mark"),
        ("P@@@@", PrinterStatus(link=True, online=True, paper=Paper.OK, fault="system error"), "system error"),
        # Quoted from real units: a cause comes with "system error" and is the only fault.
        ("T@@@@", PrinterStatus(link=True, online=True, paper=Paper.OUT), "out of tickets"),
        ("T@A@@", PrinterStatus(link=True, online=True, paper=Paper.OUT), "out of tickets"),
        ("P@A@@", PrinterStatus(link=True, online=True, paper=Paper.OK, fault="*"), "no index mark"),
        ("X@@@@", PrinterStatus(link=True, online=True, paper=Paper.OK, cover_open=True), "the head is up"),
        ("P@@B@", PrinterStatus(link=True, online=True, paper=Paper.OK, jam=True), "jammed"),
        ("@@@@a", PrinterStatus(link=True, online=True, paper=Paper.OK), ""),
        ("@@@@`", PrinterStatus(link=True, online=True, paper=Paper.OK), ""),
        ("@@@@r", PrinterStatus(link=True, online=True, paper=Paper.OK), ""),
    ],
)
def test_flags_become_the_words_every_language_shares(flags: str, status: PrinterStatus, obstacle: str) -> None:
    (report,) = Reader().feed(reply(flags))
    assert obstacle in report.obstacle
    found = report.status()
    assert found.can_print == (not obstacle)
    assert found == status or (status.fault == "*" and "index mark" in found.fault)


# Tickets


@pytest.mark.requirement("TP-01")
def test_the_golden_ticket() -> None:
    number = "00-5671-4085-4797-7327"
    expected = (
        f"^P|0|1|{number}|Golden Acorn Hall|12 Mill Lane|Riverton|||{number}|30 Nov 2026|14:32|TICKET # 0045|"
        "ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS||$134.50||30 days|0003-031|005671408547977327|^"
    )
    assert encode_ticket(VOUCHER).decode() == expected


def test_a_ticket_has_exactly_twenty_bars() -> None:
    assert encode_ticket(VOUCHER).count(b"|") == 20


@given(st.lists(st.text(max_size=30), min_size=12, max_size=12))
def test_no_text_adds_a_bar_or_ends_the_command(texts: list[str]) -> None:
    names = [name for name in Voucher.__dataclass_fields__ if name != "number"]
    frame = encode_ticket(Voucher(number=DIGITS, **dict(zip(names, texts, strict=True))))
    assert frame.count(b"|") == 20
    assert (frame[:1], frame[-2:], frame.count(b"^")) == (b"^", b"|^", 2)
    assert re.fullmatch(rb"[ -~]*", frame)


@pytest.mark.requirement("TP-05")
def test_a_duplicate_is_marked_on_the_edge_and_beside_its_number() -> None:
    fields = encode_ticket(Voucher(**{**as_dict(VOUCHER), "duplicate_mark": "DUPLICATE"})).split(b"|")[3:]
    assert fields[0] == b"DUPLICATE 00-5671-4085-4797-7327"
    assert fields[9] == b"DUPLICATE TICKET # 0045"
    assert fields[16] == DIGITS.encode()


@pytest.mark.fault(40)
@pytest.mark.parametrize("number", ["", "12345678901234567", "1234567890123456789", "00567140854797732x", "١" * 18])
def test_a_number_the_form_has_no_bar_code_for_is_refused(number: str) -> None:
    with pytest.raises(ConfigurationError, match="18 decimal digits"):
        encode_ticket(Voucher(**{**as_dict(VOUCHER), "number": number}))


def test_a_field_keeps_its_words() -> None:
    assert field(" Bar|n ^ Café € ") == "Bar/n ' Cafe EUR"


def as_dict(voucher: Voucher) -> dict[str, object]:
    return {name: getattr(voucher, name) for name in Voucher.__dataclass_fields__}


# Pages other than tickets


def test_a_page_without_value_is_lines_between_entering_and_leaving_journal_mode() -> None:
    page = Document(
        elements=(
            Text(text="NOT MONEY", align=Align.CENTRE, scale=3),
            Columns(left="Credit", right="$1.00"),
            Line(),
            Feed(lines=2),
            Text(text="right", align=Align.RIGHT),
        )
    )
    first, *lines, leave, feed = encode_journal(page)
    assert (first, leave, feed) == (b"^j|^", b"\x1b[^]\x1b", b"^f|I|^")
    assert [line.decode() for line in lines] == [
        " " * 11 + "NOT MONEY\r\n",
        "Credit" + " " * 21 + "$1.00\r\n",
        "-" * 32 + "\r\n",
        "\r\n",
        "\r\n",
        " " * 27 + "right\r\n",
    ]


def test_a_bar_code_is_never_printed_outside_the_form() -> None:
    with pytest.raises(ConfigurationError, match="the page is not a ticket"):
        encode_journal(Document(elements=(Barcode(digits=DIGITS),)))


@given(st.text(max_size=80))
def test_no_text_leaves_journal_mode(text: str) -> None:
    for line in encode_journal(Document(elements=(Text(text=text), Columns(left=text, right=text))))[1:-2]:
        assert re.fullmatch(rb"[ -\]_-~]*\r\n", line)
        assert len(line) <= 34
