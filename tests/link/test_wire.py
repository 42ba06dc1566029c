"""The language of the socket: every message comes back, and nothing else is one."""

import random
from contextlib import suppress

import msgspec
import pytest
from support.cases import case

from cabinet.link import wire

REQUESTS = (
    wire.Hello(version=1),
    wire.Meters(),
    wire.Status(),
    wire.Rows(after=0, limit=1),
    wire.Events(before=2**63 - 1),
    wire.Tickets(),
    wire.Games(limit=wire.GAMES_AT_MOST),
    wire.Wait(after=7),
)
REPLIES = (
    wire.Hello(version=1, program="0.1.0"),
    wire.Answer(seq=3, data={"credit": 5}),
    wire.Entries(seq=3, rows=[], through=3, lost_from=1, lost_to=2),
    wire.Newest(seq=4),
    wire.Refused(why="no"),
)


def test_every_message_comes_back_in_one_piece_or_in_single_bytes():
    for message in (*REQUESTS, *REPLIES):
        with case(message=message):
            received, found = bytearray(), []
            for byte in wire.encode(message):
                received.append(byte)
                found.append(wire.take(received, wire.ANSWER_BYTES))
            decode = wire.decode_request if message in REQUESTS else wire.decode_reply
            assert [each is None for each in found] == [True] * (len(found) - 1) + [False]
            assert decode(found[-1] or b"") == message
            assert received == b""


def test_every_request_is_short_enough_to_be_read():
    longest = max(len(wire.encode(request)) for request in REQUESTS)
    assert longest < wire.REQUEST_BYTES


def test_a_length_of_nothing_or_of_too_much_is_refused_before_its_bytes_come():
    for length in (0, 257, 2**32 - 1):
        with case(length=length), pytest.raises(wire.WireError, match="expected 1 to 256 bytes"):
            wire.take(bytearray(length.to_bytes(4, "big")), 256)
    assert wire.take(bytearray((256).to_bytes(4, "big")), 256) is None


def test_a_number_outside_its_range_is_refused():
    for request in (
        wire.Rows(after=-1),
        wire.Rows(after=0, limit=0),
        wire.Rows(after=0, limit=201),
        wire.Games(limit=6),
        wire.Tickets(before=2**63),
        wire.Wait(after=-1),
    ):
        with case(request=request), pytest.raises(wire.WireError, match="expected"):
            wire.decode_request(msgspec.msgpack.encode(request))


def test_an_answer_is_no_request():
    with pytest.raises(wire.WireError, match="expected a request"):
        wire.decode_request(msgspec.msgpack.encode(wire.Newest(seq=1)))


def test_keys_that_a_newer_side_adds_are_ignored():
    body = msgspec.msgpack.encode({"is": "wait", "after": 3, "kindly": True})
    assert wire.decode_request(body) == wire.Wait(after=3)


def test_no_bytes_raise_anything_else_than_the_error_of_the_wire():
    draw, refused = random.Random(20261201), 0
    for _ in range(3_000):
        body = draw.randbytes(draw.randint(0, 40))
        for decode in (wire.decode_request, wire.decode_reply):
            with suppress(wire.WireError):
                decode(body)
                refused -= 1
            refused += 1
    assert refused == 6_000
