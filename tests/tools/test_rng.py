"""The cabinet's random bytes, raw."""

import os
import subprocess
from io import BytesIO
from typing import Any

import pytest
from support.commands import PROGRAM, call

from cabinet.runtime.shoe import SYSTEM, ChanceError
from cabinet.tools.rng import BLOCK, write_bytes


def test_the_number_of_bytes_is_written():
    for count in (1, BLOCK, BLOCK + 1, 3 * BLOCK - 1):
        out = BytesIO()
        assert write_bytes(out, count) == count
        assert len(out.getvalue()) == count


def test_the_bytes_are_those_the_source_gives():
    given: list[bytes] = []

    def source(count: int) -> bytes:
        given.append(os.urandom(count))
        return given[-1]

    out = BytesIO()
    write_bytes(out, BLOCK + 5, source)
    assert out.getvalue() == b"".join(given[-2:])


@pytest.mark.requirement("RN-06")
def test_the_source_is_the_one_the_cards_come_from():
    assert write_bytes.__defaults__ == (SYSTEM,)
    first, second = call("rng", "--bytes", "64").stdout_bytes, call("rng", "--bytes", "64").stdout_bytes
    assert len(first) == len(second) == 64
    assert first != second


def test_a_source_that_does_not_work_gives_nothing():
    out = BytesIO()
    with pytest.raises(ChanceError):
        write_bytes(out, 10, bytes)
    assert out.getvalue() == b""


class Full(BytesIO):
    """Takes a few bytes and hangs up."""

    def write(self, block: Any) -> int:
        if self.tell():  # plain: ok
            raise BrokenPipeError
        return super().write(bytes(block)[:100])


@pytest.mark.parametrize("count", [None, 1_000])
def test_a_reader_that_has_had_enough_is_the_end(count: int | None):
    assert write_bytes(Full(), count) == 100


def test_a_pipe_that_is_closed_ends_the_stream_without_a_word():
    with subprocess.Popen([*PROGRAM, "rng"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.read(1_000)) == 1_000
        process.stdout.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
