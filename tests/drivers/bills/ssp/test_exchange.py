"""Question and answer on an SSP line."""

import pytest

from drivers.bills.ssp.exchange import Exchange
from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.secret import Seal, seal

SYNC = b"\x11"
POLL = b"\x07"
KEY = bytes(range(16))


def packing(size: int) -> bytes:
    return b"\x55" * size


def sealing() -> Exchange:
    exchange = Exchange(address=0)
    exchange.seal = Seal(KEY, packing)
    return exchange


def sent(wire: bytes) -> tuple[bool, bytes]:
    (frame,) = Decoder().feed(wire)
    return frame.sequence, frame.data


def reply(data: bytes, *, sequence: bool, address: int = 0) -> bytes:
    return encode(Frame(sequence=sequence, address=address, data=data))


def test_sync_has_the_bit_set_and_each_new_command_flips_it() -> None:
    exchange = Exchange(address=0)
    written = [sent(exchange.write(command)) for command in (POLL, SYNC, POLL, POLL, POLL, SYNC, POLL)]
    assert written[1:] == [
        (True, SYNC),
        (False, POLL),
        (True, POLL),
        (False, POLL),
        (True, SYNC),
        (False, POLL),
    ]


def test_a_right_reply_closes_the_command() -> None:
    exchange = Exchange(address=0)
    exchange.write(POLL)
    assert exchange.receive(reply(b"\xf0\xeb", sequence=True)) == b"\xf0\xeb"
    assert exchange.unanswered is None
    assert exchange.receive(reply(b"\xf0\xeb", sequence=True)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        reply(b"\xf0", sequence=False),
        reply(b"\xf0", sequence=True, address=1),
        reply(b"", sequence=True),
        reply(b"\xf0", sequence=True)[:-1] + b"\x00",
        reply(seal(KEY, 1, b"\xf0", packing), sequence=True),
    ],
)
def test_a_reply_with_the_wrong_bit_address_or_crc_or_without_data_or_sealed_is_dropped(wrong: bytes) -> None:
    exchange = Exchange(address=0)
    exchange.write(POLL)
    assert exchange.receive(wrong) is None
    assert exchange.unanswered is not None
    assert exchange.unanswered.command == POLL


def test_sync_takes_only_a_bare_ok() -> None:
    exchange = Exchange(address=0)
    exchange.write(SYNC)
    assert exchange.receive(reply(b"\xf0\xee\x01", sequence=True)) is None
    assert exchange.receive(reply(b"\xf0", sequence=True)) == b"\xf0"


def test_a_command_given_up_can_be_answered_late_and_its_bytes_stay_known() -> None:
    exchange = Exchange(address=0)
    wire = exchange.write(POLL)
    exchange.forget_line()
    assert exchange.unanswered is not None
    assert exchange.unanswered.wire == wire
    assert exchange.receive(reply(b"\xf0\xee\x01", sequence=True)) == b"\xf0\xee\x01"


def test_a_lost_line_drops_half_a_frame() -> None:
    exchange = Exchange(address=0)
    exchange.write(POLL)
    whole = reply(b"\xf0", sequence=True)
    exchange.receive(whole[:3])
    exchange.forget_line()
    assert exchange.receive(whole[3:]) is None


def test_on_a_sealed_line_only_sync_and_the_key_exchange_are_in_the_clear() -> None:
    exchange = sealing()
    for command in (SYNC, b"\x4a" + bytes(8), b"\x4b" + bytes(8), b"\x4c" + bytes(8)):
        assert sent(exchange.write(command))[1] == command
    for command in (POLL, b"\x06\x08", b"\x05"):
        assert sent(exchange.write(command))[1][0] == 0x7E


def test_a_sealed_command_takes_a_sealed_reply_with_the_next_count_or_key_not_set() -> None:
    exchange = sealing()
    exchange.write(POLL)
    for wrong in (b"\xf0\xee\x01", *(seal(KEY, count, b"\xf0\xee\x01", packing) for count in (0, 2, 5))):
        assert exchange.receive(reply(wrong, sequence=True)) is None
    assert exchange.receive(reply(seal(KEY, 1, b"\xf0\xee\x01", packing), sequence=True)) == b"\xf0\xee\x01"
    exchange.write(POLL)
    assert exchange.receive(reply(b"\xfa", sequence=False)) == b"\xfa"


def test_a_reply_taken_late_is_opened_with_the_seal_of_its_question() -> None:
    exchange = sealing()
    exchange.write(POLL)
    exchange.seal = None
    assert exchange.receive(reply(seal(KEY, 1, b"\xf0", packing), sequence=True)) == b"\xf0"
