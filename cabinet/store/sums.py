"""Sums over the rows of a journal: balances, meters, closings and the growth of each hour, from transfers and counts.

Every check of a journal, every compaction and every migration adds rows in this way and trusts no stored sum. After a
memory clear balances and meters begin at zero. Does not know tables.
"""

from dataclasses import dataclass, field

from cabinet.engine import closings, ledger
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.effects import MemoryCleared
from cabinet.engine.inputs import ResetPeriod
from cabinet.engine.ledger import ROUTES, Account, Posting
from cabinet.engine.state import Machine
from cabinet.store import codec
from cabinet.store.chain import StepRow
from cabinet.store.closings import Closing, closings_of
from cabinet.store.history import Grown, add_row, raised_by


@dataclass(slots=True)
class Sums:
    """The sums over the rows up to the last one added."""

    balances: dict[str, int] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)
    period_start: dict[str, int] = field(default_factory=dict)
    """The meters when the period began."""
    marks: dict[str, int] = field(default_factory=dict)
    """The marks of the cash box."""
    closings: list[Closing] = field(default_factory=list)
    hours: Grown = field(default_factory=dict)

    def begin_with(self, machine: Machine) -> None:
        """Begins with the machine that earlier rows led to."""
        self.balances, self.meters = dict(machine.books.balances), dict(machine.books.meters)
        self.period_start, self.marks = dict(machine.period_start), dict(machine.marks)

    def add(self, row: StepRow) -> str | None:
        """Adds a row. Returns a sentence if its values contradict the sums."""
        postings = codec.decode_postings(row.postings) if row.postings != "[]" else ()
        counts: dict[str, int] = codec.decode_plain(row.counts) if row.counts != "{}" else {}
        self.closings += closings_of(row, counts, self.meters, self.period_start, self.marks)
        if _clears_memory(row):
            self._clear(counts)
        self._move(postings)
        if raised := raised_by(postings, counts):
            add_row(self.hours, row.wall_ms, row.clock_ok, raised)
            for name, step in raised.items():
                self._raise(self.meters, name, step)
        self._begin_again(row, counts)
        credit = self.balances.get(Account.CREDIT.value, 0)
        return (
            None if credit == row.credit else f"the transfers lead to a credit of {credit}, the row says {row.credit}"
        )

    def _move(self, postings: tuple[Posting, ...]) -> None:
        for posting in postings:
            rule = ROUTES[posting.route]
            self._raise(self.balances, rule.source.value, -posting.cents)
            self._raise(self.balances, rule.target.value, posting.cents)

    def _clear(self, counts: dict[str, int]) -> None:
        """Clears the memory. Rows of an older program do not count what was in the cash box: it forgot that."""
        self.marks = closings.carried_marks(self.meters, self.marks) if closings.AT_CLEAR in counts else {}
        self.balances, self.meters, self.period_start = {}, ledger.cleared(self.meters), {}

    def _begin_again(self, row: StepRow, counts: dict[str, int]) -> None:
        """Begins a period, or an empty cash box, after the row that ended the one before, also one of an older
        program."""
        if f'"{ResetPeriod.__name__}"' in row.input:
            self.period_start = dict(self.meters)
        if ClosingKind.CASH_BOX in closings.closed_in(counts):
            self.marks = closings.box_marks(self.meters)
        elif closings.REMOVALS in counts:
            self.marks |= closings.box_marks(self.meters, notes_only=True)

    @staticmethod
    def _raise(sums: dict[str, int], name: str, step: int) -> None:
        sums[name] = sums.get(name, 0) + step


def _clears_memory(row: StepRow) -> bool:
    if f'"{MemoryCleared.__name__}"' not in row.events:
        return False
    return any(isinstance(event, MemoryCleared) for event in codec.decode_events(row.events))
