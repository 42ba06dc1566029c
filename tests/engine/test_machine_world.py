"""The whole machine against a world that remembers what truly happened: notes in the box, paper in people's hands.

Tickets are put in again, copies of them, too; the record of what became of each is kept from the events alone, and must
be what the journal answers. The world stacks or returns notes and tickets, prints or fails, forgets reports in power
cuts; its attendant reports the truth, its technician clears the memory, its player presses fast.
Whatever the order, the books must end up saying what the world knows; the journal of it must be sound, and played anew
from its first row it must lead to the same machine.

`pytest tests/engine/test_machine_world.py --sessions 100000` (`make world`) plays that number of sessions of up to
30 happenings, in as many tests as it takes for none to be slow; a failure names the seed.
"""

import sqlite3
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import ceil
from zlib import crc32

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from support.inputs import ACCEPTOR, FACTS, NOTES, PLAYER_COMMANDS, PRINTER
from support.journals import number_of, replayed_from, stamp
from support.machines import POWER, SETTINGS, Cabinet
from support.rounds import seeded_draw

from cabinet.engine.effects import (
    Event,
    Fate,
    MemoryCleared,
    PaidOut,
    PayingOut,
    PrintTicket,
    Refused,
    ReturnBill,
    StackBill,
    TicketInDoubt,
    TicketRedeemed,
    TicketVoided,
)
from cabinet.engine.inputs import (
    BillOffered,
    BillReturned,
    BillStacked,
    CashOut,
    ChooseGame,
    Command,
    Door,
    DoorClosed,
    DoorOpened,
    Fact,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    PayTicket,
    PoweredUp,
    PrepareMemoryClear,
    PrintFailed,
    PrintUnknown,
    SettleLock,
    Settlement,
    TicketPrinted,
    VoidRound,
)
from cabinet.engine.ledger import NEVER_NEGATIVE, Account, Route
from cabinet.engine.locks import LOCKS, play_stopped
from cabinet.engine.machine import bound, lit, starting, step
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import Lock, LockKind, NoteIntent, TicketIntent
from cabinet.engine.step import Step
from cabinet.engine.technician import holdings
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.store import schema
from cabinet.store.chain import START
from cabinet.store.record import make_record, write
from cabinet.store.tickets import look_up
from cabinet.store.verify import examine

HAPPENINGS = (FaultBegan, FaultEnded, DoorOpened, DoorClosed, KeyTurned)
NUISANCES = [fact for fact in FACTS if isinstance(fact, HAPPENINGS) and fact != KeyTurned(key=Key.RESET, on=True)]
LARGE = replace(SETTINGS, large_win_cents=5_000, ticket_max_cents=20_000)


class World(RuleBasedStateMachine):
    """A cabinet and what is around it."""

    def __init__(self) -> None:
        super().__init__()
        self.cabinet: Cabinet = Cabinet(machine=starting(LARGE), settings=LARGE, draw=seeded_draw(9))
        self.meters: dict[str, int] = {}
        self.box = 0
        self.escrow: int | None = None
        self.ordered_to_stack = False
        self.untold: list[Fact] = []
        self.unconfirmed: list[Fact] = []
        self.last_note_stacked = False
        self.job: PrintTicket | None = None
        self.paper: dict[int, int] = {}
        self.worth: dict[int, int] = {}
        self.standing: dict[int, Standing] = {}
        self.ticket: TicketOffered | None = None
        self.boxed: set[int] = set()
        self.numbers: set[int] = set()
        self.by_hand = 0
        self.journal = sqlite3.connect(":memory:", isolation_level=None)
        schema.migrate(self.journal)
        self.rows, self.entries, self.hash = 0, 0, START
        for input_ in (POWER, ACCEPTOR, PRINTER, ChooseGame(game_id="table")):
            self.feed(input_)

    def _keep(self, input_: Input, step: Step) -> None:
        """The step as a row of the journal, with a ticket's number where one begins."""
        begun = [event.sequence for event in step.events if isinstance(event, PayingOut)]
        record = make_record(
            input_,
            step,
            stamp(self.rows),
            seq=self.rows + 1,
            before=self.hash,
            entry=self.entries,
            numbers={str(sequence): number_of(sequence) for sequence in begun},
        )
        write(self.journal, record)
        self.rows, self.entries, self.hash = self.rows + 1, self.entries + len(record.entries), record.hash

    def teardown(self) -> None:
        """The journal of it all is sound, and played anew it leads to the same machine."""
        assert examine(self.journal).problems == ()
        assert replayed_from(self.journal, LARGE) == self.cabinet.machine
        self.journal.close()

    def feed(self, input_: Input) -> None:
        """One input, and what the machine asks for in return."""
        hand_paid, before = self.cabinet.balance(Account.HAND_PAID), self.cabinet.machine
        self.cabinet.attempt(input_)
        self.by_hand += self.cabinet.balance(Account.HAND_PAID) - hand_paid
        assert self.cabinet.last is not None
        if any(isinstance(event, Refused) for event in self.cabinet.last.events):
            assert self.cabinet.machine is before
        else:
            self._keep(input_, self.cabinet.last)
        moved = Counter(posting.route for posting in self.cabinet.last.postings)
        assert max(moved[Route.WAGER], moved[Route.CASH_OUT], moved[Route.BILL_IN], moved[Route.TICKET_IN]) <= 1
        self._record(self.cabinet.last.events)
        for effect in self.cabinet.last.effects:
            match effect:
                case StackBill():
                    self.ordered_to_stack = True
                case ReturnBill():
                    self.escrow = self.ticket = None
                case PrintTicket():
                    assert self.job is None, "two tickets at once"
                    assert effect.duplicate or effect.sequence not in self.numbers, "a number used again"
                    self.numbers.add(effect.sequence)
                    self.worth[effect.sequence] = effect.cents
                    self.job = effect

    def _record(self, events: tuple[Event, ...]) -> None:
        """What the list of issued tickets says after these events."""
        for event in events:
            match event:
                case PayingOut() | TicketInDoubt():
                    self.standing[event.sequence] = Standing.OPEN
                case PaidOut(sequence=int(sequence)):
                    self.standing[sequence] = Standing.PAYABLE
                case TicketVoided():
                    assert self.standing[event.sequence] is not Standing.USED, "a ticket paid twice"
                    paid = event.fate is Fate.PAID_BY_HAND
                    self.standing[event.sequence] = Standing.USED if paid else Standing.VOID
                case TicketRedeemed():
                    assert self.standing[event.sequence] is Standing.PAYABLE, "a ticket paid twice"
                    self.standing[event.sequence] = Standing.USED
                case MemoryCleared():
                    self._forget()
                case _:
                    pass

    def _forget(self) -> None:
        """The books begin anew: what is in the box and on paper from before is no matter of theirs any more."""
        self.box, self.paper, self.boxed, self.meters = 0, {}, set(), {}
        for sequence, standing in self.standing.items():
            if standing is Standing.PAYABLE:
                self.standing[sequence] = Standing.OPEN

    # --- the player -----------------------------------------------------------------------------------------------

    @rule(command=st.sampled_from(PLAYER_COMMANDS))
    def press(self, command: Command) -> None:
        self.feed(command)

    @rule(data=st.data())
    def press_something_lit(self, data: st.DataObject) -> None:
        machine = self.cabinet.machine
        lamps = sorted(lit(LARGE, machine), key=lambda button: button.value)
        if lamps:
            command = bound(LARGE, machine, data.draw(st.sampled_from(lamps)))
            assert command is not None
            self.feed(command)

    @rule(data=st.data(), times=st.integers(2, 4))
    def press_too_often(self, data: st.DataObject, times: int) -> None:
        """The same wish several times, faster than anything could be shown: what it does it does by its state alone."""
        machine = self.cabinet.machine
        lamps = sorted(lit(LARGE, machine), key=lambda button: button.value)
        command = bound(LARGE, machine, data.draw(st.sampled_from(lamps))) if lamps else CashOut()
        assert command is not None
        for _ in range(times):
            self.feed(command)

    @precondition(lambda self: self.standing and self.escrow is None and self.ticket is None and not self.untold)
    @rule(data=st.data(), goes_in=st.booleans())
    def insert_a_ticket(self, data: st.DataObject, *, goes_in: bool) -> None:
        """One that was printed, or a copy; mostly it goes all the way."""
        sequence = data.draw(st.sampled_from(sorted(self.standing)))
        self.ordered_to_stack, self.unconfirmed = False, []
        self.ticket = self._looked_up(sequence)
        self.feed(self.ticket)
        if goes_in and self.ticket is not None:
            self.the_ticket_moves(went_in=True)
            self.the_acceptor_reports()

    def _looked_up(self, sequence: int) -> TicketOffered:
        known = TicketOffered(sequence=sequence, cents=self.worth[sequence], standing=self.standing[sequence])
        assert look_up(self.journal, number_of(sequence), 0) == known
        return known

    @precondition(lambda self: self.ticket is not None and self.ordered_to_stack)
    @rule(went_in=st.booleans(), named=st.booleans())
    def the_ticket_moves(self, *, went_in: bool, named: bool = True) -> None:
        ticket = self.ticket
        assert ticket is not None
        assert ticket.sequence is not None
        self.boxed |= {ticket.sequence} if went_in else set()
        report = TicketStacked(sequence=ticket.sequence, cents=ticket.cents, standing=ticket.standing)
        stacked: Fact = report if named else TicketStacked()
        self.untold.append(stacked if went_in else BillReturned())
        self.ticket, self.ordered_to_stack = None, False

    @precondition(lambda self: self.escrow is None and self.ticket is None and not self.untold)
    @rule(cents=st.sampled_from(NOTES))
    def insert_a_note(self, cents: int) -> None:
        self.escrow, self.ordered_to_stack, self.unconfirmed = cents, False, []
        self.feed(BillOffered(cents=cents))

    @precondition(lambda self: self.escrow is None and self.ticket is None and not self.untold)
    @rule(cents=st.sampled_from(NOTES))
    def a_note_goes_in(self, cents: int) -> None:
        """The same without a hitch, so that most sessions have money to play with."""
        self.insert_a_note(cents)
        if self.ordered_to_stack:
            self.the_note_moves(went_in=True)
            self.the_acceptor_reports()

    # --- the acceptor ---------------------------------------------------------------------------------------------

    @precondition(lambda self: self.escrow is not None and self.ordered_to_stack)
    @rule(went_in=st.booleans())
    def the_note_moves(self, *, went_in: bool) -> None:
        assert self.escrow is not None
        self.box += self.escrow if went_in else 0
        self.untold.append(BillStacked(cents=self.escrow) if went_in else BillReturned())
        self.last_note_stacked = went_in
        self.escrow, self.ordered_to_stack = None, False

    @precondition(lambda self: self.untold)
    @rule()
    def the_acceptor_reports(self) -> None:
        fact = self.untold.pop(0)
        self.unconfirmed = [fact] if isinstance(fact, BillStacked | TicketStacked) else []
        self.feed(fact)

    # --- the printer ----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.job is not None)
    @rule(came_out=st.booleans(), known=st.booleans())
    def the_printer_ends(self, came_out: bool, known: bool) -> None:
        job = self.job
        assert job is not None
        if came_out:
            assert job.sequence not in self.paper, "a second ticket of one number"
            self.paper[job.sequence] = job.cents
        self.job = None
        if not known:
            self.feed(PrintUnknown(sequence=job.sequence, reason="line lost"))
        elif came_out:
            self.feed(TicketPrinted(sequence=job.sequence))
        else:
            self.feed(PrintFailed(sequence=job.sequence, reason="no paper"))

    # --- nuisances ------------------------------------------------------------------------------------------------

    @precondition(lambda self: not self.cabinet.machine.locks)
    @rule(fact=st.sampled_from(NUISANCES))
    def something_happens(self, fact: Fact) -> None:
        self.feed(fact)

    @rule(forgotten=st.booleans(), came_out=st.booleans(), went_in=st.booleans())
    def the_power_fails(self, forgotten: bool, came_out: bool, went_in: bool) -> None:
        """What is under way ends unseen; the acceptor still knows of it afterwards, or has forgotten.

        Where nothing is untold, it repeats the last note it was not ordered to forget.
        """
        if self.escrow is not None and self.ordered_to_stack:
            self.the_note_moves(went_in=went_in)
        if self.ticket is not None and self.ordered_to_stack:
            self.the_ticket_moves(went_in=went_in)
        self.escrow = self.ticket = None
        if self.job is not None and came_out:
            self.paper[self.job.sequence] = self.job.cents
        self.job = None
        last = self.untold or self.unconfirmed
        kept = () if forgotten else tuple(replace(fact, recovered=True) for fact in last)  # type: ignore[type-var]
        self.untold = []
        self.unconfirmed = []
        self.feed(PoweredUp(clean=False))
        for fact in kept:
            self.feed(fact)
        self.feed(ACCEPTOR)
        self.feed(PRINTER)

    # --- the attendant --------------------------------------------------------------------------------------------

    @precondition(lambda self: self.cabinet.machine.locks and self.job is None)
    @rule(data=st.data())
    def the_attendant_comes(self, data: st.DataObject) -> None:
        """Closes and repairs everything, then settles every lock as the world knows it."""
        for door in self.cabinet.machine.access.open_doors:
            self.feed(DoorClosed(door=door))
        for fault in self.cabinet.machine.faults:
            self.feed(FaultEnded(fault=fault))
        self.feed(KeyTurned(key=Key.AUDIT, on=True))
        if any(LOCKS[lock.kind].technician for lock in self.cabinet.machine.locks):
            self.feed(DoorOpened(door=Door.LOGIC))
            self.feed(DoorClosed(door=Door.LOGIC))
        for lock in self.cabinet.machine.locks:
            choices = self._truthful(lock)
            if choices:
                self.feed(SettleLock(lock_id=lock.lock_id, how=data.draw(st.sampled_from(choices))))
        self.feed(KeyTurned(key=Key.AUDIT, on=False))

    @precondition(lambda self: Standing.PAYABLE in self.standing.values() and self.job is None)
    @rule(data=st.data())
    def the_desk_pays_a_ticket(self, data: st.DataObject) -> None:
        """What is on paper and not in the box is brought to the attendant, who asks the list."""
        out = sorted(n for n, standing in self.standing.items() if standing is Standing.PAYABLE and n in self.paper)
        offered = self.ticket.sequence if self.ticket else None
        there = [sequence for sequence in out if sequence not in self.boxed and sequence != offered]
        if not there:
            return
        sequence = data.draw(st.sampled_from(there))
        self.feed(KeyTurned(key=Key.AUDIT, on=True))
        self.feed(PayTicket(sequence=sequence, cents=self.worth[sequence]))
        self.feed(KeyTurned(key=Key.AUDIT, on=False))

    def _truthful(self, lock: Lock) -> list[Settlement]:
        offered = list(settlements_of(self.cabinet.machine, lock))
        if lock.kind is LockKind.NOTE_IN_DOUBT:
            if self.untold or self.escrow is not None:
                return []  # the acceptor will still say it
            return [Settlement.CREDIT_NOTE if self.last_note_stacked else Settlement.NOTE_RETURNED]
        if lock.kind is LockKind.TICKET_IN_DOUBT:
            if self.untold:
                return []
            boxed = lock.sequence in self.boxed
            return [how for how in offered if (how is not Settlement.TICKET_RETURNED) is boxed]
        if lock.kind is LockKind.PRINT_UNKNOWN:
            if lock.sequence in self.paper:
                return [Settlement.TICKET_CAME_OUT]
            return [how for how in offered if how is not Settlement.TICKET_CAME_OUT]
        return offered

    @precondition(
        lambda self: not self.cabinet.machine.locks and not holdings(self.cabinet.machine) and not self.untold
    )
    @rule()
    def the_technician_clears_the_memory(self) -> None:
        self.escrow = self.ticket = None
        self.feed(KeyTurned(key=Key.AUDIT, on=True))
        self.feed(DoorOpened(door=Door.LOGIC))
        self.feed(PrepareMemoryClear(on=True))
        self.feed(KeyTurned(key=Key.RESET, on=True))
        assert self.cabinet.last is not None
        assert any(isinstance(event, MemoryCleared) for event in self.cabinet.last.events)
        self.feed(DoorClosed(door=Door.LOGIC))
        (lock,) = self.cabinet.machine.locks
        self.feed(SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR))
        self.feed(KeyTurned(key=Key.AUDIT, on=False))

    @precondition(lambda self: play_stopped(self.cabinet.machine))
    @rule()
    def the_round_is_voided(self) -> None:
        self.feed(KeyTurned(key=Key.AUDIT, on=True))
        self.feed(VoidRound())
        self.feed(KeyTurned(key=Key.AUDIT, on=False))

    # --- what must hold -------------------------------------------------------------------------------------------

    @invariant()
    def money_is_where_the_world_has_it(self) -> None:
        cabinet = self.cabinet
        balances = cabinet.machine.books.balances
        assert sum(balances.values()) == 0
        assert all(cabinet.balance(account) >= 0 for account in NEVER_NEGATIVE)
        in_path = cabinet.machine.acceptor.in_path
        pending = isinstance(in_path, NoteIntent) or bool(self.untold)
        doubtful = pending or LockKind.NOTE_IN_DOUBT in cabinet.locked()
        assert -cabinet.balance(Account.CASHBOX) <= self.box, "credit for a note that is not in the box"
        assert doubtful or -cabinet.balance(Account.CASHBOX) == self.box, "a note in the box that is in no account"
        unsettled = self.job is not None or LockKind.PRINT_UNKNOWN in cabinet.locked()
        printed, back = cabinet.meter("tickets_out"), cabinet.meter("tickets_in")
        boxed = sum(self.worth[sequence] for sequence in self.boxed)
        named = isinstance(in_path, TicketIntent) or LockKind.TICKET_IN_DOUBT in cabinet.locked()
        open_ = bool(self.untold) or named
        assert printed <= sum(self.paper.values()), "a ticket booked that is not there"
        assert unsettled or printed == sum(self.paper.values()), "a ticket that is not booked"
        assert back <= boxed, "credit for a ticket that is not in the box"
        assert open_ or back == boxed, "a ticket in the box that is not booked"
        assert cabinet.balance(Account.TICKETS) == printed - back - cabinet.meter("tickets_paid")
        assert cabinet.balance(Account.HAND_PAID) == self.by_hand

    @invariant()
    def meters_only_grow(self) -> None:
        now = dict(self.cabinet.machine.books.meters)
        assert [name for name, value in self.meters.items() if now.get(name, 0) < value] == []
        self.meters = now

    @invariant()
    def lamps_are_what_is_accepted(self) -> None:
        machine = self.cabinet.machine
        for button in lit(LARGE, machine):
            command = bound(LARGE, machine, button)
            assert command is not None
            done = step(LARGE, machine, command, seeded_draw(2))
            assert not [event for event in done.events if isinstance(event, Refused)]


PER_TEST = 200
"""Sessions that one test plays at most."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Share the sessions asked for out among as many tests as it takes."""
    asked = int(metafunc.config.getoption("--sessions"))
    tests = ceil(asked / PER_TEST)
    bounds = [asked * number // tests for number in range(tests + 1)]
    metafunc.parametrize("sessions", [range(*pair) for pair in pairwise(bounds)], ids=lambda each: str(each.start))


@pytest.mark.no_cover
@pytest.mark.timeout(600)  # a failure is made small before it is reported
@pytest.mark.requirement("BA-02", "BA-03", "TP-05", "TP-12", "CM-03", "PD-06", "PD-17", "PL-09", "EV-05")
def test_whatever_happens_the_books_say_what_the_world_knows(sessions: range, request: pytest.FixtureRequest) -> None:
    lot = f"{request.config.getoption('--cut-seed')} {sessions.start}"
    world = seed(crc32(lot.encode()))(type("World", (World,), {}))
    chosen = settings(max_examples=len(sessions), stateful_step_count=30, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(world, settings=chosen)
