"""Contacts bounce; the debouncer reports the presses."""

from collections.abc import Iterable
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.panel.debounce import LATE_S, PRESS_S, REST_S, Change, Debouncer
from drivers.panel.layout import Input

HIT = Input.HIT
STAND = Input.STAND

# Milliseconds at which a contact toggles, the first toggle closing or opening it. The shapes are those of common parts:
# a light micro switch, an arcade button with a stiff spring, a worn contact, a door switch falling shut, a slow key.
BOUNCES = {
    "clean": (0.0,),
    "micro switch": (0.0, 0.12, 0.2, 0.55, 0.61),
    "arcade button": (0.0, 0.4, 0.9, 1.1, 1.9, 2.0, 2.6, 3.3, 3.35),
    "worn contact": (0.0, 0.05, 0.3, 0.8, 1.6, 2.9, 3.1, 4.7, 6.9, 8.4, 8.5),
    "door switch": (0.0, 3.0, 7.5, 9.0, 13.0, 13.1, 17.2),
    "slow key": tuple(0.7 * n for n in range(41)),
}


def toggle(debouncer: Debouncer, name: Input, trace_ms: tuple[float, ...], start_s: float, level: bool) -> None:
    """Feed a bounce trace that ends at `level`."""
    assert len(trace_ms) % 2, "an even number of toggles ends where it began"
    for n, ms in enumerate(trace_ms):
        debouncer.edge(name, level if n % 2 == 0 else not level, start_s + ms / 1000)


@pytest.mark.parametrize("trace_ms", BOUNCES.values(), ids=BOUNCES.keys())
def test_a_bouncing_press_and_release_count_once_each(trace_ms: tuple[float, ...]) -> None:
    debouncer = Debouncer()
    toggle(debouncer, HIT, trace_ms, 10.0, level=True)
    pressed = debouncer.changes(10.1)
    toggle(debouncer, HIT, trace_ms, 10.2, level=False)
    released = debouncer.changes(10.3)
    last_s = trace_ms[-1] / 1000
    assert pressed == (Change(name=HIT, active=True, at_s=10.0 + last_s),)
    assert released == (Change(name=HIT, active=False, at_s=10.2 + last_s),)


@pytest.mark.parametrize("trace_ms", BOUNCES.values(), ids=BOUNCES.keys())
def test_bounces_count_once_when_polled_every_millisecond(trace_ms: tuple[float, ...]) -> None:
    debouncer = Debouncer()
    changes: list[Change] = []
    for ms in range(200):
        for n, edge_ms in enumerate(trace_ms):
            if ms <= edge_ms < ms + 1:
                debouncer.edge(HIT, n % 2 == 0, edge_ms / 1000)
        changes += debouncer.changes((ms + 1) / 1000)
    assert [change.active for change in changes] == [True]


def test_a_press_counts_after_fifteen_steady_milliseconds_and_not_before() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    assert debouncer.due() == pytest.approx(1.015)
    assert debouncer.changes(1.0149) == ()
    assert debouncer.changes(debouncer.due() or 0.0) == (Change(name=HIT, active=True, at_s=1.0),)
    assert debouncer.due() is None
    assert debouncer.changes(2.0) == ()


def test_a_glitch_shorter_than_that_never_happened() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, False, 1.0149)
    assert debouncer.due() is None
    assert debouncer.changes(9.0) == ()


def test_a_glitch_during_a_long_press_does_not_end_it() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.edge(HIT, False, 1.0)
    debouncer.edge(HIT, True, 1.002)
    assert debouncer.changes(9.0) == ()


def test_a_press_and_its_release_count_without_a_poll_between() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, False, 1.05)
    assert debouncer.changes(2.0) == (
        Change(name=HIT, active=True, at_s=1.0),
        Change(name=HIT, active=False, at_s=1.05),
    )


def test_two_presses_in_one_poll_are_two_presses() -> None:
    debouncer = Debouncer()
    for start_s in (1.0, 1.1):
        debouncer.edge(HIT, True, start_s)
        debouncer.edge(HIT, False, start_s + 0.04)
    assert [change.active for change in debouncer.changes(2.0)] == [True, False, True, False]


def test_changes_come_oldest_first_across_inputs() -> None:
    debouncer = Debouncer()
    debouncer.edge(STAND, True, 1.02)
    debouncer.edge(HIT, True, 1.01)
    assert [change.name for change in debouncer.changes(2.0)] == [HIT, STAND]


def test_a_press_is_due_at_once_when_its_release_has_settled_it() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, False, 1.05)
    assert debouncer.due() == pytest.approx(1.0)


def test_a_lost_press_edge_is_healed_by_the_polled_level() -> None:
    debouncer = Debouncer()
    debouncer.sample(HIT, True, 1.0)
    assert debouncer.due() == pytest.approx(1.015)
    assert debouncer.changes(1.016) == (Change(name=HIT, active=True, at_s=1.0),)


def test_a_lost_release_edge_is_healed_by_the_polled_level() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.sample(HIT, False, 1.0)
    assert debouncer.changes(1.031) == (Change(name=HIT, active=False, at_s=1.0),)


def test_a_glitch_whose_end_was_lost_is_taken_back_by_the_polled_level() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.02)
    assert debouncer.changes(1.1) == ()


@pytest.mark.parametrize("late_s", [0.0, LATE_S - 0.001])
def test_a_tap_whose_release_is_polled_before_its_edge_is_reported_counts(late_s: float) -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.02)
    early = debouncer.changes(1.02)
    debouncer.edge(HIT, False, 1.02 + late_s)
    assert [change.active for change in (*early, *debouncer.changes(2.0))] == [True, False]


def test_a_release_whose_next_press_is_polled_before_its_edge_is_reported_counts() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.edge(HIT, False, 1.0)
    debouncer.sample(HIT, True, 1.031)
    debouncer.edge(HIT, True, 1.031)
    assert [change.active for change in debouncer.changes(2.0)] == [False, True]


def test_a_glitch_whose_end_is_polled_before_its_edge_is_no_press() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.014)
    debouncer.edge(HIT, False, 1.02)
    assert debouncer.changes(2.0) == ()


def test_an_edge_that_never_comes_is_lost_after_fifty_milliseconds() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.02)
    assert debouncer.due() == pytest.approx(1.02 + LATE_S)
    debouncer.edge(HIT, False, 1.02 + LATE_S)
    assert debouncer.changes(2.0) == ()


def test_a_press_after_a_lost_release_does_not_prove_the_press_before() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.02)
    debouncer.edge(HIT, True, 1.03)
    assert debouncer.changes(2.0) == (Change(name=HIT, active=True, at_s=1.03),)


def test_a_level_that_is_read_again_after_a_doubt_waits_from_then_on() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.01)
    debouncer.sample(HIT, True, 1.02)
    assert debouncer.changes(2.0) == (Change(name=HIT, active=True, at_s=1.02),)


def test_a_polled_level_that_agrees_does_not_prolong_the_wait() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, True, 1.004)
    assert debouncer.due() == pytest.approx(1.015)


def test_the_same_edge_twice_means_one_was_lost_and_the_wait_starts_again() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, True, 1.003)
    assert debouncer.due() == pytest.approx(1.018)


def test_a_level_at_the_start_is_no_change() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.sample(HIT, True, 1.0)
    assert debouncer.changes(9.0) == ()
    assert debouncer.due() is None


def test_a_level_that_is_let_count_is_what_later_changes_begin_from() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.settle({HIT: True})
    assert debouncer.changes(2.0) == ()
    debouncer.edge(HIT, False, 2.0)
    assert debouncer.changes(3.0) == (Change(name=HIT, active=False, at_s=2.0),)


def test_an_edge_stamped_after_the_poll_began_waits_for_its_own_time() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.001)
    debouncer.sample(HIT, True, 1.0)
    assert debouncer.changes(1.0) == ()
    assert debouncer.due() == pytest.approx(1.016)


def test_time_running_backwards_shortens_no_wait() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 2.0)
    debouncer.edge(HIT, False, 1.0)
    debouncer.edge(HIT, True, 1.5)
    assert debouncer.due() == pytest.approx(2.015)


def test_pending_names_what_is_worth_looking_at() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(STAND, True, 1.0)
    debouncer.edge(STAND, False, 1.001)
    assert debouncer.pending() == {HIT}


# --- bad contacts and lines beside a relay ----------------------------------------------------------------------


def presses_of(segments_ms: Iterable[float], looks_ms: Iterable[float] = ()) -> list[float]:
    """The times in ms of the presses that count: a contact closes at 1000 for the first segment, opens for the next."""
    debouncer, found = Debouncer(), list[Change]()
    edges = [(ms, n % 2 == 0) for n, ms in enumerate(accumulate(segments_ms, initial=1_000.0))]
    for ms, level in sorted((*edges, *((look, None) for look in looks_ms)), key=lambda each: each[0]):
        if level is None:
            found += debouncer.changes(ms / 1_000)
        else:
            debouncer.edge(HIT, level, ms / 1_000)
    found += debouncer.changes(9_999.0)
    assert [change.active for change in found] == [n % 2 == 0 for n in range(len(found))]
    return [round(change.at_s * 1_000, 3) for change in found if change.active]


@pytest.mark.parametrize(
    ("segments_ms", "presses"),
    [
        ((6.5, 6.5, 40.0), [1_013.0]),
        ((40.0, 6.5, 40.0), [1_000.0]),
        ((6.0,), []),
        ((6.0, 200.0, 6.0, 14.0, 14.9), []),
        ((20.0, 29.0, 20.0), [1_000.0]),
        ((20.0, 31.0, 20.0), [1_000.0, 1_051.0]),
        ((20.0, 20.0, 2.0, 20.0, 20.0), [1_000.0]),
        ((15.0, 30.0, 15.0), [1_000.0, 1_045.0]),
    ],
    ids=[
        "a hole as the contact closes",
        "a hole in a held contact",
        "a pulse from a relay",
        "pulses from a relay",
        "a hole of almost the rest",
        "two quick presses",
        "a release that bounces",
        "just long enough",
    ],
)
def test_a_bad_contact_is_one_press_and_a_disturbed_line_none(segments_ms, presses) -> None:
    assert presses_of(segments_ms) == presses


def test_a_button_whose_press_is_set_shorter_counts_sooner() -> None:
    debouncer = Debouncer(press_s=0.006)
    debouncer.edge(HIT, True, 1.0)
    assert debouncer.due() == pytest.approx(1.006)


def expected(segments_ms: list[float]) -> list[float]:
    """The changes that count by the rule, computed from whole segments."""
    now, down, found = 1_000.0, False, list[float]()
    for n, length in enumerate(segments_ms):
        closed = n % 2 == 0
        if closed and not down and length >= PRESS_S * 1_000:
            down = True
            found.append(now)
        elif not closed and length >= REST_S * 1_000:
            down = False
        now += length
    return found


LENGTHS = st.lists(st.integers(0, 79).map(lambda half: half / 2 + 0.25), max_size=40)


@given(LENGTHS, st.lists(st.integers(1_000, 1_800).map(lambda ms: ms + 0.1), max_size=30))
def test_whatever_a_contact_does_a_press_holds_and_none_comes_soon_after_an_edge(
    segments_ms: list[float], looks_ms: list[float]
) -> None:
    """For any number of polls between. The contact is open at the end."""
    segments_ms = segments_ms if len(segments_ms) % 2 else [*segments_ms, 5.25]
    assert presses_of(segments_ms, looks_ms) == [round(ms, 3) for ms in expected(segments_ms)]


@given(st.lists(st.integers(1, 14), max_size=12), st.lists(st.integers(1, 29), max_size=12), st.integers(40, 400))
def test_one_push_of_a_finger_is_one_press_however_it_bounces(
    closed_ms: list[int], open_ms: list[int], held_ms: int
) -> None:
    """Bounces shorter than a press as it closes, gaps shorter than the rest while it is held and as it opens."""
    bounces = [float(ms) for pair in zip(closed_ms, open_ms, strict=False) for ms in pair]
    assert len(presses_of([*bounces, float(held_ms), *bounces[::-1]])) == 1


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("edge", "sample", "changes")),
        st.sampled_from((HIT, STAND)),
        st.booleans(),
        st.integers(min_value=0, max_value=12),
    ),
    max_size=60,
)


@given(steps=STEPS)
def test_whatever_comes_changes_alternate_and_end_at_the_level_seen_last(
    steps: list[tuple[str, Input, bool, int]],
) -> None:
    debouncer = Debouncer()
    changes: list[Change] = []
    now, seen = 0.0, {HIT: False, STAND: False}
    for kind, name, level, wait_ms in steps:
        now += wait_ms / 1000
        if kind == "changes":
            changes += debouncer.changes(now)
            continue
        seen[name] = level
        (debouncer.edge if kind == "edge" else debouncer.sample)(name, level, now)
    changes += debouncer.changes(now + 1)
    for name in (HIT, STAND):
        levels = [change.active for change in changes if change.name is name]
        assert levels == [n % 2 == 0 for n in range(len(levels))]
        assert (levels[-1] if levels else False) is seen[name]
    assert debouncer.due() is None
