"""The side of the commands: how a cabinet is found, and what it may answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cabinet.link import wire
from cabinet.link.client import EndedError, LinkError, connected
from cabinet.link.place import BESIDE, listen, places


@contextmanager
def scripted(path: Path, *answers: bytes) -> Iterator[list[bytes]]:
    """A cabinet that answers one message after the other with these bytes, then hangs up."""
    heard: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        listening.setblocking(True)
        far, _ = listening.accept()
        with far:
            for answer in answers:
                heard.append(far.recv(4096))
                far.sendall(answer)

    with listen(path) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        yield heard
        thread.join(60)


HELLO = wire.encode(wire.Hello(version=1, program="0.1.0"))


def test_without_a_cabinet_there_is_no_client(tmp_path: Path):
    with connected(tmp_path, tmp_path / "none") as client:
        assert client is None
    with connected(tmp_path / "missing", tmp_path / "none") as client:
        assert client is None


def test_a_socket_that_a_killed_cabinet_left_is_no_cabinet(tmp_path: Path):
    listen(tmp_path / BESIDE).close()
    with connected(tmp_path, tmp_path / "none") as client:
        assert client is None


def test_a_cabinet_is_found_in_the_common_folder_and_beside_its_books(tmp_path: Path):
    common = tmp_path / "common"
    common.mkdir()
    for path in places(tmp_path, common):
        with scripted(path, HELLO), connected(tmp_path, common) as client:
            assert client is not None
            assert client.program == "0.1.0"
        path.unlink()


def test_more_rows_than_one_answer_holds_are_asked_for_in_parts(tmp_path: Path):
    parts = [[{"number": n} for n in range(first, first - 200, -1)] for first in (500, 300)]
    last = [{"number": n} for n in range(100, 95, -1)]
    answers = [wire.encode(wire.Answer(seq=9, data=rows)) for rows in (*parts, last)]
    with scripted(tmp_path / BESIDE, HELLO, *answers) as heard, connected(tmp_path, tmp_path / "none") as client:
        assert client is not None
        rows = client.pages(wire.Events(), 450, "number")
    assert [row["number"] for row in rows] == [*range(500, 100, -1), *range(100, 95, -1)]
    asked = [wire.decode_request(each[wire.HEADER :]) for each in heard[1:]]
    assert asked == [wire.Events(limit=200), wire.Events(before=301, limit=200), wire.Events(before=101, limit=50)]


def test_an_answer_that_is_none_says_what_to_do(tmp_path: Path):
    answers = {
        b"\0\0\0\1\xc1": "use the program of the running cabinet",
        wire.encode(wire.Newest(seq=1)): "another answer than asked",
        wire.encode(wire.Answer(seq=1, data=[])): "something else than figures",
        wire.encode(wire.Refused(why="32 readers")): "32 readers",
    }
    for number, (answer, words) in enumerate(answers.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        with scripted(folder / BESIDE, HELLO, answer), connected(folder, tmp_path / "none") as client:
            assert client is not None
            with pytest.raises(LinkError, match=words):
                client.figures(wire.Meters())


def test_a_cabinet_that_ends_is_an_error_of_its_own(tmp_path: Path):
    with scripted(tmp_path / BESIDE, HELLO), connected(tmp_path, tmp_path / "none") as client:
        assert client is not None
        with pytest.raises(EndedError):
            client.figures(wire.Meters())
