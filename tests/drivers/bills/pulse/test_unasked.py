"""Pulses that are no note of the table, and wires at fault: each is reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import CHANNELS, TAKE_ALL
from support.pulse_trains import FEW, Line, unknown

from drivers.bills.events import (
    Offered,
    Stack,
    Stacked,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
    Unsolicited,
)
from drivers.bills.pulse.host import MOST_MERGED, MOST_SHOWN, RESTLESS, Counting, PulseEvent


@pytest.mark.fault(23, 28)
@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("pulses", [1, 9, 11, 51, 99, 101, 199])
def test_a_total_that_is_no_note_is_a_note_of_unknown_value_with_its_evidence(pulses: int) -> None:
    line = Line()
    line.pulses(pulses)
    words = unknown(line.rest())
    worth = f"{pulses / 10:.2f} USD"
    assert words.startswith(
        f"{pulses} good {'pulse' if pulses == 1 else 'pulses'} worth {worth}, "
        "the notes of the table do not add up to this; in ms: low 50"
    )
    assert words.count("low 50") == pulses
    assert words.count("high 100") == pulses - 1


@pytest.mark.fault(23, 28)
@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize(("pulses", "notes"), [(201, 2), (243, 2), (401, 3), (1_999, 10), (2_010, 10)])
def test_a_total_that_is_no_note_and_too_much_for_one_is_as_many_as_it_takes(pulses: int, notes: int) -> None:
    line = Line()
    line.pulses(pulses)
    reported = [event for event in line.rest() if isinstance(event, Unsolicited)]
    assert [event.reported_cents for event in reported] == [None] * notes
    assert reported[0].detail.endswith(f"the notes of the table do not add up to this (note 1 of {notes} or more)")
    assert len({event.detail for event in reported}) == notes


def test_of_a_very_long_train_the_evidence_is_its_beginning() -> None:
    line = Line()
    line.pulses(MOST_SHOWN)
    (unsolicited,) = line.rest()
    assert isinstance(unsolicited, Unsolicited)
    assert unsolicited.reported_cents == MOST_SHOWN * 10
    assert unsolicited.evidence.count("low 50") == MOST_SHOWN / 2
    assert unsolicited.evidence.endswith(f"and {MOST_SHOWN} more edges")


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-01")
def test_two_notes_within_one_train_are_their_sum() -> None:
    line = Line()
    line.pulses(50)
    line.pulses(50)
    assert line.rest() == [Offered(channel=4, value_cents=1000)]
    line.counter.order(Stack())
    line.rest()
    line.pulses(10)
    line.pulses(50)
    (unsolicited,) = line.rest()
    assert isinstance(unsolicited, Unsolicited)
    assert unsolicited.reported_cents == 600
    assert unsolicited.detail == "60 good pulses worth 6.00 USD, some notes together or one cut off"
    assert unsolicited.evidence.startswith("in ms: low 50, high 100, low 50")


@pytest.mark.fault(21)
@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("pulses", [60, 61])
def test_what_is_no_note_of_the_table_waits_for_the_note_that_is_on_offer(pulses: int) -> None:
    line = Line()
    line.pulses(10)
    line.wait(1.0)
    line.pulses(pulses)
    line.wait(1.0)
    line.pulses(50)
    assert line.rest() == [Offered(channel=1, value_cents=100)]
    line.counter.order(Stack())
    stacked, unsolicited, offered = line.rest()
    assert stacked == Stacked(channel=1, value_cents=100, receipt=None)
    assert isinstance(unsolicited, Unsolicited)
    assert offered == Offered(channel=3, value_cents=500)


@pytest.mark.requirement("BA-04")
@pytest.mark.parametrize("pulses", [60, 61])
def test_what_is_no_note_of_the_table_inhibits_until_the_cabinet_has_confirmed_it(pulses: int) -> None:
    line = Line()
    line.pulses(pulses)
    line.rest()
    assert not line.counter.released
    line.counter.order(Stack())
    assert not line.counter.released
    line.counter.order(TAKE_ALL)
    assert line.counter.released


# The wire.


@pytest.mark.fault(22)
def test_a_broken_wire_without_a_pulse_is_an_alarm() -> None:
    line = Line()
    line.counter.edge(False, line.now)
    line.wait(2.0)
    line.counter.edge(True, line.now)
    *_, alarm = line.rest()
    assert alarm == TroubleBegan(
        trouble=Trouble.LOST_EVENTS, detail="no pulse, low for more than 150 ms; in ms: low 2000"
    )
    assert line.counter.released


@pytest.mark.fault(22)
@pytest.mark.requirement("BA-01")
def test_pulses_that_follow_a_broken_wire_at_once_are_reported() -> None:
    line = Line()
    line.low(0.4)
    line.pulses(10)
    *_, note = line.rest()
    assert "10 good pulses worth 1.00 USD, low for more than 150 ms" in unknown([note])


RESTLESS_EDGES = 2 * RESTLESS * MOST_MERGED * max(FEW)


@pytest.mark.fault(22)
@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("low_s", [0.005, 0.05])
def test_a_line_that_does_not_come_to_rest_is_a_fault_that_ends_with_it(low_s: float) -> None:
    line = Line()
    line.pulses(RESTLESS_EDGES // 2, low_s=low_s)
    line.reported.clear()
    line.pulses(2, low_s=low_s)
    assert [event for event in line.reported if not isinstance(event, Counting)] == [
        TroubleBegan(trouble=Trouble.HARDWARE, detail="the pulse line does not come to rest")
    ]
    line.reported.clear()
    ended, *reported = line.rest()
    assert ended == TroubleEnded(trouble=Trouble.HARDWARE)
    if low_s < 0.02:
        (alarm,) = reported
        assert isinstance(alarm, TroubleBegan)
        assert alarm.detail.startswith("no pulse, it did not end; in ms: low 5")
    else:
        assert len(reported) == MOST_MERGED
        assert all(f"{RESTLESS_EDGES // 2 + 2} good pulses" in unknown([each]) for each in reported)


@pytest.mark.fault(21, 22, 23, 24, 27)
@pytest.mark.requirement("BA-01", "BA-03")
@given(
    pulses=st.lists(st.tuples(st.floats(0.0205, 0.4), st.floats(0.0205, 0.6)), min_size=1, max_size=12),
    lost=st.sets(st.integers(0, 23), max_size=8),
    turned_off=st.booleans(),
)
def test_whatever_the_wire_shows_an_event_reports_it(
    pulses: list[tuple[float, float]], lost: set[int], *, turned_off: bool
) -> None:
    line = Line({1: CHANNELS[0], 5: CHANNELS[2], 10: CHANNELS[3]})
    if turned_off:
        line.counter.order(Take(channels=frozenset()))
    edges = [(level, span_s) for spans in pulses for level, span_s in zip((False, True), spans, strict=True)]
    received = [level for number, (level, _) in enumerate(edges) if number not in lost]
    for number, (level, span_s) in enumerate(edges):
        if number not in lost:
            line.counter.edge(level, line.now)
        line.wait(span_s)
    if received and not received[-1]:
        line.counter.edge(True, line.now)
    reported = [event for event in line.rest() if isinstance(event, Offered | Unsolicited) or _is_alarm(event)]
    assert bool(reported) is bool(received)


def _is_alarm(event: PulseEvent) -> bool:
    return isinstance(event, TroubleBegan) and event.trouble is Trouble.LOST_EVENTS
