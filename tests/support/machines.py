"""Builders for machines: a cabinet in a test's hands, and short ways to bring one into any state.

cabinet = Cabinet(machine=seated("table", credit=5_000), cards="9S 6D 8H 10C 5D")
cabinet.do(Bet(), Deal(), Hit())
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from support.inputs import ACCEPTOR, PRINTER
from support.rounds import StackedDraw, draws, seeded_draw

from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Effect, Event, Refused
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    CashOut,
    ChooseGame,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Input,
    Key,
    KeyTurned,
    PlayerLeft,
    PoweredUp,
    SettleLock,
    Settlement,
)
from cabinet.engine.ledger import Account, Books, Posting, Route, count, faults_of, post
from cabinet.engine.locks import LOCKS, NOTES_MARK, find
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.rules import EUROPEAN, Limits, Rules, Table
from cabinet.engine.state import Lock, LockKind, Machine, Settings, State
from cabinet.engine.step import Step

SETTINGS = Settings()
POWER = PoweredUp(clean=True, version="1.0", program_hash="aa")


def one_table(rules: Rules, *, limits: Limits | None = None, **changes: object) -> Settings:
    """Settings of a cabinet that offers a single game."""
    table = Table(rules=rules, limits=limits or Limits())
    return replace(Settings(tables=(table,)), **changes)  # type: ignore[arg-type]


@dataclass(slots=True)
class Cabinet:
    """A machine and all events of its steps. `do` fails the test at once when the books disagree."""

    machine: Machine
    settings: Settings = SETTINGS
    draw: Draw = field(default_factory=lambda: seeded_draw(1))
    events: list[Event] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    last: Step | None = None
    history: list[tuple[Input, Step]] = field(default_factory=list)
    """Every step that was not refused, for a journal."""

    def do(self, *inputs: Input) -> Step:
        """Takes steps that must be accepted; returns the last one."""
        for input_ in inputs:
            step = self.attempt(input_)
            refusals = [event for event in step.events if isinstance(event, Refused)]
            assert not refusals, f"{input_} was refused in {engine.state_of(self.machine)}: {refusals}"
        assert self.last is not None
        return self.last

    def attempt(self, input_: Input) -> Step:
        """Takes a step that may be refused."""
        step = engine.step(self.settings, self.machine, input_, self.draw)
        assert faults_of(step.machine.books) == (), f"after {input_}"
        self.machine, self.last = step.machine, step
        if not any(isinstance(event, Refused) for event in step.events):
            self.history.append((input_, step))
        self.events.extend(step.events)
        self.effects.extend(step.effects)
        return step

    def refusal(self, input_: Input) -> str | None:
        """Why the input is refused, as the name of the reason; None when it is accepted. Takes the step."""
        before = self.machine
        step = self.attempt(input_)
        refused = [event.reason.name for event in step.events if isinstance(event, Refused)]
        if refused:
            assert step.machine is before
        return refused[0] if refused else None

    def cards(self, codes: str) -> None:
        """From now on these cards are drawn."""
        self.draw = draws(codes)

    @property
    def state(self) -> State:
        """The state in force."""
        return engine.state_of(self.machine)

    @property
    def credit(self) -> int:
        """The credit in cents."""
        return self.machine.books.credit_cents

    def balance(self, account: Account) -> int:
        """An account's balance in cents."""
        return self.machine.books.balance(account)

    def meter(self, name: str) -> int:
        """A lifetime meter."""
        return self.machine.books.meter(name)

    def lock(self, kind: LockKind) -> Lock:
        """The lock of this kind; fails when it is not there."""
        lock = find(self.machine, kind)
        assert lock is not None, f"no {kind.value}; there are {[each.kind.value for each in self.machine.locks]}"
        return lock

    def locked(self) -> list[LockKind]:
        """The kinds of all locks, highest priority first."""
        return [lock.kind for lock in self.machine.locks]

    def logged(self) -> list[LogKind]:
        """The significant events so far."""
        return [event.what for event in self.events if isinstance(event, LogEntry)]

    def note(self, cents: int) -> None:
        """A note goes all the way into the box."""
        self.do(BillOffered(cents=cents), BillStacked(cents=cents))

    def audit(self, *, on: bool = True) -> None:
        """Turns the audit key."""
        self.do(KeyTurned(key=Key.AUDIT, on=on))

    def technician(self) -> None:
        """Turns the audit key and enters the technician's level: opens the logic door, which stays open."""
        self.audit()
        self.do(DoorOpened(door=Door.LOGIC))
        assert self.machine.access.technician

    def settle(self, kind: LockKind, how: Settlement, *, cents: int | None = None) -> Step:
        """Turns the audit key, settles the lock of this kind, turns the key back; as the technician where that is asked
        for, who shuts the logic door behind him and releases it."""
        if LOCKS[kind].technician:
            self.technician()
            self.do(DoorClosed(door=Door.LOGIC))
            if kind is not LockKind.LOGIC_DOOR:
                self.do(SettleLock(lock_id=self.lock(LockKind.LOGIC_DOOR).lock_id, how=Settlement.CLEAR))
        else:
            self.audit()
        step = self.do(SettleLock(lock_id=self.lock(kind).lock_id, how=how, cents=cents))
        self.audit(on=False)
        return step


def notes_of(credit_cents: int, notes_cents: Iterable[int] = (100_000, 10_000, 1_000, 100, 25, 1)) -> dict[int, int]:
    """How many notes of each value make an amount; the small ones exist in tests only."""
    found = {}
    for note in notes_cents:
        found[note], credit_cents = divmod(credit_cents, note)
    assert not credit_cents
    return {note: number for note, number in found.items() if number}


def with_credit(machine: Machine, credit_cents: int) -> Machine:
    """The machine with so much credit more, put in as notes the books can explain."""
    books: Books = machine.books
    for note, number in notes_of(credit_cents).items():
        for _ in range(number):
            books = post(books, (_bill(note),))
        books = count(books, {f"bills:{note}": number})
    return replace(machine, books=books, marks={**machine.marks, NOTES_MARK: books.meter("bills_in")})


def _noted(machine: Machine, credit_cents: int) -> tuple[Input, Step]:
    """The notes of `with_credit` as one step that a journal can add up."""
    notes = notes_of(credit_cents)
    bills = tuple(_bill(note) for note, number in notes.items() for _ in range(number))
    counts = {f"bills:{note}": number for note, number in notes.items()}
    return BillStacked(cents=credit_cents), Step(machine=machine, postings=bills, counts=counts)


def _bill(cents: int) -> Posting:
    return Posting(route=Route.BILL_IN, cents=cents)


def seated(
    game_id: str = EUROPEAN.game_id,
    *,
    credit: int = 100_000,
    settings: Settings = SETTINGS,
    cards: str | None = None,
    draw: Draw | None = None,
) -> Cabinet:
    """A cabinet that is up, with credit, at a table with no bets down."""
    chosen: Draw = draws(cards) if cards is not None else draw or seeded_draw(1)
    machine = with_credit(engine.starting(settings), credit)
    cabinet = Cabinet(machine=machine, settings=settings, draw=chosen)
    if credit:
        cabinet.history.append(_noted(machine, credit))
    cabinet.do(POWER, ACCEPTOR, PRINTER)
    if cabinet.state is State.CHOOSING:
        cabinet.do(ChooseGame(game_id=game_id))
    return cabinet


def dealt(game_id: str, cards: str, *, credit: int = 100_000, chips: int = 1, settings: Settings = SETTINGS) -> Cabinet:
    """A cabinet with a hand dealt from these cards, `chips` smallest chips on place 1."""
    cabinet = seated(game_id, credit=credit, settings=settings, cards=cards)
    cabinet.do(*(Bet(place=0) for _ in range(chips)), Deal())
    return cabinet


def left(cabinet: Cabinet) -> list[str]:
    """The stacked cards that were not drawn."""
    assert isinstance(cabinet.draw, StackedDraw)
    return cabinet.draw.left


def in_every_state() -> dict[State, Cabinet]:
    """One cabinet in each state, with credit and a working acceptor and printer."""
    table = "table"
    found = {
        State.CHOOSING: Cabinet(machine=with_credit(engine.starting(SETTINGS), 100_000)),
        State.BETTING: seated(table),
        State.INSURANCE: dealt(table, "9S AD 8H 10C"),
        State.DECIDING: dealt(table, "8S 6D 8H 10C"),
        State.SETTLED: dealt(table, "AS 6D KH 10C"),
        State.CASHING_OUT: seated(table),
        State.ATTRACT: seated(table),
        State.AUDIT: seated(table),
        State.LOCKED: seated(table, credit=500_000),
    }
    found[State.CHOOSING].do(POWER, ACCEPTOR, PRINTER)
    found[State.CASHING_OUT].do(CashOut())
    found[State.ATTRACT].do(PlayerLeft())
    found[State.AUDIT].audit()
    found[State.LOCKED].do(CashOut())
    for state, cabinet in found.items():
        assert cabinet.state is state, f"{state} came out as {cabinet.state}"
        cabinet.draw = seeded_draw(7)
    return found
