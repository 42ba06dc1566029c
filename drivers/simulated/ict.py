"""A simulated ICT unit in serial mode: single bytes, byte for byte.

It behaves like a real unit. It sends everything once, with or without a host. It does nothing after power-up
until 02 arrives in time. It accepts every known note while enabled, returns a note in escrow without a command,
and disables itself without status requests. With its escrow switched off it reports a note and keeps it against
the host's commands.

Rules:
- Nothing survives a power cut. A note being stacked ends in the box or comes out, without a report.
- A command that is not possible now is answered by "invalid command", except hold, which is ignored.
"""

from collections.abc import Iterable
from enum import Enum, auto

from drivers.bills.events import Channel
from drivers.bills.ict.codec import FIRST_FAULT, FIRST_TYPE, DeviceByte, Fault, HostByte
from drivers.simulated.note_path import INSTANT, REAL, Note, Phase, SimulatedAcceptor, Timings

__all__ = ["INSTANT", "Ict"]

UNPOLLED_S = 5.0
ACKNOWLEDGE_WITHIN_S = 2.0


class _Power(Enum):
    BOOTING = auto()
    WAITING = auto()
    RUNNING = auto()
    DEAF = auto()


class Ict(SimulatedAcceptor[Fault]):
    """One unit, already running and acknowledged; `power_cycle` shows how it starts."""

    JAM, BOX_OUT = Fault.JAM, Fault.STACKER_OPEN
    STOPPING = frozenset(Fault)
    ESCROW_S = 5.0

    def __init__(
        self, channels: Iterable[Channel], *, fault_shift: int = 0, escrow: bool = True, timings: Timings = REAL
    ) -> None:
        super().__init__(channels, timings)
        self.fault_shift = fault_shift
        self.escrow = escrow
        self._switched_on = False
        self._power = _Power.RUNNING
        self._waits_until = 0.0
        self._asked_at = 0.0

    # Actions of users.

    def break_down(self, fault: Fault) -> None:
        """Begins a fault: the unit reports it and accepts nothing; a note in the path stays in place."""
        super().break_down(fault)
        self._send_fault(fault)

    def repair(self, fault: Fault) -> None:
        """Ends a fault; a stuck note goes back to the player. The unit reports only the end of the last fault."""
        super().repair(fault)
        self.path.hand_out()
        if not self.faults:
            self._send(DeviceByte.FAULT_OVER)

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        self.path.hand_out()
        self._send_fault(Fault.FISHING)

    def power_cycle(self, *, to_cashbox: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; others come out."""
        self.path.cut_power(to_cashbox=to_cashbox)
        self.faults.clear()
        self._switched_on = False
        self._owed = b""
        self._power, self._waits_until = _Power.BOOTING, self.path.now + self.timings.boot_s

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        return self._power is _Power.RUNNING and self._switched_on and not self.faults

    @property
    def deaf(self) -> bool:
        """True if the acknowledgement was late, so that the unit does nothing until the next power-up."""
        return self._power is _Power.DEAF

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        for byte in data:
            if self._power is _Power.RUNNING:
                self._obey(byte)
            elif self._power is _Power.WAITING and byte == HostByte.ACKNOWLEDGE_POWER_UP:
                self._power, self._asked_at = _Power.RUNNING, now

    def _waits(self) -> tuple[float | None, ...]:
        return (
            self._waits_until if self._power in (_Power.BOOTING, _Power.WAITING) else None,
            self._asked_at + UNPOLLED_S if self._switched_on else None,
        )

    def _end_waits(self) -> None:
        """Reports the power-up, waits for its acknowledgement, and disables a unit without status requests."""
        now = self.path.now
        if self._power is _Power.BOOTING and not self.path.booting:
            self._send(DeviceByte.POWER_UP)
            self._send(DeviceByte.POWER_UP_END)
            self._power, self._waits_until = _Power.WAITING, now + ACKNOWLEDGE_WITHIN_S
        elif self._power is _Power.WAITING and now >= self._waits_until:
            self._power = _Power.DEAF
        if self._switched_on and now >= self._asked_at + UNPOLLED_S:
            self._switched_on = False

    def _send(self, byte: int) -> None:
        self._owed += bytes((byte,))

    def _send_fault(self, fault: Fault) -> None:
        self._send(FIRST_FAULT + fault.value + self.fault_shift)

    # Notes.

    def judge(self, note: Note) -> None:
        """Reports a known note and keeps it in escrow; sends another back."""
        if note.channel:
            self._send(DeviceByte.VALIDATED)
            self._send(FIRST_TYPE + note.channel - 1)
            self.path.enter(note, Phase.ESCROW if self.escrow else Phase.STACKING)
        else:
            note.reason = FIRST_FAULT + Fault.REJECT.value + self.fault_shift
            self.path.enter(note, Phase.RETURNING)

    def on_stacked(self, _note: Note) -> None:
        """Reports that the note is in the cash box."""
        self._send(DeviceByte.STACKED)

    def on_returned(self, note: Note) -> None:
        """Reports that the note is at the player, or why it was rejected."""
        self._send(note.reason or DeviceByte.RETURNED)

    # Commands.

    def _obey(self, byte: int) -> None:
        match byte:
            case HostByte.STATUS:
                self._asked_at = self.path.now
                self._send(DeviceByte.ENABLED if self.enabled else DeviceByte.DISABLED)
            case HostByte.ENABLE:
                self._switched_on, self._asked_at = True, self.path.now
            case HostByte.DISABLE:
                self._switched_on = False
            case HostByte.ACCEPT | HostByte.REJECT | HostByte.HOLD:
                self._settle_escrow(byte)
            case _:
                self._send_fault(Fault.INVALID_COMMAND)
        self.tick(self.path.now)

    def _settle_escrow(self, byte: int) -> None:
        note = self.path.note
        if note is not None and note.phase is Phase.ESCROW:
            self.path.enter(note, _AFTER_ESCROW[HostByte(byte)])
        elif byte != HostByte.HOLD:
            self._send_fault(Fault.INVALID_COMMAND)


_AFTER_ESCROW = {
    HostByte.ACCEPT: Phase.STACKING,
    HostByte.REJECT: Phase.RETURNING,
    HostByte.HOLD: Phase.ESCROW,
}
