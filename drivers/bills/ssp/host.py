"""SSP, the serial protocol of Innovative Technology's note validators (NV9, NV10, NV11, NV12, NV200).

    host  7F seq|address len command ... crc crc        one command, then wait for the reply
    unit  7F seq|address len answer events ... crc crc

Who sends: the unit only replies. Repeats: a command without reply goes out again after a second with the same
sequence bit, and the unit repeats its stored reply. After the last repeat the unit counts as silent; the start-up
runs again from SYNC, with a growing pause between the attempts.

Start-up: a poll without reply, if any, is sent once more (the stored reply may carry a credit) -> SYNC -> keys, if
the line is sealed -> host protocol version, stepping down -> setup -> serial number and firmware -> REJECT -> DISABLE
-> bar code reader -> polls until nothing moves -> `Started` -> inhibits and enable of the last `Take` -> poll. A
`SLAVE RESET` while running starts the unit again, before the rest of that reply is read. A serial number other than
the first one seen is an alarm, and nothing from that unit is applied.

Sealing: with `Secrecy` the line is sealed from the start (`always`), or as soon as the unit reports that it has no
key or that it pays out. A unit that has lost its key by a reset reports that too; then the start-up runs again.

Why REJECT always comes before the first poll: any poll accepts a note in escrow. After a restart the host does not
know what was decided. After a reconnect a note that waits for a decision must not be accepted either. And if Stack
was ordered, the order may have been executed (then the unit is past escrow and refuses the REJECT) or not (then
returning the note is as correct as stacking it, and closes the cabinet's intent as well). So one rule covers all
cases: after any gap a note still in escrow goes back, and the unit reports the outcome.

Escrow: `EF n` is `Offered`. Then HOLD goes out in place of polls until Stack (a poll, which accepts) or Return
(REJECT) is ordered. A note on a channel that is not enabled goes back without an offer. Without a decision a note
goes back after `longest_hold_s`. A ticket is handled in the same way; its number is read before the offer.

Acknowledgement: with poll-with-ack a credit is repeated, also after power-up, until the event ack, which is sent only
after `Confirm(receipt)`. With the plain poll a credit is reported once and has no receipt; only the stored reply
protects it, so a restart of the host, or a power cut that deletes the stored reply, can lose one. Therefore `Offered`
and `Started` carry the unit's own counter of notes kept: one more at the start-up than at the offer means that the
note was stacked. Re-reported after power-up: `E2 n` went to the cash box, `E1 n` went out of the front.

Gone: an accepted note can disappear from the polls: freed by hand, never there, or credited in an unreadable reply.
Then the host reads the counter, or for a ticket the bar code. A unit that cannot answer is started again, so that the
cabinet treats the note as in doubt. A unit that stacks for longer than `stacking_patience_s` is jammed.

Source: Innovative Technology, SSP Protocol Manual GA138 and SSP Implementation Guide GA973. Knows no credit, no line.
"""

from dataclasses import dataclass

from drivers.bills.active_faults import StackerWatch
from drivers.bills.conversation import Pause, SilentError, Talk, UnfitError
from drivers.bills.conversation_host import ConversationHost, Timing
from drivers.bills.events import TAKE_NOTHING, Trouble
from drivers.bills.path_notes import Stage
from drivers.bills.ssp.codec import (
    NO_REASON_GIVEN,
    PAYOUT_UNITS,
    READABLE_UNITS,
    Answer,
    Code,
    Command,
    PollReport,
    Setup,
    bar_code_inhibit,
    inhibits,
    read_events,
)
from drivers.bills.ssp.exchange import Exchange
from drivers.bills.ssp.notes import Notes
from drivers.bills.ssp.questions import KeyWantedError, Polled, Questions
from drivers.bills.ssp.secret import Secrecy
from drivers.bills.ssp.side_events import SideLog
from drivers.protocol import LineSettings

LINE = LineSettings(baud=9600, stop_bits=2)
_CHECK = "check power, cable, address, and that the unit is set to SSP"
REFUSED_POLLS = 10

_NO_ACK_HERE = (Answer.UNKNOWN_COMMAND, Answer.WRONG_PARAMETER_COUNT, Answer.FAIL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SspTiming(Timing):
    """The waits of the host. `start_up_patience_s`: the longest wait at a start-up until nothing moves."""

    hold_interval_s: float = 2.0
    start_up_patience_s: float = 20.0


class SspProtocol(ConversationHost[bytes]):
    """The host's side of one SSP note validator; a `WireProtocol[BillEvent, BillOrder]`.

    `currency`: only channels of this ISO code are accepted. `wants_ack` False uses the plain poll even when the unit
    offers poll-with-ack. `secrecy` None never seals the line.
    """

    _notes: Notes
    _timing: SspTiming

    def __init__(
        self,
        *,
        address: int = 0,
        currency: str | None = None,
        wants_ack: bool = True,
        secrecy: Secrecy | None = None,
        timing: SspTiming = SspTiming(),
    ) -> None:
        super().__init__(line=LINE, name="SSP", hint=_CHECK, notes=Notes(), timing=timing, currency=currency)
        self._wants_ack = self._repeating = wants_ack
        self._exchange = Exchange(address=address)
        self._questions = Questions(self._exchange, secrecy)
        self._stacker = StackerWatch(self._notes.faults, patience_s=timing.stacking_patience_s)
        self._sealing = secrecy is not None and secrecy.always
        self._late: Polled | None = None
        self._setup: Setup | None = None
        self._refused_polls = 0
        self._side_log = SideLog()
        self._accept_due = False

    def tick(self, now: float) -> None:
        """Repeats a command, gives it up, or continues after a pause. A reply cut by a time-out still counts."""
        self._conversation.tick(now)

    def _forget_frame(self) -> None:
        self._exchange.forget_line()

    def _read_answer(self, data: bytes) -> bytes | None:
        """Returns the reply to the last command. After the last repeat, a late reply to a poll is kept."""
        question = self._exchange.unanswered
        reply = self._exchange.receive(data)
        if reply is not None and question is not None and not self._conversation.is_asking:
            self._late = self._questions.late(question.command[0], reply) or self._late
        return reply

    def _on_decision(self) -> None:
        self._accept_due = self._accept_due or self._notes.stage is Stage.STACKING

    # Start-up.

    def _start_up(self) -> Talk[bytes, None]:
        self._notes.begin_start_up()
        self._late = (yield from self._questions.poll_again()) or self._late
        for sealing in (self._sealing, True):
            self._sealing = sealing
            try:
                yield from self._introduce()
            except KeyWantedError:
                if self._exchange.seal is not None:
                    break
            else:
                return
        raise UnfitError(Trouble.HARDWARE, "the unit reports that it has no key (FA), although one was just agreed")

    def _introduce(self) -> Talk[bytes, None]:
        self._exchange.seal = None
        yield from self._questions.ask(Command.SYNC)
        yield from self._agree()
        setup = self._setup = yield from self._questions.read_setup()
        self._use_channels(setup.channels)
        if setup.unit_type in PAYOUT_UNITS and self._questions.can_seal and not self._sealing:
            raise KeyWantedError
        yield from self._check_serial()
        firmware = yield from self._questions.read_firmware(otherwise=setup.firmware)
        self._apply_late()
        yield from self._questions.ask(Command.REJECT)
        self._notes.begin_return()
        yield from self._questions.ask(Command.DISABLE)
        self._reads_tickets = yield from self._questions.set_up_bar_codes()
        yield from self._read_kept_events()
        counter = yield from self._questions.read_counter()
        self._notes.counted(counter)
        self._report_started(model=self._model(setup), firmware=firmware, serial=self._identity or "", counter=counter)

    def _model(self, setup: Setup) -> str:
        sealed = ", encrypted" if self._exchange.seal else ""
        return f"SSP {READABLE_UNITS[setup.unit_type]}, protocol {setup.version}{sealed}"

    def _agree(self) -> Talk[bytes, None]:
        """Agrees on keys and on the protocol version, which is the first sealed command."""
        if self._sealing:
            yield from self._questions.agree_on_key()
        try:
            yield from self._questions.agree_on_version()
        except SilentError:
            if self._exchange.seal is None:
                raise
            raise UnfitError(
                Trouble.HARDWARE, "the unit agrees on a key and then understands nothing: its fixed key is different"
            ) from None

    def _apply_late(self) -> None:
        """Applies the late reply to a poll, once the unit has proved to be the right one."""
        late, self._late = self._late, None
        if late is not None:
            self._apply(late)

    def _check_serial(self) -> Talk[bytes, None]:
        serial = yield from self._questions.read_serial()
        try:
            self._check_identity(serial, kind="serial number ")
        except UnfitError:
            self._late = None
            raise

    def _read_kept_events(self) -> Talk[bytes, None]:
        """Polls until nothing moves: reads earlier events, and waits for the note just returned."""
        self._repeating = self._wants_ack
        patience_until = self._now + self._timing.start_up_patience_s
        while True:
            report = self._apply((yield from self._poll()))
            yield from self._explain_rejects()
            while self._notes.ticket_to_read:
                yield from self._read_ticket()
            if self._notes.stage is Stage.GOING:
                yield from self._give_back()
            if self._notes.ack_due:
                yield from self._acknowledge()
            if (report is not None and self._notes.settled) or self._now >= patience_until:
                return
            yield Pause(self._now + self._timing.poll_interval_s)

    def _serve(self) -> Talk[bytes, None]:
        """Serves the running unit. Returns when it has reset itself, lost its key, or cannot report the place of a
        note."""
        self._next_poll = self._now
        try:
            while (yield from self._do_next()):
                pass
        except KeyWantedError:
            self._sealing = True

    def _do_next(self) -> Talk[bytes, bool]:
        """Does the most urgent action. Returns False when the unit must be started again."""
        step = self._urgent()
        if self._notes.unresolved:
            return False
        if step is not None:
            yield from step
        elif not self._accept_due and self._now < self._next_poll:
            yield Pause(self._next_poll, orders_end_it=True)
        else:
            polled = yield from self._poll()
            if self._read(polled).has(Code.SLAVE_RESET):
                # Is it still the same unit? The reply is applied once the start-up has read the serial number.
                self._late = polled
                return False
            self._apply(polled)
        return True

    def _urgent(self) -> Talk[bytes, None] | None:
        """Returns the most urgent action before the next poll, or None."""
        notes = self._notes
        steps = (
            (notes.ticket_to_read, self._read_ticket),
            (notes.stage is Stage.HELD, self._hold),
            (notes.stage is Stage.GOING, self._give_back),
            (notes.ack_due, self._acknowledge),
            (notes.rejects_to_explain, self._explain_rejects),
            (notes.is_gone, self._seek),
            (notes.count_due, self._count),
            (self._must_switch(self._allowed()) and not self._accept_due, self._apply_take),
        )
        return next((step() for is_due, step in steps if is_due), None)

    def _hold(self) -> Talk[bytes, None]:
        """Holds the note in escrow. If the unit no longer can, the note must go back before the next poll."""
        if self._is_held_too_long():
            self._notes.order_return()
        elif self._now >= self._next_hold:
            reply = yield from self._questions.ask(Command.HOLD)
            self._next_hold = self._now + self._timing.hold_interval_s
            if not reply.ok:
                self._notes.order_return()
        else:
            yield Pause(min(self._next_hold, self._held_since + self._timing.longest_hold_s), orders_end_it=True)

    def _give_back(self) -> Talk[bytes, None]:
        yield from self._questions.ask(Command.REJECT)
        self._notes.begin_return()
        self._next_poll = self._now

    def _acknowledge(self) -> Talk[bytes, None]:
        yield from self._questions.ask(Command.EVENT_ACK)
        self._notes.acknowledged()

    def _explain_rejects(self) -> Talk[bytes, None]:
        if self._notes.rejects_to_explain:
            reply = yield from self._questions.ask(Command.LAST_REJECT)
            explained = reply.ok and len(reply.rest) == 1
            self._notes.explained(reply.rest[0] if explained else NO_REASON_GIVEN, repeating=self._repeating)

    def _read_ticket(self) -> Talk[bytes, None]:
        bar_code = yield from self._questions.read_bar_code()
        self._notes.ticket_read(bar_code)
        self._held_since = self._next_hold = self._now

    def _count(self) -> Talk[bytes, None]:
        counter = yield from self._questions.read_counter()
        self._notes.counted(counter)

    def _seek(self) -> Talk[bytes, None]:
        """Reads where the accepted note or ticket went that is no longer shown."""
        if self._notes.has_ticket:
            bar_code = yield from self._questions.read_bar_code()
            self._notes.ticket_sought(bar_code)
        else:
            counter = yield from self._questions.read_counter()
            self._notes.note_sought(counter)

    def _apply_take(self) -> Talk[bytes, None]:
        """Sets inhibits and enable as ordered; tries again later when the unit refuses."""
        allowed = self._allowed()
        highest = max((channel.number for channel in self._channels), default=1)
        commands = [
            (Command.SET_INHIBITS, inhibits(allowed.channels, highest=highest)),
            (Command.ENABLE if allowed != TAKE_NOTHING else Command.DISABLE, b""),
        ]
        if self._reads_tickets:
            letting = bar_code_inhibit(notes=bool(allowed.channels), tickets=allowed.tickets)
            commands.insert(0, (Command.SET_BAR_CODE_INHIBIT, letting))
        replies = []
        for command, parameters in commands:
            replies.append((yield from self._questions.ask(command, parameters)))
        refused = next((reply for reply in replies if not reply.ok), None)
        self._switched(allowed, refusal=f": {refused}" if refused is not None else None)

    def _poll(self) -> Talk[bytes, Polled]:
        """Polls, with poll-with-ack when the unit has it."""
        polled = yield from self._questions.poll(Command.POLL_WITH_ACK if self._repeating else Command.POLL)
        if self._repeating and polled.reply[0] in _NO_ACK_HERE:
            self._repeating = False
            polled = yield from self._questions.poll(Command.POLL)
        self._accept_due = False
        self._next_poll = self._now + self._timing.poll_interval_s
        return polled

    def _read(self, polled: Polled) -> PollReport:
        return read_events(polled.reply[1:], polled.version, self._setup.unit_type if self._setup else 0)

    def _apply(self, polled: Polled) -> PollReport | None:
        """Applies a poll reply. Raises UnfitError when the unit refuses polls repeatedly."""
        if polled.reply[0] != Answer.OK:
            self._refused_polls += 1
            if self._refused_polls >= REFUSED_POLLS:
                self._refused_polls = 0
                raise UnfitError(Trouble.HARDWARE, f"the unit refuses to be polled: {polled.reply[0]:02X}")
            return None
        self._refused_polls = 0
        report = self._read(polled)
        self._side_log.write(report.side)
        before = self._notes.stage
        repeating = polled.command == Command.POLL_WITH_ACK
        self._notes.apply(report, repeating=repeating, allowed=self._allowed())
        self._stacker.watch(stacking=report.has(Code.STACKING), now=self._now)
        self._collect()
        self._follow_hold(before)
        self._watch_enabled(report)
        return report

    def _watch_enabled(self, report: PollReport) -> None:
        """Reports whether the unit accepts notes, and enables a unit that has disabled itself."""
        applied = self._applied
        if applied is None:
            return
        off = report.has(Code.DISABLED) or (bool(applied.channels) and report.has(Code.ALL_INHIBITED))
        self._report_taking(applied != TAKE_NOTHING and not off)
        self._apply_again_if(differs=applied != TAKE_NOTHING and off)
