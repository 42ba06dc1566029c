"""Builds one step: the machine so far, and what the step requests and reports.

The only mutable value of the engine; it lives for one call of `machine.step` and is never seen outside the engine.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Unpack

from cabinet.engine import ledger
from cabinet.engine.cards import Card, Draw
from cabinet.engine.changes import (
    AcceptorChanges,
    AccessChanges,
    MachineChanges,
    PrinterChanges,
    ProgramChanges,
    SeatChanges,
    ShownChanges,
)
from cabinet.engine.effects import Effect, Event
from cabinet.engine.ledger import Posting, Route
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import Machine, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one input did: the new machine, what to do once it is durable, what to report, what to record."""

    machine: Machine
    effects: tuple[Effect, ...] = ()
    events: tuple[Event, ...] = ()
    postings: tuple[Posting, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    drawn: tuple[Card, ...] = ()


class StepBuilder:
    """Collects the changes of one step."""

    __slots__ = ("_audit_required", "_draw", "counts", "drawn", "effects", "events", "machine", "postings", "settings")

    def __init__(self, settings: Settings, machine: Machine, draw: Draw) -> None:
        """Begins a step with this machine."""
        self.settings = settings
        self.machine = machine
        self.effects: list[Effect] = []
        self.events: list[Event] = []
        self.postings: list[Posting] = []
        self.counts: dict[str, int] = {}
        self.drawn: list[Card] = []
        self._draw = draw
        self._audit_required = False

    def draw(self, out: Collection[int]) -> Card:
        """Draws a card and records it for the journal."""
        card = self._draw(out)
        self.drawn.append(card)
        return card

    def update(self, **changes: Unpack[MachineChanges]) -> None:
        """Replaces fields of the machine."""
        self.machine = replace(self.machine, **changes)

    def update_acceptor(self, **changes: Unpack[AcceptorChanges]) -> None:
        """Replaces fields of `machine.acceptor`."""
        self.update(acceptor=replace(self.machine.acceptor, **changes))

    def update_access(self, **changes: Unpack[AccessChanges]) -> None:
        """Replaces fields of `machine.access`."""
        self.update(access=replace(self.machine.access, **changes))

    def update_printer(self, **changes: Unpack[PrinterChanges]) -> None:
        """Replaces fields of `machine.printer`."""
        self.update(printer=replace(self.machine.printer, **changes))

    def update_program(self, **changes: Unpack[ProgramChanges]) -> None:
        """Replaces fields of `machine.program`."""
        self.update(program=replace(self.machine.program, **changes))

    def update_seat(self, **changes: Unpack[SeatChanges]) -> None:
        """Replaces fields of `machine.seat`."""
        self.update(seat=replace(self.machine.seat, **changes))

    def update_shown(self, **changes: Unpack[ShownChanges]) -> None:
        """Replaces fields of `machine.shown`."""
        self.update(shown=replace(self.machine.shown, **changes))

    def post(self, route: Route, cents: int) -> None:
        """Moves money, if there is any to move."""
        if cents:
            posting = Posting(route=route, cents=cents)
            self.postings.append(posting)
            self.update(books=ledger.post(self.machine.books, (posting,)))

    def count(self, **steps: int) -> None:
        """Raises counting meters."""
        self.count_named(steps)

    def count_named(self, steps: dict[str, int]) -> None:
        """Raises counting meters whose names are not identifiers."""
        self.update(books=ledger.count(self.machine.books, steps))
        for name, raised in steps.items():
            self.counts[name] = self.counts.get(name, 0) + raised

    def require_audit(self) -> None:
        """Requires an audit of the books after this step even if it moves nothing."""
        self._audit_required = True

    @property
    def audit_due(self) -> bool:
        """Returns True if the books are audited after this step: it moved money, raised a meter, or requires it."""
        return bool(self.postings or self.counts or self._audit_required)

    def mark(self, moment: str, *meters: str) -> None:
        """Records the values of these meters at this moment."""
        now = {f"{moment}.{name}": self.machine.books.meter(name) for name in meters}
        self.update(marks={**self.machine.marks, **now})

    def emit(self, *events: Event) -> None:
        """Adds an event."""
        self.events.extend(events)

    def log(self, what: LogKind, detail: str = "", cents: int | None = None) -> None:
        """Adds an entry to the significant-event log."""
        self.events.append(LogEntry(what=what, detail=detail, cents=cents))

    def request(self, effect: Effect) -> None:
        """Adds an effect for after this step is durable."""
        self.effects.append(effect)

    def done(self) -> Step:
        """Returns the finished step."""
        return Step(
            machine=self.machine,
            effects=tuple(self.effects),
            events=tuple(self.events),
            postings=tuple(self.postings),
            counts=self.counts,
            drawn=tuple(self.drawn),
        )
