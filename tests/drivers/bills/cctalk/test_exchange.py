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


def asking(header: int = 254, *, repeats: int = 1) -> Exchange:
    exchange = Exchange(address=40, reply_timeout_s=1.0, repeats=repeats)
    exchange.ask(header, b"", 0.0)
    return exchange


def test_the_reply_behind_the_echo_is_given_out() -> None:
    exchange = asking()
    assert exchange.bytes_to_send() == POLL
    assert exchange.bytes_to_send() == b""
    assert exchange.receive(POLL + ACK, 0.01) == REPLY
    assert exchange.due() is None


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
    exchange = asking(repeats=0)
    assert exchange.receive(ACK, 0.01) is None
    exchange.tick(1.0)
    assert exchange.silent
    assert "damaged" in exchange.why_silent


def test_a_reply_behind_a_different_echo_does_not_count() -> None:
    for bit in range(40):
        with case(bit=bit):
            echo = bytearray(POLL)
            echo[bit // 8] ^= 1 << bit % 8
            assert asking().receive(bytes(echo) + ACK, 0.01) is None


def test_a_late_reply_to_an_earlier_command_is_passed_over() -> None:
    exchange = asking()
    exchange.bytes_to_send()
    exchange.ask(159, b"", 1.0)
    assert exchange.receive(POLL + ACK + EVENTS + EVENTS_REPLY, 1.1) == Frame(
        destination=1, source=40, header=0, data=b"\x07"
    )


def test_a_gap_of_more_than_fifty_milliseconds_inside_the_reply_ends_it() -> None:
    exchange = asking()
    exchange.receive(POLL + ACK[:3], 0.0)
    assert exchange.receive(ACK[3:], 0.051) is None
    assert exchange.receive(ACK, 0.052) is None
    exchange.tick(1.0)
    exchange.bytes_to_send()
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


def test_without_an_answer_the_same_bytes_go_out_again_and_then_it_is_silent() -> None:
    exchange = asking(repeats=2)
    sent = [exchange.bytes_to_send()]
    for now in (0.5, 1.0, 2.0, 3.0):
        exchange.tick(now)
        sent.append(exchange.bytes_to_send())
    assert sent == [POLL, b"", POLL, POLL, b""]
    assert exchange.silent
    assert exchange.due() is None


@pytest.mark.parametrize(
    ("received", "words"), [(b"", "not even our own echo"), (b"\x28\x00", "damaged"), (POLL, "no answer")]
)
def test_silence_is_explained_by_what_was_received(received: bytes, words: str) -> None:
    exchange = asking(repeats=0)
    if received:
        exchange.receive(received, 0.01)
    exchange.tick(1.0)
    assert words in exchange.why_silent


def test_with_crc_the_frames_have_their_other_form() -> None:
    exchange = Exchange(address=40, reply_timeout_s=1.0, repeats=0)
    exchange.check = Check.CRC
    exchange.ask(254, b"", 0.0)
    poll = exchange.bytes_to_send()
    assert poll == decimal("40 0 182 254 33")
    assert exchange.receive(poll + decimal("1 0 48 0 55"), 0.01) == Frame(destination=1, source=0, header=0)


def test_unexpected_bytes_are_dropped() -> None:
    exchange = asking()
    exchange.receive(POLL + ACK, 0.01)
    assert exchange.receive(POLL + ACK, 0.02) is None
    exchange.forget()
    assert exchange.receive(POLL + ACK, 0.03) is None
    assert (exchange.due(), exchange.bytes_to_send()) == (None, b"")
