"""EBDS, the serial protocol of MEI/CPI note acceptors (Cashflow SC, Series 2000), and its Pyramid form (Apex, Trilogy,
Curve, Spectra).

    host  02 len type|ack data ... 03 xor       a poll every 100 ms carries every setting
    unit  02 len type|ack data ... 03 xor       every reply carries the whole state

Who sends: the unit only replies. The host sends an ack bit that changes with each new message, and a reply counts
only with the same bit. The same bit again means "send your last reply again", so a lost reply is requested with the
same bytes.

Start-up: a poll that enables nothing, with the next ack bit (if our last message got no reply, the unit repeats its
last reply) -> identity -> table of notes -> polls until nothing moves -> `Started` -> polls with the mask of the last
`Take`. A unit that shows POWER UP while running is started again. After a gap, replies are applied once the unit has
proved to be the same one.

Escrow: the escrow bit keeps a note in escrow until a poll with the stack bit (Stack) or the return bit (Return);
these are sent while the unit shows the note in escrow. While a note is in the path the mask does not change.
Without a decision a note goes back after `longest_hold_s`. A unit that stacks for longer than
`stacking_patience_s` is jammed.

Acknowledgement: STACKED is shown once, and only the next ack bit acknowledges it. So after a `Stacked` the bit does
not change until `Confirm(receipt)`: the host requests the same reply again, for `confirm_patience_s` at most; then
the unit may forget it. Guarantees and limits:
- within one run of the program a reply lost on the line is received again, and a note is reported once;
- a cabinet that dies between the reply and the commit starts with the bit clear. In half of the cases the last reply
  of the unit had this bit, and the unit sends the credit again; otherwise the credit is lost. Then only the
  cabinet's open intent shows the note, which is in doubt. In the same way a credit that was committed and not yet
  acknowledged may come again; it meets no open intent.

Power: a note in escrow at a power cut is shown again without a value and goes back (policy A), or keeps the unit out of
service until it is taken out (B, C). An accepted note is `Stacked(recovered)`. With policy B the unit sends its
value; otherwise it has the value seen in escrow, or None after a restart of the host.

An unlikely STACKED, without a note being stacked, is requested again and counts when it is repeated: the check sum is
weak, and the parity bit is not checked on reception.

Not known: whether CHEATED together with STACKED means "nearly full" on some units (here it is an alarm and a credit);
note tables of other currencies than the US dollar for units that do not report their own.

Source: EBDS and Pyramid RS-232 as open implementations have them. Knows no credit, no line.
"""

from dataclasses import dataclass

from drivers.bills.active_faults import StackerWatch
from drivers.bills.conversation import Ask, Pause, SilentError, Talk, UnfitError
from drivers.bills.conversation_host import ECHO, ConversationHost, Timing
from drivers.bills.ebds.codec import (
    EVERY_INDEX,
    HIGHEST_NOTE,
    MOTIONS,
    NOTE_IN_PATH,
    STATUS_SIZE,
    Extended,
    Flag,
    NoteMessage,
    Policy,
    PollData,
    Query,
    Status,
    note_mask,
    number_channels,
    read_note,
    read_status,
    write_poll,
)
from drivers.bills.ebds.frame import Decoder, Frame, Kind, encode
from drivers.bills.ebds.notes import POWER_UP, Notes
from drivers.bills.events import Channel, Trouble
from drivers.protocol import LineSettings, Parity

LINE = LineSettings(baud=9600, data_bits=7, parity=Parity.EVEN)
_CHECK = "check power, cable, and that the unit is set to EBDS, 9600 baud, 7 bits, even parity"
STACK_REPEATS = 2

_Reply = Talk[Frame, Frame]
_Steps = Talk[Frame, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EbdsTiming(Timing):
    """The waits of the host. `confirm_patience_s`: how long the unit is asked for a reported credit again;
    `power_up_patience_s`: the longest start-up of a unit in its power-up state."""

    poll_interval_s: float = 0.1
    reply_timeout_s: float = 0.2
    repeats: int = 20
    confirm_patience_s: float = 5.0
    power_up_patience_s: float = 20.0


class EbdsProtocol(ConversationHost[Frame]):
    """The host's side of one EBDS note acceptor; a `WireProtocol[BillEvent, BillOrder]`.

    With `values_cents` notes are indexes from 1 to 7 with these values (0: not in use) in `currency`, as on Pyramid
    units. Without, the unit must have extended note reporting and reports its own table, of which only notes in
    `currency` are accepted. `policy` is the order for a note found at power-up.
    """

    _notes: Notes
    _timing: EbdsTiming

    def __init__(
        self,
        *,
        currency: str | None = None,
        values_cents: tuple[int, ...] | None = None,
        policy: Policy = Policy.A,
        timing: EbdsTiming = EbdsTiming(),
    ) -> None:
        notes = Notes(by_index=values_cents is not None, currency=currency)
        super().__init__(line=LINE, name="EBDS", hint=_CHECK, notes=notes, timing=timing, currency=currency)
        self._values_cents = values_cents
        self._policy = policy
        self._decoder = Decoder()
        self._stacker = StackerWatch(notes.faults, patience_s=timing.stacking_patience_s)
        self._bit = False
        self._late: list[Frame] | None = None
        self._hurry = False
        if values_cents is not None:
            self._channels = number_channels(values_cents, currency or "")
            notes.set_channels(self._channels)

    def _forget_frame(self) -> None:
        self._decoder.forget()

    def _read_answer(self, data: bytes) -> Frame | None:
        """Returns the reply. Frames behind it do not count: they were sent before the next message."""
        asking, frames = self._conversation.is_asking, self._decoder.feed(data)
        return next((frame for frame in frames if asking and frame.ack is self._bit and _is_answer(frame)), None)

    def _on_decision(self) -> None:
        self._hurry = True

    def _lose_contact(self) -> None:
        super()._lose_contact()
        self._late = None

    def _ask(self, kind: Kind, data: bytes, *, repeats: int | None = None) -> _Reply:
        """Sends a new message and applies its reply. The ack bit changes only when the reported credit is durable.

        When all repeats get no reply, a poll that enables nothing takes its place under the same bit: the unit then
        repeats the lost reply, or receives its first message with this bit.
        """
        wire = encode(Frame(kind=kind, ack=self._bit, data=data))
        frame = yield Ask(wire, repeats)
        if frame is None and repeats is not None:
            wire = encode(Frame(kind=Kind.POLL, ack=self._bit, data=write_poll(self._poll_data(mask_only=True))))
            frame = yield Ask(wire)
        if frame is None:
            raise SilentError
        if frame.kind is Kind.POLL:
            raise UnfitError(Trouble.LINK, ECHO)
        frame = yield from self._confirm_reply(wire, frame)
        self._digest(frame)
        if self._notes.awaits_confirmation():
            yield from self._hold_ack_bit(wire, frame)
            self._notes.stop_waiting()
        self._bit = not self._bit
        return frame

    def _confirm_reply(self, wire: bytes, frame: Frame) -> _Reply:
        """Requests an unlikely reply again; the repeated reply counts."""
        status, _ = _read(frame)
        if status is None or not self._notes.is_unlikely(status):
            return frame
        again = yield Ask(wire)
        if again is None:
            raise SilentError
        status, _ = _read(again)
        if again != frame and not (status is not None and status.has(Flag.STACKED)):
            self._notes.report_contradiction()
        return again

    def _hold_ack_bit(self, wire: bytes, unconfirmed: Frame) -> _Steps:
        """Makes the unit keep its reply until the reported credit is durable, or `confirm_patience_s` is over."""
        until = self._now + self._timing.confirm_patience_s
        while self._notes.awaits_confirmation() and self._now < until:
            yield Pause(min(until, self._now + self._timing.poll_interval_s), orders_end_it=True)
            if not self._notes.awaits_confirmation():
                return
            frame = yield Ask(wire)
            if frame is None:
                raise SilentError
            if frame != unconfirmed:
                self._digest(frame)
                return

    def _digest(self, frame: Frame) -> None:
        """Applies the state in a reply; later, while it is not known which unit sent it."""
        if self._late is not None:
            self._late.append(frame)
            return
        status, words = _read(frame)
        if status is None:
            return
        before = self._notes.stage
        in_path = words if words is not None and words.index == NOTE_IN_PATH else None
        self._notes.apply(status, in_path, allowed=self._enabled())
        self._stacker.watch(stacking=status.has(Flag.STACKING), now=self._now)
        self._follow_hold(before)
        self._collect()
        self._watch_enabled(status)

    def _poll_data(self, *, mask_only: bool = False) -> PollData:
        """Returns the settings for the next poll; with `mask_only` without an order about the note in escrow."""
        applied = self._enabled()
        if self._values_cents is None:
            mask = EVERY_INDEX if applied else 0
        else:
            mask = sum(1 << (channel - 1) for channel in applied)
        return PollData(
            mask=mask,
            stack=self._notes.stack_due and not mask_only,
            give_back=self._notes.return_due and not mask_only,
            policy=self._policy,
            extended=self._values_cents is None,
        )

    def _poll(self, *, mask_only: bool = False) -> _Steps:
        poll = self._poll_data(mask_only=mask_only)
        self._hurry = False
        if poll.stack:
            self._notes.stack_sent()
        yield from self._ask(Kind.POLL, write_poll(poll), repeats=STACK_REPEATS if poll.stack else None)
        self._next_poll = self._now + self._timing.poll_interval_s

    # Start-up.

    def _start_up(self) -> _Steps:
        self._notes.begin_start_up()
        self._late = [] if self._identity is not None else None
        yield from self._poll(mask_only=True)
        identity = yield from self._identify()
        yield from self._read_table()
        late, self._late = self._late or [], None
        for frame in late:
            self._digest(frame)
        yield from self._settle()
        model, serial, firmware = identity
        self._report_started(model=f"EBDS {model}".strip(), firmware=firmware, serial=serial)

    def _identify(self) -> Talk[Frame, tuple[str, str, str]]:
        """Reads type, serial number and application of the unit. A change is an alarm."""
        answers = []
        if self._values_cents is None:
            for query in (Query.TYPE, Query.SERIAL, Query.APPLICATION):
                frame = yield from self._ask(Kind.AUXILIARY, bytes((0, 0, query)))
                answers.append(_text(frame.data) if frame.kind is Kind.AUXILIARY else "")
        else:
            frame = yield from self._ask(Kind.POLL, write_poll(self._poll_data()))
            status, _ = _read(frame)
            answers = [status.make if status is not None else "", "", ""]
        self._check_identity(" ".join(answers))
        return answers[0], answers[1], answers[2]

    def _read_table(self) -> _Steps:
        """Sets the notes of the unit: from the settings, or line by line from the unit."""
        channels = self._channels if self._values_cents is not None else (yield from self._ask_table())
        self._use_channels(channels)

    def _ask_table(self) -> Talk[Frame, tuple[Channel, ...]]:
        channels: list[Channel] = []
        for index in range(1, HIGHEST_NOTE + 1):
            data = bytes((Extended.NOTE,)) + write_poll(self._poll_data()) + bytes((index,))
            frame = yield from self._ask(Kind.EXTENDED, data)
            if frame.kind is not Kind.EXTENDED or frame.data[0] != Extended.NOTE:
                raise UnfitError(
                    Trouble.HARDWARE, "the unit does not report its notes; it may need the protocol 'pyramid'"
                )
            _, words = _read(frame)
            if words is None or words.index != index:
                break
            channels.append(Channel(number=index, value_cents=words.value_cents, currency=words.currency))
        return tuple(channels)

    def _settle(self) -> _Steps:
        """Polls until nothing moves: reads earlier events, and waits for the note that is returned."""
        since = self._now
        while not self._notes.settled:
            yield from self._poll()
            last = self._notes.last
            stays = last is not None and last.has(Flag.POWER_UP)
            if stays and self._now >= since + self._timing.power_up_patience_s:
                self._notes.faults.begin(Trouble.HARDWARE, "the unit stays in its power-up state", POWER_UP)
            yield Pause(self._next_poll)

    # The running unit.

    def _serve(self) -> _Steps:
        """Polls with one change at a time. Returns when the unit needs a new start-up."""
        notes = self._notes
        while not notes.lost_power and not notes.unresolved:
            if self._is_held_too_long():
                notes.order_return()
            if self._must_switch(self._allowed()) and not notes.in_path:
                yield from self._apply_take()
            elif self._hurry or self._now >= self._next_poll:
                yield from self._poll()
            else:
                yield Pause(self._next_poll, orders_end_it=True)

    def _enabled(self) -> frozenset[int]:
        """Returns the channels that the unit accepts now."""
        return self._applied.channels if self._applied is not None else frozenset()

    def _apply_take(self) -> _Steps:
        """Sets the enabled notes as ordered; notes of the unit's own table need an extra message."""
        allowed, refused = self._allowed(), False
        if self._values_cents is None and allowed.channels:
            data = bytes((Extended.SET_NOTES,)) + write_poll(self._poll_data()) + note_mask(allowed.channels)
            frame = yield from self._ask(Kind.EXTENDED, data)
            status, _ = _read(frame)
            refused = status is not None and status.has(Flag.INVALID_COMMAND)
        self._switched(allowed, refusal=": it does not let single notes be set" if refused else None)
        if not refused:
            yield from self._poll()

    def _watch_enabled(self, status: Status) -> None:
        """Reports whether the unit accepts notes: it was enabled and is not out of service."""
        if self._applied is not None:
            self._report_taking(bool(self._applied.channels) and status.has(*MOTIONS))


def _is_answer(frame: Frame) -> bool:
    """Returns True if a frame can be a reply. An own poll passes, because it shows a line with an echo."""
    if frame.kind in (Kind.POLL, Kind.AUXILIARY):
        return True
    return frame.kind in (Kind.REPLY, Kind.EXTENDED) and _read(frame)[0] is not None


def _read(frame: Frame) -> tuple[Status | None, NoteMessage | None]:
    """Returns the state in a reply, and the note if it names one."""
    if frame.kind is Kind.REPLY:
        return read_status(frame.data), None
    if frame.kind is not Kind.EXTENDED or len(frame.data) < 1 + STATUS_SIZE:
        return None, None
    words = read_note(frame.data[1 + STATUS_SIZE :]) if frame.data[0] == Extended.NOTE else None
    return read_status(frame.data[1 : 1 + STATUS_SIZE]), words


def _text(data: bytes) -> str:
    return "".join(chr(byte) for byte in data if 0x20 <= byte < 0x7F).strip()
