"""The simulated pulse acceptor behaves like a real one; then a whole cabinet's end of its two wires."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.notes import CHANNELS, TAKE_ALL, Keeper
from support.panel import Clock, pins_by

from drivers.bills.events import BillEvent, Stacked, TroubleBegan, Unsolicited
from drivers.bills.pulse.host import Counting, PulseCounter, PulseEvent
from drivers.panel.gpio import PulsePins
from drivers.panel.inhibit import InhibitLine
from drivers.panel.pin_factory import BenchPin
from drivers.simulated.note_path import INSTANT, REAL, Timings
from drivers.simulated.pulses import PulseAcceptor

PULSE, RELEASE = 9, 3
PULSES = {100: 1, 500: 5, 1000: 10, 2000: 20}
TABLE = {count: next(each for each in CHANNELS if each.value_cents == cents) for cents, count in PULSES.items()}


class Wires:
    """The unit on its pins, with the level of the pulse wire written down whenever it changes."""

    def __init__(self, timings: Timings = REAL, *, gap_s: float = 0.1, overlaps: bool = False) -> None:
        self.clock = Clock()
        self.factory = pins_by(self.clock)
        self.unit = PulseAcceptor(
            PULSES, self.factory, pulse=PULSE, release=RELEASE, gap_s=gap_s, overlaps=overlaps, timings=timings
        )
        self.seen: list[tuple[bool, float]] = []

    def release(self) -> None:
        pin: BenchPin = self.factory.pin(RELEASE)
        pin.function = "output"
        pin.state = True

    def run(self, seconds: float) -> None:
        """Let time pass, stopping at each move of the unit."""
        pin = self.factory.pin(PULSE)
        end = self.clock.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.clock.now = max(self.clock.now, due)
            before = bool(pin.state)
            self.unit.tick(self.clock.now)
            if bool(pin.state) is not before:
                self.seen.append((bool(pin.state), self.clock.now))
        self.clock.now = end
        self.unit.tick(end)


@pytest.mark.requirement("BA-04")
@pytest.mark.parametrize("driven", ["not at all", "low"])
def test_it_takes_nothing_unless_its_release_wire_is_driven_high(driven: str) -> None:
    wires = Wires()
    if driven == "low":
        wires.release()
        wires.factory.pin(RELEASE).state = False
    assert not wires.unit.insert(500)
    assert wires.unit.returned == [500]
    wires.release()
    assert wires.unit.insert(500)
    assert not wires.unit.enabled


@pytest.mark.parametrize("gap_s", [0.1, 0.3])
def test_a_note_is_stacked_and_reported_in_pulses_once(gap_s: float) -> None:
    wires = Wires(gap_s=gap_s)
    wires.release()
    wires.run(0.0)
    assert wires.unit.insert(500)
    wires.run(10.0)
    assert [level for level, _ in wires.seen] == [False, True] * 5
    times = [at_s for _, at_s in wires.seen]
    spans = [until_s - at_s for at_s, until_s in pairwise(times)]
    assert spans[0::2] == pytest.approx([0.05] * 5)
    assert spans[1::2] == pytest.approx([gap_s] * 4)
    assert wires.unit.stacked == [500]


def test_a_power_cut_ends_a_train_in_the_middle_and_reports_nothing_later() -> None:
    wires = Wires()
    wires.release()
    wires.run(0.0)
    wires.unit.insert(2000)
    wires.run(2.0)
    pulses = len(wires.seen)
    wires.unit.power_cut()
    wires.run(10.0)
    assert 2 < pulses < 40
    assert len(wires.seen) == pulses
    wires.unit.insert(100)
    wires.unit.power_cut()
    assert wires.unit.stacked == [2000, 100]


def test_a_shorted_wire_is_low_until_it_is_repaired() -> None:
    wires = Wires()
    wires.unit.short()
    assert not wires.factory.pin(PULSE).state
    wires.unit.repair()
    assert wires.factory.pin(PULSE).state


class Cabinet(Wires):
    """Pins, release line, counter and keeper at the near end. `crash` drops everything except the books."""

    def __init__(
        self, timings: Timings = REAL, *, gap_s: float = 0.1, overlaps: bool = False, deaf: bool = False
    ) -> None:
        super().__init__(timings, gap_s=gap_s, overlaps=overlaps)
        self.deaf = deaf
        self.keeper = Keeper()
        self.reported: list[PulseEvent] = []
        self.boot()

    def boot(self) -> None:
        self.pins = PulsePins(PULSE, RELEASE, lambda: None, self.factory, clock=self.clock)
        self.line = InhibitLine(self.pins.release)
        self.counter = PulseCounter(TABLE)
        self.counter.opened(self.pins.level(), self.clock.now)
        self.counter.order(TAKE_ALL)

    def crash(self) -> None:
        """The program dies: the pins are released, no host counts."""
        self.pins.close()

    def run_alive(self, seconds: float) -> None:
        """Let time pass while a host counts."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.run(min(0.005, end - self.clock.now))
            for level, at_s in self.pins.edges():
                self.line.inhibit()
                self.counter.edge(level, at_s)
            self.counter.tick(self.clock.now)
            self.on_report()
            if self.counter.released:
                self.line.release(self.clock.now)
            else:
                self.line.inhibit()
            self.line.tick(self.clock.now)
            if self.deaf:
                self.factory.pin(RELEASE).state = True

    def on_report(self) -> None:
        while events := self.counter.events():
            self.reported += events
            for event in events:
                self.act(event)

    def act(self, event: PulseEvent) -> None:
        if isinstance(event, BillEvent):
            for order in self.keeper.handle(event):
                self.counter.order(order)
        if isinstance(event, Unsolicited):
            self.counter.order(TAKE_ALL)  # the attendant has settled it


@pytest.mark.requirement("BA-01", "BA-02")
def test_every_note_is_credited_once() -> None:
    cabinet = Cabinet()
    for value_cents in (100, 500, 2000, 2000, 1000):
        cabinet.run_alive(0.7)
        assert cabinet.unit.insert(value_cents)
        cabinet.run_alive(6.0)
    keeper = cabinet.keeper
    assert keeper.credited == cabinet.unit.stacked == [100, 500, 2000, 2000, 1000]
    assert (keeper.doubtful, keeper.unexpected, keeper.returned) == ([], [], 0)
    assert any(isinstance(event, Counting) for event in cabinet.reported)


@pytest.mark.requirement("BA-08")
def test_a_short_inhibits_the_acceptor_and_its_end_releases_it() -> None:
    cabinet = Cabinet()
    cabinet.run_alive(0.7)
    assert cabinet.unit.enabled
    cabinet.unit.short()
    cabinet.run_alive(0.7)
    assert not cabinet.unit.insert(500)
    cabinet.unit.repair()
    cabinet.run_alive(1.0)
    assert cabinet.unit.insert(500)


@pytest.mark.requirement("BA-03", "BA-04")
def test_a_crash_inhibits_the_acceptor_and_a_half_counted_train_is_no_money() -> None:
    cabinet = Cabinet()
    cabinet.run_alive(0.7)
    cabinet.unit.insert(2000)
    cabinet.run_alive(2.5)
    cabinet.crash()
    assert not cabinet.unit.enabled
    cabinet.run(0.7)
    cabinet.boot()
    cabinet.run_alive(5.0)
    assert cabinet.keeper.credited == []
    assert cabinet.keeper.unexpected == [None]
    (unsolicited,) = (event for event in cabinet.reported if isinstance(event, Unsolicited))
    assert "it had begun before the counting" in unsolicited.detail


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("power_cuts", [False, True])
def test_no_bad_day_credits_more_than_went_into_the_box(*, power_cuts: bool) -> None:
    """Only a power cut of the unit can make a note look like a smaller one."""
    for seed in range(10):
        cabinet, rng = Cabinet(), random.Random(seed)
        for _ in range(6):
            cabinet.run_alive(0.7)
            cabinet.unit.insert(rng.choice([500, 1000, 2000]))
            cabinet.run_alive(rng.random() * 5.0)
            have_bad_luck(cabinet, rng, power_cuts=power_cuts)
            cabinet.run_alive(4.0)
        credited, stacked = cabinet.keeper.credited, cabinet.unit.stacked
        assert sum(credited) <= sum(stacked), f"seed {seed}"
        assert sum(isinstance(event, Stacked) for event in cabinet.reported) <= len(stacked)
        if not power_cuts:
            assert not Counter(credited) - Counter(stacked), f"seed {seed}"


def test_an_overlapping_unit_draws_a_note_in_during_the_pulses_of_the_last_unless_inhibited() -> None:
    wires = Wires(Timings(stacking_s=0.1), overlaps=True)
    wires.release()
    wires.run(0.0)
    assert wires.unit.insert(500)
    wires.run(0.3)
    assert wires.unit.insert(100)
    wires.run(0.01)
    wires.factory.pin(RELEASE).state = False
    assert not wires.unit.insert(100)
    wires.run(5.0)
    assert wires.unit.stacked == [500, 100]
    assert len(wires.seen) == 12


def test_a_gap_follows_the_last_pulse_of_a_note_even_when_the_next_note_is_stacked_at_once() -> None:
    wires = Wires(INSTANT)
    wires.release()
    wires.run(0.0)
    assert wires.unit.insert(100)
    wires.run(0.06)
    assert wires.unit.insert(100)
    wires.run(1.0)
    (_, first_ends_s), (_, second_begins_s) = wires.seen[1:3]
    assert second_begins_s - first_ends_s == pytest.approx(0.1)


@pytest.mark.no_cover
@pytest.mark.fault(21, 23)
@pytest.mark.requirement("BA-01", "BA-02")
@settings(max_examples=40, deadline=None)
@given(
    notes=st.lists(st.tuples(st.sampled_from(sorted(PULSES)), st.floats(0.0, 2.0)), min_size=1, max_size=6),
    stacking_s=st.floats(0.0, 1.0),
    gap_s=st.floats(0.05, 0.3),
    overlaps=st.booleans(),
    deaf=st.booleans(),
)
def test_whatever_lies_in_the_box_is_credit_or_waits_for_the_attendant(
    notes: list[tuple[int, float]], stacking_s: float, gap_s: float, *, overlaps: bool, deaf: bool
) -> None:
    """`deaf`: the release wire is broken and always released, so that trains run together."""
    cabinet = Cabinet(Timings(stacking_s=stacking_s), gap_s=gap_s, overlaps=overlaps, deaf=deaf)
    cabinet.run_alive(0.7)
    for value_cents, wait_s in notes:
        cabinet.unit.insert(value_cents)
        cabinet.run_alive(wait_s)
    cabinet.run_alive(notes[0][1] + len(notes) * 20 * (gap_s + 0.05) + 2.0)
    keeper = cabinet.keeper
    suspended = [cents for cents in keeper.unexpected if cents is not None]
    assert len(suspended) == len(keeper.unexpected)
    assert sum(keeper.credited) + sum(suspended) == sum(cabinet.unit.stacked)
    assert not [event for event in cabinet.reported if isinstance(event, TroubleBegan)]
    if not deaf:
        assert keeper.credited == cabinet.unit.stacked


def have_bad_luck(cabinet: Cabinet, rng: random.Random, *, power_cuts: bool) -> None:
    match rng.choice(["nothing", "spike", "wrong", "crash", "power" if power_cuts else "nothing"]):
        case "spike":
            cabinet.unit.disturb(rng.random() * 0.019)
        case "wrong":
            cabinet.unit.disturb(rng.uniform(0.021, 0.029))
        case "power":
            cabinet.unit.power_cut()
        case "crash":
            cabinet.crash()
            cabinet.run(rng.random() * 3.0)
            cabinet.boot()
        case _:
            pass
