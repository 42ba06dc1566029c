"""Counting pulses: edges with times in, notes out."""

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import CHANNELS, TAKE_ALL
from support.pulse_trains import FEW, Line, unknown

from drivers.bills.events import (
    Channel,
    Enabled,
    Offered,
    Return,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.pulse.host import LATEST_EDGE_S, Counting, PulseCounter, PulseTiming, find_pulse_value
from drivers.errors import ConfigurationError
from drivers.protocol import Confirm


def test_the_notes_of_the_table_are_reported_at_the_start() -> None:
    counter = PulseCounter(FEW)
    counter.opened(True, 0.0)
    assert counter.events() == [
        Started(model="pulses", firmware="", serial="", channels=tuple(FEW.values())),
        Enabled(taking=False),
    ]


@pytest.mark.requirement("BA-01", "BA-02")
@pytest.mark.parametrize("gap_s", [0.05, 0.1, 0.3])
@pytest.mark.parametrize(("pulses", "channel"), FEW.items())
def test_a_whole_note_is_offered_and_stacked_as_soon_as_the_cabinet_has_its_intent(
    pulses: int, channel: Channel, gap_s: float
) -> None:
    line = Line()
    line.pulses(pulses, gap_s=gap_s)
    assert line.rest() == [Offered(channel=channel.number, value_cents=channel.value_cents)]
    line.counter.order(Stack())
    assert line.rest() == [Stacked(channel=channel.number, value_cents=channel.value_cents, receipt=None)]


@pytest.mark.requirement("BA-01")
def test_a_note_that_the_cabinet_wants_to_return_is_in_the_box_anyway() -> None:
    line = Line()
    line.pulses(10)
    line.rest()
    line.counter.order(Return())
    assert line.rest() == [Stacked(channel=1, value_cents=100, receipt=None)]


@pytest.mark.requirement("BA-02")
def test_no_order_stacks_a_note_that_was_not_offered_or_one_note_twice() -> None:
    line = Line()
    for order in (Stack(), Return(), Confirm(receipt=1)):
        line.counter.order(order)
    line.pulses(10)
    line.rest()
    line.counter.order(Stack())
    line.counter.order(Stack())
    assert line.rest() == [Stacked(channel=1, value_cents=100, receipt=None)]


def test_notes_are_offered_one_at_a_time() -> None:
    line = Line()
    line.pulses(10)
    line.wait(1.0)
    line.pulses(50)
    assert line.rest() == [Offered(channel=1, value_cents=100)]
    line.counter.order(Stack())
    assert line.rest() == [Stacked(channel=1, value_cents=100, receipt=None), Offered(channel=3, value_cents=500)]


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-01")
def test_a_table_in_which_pulses_are_not_worth_the_same_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="worth 100 cents in the note of 1 pulses and 250 in the note of 2"):
        find_pulse_value({1: 100, 2: 500, 3: 1000})
    with pytest.raises(ConfigurationError, match="worth"):
        PulseCounter({1: CHANNELS[0], 2: CHANNELS[2]})
    assert find_pulse_value({3: 100, 15: 500}) == Fraction(100, 3)
    assert find_pulse_value({}) == 0


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-04")
def test_the_acceptor_is_inhibited_from_the_first_edge_until_the_note_is_answered() -> None:
    line = Line()
    line.counter.edge(False, line.now)
    assert not line.counter.released
    line.wait(0.05)
    line.counter.edge(True, line.now)
    line.wait(0.1)
    line.pulses(9)
    line.wait(0.3)
    assert not line.counter.released
    assert line.rest() == [Offered(channel=1, value_cents=100)]
    assert not line.counter.released
    line.counter.order(Stack())
    assert line.counter.released


# Widths.


@pytest.mark.parametrize("low_s", [0.030, 0.040, 0.050, 0.060, 0.070])
def test_a_pulse_may_be_forty_percent_shorter_or_longer(low_s: float) -> None:
    line = Line()
    line.pulses(10, low_s=low_s)
    assert line.rest() == [Offered(channel=1, value_cents=100)]


@pytest.mark.fault(27)
@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("low_s", [0.021, 0.029, 0.071, 0.1, 0.149])
def test_a_pulse_of_the_wrong_width_spoils_the_train(low_s: float) -> None:
    line = Line()
    line.pulses(9)
    line.low(low_s)
    assert f"9 good pulses worth 0.90 USD, a low of {low_s * 1000:.0f} ms" in unknown(line.rest())
    line.pulses(10)
    line.low(low_s)
    assert f"a low of {low_s * 1000:.0f} ms" in unknown(line.rest())
    line.low(low_s)
    assert f"0 good pulses worth 0.00 USD, a low of {low_s * 1000:.0f} ms" in unknown(line.rest())


@pytest.mark.fault(22)
@pytest.mark.parametrize("low_s", [0.0001, 0.005, 0.019])
def test_a_spike_never_happened(low_s: float) -> None:
    line = Line()
    for _ in range(10):
        line.low(low_s, gap_s=0.04)
        line.low(0.05, gap_s=0.04)
        line.low(low_s, gap_s=0.04)
    assert line.rest() == [Offered(channel=1, value_cents=100)]
    line.pulses(3, low_s=low_s)
    assert line.rest() == []


@pytest.mark.fault(25)
def test_a_pulse_with_a_spike_in_it_is_one_pulse() -> None:
    line = Line()
    line.pulses(9)
    line.low(0.022, gap_s=0.003)
    line.low(0.025)
    assert line.rest() == [Offered(channel=1, value_cents=100)]


@pytest.mark.fault(24)
@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("level", [True, False])
def test_a_lost_edge_spoils_the_train(*, level: bool) -> None:
    line = Line()
    line.pulses(10)
    if level:
        line.counter.edge(True, line.now)
    else:
        line.counter.edge(False, line.now)
        line.wait(0.05)
        line.counter.edge(False, line.now)
        line.counter.edge(True, line.now)
    line.wait(0.1)
    assert "an edge was lost" in unknown(line.rest())


@pytest.mark.fault(22)
@pytest.mark.requirement("BA-08")
def test_a_line_held_low_is_a_fault_and_inhibits_until_it_has_been_quiet() -> None:
    line = Line()
    assert line.counter.released
    line.pulses(3)
    line.counter.edge(False, line.now)
    line.wait(0.15 + LATEST_EDGE_S)
    assert not line.counter.released
    assert line.rest() == [
        TroubleBegan(trouble=Trouble.HARDWARE, detail="the pulse line is held low: a broken or shorted wire")
    ]
    line.wait(60.0)
    line.counter.edge(True, line.now)
    ended, note = line.rest()
    assert ended == TroubleEnded(trouble=Trouble.HARDWARE)
    assert "3 good pulses worth 0.30 USD, low for more than 150 ms" in unknown([note])
    line.counter.order(TAKE_ALL)
    assert line.counter.released


@pytest.mark.requirement("BA-07")
def test_a_line_that_is_low_at_the_start_is_a_fault() -> None:
    counter = PulseCounter(FEW)
    counter.opened(False, 10.0)
    counter.tick(10.0 + 0.15 + LATEST_EDGE_S)
    assert [event.trouble for event in counter.events() if isinstance(event, TroubleBegan)] == [Trouble.HARDWARE]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(("quiet_s", "counts"), [(0.0, False), (0.3, False), (0.49, False), (0.51, True)])
def test_a_train_that_was_under_way_when_the_counting_began_is_no_money(quiet_s: float, *, counts: bool) -> None:
    line = Line()
    line.counter.opened(True, line.now)
    line.collect()
    line.reported.clear()
    line.wait(quiet_s)
    line.pulses(10)
    reported = line.rest()
    if counts:
        assert reported == [Offered(channel=1, value_cents=100)]
    else:
        assert "10 good pulses worth 1.00 USD, it had begun before the counting" in unknown(reported)


@pytest.mark.requirement("BA-03")
def test_a_train_during_which_the_line_is_opened_again_is_reported_with_its_evidence() -> None:
    line = Line()
    line.counter.edge(False, 1e9)  # a wrong time of an earlier run must not stop the end of the train
    line.counter.opened(True, line.now)
    (alarm,) = (event for event in line.rest() if not isinstance(event, Started))
    assert isinstance(alarm, TroubleBegan)
    assert (alarm.trouble, alarm.detail.split("; ")[0]) == (
        Trouble.LOST_EVENTS,
        "no pulse, the line was opened again meanwhile",
    )
    line.pulses(10)
    assert line.rest() == [Offered(channel=1, value_cents=100)]


@pytest.mark.parametrize("late_s", [0.0, 0.02, 0.05, 0.149])
def test_edges_handed_in_late_count_by_their_own_time(late_s: float) -> None:
    counter = PulseCounter(FEW)
    counter.opened(True, 0.0)
    edges = [(level, 1.0 + 0.15 * pulse + (0.05 if level else 0.0)) for pulse in range(10) for level in (False, True)]
    for level, at_s in edges:
        counter.tick(at_s)
        counter.tick(at_s + late_s)
        counter.edge(level, at_s)
    counter.tick(10.0)
    assert Offered(channel=1, value_cents=100) in counter.events()


# The end of a train, and evidence on the way.


SHEETS: Mapping[str, tuple[tuple[tuple[float, float], ...], tuple[int, ...], PulseTiming]] = {
    "ICT U70, P77": (((0.05, 0.1), (0.05, 0.3)), (1, 2, 3, 4, 5, 10, 20, 100), PulseTiming()),
    "ICT A6, A7": (((0.05, 0.05), (0.06, 0.3)), (1, 2, 4, 20), PulseTiming()),
    "ICT A6, A7 at 30 ms": (((0.03, 0.05),), (1, 2, 4, 20), PulseTiming(pulse_s=0.03, noise_s=0.01)),
    "ICT A6, A7 at 150 ms": (((0.15, 0.15),), (1, 2, 4, 20), PulseTiming(pulse_s=0.15, stuck_s=0.3)),
    "Pyramid Apex": (((0.05, 0.05), (0.05, 0.3)), (1, 2, 5), PulseTiming()),
}
"""Pulse, gap and pulses for a unit of money from the makers' sheets, with the settings of docs/devices.md."""


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_trains_of_the_makers_sheets_are_the_notes_they_mean(sheet: str) -> None:
    widths, units, timing = SHEETS[sheet]
    for low_s, gap_s in widths:
        for unit in units:
            table = {unit: CHANNELS[0], 5 * unit: CHANNELS[2]}
            for pulses, channel in table.items():
                line = Line(table, timing)
                line.pulses(pulses, low_s=low_s, gap_s=gap_s)
                assert line.rest() == [Offered(channel=channel.number, value_cents=channel.value_cents)]


@pytest.mark.fault(21)
@pytest.mark.parametrize(("gap_s", "trains"), [(0.45, 1), (0.56, 2)])
def test_a_train_ends_after_half_a_second_of_quiet(gap_s: float, trains: int) -> None:
    line = Line({5: CHANNELS[0], 10: CHANNELS[1]})
    line.pulses(4)
    line.low(0.05, gap_s=gap_s)
    line.pulses(5)
    reported = line.rest()
    assert reported == [Offered(channel=2 if trains == 1 else 1, value_cents=200 if trains == 1 else 100)]


def test_the_end_of_a_train_can_be_set_later() -> None:
    line = Line(timing=PulseTiming(train_end_s=1.0))
    line.pulses(5)
    line.wait(0.8)
    line.pulses(5)
    line.wait(0.9)
    assert not [event for event in line.reported if isinstance(event, Offered)]
    assert line.rest() == [Offered(channel=1, value_cents=100)]


@pytest.mark.requirement("BA-03")
def test_a_running_train_leaves_evidence_at_intervals_that_is_no_money() -> None:
    line = Line()
    line.pulses(37, gap_s=0.3)
    counted = [event.pulses for event in line.reported if isinstance(event, Counting)]
    assert len(counted) >= 11
    assert counted == sorted(counted)
    assert not [event for event in line.reported if isinstance(event, Offered | Stacked)]


# Inhibit.


def test_the_acceptor_is_released_only_while_every_note_of_the_table_is_wanted() -> None:
    counter = PulseCounter(FEW)
    counter.order(TAKE_ALL)
    assert not counter.released
    counter.opened(True, 0.0)
    counter.tick(1.0)
    assert counter.released
    counter.order(Take(channels=frozenset({1, 3, 4})))
    assert not counter.released
    counter.order(TAKE_ALL)
    assert [event for event in counter.events() if isinstance(event, Enabled)] == [
        Enabled(taking=False),
        Enabled(taking=True),
        Enabled(taking=False),
        Enabled(taking=True),
    ]


def test_no_note_is_let_in_before_its_train_could_be_counted_whole() -> None:
    counter = PulseCounter(FEW)
    counter.order(TAKE_ALL)
    counter.opened(True, 7.0)
    due = counter.due()
    assert due is not None
    assert 7.5 <= due <= 7.5 + LATEST_EDGE_S
    counter.tick(due - 0.01)
    assert not counter.released
    counter.tick(due)
    assert counter.released


def test_the_acceptor_is_inhibited_while_an_offer_is_open() -> None:
    line = Line()
    line.pulses(10)
    line.rest()
    assert not line.counter.released
    line.counter.order(Stack())
    assert line.counter.released


def test_an_empty_table_releases_nothing() -> None:
    counter = PulseCounter({})
    counter.opened(True, 0.0)
    counter.order(TAKE_ALL)
    assert not counter.released


@pytest.mark.parametrize(
    "wrong",
    [
        {"noise_s": 0.04},
        {"noise_s": 0.0},
        {"stuck_s": 0.06},
        {"tolerance": 0.0},
        {"train_end_s": 0.3},
    ],
)
def test_a_timing_that_contradicts_itself_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="pulse timing"):
        PulseTiming(**wrong)


# Random input.


@given(
    st.lists(
        st.one_of(
            st.tuples(st.booleans(), st.floats(0.0, 1.0)),
            st.floats(0.0, 2.0),
            st.sampled_from([Stack(), Return(), TAKE_ALL, Take(channels=frozenset()), Confirm(receipt=1)]),
        ),
        max_size=80,
    )
)
def test_no_edges_orders_or_times_make_it_raise_or_report_more_notes_than_it_offered(
    pieces: list[tuple[bool, float] | float | Stack | Return | Take | Confirm],
) -> None:
    line = Line()
    offered = stacked = 0
    for piece in pieces:
        match piece:
            case tuple():
                line.counter.edge(piece[0], line.now)
                line.wait(piece[1])
            case float():
                line.wait(piece)
            case _:
                line.counter.order(piece)
        line.collect()
        offered = sum(isinstance(event, Offered) for event in line.reported)
        stacked = sum(isinstance(event, Stacked) for event in line.reported)
        assert stacked <= offered
    assert not [event for event in line.reported if isinstance(event, Returned)]


def test_random_damage_to_a_train_is_the_note_itself_or_an_alarm_and_never_another_note() -> None:
    rng = random.Random(3)
    outcomes = set()
    for _ in range(200):
        line = Line()
        kinds = rng.choices(["good", "short", "long", "two edges lost"], weights=[400, 1, 1, 1], k=50)
        for kind in kinds:
            line.low({"good": 0.05, "short": 0.025, "long": 0.1, "two edges lost": 0.0}[kind])
        reported = line.rest()
        offers = [event.value_cents for event in reported if isinstance(event, Offered)]
        harmed = set(kinds) != {"good"}
        assert offers == ([] if harmed else [500])
        assert len(reported) == 1
        outcomes.add(harmed)
    assert outcomes == {False, True}
