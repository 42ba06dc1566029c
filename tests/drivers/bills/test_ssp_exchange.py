"""Question and answer on an SSP line."""

import pytest

from drivers.bills.ssp_exchange import Exchange
from drivers.bills.ssp_frame import Decoder, Frame, encode

SYNC = b"\x11"
POLL = b"\x07"


def make(repeats: int = 2) -> Exchange:
    return Exchange(address=0, reply_timeout_s=1.0, repeats=repeats)


def sent(exchange: Exchange) -> list[tuple[bool, bytes]]:
    return [(frame.sequence, frame.data) for frame in Decoder().feed(exchange.bytes_to_send())]


def reply(data: bytes, *, sequence: bool, address: int = 0) -> bytes:
    return encode(Frame(sequence=sequence, address=address, data=data))


def test_sync_has_the_bit_set_and_each_new_command_flips_it() -> None:
    exchange = make()
    for command in (POLL, SYNC, POLL, POLL, POLL, SYNC, POLL):
        exchange.ask(command, 0.0)
    assert sent(exchange)[1:] == [
        (True, SYNC),
        (False, POLL),
        (True, POLL),
        (False, POLL),
        (True, SYNC),
        (False, POLL),
    ]


def test_the_same_bytes_go_out_again_until_the_repeats_are_used_up() -> None:
    exchange = make(repeats=2)
    exchange.ask(POLL, 0.0)
    first = exchange.bytes_to_send()
    for second in (1.0, 2.0):
        assert exchange.due() == second
        exchange.tick(second - 0.01)
        assert exchange.bytes_to_send() == b""
        exchange.tick(second)
        assert exchange.bytes_to_send() == first
    assert not exchange.silent
    exchange.tick(3.0)
    assert exchange.silent
    assert (exchange.bytes_to_send(), exchange.due()) == (b"", None)


def test_a_right_reply_closes_the_command() -> None:
    exchange = make()
    exchange.ask(POLL, 0.0)
    assert exchange.receive(reply(b"\xf0\xeb", sequence=True)) == b"\xf0\xeb"
    assert (exchange.unanswered, exchange.due()) == (b"", None)
    assert exchange.receive(reply(b"\xf0\xeb", sequence=True)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        reply(b"\xf0", sequence=False),
        reply(b"\xf0", sequence=True, address=1),
        reply(b"", sequence=True),
        reply(b"\xf0", sequence=True)[:-1] + b"\x00",
    ],
)
def test_a_reply_with_the_wrong_bit_address_or_crc_or_without_data_is_dropped(wrong: bytes) -> None:
    exchange = make()
    exchange.ask(POLL, 0.0)
    assert exchange.receive(wrong) is None
    assert exchange.unanswered == POLL


def test_sync_takes_only_a_bare_ok() -> None:
    exchange = make()
    exchange.ask(SYNC, 0.0)
    assert exchange.receive(reply(b"\xf0\xee\x01", sequence=True)) is None
    assert exchange.receive(reply(b"\xf0", sequence=True)) == b"\xf0"


def test_a_command_given_up_can_be_answered_late_or_asked_again_with_the_same_bit() -> None:
    exchange = make(repeats=0)
    exchange.ask(POLL, 0.0)
    first = exchange.bytes_to_send()
    exchange.tick(1.0)
    assert exchange.silent
    exchange.forget_line()
    assert exchange.unanswered == POLL
    exchange.ask_again(5.0)
    assert exchange.bytes_to_send() == first
    assert exchange.receive(reply(b"\xf0\xee\x01", sequence=True)) == b"\xf0\xee\x01"


def test_a_lost_line_drops_what_was_owed_and_half_a_frame() -> None:
    exchange = make()
    exchange.ask(POLL, 0.0)
    whole = reply(b"\xf0", sequence=True)
    exchange.receive(whole[:3])
    exchange.forget_line()
    assert exchange.bytes_to_send() == b""
    assert exchange.receive(whole[3:]) is None
