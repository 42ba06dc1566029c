"""EBDS as text: every `ebds_*.txt` and `pyramid_*.txt` here is played to the protocol, whole and cut into small pieces.

A file is written by hand, or corrected from the diff that a failure shows.
"""

from pathlib import Path

import pytest
from support.bill_orders import read_order
from support.conversation import read_conversation, replay

from drivers.bills.ebds.codec import NOTE_TABLES
from drivers.bills.ebds.host import EbdsProtocol

FOLDER = Path(__file__).parent
FILES = sorted([*FOLDER.glob("ebds_*.txt"), *FOLDER.glob("pyramid_*.txt")])


def make_protocol(path: Path) -> EbdsProtocol:
    values_cents = NOTE_TABLES["USD"] if path.stem.startswith("pyramid") else None
    return EbdsProtocol(currency="USD", values_cents=values_cents)


def test_there_are_conversations() -> None:
    assert len(FILES) >= 5


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_as_written(path: Path) -> None:
    lines = read_conversation(path)
    assert replay(make_protocol(path), lines, read_order) == lines


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_conversation_goes_the_same_however_its_bytes_are_cut(path: Path, cut: int) -> None:
    lines = read_conversation(path)
    assert replay(make_protocol(path), lines, read_order, cut=cut) == lines
