"""ICT as text: every `ict_*.txt` here is played to the protocol, whole and cut into small pieces.

A file is written by hand, or corrected from the diff that a failure shows.
"""

from pathlib import Path

import pytest
from support.bill_orders import read_order
from support.conversation import read_conversation, replay
from support.notes import CHANNELS

from drivers.bills.ict.host import IctProtocol

FILES = sorted(Path(__file__).parent.glob("ict_*.txt"))


def test_there_are_conversations() -> None:
    assert len(FILES) >= 4


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_as_written(path: Path) -> None:
    lines = read_conversation(path)
    assert replay(IctProtocol(CHANNELS), lines, read_order) == lines


@pytest.mark.parametrize("cut", [1, 2])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_the_same_however_its_bytes_are_cut(path: Path, cut: int) -> None:
    lines = read_conversation(path)
    assert replay(IctProtocol(CHANNELS), lines, read_order, cut=cut) == lines
