"""A written session that can be cut off anywhere and taken up again, as a cabinet would after a crash.

A cue is one recorded step of the session with the cards it drew. After a cut the program starts anew, acceptor and
printer report, and the session goes on: the player presses again what was lost, the acceptor repeats what it was not
ordered to forget, an attendant settles what is in doubt as the session has it.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from support.inputs import ACCEPTOR, PRINTER
from support.sessions import play, read_session

from cabinet.engine import machine as engine
from cabinet.engine.cards import Card, Draw
from cabinet.engine.effects import Refused
from cabinet.engine.inputs import (
    BillReturned,
    Fact,
    Input,
    Key,
    KeyTurned,
    PoweredUp,
    PrintFailed,
    PrintUnknown,
    SettleLock,
    Settlement,
    TicketPrinted,
    Wake,
)
from cabinet.engine.locks import find, find_id
from cabinet.engine.state import LockKind, Machine, Settings
from cabinet.engine.step import Step

SESSIONS = ("table-evening", "european-places", "money-in-trouble", "tickets-in")
RESTART: tuple[Fact, ...] = (PoweredUp(clean=False, crashed=True, version="1.0", program_hash="aa"), ACCEPTOR, PRINTER)

Take = Callable[[Input, Draw], Machine]
"""Takes one step, keeps it as it likes, and returns the machine it led to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One recorded step of a session: its number from 1, what was put in, and what it did the first time."""

    number: int
    input: Input
    step: Step
    before: Machine
    lock: LockKind | None = None
    """The kind of lock that is settled."""

    @property
    def draw(self) -> Draw:
        """The cards of this step, in order."""
        left = list(self.step.drawn)

        def draw(out: Collection[int]) -> Card:
            assert left[0] not in out
            return left.pop(0)

        return draw


def cues_of(name: str) -> tuple[Settings, tuple[Cue, ...]]:
    """The session of this name: its settings and its steps, without those that were refused."""
    session = read_session(name)
    before = engine.starting(session.settings)
    cues: list[Cue] = []
    for line, step in play(session):
        if not any(isinstance(event, Refused) for event in step.events):
            lock = find_id(before, line.input.lock_id) if isinstance(line.input, SettleLock) else None
            kind = lock.kind if lock else None
            cues.append(Cue(number=len(cues) + 1, input=line.input, step=step, before=before, lock=kind))
            before = step.machine
    return session.settings, tuple(cues)


def no_cards(out: Collection[int]) -> Card:
    """For steps that need none."""
    raise AssertionError(f"a card was drawn over {out}")


def restart(take: Take) -> None:
    """The program starts again and the devices report."""
    for fact in RESTART:
        take(fact, no_cards)


def go_on(machine: Machine, cues: tuple[Cue, ...], take: Take) -> Machine:
    """The rest of the session, from wherever the machine stands."""
    for cue in cues:
        for input_ in as_it_is_now(machine, cue):
            machine = take(input_, cue.draw)
    return machine


def as_it_is_now(machine: Machine, cue: Cue) -> Iterator[Input]:
    """Yields what the cue means to a machine that may have been cut off before it."""
    said = cue.input
    match said:
        case SettleLock():
            assert cue.lock is not None
            lock = find(machine, cue.lock)
            if lock is not None:
                yield replace(said, lock_id=lock.lock_id)
        case TicketPrinted() | PrintFailed() | PrintUnknown() if machine.printer.printing is None:
            yield from _settle_ticket(machine, said)
        case BillReturned() if machine.acceptor.in_path is None:
            yield replace(said, recovered=True)
        case Wake() if not machine.attract:
            return
        case _:
            yield said


def _settle_ticket(machine: Machine, said: TicketPrinted | PrintFailed | PrintUnknown) -> Iterator[Input]:
    """The ticket went into doubt when the power failed; an attendant sees what became of it."""
    lock = find(machine, LockKind.PRINT_UNKNOWN)
    if lock is None and machine.access.audit_key:
        yield KeyTurned(key=Key.AUDIT, on=False)  # cut off between the settling and the turning of the key
    if lock is None or lock.sequence != said.sequence or isinstance(said, PrintUnknown):
        return
    how = Settlement.TICKET_CAME_OUT if isinstance(said, TicketPrinted) else Settlement.GIVE_CREDIT
    yield KeyTurned(key=Key.AUDIT, on=True)
    yield SettleLock(lock_id=lock.lock_id, how=how)
    yield KeyTurned(key=Key.AUDIT, on=False)


class InMemory:
    """Takes steps without a disk; fails on a refusal."""

    def __init__(self, settings: Settings, machine: Machine) -> None:
        self.settings = settings
        self.machine = machine
        self.steps: list[Step] = []

    def __call__(self, input_: Input, draw: Draw) -> Machine:
        step = engine.step(self.settings, self.machine, input_, draw)
        assert not any(isinstance(event, Refused) for event in step.events), (input_, step.events)
        self.steps.append(step)
        self.machine = step.machine
        return step.machine


def money_of(machine: Machine) -> dict[str, int]:
    """Every balance and every meter but the number of starts."""
    balances = {f"in {name}": cents for name, cents in machine.books.balances.items() if cents}
    return balances | {name: value for name, value in machine.books.meters.items() if name != "power_ups"}
