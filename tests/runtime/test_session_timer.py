"""The facts about the session's time, with a clock that may be wrong and through restarts."""

from dataclasses import dataclass, field

import pytest
from support.machines import Cabinet, seated

from cabinet.engine.inputs import CashOut, Fact, LimitTime, SessionBegan, SessionEnded, TicketPrinted, TimeLimitReached
from cabinet.engine.session import lasted_s
from cabinet.engine.state import LockKind
from cabinet.runtime.session_timer import SessionWatch

NOON_MS = 1_930_000_000_000
GAP_S = 120.0


@dataclass(slots=True, kw_only=True)
class Table:
    """A cabinet, a watch and a wall clock that go on together."""

    cabinet: Cabinet = field(default_factory=lambda: seated("table", credit=0))
    watch: SessionWatch = field(default_factory=lambda: SessionWatch(gap_s=GAP_S))
    now: float = 1_000.0
    wall_ms: int = NOON_MS
    clock_ok: bool = True

    def after(self, seconds: float) -> list[Fact]:
        """Returns the facts at a check `seconds` later, after the machine has stepped them."""
        self.now += seconds
        self.wall_ms += round(seconds * 1_000)
        facts = list(self.watch.facts(self.cabinet.machine, self.now, self.wall_ms, clock_ok=self.clock_ok))
        self.cabinet.do(*facts) if facts else None
        return facts

    def restart(self) -> None:
        """The program starts again."""
        self.watch = SessionWatch(gap_s=GAP_S)
        self.now = 5.0


def playing() -> Table:
    """A player has just inserted money."""
    table = Table()
    assert table.after(1) == []
    table.cabinet.note(2_000)
    return table


@pytest.mark.requirement("RG-02")
def test_the_beginning_is_reported_once() -> None:
    table = playing()
    assert table.after(0) == [SessionBegan(at_ms=NOON_MS + 1_000)]
    assert table.after(60) == []


@pytest.mark.requirement("RG-02")
def test_a_clock_that_becomes_right_later_is_counted_back() -> None:
    table = playing()
    table.clock_ok, table.wall_ms = False, 0
    assert table.after(0) == []
    assert table.after(600) == []
    table.clock_ok, table.wall_ms = True, NOON_MS
    assert table.after(0) == [SessionBegan(at_ms=NOON_MS - 600_000)]


@pytest.mark.requirement("RG-02")
def test_a_session_lasts_through_a_restart() -> None:
    table = playing()
    table.after(0)
    table.restart()
    assert table.after(300) == []
    assert table.cabinet.machine.session is not None
    assert lasted_s(table.cabinet.machine.session, table.wall_ms) == 300


@pytest.mark.requirement("RG-02")
def test_the_beginning_of_a_session_older_than_the_program_stays_unknown() -> None:
    table = playing()
    table.clock_ok = False
    table.after(0)
    table.restart()
    table.clock_ok = True
    assert table.after(60) == []


@pytest.mark.requirement("RG-02")
def test_it_is_over_when_no_money_has_been_there_for_the_gap() -> None:
    table = playing()
    table.after(0)
    table.cabinet.do(CashOut())
    assert table.after(GAP_S) == [], "the money is still on its way out"
    table.cabinet.do(TicketPrinted(sequence=1))
    assert table.after(0) == []
    assert table.after(GAP_S - 1) == []
    assert table.after(1) == [SessionEnded()]
    assert table.after(1) == []


@pytest.mark.requirement("RG-02")
def test_money_within_the_gap_goes_on_with_the_session_and_the_gap_begins_anew() -> None:
    table = playing()
    table.after(0)
    table.cabinet.do(CashOut(), TicketPrinted(sequence=1))
    table.after(0)
    table.after(GAP_S - 1)
    table.cabinet.note(500)
    assert table.after(GAP_S) == []
    table.cabinet.do(CashOut(), TicketPrinted(sequence=2))
    assert table.after(0) == []
    assert table.after(GAP_S - 1) == []


def test_the_next_session_is_reported_without_a_check_between_the_two() -> None:
    table = playing()
    table.after(0)
    table.cabinet.do(CashOut(), TicketPrinted(sequence=1))
    table.after(0)
    assert table.after(GAP_S) == [SessionEnded()]
    table.cabinet.note(500)
    assert table.after(2) == [SessionBegan(at_ms=table.wall_ms)]


@pytest.mark.requirement("RG-03")
def test_the_time_is_up_when_the_session_has_lasted_so_long() -> None:
    table = playing()
    table.after(0)
    table.after(300)
    table.cabinet.do(LimitTime(session_s=900))
    assert table.after(599) == []
    assert table.after(1) == [TimeLimitReached()]
    assert table.cabinet.locked() == [LockKind.PLAYER_LIMIT]
    assert table.after(60) == [], "reported once"


@pytest.mark.requirement("RG-03")
def test_a_limit_is_kept_though_the_clock_is_lost() -> None:
    table = playing()
    table.after(0)
    table.cabinet.do(LimitTime(session_s=900))
    table.clock_ok, table.wall_ms = False, 0
    assert table.after(899) == []
    assert table.after(1) == [TimeLimitReached()]
