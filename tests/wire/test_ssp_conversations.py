"""SSP as text: every `ssp_*.txt` here is played to the protocol, whole and cut into small pieces.

A file is written by hand, or corrected from the diff that a failure shows. The host of `ssp_sealed_*` can encrypt; its
secret number and its packing are those of `support.ssp_bench`.
"""

from pathlib import Path

import pytest
from support.conversation import read_conversation, replay
from support.ssp_bench import sealed_host

from drivers.bills.events import BillOrder, Return, Stack, Take
from drivers.bills.ssp.host import SspProtocol
from drivers.protocol import Confirm

FILES = sorted(Path(__file__).parent.glob("ssp_*.txt"))


def read_order(line: str) -> BillOrder:
    name, _, rest = line.partition(" ")
    match name:
        case "Stack":
            return Stack()
        case "Return":
            return Return()
        case "Take":
            words = rest.split()
            channels = frozenset(int(word) for word in words if word != "tickets")
            return Take(channels=channels, tickets="tickets" in words)
        case "Confirm":
            return Confirm(receipt=int(rest))
        case _:
            raise ValueError(f"no order is called {line!r}")


def host_of(path: Path) -> SspProtocol:
    return sealed_host() if "sealed" in path.stem else SspProtocol()


def test_there_are_conversations() -> None:
    assert len(FILES) >= 5


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_as_written(path: Path) -> None:
    lines = read_conversation(path)
    assert replay(host_of(path), lines, read_order) == lines


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_the_same_however_its_bytes_are_cut(path: Path, cut: int) -> None:
    lines = read_conversation(path)
    assert replay(host_of(path), lines, read_order, cut=cut) == lines
