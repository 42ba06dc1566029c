"""The way of a note through any simulated acceptor, with a unit that has no protocol: it accepts every known note."""

from dataclasses import replace

import pytest
from support.notes import CHANNELS

from drivers.simulated.note_path import INSTANT, REAL, Note, Phase, SimulatedAcceptor, Timings


class Unit(SimulatedAcceptor[str]):
    """Stacks a known note unless `keeps_in` says otherwise; `reports` lists the hooks called."""

    JAM, BOX_OUT = "jam", "box out"
    STOPPING = frozenset({"jam"})
    ESCROW_S = 7.0

    def __init__(self, timings: Timings = REAL, *, keeps_in: Phase = Phase.STACKING) -> None:
        super().__init__(CHANNELS, timings)
        self.keeps_in = keeps_in
        self.reports: list[str] = []

    @property
    def enabled(self) -> bool:
        return not self.faults

    def judge(self, note: Note) -> None:
        self.path.enter(note, self.keeps_in if note.channel or note.ticket else Phase.REJECTING)

    def on_stacked(self, note: Note) -> None:
        self.reports.append(f"stacked {note.value_cents}")

    def on_returned(self, note: Note) -> None:
        self.reports.append(f"returned {note.value_cents}")

    def on_left(self, note: Note, *, stacked: bool) -> None:
        self.reports.append("in the box" if stacked else "out of the front")

    def cheat(self) -> None:
        self.path.hand_out()

    def power_cycle(self) -> None:
        self.path.cut_power(to_cashbox=True)

    def receive(self, data: bytes, now: float) -> None:
        raise AssertionError("this unit has no line")


def at(unit: Unit, *moments_s: float) -> str:
    """The phase after ticks at these moments."""
    for moment_s in moments_s:
        unit.tick(moment_s)
    return unit.phase


def test_each_phase_lasts_its_duration_and_the_note_ends_in_the_box() -> None:
    unit = Unit()
    assert unit.insert(500)
    phases = [at(unit, moment_s) for moment_s in (0.0, 0.49, 0.5, 1.49, 1.5)]
    assert phases == ["reading", "reading", "stacking", "stacking", ""]
    assert (unit.stacked, unit.returned) == ([500], [])
    assert unit.reports == ["in the box", "stacked 500"]


def test_an_unknown_note_comes_back() -> None:
    unit = Unit()
    assert unit.insert_bad(777)
    phases = [at(unit, moment_s) for moment_s in (0.0, 0.5, 1.0)]
    assert phases == ["reading", "rejecting", ""]
    assert (unit.stacked, unit.returned, unit.reports[-1]) == ([], [777], "returned 777")


def test_there_is_one_document_at_a_time() -> None:
    unit = Unit()
    assert unit.insert(500)
    assert unit.busy
    assert not unit.insert(100)
    at(unit, 0.0, 0.5, 1.5)
    assert unit.insert(100)


@pytest.mark.parametrize(("timings", "ends_s"), [(REAL, 7.5), (replace(REAL, escrow_s=2.0), 2.5)])
@pytest.mark.parametrize("phase", [Phase.ESCROW, Phase.HELD])
def test_a_note_in_escrow_comes_back_when_the_host_decides_nothing(
    phase: Phase, timings: Timings, ends_s: float
) -> None:
    unit = Unit(timings, keeps_in=phase)
    unit.insert(500)
    assert at(unit, 0.0, 0.5, ends_s - 0.01) == phase.name.lower()
    assert at(unit, ends_s) == "returning"
    assert at(unit, ends_s + 0.5) == ""
    assert unit.returned == [500]


@pytest.mark.parametrize("phase", [Phase.STUCK, Phase.VEND_VALID])
def test_a_phase_that_only_the_unit_ends_lasts(phase: Phase) -> None:
    unit = Unit(keeps_in=phase)
    unit.insert(500)
    assert at(unit, 0.0, 0.5, 1e6) == phase.name.lower()
    assert unit.due() is None


def test_a_note_that_was_shown_as_stacked_is_in_the_box_once() -> None:
    unit = Unit(keeps_in=Phase.STACKED)
    unit.insert(500)
    assert at(unit, 0.0, 0.5, 0.79) == "stacked"
    assert at(unit, 0.8) == ""
    assert unit.reports == []


def test_a_ticket_is_counted_by_its_number() -> None:
    unit = Unit(INSTANT)
    unit.path.draw_in(Note(ticket="123"))
    at(unit, 0.0)
    unit.path.draw_in(Note(ticket="456"))
    unit.cheat()
    assert (unit.path.stacked_tickets, unit.path.returned_tickets) == (["123"], ["456"])
    assert (unit.stacked, unit.returned) == ([], [])


@pytest.mark.parametrize(
    ("phase", "to_cashbox", "kept"),
    [
        (Phase.STACKING, True, True),
        (Phase.STACKING, False, False),
        (Phase.ESCROW, True, False),
        (Phase.RETURNING, True, False),
    ],
)
def test_a_power_cut_empties_the_path_into_the_box_only_while_stacking(
    *, phase: Phase, to_cashbox: bool, kept: bool
) -> None:
    unit = Unit(keeps_in=phase)
    unit.insert(500)
    at(unit, 0.0, 0.5)
    assert unit.path.cut_power(to_cashbox=to_cashbox) is kept
    assert (unit.stacked, unit.returned) == (([500], []) if kept else ([], [500]))
    assert unit.reports == ["in the box" if kept else "out of the front"]
    assert not unit.busy


def test_a_power_cut_without_a_note_keeps_none() -> None:
    unit = Unit()
    assert not unit.path.cut_power(to_cashbox=True)
    assert (unit.stacked, unit.returned) == ([], [])


def test_a_unit_that_starts_draws_nothing_in_and_is_due_at_its_end() -> None:
    unit = Unit()
    unit.tick(10.0)
    unit.power_cycle()
    assert unit.due() == 12.0
    assert not unit.insert(500)
    unit.tick(12.0)
    assert unit.due() is None
    assert unit.insert(500)


def test_nothing_moves_while_the_unit_starts() -> None:
    unit = Unit()
    unit.insert(500)
    at(unit, 0.0, 0.5)
    unit.path.boot(8.0)
    assert at(unit, 8.49) == "stacking"
    assert at(unit, 8.5) == ""


def test_a_phase_entered_during_the_start_begins_at_its_end() -> None:
    unit = Unit()
    unit.insert(500)
    unit.tick(0.0)
    unit.path.boot(8.0)
    unit.path.enter(Note(value_cents=500), Phase.RETURNING)
    assert at(unit, 8.49) == "returning"
    assert at(unit, 8.5) == ""


def test_a_stopping_fault_holds_the_note_where_it_is() -> None:
    unit = Unit()
    unit.insert(500)
    at(unit, 0.0, 0.5)
    unit.jam()
    assert at(unit, 60.0) == "stacking"
    assert unit.due() is None
    unit.clear_jam()
    assert at(unit, 60.0) == ""
    assert unit.stacked == [500]


def test_another_fault_lets_the_note_pass_and_keeps_the_next_one_out() -> None:
    unit = Unit()
    unit.insert(500)
    unit.tick(0.0)
    unit.remove_cashbox()
    unit.remove_cashbox()
    assert unit.faults == ["box out"]
    assert at(unit, 0.5, 1.5) == ""
    assert not unit.insert(500)
    unit.replace_cashbox()
    assert unit.insert(500)


def test_a_unit_without_a_code_for_a_full_box_is_never_full() -> None:
    unit = Unit()
    unit.fill()
    assert unit.faults == []
    unit.empty()
    assert unit.enabled


def test_without_time_a_note_passes_in_one_tick() -> None:
    unit = Unit(INSTANT)
    assert unit.insert(500)
    assert unit.due() == 0.0
    assert at(unit, 0.0) == ""
    assert unit.stacked == [500]


def test_a_tick_of_the_past_moves_no_time_back() -> None:
    unit = Unit()
    unit.tick(5.0)
    unit.insert(500)
    unit.tick(4.0)
    assert unit.due() == 5.5
