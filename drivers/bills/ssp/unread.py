"""Parts of SSP poll replies that cannot be read: when they are an alarm, and when the unit must not take notes.

Rules:
- A byte that no table knows is an alarm once, and not again while this memory lasts: one that keeps coming must not
  lock a machine again that an attendant has cleared. Another unreadable part is an alarm once for the same bytes in a
  row.
- A unit of which several replies in a row cannot be read where they may be about a note must not take notes. That is a
  fault which stands until its replies can be read again.

Knows no note and no time.
"""

from drivers.bills.active_faults import ActiveFaults
from drivers.bills.events import Trouble
from drivers.bills.ssp.codec import PollReport

BLIND_REPLIES = 3
_CAUSE = "replies that cannot be read"


class Unread:
    """Memory of one acceptor's unreadable bytes; it outlives the line."""

    def __init__(self) -> None:
        self._last = b""
        self._alarmed: set[int] = set()
        self._blind_replies = 0

    def apply(self, report: PollReport, levels: ActiveFaults) -> str:
        """Digest one reply. Returns what the alarm says; empty when there is nothing new to alarm of."""
        self._watch(report, levels)
        is_new = report.lost != self._last and report.unknown_code not in self._alarmed
        if report.unknown_code is not None:
            self._alarmed.add(report.unknown_code)
        self._last = report.lost
        return f"unreadable part of a poll reply: {_spell(report)}" if report.lost and is_new else ""

    def _watch(self, report: PollReport, levels: ActiveFaults) -> None:
        self._blind_replies = self._blind_replies + 1 if report.hides_note else 0
        if self._blind_replies >= BLIND_REPLIES:
            levels.begin(Trouble.HARDWARE, f"no reply can be read to its end: {_spell(report)}", _CAUSE)
        elif not report.hides_note:
            levels.not_shown(Trouble.HARDWARE, _CAUSE)


def _spell(report: PollReport) -> str:
    return report.lost.hex(" ").upper()
