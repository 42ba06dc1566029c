"""A ccTalk unit loses its power at every moment of a note, and counts on before the host looks again.

After a restart the unit counts from 0. Notes that are pushed at it while it is switched off make it count rejects,
so that the next poll finds any counter: lower than before, higher, or the same.
"""

import itertools

import pytest
from support.acceptors import KINDS, till_of
from support.notes import CHANNELS
from support.till import Ending, Till

from drivers.bills.cctalk.codec import RING_SIZE, Status
from drivers.bills.cctalk.host import CcTalkProtocol
from drivers.bills.events import TroubleBegan
from drivers.simulated.cctalk_validator import CcTalkValidator

CENTS = 2_000
MOMENTS_S = tuple(tenths / 10 for tenths in range(25))
"""From drawing the note in until long after it is booked."""
PUSHED = (0, 1, 2, 3, 5, 6, 12, 22)
"""Rejects between the restart and the next look."""
SOON_S = 15.0
"""The unit's boot and a start-up of the host, and none of the long waits for a note's end."""
PATIENCE_S = 90.0
"""The longest wait for a note's end, which is needed where a restart looks like five rejects in a row."""


@pytest.mark.sample(2)
@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("before", [0, 3, 20, 252])
@pytest.mark.parametrize("to_cashbox", [True, False])
def test_a_note_is_in_the_books_or_named_by_a_lock_whenever_the_unit_restarts(before: int, *, to_cashbox: bool) -> None:
    endings: set[Ending] = set()
    for moment_s, pushed in itertools.product(MOMENTS_S, PUSHED):
        unit = CcTalkValidator(CHANNELS)
        for _ in range(before):
            unit.post(0, Status.STACKER_OK)
        till = Till(make=CcTalkProtocol, unit=unit)
        till.wire.run_until(lambda till=till, unit=unit: till.taking and unit.enabled)
        assert unit.insert(CENTS)
        till.wire.run(moment_s)
        unit.power_cycle(to_cashbox=to_cashbox)
        for _ in range(pushed):
            unit.post(0, Status.MASTER_INHIBIT)
        till.wire.run(SOON_S)
        if till.cabinet.machine.acceptor.in_path is not None:
            assert pushed > RING_SIZE, (moment_s, pushed)
            till.wire.run_until(lambda till=till: till.cabinet.machine.acceptor.in_path is None, at_most_s=PATIENCE_S)
        ending = till.ending(CENTS)
        endings.add(ending)
        reported = moment_s, pushed, ending
        assert ending in ((Ending.CREDITED, Ending.IN_DOUBT) if unit.stacked else (Ending.RETURNED, Ending.IN_DOUBT)), (
            reported
        )
    assert {Ending.CREDITED, Ending.IN_DOUBT, Ending.RETURNED} == endings


@pytest.mark.requirement("BA-03")
def test_where_no_note_was_known_the_alarm_says_that_one_may_lie_in_the_box() -> None:
    till, unit = till_of(KINDS["cctalk"])
    till.wire.run_until(lambda: till.taking and unit.enabled)
    unit.insert(CENTS)
    till.wire.run(0.1)
    assert unit.phase == "reading"
    unit.power_cycle()
    for _ in range(10):
        unit.post(0, Status.MASTER_INHIBIT)
    assert "a note may lie in its box uncounted" in till.wire.run_until_event(TroubleBegan, at_most_s=SOON_S).detail
