"""Every way a power cut can fall on a note, for every way of talking to an acceptor: host, unit and engine together.

Rules that each line must keep, whatever it ends in:
- never more credit than notes in the box, and never the same note twice;
- a note in the box is credit, or in a lock that names it: only pulses, which have no escrow, can lose one;
- a machine that no lock stops takes the next note as if nothing had been.
"""

import random
from typing import Any

import pytest
from support.acceptors import KINDS, Kind, till_of
from support.till import Ending, Stage, Till

from cabinet.engine.locks import LOCKS
from cabinet.engine.state import ClearedBy
from drivers.bills.events import BillEvent, Offered, Stacked

CENTS = 2_000
TROUBLES = ("cabinet", "unit, note in", "unit, note out", "both, note in", "both, note out")
MOMENTS: dict[str, tuple[type[BillEvent], Stage | None]] = {
    "offer heard": (Offered, Stage.HEARD),
    "intent written": (Offered, Stage.WRITTEN),
    "on its way": (Offered, None),
    "stacked heard": (Stacked, Stage.HEARD),
    "credit written": (Stacked, Stage.WRITTEN),
    "confirmed": (Stacked, None),
}
"""When it happens: how far the cabinet is with which event, None for its orders being out and obeyed."""
LETTERS = {"C": Ending.CREDITED, "R": Ending.RETURNED, "D": Ending.IN_DOUBT, "U": Ending.UNEXPECTED}

TABLE = """
ssp with acks                              | RRRRR R..RR CCRCR CCCCC C..CC CCCCC
ssp with counters                          | RRRRR R..RR CCRCR CCCCC C..CC CCCCC
ssp that forgets the value                 | RRRRR R..RR CCRCR CCCCC C..CC CCCCC
ssp plain                                  | RRRRR D..RR CCRCR DCCDD C..CC CCCCC
id003                                      | RRRRR R..RR CCRCR CCCCC C..CC CCCCC
id003 that reports vend valid after power-up | RRRRR R..RR CCRCR CCCCC C..CC CCCCC
id003 that forgets vend valid              | RRRRR R..RR CCRCR CCCDD C..CC CCCCC
ebds                                       | RRRRR D..DD CCCCC DCCCC C..CC CCCCC
pyramid with policy A                      | RRRRR D..DD CCCCC CCCCC C..CC CCCCC
pyramid with policy B                      | RDDRR D..DD CCCCC CCCCC C..CC CCCCC
pyramid with policy C                      | RDDRR D..DD CCCCC CCCCC C..CC CCCCC
pyramid that forgets                       | RDDRR D..DD CCCCC CCCDD C..CC CCCCC
cctalk                                     | RDDRR R..DD CDDDD CCCDD C..CC CCCCC
cctalk with crc                            | RDDRR R..DD CDDDD CCCDD C..CC CCCCC
ict                                        | RDDRR D..DD DDDDD DCCDD C..CC CCCCC
pulse                                      | RCCRR D..DD CCCCC DCCDD C..CC CCCCC
"""
"""One letter for each of TROUBLES, for each of MOMENTS: Credited, Returned, in Doubt, Unexpected; a unit's power cut
between our writing and our orders is the same as one just before."""


def _play(kind: Kind, moment: str, trouble: str) -> tuple[Till, Any]:
    """One note, one trouble at one moment, and time enough for both sides to say all they know."""
    till, unit = till_of(kind)
    event, stage = MOMENTS[moment]
    who, _, where = trouble.partition(", ")
    seen: list[BillEvent] = []

    def look(reported: BillEvent) -> None:
        if isinstance(reported, event) and not seen:
            seen.append(reported)
            if who == "unit" and stage is not None:
                kind.cut(unit, where == "note in")

    till.on_event = look
    if who != "unit" and stage is not None:
        till.die(event, stage)
    assert unit.insert(CENTS)
    till.wire.run_until(lambda: bool(seen))
    if stage is None:
        _until_obeyed(kind, till, unit, moment)
        if who != "unit":
            till.die_now()
    if who == "both" or (who == "unit" and stage is None):
        kind.cut(unit, where == "note in")
    till.wire.run(3.0)
    if till.dead:
        till.come_back()
    till.wire.run(90.0)
    if unit.phase == "stuck":
        unit.take_out()
        till.wire.run(60.0)
    return till, unit


def _until_obeyed(kind: Kind, till: Till, unit: Any, moment: str) -> None:
    if moment == "on its way" and kind.escrow:
        till.wire.run_until(lambda: unit.phase == "stacking")
    else:
        till.wire.run(0.3)


def _letters(kind: Kind, moment: str) -> str:
    """What each trouble at this moment ends in; the rules of the head are checked on the way."""
    found = ""
    for trouble in TROUBLES:
        if trouble.startswith("unit") and MOMENTS[moment][1] is Stage.WRITTEN:
            found += "."
            continue
        till, unit = _play(kind, moment, trouble)
        ending = till.ending(CENTS)
        assert till.claimed <= sum(unit.stacked), f"{trouble}: claims what is not in the box"
        assert not kind.escrow or till.explained(sum(unit.stacked) - till.claimed), f"{trouble}: a note is forgotten"
        _next_note_is_credit(till, unit)
        found += next(letter for letter, which in LETTERS.items() if which is ending)
    return found


def _next_note_is_credit(till: Till, unit: Any) -> None:
    if till.cabinet.machine.locks:
        return
    before = till.cabinet.credit
    till.wire.run_until(lambda: till.taking and unit.enabled)
    assert unit.insert(500)
    till.wire.run_until(lambda: till.cabinet.credit == before + 500)


def _expected() -> dict[str, list[str]]:
    lines = (line.split("|") for line in TABLE.strip().splitlines())
    return {name.strip(): letters.split() for name, letters in lines}


OTHER_UNITS = frozenset(
    {
        "ssp that forgets the value",
        "id003 that reports vend valid after power-up",
        "pyramid with policy A",
        "pyramid with policy C",
        "cctalk with crc",
    }
)
"""Units that speak the language of another line of the table; `make test-all` plays their lines."""
_PARAMETERS = [pytest.param(name, marks=[pytest.mark.breadth] if name in OTHER_UNITS else []) for name in KINDS]


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("name", _PARAMETERS)
def test_no_cut_at_any_time_credits_what_is_not_in_the_box_or_forgets_what_is(name: str, breadth: int) -> None:
    for seed in range(3 * breadth):
        till, unit = till_of(KINDS[name])
        _bad_evening(random.Random(seed), KINDS[name], till, unit)
        assert till.claimed <= sum(unit.stacked), f"seed {seed}: claims what is not in the box"
        missing = sum(unit.stacked) - till.claimed
        assert not KINDS[name].escrow or till.explained(missing), f"seed {seed}: a note is forgotten"


def _bad_evening(lot: random.Random, kind: Kind, till: Till, unit: Any) -> None:
    """Notes, and sooner or later after each a cut of either side; until a lock asks for the attendant."""
    for _ in range(4):
        if any(LOCKS[lock.kind].cleared_by is not ClearedBy.CONDITION for lock in till.cabinet.machine.locks):
            return
        unit.insert(lot.choice((100, 500, 1_000, CENTS)))
        till.wire.run(lot.random() * 5.0)
        who = lot.choice(("none", "cabinet", "unit", "both"))
        if who in ("cabinet", "both"):
            till.die_now()
        if who in ("unit", "both"):
            kind.cut(unit, lot.random() < 0.5)
        till.wire.run(lot.random() * 5.0)
        if till.dead:
            till.come_back()
        till.wire.run(60.0)


def test_the_table_has_every_way_of_talking() -> None:
    assert list(_expected()) == list(KINDS)


@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.fault(1, 4)
@pytest.mark.parametrize("name", _PARAMETERS)
def test_every_cut_at_every_moment_ends_as_the_table_says(name: str) -> None:
    assert [_letters(KINDS[name], moment) for moment in MOMENTS] == _expected()[name]
