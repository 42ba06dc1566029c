"""Lasting faults begin once and end once."""

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


@pytest.mark.requirement("BA-08")
def test_a_silent_unit_has_no_jam_until_it_shows_it_again() -> None:
    levels = ActiveFaults()
    levels.begin(Trouble.JAM, "inside")
    levels.edges()
    levels.fall_silent(Trouble.LINK, "no answer")
    levels.fall_silent(Trouble.LINK, "no answer")
    began = TroubleBegan(trouble=Trouble.LINK, detail="no answer")
    assert levels.edges() == [began, TroubleEnded(trouble=Trouble.JAM)]
    levels.answer_again()
    assert levels.edges() == []
    levels.begin(Trouble.JAM, "inside")
    assert levels.edges() == [TroubleBegan(trouble=Trouble.JAM, detail="inside")]


def test_what_a_unit_names_only_once_begins_again_when_it_answers_unless_it_ended_meanwhile() -> None:
    levels = ActiveFaults(named_once=(Trouble.CASHBOX_REMOVED,))
    out = TroubleBegan(trouble=Trouble.CASHBOX_REMOVED, detail="open")
    levels.begin(Trouble.CASHBOX_REMOVED, "open", "box")
    for _ in range(2):
        levels.fall_silent(Trouble.LINK)
    levels.answer_again()
    assert levels.edges()[-2:] == [TroubleEnded(trouble=Trouble.CASHBOX_REMOVED), out]
    levels.fall_silent(Trouble.LINK)
    levels.end(Trouble.CASHBOX_REMOVED, "box")
    levels.edges()
    levels.answer_again()
    assert levels.edges() == []


def test_what_is_not_there_does_not_end() -> None:
    levels = ActiveFaults()
    levels.end(Trouble.JAM)
    levels.not_shown(Trouble.JAM)
    assert levels.edges() == []
