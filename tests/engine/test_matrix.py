"""What is allowed under which lock, singly and two at a time, written from the requirements and not from the engine.

Source: requirements 1.9a (effect of each event) and 1.9b (what is allowed in which state), PL-14, TE-02, TE-03.
"""

from collections.abc import Iterable, Mapping
from itertools import permutations

import pytest
from support.cases import case
from support.machines import Cabinet, dealt, seated

from cabinet.engine import locks
from cabinet.engine.effects import StackBill
from cabinet.engine.inputs import BackOut, Bet, BillOffered, Button, CallAttendant, CashOut, Deal, Hit, Key, KeyTurned
from cabinet.engine.machine import lit, step, why_not
from cabinet.engine.state import LockKind, State
from cabinet.engine.step import StepBuilder

OFF: Mapping[LockKind, str] = {
    LockKind.MEMORY: "pnc",
    LockKind.SETTINGS_REFUSED: "pnc",
    LockKind.DATA_REFUSED: "pnc",
    LockKind.DATA_PARTITION_MISSING: "pnc",
    LockKind.SELF_AUDIT: "pnc",
    LockKind.PROGRAM_CHANGED: "pnc",
    LockKind.LOGIC_DOOR: "pnc",
    LockKind.MAIN_DOOR: "pnc",
    LockKind.CASHBOX_DOOR: "pnc",
    LockKind.CASHBOX_REMOVED: "pnc",
    LockKind.DOOR_WHILE_OFF: "pnc",
    LockKind.BILL_CHEAT: "n",
    LockKind.BILL_JAM: "pnc",
    LockKind.NOTE_IN_DOUBT: "pnc",
    LockKind.UNEXPECTED_NOTE: "pnc",
    LockKind.TICKET_IN_DOUBT: "pnc",
    LockKind.UNEXPECTED_TICKET: "pnc",
    LockKind.EXCESSIVE_INCREMENT: "pnc",
    LockKind.PRINT_UNKNOWN: "pnc",
    LockKind.PRINTER_JAM: "pnc",
    LockKind.HAND_PAY: "pnc",
    LockKind.LARGE_WIN: "pnc",
    LockKind.OUT_OF_SERVICE: "pn",
    LockKind.DISPLAY_LOST: "pnc",
    LockKind.STORAGE_LOW: "pn",
    LockKind.SECOND_COPY_LOST: "pn",
    LockKind.COPIES_NOT_COMPARED: "pnc",
    LockKind.RECORDS_IN_DOUBT: "pnc",
    LockKind.PLAYER_LIMIT: "pn",
    LockKind.CASHBOX_FULL: "n",
    LockKind.EXCESSIVE_REJECTS: "n",
    LockKind.ACCEPTOR_FAULT: "n",
    LockKind.ACCEPTOR_LINK: "n",
    LockKind.ACCEPTOR_WRONG: "n",
    LockKind.ACCEPTOR_EVENTS_LOST: "n",
    LockKind.PRINTER_LINK: "",
    LockKind.PRINTER_FAULT: "",
    LockKind.PRINTER_COVER: "",
    LockKind.PAPER_OUT: "",
    LockKind.PAPER_LOW: "",
    LockKind.CASHBOX_NEAR_FULL: "",
    LockKind.CLOCK_INVALID: "",
    LockKind.OVER_TEMPERATURE: "",
    LockKind.UNDER_VOLTAGE: "",
    LockKind.STUCK_BUTTON: "",
}
"""What each lock switches off: p (play), n (notes), c (cash-out)."""

HAND_FINISHES = {
    LockKind.OUT_OF_SERVICE,
    LockKind.STORAGE_LOW,
    LockKind.SECOND_COPY_LOST,
    LockKind.COPIES_NOT_COMPARED,
    LockKind.RECORDS_IN_DOUBT,
    LockKind.PLAYER_LIMIT,
}
"""No faults of the hand: it may be played to its end."""


def under(cabinet: Cabinet, *kinds: LockKind) -> Cabinet:
    """The cabinet with these locks added in this order."""
    step = StepBuilder(cabinet.settings, cabinet.machine, cabinet.draw)
    for kind in kinds:
        locks.add_lock(step, kind)
    return Cabinet(machine=step.machine, settings=cabinet.settings, draw=cabinet.draw)


@pytest.fixture(scope="module")
def betting() -> Cabinet:
    """Credit and a bet: everything may be done."""
    cabinet = seated("table", credit=10_000)
    cabinet.do(Bet(place=0))
    assert off(cabinet) == ""
    return cabinet


@pytest.fixture(scope="module")
def deciding() -> Cabinet:
    """A hand waits for a decision."""
    return dealt("table", "8S 6D 8H 10C", credit=10_000)


def off(cabinet: Cabinet) -> str:
    """What is off now, asked by trying."""
    settings, machine = cabinet.settings, cabinet.machine
    offered = step(settings, machine, BillOffered(cents=500), cabinet.draw)
    refused = (
        ("p", why_not(settings, machine, Deal()) is not None),
        ("n", offered.effects != (StackBill(),)),
        ("c", why_not(settings, machine, CashOut()) is not None),
    )
    return "".join(word for word, is_off in refused if is_off)


def expected(kinds: Iterable[LockKind]) -> str:
    """What several locks switch off together."""
    named = {letter for kind in kinds for letter in OFF[kind]}
    return "".join(letter for letter in "pnc" if letter in named)


def test_the_table_has_every_lock() -> None:
    assert OFF.keys() == set(LockKind)


@pytest.mark.requirement("TE-01", "TE-03", "CM-06", "BA-04")
def test_a_lock_switches_off_what_the_requirements_say_and_nothing_else(betting: Cabinet) -> None:
    for kind in LockKind:
        with case(kind=kind):
            cabinet = under(betting, kind)
            assert off(cabinet) == OFF[kind]
            backs_out = why_not(cabinet.settings, cabinet.machine, BackOut()) is None
            assert backs_out is (kind is LockKind.HAND_PAY)
            assert why_not(cabinet.settings, cabinet.machine, CallAttendant()) is None, (
                "the service button always works"
            )
            if OFF[kind] == "pnc" and kind is not LockKind.HAND_PAY:
                assert lit(cabinet.settings, cabinet.machine) == {Button.SERVICE}
            cabinet.do(KeyTurned(key=Key.AUDIT, on=True))
            assert cabinet.state is State.AUDIT


@pytest.mark.requirement("PL-14", "TE-03", "AT-02", "CM-06")
def test_an_open_hand_goes_on_only_under_what_does_not_touch_it(deciding: Cabinet) -> None:
    for kind in LockKind:
        with case(kind=kind):
            cabinet = under(deciding, kind)
            stopped = "p" in OFF[kind] and kind not in HAND_FINISHES
            assert (why_not(cabinet.settings, cabinet.machine, Hit()) is not None) is stopped
            assert why_not(cabinet.settings, cabinet.machine, CashOut()) is not None, "never during a hand"
            cabinet.do(KeyTurned(key=Key.AUDIT, on=True))
            assert (cabinet.state is State.AUDIT) is stopped, "the menu opens where a fault interrupts the hand"


@pytest.mark.requirement("TE-02", "TE-03", "PD-06")
def test_two_locks_stop_what_either_stops_stay_apart_and_the_graver_comes_first(betting: Cabinet) -> None:
    order = list(OFF)
    for one, other in permutations(LockKind, 2):
        with case(one=one, other=other):
            cabinet = under(betting, one, other)
            assert cabinet.locked() == sorted((one, other), key=order.index)
            assert off(cabinet) == expected((one, other))
            step = StepBuilder(cabinet.settings, cabinet.machine, cabinet.draw)
            locks.clear_lock(step, cabinet.lock(one))
            left = Cabinet(machine=step.machine, settings=cabinet.settings, draw=cabinet.draw)
            assert left.locked() == [other]
            assert off(left) == OFF[other]
