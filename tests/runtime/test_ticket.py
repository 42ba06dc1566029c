"""What stands on a ticket, and what its number is worth."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.printer_bench import PrinterBench

from cabinet.runtime.ticket import (
    LARGEST_MACHINE,
    LARGEST_SEQUENCE,
    TicketFacts,
    TicketKind,
    audit_document,
    group_number,
    is_valid_number,
    origin_of_number,
    ticket_document,
    validation_number,
    write_moment,
)
from cabinet.text.messages import LANGUAGES
from drivers.printers.document import Barcode, Columns, Document, Printed, Text, Voucher
from drivers.printers.lines import fold
from drivers.printers.paper import MM_58, MM_80, PaperProfile

SECRET = b"a secret of 32 bytes, for tests."
NUMBER = validation_number(SECRET, 31, 45)
FACTS = TicketFacts(
    kind=TicketKind.CASH_OUT,
    venue="Golden Acorn Hall",
    location="12 Mill Lane, Riverton",
    machine_id="BJ-0031",
    number=NUMBER,
    sequence=45,
    amount_cents=13450,
    currency="USD",
    issued_at=datetime(2026, 11, 30, 14, 32, tzinfo=UTC),
    clock_trusted=True,
    expires_days=30,
)


def read(document: Document) -> str:
    """All words of a page, one element a line."""
    lines = []
    for element in document.elements:
        if isinstance(element, Text):
            lines.append(element.text)
        elif isinstance(element, Columns):
            lines.append(f"{element.left}: {element.right}")
    return "\n".join(lines)


def barcodes(document: Document) -> list[str]:
    return [element.digits for element in document.elements if isinstance(element, Barcode)]


# The page


@pytest.mark.requirement("TP-01")
def test_a_cash_out_ticket_carries_every_field() -> None:
    page = ticket_document(FACTS)
    words = read(page)
    for field in (
        "Golden Acorn Hall",
        "12 Mill Lane, Riverton",
        "CASH-OUT TICKET",
        "$134.50",
        "ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS",
        "Machine: BJ-0031",
        "Ticket no.: 000045",
        "Amount: USD 134.50",
        "Issued: 30 Nov 2026 14:32",
        "Valid 30 days: until 30 Dec 2026",
    ):
        assert field in words
    assert words.count(group_number(NUMBER)) == 2
    assert barcodes(page) == [NUMBER]


FIELDS = {
    "venue name": ("Golden Acorn Hall", "establishment"),
    "venue's place": ("Riverton", "city"),
    "machine id": ("Machine: BJ-0031", "machine"),
    "date": ("30 Nov 2026", "date"),
    "time": ("14:32", "time"),
    "amount in digits": ("$134.50", "amount_digits"),
    "amount in words": ("ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS", "amount_words"),
    "sequence number": ("000045", "ticket"),
    "validation number": (group_number(NUMBER), "number_text"),
    "bar code": (NUMBER, "number"),
    "ticket type": ("CASH-OUT TICKET", None),
    "duplicate mark": ("DUPLICATE", "duplicate_mark"),
    "expiry": ("30 days", "validity"),
}
"""Table 1.7a of the requirements: the words of each row on a roll, and the place in a printer's own form; the form of
a cash-out has its type printed by the printer."""


@pytest.mark.requirement("TP-01", "TP-05", "TP-14")
@pytest.mark.parametrize("row", FIELDS)
def test_each_row_of_the_table_of_ticket_fields_is_on_the_roll_and_in_the_form(row: str) -> None:
    page = ticket_document(replace(FACTS, duplicate=row == "duplicate mark"))
    words, place = FIELDS[row]
    assert words in "\n".join((read(page), *barcodes(page)))
    assert page.voucher is not None
    if row == "duplicate mark":
        assert page.voucher.duplicate_mark
    elif place is not None:
        assert words.removeprefix("Machine: ") in getattr(page.voucher, place)


@pytest.mark.requirement("TP-01", "TP-11")
@pytest.mark.parametrize(
    ("kind", "has_number"),
    [(TicketKind.CASH_OUT, True), (TicketKind.HAND_PAY, True), (TicketKind.TEST, False), (TicketKind.AUDIT, False)],
)
def test_every_kind_of_page_says_what_it_is_and_only_a_ticket_of_value_has_a_bar_code(
    kind: TicketKind, *, has_number: bool
) -> None:
    page = ticket_document(replace(FACTS, kind=kind, number=NUMBER if has_number else ""))
    titles = {TicketKind.CASH_OUT: "CASH-OUT TICKET", TicketKind.HAND_PAY: "HAND-PAY SLIP"}
    assert titles.get(kind, f"{kind.value.upper()} TICKET") in read(page)
    assert barcodes(page) == ([NUMBER] if kind is TicketKind.CASH_OUT else [])
    assert (group_number(NUMBER) in read(page)) is has_number


@pytest.mark.requirement("TP-01")
def test_the_number_stands_on_the_leading_edge() -> None:
    first = ticket_document(FACTS).elements[0]
    assert isinstance(first, Text)
    assert first.text == group_number(NUMBER)


@pytest.mark.requirement("TP-01")
def test_a_printer_with_a_form_of_its_own_gets_every_field() -> None:
    assert ticket_document(FACTS).voucher == Voucher(
        number=NUMBER,
        number_text=group_number(NUMBER),
        establishment="Golden Acorn Hall",
        location="12 Mill Lane",
        city="Riverton",
        date="30 Nov 2026",
        time="14:32",
        ticket="TICKET # 000045",
        amount_words="ONE HUNDRED THIRTY-FOUR DOLLARS AND FIFTY CENTS",
        amount_digits="$134.50",
        validity="30 days",
        machine="MACHINE # BJ-0031",
    )


@pytest.mark.requirement("TP-11")
@pytest.mark.parametrize("kind", [TicketKind.HAND_PAY, TicketKind.TEST, TicketKind.AUDIT])
def test_only_a_ticket_of_value_has_the_form_of_one(kind: TicketKind) -> None:
    number = NUMBER if kind is TicketKind.HAND_PAY else ""
    assert ticket_document(replace(FACTS, kind=kind, number=number)).voucher is None


def test_a_form_says_what_is_unusual_about_a_ticket() -> None:
    voucher = ticket_document(replace(FACTS, clock_trusted=False, expires_days=None, duplicate=True)).voucher
    assert voucher is not None
    assert (voucher.time, voucher.validity, voucher.duplicate_mark) == (
        "14:32 CLOCK NOT SET",
        "never expires",
        "DUPLICATE",
    )


@pytest.mark.requirement("TP-05")
def test_a_duplicate_carries_the_original_number_and_its_mark_at_both_ends() -> None:
    original, duplicate = ticket_document(FACTS), ticket_document(replace(FACTS, duplicate=True))
    marks = [
        place
        for place, element in enumerate(duplicate.elements)
        if isinstance(element, Text) and element.text == "DUPLICATE" and element.inverse and element.scale >= 3
    ]
    assert len(marks) == 2
    assert marks[0] == 1
    assert marks[1] >= len(duplicate.elements) - 2
    assert barcodes(duplicate) == barcodes(original) == [NUMBER]
    assert "DUPLICATE" not in read(original)


@pytest.mark.requirement("TP-11")
@pytest.mark.parametrize("kind", [TicketKind.TEST, TicketKind.AUDIT])
def test_a_test_or_audit_ticket_cannot_be_mistaken_for_money(kind: TicketKind) -> None:
    page = ticket_document(replace(FACTS, kind=kind, number=""))
    words = read(page)

    assert barcodes(page) == []
    assert words.count("NOT MONEY") == 2
    assert kind.value.upper() in words
    for money in ("134", "HUNDRED", "DOLLAR", NUMBER[2:6], "Valid"):
        assert money not in words


def test_a_test_ticket_must_not_carry_a_number() -> None:
    with pytest.raises(ValueError, match="must not carry"):
        ticket_document(replace(FACTS, kind=TicketKind.TEST))


@pytest.mark.parametrize("number", ["", "123", NUMBER[:-1] + str((int(NUMBER[-1]) + 1) % 10)])
@pytest.mark.parametrize("kind", [TicketKind.CASH_OUT, TicketKind.HAND_PAY])
def test_a_ticket_of_value_needs_a_valid_number(kind: TicketKind, number: str) -> None:
    with pytest.raises(ValueError, match="valid number of 18 digits"):
        ticket_document(replace(FACTS, kind=kind, number=number))


def test_a_hand_pay_slip_has_the_amount_but_no_bar_code() -> None:
    page = ticket_document(replace(FACTS, kind=TicketKind.HAND_PAY))
    words = read(page)
    assert barcodes(page) == []
    for field in ("HAND-PAY SLIP", "PAID BY THE ATTENDANT ONLY", "$134.50", "Attendant: __", "Player:    __"):
        assert field in words


def test_a_ticket_of_an_unset_clock_says_so_and_has_no_day_of_expiry() -> None:
    words = read(ticket_document(replace(FACTS, clock_trusted=False)))
    assert "CLOCK NOT SET: DATE UNCERTAIN" in words
    assert "Expires: 30 days after issue" in words
    assert "Dec" not in words


def test_a_ticket_that_never_expires_says_so() -> None:
    assert "Expires: never" in read(ticket_document(replace(FACTS, expires_days=None)))


@pytest.mark.requirement("PD-25")
def test_dates_read_one_way_only_and_times_have_24_hours() -> None:
    assert write_moment(datetime(2027, 2, 1, 9, 5, tzinfo=UTC)) == "01 Feb 2027 09:05"
    assert write_moment(datetime(2027, 2, 1, 21, 5, tzinfo=UTC)) == "01 Feb 2027 21:05"


def test_an_audit_ticket_lists_names_and_values_and_says_what_it_is_not() -> None:
    page = audit_document([("METERS", ""), ("Coin in", "1,234.50"), ("Games", "77")], title="METERS")
    words = read(page)
    assert "Coin in: 1,234.50" in words
    assert "Games: 77" in words
    assert words.count("NOT MONEY") == 2
    assert barcodes(page) == []


@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize(
    "facts",
    [
        FACTS,
        replace(FACTS, amount_cents=10**10, currency="CHF", duplicate=True, clock_trusted=False),
        replace(FACTS, venue="The Very Long Name of a Venue That Goes On and On", location="Zürich – “Höhe”"),
        replace(FACTS, kind=TicketKind.HAND_PAY),
        replace(FACTS, kind=TicketKind.TEST, number=""),
    ],
    ids=["plain", "large", "long", "hand-pay", "test"],
)
def test_every_ticket_prints_on_either_paper_with_nothing_lost(
    tmp_path: Path, paper: PaperProfile, facts: TicketFacts
) -> None:
    simulated_devices = PrinterBench(tmp_path, paper=paper).start()
    assert simulated_devices.print_and_wait(document=ticket_document(facts)) == Printed(job=1)

    (ticket,) = simulated_devices.printer.tickets
    printed = "".join("".join(ticket.lines).split())
    if facts.kind is not TicketKind.TEST:
        assert group_number(NUMBER) in printed
    assert "".join(facts.machine_id.split()) in printed
    assert "".join(facts.venue.split()) in printed
    assert ticket.barcode == (NUMBER if facts.kind is TicketKind.CASH_OUT else None)
    assert simulated_devices.printer.page.unknown_commands == 0


# Languages

EUROS = replace(FACTS, currency="EUR", amount_cents=123_456)
SAID = {
    "en": (
        "CASH-OUT TICKET",
        "€1,234.56",
        "EUR 1,234.56",
        "ONE THOUSAND TWO HUNDRED",
        "30 Nov 2026",
        "until 30 Dec 2026",
    ),
    "de": ("AUSZAHLSCHEIN", "1.234,56 €", "EUR 1.234,56", "EINTAUSEND ZWEIH", "30. Nov. 2026", "bis 30. Dez. 2026"),
    "fr": (
        "BON DE PAIEMENT",
        "1 234,56 €",
        "EUR 1 234,56",
        "MILLE DEUX CENT",
        "30 nov. 2026",
        "jusqu’au 30 déc. 2026",
    ),
    "es": ("TIQUE DE COBRO", "1.234,56 €", "EUR 1.234,56", "MIL DOSCIENTOS", "30 nov. 2026", "hasta 30 dic. 2026"),
}


@pytest.mark.requirement("TP-01")
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_ticket_speaks_the_language_it_is_asked_for_in_words_figures_and_dates(code: str) -> None:
    page = ticket_document(replace(EUROS, language=LANGUAGES[code]))
    words = read(page).replace("\xa0", " ").replace("\u202f", " ")
    for said in SAID[code]:
        assert said in words
    voucher = page.voucher
    assert voucher is not None
    assert voucher.amount_digits.replace("\xa0", " ").replace("\u202f", " ") == SAID[code][1]
    assert voucher.date == SAID[code][4]
    assert SAID[code][3] in voucher.amount_words
    english = read(ticket_document(EUROS)).splitlines()
    kept = {FACTS.venue, FACTS.location, group_number(NUMBER), "", "Machine: BJ-0031"}
    assert code == "en" or not {line for line in words.splitlines() if line in english} - kept


def test_an_attendants_page_is_english_whatever_the_players_language() -> None:
    test = replace(FACTS, kind=TicketKind.TEST, number="")
    assert "Issued: 30 Nov 2026 14:32" in read(ticket_document(test))
    assert write_moment(FACTS.issued_at) == "30 Nov 2026 14:32"


@pytest.mark.parametrize("paper", [MM_58, MM_80])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_ticket_in_each_language_prints_whole_on_either_paper(tmp_path: Path, code: str, paper: PaperProfile) -> None:
    simulated_devices = PrinterBench(tmp_path, paper=paper).start()
    page = ticket_document(replace(EUROS, language=LANGUAGES[code], duplicate=True, clock_trusted=False))
    assert simulated_devices.print_and_wait(document=page) == Printed(job=1)
    (ticket,) = simulated_devices.printer.tickets
    printed = "".join("".join(ticket.lines).split())
    for element in page.elements:
        if isinstance(element, Text):
            assert "".join(fold(element.text, "cp858").split()) in printed
    assert "?" not in printed
    assert "EUR" in printed


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_of_a_ticket_is_lost_in_plain_ascii(code: str) -> None:
    page = ticket_document(replace(EUROS, language=LANGUAGES[code], duplicate=True, expires_days=None))
    assert "?" not in "".join(fold(line, "ascii") for line in read(page).splitlines())


# The number


def test_a_number_is_18_digits_and_reads_in_groups() -> None:
    assert len(NUMBER) == 18
    assert NUMBER.startswith("00")
    assert group_number("005671408547977327") == "00-5671-4085-4797-7327"


@given(st.binary(min_size=16, max_size=64), st.integers(0, LARGEST_MACHINE), st.integers(0, LARGEST_SEQUENCE))
def test_a_number_leads_back_to_its_machine_and_sequence_so_no_two_can_be_equal(
    secret: bytes, machine: int, sequence: int
) -> None:
    number = validation_number(secret, machine, sequence)
    assert is_valid_number(number)
    assert origin_of_number(secret, number) == (machine, sequence)


def test_thousands_of_numbers_in_a_row_differ() -> None:
    numbers = {validation_number(SECRET, machine, sequence) for machine in range(4) for sequence in range(1000)}
    assert len(numbers) == 4000


@pytest.mark.requirement("TP-10")
def test_neighbouring_numbers_have_nothing_in_common() -> None:
    numbers = [validation_number(SECRET, 31, sequence) for sequence in range(2000)]
    for place in range(2, 14):
        counts = [sum(number[place] == digit for number in numbers) for digit in "0123456789"]
        assert min(counts) > 140, place
        assert max(counts) < 260, place
    same = sum(a == b for one, two in pairwise(numbers) for a, b in zip(one[2:14], two[2:14], strict=True))
    assert 0.09 < same / (1999 * 12) < 0.11


@pytest.mark.requirement("TP-10")
def test_another_secret_gives_another_number_and_does_not_find_the_origin() -> None:
    other = validation_number(b"another secret of any good length", 31, 45)
    assert other != NUMBER
    assert origin_of_number(SECRET, other) != (31, 45)


@pytest.mark.requirement("TP-10")
def test_every_wrong_digit_and_every_swap_of_two_digits_is_caught() -> None:
    for sequence in range(200):
        number = validation_number(SECRET, 7, sequence)
        for place, digit in enumerate(number):
            for wrong in "0123456789".replace(digit, ""):
                assert not is_valid_number(number[:place] + wrong + number[place + 1 :])
        for one, two in combinations(range(18), 2):
            if number[one] != number[two]:
                swapped = list(number)
                swapped[one], swapped[two] = swapped[two], swapped[one]
                assert not is_valid_number("".join(swapped))


@pytest.mark.requirement("TP-10")
def test_more_than_999_of_1000_misreads_of_any_kind_are_caught() -> None:
    rng = random.Random(1)
    missed = 0
    for _ in range(100_000):
        digits = list(NUMBER)
        for place in rng.sample(range(2, 18), rng.randint(2, 16)):
            digits[place] = rng.choice("0123456789")
        misread = "".join(digits)
        missed += misread != NUMBER and is_valid_number(misread)
    assert missed <= 100


@pytest.mark.parametrize("number", ["", "12", NUMBER + "0", "x" * 18, "٣" * 18, "99" + NUMBER[2:], " " + NUMBER[1:]])
def test_what_has_not_the_form_of_a_number_is_not_valid(number: str) -> None:
    assert not is_valid_number(number)
    assert origin_of_number(SECRET, number) is None


@pytest.mark.parametrize(
    ("secret", "machine", "sequence", "complaint"),
    [
        (b"short", 1, 1, "16 to 64 bytes"),
        (b"x" * 65, 1, 1, "16 to 64 bytes"),
        (SECRET, -1, 1, "machine number"),
        (SECRET, 10_000, 1, "machine number"),
        (SECRET, 1, -1, "sequence"),
        (SECRET, 1, 10**8, "sequence"),
    ],
)
def test_what_no_number_can_be_made_of_is_refused(secret: bytes, machine: int, sequence: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        validation_number(secret, machine, sequence)
