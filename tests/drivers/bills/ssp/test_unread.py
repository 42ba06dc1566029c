"""What an unreadable poll reply makes the driver report, and how often."""

from drivers.bills.active_faults import QUIET_REPLIES, ActiveFaults
from drivers.bills.events import Trouble, TroubleBegan, TroubleEnded
from drivers.bills.ssp.codec import PollReport, read_events
from drivers.bills.ssp.unread import BLIND_REPLIES, Unread


def report(text: str) -> PollReport:
    return read_events(bytes.fromhex(text), 8)


def alarms(*texts: str) -> list[str]:
    unread, faults = Unread(), ActiveFaults()
    return [alarm for text in texts if (alarm := unread.apply(report(text), faults))]


def test_a_reply_that_can_be_read_is_no_alarm() -> None:
    assert alarms("E8", "EF 03", "C6 E8", "") == []


def test_an_unknown_code_is_one_alarm_with_its_bytes() -> None:
    assert alarms("BC", "", "BC E8", "BC 01", "", "BC") == ["unreadable part of a poll reply: BC"]


def test_each_unknown_code_is_a_separate_alarm() -> None:
    assert len(alarms("BC", "BB", "BC", "BB")) == 2


def test_a_known_code_cut_short_is_an_alarm_each_time_it_comes_anew() -> None:
    assert len(alarms("EE", "EE", "", "EE")) == 2


def test_blindness_stands_until_the_replies_can_be_read() -> None:
    unread, faults = Unread(), ActiveFaults()
    for _ in range(BLIND_REPLIES):
        assert not faults.edges()
        unread.apply(report("BC EF 03"), faults)
    detail = "replies cannot be read completely: BC EF 03"
    assert faults.edges() == [TroubleBegan(trouble=Trouble.HARDWARE, detail=detail)]
    for _ in range(QUIET_REPLIES):
        assert not faults.edges()
        unread.apply(report("E8"), faults)
    assert faults.edges() == [TroubleEnded(trouble=Trouble.HARDWARE)]


def test_an_unknown_byte_that_hides_no_note_is_no_blindness() -> None:
    unread, faults = Unread(), ActiveFaults()
    for _ in range(2 * BLIND_REPLIES):
        unread.apply(report("EB BC E8"), faults)
    assert not faults.edges()
