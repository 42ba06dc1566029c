"""The cabinet's engine at an acceptor on a wire, in virtual time: what a note becomes when either side loses its power.

As in the cabinet: each event becomes facts, each fact a step that is durable at once, and only then orders go out and a
stacked note is confirmed. `die` makes the host end without a word at one event; `come_back` starts a new one with what
was durable. `on_event` sees every event before the cabinet does.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from support.machines import POWER, Cabinet, seated
from support.wire import Damage, Wire, unharmed

from cabinet.engine.bills_in import value_unknown
from cabinet.engine.inputs import Fault, FaultBegan, FaultEnded
from cabinet.engine.state import LockKind
from cabinet.engine.ticket_facts import Standing, TicketOffered
from cabinet.runtime.translate import bill_facts, bill_order, take_now
from drivers.bills.events import TAKE_NOTHING, BillEvent, BillOrder, Stacked, Started, TicketStacked
from drivers.protocol import Confirm, WireProtocol
from drivers.simulated.pty_line import Device

Host = WireProtocol[BillEvent, BillOrder]


class Stage(Enum):
    """How far the cabinet gets with an event before it dies."""

    HEARD = "heard"
    """The event has come in, nothing is written."""
    WRITTEN = "written"
    """Its steps are durable, nothing has been ordered."""


class Ending(Enum):
    """The outcome of a note after all reports of both sides."""

    CREDITED = "credited"
    RETURNED = "returned"
    IN_DOUBT = "in doubt"
    """A lock that names its amount asks the attendant."""
    UNEXPECTED = "unexpected"
    """In suspense, with a lock: by its value, or as a note of unknown value."""


@dataclass(slots=True, kw_only=True)
class Till:
    """A host made by `make`, a unit, and a wire between them. `on_connect` runs whenever a host opens the line."""

    make: Callable[[], Host]
    unit: Device
    damage: Damage = unharmed
    on_connect: Callable[[], object] = lambda: None
    escrow: bool = True
    start_s: float = 1000.0
    cabinet: Cabinet = field(default_factory=lambda: seated("table", credit=0))
    wire: Wire[BillEvent, BillOrder] = field(init=False)
    on_event: Callable[[BillEvent], object] = id
    dead: bool = False
    _dies_at: tuple[type[BillEvent], Stage] | None = None
    _started: Started | None = None
    _standing: frozenset[Fault] = frozenset()
    _taking: BillOrder = TAKE_NOTHING

    def __post_init__(self) -> None:
        self.wire = Wire(self.make(), self.unit, damage=self.damage, on_event=self._hear)
        self.wire.now = self.start_s
        self._open()

    def _open(self) -> None:
        self._started, self._standing, self._taking = None, frozenset(), TAKE_NOTHING
        self.wire.connect()
        self.on_connect()

    def die(self, event: type[BillEvent], stage: Stage) -> None:
        """The host dies as soon as it is so far with an event of this kind."""
        self._dies_at = event, stage

    def die_now(self) -> None:
        """The host is gone; its end of the line is dead."""
        self.dead, self._dies_at = True, None
        self.wire.connected = False

    def come_back(self) -> None:
        """A new host starts with what was durable."""
        self.dead = False
        self.cabinet.do(POWER)
        self.wire.protocol = self.make()
        self._open()

    def reconnect(self) -> None:
        """The line is back under a host that lives."""
        self.wire.connect()
        self.on_connect()

    @property
    def taking(self) -> bool:
        """True if notes are let in."""
        return self._taking != TAKE_NOTHING

    def _hear(self, event: BillEvent) -> None:
        if self.dead:
            return
        self.on_event(event)
        dies = self._dies_at[1] if self._dies_at is not None and isinstance(event, self._dies_at[0]) else None
        if dies is not Stage.HEARD:
            orders = self._book(event)
        if dies is not None:
            self.die_now()
            return
        for order in orders:
            self.wire.protocol.order(order, self.wire.now)

    def _book(self, event: BillEvent) -> list[BillOrder]:
        """The durable part; the orders that follow from it."""
        if isinstance(event, Started):
            self._started = event
        orders: list[BillOrder] = []
        for fact in bill_facts(event, self._standing, _unknown_ticket):
            if isinstance(fact, FaultBegan):
                self._standing |= {fact.fault}
            elif isinstance(fact, FaultEnded):
                self._standing -= {fact.fault}
            wishes = map(bill_order, self.cabinet.do(fact).effects)
            orders += [order for order in wishes if order is not None]
        if isinstance(event, Stacked | TicketStacked) and event.receipt is not None:
            orders.append(Confirm(receipt=event.receipt))
        wanted = take_now(self.cabinet.settings, self.cabinet.machine, self._started, "USD", escrow=self.escrow)
        if wanted != self._taking:
            self._taking = wanted
            orders.append(wanted)
        return orders

    # What became of the money.

    def ending(self, cents: int) -> Ending:
        """Returns what became of the only note there was; fails when the books do not fit any ending."""
        machine, credit = self.cabinet.machine, self.cabinet.credit
        by_kind = {lock.kind: lock for lock in machine.locks}
        assert machine.acceptor.in_path is None, "the note is still waited for"
        if LockKind.NOTE_IN_DOUBT in by_kind:
            assert (by_kind[LockKind.NOTE_IN_DOUBT].cents, credit) == (cents, 0)
            return Ending.IN_DOUBT
        if LockKind.UNEXPECTED_NOTE in by_kind:
            lock = by_kind[LockKind.UNEXPECTED_NOTE]
            assert credit == 0
            assert lock.cents == cents or value_unknown(lock)
            return Ending.UNEXPECTED
        assert credit in (0, cents), f"a credit of {credit}"
        return Ending.CREDITED if credit else Ending.RETURNED

    @property
    def claimed(self) -> int:
        """All the money that the machine has taken for its own, in cents."""
        return self.cabinet.meter("bills_in")

    def explained(self, missing: int) -> bool:
        """Returns True if locks account for so much that is in the box and not in the books."""
        locks = self.cabinet.machine.locks
        if any(value_unknown(lock) for lock in locks):
            return True
        return missing <= sum(lock.cents for lock in locks if lock.kind is LockKind.NOTE_IN_DOUBT)


def _unknown_ticket(number: str) -> TicketOffered:
    return TicketOffered(standing=Standing.UNKNOWN)
