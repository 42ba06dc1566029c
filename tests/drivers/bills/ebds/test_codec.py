"""EBDS messages: polls, states, notes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ebds_vectors import VECTORS
from support.notes import CHANNELS, VALUES_CENTS

from drivers.bills.ebds.codec import (
    MOTIONS,
    NO_REASON_GIVEN,
    NOTE_TABLES,
    SENT_BACK_BY_HOST,
    Flag,
    NoteMessage,
    Policy,
    PollData,
    explain_reject,
    note_mask,
    number_channels,
    read_note,
    read_status,
    write_note,
    write_poll,
    write_status,
)
from drivers.bills.ebds.frame import Kind

REPLIES = {meaning: data for meaning, kind, _, data, _ in VECTORS if kind is Kind.REPLY}
TWO_THOUSAND_YEN = b"\x00JPY002+03\x00AABA\x00\x00\x00"


@pytest.mark.parametrize(
    ("wish", "data"),
    [
        (PollData(mask=0x7F, extended=True), "7F 1C 10"),
        (PollData(mask=0x7F, stack=True), "7F 3C 00"),
        (PollData(mask=0x7F, give_back=True), "7F 5C 00"),
        (PollData(policy=Policy.B), "00 1C 04"),
        (PollData(policy=Policy.C, extended=True), "00 1C 18"),
    ],
)
def test_a_host_command_is_three_bytes(wish: PollData, data: str) -> None:
    assert write_poll(wish) == bytes.fromhex(data)


@pytest.mark.parametrize(
    ("meaning", "flags", "index"),
    [
        ("idle", {Flag.IDLE, Flag.CASSETTE}, 0),
        ("escrow of 5", {Flag.ESCROWED, Flag.CASSETTE}, 5),
        ("stacked and idle, 5", {Flag.IDLE, Flag.STACKED, Flag.CASSETTE}, 5),
        ("stacked and idle, no value", {Flag.IDLE, Flag.STACKED, Flag.CASSETTE}, 0),
        ("returned and idle", {Flag.IDLE, Flag.RETURNED, Flag.CASSETTE}, 0),
        ("cheated", {Flag.IDLE, Flag.CHEATED, Flag.CASSETTE}, 0),
        ("jammed", {Flag.JAMMED, Flag.CASSETTE}, 0),
        ("stacker full", {Flag.FULL, Flag.CASSETTE}, 0),
        ("cassette missing", {Flag.IDLE}, 0),
    ],
)
def test_a_known_reply_shows_its_flags(meaning: str, flags: set[Flag], index: int) -> None:
    status = read_status(REPLIES[meaning])
    assert status is not None
    assert ({flag for flag in Flag if status.has(flag)}, status.index) == (flags, index)


def test_stacked_without_value_and_a_missing_cassette_differ_although_their_check_sums_do_not() -> None:
    sums = {meaning: wire[-1] for meaning, *_, wire in VECTORS}
    assert sums["stacked and idle, no value"] == sums["cassette missing"] == 0x28
    missing = read_status(REPLIES["cassette missing"])
    assert missing is not None
    assert not missing.has(Flag.STACKED)


def test_a_status_is_written_as_it_is_read() -> None:
    assert write_status(Flag.IDLE, Flag.CASSETTE, model=0x54, revision=0x2A) == REPLIES["idle"]
    assert write_status(Flag.ESCROWED, Flag.CASSETTE, index=5, model=1, revision=1) == REPLIES["escrow of 5"]
    status = read_status(REPLIES["idle"])
    assert status is not None
    assert status.make == "model 54 revision 2A"


def test_a_unit_cannot_be_in_two_motions_nor_report_both_ends_of_a_note() -> None:
    for first in MOTIONS:
        for second in MOTIONS:
            assert (read_status(write_status(first, second)) is None) == (first is not second)
    assert read_status(write_status(Flag.IDLE, Flag.STACKED, Flag.RETURNED)) is None


@pytest.mark.parametrize("data", ["", "01", "01 10 00 00 01", "01 10 00 00 01 02 03"])
def test_a_status_has_six_bytes(data: str) -> None:
    assert read_status(bytes.fromhex(data)) is None


def test_an_extended_note_has_its_currency_and_value() -> None:
    assert read_note(TWO_THOUSAND_YEN) == NoteMessage(index=0, currency="JPY", value_cents=200_000)


@pytest.mark.parametrize(
    ("data", "value_cents"),
    [(b"\x03USD005+00", 500), (b"\x01USD050-01", 500), (b"\x01USD500-02", 500), (b"\x07USD001+02", 10000)],
)
def test_the_power_of_ten_goes_both_ways(data: bytes, value_cents: int) -> None:
    words = read_note(data + bytes(8))
    assert words is not None
    assert words.value_cents == value_cents


@pytest.mark.parametrize(
    "data",
    [
        bytes(18),
        b"\x09" + bytes(17),
        TWO_THOUSAND_YEN[:-1],
        TWO_THOUSAND_YEN.replace(b"JPY", b"J1Y"),
        TWO_THOUSAND_YEN.replace(b"002", b"0x2"),
        TWO_THOUSAND_YEN.replace(b"+", b"*"),
        b"\x01USD001-05" + bytes(8),
    ],
)
def test_an_empty_line_or_nonsense_is_no_note(data: bytes) -> None:
    assert read_note(data) is None


@pytest.mark.parametrize("value_cents", [100, 500, 2000, 10000, 50_000_00])
def test_a_note_is_written_as_it_is_read(value_cents: int) -> None:
    note = NoteMessage(index=4, currency="USD", value_cents=value_cents)
    assert read_note(write_note(note)) == note


def test_no_note_is_written_as_zeros() -> None:
    assert write_note(None) == bytes(18)


@given(st.binary(max_size=20))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    read_status(data)
    words = read_note(data)
    assert words is None or words.value_cents >= 0


@pytest.mark.requirement("BA-06")
@pytest.mark.parametrize(
    ("channels", "mask"),
    [((), "00" * 8), ((1,), "01" + "00" * 7), ((7, 8), "40 01" + "00" * 6), ((50, 51), "00" * 7 + "01")],
)
def test_single_notes_are_let_through_seven_a_byte(channels: tuple[int, ...], mask: str) -> None:
    assert note_mask(frozenset(channels)) == bytes.fromhex(mask)


def test_the_us_table_numbers_the_indexes() -> None:
    assert NOTE_TABLES["USD"] == VALUES_CENTS
    assert number_channels(NOTE_TABLES["USD"], "USD") == CHANNELS


def test_an_index_worth_nothing_is_not_in_use() -> None:
    assert [each.number for each in number_channels((0, 500, 0, 2000), "EUR")] == [2, 4]


@pytest.mark.parametrize("code", [NO_REASON_GIVEN, SENT_BACK_BY_HOST])
def test_every_reason_has_words(code: int) -> None:
    assert explain_reject(code)
