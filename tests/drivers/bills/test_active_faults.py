"""Lasting faults begin once and end once."""

import pytest

from drivers.bills.active_faults import QUIET_REPLIES, ActiveFaults
from drivers.bills.events import Trouble, TroubleBegan, TroubleEnded


@pytest.mark.requirement("BA-08")
def test_a_fault_begins_once_and_ends_once() -> None:
    faults = ActiveFaults()
    for _ in range(3):
        faults.begin(Trouble.JAM, "inside")
    assert Trouble.JAM in faults
    assert faults.edges() == [TroubleBegan(trouble=Trouble.JAM, detail="inside")]
    for _ in range(3):
        faults.end(Trouble.JAM)
    assert Trouble.JAM not in faults
    assert faults.edges() == [TroubleEnded(trouble=Trouble.JAM)]


def test_a_fault_with_two_causes_ends_with_the_last() -> None:
    faults = ActiveFaults()
    faults.begin(Trouble.HARDWARE, "", "path")
    faults.begin(Trouble.HARDWARE, "", "switch")
    faults.end(Trouble.HARDWARE, "path")
    assert [type(edge) for edge in faults.edges()] == [TroubleBegan]
    faults.end(Trouble.HARDWARE, "switch")
    assert faults.edges() == [TroubleEnded(trouble=Trouble.HARDWARE)]


def test_a_fault_ends_only_after_enough_replies_in_a_row_without_it() -> None:
    faults = ActiveFaults()
    faults.begin(Trouble.JAM)
    faults.edges()
    for _ in range(QUIET_REPLIES - 1):
        faults.not_shown(Trouble.JAM)
    faults.begin(Trouble.JAM)
    for _ in range(QUIET_REPLIES - 1):
        faults.not_shown(Trouble.JAM)
    assert faults.edges() == []
    faults.not_shown(Trouble.JAM)
    assert faults.edges() == [TroubleEnded(trouble=Trouble.JAM)]


@pytest.mark.requirement("BA-08")
def test_a_silent_unit_has_no_jam_until_it_shows_it_again() -> None:
    faults = ActiveFaults()
    faults.begin(Trouble.JAM, "inside")
    faults.edges()
    faults.fall_silent(Trouble.LINK, "no answer")
    faults.fall_silent(Trouble.LINK, "no answer")
    began = TroubleBegan(trouble=Trouble.LINK, detail="no answer")
    assert faults.edges() == [began, TroubleEnded(trouble=Trouble.JAM)]
    faults.answer_again()
    assert faults.edges() == []
    faults.begin(Trouble.JAM, "inside")
    assert faults.edges() == [TroubleBegan(trouble=Trouble.JAM, detail="inside")]


def test_a_fault_named_only_once_begins_again_after_a_silence_unless_it_has_ended() -> None:
    faults = ActiveFaults(named_once=(Trouble.CASHBOX_REMOVED,))
    out = TroubleBegan(trouble=Trouble.CASHBOX_REMOVED, detail="open")
    faults.begin(Trouble.CASHBOX_REMOVED, "open", "box")
    for _ in range(2):
        faults.fall_silent(Trouble.LINK)
    faults.answer_again()
    assert faults.edges()[-2:] == [TroubleEnded(trouble=Trouble.CASHBOX_REMOVED), out]
    faults.fall_silent(Trouble.LINK)
    faults.end(Trouble.CASHBOX_REMOVED, "box")
    faults.edges()
    faults.answer_again()
    assert faults.edges() == []


def test_what_is_not_there_does_not_end() -> None:
    faults = ActiveFaults()
    faults.end(Trouble.JAM)
    faults.not_shown(Trouble.JAM)
    assert faults.edges() == []
