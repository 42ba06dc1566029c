"""The audit key of a cabinet with refused data opens pages that show what can be read, say so, and change nothing."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from support.cases import case
from support.journals import keep
from support.machines import dealt
from support.refused import REFUSED, execute, played, state_of

from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.hands_on import TECHNICIAN, TESTS
from cabinet.attendant.menu.lock_pages import LOCKS_PAGE
from cabinet.attendant.menu.record_pages import FIND, PAY
from cabinet.attendant.menu.take_away import CODE
from cabinet.attendant.pages import Page, PageTouch, Touched
from cabinet.config.settings import Config
from cabinet.engine.machine import state_of as engine_state
from cabinet.engine.state import Lock, LockKind, Machine, State
from cabinet.runtime.fault_attendant import FaultAttendant, read_doubtful
from drivers.panel.gpio import Panel
from drivers.panel.layout import Tower
from drivers.panel.pin_factory import make_factory
from drivers.simulated.panel import SimulatedPanel

LOCKED = Machine(locks=(Lock(lock_id=1, kind=LockKind.MEMORY, detail="damaged"),))
DEADLINE_S = 60.0
ACTS = (FIND, PAY, TESTS, TECHNICIAN, CODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulty:
    """A cabinet that may not start: its panel, and what it shows."""

    panel: SimulatedPanel
    attendant: FaultAttendant

    def until(self, condition: Callable[[], object]) -> None:
        """Waits for a condition."""
        ends_s = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < ends_s, self.attendant.shown
            threading.Event().wait(0.005)

    @property
    def page(self) -> Page:
        """The page on the screen."""
        assert self.attendant.shown.page is not None
        return self.attendant.shown.page

    def touch(self, what: Touched, word: str, nth: int = 0) -> None:
        """Touches the page, and waits for another one."""
        before = self.page
        self.attendant.put(PageTouch(place=before.place, what=what, word=word, nth=nth))
        self.until(lambda: self.attendant.shown.page is not before)


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[Faulty]:
    """The cabinet of a folder `data` in which the machine was damaged during a hand."""
    keep(tmp_path / "data", *dealt("table", "9S 6D 8H 10C", credit=500).history)
    execute(tmp_path / "data", "UPDATE steps SET credit = credit + 1 WHERE seq = 2")
    with running(partial(read_doubtful, Config(), (tmp_path / "data",), LOCKED)) as live:
        yield live


@contextmanager
def running(read: Callable[[], AttendantData | None]) -> Iterator[Faulty]:
    """Runs a cabinet that may not start, whose pages show what `read` returns."""
    config, changed = Config(), threading.Event()
    factory = make_factory("mock")
    hands = SimulatedPanel(config.wiring(), factory)
    panel = Panel(config.wiring(), changed.set, factory, press_s=0.001)
    attendant = FaultAttendant(panel, LOCKED, read, changed)
    with attendant.running():
        yield Faulty(panel=hands, attendant=attendant)
    panel.close()
    factory.close()


@pytest.mark.requirement("PL-07", "AT-02")
def test_the_keys_of_the_panel_move_in_doubtful_pages(faulty: Faulty, tmp_path: Path) -> None:
    before = state_of(tmp_path / "data")
    faulty.panel.turn_key("audit_key", on=True)
    faulty.until(lambda: faulty.attendant.shown.page)
    assert engine_state(faulty.attendant.shown.machine) is State.AUDIT
    assert faulty.page.notice.startswith("DOUBTFUL")
    assert "$4.00" in (faulty.page.head.credit if faulty.page.head else "")
    opened = faulty.page
    faulty.panel.press("bet")
    faulty.until(lambda: faulty.page is not opened)
    assert faulty.page.selected == 1
    assert faulty.panel.lamps()
    faulty.panel.turn_key("audit_key", on=False)
    faulty.until(lambda: faulty.attendant.shown.page is None)
    assert engine_state(faulty.attendant.shown.machine) is State.LOCKED
    assert state_of(tmp_path / "data") == before


@pytest.mark.requirement("PL-07", "AT-02")
def test_every_page_is_marked_and_none_acts(faulty: Faulty) -> None:
    faulty.panel.turn_key("audit_key", on=True)
    faulty.until(lambda: faulty.attendant.shown.page)
    seen = []
    for group in ("Money", "Games", "Tickets", "Log", "Machine", "Service"):
        faulty.touch(Touched.TAB, group)
        for nth, label in enumerate(faulty.page.menu):
            with case(group=group, label=label):
                faulty.touch(Touched.ENTRY, label, nth)
                seen.append(faulty.page.place)
                assert faulty.page.notice.startswith("DOUBTFUL")
                assert not faulty.page.keypad
                faulty.touch(Touched.BACK, "")
    assert {"Money/Meters, period and lifetime", "Money/Closed periods and cash boxes", "Games/Last games"} <= set(seen)
    assert {f"Service/{LOCKS_PAGE}", "Tickets/Tickets put in", "Machine/Machine and program"} <= set(seen)
    assert not [place for place in seen if place.rpartition("/")[2] in ACTS or "?" in place]


@pytest.mark.requirement("PL-07")
def test_the_tower_light_calls_for_a_cabinet_that_may_not_start(faulty: Faulty) -> None:
    faulty.until(lambda: Tower.TOWER_FAULT in faulty.panel.tower())


@pytest.mark.requirement("PL-07")
def test_data_of_each_kind_is_read_as_far_as_it_can_be_and_not_changed(tmp_path: Path) -> None:
    read = set()
    for name, (spoil, _) in REFUSED.items():
        with case(name=name):
            played(tmp_path / name)
            spoil(tmp_path / name)
            before = state_of(tmp_path / name)
            found = read_doubtful(Config(), (tmp_path / name,), LOCKED)
            assert state_of(tmp_path / name) == before
            if found is not None:
                assert found.doubtful
                read.add(name)
    assert {"damaged row", "lost end", "without a lock file"} <= read
    assert {"gone", "foreign file"}.isdisjoint(read)


@pytest.mark.requirement("PL-07")
def test_a_page_that_the_damage_breaks_leads_back_to_its_group(tmp_path: Path) -> None:
    played(tmp_path)
    found = read_doubtful(Config(), (tmp_path,), LOCKED)
    assert found is not None
    with running(lambda: replace(found, rounds=({"round": "no game"},))) as faulty:
        faulty.panel.turn_key("audit_key", on=True)
        faulty.until(lambda: faulty.attendant.shown.page)
        faulty.touch(Touched.TAB, "Games")
        faulty.touch(Touched.ENTRY, "Last games", faulty.page.menu.index("Last games"))
        faulty.until(lambda: faulty.page.place == "Games")


def test_data_of_which_nothing_can_be_read_opens_no_page(tmp_path: Path) -> None:
    with running(lambda: None) as faulty:
        before = faulty.attendant.shown
        faulty.panel.turn_key("audit_key", on=True)
        faulty.until(lambda: faulty.attendant.shown is not before)
        assert engine_state(faulty.attendant.shown.machine) is State.LOCKED
