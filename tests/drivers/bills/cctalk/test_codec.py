"""The ring of events and the values of bill types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cctalk_vectors import decimal

from drivers.bills.cctalk.codec import (
    REJECTS,
    BillId,
    Event,
    Ring,
    Scaling,
    Status,
    count_new,
    follows,
    inhibits,
    make_channel,
    read_bill_id,
    read_ring,
    read_scaling,
    read_serial,
    read_text,
)
from drivers.bills.events import Channel


def test_a_ring_is_read_from_the_oldest_event_to_the_newest() -> None:
    ring = read_ring(decimal("7 5 0 5 1 0 12 0 11 3 1"))
    assert ring is not None
    assert ring.counter == 7
    assert [(event.first, event.second) for event in ring.events] == [(3, 1), (0, 11), (0, 12), (5, 1), (5, 0)]
    assert str(ring) == "counter 7, (3,1) (0,11) (0,12) (5,1) (5,0)"


@pytest.mark.parametrize(
    ("data", "whole"),
    [
        ("0 0 0 0 0 0 0 0 0 0 0", True),
        ("2 0 1 5 1 0 0 0 0 0 0", True),
        ("2 0 1 5 1 0 0 0 0 5 0", False),
        ("5 0 1 5 1 0 2 0 2 0 2", False),
        ("99 0 1 5 1 0 2 0 2 0 0", False),
    ],
)
def test_a_ring_with_unused_places_holds_all_since_the_reset(data: str, *, whole: bool) -> None:
    ring = read_ring(decimal(data))
    assert ring is not None
    assert ring.whole is whole


@pytest.mark.parametrize("length", [0, 1, 9, 10, 12])
def test_what_has_not_five_events_is_no_ring(length: int) -> None:
    assert read_ring(bytes(length)) is None


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        (0, 0, 0),
        (0, 3, 3),
        (0, 9, 9),
        (3, 3, 0),
        (3, 4, 1),
        (254, 255, 1),
        (255, 1, 1),
        (254, 1, 2),
        (253, 2, 4),
        (255, 5, 5),
        (255, 6, 6),
        (4, 3, 254),
        (17, 0, 0),
    ],
)
def test_new_events_are_counted_on_a_ring_that_has_no_zero(before: int, after: int, new: int) -> None:
    assert count_new(before, after) == new


@given(st.integers(1, 255), st.integers(0, 254))
def test_counting_on_finds_the_same_distance(before: int, steps: int) -> None:
    after = before
    for _ in range(steps):
        after = after % 255 + 1
    assert count_new(before, after) == steps


@pytest.mark.parametrize(
    ("first", "second", "stacked", "escrow", "returned"),
    [
        (5, 0, True, False, False),
        (5, 1, False, True, False),
        (5, 2, False, False, False),
        (0, 1, False, False, True),
        (0, 0, False, False, False),
        (255, 0, True, False, False),
    ],
)
def test_an_event_gives_the_place_of_the_note(
    first: int, second: int, *, stacked: bool, escrow: bool, returned: bool
) -> None:
    event = Event(first=first, second=second)
    assert (event.stacked, event.escrow, event.returned) == (stacked, escrow, returned)
    assert event.of_a_note is (stacked or escrow or returned)


def test_only_known_codes_are_a_status() -> None:
    known = [code for code in range(256) if Event(first=0, second=code).status is not None]
    assert known == list(range(21))
    assert Event(first=3, second=1).status is None


def test_each_reject_has_its_words() -> None:
    assert set(REJECTS) == {Status(code) for code in (0, 2, 3, 4, 5)}


@pytest.mark.parametrize(
    ("types", "mask"),
    [((), "00 00"), ((1,), "01 00"), ((8, 9), "80 01"), ((1, 2, 3, 16), "07 80"), ((0, 17), "00 00")],
)
def test_a_set_bit_lets_a_type_through(types: tuple[int, ...], mask: str) -> None:
    assert inhibits(frozenset(types)) == bytes.fromhex(mask)


@pytest.mark.parametrize(
    ("text", "bill"),
    [
        (b"US0020A", BillId(country="US", value=20, issue="A")),
        (b"EU0500B", BillId(country="EU", value=500, issue="B")),
        (b".......", None),
        (b"       ", None),
        (b"US0000A", None),
        (b"US0020", None),
        (b"US00x0A", None),
        (b"", None),
        (b"\xff\xff0020A", None),
    ],
)
def test_a_bill_type_is_country_value_and_issue(text: bytes, bill: BillId | None) -> None:
    assert read_bill_id(text) == bill


@pytest.mark.parametrize(
    ("data", "scaling"),
    [
        (bytes((100, 0, 2)), Scaling(factor=100, decimals=2)),
        (bytes((0xE8, 3, 0)), Scaling(factor=1000, decimals=0)),
        (bytes(3), None),
        (bytes(2), None),
    ],
)
def test_a_scaling_is_factor_and_decimals(data: bytes, scaling: Scaling | None) -> None:
    assert read_scaling(data) == scaling


@pytest.mark.parametrize(
    ("country", "value", "factor", "decimals", "cents", "currency"),
    [
        ("US", 20, 100, 2, 2000, "USD"),
        ("EU", 5, 1, 0, 500, "EUR"),
        ("GB", 50, 10, 1, 5000, "GBP"),
        ("CA", 5, 1000, 3, 500, "CAD"),
        ("xx", 1, 1, 2, 1, "XX"),
    ],
)
def test_a_value_is_reported_in_cents(
    country: str, value: int, factor: int, decimals: int, cents: int, currency: str
) -> None:
    bill, scaling = BillId(country=country, value=value, issue="A"), Scaling(factor=factor, decimals=decimals)
    assert make_channel(4, bill, scaling) == Channel(number=4, value_cents=cents, currency=currency)


def test_a_value_with_a_fraction_of_a_cent_is_no_note() -> None:
    bill = BillId(country="US", value=5, issue="A")
    assert make_channel(1, bill, Scaling(factor=1, decimals=3)) is None


def test_the_serial_number_is_big_endian_from_one_maker_only() -> None:
    assert read_serial(decimal("78 97 188"), "Money Controls") == "12345678"
    assert read_serial(bytes.fromhex("00 1C 96 2C"), "ITL") == "1873452"


def test_what_cannot_be_printed_is_shown_as_a_question_mark() -> None:
    assert read_text(b"NV9\x00\xff ") == "NV9??"


def ring_of(text: str) -> Ring:
    ring = read_ring(decimal(text))
    assert ring is not None
    return ring


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    ("before", "after", "on"),
    [
        ("9 5 1 0 2 0 2 0 2 0 2", "9 5 1 0 2 0 2 0 2 0 2", True),
        ("9 5 1 0 2 0 2 0 2 0 2", "10 5 0 5 1 0 2 0 2 0 2", True),
        ("9 5 1 0 2 0 2 0 2 0 2", "14 0 2 0 2 0 2 0 2 0 2", True),
        ("255 5 1 0 2 0 2 0 2 0 2", "1 5 0 5 1 0 2 0 2 0 2", True),
        ("0 0 0 0 0 0 0 0 0 0 0", "5 0 2 0 2 0 2 0 2 5 1", True),
        ("9 5 1 0 2 0 2 0 2 0 2", "0 0 0 0 0 0 0 0 0 0 0", False),
        ("9 5 1 0 2 0 2 0 2 0 2", "15 0 2 0 2 0 2 0 2 0 2", False),
        ("9 5 1 0 2 0 2 0 2 0 2", "8 0 0 0 0 0 0 0 0 0 0", False),
        ("9 5 1 0 2 0 2 0 2 0 2", "9 0 0 0 0 0 0 0 0 0 0", False),
        ("9 5 1 0 2 0 2 0 2 0 2", "12 0 0 0 0 0 0 0 0 0 0", False),
        ("252 5 1 0 2 0 2 0 2 0 2", "2 0 0 0 0 0 0 0 0 0 0", False),
        ("0 0 0 0 0 0 0 0 0 0 0", "6 0 2 0 2 0 2 0 2 5 1", False),
    ],
)
def test_a_ring_follows_when_what_both_hold_is_the_same(before: str, after: str, *, on: bool) -> None:
    assert follows(ring_of(before), ring_of(after)) is on
