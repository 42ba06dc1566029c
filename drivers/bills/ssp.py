"""SSP, the serial protocol of Innovative Technology's note validators (NV9, NV10, NV11, NV12, NV200).

    host  7F seq|address len command ... crc crc        one command, then wait for the reply
    unit  7F seq|address len answer events ... crc crc

Who speaks: only the host asks. Repeats: a command without answer goes out again after a second with the same sequence
bit, and the unit repeats its stored reply. After the last repeat the unit counts as gone; everything starts again from
SYNC, with a growing pause between the attempts.

Start-up: the poll that was never answered, if any, is asked once more (its stored reply may carry a credit) -> SYNC ->
host protocol version, stepping down -> setup -> serial number and firmware -> REJECT -> DISABLE -> polls until nothing
moves any more -> `Started` -> inhibits and enable as the last `Take` says -> poll. A `SLAVE RESET` while running begins
it again, before anything else of that reply is read. A serial number other than the first one seen is an alarm, and
what that unit tells is never read.

Why REJECT comes before the first poll, always: any poll accepts a note that is in escrow. After a restart of ours
nobody here knows what was decided. After a reconnect a note that waits for a decision must not be accepted either. And
where Stack had been ordered, the order may have been executed (then the unit is past escrow and refuses the REJECT) or
not (then giving the note back is as honest as taking it, and closes the cabinet's intent just as well). So one rule
does for all: after any gap a note still in escrow goes back, and the unit says how it ended.

Escrow: `EF n` is `Offered`. From then on HOLD goes out in place of polls until Stack (a poll, which accepts) or Return
(REJECT) is ordered. A note on a channel that is not wanted goes back without being offered. A note nobody decides on
goes back after `longest_hold_s`.

Acknowledgement: with poll-with-ack a credit is repeated, also after power-up, until the event ack, which is sent only
after `Confirm(receipt)`. With the plain poll a credit is told once and has no receipt; only the stored reply protects
it, so a restart of ours, or a power cut that takes the stored reply with it, can lose one. Re-reported after power-up:
`E2 n` went to the cash box, `E1 n` went out of the front.

Source: Innovative Technology, SSP Protocol Manual GA138 and SSP Implementation Guide GA973. Knows no credit, no line.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar, assert_never

from drivers.bills.events import BillEvent, BillOrder, Enabled, Return, Stack, Started, Take, Trouble
from drivers.bills.ssp_exchange import Exchange
from drivers.bills.ssp_notes import Notes, Stage
from drivers.bills.ssp_words import (
    HIGHEST_VERSION,
    LOWEST_VERSION,
    NO_REASON_GIVEN,
    READABLE_UNITS,
    Answer,
    Code,
    Command,
    PollReport,
    Setup,
    inhibits,
    read_events,
    read_setup,
)
from drivers.protocol import Confirm, LineSettings

LINE = LineSettings(baud=9600, stop_bits=2)
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
START_UP_PATIENCE_S = 20.0
APPLY_AGAIN_S = 2.0
REFUSED_POLLS = 10

_POLLS = (Command.POLL, Command.POLL_WITH_ACK)
_SWITCHING = "switching"

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class _Ask:
    """Step of the conversation: send this command (or the unanswered one again) and go on with its reply."""

    command: bytes
    again: bool = False


@dataclass(frozen=True, slots=True)
class _Pause:
    """Step of the conversation: go on at this time, or as soon as an order comes if `orders_end_it`."""

    until: float
    orders_end_it: bool = False


@dataclass(frozen=True, slots=True)
class _Reply:
    """The generic answer and what follows it."""

    code: int
    rest: bytes


_Talk = Generator[_Ask | _Pause, bytes | None, ResultT]


class _SilentError(Exception):
    """The unit does not answer; ends the conversation from wherever it is."""


class _UnfitError(Exception):
    """The unit answers, but cannot be used as it is."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble


class SspProtocol:
    """The host's side of one SSP note validator; a `WireProtocol[BillEvent, BillOrder]`.

    `currency` restricts what is taken to channels of that ISO code. `wants_ack` False stays with the plain poll even
    where the unit offers poll-with-ack.
    """

    def __init__(
        self,
        *,
        address: int = 0,
        currency: str | None = None,
        poll_interval_s: float = 0.2,
        reply_timeout_s: float = 1.0,
        repeats: int = 5,
        hold_interval_s: float = 2.0,
        longest_hold_s: float = 30.0,
        wants_ack: bool = True,
    ) -> None:
        self._currency = currency
        self._poll_interval_s = poll_interval_s
        self._hold_interval_s = hold_interval_s
        self._longest_hold_s = longest_hold_s
        self._wants_ack = wants_ack
        self._exchange = Exchange(address=address, reply_timeout_s=reply_timeout_s, repeats=repeats)
        self._notes = Notes()
        self._talk: _Talk[None] | None = None
        self._pause: _Pause | None = None
        self._now = 0.0
        self._late: tuple[bytes, bytes] | None = None
        self._serial: str | None = None
        self._setup: Setup | None = None
        self._repeating = wants_ack
        self._refused_polls = 0
        self._next_poll = 0.0
        self._accept_due = False
        self._held_since = 0.0
        self._next_hold = 0.0
        self._wanted: frozenset[int] = frozenset()
        self._applied: frozenset[int] | None = None
        self._applied_at = 0.0
        self._apply_not_before = 0.0
        self._taking: bool | None = None
        self._out: list[BillEvent] = []

    @property
    def line(self) -> LineSettings:
        """9600 baud, 8 data bits, no parity, 2 stop bits."""
        return LINE

    def opened(self, now: float) -> None:
        """Begin the start-up from the top."""
        self._lose_contact()
        self._now = now
        self._exchange.forget_line()
        self._talk = self._converse()
        self._resume(None)

    def closed(self, now: float) -> None:
        """The line is gone; what is known of notes and credits stays."""
        self._now = now
        self._lose_contact()
        self._exchange.forget_line()
        self._talk = self._pause = None
        self._notes.levels.begin(Trouble.LINK, "the line is gone")
        self._collect()

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came in."""
        self._now = now
        question = self._exchange.unanswered
        was_open = self._exchange.due() is not None
        reply = self._exchange.receive(data)
        if reply is None:
            return
        if was_open:
            self._resume(reply)
        elif question[0] in _POLLS:
            self._late = (question, reply)

    def order(self, order: BillOrder, now: float) -> None:
        """Stack and Return count only while a note is held; Take and Confirm always."""
        self._now = now
        match order:
            case Stack():
                self._accept_due = self._notes.order_stack() or self._accept_due
            case Return():
                self._notes.order_return()
            case Take(channels=channels):
                self._wanted = channels
                self._apply_not_before = now
            case Confirm(receipt=receipt):
                self._notes.confirm(receipt)
            case _:
                assert_never(order)
        if self._pause is not None and self._pause.orders_end_it:
            self._resume(None)

    def tick(self, now: float) -> None:
        """Repeat, give up, or go on after a pause."""
        self._now = now
        self._exchange.tick(now)
        if self._exchange.silent:
            self._exchange.silent = False
            self._resume(None)
        elif self._pause is not None and now >= self._pause.until:
            self._resume(None)

    def due(self) -> float | None:
        """When the next repeat, poll, hold or attempt is due."""
        return self._pause.until if self._pause is not None else self._exchange.due()

    def bytes_to_send(self) -> bytes:
        """The command owed to the unit."""
        return self._exchange.bytes_to_send()

    def events(self) -> list[BillEvent]:
        """What has happened, each event once."""
        self._collect()
        out, self._out = self._out, []
        return out

    # The conversation: a generator that yields what to send or how long to wait, and is resumed with the reply.

    def _resume(self, reply: bytes | None) -> None:
        """Let the conversation take its next step. A None after an ask means that nobody answered."""
        if self._talk is None:
            return
        self._pause = None
        step = self._talk.send(reply)
        match step:
            case _Pause():
                self._pause = step
            case _Ask(again=True):
                self._exchange.ask_again(self._now)
            case _Ask(command=command):
                self._exchange.ask(command, self._now)
            case _:
                assert_never(step)

    def _converse(self) -> _Talk[None]:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                yield from self._start_up()
                pause_s = FIRST_PAUSE_S
                yield from self._serve()
                continue
            except _SilentError:
                detail = "no answer; check power, cable, and that the unit is set to SSP"
                self._notes.levels.begin(Trouble.LINK, detail)
            except _UnfitError as unfit:
                self._notes.levels.begin(unfit.trouble, str(unfit))
            self._lose_contact()
            yield _Pause(self._now + pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _lose_contact(self) -> None:
        self._notes.lose_contact()
        if self._taking:
            self._out.append(Enabled(taking=False))
        self._taking = self._applied = None

    def _ask(self, command: int, parameters: bytes = b"") -> _Talk[_Reply]:
        reply = yield _Ask(bytes((command,)) + parameters)
        if not reply:
            raise _SilentError
        if reply[0] == Answer.KEY_NOT_SET:
            raise _UnfitError(Trouble.HARDWARE, "the unit wants an encrypted line, which this driver does not speak")
        return _Reply(reply[0], reply[1:])

    def _start_up(self) -> _Talk[None]:
        self._notes.begin_start_up()
        yield from self._ask_again()
        yield from self._ask(Command.SYNC)
        yield from self._agree_on_version()
        setup = yield from self._read_setup()
        yield from self._check_serial()
        firmware = yield from self._ask(Command.FIRMWARE)
        self._take_in_late()
        yield from self._ask(Command.REJECT)
        self._notes.given_back()
        yield from self._ask(Command.DISABLE)
        yield from self._hear_what_was_kept()
        self._report_started(setup, firmware)

    def _ask_again(self) -> _Talk[None]:
        """A poll that never got its answer is asked once more: the stored reply may carry a credit."""
        question = self._exchange.unanswered
        if question and question[0] in _POLLS:
            reply = yield _Ask(question, again=True)
            if reply:
                self._late = (question, reply)

    def _take_in_late(self) -> None:
        """Read the late reply to a poll, now that the unit is known to be the right one."""
        late, self._late = self._late, None
        if late is not None:
            self._take_in(*late)

    def _agree_on_version(self) -> _Talk[None]:
        for version in range(HIGHEST_VERSION, LOWEST_VERSION - 1, -1):
            reply = yield from self._ask(Command.HOST_VERSION, bytes((version,)))
            if reply.code in (Answer.OK, Answer.UNKNOWN_COMMAND):
                return
        raise _UnfitError(
            Trouble.HARDWARE,
            f"the unit refuses every protocol version from {HIGHEST_VERSION} down to {LOWEST_VERSION}, "
            f"last with {reply.code:02X}",
        )

    def _read_setup(self) -> _Talk[Setup]:
        reply = yield from self._ask(Command.SETUP)
        setup = read_setup(reply.rest) if reply.code == Answer.OK else None
        if setup is None:
            raise _UnfitError(
                Trouble.HARDWARE, f"not the setup of a note validator: {reply.code:02X} {reply.rest.hex(' ').upper()}"
            )
        if self._currency is not None and all(channel.currency != self._currency for channel in setup.channels):
            found = ", ".join(sorted({channel.currency for channel in setup.channels})) or "no notes at all"
            raise _UnfitError(Trouble.WRONG_DEVICE, f"the unit reads {found}, expected {self._currency}")
        self._setup = setup
        self._notes.know_channels(setup.channels)
        return setup

    def _check_serial(self) -> _Talk[None]:
        reply = yield from self._ask(Command.SERIAL_NUMBER)
        serial = str(int.from_bytes(reply.rest, "big")) if reply.code == Answer.OK else ""
        if self._serial is None:
            self._serial = serial
        elif serial != self._serial:
            self._late = None
            raise _UnfitError(
                Trouble.WRONG_DEVICE,
                f"serial number {serial or 'unknown'}, expected {self._serial or 'unknown'}; "
                "if it was replaced on purpose, restart the cabinet",
            )

    def _hear_what_was_kept(self) -> _Talk[None]:
        """Poll until nothing moves: what happened before us, and the note we have just sent back."""
        self._repeating = self._wants_ack
        patience_until = self._now + START_UP_PATIENCE_S
        while True:
            question, reply = yield from self._ask_poll()
            report = self._take_in(question, reply)
            yield from self._explain_rejects()
            if self._notes.stage is Stage.GOING:
                yield from self._give_back()
            if self._notes.ack_due:
                yield from self._acknowledge()
            if (report is not None and self._notes.settled) or self._now >= patience_until:
                return
            yield _Pause(self._now + self._poll_interval_s)

    def _report_started(self, setup: Setup, firmware: _Reply) -> None:
        for trouble in (Trouble.LINK, Trouble.WRONG_DEVICE, Trouble.HARDWARE):
            self._notes.levels.end(trouble)
        self._notes.finish_start_up()
        self._collect()
        text = firmware.rest.decode("ascii", "replace") if firmware.code == Answer.OK else setup.firmware
        self._out.append(
            Started(
                model=f"SSP {READABLE_UNITS[setup.unit_type]}, protocol {setup.version}",
                firmware=text.strip("\0 "),
                serial=self._serial or "",
                channels=setup.channels,
            )
        )

    def _serve(self) -> _Talk[None]:
        """The running unit, one most urgent thing at a time; returns when the unit has reset itself."""
        self._next_poll = self._now
        while True:
            if self._notes.stage is Stage.HELD:
                yield from self._hold()
            elif self._notes.stage is Stage.GOING:
                yield from self._give_back()
            elif self._notes.ack_due:
                yield from self._acknowledge()
            elif self._notes.rejects_to_explain:
                yield from self._explain_rejects()
            elif self._wishes_differ() and not self._accept_due:
                yield from self._apply_wishes()
            elif self._accept_due or self._now >= self._next_poll:
                question, reply = yield from self._ask_poll()
                if read_events(reply[1:]).has(Code.SLAVE_RESET):
                    # Is it still the same unit? What it says is read once the start-up has seen the serial number.
                    self._late = (question, reply)
                    self._lose_contact()
                    return
                self._take_in(question, reply)
            else:
                yield _Pause(self._next_poll, orders_end_it=True)

    def _hold(self) -> _Talk[None]:
        """Keep the note in escrow. Where the unit no longer can, it must go back before the next poll."""
        if self._now >= self._held_since + self._longest_hold_s:
            self._notes.order_return()
        elif self._now >= self._next_hold:
            reply = yield from self._ask(Command.HOLD)
            self._next_hold = self._now + self._hold_interval_s
            if reply.code != Answer.OK:
                self._notes.order_return()
        else:
            yield _Pause(min(self._next_hold, self._held_since + self._longest_hold_s), orders_end_it=True)

    def _give_back(self) -> _Talk[None]:
        yield from self._ask(Command.REJECT)
        self._notes.given_back()
        self._next_poll = self._now

    def _acknowledge(self) -> _Talk[None]:
        yield from self._ask(Command.EVENT_ACK)
        self._notes.acknowledged()

    def _explain_rejects(self) -> _Talk[None]:
        if self._notes.rejects_to_explain:
            reply = yield from self._ask(Command.LAST_REJECT)
            told = reply.code == Answer.OK and len(reply.rest) == 1
            self._notes.explained(reply.rest[0] if told else NO_REASON_GIVEN, repeating=self._repeating)

    def _allowed(self) -> frozenset[int]:
        """The channels wanted that the unit has, in the right currency."""
        channels = self._setup.channels if self._setup else ()
        fitting = {channel.number for channel in channels if self._currency in (None, channel.currency)}
        return self._wanted & fitting

    def _wishes_differ(self) -> bool:
        return self._applied != self._allowed() and self._now >= self._apply_not_before

    def _apply_wishes(self) -> _Talk[None]:
        """Make the unit take what is wanted now; tried again later when it refuses."""
        allowed = self._allowed()
        highest = max((channel.number for channel in self._setup.channels), default=1) if self._setup else 1
        masked = yield from self._ask(Command.SET_INHIBITS, inhibits(allowed, highest=highest))
        switched = yield from self._ask(Command.ENABLE if allowed else Command.DISABLE)
        self._applied_at = self._now
        refused = next((reply.code for reply in (masked, switched) if reply.code != Answer.OK), None)
        if refused is None:
            self._applied = allowed
            self._notes.levels.end(Trouble.HARDWARE, _SWITCHING)
        else:
            self._apply_not_before = self._now + APPLY_AGAIN_S
            self._notes.levels.begin(Trouble.HARDWARE, f"the unit refuses to be switched: {refused:02X}", _SWITCHING)

    def _ask_poll(self) -> _Talk[tuple[bytes, bytes]]:
        """Poll, with ack where the unit knows it; returns the command and its reply."""
        command = Command.POLL_WITH_ACK if self._repeating else Command.POLL
        reply = yield from self._ask(command)
        if self._repeating and reply.code in (Answer.UNKNOWN_COMMAND, Answer.WRONG_PARAMETER_COUNT, Answer.FAIL):
            self._repeating = False
            command = Command.POLL
            reply = yield from self._ask(command)
        self._accept_due = False
        self._next_poll = self._now + self._poll_interval_s
        return bytes((command,)), bytes((reply.code,)) + reply.rest

    def _take_in(self, question: bytes, reply: bytes) -> PollReport | None:
        """Digest a poll reply; one that is refused again and again is a fault of the unit."""
        if reply[0] != Answer.OK:
            self._refused_polls += 1
            if self._refused_polls >= REFUSED_POLLS:
                self._refused_polls = 0
                raise _UnfitError(Trouble.HARDWARE, f"the unit refuses to be polled: {reply[0]:02X}")
            return None
        self._refused_polls = 0
        report = read_events(reply[1:])
        before = self._notes.stage
        repeating = question[0] == Command.POLL_WITH_ACK
        self._notes.take_in(report, repeating=repeating, allowed=self._allowed())
        self._collect()
        if before is not Stage.HELD and self._notes.stage is Stage.HELD:
            self._held_since = self._next_hold = self._now
        self._watch_enabled(report)
        return report

    def _watch_enabled(self, report: PollReport) -> None:
        """Report what the wire says, and switch on again a unit that switched itself off."""
        if self._applied is None:
            return
        off = report.has(Code.DISABLED, Code.ALL_INHIBITED)
        taking = bool(self._applied) and not off
        if taking is not self._taking:
            self._taking = taking
            self._out.append(Enabled(taking=taking))
        if self._applied and off and self._now >= self._applied_at + APPLY_AGAIN_S:
            self._applied = None

    def _collect(self) -> None:
        self._out.extend(self._notes.events())
