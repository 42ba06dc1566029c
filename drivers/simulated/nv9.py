"""A simulated NV9 note validator: the unit's side of SSP, byte for byte.

It behaves like a real unit. It accepts notes only when enabled and not inhibited, refuses commands with the wrong
number of parameters, and answers a repeated sequence bit from its store without executing again. Any poll after the
report of a note in escrow accepts the note; without a hold it goes back. Without polls the unit disables itself, and
a power cut deletes all volatile state.

Rules:
- The state that money depends on survives a power cut: the notes stacked and returned, and the events not yet reported
  or acknowledged. A waiting credit is repeated as "cleared to cash box".
- While a credit waits for its report or its ack the unit draws no further note in.
- A power cut deletes the agreed key, but not the fixed key. A wrongly sealed frame is dropped silently.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from drivers.bills.events import Channel
from drivers.bills.ssp.codec import (
    ALL_READERS,
    CARRIES_CHANNEL,
    ESCROW_TIMED_OUT,
    INTERLEAVED_2_OF_5,
    REJECTED_BY_DISABLE,
    REJECTED_BY_HOST,
    STANDARD_SECURITY,
    Answer,
    Code,
    Command,
    Setup,
    TicketPlace,
    write_counters,
    write_setup,
    write_wide_values,
)
from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.secret import FIXED_KEY, SEALED
from drivers.simulated.note_path import INSTANT, REAL, Note, Phase, SimulatedAcceptor, Timings
from drivers.simulated.nv9_keys import Keys
from drivers.simulated.nv9_parts import (
    ACK_COMMANDS,
    ALWAYS_CLEAR,
    COUNTER_COMMANDS,
    KEY_COMMANDS,
    PARAMETERS,
    READER_COMMANDS,
    Kept,
    Lasting,
    Volatile,
)

__all__ = ["INSTANT", "NV9", "Timings"]

_MULTIPLIER = 100
_FIRMWARE_SHORT, _BUILD = b"0331", 2
_SHORTEST_TICKET, _LONGEST_TICKET = 6, 24
_UNPOLLED_S = 10.0
_INVALID_NOTE, _CHANNEL_INHIBITED, _TICKET_FAILED = 0x02, 0x06, 0x14
_NOTES_OFF, _TICKETS_OFF = 0x01, 0x02


def constant_bytes(size: int) -> bytes:
    """Returns constant bytes for a key that need not be secret."""
    return bytes(range(0x31, 0x31 + size))


class NV9(SimulatedAcceptor[Code]):
    """One unit.

    `knows_acks` False: an old unit without poll-with-ack; `knows_counters` False: a unit without counters;
    `has_reader` True: a unit that reads bar-coded tickets. `encryption`: "demanded" executes no important command in
    the clear, "unknown" has no key exchange. `loses_credits`: the report of a note in the box does not arrive, as in
    an unreadable reply.
    """

    JAM, BOX_OUT, FULL = Code.UNSAFE_JAM, Code.CASHBOX_REMOVED, Code.STACKER_FULL
    STOPPING = frozenset({Code.UNSAFE_JAM, Code.SAFE_JAM})

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        serial: int = 1873452,
        firmware: str = "NV00090331498000",
        protocol_version: int = 7,
        address: int = 0,
        unit_type: int = 0,
        knows_acks: bool = True,
        knows_counters: bool = True,
        has_reader: bool = False,
        encryption: Literal["offered", "demanded", "unknown"] = "offered",
        fixed_key: int = FIXED_KEY,
        draw: Callable[[int], bytes] = constant_bytes,
        timings: Timings = REAL,
    ) -> None:
        super().__init__(channels, timings)
        self.tickets_stacked, self.tickets_returned = self.path.stacked_tickets, self.path.returned_tickets
        self.serial = serial
        self.firmware = firmware
        self.protocol_version = protocol_version
        self.address = address
        self.unit_type = unit_type
        self.knows_acks = knows_acks
        self.knows_counters = knows_counters
        self.has_reader = has_reader
        self.encryption = encryption
        self.loses_credits = False
        self._lasting = Lasting()
        self._kept: list[Kept] = []
        self._make_keys = partial(Keys, draw, fixed_key)
        self._state = Volatile(keys=self._make_keys())
        self._decoder = Decoder()

    # Actions of users.

    def insert_ticket(self, number: str) -> bool:
        """Puts in a ticket with this bar code. Returns False when the unit does not draw it in."""
        return self._draw_in(Note(ticket=number))

    def see_ghost(self, channel: int) -> None:
        """Makes the unit report once a note in escrow that is not there."""
        self._state.events.append((Code.READ, channel))

    def break_down(self, fault: Code) -> None:
        """Begins a fault."""
        if fault is self.BOX_OUT and fault not in self.faults:
            self._state.events.append((fault, 0))
        super().break_down(fault)

    def repair(self, fault: Code) -> None:
        """Ends a fault. A stuck note goes back to the player; a cash box put back is empty."""
        if fault not in self.faults:
            return
        super().repair(fault)
        if fault in self.STOPPING:
            self.path.hand_out()
        elif fault is self.BOX_OUT:
            super().repair(self.FULL)
            self._state.events.append((Code.CASHBOX_REPLACED, 0))

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        self._kept.append(Kept(code=Code.FRAUD, channel=self.path.note.channel if self.path.note else 0))
        self.path.hand_out()

    def power_cycle(self, *, to_cashbox: bool = True, knows_note: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; the unit may not know
        which.

        A document before that point comes out at power-up.
        """
        note = self.path.note
        self._state = Volatile(keys=self._make_keys())
        self._decoder = Decoder()
        self._owed = b""
        for kept in self._kept:
            kept.reported = False
            kept.code = Code.CLEARED_TO_CASHBOX if kept.code is Code.CREDIT else kept.code
        stacked = self.path.cut_power(to_cashbox=to_cashbox)
        if note is None:
            return
        channel = note.channel if knows_note else 0
        if stacked:
            self._keep_credit(note, Kept(code=Code.CLEARED_TO_CASHBOX, channel=channel))
        else:
            self._state.events.append((Code.CLEARED_FROM_FRONT, channel))

    def report(self, event: bytes) -> None:
        """Adds an event of a part without notes to the next poll reply."""
        self._state.side_events.append(event)

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""
        owes_credit = any(kept.code is not Code.FRAUD for kept in self._kept)
        return self._state.enabled and not self.faults and not owes_credit

    @property
    def counters(self) -> dict[str, int]:
        """The counters since the unit was made."""
        return dict(self._lasting.counters)

    # Notes.

    def judge(self, note: Note) -> None:
        """Rejects a document that is unknown or inhibited; another waits in escrow."""
        reason = self._why_not(note)
        if reason is not None:
            self._reject(note, reason)
            return
        if note.ticket:
            self._lasting.ticket, self._lasting.ticket_place = note.ticket, TicketPlace.ESCROW
        self.path.enter(note, Phase.ESCROW)

    def _why_not(self, note: Note) -> int | None:
        """Returns the reject code for a document; None when it may enter escrow."""
        readers, _, digits = self._lasting.bar_code_setup
        readable = self.has_reader and readers and note.ticket.isdigit() and len(note.ticket) == digits
        if note.ticket and not readable:
            return _TICKET_FAILED
        if not (note.ticket or note.channel):
            return _INVALID_NOTE
        if not self._state.enabled:
            return REJECTED_BY_DISABLE
        inhibited = self._state.bar_code_inhibit & (_TICKETS_OFF if note.ticket else _NOTES_OFF)
        if inhibited or not (note.ticket or self._state.allowed >> (note.channel - 1) & 1):
            return _CHANNEL_INHIBITED
        return None

    def _reject(self, note: Note, reason: int) -> None:
        self._lasting.last_reject = reason
        self.path.enter(note, Phase.REJECTING)

    def on_escrow_over(self, note: Note) -> None:
        """Rejects the document that waited too long in escrow."""
        self._reject(note, ESCROW_TIMED_OUT)

    def on_stacked(self, note: Note) -> None:
        """Keeps the credit until it is reported or acknowledged."""
        self._keep_credit(note, Kept(code=Code.CREDIT, channel=note.channel))
        self._state.events.append((Code.STACKED, 0))

    def on_returned(self, _note: Note) -> None:
        """Reports that the document is at the player."""
        self._state.events.append((Code.REJECTED, 0))

    def on_left(self, note: Note, *, stacked: bool) -> None:
        """Counts a document, and remembers where a ticket went."""
        self._lasting.counters["stacked" if stacked else "rejected"] += 1
        if note.ticket:
            self._lasting.ticket_place = TicketPlace.STACKED if stacked else TicketPlace.REJECTED

    def _keep_credit(self, note: Note, credit: Kept) -> None:
        if not self.loses_credits:
            self._kept.append(Kept(code=Code.TICKET_STACKED) if note.ticket else credit)

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        if self.path.booting:
            return
        for frame in self._decoder.feed(data):
            if frame.address == self.address and frame.data:
                self._owed += self._answer(frame)

    def _waits(self) -> tuple[float | None, ...]:
        last_poll = self._state.last_poll
        return (None if last_poll is None else last_poll + _UNPOLLED_S,)

    def _end_waits(self) -> None:
        """Disables a unit that was not polled for a time."""
        state = self._state
        if state.last_poll is not None and self.path.now >= state.last_poll + _UNPOLLED_S:
            state.enabled, state.last_poll = False, None

    # Commands.

    def _answer(self, frame: Frame) -> bytes:
        """Returns the reply to a frame; empty for a wrongly sealed one."""
        state = self._state
        if frame.data[0] != Command.SYNC and frame.sequence == state.last_sequence:
            return state.last_reply
        sealed = frame.data[0] == SEALED
        command = state.keys.unseal(frame.data) if sealed and state.keys.agreed else frame.data
        if not command:
            return b""
        state.last_sequence = frame.sequence
        answer = self._execute(command[0], command[1:], sealed=sealed)
        data = state.keys.seal(answer) if sealed and state.keys.agreed else answer
        state.last_reply = encode(Frame(sequence=frame.sequence, address=frame.address, data=data))
        self.tick(self.path.now)
        return state.last_reply

    def _refuse(self, command: int, parameters: bytes, *, sealed: bool) -> Answer | None:
        """Returns the answer that refuses a command before its execution; None when the unit executes it."""
        if sealed and not self._state.keys.agreed:
            return Answer.KEY_NOT_SET
        unknown = (
            (self.encryption == "unknown", KEY_COMMANDS),
            (not self.knows_acks, ACK_COMMANDS),
            (not self.knows_counters, COUNTER_COMMANDS),
            (not self.has_reader, READER_COMMANDS),
        )
        if command not in PARAMETERS or any(is_so and command in commands for is_so, commands in unknown):
            return Answer.UNKNOWN_COMMAND
        if self.encryption == "demanded" and not sealed and command not in ALWAYS_CLEAR:
            return Answer.KEY_NOT_SET
        return Answer.WRONG_PARAMETER_COUNT if len(parameters) != PARAMETERS[command] else None

    def _execute(self, command: int, parameters: bytes, *, sealed: bool) -> bytes:
        refusal = self._refuse(command, parameters, sealed=sealed)
        if refusal is not None:
            return bytes((refusal,))
        if command in KEY_COMMANDS:
            return self._state.keys.exchange(command, int.from_bytes(parameters, "little"))
        reported = self._report(command)
        return bytes((self._obey(command, parameters),)) if reported is None else bytes((Answer.OK,)) + reported

    def _report(self, command: int) -> bytes | None:
        """Returns the data of the answer to a question; None when the command is not a question."""
        lasting = self._lasting
        match command:
            case Command.POLL | Command.POLL_WITH_ACK:
                return self._poll(repeating=command == Command.POLL_WITH_ACK)
            case Command.CHANNEL_VALUES | Command.CHANNEL_SECURITY | Command.CHANNEL_RETEACH:
                return self._report_channels(command)
            case Command.LAST_REJECT:
                return bytes((lasting.last_reject,))
            case Command.COUNTERS:
                return write_counters(lasting.counters)
            case Command.BAR_CODE_READERS:
                return bytes((ALL_READERS,)) + lasting.bar_code_setup
            case Command.BAR_CODE_INHIBIT:
                return bytes((self._state.bar_code_inhibit,))
            case Command.BAR_CODE_DATA:
                number = lasting.ticket.encode("ascii") if lasting.ticket_place else b""
                return bytes((lasting.ticket_place, len(number))) + number
            case _:
                return self._identify(command)

    def _identify(self, command: int) -> bytes | None:
        """Returns the data of the answer to a question for the unit itself; None for another command."""
        match command:
            case Command.SETUP:
                return self._describe()
            case Command.SERIAL_NUMBER:
                return self.serial.to_bytes(4, "big")
            case Command.FIRMWARE:
                return self.firmware.encode("ascii")
            case Command.DATASET:
                return f"{self._country()}01610".encode("ascii")
            case Command.BUILD_REVISION:
                return bytes((self.unit_type,)) + _BUILD.to_bytes(2, "little")
            case Command.UNIT_DATA:
                return self._name() + _MULTIPLIER.to_bytes(3, "big") + bytes((self._state.version,))
            case _:
                return None

    def _obey(self, command: int, parameters: bytes) -> Answer:
        state = self._state
        match command:
            case Command.HOST_VERSION if parameters[0] > self.protocol_version:
                return Answer.FAIL
            case Command.HOST_VERSION:
                state.version = parameters[0]
            case Command.SET_UP_BAR_CODES:
                return self._set_up_bar_codes(parameters)
            case Command.SET_BAR_CODE_INHIBIT:
                state.bar_code_inhibit = parameters[0]
            case Command.SET_INHIBITS:
                state.allowed = int.from_bytes(parameters, "little")
            case Command.ENABLE:
                state.enabled, state.last_poll = True, self.path.now
            case Command.DISABLE:
                self._disable()
            case Command.HOLD | Command.REJECT:
                return self._settle_escrow(command)
            case Command.EVENT_ACK:
                return self._drop_reported()
            case Command.RESET:
                self.power_cycle()
            case Command.RESET_COUNTERS:
                self._lasting.counters = dict.fromkeys(self._lasting.counters, 0)
            case _:
                pass
        return Answer.OK

    def _set_up_bar_codes(self, parameters: bytes) -> Answer:
        readers, style, digits = parameters
        known = readers <= ALL_READERS and style == INTERLEAVED_2_OF_5
        if not (known and _SHORTEST_TICKET <= digits <= _LONGEST_TICKET):
            return Answer.OUT_OF_RANGE
        self._lasting.bar_code_setup = parameters
        return Answer.OK

    def _disable(self) -> None:
        self._state.enabled = False
        note = self.path.note
        if note is not None and note.phase in (Phase.READING, Phase.ESCROW):
            self._reject(note, REJECTED_BY_DISABLE)

    def _settle_escrow(self, command: int) -> Answer:
        note = self.path.note
        if note is None or note.phase is not Phase.ESCROW:
            return Answer.CANNOT_PROCESS
        if command == Command.REJECT:
            self._reject(note, REJECTED_BY_HOST)
        else:
            self._state.last_poll = self.path.now
            self.path.enter(note, Phase.ESCROW)
        return Answer.OK

    def _drop_reported(self) -> Answer:
        left = [kept for kept in self._kept if not kept.reported]
        found = len(left) < len(self._kept)
        self._kept = left
        return Answer.OK if found else Answer.CANNOT_PROCESS

    def _poll(self, *, repeating: bool) -> bytes:
        """Returns the events to report, with money as early as possible. Accepts the note in escrow if it was already
        reported."""
        state, note = self._state, self.path.note
        state.last_poll = self.path.now
        if note is not None and note.phase is Phase.ESCROW and note.reported and not self.halted():
            self.path.enter(note, Phase.STACKING)
        resets = [event for event in state.events if event[0] is Code.SLAVE_RESET]
        others = [event for event in state.events if event[0] is not Code.SLAVE_RESET]
        reported = [*resets, *((kept.code, kept.channel) for kept in self._kept), *others, *self._levels()]
        beside = b"".join(state.side_events)
        state.events, state.side_events = [], []
        for kept in self._kept:
            kept.reported = True
        if not repeating:
            self._kept = []
        return b"".join(_spell(code, channel) for code, channel in reported) + beside

    def _levels(self) -> list[tuple[Code, int]]:
        levels = [(fault, 0) for fault in self.faults if fault in self.STOPPING]
        if self.path.note is not None and not levels:
            levels.extend(self._show(self.path.note))
        if self.FULL in self.faults:
            levels.append((self.FULL, 0))
        if not self._state.enabled or self.faults:
            levels.append((Code.DISABLED, 0))
        elif self._state.allowed == 0 and self._state.version >= 7:
            levels.append((Code.ALL_INHIBITED, 0))
        return levels

    @staticmethod
    def _show(note: Note) -> list[tuple[Code, int]]:
        if note.phase is not Phase.ESCROW:
            return [(_SHOWN[note.phase], 0)]
        note.reported = True
        return [(Code.TICKET_IN_ESCROW, 0) if note.ticket else (Code.READ, note.channel)]

    def _country(self) -> str:
        return self.channels[0].currency if self.channels else "---"

    def _name(self) -> bytes:
        return bytes((self.unit_type,)) + _FIRMWARE_SHORT + self._country().encode("ascii")

    def _report_channels(self, command: int) -> bytes:
        count = len(self.channels)
        match command:
            case Command.CHANNEL_SECURITY:
                return bytes((count,)) + bytes((STANDARD_SECURITY,)) * count
            case Command.CHANNEL_RETEACH:
                return bytes(count)
            case _:
                narrow = bytes(min(255, each.value_cents // _MULTIPLIER) for each in self.channels)
                wide = write_wide_values(self.channels, _MULTIPLIER) if self._state.version >= 6 else b""
                return bytes((count,)) + narrow + wide

    def _describe(self) -> bytes:
        setup = Setup(
            unit_type=self.unit_type,
            firmware=_FIRMWARE_SHORT.decode("ascii"),
            country=self._country(),
            version=self._state.version,
            channels=self.channels,
        )
        return write_setup(setup, value_multiplier=_MULTIPLIER, real_multiplier=_MULTIPLIER)


_SHOWN = {Phase.READING: Code.READ, Phase.STACKING: Code.STACKING, Phase.REJECTING: Code.REJECTING}


def _spell(code: Code, channel: int) -> bytes:
    return bytes((code, channel)) if code in CARRIES_CHANNEL else bytes((code,))
