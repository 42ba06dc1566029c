"""ccTalk as text: every `cctalk_*.txt` here is played to the protocol, whole and cut into small pieces.

A file is written by hand, or corrected from the diff that a failure shows.
"""

from pathlib import Path

import pytest
from support.bill_orders import read_order
from support.conversation import read_conversation, replay

from drivers.bills.cctalk.host import CcTalkProtocol

FILES = sorted(Path(__file__).parent.glob("cctalk_*.txt"))


def test_there_are_conversations() -> None:
    assert len(FILES) >= 5


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_as_written(path: Path) -> None:
    lines = read_conversation(path)
    assert replay(CcTalkProtocol(currency="USD"), lines, read_order) == lines


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_the_same_however_its_bytes_are_cut(path: Path, cut: int) -> None:
    lines = read_conversation(path)
    assert replay(CcTalkProtocol(currency="USD"), lines, read_order, cut=cut) == lines
