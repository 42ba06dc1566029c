"""One connection: what is held for a reader is bounded, and a reader that does not move is dropped."""

import socket
from collections.abc import Iterator

import pytest

from cabinet.link import wire
from cabinet.link.reader import HELD_BYTES, IDLE_S, STUCK_S, DroppedError, Reader

ASKED = wire.encode(wire.Status())


@pytest.fixture
def pair() -> Iterator[tuple[Reader, socket.socket]]:
    """A greeted reader and its far end."""
    near, far = socket.socketpair()
    with near, far:
        near.setblocking(False)
        yield Reader(near, due_s=STUCK_S, greeted=True), far


def test_a_request_is_read_when_it_is_complete(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.sendall(ASKED[:5])
    reader.receive(1.0)
    assert reader.next_request(1.0) is None
    far.sendall(ASKED[5:])
    reader.receive(2.0)
    assert reader.next_request(2.0) == wire.Status()


def test_the_next_request_waits_for_the_answer_to_the_one_before(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.sendall(ASKED * 2)
    reader.receive(1.0)
    assert reader.next_request(1.0) == wire.Status()
    assert reader.next_request(1.0) is None
    reader.answer(b"\0\0\0\1\xc0", 1.0)
    assert reader.next_request(1.0) == wire.Status()
    assert far.recv(99) == b"\0\0\0\1\xc0"


def test_a_begun_message_has_its_time_from_its_first_byte(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.sendall(ASKED[:1])
    reader.receive(10.0)
    far.sendall(ASKED[1:2])
    reader.receive(10.0 + STUCK_S - 1)
    assert not reader.is_stuck(10.0 + STUCK_S - 0.1)
    assert reader.is_stuck(10.0 + STUCK_S)


def test_a_reader_without_a_request_has_longer(pair: tuple[Reader, socket.socket]):
    reader, _ = pair
    assert reader.next_request(10.0) is None
    assert not reader.is_stuck(10.0 + IDLE_S - 0.1)
    assert reader.is_stuck(10.0 + IDLE_S)


def test_a_reader_that_does_not_greet_is_stuck(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    reader.greeted = False
    far.sendall(ASKED[:2])
    reader.receive(4.0)
    assert reader.next_request(4.0) is None
    assert reader.is_stuck(STUCK_S)


def test_a_reader_that_waits_for_the_cabinet_is_never_stuck(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.sendall(ASKED)
    reader.receive(1.0)
    reader.next_request(1.0)
    assert not reader.is_stuck(10_000.0)


def test_a_reader_that_takes_nothing_is_stuck_and_one_that_takes_some_is_not(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    reader.answer(bytes(wire.ANSWER_BYTES), 10.0)
    assert len(reader.unsent) > 0
    assert reader.is_stuck(10.0 + STUCK_S)
    left = len(reader.unsent)
    assert len(far.recv(1_000_000)) > 0
    reader.send(12.0)
    assert len(reader.unsent) < left
    assert not reader.is_stuck(10.0 + STUCK_S)


def test_a_reader_that_sends_ahead_of_its_answers_is_dropped(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.sendall(ASKED * (HELD_BYTES // len(ASKED) + 2))
    reader.receive(1.0)
    with pytest.raises(DroppedError, match="without waiting"):
        reader.receive(1.0)
    assert len(reader.received) <= 2 * HELD_BYTES


def test_a_reader_that_has_gone_is_dropped_without_words(pair: tuple[Reader, socket.socket]):
    reader, far = pair
    far.close()
    with pytest.raises(DroppedError, match=r"^$"):
        reader.receive(1.0)
