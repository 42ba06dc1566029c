"""How the machines inside `Machine` are coupled, and what never exists together: the head of `engine/machine.py`."""

import random
from collections.abc import Callable, Mapping

from support.cases import case
from support.inputs import COMMANDS, FACTS, Hand
from support.machines import SETTINGS
from support.rounds import seeded_draw

from cabinet.engine.documents import DOUBTS
from cabinet.engine.inputs import Door
from cabinet.engine.ledger import Account
from cabinet.engine.locks import DOOR_LOCKS, find, hand_open, play_stopped
from cabinet.engine.machine import starting, state_of, step
from cabinet.engine.round import Stage
from cabinet.engine.state import LockKind, Machine, Phase, State

PAYOUTS = (LockKind.HAND_PAY, LockKind.PRINT_UNKNOWN)
UNEXPECTED = (LockKind.UNEXPECTED_NOTE, LockKind.UNEXPECTED_TICKET)
IDLE = (Phase.CHOOSING, Phase.BETTING, Phase.SETTLED)


def _is_open(machine: Machine) -> bool:
    return machine.round is not None and machine.round.stage is not Stage.OVER


def _locked(machine: Machine, *kinds: LockKind) -> bool:
    return any(find(machine, kind) is not None for kind in kinds)


def _held_by(machine: Machine, *kinds: LockKind) -> int:
    return sum(lock.cents for lock in machine.locks if lock.kind in kinds)


def _payouts(machine: Machine) -> int:
    return (machine.printer.printing is not None) + sum(lock.kind in PAYOUTS for lock in machine.locks)


def _of_player(machine: Machine) -> int:
    return sum(machine.books.balance(account) for account in (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT))


RULES: Mapping[str, Callable[[Machine], bool]] = {
    "the phase asks exactly while a round is open": lambda m: hand_open(m) == _is_open(m),
    "the phase is the stage of the open round": lambda m: (
        not hand_open(m) or (m.round is not None and m.phase.value == m.round.stage.value)
    ),
    "the phase is a payout exactly while a print is open": lambda m: (
        (m.phase is Phase.CASHING_OUT) == (m.printer.printing is not None)
    ),
    "a payout goes back to an idle phase": lambda m: m.phase is not Phase.CASHING_OUT or m.resume in IDLE,
    "a settled phase has results": lambda m: m.phase is not Phase.SETTLED or m.results is not None,
    "the table holds the stakes of the open hand": lambda m: (
        m.books.balance(Account.TABLE) == (m.round.staked_cents if m.round is not None and hand_open(m) else 0)
    ),
    "an open hand leaves no chips down": lambda m: not hand_open(m) or not sum(m.seat.bets),
    "a document in the path ends the wait for a refused one": lambda m: (
        m.acceptor.in_path is None or m.acceptor.refused is None
    ),
    "one document is in doubt": lambda m: sum(lock.kind in DOUBTS for lock in m.locks) <= 1,
    "a document in the path is not in doubt": lambda m: m.acceptor.in_path is None or not _locked(m, *DOUBTS),
    "one payout is under way": lambda m: _payouts(m) <= 1,
    "the payout holds what is in transit": lambda m: (
        m.books.balance(Account.IN_TRANSIT)
        == _held_by(m, *PAYOUTS) + (m.printer.printing.cents if m.printer.printing else 0)
    ),
    "suspense is what the unexpected documents hold": lambda m: (
        m.books.balance(Account.SUSPENSE) == _held_by(m, *UNEXPECTED)
    ),
    "the attract mode is shown to an idle machine only": lambda m: (
        not m.attract or (m.phase in IDLE and not sum(m.seat.bets) and not m.access.audit_key and not play_stopped(m))
    ),
    "a technician has the audit key turned": lambda m: not m.access.technician or m.access.audit_key,
    "a memory clear is prepared by the technician at the open logic door": lambda m: (
        not m.access.clear_prepared or (m.access.technician and Door.LOGIC in m.access.open_doors)
    ),
    "an open door is a lock": lambda m: all(_locked(m, DOOR_LOCKS[door]) for door in m.access.open_doors),
    "a closed door is no lock, but for the logic door": lambda m: all(
        door in m.access.open_doors or door is Door.LOGIC or not _locked(m, kind) for door, kind in DOOR_LOCKS.items()
    ),
    "money of a player has a session": lambda m: m.session is not None or not _of_player(m),
    "a player's limit has a session": lambda m: m.session is not None or not _locked(m, LockKind.PLAYER_LIMIT),
}


def test_what_never_exists_together_does_not_in_random_play() -> None:
    seen = set()
    for seed in range(12):
        machine, hand, draw, chance = starting(SETTINGS), Hand(seed, SETTINGS), seeded_draw(seed), random.Random(seed)
        for number in range(250):
            kind = chance.random()
            among = FACTS if kind < 0.15 else COMMANDS if kind < 0.25 else (hand.sensible(machine),)
            input_ = chance.choice(list(among))
            machine = step(SETTINGS, machine, input_, draw).machine
            seen.add(state_of(machine))
            with case(seed=seed, number=number, input=input_):
                assert [name for name, holds in RULES.items() if not holds(machine)] == []
    assert seen == set(State), "the play came through every state"
