"""One command, its echo, one reply."""

import pytest
from support.cases import case
from support.cctalk_vectors import decimal

from drivers.bills.cctalk.exchange import Exchange
from drivers.bills.cctalk.frame import Check, Frame

POLL, ACK = decimal("40 0 1 254 217"), decimal("1 0 40 0 215")
EVENTS = decimal("40 0 1 159 56")
EVENTS_REPLY = decimal("1 1 40 0 7 207")
REPLY = Frame(destination=1, source=40, header=0)


def asking(header: int = 254) -> Exchange:
    exchange = Exchange(address=40)
    exchange.write(header)
    return exchange


def test_the_reply_behind_the_echo_is_given_out() -> None:
    exchange = Exchange(address=40)
    assert exchange.write(254) == POLL
    assert exchange.receive(POLL + ACK, 0.01) == REPLY


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_echo_and_reply_may_come_in_pieces(size: int) -> None:
    exchange = asking()
    stream = POLL + ACK
    pieces = [exchange.receive(stream[at : at + size], 0.001 * at) for at in range(0, len(stream), size)]
    assert pieces == [None] * (len(pieces) - 1) + [REPLY]


def test_the_unit_may_think_for_a_while_between_echo_and_reply() -> None:
    exchange = asking()
    assert exchange.receive(POLL, 0.01) is None
    assert exchange.receive(ACK, 0.9) == REPLY


def test_a_reply_without_an_echo_before_it_does_not_count() -> None:
    exchange = asking()
    assert exchange.receive(ACK, 0.01) is None
    assert "damaged" in exchange.why_silent


def test_a_reply_behind_a_different_echo_does_not_count() -> None:
    for bit in range(40):
        with case(bit=bit):
            echo = bytearray(POLL)
            echo[bit // 8] ^= 1 << bit % 8
            assert asking().receive(bytes(echo) + ACK, 0.01) is None


def test_a_late_reply_to_an_earlier_command_is_passed_over() -> None:
    exchange = asking()
    exchange.write(159)
    assert exchange.receive(POLL + ACK + EVENTS + EVENTS_REPLY, 1.1) == Frame(
        destination=1, source=40, header=0, data=b"\x07"
    )


def test_a_gap_of_more_than_fifty_milliseconds_inside_the_reply_ends_it() -> None:
    exchange = asking()
    exchange.receive(POLL + ACK[:3], 0.0)
    assert exchange.receive(ACK[3:], 0.051) is None
    assert exchange.receive(ACK, 0.052) is None
    exchange.begin_attempt()
    assert exchange.receive(POLL + ACK, 1.01) == REPLY


def test_a_gap_of_fifty_milliseconds_is_none() -> None:
    exchange = asking()
    exchange.receive(POLL + ACK[:3], 0.0)
    assert exchange.receive(ACK[3:], 0.05) == REPLY


def test_a_gap_inside_the_echo_ends_it() -> None:
    exchange = asking()
    exchange.receive(POLL[:2], 0.0)
    assert exchange.receive(POLL[2:] + ACK, 0.2) is None


@pytest.mark.parametrize(
    "reply", ["1 0 40 0 214", "2 0 40 0 214", "1 0 41 0 214", "40 0 1 0 215"], ids=["sum", "to", "from", "own"]
)
def test_a_reply_that_is_wrong_or_not_ours_is_dropped(reply: str) -> None:
    assert asking().receive(POLL + decimal(reply), 0.01) is None


@pytest.mark.parametrize(
    ("received", "words"), [(b"", "not even our own echo"), (b"\x28\x00", "damaged"), (POLL, "no answer")]
)
def test_silence_is_explained_by_what_was_received(received: bytes, words: str) -> None:
    exchange = asking()
    if received:
        exchange.receive(received, 0.01)
    exchange.begin_attempt()
    assert words in exchange.why_silent


def test_with_crc_the_frames_have_their_other_form() -> None:
    exchange = Exchange(address=40)
    exchange.check = Check.CRC
    poll = exchange.write(254)
    assert poll == decimal("40 0 182 254 33")
    assert exchange.receive(poll + decimal("1 0 48 0 55"), 0.01) == Frame(destination=1, source=0, header=0)


def test_unexpected_bytes_are_dropped() -> None:
    exchange = asking()
    exchange.receive(POLL + ACK, 0.01)
    assert exchange.receive(POLL + ACK, 0.02) is None
    exchange.begin_attempt()
    assert exchange.receive(POLL + ACK, 0.03) is None
