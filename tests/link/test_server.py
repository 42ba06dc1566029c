"""The cabinet's side of the socket: answers, limits, and what no reader can do to it."""

import logging
import random
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.live import wait_for

from cabinet.link import wire
from cabinet.link.client import Client, EndedError, LinkError, connected
from cabinet.link.place import BESIDE, short
from cabinet.link.server import READERS, Server

PATIENCE_S = 60.0


@dataclass(slots=True)
class Owner:
    """The thread of the money, in a test's hands: it keeps the questions until the test answers them."""

    asked: list[tuple[wire.Question, Callable[[wire.Reply], None]]] = field(default_factory=list)
    made: list[tuple[wire.Figures, Any]] = field(default_factory=list)

    def ask(self, question: wire.Question, reply: Callable[[wire.Reply], None]) -> None:
        """Keeps a question."""
        self.asked.append((question, reply))

    def figures(self, request: wire.Figures, published: Any) -> Mapping[str, Any]:
        """Makes figures of what was published."""
        self.made.append((request, published))
        return {"of": type(request).__name__, "published": published, "thread": threading.current_thread().name}

    def answer_next(self, seq: int) -> wire.Question:
        """Waits for a question and answers it."""
        assert wait_for(lambda: self.asked, PATIENCE_S)
        question, reply = self.asked.pop(0)
        reply(wire.Answer(seq=seq, data=[{"number": 1}]))
        return question


@dataclass(slots=True, kw_only=True)
class Service:
    """A server that runs, with the books' folder it belongs to."""

    server: Server
    owner: Owner
    data: Path

    def dial(self) -> socket.socket:
        """A raw connection."""
        near = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with short(self.data / BESIDE) as name:
            near.connect(name)
        near.settimeout(PATIENCE_S)
        return near


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service after row 5."""
    owner = Owner()
    server = Server(tmp_path / BESIDE, figures=owner.figures, ask=owner.ask, program="9.9")
    server.publish(5, "five")
    server.start()
    yield Service(server=server, owner=owner, data=tmp_path)
    server.stop()


@contextmanager
def client(service: Service) -> Iterator[Client]:
    """A connected client."""
    with connected(service.data, service.data / "none") as found:
        assert found is not None
        yield found


def hang_up(near: socket.socket) -> bytes:
    """What the service still says before it ends the connection."""
    said = b""
    with suppress(ConnectionResetError):
        while got := near.recv(65_536):
            said += got
    return said


def test_figures_are_made_on_the_services_own_thread_from_the_newest_row(service: Service):
    with client(service) as reader:
        assert reader.figures(wire.Meters()) == {"of": "Meters", "published": "five", "thread": "link"}
        service.server.publish(6, "six")
        assert reader.figures(wire.Meters())["published"] == "six"
        assert (reader.seq, reader.program) == (6, "9.9")


def test_meters_are_made_once_for_a_row_whatever_the_number_of_readers(service: Service):
    with ExitStack() as open_:
        readers = [open_.enter_context(client(service)) for _ in range(10)]
        for reader in readers * 3:
            reader.figures(wire.Meters())
    assert len(service.owner.made) == 1


def test_publishing_makes_nothing(service: Service):
    for number in range(6, 60):
        service.server.publish(number, "newer")
    with client(service) as reader:
        reader.figures(wire.Status())
    assert len(service.owner.made) == 1


def test_a_question_is_put_to_the_owner_once_for_all_who_ask_it_of_a_row(service: Service):
    found: list[Any] = []

    def ask() -> None:
        with client(service) as reader:
            found.append(reader.pages(wire.Events(), 1, "number"))

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    while len(found) < 4:
        if service.owner.asked:
            service.owner.answer_next(5)
        wait_for(lambda: service.owner.asked or len(found) == 4, 0.05)
    for thread in asking:
        thread.join(PATIENCE_S)
    assert found == [[{"number": 1}]] * 4
    with client(service) as reader:
        assert reader.pages(wire.Events(), 1, "number") == [{"number": 1}]
    assert service.owner.asked == []


def test_an_answer_of_an_older_row_is_not_kept(service: Service):
    with client(service) as reader, client(service) as other:
        first = threading.Thread(target=lambda: reader.pages(wire.Tickets(), 1, "number"))
        first.start()
        assert wait_for(lambda: service.owner.asked, PATIENCE_S)
        service.server.publish(6, "six")
        service.owner.answer_next(5)
        first.join(PATIENCE_S)
        second = threading.Thread(target=lambda: other.pages(wire.Tickets(), 1, "number"))
        second.start()
        assert service.owner.answer_next(6) == wire.Tickets(limit=1)
        second.join(PATIENCE_S)


def test_a_reader_that_waits_has_the_next_row_when_it_is_published(service: Service):
    got: list[int] = []
    with client(service) as reader:
        waiting = threading.Thread(target=lambda: got.append(reader.wait(5)))
        waiting.start()
        waiting.join(0.1)
        assert got == []
        service.server.publish(6, "six")
        waiting.join(PATIENCE_S)
        assert got == [6]
        assert reader.wait(5) == 6


def test_a_reader_sees_the_end_of_the_cabinet(service: Service):
    with client(service) as reader:
        service.server.stop()
        with pytest.raises(EndedError, match="has ended"):
            reader.figures(wire.Status())
    assert not (service.data / BESIDE).exists()


def test_the_socket_of_the_next_cabinet_is_left_alone(service: Service):
    (service.data / BESIDE).unlink()
    (service.data / BESIDE).touch()
    service.server.stop()
    assert (service.data / BESIDE).exists()


def test_a_socket_that_was_removed_refuses_a_late_reader_and_keeps_the_others(
    service: Service, caplog: pytest.LogCaptureFixture
):
    with client(service) as reader:
        (service.data / "late.sock").hardlink_to(service.data / BESIDE)
        (service.data / BESIDE).unlink()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as late, short(service.data / "late.sock") as name:
            late.connect(name)
            late.settimeout(PATIENCE_S)
            assert b"restart the cabinet" in hang_up(late)
        assert reader.figures(wire.Meters())["published"] == "five"
    assert "failed" not in caplog.text


def test_one_reason_of_many_refusals_is_logged_once(service: Service, caplog: pytest.LogCaptureFixture):
    with ExitStack() as open_:
        for _ in range(READERS):
            open_.enter_context(client(service))
        for _ in range(50):
            with service.dial() as near:
                assert b"connected already" in hang_up(near)
    assert caplog.text.count("a reader was refused") == 1


def test_another_version_is_refused_with_the_version_that_is_expected(service: Service):
    with service.dial() as near:
        near.sendall(wire.encode(wire.Hello(version=2)))
        assert b"the version of the wire is 2, expected 1" in hang_up(near)


def test_a_reader_greets_first(service: Service):
    with service.dial() as near:
        near.sendall(wire.encode(wire.Meters()))
        assert b"the first message is meters, expected hello" in hang_up(near)
    assert service.owner.made == []


def test_one_reader_too_many_is_refused_and_the_others_stay(service: Service):
    with ExitStack() as open_:
        readers = [open_.enter_context(client(service)) for _ in range(READERS)]
        with pytest.raises(LinkError, match="readers are connected already"), client(service):
            pass
        assert all(reader.figures(wire.Meters())["published"] == "five" for reader in readers)


def test_more_open_questions_than_readers_are_refused(service: Service):
    with ExitStack() as open_:
        for number in range(READERS):
            with service.dial() as near:
                near.sendall(wire.encode(wire.Hello(version=1)) + wire.encode(wire.Events(before=number + 1)))
                assert wait_for(lambda wanted=number + 1: len(service.owner.asked) == wanted, PATIENCE_S)
        near = open_.enter_context(service.dial())
        near.sendall(wire.encode(wire.Hello(version=1)) + wire.encode(wire.Events(before=99)))
        assert b"questions wait already" in hang_up(near)
    assert len(service.owner.asked) == READERS


def test_a_reader_that_takes_no_answer_delays_no_other(service: Service):
    """It asks and asks, and reads nothing; what is held for it stays bounded, and others are answered meanwhile."""
    with service.dial() as stuck, client(service) as reader:
        stuck.setblocking(False)
        with suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            stuck.send(wire.encode(wire.Hello(version=1)))
            for _ in range(100_000):
                stuck.send(wire.encode(wire.Meters()))
        for number in range(6, 40):
            service.server.publish(number, f"{number}")
            assert reader.figures(wire.Meters())["published"] == f"{number}"


def test_a_million_random_bytes_change_nothing_and_stop_nothing(service: Service):
    draw, sent = random.Random(14), 0
    huge, zero, hello = (2**31).to_bytes(4, "big"), bytes(4), wire.encode(wire.Hello(version=1))
    while sent < 1_000_000:
        with service.dial() as near:
            begin = draw.choice((b"", huge, zero, hello, hello[:7], hello + (9).to_bytes(4, "big")))
            junk = begin + draw.randbytes(draw.randint(1, 20_000))
            with suppress(BrokenPipeError, ConnectionResetError):
                near.sendall(junk)
            sent += len(junk)
    assert service.owner.asked == []
    assert service.owner.made == []
    with client(service) as reader:
        assert reader.figures(wire.Status())["published"] == "five"


def test_a_failure_of_the_figures_ends_only_the_service(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    def fail(_request: wire.Figures, _published: Any) -> Mapping[str, Any]:
        raise RuntimeError("a mistake of ours")

    server = Server(tmp_path / BESIDE, figures=fail, ask=Owner().ask, program="9.9")
    server.start()
    try:
        with connected(tmp_path, tmp_path / "none") as reader, caplog.at_level(logging.CRITICAL):
            assert reader is not None
            with pytest.raises(LinkError):
                reader.figures(wire.Meters())
            assert wait_for(lambda: "the cabinet runs on: a mistake of ours" in caplog.text, PATIENCE_S)
        server.publish(1, None)
    finally:
        server.stop()
