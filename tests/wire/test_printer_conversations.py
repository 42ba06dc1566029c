"""Written-down conversations with printers: bytes out, bytes in, events, in this order and no others.

> 10 04 01 / > "^Se|^"    the protocol sends these bytes, as numbers or as letters
< 12 / < "*S|..."         these bytes come in
= Printed job=7           the protocol reports this (defaults left out)
print 7 words / ticket 7  the cabinet orders a page of a line, or the sample ticket
+ 1.0                     this many seconds pass
open / close              the line
"""

from pathlib import Path

import pytest
from support.conversation import describe_event
from support.printer_bench import VOUCHER

from drivers.printers.catalog import PrinterProtocol, PrinterSettings, find_language
from drivers.printers.document import Document, Print, Text
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.paper import MM_80

SCRIPTS = sorted(path for name in ("escpos", "tcl") for path in Path(__file__).parent.glob(f"{name}_*.txt"))


class Script:
    """Plays one conversation; what comes out must be what is written next."""

    def __init__(self, language: str) -> None:
        self.protocol: PrinterProtocol = find_language(language).build(
            PrinterSettings(style=PageStyle(paper=MM_80), baud=19200)
        )
        self.now = 0.0
        self.out = b""
        self.events: list[str] = []

    def play(self, line: str) -> None:
        sign, _, rest = line.partition(" ")
        if sign == ">":
            expected = read_bytes(rest)
            assert self.out[: len(expected)] == expected, line
            self.out = self.out[len(expected) :]
        elif sign == "=":
            assert (self.events or ["nothing happened"])[0] == rest
            del self.events[0]
        else:
            self.act(sign, rest)

    def act(self, sign: str, rest: str) -> None:
        match sign:
            case "open":
                self.protocol.opened(self.now)
            case "close":
                self.protocol.closed(self.now)
            case "print":
                job, _, text = rest.partition(" ")
                self.protocol.order(Print(job=int(job), document=Document(elements=(Text(text=text),))), self.now)
            case "ticket":
                self.protocol.order(Print(job=int(rest), document=Document(elements=(), voucher=VOUCHER)), self.now)
            case "+":
                self.now += float(rest)
            case "<":
                assert self.out == b"", f"sent and not written down before {rest!r}: {self.out!r}"
                self.protocol.receive(read_bytes(rest), self.now)
            case _:
                raise AssertionError(f"not a line of a conversation: {sign} {rest}")
        self.protocol.tick(self.now)
        self.out += self.protocol.bytes_to_send()
        self.events += [describe_event(event) for event in self.protocol.events()]


def read_bytes(text: str) -> bytes:
    return text.strip('"').encode("ascii") if text.startswith('"') else bytes.fromhex(text)


def read_lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def cut_everywhere(lines: list[str]) -> list[str]:
    """The same conversation with every incoming byte alone."""
    cut: list[str] = []
    for line in lines:
        cut += [f"< {byte:02X}" for byte in read_bytes(line[2:])] if line.startswith("<") else [line]
    return cut


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut at every byte"])
def test_the_conversation_goes_as_written(path: Path, cut: bool) -> None:
    script = Script(path.stem.partition("_")[0])
    lines = read_lines(path)
    for line in cut_everywhere(lines) if cut else lines:
        script.play(line)
    assert (script.out, script.events) == (b"", [])


def test_there_are_conversations() -> None:
    wanted = {"escpos_start_up", "escpos_print", "escpos_unknown", "tcl_start_up", "tcl_print", "tcl_unknown"}
    assert {path.stem for path in SCRIPTS} >= wanted
