"""A simulated ICT unit in serial mode: single bytes, byte for byte.

It behaves like a real unit. It sends everything once, with or without a host. It does nothing after power-up until 02
arrives in time. It accepts every known note while enabled, returns a note in escrow without a command, and disables
itself without status requests. With its escrow switched off it reports a note and keeps it against the host's
commands.

Rules:
- Nothing survives a power cut. A note being stacked ends in the box or comes out, without a report.
- A command that is not possible now is answered by "invalid command", except hold, which is ignored.
- No clock: `receive` and `tick` get the time; an action between them takes effect at the next call.

`stacked` and `returned` are the true notes, in cents, for tests to compare with the cabinet's books.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from drivers.bills.events import Channel
from drivers.bills.ict.codec import FIRST_FAULT, FIRST_TYPE, DeviceByte, Fault, HostByte

UNPOLLED_S = 5.0
ACKNOWLEDGE_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The durations of the movements, in seconds."""

    reading_s: float = 0.5
    stacking_s: float = 1.0
    returning_s: float = 0.5
    boot_s: float = 2.0
    escrow_s: float = 5.0


INSTANT = Timings(reading_s=0.0, stacking_s=0.0, returning_s=0.0, boot_s=0.0)


class _Phase(Enum):
    READING = auto()
    ESCROW = auto()
    STACKING = auto()
    RETURNING = auto()


class _Power(Enum):
    BOOTING = auto()
    WAITING = auto()
    RUNNING = auto()
    DEAF = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `until` is the end of its phase, None before the first `tick`."""

    value_cents: int
    channel: int
    phase: _Phase = _Phase.READING
    until: float | None = None
    reported_as: int = DeviceByte.RETURNED


class Ict:
    """One unit, already running and acknowledged; `power_cycle` shows how it starts."""

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        fault_shift: int = 0,
        escrow: bool = True,
        timings: Timings | None = None,
    ) -> None:
        self.channels = tuple(channels)
        self.fault_shift = fault_shift
        self.escrow = escrow
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self._note: _Note | None = None
        self._switched_on = False
        self._stopped = False
        self._power = _Power.RUNNING
        self._power_until = 0.0
        self._asked_at = 0.0
        self._now = 0.0
        self._owed = b""

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        channel = next((each.number for each in self.channels if each.value_cents == value_cents), 0)
        return self._draw_in(_Note(value_cents=value_cents, channel=channel))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Puts in a document that the unit does not recognise."""
        return self._draw_in(_Note(value_cents=value_cents, channel=0))

    def break_down(self, fault: Fault) -> None:
        """Begins a fault: the unit reports it and accepts nothing; a note in the path stays in place."""
        self._stopped = True
        self._send_fault(fault)

    def repair(self) -> None:
        """Ends the fault; a stuck note goes back to the player, without a report of the unit."""
        self._stopped = False
        if self._note is not None:
            self._hand_out(self._note)
        self._send(DeviceByte.FAULT_OVER)

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        if self._note is not None:
            self._hand_out(self._note)
        self._send_fault(Fault.FISHING)

    def power_cycle(self, *, to_cashbox: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; others come out."""
        note, self._note = self._note, None
        if note is not None:
            stacking = note.phase is _Phase.STACKING and to_cashbox
            (self.stacked if stacking else self.returned).append(note.value_cents)
        self._switched_on = self._stopped = False
        self._owed = b""
        self._power, self._power_until = _Power.BOOTING, self._now + self.timings.boot_s

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether the unit would draw a note in."""
        return self._power is _Power.RUNNING and self._switched_on and not self._stopped

    @property
    def deaf(self) -> bool:
        """Whether the acknowledgement was late, so that the unit does nothing until the next power-up."""
        return self._power is _Power.DEAF

    @property
    def phase(self) -> str:
        """The phase of the note in the path: "reading", "escrow", "stacking", "returning", or "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        for byte in data:
            if self._power is _Power.RUNNING:
                self._obey(byte)
            elif self._power is _Power.WAITING and byte == HostByte.ACKNOWLEDGE_POWER_UP:
                self._power, self._asked_at = _Power.RUNNING, now

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: the unit boots, notes move, the escrow times out, a unit without status
        requests disables itself."""
        self._now = max(self._now, now)
        self._start()
        if self._switched_on and now >= self._asked_at + UNPOLLED_S:
            self._switched_on = False
        while not self._stopped and (note := self._note) is not None:
            if note.until is None:
                note.until = now + self.timings.reading_s
            if now < note.until:
                return
            self._finish_phase(note)

    def due(self) -> float | None:
        """Returns the time of the next movement."""
        ends = [self._power_until] if self._power in (_Power.BOOTING, _Power.WAITING) else []
        if self._switched_on:
            ends.append(self._asked_at + UNPOLLED_S)
        if self._note is not None and not self._stopped:
            ends.append(self._note.until if self._note.until is not None else self._now)
        return min(ends, default=None)

    def _start(self) -> None:
        if self._power is _Power.BOOTING and self._now >= self._power_until:
            self._send(DeviceByte.POWER_UP)
            self._send(DeviceByte.POWER_UP_END)
            self._power, self._power_until = _Power.WAITING, self._now + ACKNOWLEDGE_WITHIN_S
        elif self._power is _Power.WAITING and self._now >= self._power_until:
            self._power = _Power.DEAF

    def _send(self, byte: int) -> None:
        self._owed += bytes((byte,))

    def _send_fault(self, fault: Fault) -> None:
        self._send(FIRST_FAULT + fault.value + self.fault_shift)

    # Notes.

    def _draw_in(self, note: _Note) -> bool:
        if self._note is not None or not self.enabled:
            return False
        self._note = note
        return True

    def _hand_out(self, note: _Note) -> None:
        self._note = None
        self.returned.append(note.value_cents)

    def _finish_phase(self, note: _Note) -> None:
        match note.phase:
            case _Phase.READING if note.channel:
                self._send(DeviceByte.VALIDATED)
                self._send(FIRST_TYPE + note.channel - 1)
                phase = _Phase.ESCROW if self.escrow else _Phase.STACKING
                self._enter(note, phase, self.timings.escrow_s if self.escrow else self.timings.stacking_s)
            case _Phase.READING:
                note.reported_as = FIRST_FAULT + Fault.REJECT.value + self.fault_shift
                self._enter(note, _Phase.RETURNING, self.timings.returning_s)
            case _Phase.ESCROW:
                self._enter(note, _Phase.RETURNING, self.timings.returning_s)
            case _Phase.STACKING:
                self._note = None
                self.stacked.append(note.value_cents)
                self._send(DeviceByte.STACKED)
            case _Phase.RETURNING:
                self._hand_out(note)
                self._send(note.reported_as)

    def _enter(self, note: _Note, phase: _Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

    # Commands.

    def _obey(self, byte: int) -> None:
        match byte:
            case HostByte.STATUS:
                self._asked_at = self._now
                self._send(DeviceByte.ENABLED if self.enabled else DeviceByte.DISABLED)
            case HostByte.ENABLE:
                self._switched_on, self._asked_at = True, self._now
            case HostByte.DISABLE:
                self._switched_on = False
            case HostByte.ACCEPT | HostByte.REJECT | HostByte.HOLD:
                self._settle_escrow(byte)
            case _:
                self._send_fault(Fault.INVALID_COMMAND)
        self.tick(self._now)

    def _settle_escrow(self, byte: int) -> None:
        note = self._note
        if note is None or note.phase is not _Phase.ESCROW:
            if byte != HostByte.HOLD:
                self._send_fault(Fault.INVALID_COMMAND)
        elif byte == HostByte.ACCEPT:
            self._enter(note, _Phase.STACKING, self.timings.stacking_s)
        elif byte == HostByte.REJECT:
            self._enter(note, _Phase.RETURNING, self.timings.returning_s)
        else:
            note.until = self._now + self.timings.escrow_s
