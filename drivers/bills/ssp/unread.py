"""Unreadable parts of SSP poll replies: when they are an alarm, and when the unit must not accept notes.

Rules:
- An unknown byte is an alarm once per run of the program: a repeated one must not lock the machine again after an
  attendant has cleared it. Another unreadable part is an alarm once for the same bytes in a row.
- A unit must not accept notes after several replies in a row whose unreadable part may concern a note. That is a
  fault until its replies can be read again.

Knows no note and no time.
"""

from drivers.bills.active_faults import ActiveFaults
from drivers.bills.events import Trouble
from drivers.bills.ssp.codec import PollReport

BLIND_REPLIES = 3
_CAUSE = "replies that cannot be read"


class Unread:
    """The unreadable bytes of one acceptor; kept across a closed line."""

    def __init__(self) -> None:
        self._last = b""
        self._alarmed: set[int] = set()
        self._blind_replies = 0

    def apply(self, report: PollReport, faults: ActiveFaults) -> str:
        """Applies one reply. Returns the text of the alarm; empty without a new one."""
        self._watch(report, faults)
        is_new = report.lost != self._last and report.unknown_code not in self._alarmed
        if report.unknown_code is not None:
            self._alarmed.add(report.unknown_code)
        self._last = report.lost
        return f"unreadable part of a poll reply: {_spell(report)}" if report.lost and is_new else ""

    def _watch(self, report: PollReport, faults: ActiveFaults) -> None:
        self._blind_replies = self._blind_replies + 1 if report.hides_note else 0
        if self._blind_replies >= BLIND_REPLIES:
            faults.begin(Trouble.HARDWARE, f"replies cannot be read completely: {_spell(report)}", _CAUSE)
        elif not report.hides_note:
            faults.not_shown(Trouble.HARDWARE, _CAUSE)


def _spell(report: PollReport) -> str:
    return report.lost.hex(" ").upper()
