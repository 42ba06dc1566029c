"""SSP messages: events, setup, inhibits, reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import CHANNELS
from support.scripted_unit import SETUP
from support.ssp_vectors import VECTORS

from drivers.bills.events import Channel
from drivers.bills.ssp.codec import (
    BAR_CODE_SETUP,
    BarCode,
    Code,
    Event,
    Setup,
    TicketPlace,
    bar_code_inhibit,
    explain_reject,
    inhibits,
    read_bar_code,
    read_counters,
    read_events,
    read_setup,
    write_counters,
    write_setup,
)


def events(*pairs: tuple[Code, int]) -> tuple[Event, ...]:
    return tuple(Event(code=code, channel=channel) for code, channel in pairs)


@pytest.mark.parametrize(
    ("meaning", "expected"),
    [
        ("ok", ()),
        ("reset and disabled", events((Code.SLAVE_RESET, 0), (Code.DISABLED, 0))),
        ("reading", events((Code.READ, 0))),
        ("escrow of channel 3", events((Code.READ, 3))),
        ("credit of channel 4", events((Code.CREDIT, 4))),
        ("credit of channel 1, stacked", events((Code.CREDIT, 1), (Code.STACKED, 0))),
        ("rejecting", events((Code.REJECTING, 0))),
        ("rejected", events((Code.REJECTED, 0))),
        ("unsafe jam", events((Code.UNSAFE_JAM, 0))),
        ("stacker full", events((Code.STACKER_FULL, 0))),
        ("fraud on channel 2", events((Code.FRAUD, 2))),
        ("cash box removed", events((Code.CASHBOX_REMOVED, 0))),
        ("cash box replaced", events((Code.CASHBOX_REPLACED, 0))),
        ("power-up: channel 2 into the cash box", events((Code.CLEARED_TO_CASHBOX, 2))),
        ("power-up: unknown out of the front", events((Code.CLEARED_FROM_FRONT, 0))),
        ("path open", events((Code.PATH_OPEN, 0))),
        ("all channels inhibited", events((Code.ALL_INHIBITED, 0))),
        ("initialising", events((Code.INITIALISING, 0))),
        ("ticket in escrow", events((Code.TICKET_IN_ESCROW, 0))),
        ("ticket stacked", events((Code.TICKET_STACKED, 0))),
    ],
)
def test_the_makers_example_replies_are_read(meaning: str, expected: tuple[Event, ...]) -> None:
    data = next(data for name, _, data, _ in VECTORS if name == meaning)
    report = read_events(data[1:])
    assert (report.events, report.lost) == (expected, b"")


@pytest.mark.parametrize(
    ("data", "read", "lost"),
    [
        ("EB BC EE 01", events((Code.STACKED, 0)), "BC EE 01"),
        ("EE", (), "EE"),
        ("EE 01 EF", events((Code.CREDIT, 1)), "EF"),
        ("00", (), "00"),
    ],
)
def test_reading_stops_at_what_is_unknown_or_cut_short(data: str, read: tuple[Event, ...], lost: str) -> None:
    report = read_events(bytes.fromhex(data))
    assert (report.events, report.lost) == (read, bytes.fromhex(lost))


PAID_IN = "88 13 00 00 55 53 44"


@pytest.mark.fault(13)
@pytest.mark.parametrize(
    ("data", "version", "unit_type", "read", "lost"),
    [
        ("CB EE 01", 7, 6, events((Code.STORED_AT_POWER_UP, 0), (Code.CREDIT, 1)), ""),
        (f"CB {PAID_IN} EE 01", 8, 6, events((Code.STORED_AT_POWER_UP, 0), (Code.CREDIT, 1)), ""),
        (f"F1 CA EE 01 CE {PAID_IN}", 8, 6, events((Code.SLAVE_RESET, 0), (Code.STACKED_AT_POWER_UP, 0)), None),
        ("CD EE 01", 5, 6, events((Code.DISPENSED_AT_POWER_UP, 0), (Code.CREDIT, 1)), ""),
        ("EB C9 EE 01", 6, 6, events((Code.STACKED, 0), (Code.TRANSFERRED, 0), (Code.CREDIT, 1)), ""),
        (f"C9 {PAID_IN} EE 01", 6, 6, events((Code.TRANSFERRED, 0), (Code.CREDIT, 1)), ""),
        (f"CD {PAID_IN} EE 01", 7, 7, events((Code.DISPENSED_AT_POWER_UP, 0), (Code.CREDIT, 1)), ""),
        ("CB 88 13", 8, 6, (), "CB 88 13"),
        (f"E6 01 {PAID_IN} EE 01", 6, 6, events((Code.FRAUD, 0), (Code.CREDIT, 1)), ""),
        ("E6 02 EE 01", 6, 6, (), "E6 02 EE 01"),
        ("E6", 6, 6, (), "E6"),
        ("E6 02 EE 01", 6, 7, events((Code.FRAUD, 2), (Code.CREDIT, 1)), ""),
        ("E6 02 EE 01", 5, 6, events((Code.FRAUD, 2), (Code.CREDIT, 1)), ""),
    ],
)
def test_events_are_measured_by_version_and_unit(
    data: str, version: int, unit_type: int, read: tuple[Event, ...], lost: str | None
) -> None:
    report = read_events(bytes.fromhex(data), version, unit_type)
    assert report.events[: len(read)] == read
    if lost is not None:
        assert (report.events, report.lost) == (read, bytes.fromhex(lost))
    else:  # after a reset the short forms are back: the value of the last event is not an event
        assert report.events[len(read) :] == events((Code.CREDIT, 1), (Code.HELD_IN_BEZEL, 0))
        assert report.lost == bytes.fromhex(PAID_IN)


@given(st.binary(max_size=40))
def test_no_byte_of_a_reply_is_read_twice_or_lost_unnoticed(data: bytes) -> None:
    report = read_events(data)
    carrying = (Code.READ, Code.CREDIT, Code.FRAUD, Code.CLEARED_TO_CASHBOX, Code.CLEARED_FROM_FRONT)
    spelled = b"".join(
        bytes((event.code, event.channel) if event.code in carrying else (event.code,)) for event in report.events
    )
    if not report.side:
        assert spelled + report.lost == data
    assert data.endswith(report.lost)
    assert len(spelled) + len(report.side) + len(report.lost) <= len(data)


@pytest.mark.parametrize(
    ("lost", "hides"),
    [("BC", False), ("BC E8", False), ("BC C6 E8", False), ("BC EF 00", True), ("BC 01", True), ("EE", True)],
)
def test_an_unreadable_part_hides_no_note_when_it_is_one_byte_before_known_events(lost: str, hides: bool) -> None:
    report = read_events(bytes.fromhex(f"EB {lost}"), 8)
    assert (report.lost, report.hides_note) == (bytes.fromhex(lost), hides)


OLD_UNIT = bytes.fromhex("00 30 31 31 30 47 42 50 00 00 64 03 05 0A 14 02 02 02 00 00 64 04")
NEW_UNIT = bytes.fromhex(
    "00 30 34 31 30 45 55 52 00 00 01 02 05 0A 02 02 00 00 64 07 45 55 52 45 55 52 05 00 00 00 0A 00 00 00"
)


def test_a_setup_before_version_six_uses_the_value_multiplier() -> None:
    setup = read_setup(OLD_UNIT)
    assert setup is not None
    assert (setup.firmware, setup.country, setup.version) == ("0110", "GBP", 4)
    assert [(each.number, each.value_cents, each.currency) for each in setup.channels] == [
        (1, 500, "GBP"),
        (2, 1000, "GBP"),
        (3, 2000, "GBP"),
    ]


def test_a_setup_from_version_six_on_has_a_currency_and_a_wide_value_for_each_channel() -> None:
    setup = read_setup(NEW_UNIT)
    assert setup is not None
    assert setup.version == 7
    assert [(each.number, each.value_cents, each.currency) for each in setup.channels] == [
        (1, 500, "EUR"),
        (2, 1000, "EUR"),
    ]


def test_a_channel_without_value_is_none() -> None:
    setup = read_setup(NEW_UNIT[:-4] + bytes(4))
    assert setup is not None
    assert [channel.number for channel in setup.channels] == [1]


@pytest.mark.parametrize("data", [OLD_UNIT, NEW_UNIT, SETUP])
def test_a_setup_cut_anywhere_is_refused(data: bytes) -> None:
    assert read_setup(data) is not None
    assert all(read_setup(data[:length]) is None for length in range(len(data)))


@pytest.mark.parametrize("unit_type", [0x03, 0x08, 0xFF])
def test_a_unit_that_is_no_note_validator_is_refused(unit_type: int) -> None:
    assert read_setup(bytes((unit_type,)) + NEW_UNIT[1:]) is None


@given(st.binary(max_size=200))
def test_any_setup_bytes_are_read_or_refused(data: bytes) -> None:
    setup = read_setup(b"\x00" + data)
    assert setup is None or all(channel.value_cents > 0 for channel in setup.channels)


def test_a_setup_written_is_read_again() -> None:
    setup = Setup(unit_type=0, firmware="0331", country="USD", version=7, channels=CHANNELS)
    assert read_setup(write_setup(setup, value_multiplier=100, real_multiplier=100)) == setup
    small = (Channel(number=1, value_cents=500, currency="GBP"),)
    old = Setup(unit_type=0, firmware="0110", country="GBP", version=5, channels=small)
    assert read_setup(write_setup(old, value_multiplier=100, real_multiplier=100)) == old


@pytest.mark.requirement("BA-06")
@pytest.mark.parametrize(
    ("channels", "highest", "mask"),
    [
        ({1, 2, 3}, 7, "07 00"),
        (set(range(1, 17)), 16, "FF FF"),
        (set(), 4, "00 00"),
        ({16}, 16, "00 80"),
        ({17}, 17, "00 00 01 00"),
        ({0, 99}, 16, "00 00"),
    ],
)
def test_a_set_bit_lets_its_channel_through(channels: set[int], highest: int, mask: str) -> None:
    assert inhibits(frozenset(channels), highest=highest) == bytes.fromhex(mask)


REASONS = {
    0x00: "accepted",
    0x01: "wrong length",
    0x06: "this note type is switched off",
    0x07: "a second note was put in while reading",
    0x08: "sent back by the cabinet",
    0x0B: "note too long",
    0x0C: "the acceptor was switched off",
    0x0D: "the mechanism is slow or stalled",
    0x0E: "an attempt to pull the note back",
    0x0F: "rejected as a fraud",
    0x10: "no notes put in",
    0x12: "the note was twisted",
    0x13: "held too long",
    0x14: "the bar code could not be read",
    0x1A: "note too short",
    0x1C: "two notes at once",
    0x1D: "the note could not be stacked",
}
"""The codes with a meaning in the maker's table; all others mean that the note was not recognised."""


def test_a_reject_code_has_the_words_of_the_makers_table_and_any_other_names_its_number() -> None:
    assert {code: explain_reject(code) for code in REASONS} == REASONS
    others = set(range(256)) - set(REASONS)
    assert {explain_reject(code) for code in others} == {f"note not recognised (code {code:02X})" for code in others}


# Bar codes and counters.


def test_bar_code_data_is_read() -> None:
    data = next(data for meaning, _, data, _ in VECTORS if meaning == "bar code 123456")
    assert read_bar_code(data[1:]) == BarCode(place=TicketPlace.ESCROW, number="123456")
    assert read_bar_code(b"\x00\x00") == BarCode(place=TicketPlace.NOWHERE, number="")


@pytest.mark.parametrize("data", ["", "01", "04 00", "01 02 31", "01 01 31 32", "01 01 07", "01 01 B9"])
def test_bar_code_data_that_is_not_whole_or_no_text_is_refused(data: str) -> None:
    assert read_bar_code(bytes.fromhex(data)) is None


@given(st.binary(max_size=40))
def test_any_bar_code_bytes_are_read_or_refused(data: bytes) -> None:
    found = read_bar_code(data)
    assert found is None or data == bytes((found.place, len(found.number))) + found.number.encode("ascii")


def test_the_reader_is_set_up_and_let_through_as_in_the_makers_examples() -> None:
    assert next(data for meaning, _, data, _ in VECTORS if "configuration" in meaning) == b"\x24" + BAR_CODE_SETUP
    only_tickets = next(data for meaning, _, data, _ in VECTORS if meaning == "bar code inhibit")
    assert b"\x26" + bar_code_inhibit(notes=False, tickets=True) == only_tickets
    letting = {(notes, tickets): bar_code_inhibit(notes=notes, tickets=tickets)
               for notes in (True, False) for tickets in (True, False)}  # fmt: skip
    assert len(set(letting.values())) == 4
    assert letting[True, True] == b"\xfc"


def test_counters_are_read_and_written() -> None:
    data = bytes.fromhex("05 01 01 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00")
    counters = read_counters(data)
    assert counters == {"stacked": 257, "stored": 2, "dispensed": 3, "transferred": 4, "rejected": 5}
    assert write_counters(counters) == data
    assert read_counters(data[:-1]) is None
    assert read_counters(b"\x04" + data[1:]) is None
    assert read_counters(b"") is None
