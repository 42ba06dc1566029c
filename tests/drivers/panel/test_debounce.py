"""Contacts chatter; the debouncer says what the finger did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.panel.debounce import Change, Debouncer
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
def test_bounces_count_once_when_looked_at_every_millisecond(trace_ms: tuple[float, ...]) -> None:
    debouncer = Debouncer()
    changes: list[Change] = []
    for ms in range(200):
        for n, edge_ms in enumerate(trace_ms):
            if ms <= edge_ms < ms + 1:
                debouncer.edge(HIT, n % 2 == 0, edge_ms / 1000)
        changes += debouncer.changes((ms + 1) / 1000)
    assert [change.active for change in changes] == [True]


def test_a_level_counts_after_five_steady_milliseconds_and_not_before() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    assert debouncer.due() == pytest.approx(1.005)
    assert debouncer.changes(1.0049) == ()
    assert debouncer.changes(debouncer.due() or 0.0) == (Change(name=HIT, active=True, at_s=1.0),)
    assert debouncer.due() is None
    assert debouncer.changes(2.0) == ()


def test_a_glitch_shorter_than_that_never_happened() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, False, 1.0049)
    assert debouncer.due() is None
    assert debouncer.changes(9.0) == ()


def test_a_glitch_during_a_long_press_does_not_end_it() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.edge(HIT, False, 1.0)
    debouncer.edge(HIT, True, 1.002)
    assert debouncer.changes(9.0) == ()


def test_a_press_and_its_release_count_even_if_nobody_looked_between() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, False, 1.05)
    assert debouncer.changes(2.0) == (
        Change(name=HIT, active=True, at_s=1.0),
        Change(name=HIT, active=False, at_s=1.05),
    )


def test_two_presses_in_one_look_are_two_presses() -> None:
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
    assert debouncer.due() == pytest.approx(1.005)
    assert debouncer.changes(1.006) == (Change(name=HIT, active=True, at_s=1.0),)


def test_a_lost_release_edge_is_healed_by_the_polled_level() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.sample(HIT, False, 1.0)
    assert debouncer.changes(1.006) == (Change(name=HIT, active=False, at_s=1.0),)


def test_a_glitch_whose_end_was_lost_is_taken_back_by_the_polled_level() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, False, 1.02)
    assert debouncer.changes(1.1) == ()


def test_a_polled_level_that_agrees_does_not_prolong_the_wait() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.sample(HIT, True, 1.004)
    assert debouncer.due() == pytest.approx(1.005)


def test_the_same_edge_twice_means_one_was_lost_and_the_wait_starts_again() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(HIT, True, 1.003)
    assert debouncer.due() == pytest.approx(1.008)


def test_a_level_at_the_start_is_no_change() -> None:
    debouncer = Debouncer(levels={HIT: True})
    debouncer.sample(HIT, True, 1.0)
    assert debouncer.changes(9.0) == ()
    assert debouncer.due() is None


def test_an_edge_stamped_after_the_look_began_waits_for_its_own_time() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.001)
    debouncer.sample(HIT, True, 1.0)
    assert debouncer.changes(1.0) == ()
    assert debouncer.due() == pytest.approx(1.006)


def test_time_running_backwards_shortens_no_wait() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 2.0)
    debouncer.edge(HIT, False, 1.0)
    debouncer.edge(HIT, True, 1.5)
    assert debouncer.due() == pytest.approx(2.005)


def test_pending_names_what_is_worth_looking_at() -> None:
    debouncer = Debouncer()
    debouncer.edge(HIT, True, 1.0)
    debouncer.edge(STAND, True, 1.0)
    debouncer.edge(STAND, False, 1.001)
    assert debouncer.pending() == {HIT}


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
