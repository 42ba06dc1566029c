"""Every trouble of a line with every protocol of an acceptor: host, unit and engine together.

Whatever the line does, the machine takes no more money for its own than lies in the box, nothing in the box is
forgotten without a lock that names it, and once the line is good again either notes are taken or a lock says why not.

Some troubles do not exist on some lines: ICT's bytes have no check sum, so nothing detects a byte that comes twice or
is made up from a real one, but wires do not repeat bytes and parity drops most noise; a pulse unit's records come
from the board and not over a line.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from support.acceptors import KINDS, Kind, till_of
from support.till import Till
from support.wire import Damage, Harm, byte_by_byte, unharmed

from cabinet.engine.locks import LOCKS
from cabinet.engine.state import ClearedBy
from drivers.bills.catalog import PROTOCOLS

CENTS = (100, 500, 1_000, 2_000)
NO_CHECK_SUM = frozenset({"ict", "pulse"})


def bursts(lot: random.Random) -> Damage:
    """Now and then noise ahead of a chunk, or behind it."""

    def damage(chunk: bytes) -> list[tuple[float, bytes]]:
        ahead, behind = (lot.randbytes(lot.randrange(1, 40)) if lot.random() < 0.15 else b"" for _ in range(2))
        return [(0.0, piece) for piece in (ahead, chunk, behind)]

    return damage


TROUBLES: Mapping[str, Callable[[random.Random], Damage]] = {
    "one byte at a time": lambda _: byte_by_byte,
    "20 % lost": lambda lot: Harm(lost=0.2).by(lot),
    "doubled": lambda lot: Harm(doubled=0.2).by(lot),
    "delayed": lambda lot: Harm(delayed=0.2).by(lot),
    "bits flipped": lambda lot: Harm(flipped=0.1).by(lot),
    "noise bursts": bursts,
    "gone and back": lambda _: unharmed,
}
UNCHECKED = frozenset({"doubled", "bits flipped", "noise bursts"})
CASES = [(name, trouble) for name in KINDS for trouble in TROUBLES if {name} - NO_CHECK_SUM or trouble not in UNCHECKED]


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-11")
@pytest.mark.parametrize(("name", "trouble"), CASES)
def test_no_trouble_of_the_line_makes_or_loses_money(name: str, trouble: str, breadth: int) -> None:
    taken = 0
    for seed in range(breadth):
        till, unit = till_of(KINDS[name])
        lot = random.Random(seed)
        till.wire.damage = TROUBLES[trouble](lot)
        _evening(lot, till, unit, unplug=trouble == "gone and back")
        till.wire.damage = unharmed
        till.wire.run(90.0)
        _judge(KINDS[name], till, unit, seed)
        taken += sum(unit.stacked)
    assert taken, "not one note was taken"


def _needs_attendant(till: Till) -> bool:
    return any(LOCKS[lock.kind].cleared_by is not ClearedBy.CONDITION for lock in till.cabinet.machine.locks)


def _evening(lot: random.Random, till: Till, unit: Any, *, unplug: bool) -> None:
    for _ in range(6):
        if _needs_attendant(till):
            return
        unit.insert(lot.choice(CENTS))
        till.wire.run(lot.random() * 4.0)
        if unplug:
            till.wire.disconnect()
            till.wire.run(lot.random() * 10.0)
            till.reconnect()
        till.wire.run(5.0)


def _judge(kind: Kind, till: Till, unit: Any, seed: int) -> None:
    box = sum(unit.stacked)
    assert till.claimed <= box, f"seed {seed}: claims {till.claimed} of {box} in the box"
    assert not kind.escrow or till.explained(box - till.claimed), f"seed {seed}: a note is forgotten"
    if not till.cabinet.machine.locks:
        before = till.cabinet.credit
        till.wire.run_until(lambda: till.taking and unit.enabled)
        assert unit.insert(500)
        till.wire.run_until(lambda: till.cabinet.credit == before + 500)


def test_every_protocol_is_among_them() -> None:
    assert {name.split()[0] for name in KINDS} == {*PROTOCOLS, "pulse"}
