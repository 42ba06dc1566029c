"""Events of payout, float, ticket and bag units: their lengths, as public hosts read them."""

import pytest

from drivers.bills.ssp.codec import Code, Event, read_events
from drivers.bills.ssp.side_events import SIDE_EVENTS, measure_side_event, measure_value_if_there

USD, EUR = "88 13 00 00 55 53 44", "E8 03 00 00 45 55 52"
KYBARG_BARE = "B0 C2 C3 C4 C5 C6 C7 C8 CF DB"
KYBARG_VALUES = "B3 B4 D2 D5 D6 D7 D8 D9 DA DE DF"
SMILEY_BARE = "91 92 93 A0 A1 A2 A3 A4 A5 A6 A9 AA AB AC AD AE AF B0 BD BE C2 C3 C4 C5 C6 C7 C8 CF"
SMILEY_BYTE = "83 90 A8"
UNPUBLISHED = "8B A7 B7 BA C0 D3"


def codes(text: str) -> list[int]:
    return list(bytes.fromhex(text))


def measured(text: str, version: int) -> int | None:
    return measure_side_event(bytes.fromhex(text), version)


def test_no_side_event_is_an_event_about_notes() -> None:
    assert not SIDE_EVENTS.keys() & {code.value for code in Code}


@pytest.mark.parametrize("version", range(3, 9))
def test_bare_events_are_one_byte(version: int) -> None:
    for code in codes(f"{KYBARG_BARE} {SMILEY_BARE}"):
        assert measured(f"{code:02X} E8", version) == 1


@pytest.mark.parametrize("version", range(3, 9))
def test_events_with_a_reason_have_one_byte_more(version: int) -> None:
    for code in codes(SMILEY_BYTE):
        assert measured(f"{code:02X} 03 E8", version) == 2


def test_values_are_four_bytes_before_version_6_and_a_list_from_then_on() -> None:
    for code in codes(KYBARG_VALUES):
        assert [measured(f"{code:02X} 88 13 00 00 E8", version) for version in (3, 5)] == [5, 5]
        assert [measured(f"{code:02X} 02 {USD} {EUR} E8", version) for version in (6, 8)] == [16, 16]
        assert measured(f"{code:02X} 00 E8", 8) == 2


def test_paid_and_requested_amounts_are_eight_bytes_or_a_list_of_eleven() -> None:
    for code in (0xDC, 0xDD):
        assert measured(f"{code:02X} 01 02 03 04 05 06 07 08 E8", 5) == 9
        assert measured(f"{code:02X} 01 01 00 00 00 {USD} E8", 6) == 13


def test_an_error_during_payout_ends_with_its_reason() -> None:
    assert measured("B1 01 E8", 6) == 2
    assert measured(f"B1 01 {USD} 01 E8", 7) == 10


def test_a_coin_credit_is_one_value_or_a_list_of_one() -> None:
    """Sources differ; the letters of the country decide."""
    assert measured(f"DF {USD} E8", 6) == 8
    assert measured(f"DF 01 {USD} E8", 6) == 9


def test_a_list_whose_countries_are_no_letters_is_not_measured() -> None:
    assert measured("D2 01 EE 01 EE 02 EE 03 EE 04", 8) is None
    assert measured("D2", 8) is None


def test_a_stored_note_has_a_value_only_where_the_letters_are() -> None:
    assert (measured(f"DB {USD} E8", 8), measured("DB EB", 8)) == (8, 1)
    assert measure_value_if_there(b"") == 0


def test_an_event_of_unpublished_length_is_bare_when_all_behind_it_can_be_read() -> None:
    for code in codes(UNPUBLISHED):
        assert measured(f"{code:02X}", 8) is None
        read = read_events(bytes((code, 0xE8, code, 0xEE, 0x03)), 8)
        assert (read.events, read.side) == (
            (Event(code=Code.DISABLED), Event(code=Code.CREDIT, channel=3)),
            (code, code),
        )
        unreadable = read_events(bytes((code, 0x07, 0xE8)), 8)
        assert (unreadable.events, unreadable.lost) == ((), bytes((code, 0x07, 0xE8)))
        assert unreadable.hides_note


def test_what_is_behind_side_events_is_read() -> None:
    reply = bytes.fromhex(f"EE 03 D2 01 {USD} C6 CC B0 C0 EB")
    read = read_events(reply, 8)
    assert [event.code for event in read.events] == [Code.CREDIT, Code.STACKING, Code.STACKED]
    assert (read.side, read.lost) == ((0xD2, 0xC6, 0xB0, 0xC0), b"")


def test_a_value_that_looks_like_an_event_is_none() -> None:
    """A reply of a public log: 232 of a currency paid out, and the unit disabled. 232 is E8, the code of disabled."""
    read = read_events(bytes.fromhex("DA 01 E8 00 00 00 55 41 48 E8"), 6)
    assert (read.events, read.side) == ((Event(code=Code.DISABLED),), (0xDA,))


def test_a_long_row_of_unpublished_events_is_read_in_no_time() -> None:
    assert len(read_events(bytes((0xC0,)) * 254, 8).side) == 254
