"""The page about the socket is enough to write a reader: its examples are bytes, its tables the kinds and limits."""

import hashlib
import json
import re
from pathlib import Path
from typing import get_args

import msgspec
from support.cases import case

from cabinet.link import wire
from cabinet.link.place import BESIDE, COMMON, places
from cabinet.link.reader import IDLE_S, STUCK_S
from cabinet.link.server import READERS
from cabinet.runtime.questions import LONGEST_WAIT_S

PAGE = (Path(__file__).parents[2] / "docs" / "status.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())


def _examples() -> list[tuple[bytes, object]]:
    """The bytes and the content of each example."""
    found = []
    for block in re.findall(r"^```wire\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for part in block.strip().split("\n\n"):
            *digits, content = part.splitlines()
            found.append((bytes.fromhex("".join(digits)), json.loads(content)))
    return found


def test_the_bytes_of_each_example_are_its_content():
    examples = _examples()
    assert len(examples) > 10
    for data, content in examples:
        with case(content=content):
            assert int.from_bytes(data[:4], "big") == len(data) - 4
            assert msgspec.msgpack.decode(data[4:]) == content


def test_each_example_is_a_message_of_this_program():
    for data, content in _examples():
        with case(content=content):
            messages = []
            for decode in (wire.decode_request, wire.decode_reply):
                try:
                    messages.append(decode(data[4:]))
                except wire.WireError:
                    continue
            assert [wire.encode(message) for message in messages] == [data] * len(messages) != []


def test_every_kind_is_in_a_table_and_in_an_example():
    kinds = {kind.__struct_config__.tag for union in (wire.Request, wire.Reply) for kind in get_args(union)}
    assert set(re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE)) == kinds
    shown = {content["is"] for _, content in _examples() if isinstance(content, dict)}
    assert kinds - shown <= {"meters", "events", "tickets"}


def test_the_limits_are_those_of_the_program():
    assert f"drops one that needs more than {STUCK_S:.0f} seconds" in FLAT
    assert f"asks for nothing in {IDLE_S / 60:.0f} minutes" in FLAT
    assert f"{READERS} readers at most. A request is {wire.REQUEST_BYTES} bytes at most" in FLAT
    assert f"an answer {wire.ANSWER_BYTES // 2**20} MiB" in FLAT
    assert LONGEST_WAIT_S == 0.25
    assert f"`limit`: 1 to {wire.ROWS_AT_MOST}" in FLAT
    assert f"`limit`: 1 to {wire.GAMES_AT_MOST}" in FLAT


def test_a_reader_finds_the_socket_by_the_page(tmp_path: Path):
    shared, beside = places(tmp_path)
    assert f"`{COMMON}/`" in FLAT
    assert shared.name == f"{hashlib.sha256(str(tmp_path.resolve()).encode()).hexdigest()[:16]}.sock"
    assert f"`{BESIDE}` in the data folder" in FLAT
    assert beside.name == BESIDE
