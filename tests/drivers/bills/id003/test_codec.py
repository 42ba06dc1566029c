"""ID-003 messages: states, the table of notes, settings, reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.id003_bench import NOTE_TYPES
from support.notes import CHANNELS

from drivers.bills.events import Channel
from drivers.bills.id003.codec import (
    SETTINGS,
    STATES,
    Command,
    NoteType,
    State,
    Status,
    denominations,
    explain_failure,
    explain_reject,
    is_answer,
    name_channels,
    read_note_table,
    read_status,
    write_note_table,
)


def test_the_state_codes_are_those_of_the_specification() -> None:
    assert sorted(STATES) == [*range(0x11, 0x1C), *range(0x40, 0x4B)]


def test_a_status_is_read_from_its_code() -> None:
    assert read_status(0x15, b"") == Status(state=State.VEND_VALID)
    assert read_status(0x13, b"\x63") == Status(state=State.ESCROW, data=b"\x63")


@pytest.mark.parametrize(("code", "data"), [(0x50, b""), (0x4B, b""), (0x05, b""), (0x88, b"x"), (0x13, b"")])
def test_what_is_no_status_is_not_read_as_one(code: int, data: bytes) -> None:
    assert read_status(code, data) is None


@pytest.mark.parametrize(
    ("data", "channel", "is_ticket"),
    [("61", 1, False), ("68", 8, False), ("6E", 14, False), ("6F 30 31", 0, True), ("60", 0, False), ("71", 0, False)],
)
def test_an_escrow_names_the_note_or_a_ticket(data: str, channel: int, *, is_ticket: bool) -> None:
    status = Status(state=State.ESCROW, data=bytes.fromhex(data))
    assert (status.channel, status.is_ticket) == (channel, is_ticket)


@pytest.mark.parametrize(
    ("question", "fitting", "strange"),
    [
        (Command.STATUS, (0x11, 0x15, 0x40, 0x49), (0x50, 0x4B, 0x88, 0xC3)),
        (Command.STACK_2, (0x50, 0x4B), (0x11, 0x13, 0x14, 0x42, 0xC0)),
        (Command.RESET, (0x50, 0x4B), (0x40, 0x1B)),
        (Command.VERSION, (0x88, 0x4B), (0x50, 0x11)),
        (Command.SET_INHIBIT, (0xC3, 0x4B), (0xC0, 0x11, 0x50)),
    ],
)
def test_only_a_fitting_frame_answers_a_command(question: int, fitting: tuple[int], strange: tuple[int]) -> None:
    assert all(is_answer(question, code) for code in fitting)
    assert not any(is_answer(question, code) for code in strange)


def test_the_table_of_notes_is_read_record_by_record() -> None:
    data = bytes.fromhex("61 01 01 00  62 00 00 00  63 01 05 00  64 01 01 01  67 01 01 02  6F 01 01 01")
    assert read_note_table(data) == (
        NoteType(channel=1, country=1, value_cents=100),
        NoteType(channel=3, country=1, value_cents=500),
        NoteType(channel=4, country=1, value_cents=1000),
        NoteType(channel=7, country=1, value_cents=10000),
    )


@pytest.mark.parametrize("data", ["61", "61 01 01", "61 01 01 00 62", "61 01 01 07", "61 01 05 FF"])
def test_a_table_that_cannot_be_one_is_refused(data: str) -> None:
    assert read_note_table(bytes.fromhex(data)) is None


def test_the_table_is_written_as_it_is_read() -> None:
    assert read_note_table(write_note_table(NOTE_TYPES)) == NOTE_TYPES


@given(st.binary(max_size=80))
def test_no_table_makes_it_raise(data: bytes) -> None:
    for note in read_note_table(data) or ():
        assert note.value_cents > 0


MIXED = (NoteType(channel=1, country=1, value_cents=500), NoteType(channel=2, country=0xE0, value_cents=500))


def test_a_table_of_one_country_is_of_the_cabinets_currency() -> None:
    assert name_channels(NOTE_TYPES, currency="USD", countries={}) == CHANNELS


def test_a_table_of_two_countries_needs_their_names() -> None:
    assert name_channels(MIXED, currency="USD", countries={}) is None
    named = name_channels(MIXED, currency="USD", countries={1: "USD", 0xE0: "EUR"})
    assert named is not None
    assert [channel.currency for channel in named] == ["USD", "EUR"]


def test_a_country_without_a_name_is_not_the_currency_that_another_one_has() -> None:
    assert name_channels(MIXED, currency="USD", countries={1: "USD"}) is None


def test_without_a_currency_the_country_number_stands_for_it() -> None:
    assert name_channels(MIXED[:1], currency=None, countries={}) == (
        Channel(number=1, value_cents=500, currency="country 01"),
    )


@pytest.mark.parametrize(
    ("channels", "mask"),
    [((), "FF FF"), ((1,), "FE FF"), ((1, 3, 7), "BA FF"), (range(1, 17), "00 00"), ((9, 99), "FF FE")],
)
@pytest.mark.requirement("BA-06")
def test_a_set_bit_switches_a_note_off(channels: tuple[int, ...], mask: str) -> None:
    assert denominations(frozenset(channels)) == bytes.fromhex(mask)


def test_the_settings_come_in_the_makers_order_and_take_nothing_yet() -> None:
    assert [command for command, _ in SETTINGS][:7] == [0xC0, 0xC1, 0xC4, 0xC5, 0xC3, 0xC6, 0xC7]
    assert dict(SETTINGS)[Command.SET_DENOMINATIONS] == b"\xff\xff"
    assert dict(SETTINGS)[Command.SET_INHIBIT] == b"\x01"


@pytest.mark.parametrize("code", [*range(0x71, 0x80), 0x98, 0x9B, 0x43, 0x6F, 0xEE])
def test_every_reason_has_words(code: int) -> None:
    words = explain_reject(code)
    assert words
    assert ("not recognised" in words) == (code in (0x7A, 0x7F, 0xEE))


@pytest.mark.parametrize(("data", "words"), [("A2", "stacker motor"), ("AF", "the head is off"), ("", "failure 00")])
def test_every_failure_has_words(data: str, words: str) -> None:
    assert explain_failure(bytes.fromhex(data)) == words
