"""What makes a version sick."""

from dataclasses import replace

import pytest

from cabinet.installation.update.books import Figures
from cabinet.installation.update.comparison import why_busy, why_different, why_not_started, worse

OUT, CHANGED = "out of service", "program changed"
BEFORE = Figures(
    accounts={"credit": 0, "house": -500, "tickets": 500},
    meters={"bills_in": 2000, "by_game": {"classic": {"games_played": 3}}},
    locks=(OUT, "paper low"),
    held=(),
    form=5,
    start=7,
    program="0.1.0",
)
AFTER = replace(BEFORE, locks=(OUT, "paper low", CHANGED), start=9, program="0.2.0")


def test_equal_figures_and_the_lock_of_an_update_are_in_order():
    assert why_different(BEFORE, AFTER, back=False) == ()
    assert why_not_started(BEFORE, AFTER, "0.2.0") == ()


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (replace(AFTER, accounts={**BEFORE.accounts, "house": -400}), "house was -500 and is -400"),
        (replace(AFTER, accounts={**BEFORE.accounts, "new": 1}), "new was 0 and is 1"),
        (replace(AFTER, accounts={"credit": 0, "house": -500}), "tickets was 500 and is 0"),
        (replace(AFTER, meters={**BEFORE.meters, "bills_in": 0}), "the meter bills_in was 2000 and is 0"),
        (
            replace(AFTER, meters={**BEFORE.meters, "by_game": {"classic": {"games_played": 4}}}),
            "the meter by_game was",
        ),
        (replace(AFTER, meters={"bills_in": 2000}), "the meter by_game is missing"),
        (replace(AFTER, locks=(*AFTER.locks, "memory fault")), "the machine is locked: memory fault"),
    ],
)
def test_each_difference_is_named(after: Figures, said: str):
    (found,) = why_different(BEFORE, after, back=False)
    assert found.startswith(said)


def test_a_door_that_the_technician_opens_meanwhile_is_no_fault_of_the_version():
    doors = ("logic door", "main door", "cash box door", "cash box removed", "door opened while off")
    assert why_different(BEFORE, replace(AFTER, locks=(*AFTER.locks, *doors)), back=False) == ()


def test_new_meters_and_locks_that_ended_are_no_difference():
    after = replace(AFTER, meters={**BEFORE.meters, "new": 5}, locks=(OUT,))
    assert why_different(BEFORE, after, back=False) == ()


def test_the_version_before_need_not_know_every_meter():
    assert why_different(BEFORE, replace(AFTER, meters={"bills_in": 2000}), back=True) == ()


def test_a_start_that_is_not_in_the_books_is_no_start():
    assert why_not_started(BEFORE, replace(AFTER, start=BEFORE.start), "0.2.0") != ()
    assert why_not_started(BEFORE, AFTER, "0.3.0") != ()


def test_a_machine_out_of_service_with_nothing_in_it_may_be_updated():
    assert why_busy(BEFORE) == ()


@pytest.mark.parametrize(
    ("figures", "number"),
    [
        (replace(BEFORE, locks=()), 1),
        (replace(BEFORE, held=("a credit of 5.00",)), 1),
        (replace(BEFORE, held=("a credit of 5.00", "an open hand"), locks=()), 3),
    ],
)
def test_each_reason_against_an_update_is_named(figures: Figures, number: int):
    assert len(why_busy(figures)) == number


def test_only_findings_that_were_not_bad_before_make_a_version_worse():
    old = {"Panel": "no chip", "Acceptor": "silent"}
    assert worse(old, {"Panel": "no chip at all"}) == ()
    assert worse(old, {**old, "Fonts": "missing"}) == ("Fonts: missing",)
