"""Written-down conversations: bytes out, bytes in, events, in this order and no others."""

from pathlib import Path

import pytest

from drivers.printers.document import Document, Print, Text
from drivers.printers.escpos import EscPosProtocol
from drivers.printers.paper import MM_80

SCRIPTS = sorted((Path(__file__).parents[2] / "wire").glob("escpos*.txt"))


class Script:
    """Plays one conversation; what comes out must be what is written next."""

    def __init__(self) -> None:
        self.protocol = EscPosProtocol(paper=MM_80)
        self.now = 0.0
        self.out = b""
        self.events: list[str] = []

    def play(self, line: str) -> None:
        sign, _, rest = line.partition(" ")
        if sign in {"open", "close", "print", "+", "<"}:
            self.act(sign, rest)
        elif sign == ">":
            expected = bytes.fromhex(rest)
            assert self.out[: len(expected)].hex(" ") == expected.hex(" "), line
            self.out = self.out[len(expected) :]
        else:
            assert sign == "=", f"not a line of a conversation: {line!r}"
            assert (self.events or ["nothing happened"])[0] == rest
            del self.events[0]

    def act(self, sign: str, rest: str) -> None:
        if sign == "open":
            self.protocol.opened(self.now)
        elif sign == "close":
            self.protocol.closed(self.now)
        elif sign == "print":
            job, _, text = rest.partition(" ")
            self.protocol.order(Print(job=int(job), document=Document(elements=(Text(text=text),))), self.now)
        elif sign == "+":
            self.now += float(rest)
        else:
            assert self.out == b"", f"sent and not written down before {rest!r}: {self.out.hex(' ')}"
            self.protocol.receive(bytes.fromhex(rest), self.now)
        self.protocol.tick(self.now)
        self.out += self.protocol.bytes_to_send()
        self.events += [repr(event) for event in self.protocol.events()]


def read_lines(path: Path) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def cut_everywhere(lines: list[str]) -> list[str]:
    """The same conversation with every incoming byte alone."""
    cut: list[str] = []
    for line in lines:
        cut += [f"< {byte}" for byte in line[2:].split()] if line.startswith("<") else [line]
    return cut


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut at every byte"])
def test_the_conversation_goes_as_written(path: Path, cut: bool) -> None:
    script = Script()
    lines = read_lines(path)
    for line in cut_everywhere(lines) if cut else lines:
        script.play(line)
    assert (script.out, script.events) == (b"", [])


def test_there_are_conversations() -> None:
    assert {path.stem for path in SCRIPTS} >= {"escpos_start_up", "escpos_print", "escpos_unknown"}
