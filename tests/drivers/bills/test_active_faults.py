"""Faults that last begin once and end once."""

import pytest

from drivers.bills.active_faults import QUIET_REPLIES, ActiveFaults
from drivers.bills.events import Trouble, TroubleBegan, TroubleEnded


@pytest.mark.requirement("BA-08")
def test_a_fault_begins_once_and_ends_once() -> None:
    levels = ActiveFaults()
    for _ in range(3):
        levels.begin(Trouble.JAM, "inside")
    assert Trouble.JAM in levels
    assert levels.edges() == [TroubleBegan(trouble=Trouble.JAM, detail="inside")]
    for _ in range(3):
        levels.end(Trouble.JAM)
    assert Trouble.JAM not in levels
    assert levels.edges() == [TroubleEnded(trouble=Trouble.JAM)]


def test_a_fault_with_two_causes_ends_with_the_last() -> None:
    levels = ActiveFaults()
    levels.begin(Trouble.HARDWARE, "", "path")
    levels.begin(Trouble.HARDWARE, "", "switch")
    levels.end(Trouble.HARDWARE, "path")
    assert [type(edge) for edge in levels.edges()] == [TroubleBegan]
    levels.end(Trouble.HARDWARE, "switch")
    assert levels.edges() == [TroubleEnded(trouble=Trouble.HARDWARE)]


def test_a_fault_ends_only_after_enough_replies_in_a_row_without_it() -> None:
    levels = ActiveFaults()
    levels.begin(Trouble.JAM)
    levels.edges()
    for _ in range(QUIET_REPLIES - 1):
        levels.not_shown(Trouble.JAM)
    levels.begin(Trouble.JAM)
    for _ in range(QUIET_REPLIES - 1):
        levels.not_shown(Trouble.JAM)
    assert levels.edges() == []
    levels.not_shown(Trouble.JAM)
    assert levels.edges() == [TroubleEnded(trouble=Trouble.JAM)]


def test_what_is_not_there_does_not_end() -> None:
    levels = ActiveFaults()
    levels.end(Trouble.JAM)
    levels.not_shown(Trouble.JAM)
    assert levels.edges() == []
