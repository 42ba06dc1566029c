"""The way of a note or ticket through a simulated acceptor, and the user actions that are the same on every unit.

    mouth -> READING -> ESCROW or HELD -> STACKING -> cash box
                     `-> REJECTING or RETURNING -> player

`NotePath` moves the document and records where it ends. A unit is a `SimulatedAcceptor` with its wire face: bytes
from and to the host, what happens to a document that was read, and the reports of its ends.

Rules:
- One document at a time. A phase ends by its duration; STUCK and VEND_VALID end only by the unit.
- `stacked` and `returned` are the true notes, in cents, and `stacked_tickets` and `returned_tickets` the true tickets,
  by number, for tests to compare with the cabinet's books.
- A fault has the protocol's own code; it is in `faults` from `break_down` to `repair`.
- No clock: `receive` and `tick` get the time; an action between them takes effect at the next call.

Knows no protocol and no bytes.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import Any, Generic, TypeVar

from drivers.bills.events import Channel

FaultT = TypeVar("FaultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The durations of the movements, in seconds.

    `escrow_s` None: as long as units of this protocol wait for a command. Only the UBA initialises after a reset, and
    shows a stacked note for a time.
    """

    reading_s: float = 0.5
    stacking_s: float = 1.0
    returning_s: float = 0.5
    escrow_s: float | None = None
    boot_s: float = 2.0
    initialising_s: float = 3.0
    stacked_s: float = 0.3


REAL = Timings()
"""Durations of real units; a unit that differs has separate ones."""
BRISK = Timings(reading_s=0.2, stacking_s=0.3, returning_s=0.2, boot_s=0.5, initialising_s=0.3, stacked_s=0.1)
"""Slow enough to follow, quick enough for a demonstration."""
INSTANT = Timings(reading_s=0.0, stacking_s=0.0, returning_s=0.0, boot_s=0.0, initialising_s=0.0, stacked_s=0.0)
"""For tests: movements take no time."""


class Phase(Enum):
    """The phase of the document in the path."""

    READING = auto()
    ESCROW = auto()
    HELD = auto()
    """In escrow after a hold command."""
    STUCK = auto()
    """Out of service until a person takes the document out."""
    STACKING = auto()
    VEND_VALID = auto()
    """In the cash box, and shown until the host acknowledges it."""
    STACKED = auto()
    """In the cash box, acknowledged, and still shown for a time."""
    REJECTING = auto()
    RETURNING = auto()


@dataclass(slots=True, kw_only=True)
class Note:
    """The note or ticket in the path; `until` is the end of its phase, None before the first `move`."""

    value_cents: int = 0
    channel: int = 0
    """0 when the unit does not recognise the note."""
    ticket: str = ""
    """The number of a ticket; empty for a note."""
    phase: Phase = Phase.READING
    until: float | None = None
    reason: int = 0
    """The protocol's code of why it comes back, if the unit reports one."""
    reported: bool = False
    """True if the host has received the report of this document in escrow."""
    in_stacker: bool = False
    """True if a power cut found the document beyond the point of return."""


class NotePath:
    """The path of one unit. `note` is the document in it, `now` the time of the last `move`."""

    def __init__(self, unit: "SimulatedAcceptor[Any]") -> None:
        self.note: Note | None = None
        self.now = 0.0
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self.stacked_tickets: list[str] = []
        self.returned_tickets: list[str] = []
        self._unit = unit
        self._boot_ends: float | None = None

    @property
    def booting(self) -> bool:
        """True if the unit starts after a power cut; nothing moves until it has started."""
        return self._boot_ends is not None and self.now < self._boot_ends

    def draw_in(self, note: Note) -> bool:
        """Takes a document in. Returns False while another is in the path or the unit starts."""
        if self.note is not None or self.booting:
            return False
        self.note = note
        return True

    def enter(self, note: Note, phase: Phase) -> None:
        """Begins a phase of the document now, or at the end of the start-up."""
        begins = self._boot_ends if self._boot_ends is not None and self.booting else self.now
        self.note, note.phase, note.until = note, phase, begins + self._lasts_s(phase)

    def keep(self) -> None:
        """Puts the document into the cash box."""
        self._leave(self.stacked, self.stacked_tickets)

    def hand_out(self) -> None:
        """Gives the document to the player; nothing without one."""
        self._leave(self.returned, self.returned_tickets)

    def boot(self, lasts_s: float) -> None:
        """Cuts the power for a moment: the unit starts, and is ready after this time."""
        self._boot_ends = self.now + lasts_s

    def cut_power(self, *, to_cashbox: bool) -> bool:
        """Cuts the power and empties the path: a document being stacked ends in the cash box or comes out, every other
        one comes out. Returns whether it is in the cash box."""
        self.boot(self._unit.timings.boot_s)
        kept = to_cashbox and self.note is not None and self.note.phase is Phase.STACKING
        if kept:
            self.keep()
        else:
            self.hand_out()
        return kept

    def move(self) -> None:
        """Moves the document to its phase at `now`."""
        while (note := self.note) is not None and not self.booting and not self._unit.halted():
            if note.until is None:
                note.until = self.now + self._lasts_s(note.phase)
            if self.now < note.until:
                return
            self._finish(note)

    def due(self) -> float | None:
        """Returns the time of the next movement."""
        if self.booting:
            return self._boot_ends
        if self.note is None or self._unit.halted() or self.note.until == inf:
            return None
        return self.now if self.note.until is None else self.note.until

    def _finish(self, note: Note) -> None:
        match note.phase:
            case Phase.READING:
                self._unit.judge(note)
            case Phase.ESCROW | Phase.HELD:
                self._unit.on_escrow_over(note)
            case Phase.STACKING:
                self.keep()
                self._unit.on_stacked(note)
            case Phase.REJECTING | Phase.RETURNING:
                self.hand_out()
                self._unit.on_returned(note)
            case _:
                self.note = None

    def _leave(self, notes: list[int], tickets: list[str]) -> None:
        note, self.note = self.note, None
        if note is None:
            return
        if note.ticket:
            tickets.append(note.ticket)
        else:
            notes.append(note.value_cents)
        self._unit.on_left(note, stacked=notes is self.stacked)

    def _lasts_s(self, phase: Phase) -> float:
        timings = self._unit.timings
        escrow_s = self._unit.ESCROW_S if timings.escrow_s is None else timings.escrow_s
        lasts_s = {
            Phase.READING: timings.reading_s,
            Phase.ESCROW: escrow_s,
            Phase.HELD: escrow_s,
            Phase.STACKING: timings.stacking_s,
            Phase.STACKED: timings.stacked_s,
            Phase.REJECTING: timings.returning_s,
            Phase.RETURNING: timings.returning_s,
        }
        return lasts_s.get(phase, inf)


class SimulatedAcceptor(ABC, Generic[FaultT]):
    """One unit. `stacked` and `returned` are the true notes, in cents."""

    JAM: FaultT
    BOX_OUT: FaultT
    FULL: FaultT | None = None
    """None: the protocol has no code for a full cash box."""
    STOPPING: frozenset[FaultT]
    """The faults that stop a document in the path."""
    ESCROW_S = 10.0
    """How long a note waits in escrow for a command before it comes back."""

    def __init__(self, channels: Iterable[Channel], timings: Timings) -> None:
        self.channels = tuple(channels)
        self.timings = timings
        self.faults: list[FaultT] = []
        self.path = NotePath(self)
        self.stacked, self.returned = self.path.stacked, self.path.returned
        self._owed = b""

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        channel = next((each.number for each in self.channels if each.value_cents == value_cents), 0)
        return self._draw_in(Note(value_cents=value_cents, channel=channel))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Puts in a document that the unit does not recognise."""
        return self._draw_in(Note(value_cents=value_cents))

    def jam(self) -> None:
        """Jams the path, with or without a note in it."""
        self.break_down(self.JAM)

    def clear_jam(self) -> None:
        """Frees the path."""
        self.repair(self.JAM)

    def remove_cashbox(self) -> None:
        """Removes the cash box."""
        self.break_down(self.BOX_OUT)

    def replace_cashbox(self) -> None:
        """Puts the cash box back."""
        self.repair(self.BOX_OUT)

    def fill(self) -> None:
        """Makes the cash box full."""
        if self.FULL is not None:
            self.break_down(self.FULL)

    def empty(self) -> None:
        """Makes room in the cash box."""
        if self.FULL is not None:
            self.repair(self.FULL)

    def break_down(self, fault: FaultT) -> None:
        """Begins a fault; the unit draws nothing in while it lasts."""
        if fault not in self.faults:
            self.faults.append(fault)

    def repair(self, fault: FaultT) -> None:
        """Ends a fault."""
        self.faults = [each for each in self.faults if each is not fault]

    @abstractmethod
    def cheat(self) -> None:
        """Pulls the note back on a string."""

    @abstractmethod
    def power_cycle(self) -> None:
        """Cuts the power and restores it."""

    # State seen from outside.

    @property
    @abstractmethod
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""

    @property
    def busy(self) -> bool:
        """True if a document is in the path."""
        return self.path.note is not None

    @property
    def phase(self) -> str:
        """The phase of the document in the path, such as "escrow" or "stacking"; "" without one."""
        return self.path.note.phase.name.lower() if self.path.note else ""

    # The line.

    @abstractmethod
    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send to the host, each once."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: the document moves, waits of the unit end."""
        self.path.now = max(self.path.now, now)
        self._end_waits()
        self.path.move()

    def due(self) -> float | None:
        """Returns the time of the next movement or end of a wait."""
        times = (self.path.due(), *self._waits())
        return min((time for time in times if time is not None), default=None)

    def _waits(self) -> tuple[float | None, ...]:
        """Returns when the waits of this unit end, besides the phases of a document."""
        return ()

    def _end_waits(self) -> None:
        """Ends the waits that are over by now."""

    # The path.

    def _draw_in(self, note: Note) -> bool:
        return self.enabled and self.path.draw_in(note)

    def halted(self) -> bool:
        """Returns True if the document cannot move now."""
        return any(fault in self.STOPPING for fault in self.faults)

    @abstractmethod
    def judge(self, note: Note) -> None:
        """The document is read: decides its next phase."""

    def on_escrow_over(self, note: Note) -> None:
        """Sends back the document that waited too long in escrow."""
        self.path.enter(note, Phase.RETURNING)

    @abstractmethod
    def on_stacked(self, note: Note) -> None:
        """Reports that the document is in the cash box."""

    def on_returned(self, note: Note) -> None:
        """Reports that the document is at the player."""

    def on_left(self, note: Note, *, stacked: bool) -> None:
        """Counts a document that has left the path."""
