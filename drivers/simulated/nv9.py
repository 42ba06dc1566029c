"""A simulated NV9 note validator: the unit's side of SSP, byte for byte.

It behaves like a real unit. It accepts notes only when enabled and not inhibited, refuses commands with the wrong
number of parameters, and answers a repeated sequence bit from its store without executing again. Any poll after the
report of a note in escrow accepts the note; without a hold it goes back. Without polls the unit disables itself, and
a power cut deletes all volatile state.

Rules:
- A power cut deletes the agreed key, but not the fixed key. A wrongly sealed frame is dropped silently.
- No clock: `receive` and `tick` get the time.

`stacked` and `returned` are the true notes, in cents, and `tickets_stacked` and `tickets_returned` the true tickets,
by number, for tests to compare with the cabinet's books.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from drivers.bills.events import Channel
from drivers.bills.ssp.codec import (
    ALL_READERS,
    CARRIES_CHANNEL,
    INTERLEAVED_2_OF_5,
    REJECTED_BY_DISABLE,
    REJECTED_BY_HOST,
    STANDARD_SECURITY,
    Answer,
    Code,
    Command,
    Setup,
    write_counters,
    write_setup,
    write_wide_values,
)
from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.secret import FIXED_KEY, SEALED
from drivers.simulated.nv9_body import Body, constant_bytes
from drivers.simulated.nv9_parts import (
    ACK_COMMANDS,
    ALWAYS_CLEAR,
    COUNTER_COMMANDS,
    INSTANT,
    KEY_COMMANDS,
    PARAMETERS,
    READER_COMMANDS,
    Note,
    Phase,
    Timings,
)

__all__ = ["INSTANT", "NV9", "Timings"]

_MULTIPLIER = 100
_FIRMWARE_SHORT, _BUILD = b"0331", 2
_SHORTEST_TICKET, _LONGEST_TICKET = 6, 24


class NV9(Body):
    """One unit.

    `knows_acks` False: an old unit without poll-with-ack; `knows_counters` False: a unit without counters;
    `has_reader` True: a unit that reads bar-coded tickets. `encryption`: "demanded" executes no important command in
    the clear, "unknown" has no key exchange.
    """

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
        timings: Timings | None = None,
    ) -> None:
        super().__init__(channels, has_reader=has_reader, fixed_key=fixed_key, draw=draw, timings=timings)
        self.serial = serial
        self.firmware = firmware
        self.protocol_version = protocol_version
        self.address = address
        self.unit_type = unit_type
        self.knows_acks = knows_acks
        self.knows_counters = knows_counters
        self.encryption = encryption
        self._decoder = Decoder()
        self._owed = b""

    def power_cycle(self, *, to_cashbox: bool = True, knows_note: bool = True) -> None:
        """Cuts the power as in `Body`; half a frame and an unsent answer are deleted, too."""
        super().power_cycle(to_cashbox=to_cashbox, knows_note=knows_note)
        self._decoder = Decoder()
        self._owed = b""

    def report(self, event: bytes) -> None:
        """Adds an event of a part without notes to the next poll reply."""
        self._state.side_events.append(event)

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        if self._booting():
            return
        for frame in self._decoder.feed(data):
            if frame.address == self.address and frame.data:
                self._owed += self._answer(frame)

    def bytes_to_send(self) -> bytes:
        """Returns the replies to send."""
        owed, self._owed = self._owed, b""
        return owed

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
        self.tick(self._now)
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
                state.enabled, state.last_poll = True, self._now
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
        if self._note is not None and self._note.phase in (Phase.READING, Phase.ESCROW):
            self._reject(self._note, REJECTED_BY_DISABLE)

    def _settle_escrow(self, command: int) -> Answer:
        note = self._note
        if note is None or note.phase is not Phase.ESCROW:
            return Answer.CANNOT_PROCESS
        if command == Command.REJECT:
            self._reject(note, REJECTED_BY_HOST)
        else:
            self._state.last_poll = self._now
            note.until = self._now + self.timings.escrow_s
        return Answer.OK

    def _drop_reported(self) -> Answer:
        left = [kept for kept in self._kept if not kept.reported]
        found = len(left) < len(self._kept)
        self._kept = left
        return Answer.OK if found else Answer.CANNOT_PROCESS

    def _poll(self, *, repeating: bool) -> bytes:
        """Returns the events to report, with money as early as possible. Accepts the note in escrow if it was already
        reported."""
        state = self._state
        state.last_poll = self._now
        if self._note is not None and self._note.phase is Phase.ESCROW and self._note.reported and self._jam is None:
            self._enter(self._note, Phase.STACKING, self.timings.stacking_s)
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
    def _show(note: Note) -> list[tuple[Code, int]]:
        match note.phase:
            case Phase.READING:
                return [(Code.READ, 0)]
            case Phase.ESCROW:
                note.reported = True
                return [(Code.TICKET_IN_ESCROW, 0) if note.number else (Code.READ, note.channel)]
            case Phase.STACKING:
                return [(Code.STACKING, 0)]
            case Phase.REJECTING:
                return [(Code.REJECTING, 0)]

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


def _spell(code: Code, channel: int) -> bytes:
    return bytes((code, channel)) if code in CARRIES_CHANNEL else bytes((code,))
