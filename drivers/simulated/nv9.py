"""A simulated NV9 note validator: the unit's side of SSP, byte for byte.

It is honest, and as unhelpful as a real one: it takes notes only when enabled and let through, refuses commands with
the wrong number of parameters, answers a repeated sequence bit from its store without executing again, accepts an
escrowed note on any poll that comes after it told of it, gives it back when nobody holds it, switches itself off when
nobody polls, and forgets everything volatile when its power is cut.

Rules:
- What money depends on survives `power_cycle`: the notes stacked and returned, and the events that are not yet told or
  not yet acknowledged. A credit still waiting comes back as "cleared to cash box".
- While a credit waits to be told or acknowledged no further note is drawn in.
- No clock: time is what `receive` and `tick` are given; what is done to it between shows at the next of these.

`stacked`, `returned` are the truth about notes, in cents, for tests to compare with what the cabinet believes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.bills.events import Channel
from drivers.bills.ssp_frame import Decoder, Frame, encode
from drivers.bills.ssp_words import (
    CARRIES_CHANNEL,
    ESCROW_TIMED_OUT,
    REJECTED_BY_DISABLE,
    REJECTED_BY_HOST,
    Answer,
    Code,
    Command,
    Setup,
    write_setup,
)

_INVALID_NOTE = 0x02
_CHANNEL_INHIBITED = 0x06
_MULTIPLIER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """How long things take, in seconds."""

    reading_s: float = 0.5
    stacking_s: float = 1.0
    rejecting_s: float = 0.5
    boot_s: float = 2.0
    escrow_s: float = 10.0
    unpolled_s: float = 10.0


INSTANT = Timings(reading_s=0.0, stacking_s=0.0, rejecting_s=0.0, boot_s=0.0)


class _Phase(Enum):
    READING = auto()
    ESCROW = auto()
    STACKING = auto()
    REJECTING = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `until` is when its phase ends, None until the unit has noticed it."""

    value_cents: int
    channel: int
    good: bool
    phase: _Phase = _Phase.READING
    until: float | None = None
    told: bool = False


@dataclass(slots=True, kw_only=True)
class _Kept:
    """An event kept until told (plain poll) or acknowledged (poll with ack)."""

    code: Code
    channel: int = 0
    told: bool = False


@dataclass(slots=True, kw_only=True)
class _Volatile:
    """What a power cut wipes out."""

    enabled: bool = False
    allowed: int = 0
    version: int = 6
    last_sequence: bool | None = None
    last_reply: bytes = b""
    last_poll: float | None = None
    events: list[tuple[Code, int]] = field(default_factory=lambda: [(Code.SLAVE_RESET, 0)])


class NV9:
    """One unit. `knows_acks` False makes it an old one without poll-with-ack."""

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        serial: int = 1873452,
        firmware: str = "NV00090331498000",
        protocol_version: int = 7,
        address: int = 0,
        knows_acks: bool = True,
        timings: Timings | None = None,
    ) -> None:
        self.channels = tuple(channels)
        self.serial = serial
        self.firmware = firmware
        self.protocol_version = protocol_version
        self.address = address
        self.knows_acks = knows_acks
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self.last_reject = 0
        self._kept: list[_Kept] = []
        self._note: _Note | None = None
        self._jam: Code | None = None
        self._full = False
        self._cashbox_out = False
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._now = 0.0
        self._boot_ends: float | None = None

    # What people do to it.

    def insert(self, value_cents: int) -> bool:
        """Put in a genuine note; False when the unit does not draw it in."""
        channel = next((each.number for each in self.channels if each.value_cents == value_cents), 0)
        return self._draw_in(_Note(value_cents=value_cents, channel=channel, good=channel != 0))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Put in something the unit will not recognise."""
        return self._draw_in(_Note(value_cents=value_cents, channel=0, good=False))

    def jam(self, *, safe: bool = False) -> None:
        """The path jams, with or without a note in it; `safe` means out of the player's reach."""
        self._jam = Code.SAFE_JAM if safe else Code.UNSAFE_JAM

    def clear_jam(self) -> None:
        """The path is freed; a note that was stuck is handed back."""
        if self._jam is None:
            return
        self._jam = None
        if self._note is not None:
            self._hand_out(self._note)

    def cheat(self) -> None:
        """Somebody pulls the note back on a string."""
        channel = self._note.channel if self._note is not None else 0
        if self._note is not None:
            self._hand_out(self._note)
        self._kept.append(_Kept(code=Code.FRAUD, channel=channel))

    def remove_cashbox(self) -> None:
        """The cash box is taken out."""
        if self._cashbox_out:
            return
        self._cashbox_out = True
        self._state.events.append((Code.CASHBOX_REMOVED, 0))

    def replace_cashbox(self) -> None:
        """The cash box is put back, empty."""
        if not self._cashbox_out:
            return
        self._cashbox_out = self._full = False
        self._state.events.append((Code.CASHBOX_REPLACED, 0))

    def fill(self) -> None:
        """The stacker is full."""
        self._full = True

    def empty(self) -> None:
        """The stacker has room again."""
        self._full = False

    def power_cycle(self, *, to_cashbox: bool = True, knows_note: bool = True) -> None:
        """Cut the power and give it back. A note being stacked ends in the box or comes out; the unit may not know it.

        Whatever was in front of that point comes out at power-up.
        """
        note, self._note = self._note, None
        self._state = _Volatile()
        self._decoder = Decoder()
        self._owed = b""
        self._boot_ends = self._now + self.timings.boot_s
        for kept in self._kept:
            kept.told = False
            kept.code = Code.CLEARED_TO_CASHBOX if kept.code is Code.CREDIT else kept.code
        if note is None:
            return
        channel = note.channel if knows_note else 0
        if note.phase is _Phase.STACKING and to_cashbox:
            self.stacked.append(note.value_cents)
            self._kept.append(_Kept(code=Code.CLEARED_TO_CASHBOX, channel=channel))
        else:
            self.returned.append(note.value_cents)
            self._state.events.append((Code.CLEARED_FROM_FRONT, channel))

    # What can be seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether it would draw a note in."""
        return self._state.enabled and not (self._jam or self._full or self._cashbox_out or self._owes_credit())

    @property
    def busy(self) -> bool:
        """Whether a note is in the path."""
        return self._note is not None

    @property
    def phase(self) -> str:
        """What the note in the path is doing: "reading", "escrow", "stacking", "rejecting", or "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came from the host."""
        self.tick(now)
        if self._booting():
            return
        for frame in self._decoder.feed(data):
            if frame.address == self.address and frame.data:
                self._owed += self._answer(frame)

    def bytes_to_send(self) -> bytes:
        """The replies owed."""
        owed, self._owed = self._owed, b""
        return owed

    def tick(self, now: float) -> None:
        """Let time pass: notes move, the escrow times out, an unpolled unit switches itself off."""
        self._now = max(self._now, now)
        state = self._state
        if self._booting():
            return
        if state.last_poll is not None and now >= state.last_poll + self.timings.unpolled_s:
            state.enabled, state.last_poll = False, None
        while self._jam is None and (note := self._note) is not None:
            if note.until is None:
                note.until = now + self.timings.reading_s
            if now < note.until:
                return
            self._finish_phase(note)

    def due(self) -> float | None:
        """When something moves by itself next."""
        if self._booting():
            return self._boot_ends
        ends = [self._note.until if self._note.until is not None else self._now] if self._note and not self._jam else []
        if self._state.last_poll is not None:
            ends.append(self._state.last_poll + self.timings.unpolled_s)
        return min(ends, default=None)

    def _booting(self) -> bool:
        return self._boot_ends is not None and self._now < self._boot_ends

    # Notes.

    def _draw_in(self, note: _Note) -> bool:
        if self._note is not None or not self.enabled or self._booting():
            return False
        self._note = note
        return True

    def _hand_out(self, note: _Note) -> None:
        self._note = None
        self.returned.append(note.value_cents)

    def _finish_phase(self, note: _Note) -> None:
        match note.phase:
            case _Phase.READING:
                self._judge(note)
            case _Phase.ESCROW:
                self._reject(note, ESCROW_TIMED_OUT)
            case _Phase.STACKING:
                self._note = None
                self.stacked.append(note.value_cents)
                self._kept.append(_Kept(code=Code.CREDIT, channel=note.channel))
                self._state.events.append((Code.STACKED, 0))
            case _Phase.REJECTING:
                self._hand_out(note)
                self._state.events.append((Code.REJECTED, 0))

    def _judge(self, note: _Note) -> None:
        if not note.good:
            self._reject(note, _INVALID_NOTE)
        elif not self._state.enabled:
            self._reject(note, REJECTED_BY_DISABLE)
        elif not self._state.allowed >> (note.channel - 1) & 1:
            self._reject(note, _CHANNEL_INHIBITED)
        else:
            self._enter(note, _Phase.ESCROW, self.timings.escrow_s)

    def _reject(self, note: _Note, reason: int) -> None:
        self.last_reject = reason
        self._enter(note, _Phase.REJECTING, self.timings.rejecting_s)

    def _enter(self, note: _Note, phase: _Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

    def _owes_credit(self) -> bool:
        return any(kept.code in (Code.CREDIT, Code.CLEARED_TO_CASHBOX) for kept in self._kept)

    # Commands.

    def _answer(self, frame: Frame) -> bytes:
        state = self._state
        if frame.data[0] != Command.SYNC and frame.sequence == state.last_sequence:
            return state.last_reply
        state.last_sequence = frame.sequence
        answer = self._execute(frame.data[0], frame.data[1:])
        state.last_reply = encode(Frame(sequence=frame.sequence, address=frame.address, data=answer))
        self.tick(self._now)
        return state.last_reply

    def _execute(self, command: int, parameters: bytes) -> bytes:
        if command not in _PARAMETERS or (command in _ACK_COMMANDS and not self.knows_acks):
            return bytes((Answer.UNKNOWN_COMMAND,))
        if len(parameters) != _PARAMETERS[command]:
            return bytes((Answer.WRONG_PARAMETER_COUNT,))
        match command:
            case Command.POLL | Command.POLL_WITH_ACK:
                return bytes((Answer.OK,)) + self._poll(repeating=command == Command.POLL_WITH_ACK)
            case Command.SETUP:
                return bytes((Answer.OK,)) + self._describe()
            case Command.SERIAL_NUMBER:
                return bytes((Answer.OK,)) + self.serial.to_bytes(4, "big")
            case Command.FIRMWARE:
                return bytes((Answer.OK,)) + self.firmware.encode("ascii")
            case Command.LAST_REJECT:
                return bytes((Answer.OK, self.last_reject))
            case _:
                return bytes((self._obey(command, parameters),))

    def _obey(self, command: int, parameters: bytes) -> Answer:
        state = self._state
        match command:
            case Command.HOST_VERSION if parameters[0] > self.protocol_version:
                return Answer.FAIL
            case Command.HOST_VERSION:
                state.version = parameters[0]
            case Command.SET_INHIBITS:
                state.allowed = int.from_bytes(parameters, "little")
            case Command.ENABLE:
                state.enabled, state.last_poll = True, self._now
            case Command.DISABLE:
                self._disable()
            case Command.HOLD | Command.REJECT:
                return self._settle_escrow(command)
            case Command.EVENT_ACK:
                return self._forget_told()
            case Command.RESET:
                self.power_cycle()
            case _:
                pass
        return Answer.OK

    def _disable(self) -> None:
        self._state.enabled = False
        if self._note is not None and self._note.phase in (_Phase.READING, _Phase.ESCROW):
            self._reject(self._note, REJECTED_BY_DISABLE)

    def _settle_escrow(self, command: int) -> Answer:
        note = self._note
        if note is None or note.phase is not _Phase.ESCROW:
            return Answer.CANNOT_PROCESS
        if command == Command.REJECT:
            self._reject(note, REJECTED_BY_HOST)
        else:
            self._state.last_poll = self._now
            note.until = self._now + self.timings.escrow_s
        return Answer.OK

    def _forget_told(self) -> Answer:
        left = [kept for kept in self._kept if not kept.told]
        found = len(left) < len(self._kept)
        self._kept = left
        return Answer.OK if found else Answer.CANNOT_PROCESS

    def _poll(self, *, repeating: bool) -> bytes:
        """Tell what there is to tell; the note in escrow is accepted if the host already knew of it."""
        state = self._state
        state.last_poll = self._now
        if self._note is not None and self._note.phase is _Phase.ESCROW and self._note.told and self._jam is None:
            self._enter(self._note, _Phase.STACKING, self.timings.stacking_s)
        told = [*state.events, *((kept.code, kept.channel) for kept in self._kept), *self._levels()]
        state.events = []
        for kept in self._kept:
            kept.told = True
        if not repeating:
            self._kept = []
        return b"".join(_spell(code, channel) for code, channel in told)

    def _levels(self) -> list[tuple[Code, int]]:
        levels: list[tuple[Code, int]] = []
        if self._jam is not None:
            levels.append((self._jam, 0))
        elif self._note is not None:
            levels.extend(self._show(self._note))
        if self._full:
            levels.append((Code.STACKER_FULL, 0))
        if not self._state.enabled or self._cashbox_out or self._full or self._jam is not None:
            levels.append((Code.DISABLED, 0))
        elif self._state.allowed == 0 and self._state.version >= 7:
            levels.append((Code.ALL_INHIBITED, 0))
        return levels

    @staticmethod
    def _show(note: _Note) -> list[tuple[Code, int]]:
        match note.phase:
            case _Phase.READING:
                return [(Code.READ, 0)]
            case _Phase.ESCROW:
                note.told = True
                return [(Code.READ, note.channel)]
            case _Phase.STACKING:
                return [(Code.STACKING, 0)]
            case _Phase.REJECTING:
                return [(Code.REJECTING, 0)]

    def _describe(self) -> bytes:
        country = self.channels[0].currency if self.channels else "---"
        setup = Setup(
            unit_type=0, firmware="0331", country=country, version=self._state.version, channels=self.channels
        )
        return write_setup(setup, value_multiplier=_MULTIPLIER, real_multiplier=_MULTIPLIER)


def _spell(code: Code, channel: int) -> bytes:
    return bytes((code, channel)) if code in CARRIES_CHANNEL else bytes((code,))


_ACK_COMMANDS = (Command.POLL_WITH_ACK, Command.EVENT_ACK)
_PARAMETERS: Mapping[int, int] = {
    Command.RESET: 0,
    Command.SET_INHIBITS: 2,
    Command.SETUP: 0,
    Command.HOST_VERSION: 1,
    Command.POLL: 0,
    Command.REJECT: 0,
    Command.DISABLE: 0,
    Command.ENABLE: 0,
    Command.SERIAL_NUMBER: 0,
    Command.SYNC: 0,
    Command.LAST_REJECT: 0,
    Command.HOLD: 0,
    Command.FIRMWARE: 0,
    Command.POLL_WITH_ACK: 0,
    Command.EVENT_ACK: 0,
}
