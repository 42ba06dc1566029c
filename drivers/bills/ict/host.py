"""ICT's RS-232 interface (V7, A7, L70, U70, P70, TP77, LV77 and relatives) in serial mode.

    unit  80 8F      powered up           host  02   within two seconds, or no serial operation
    unit  81 4n      note of type n       host  02 accept | 0F reject | 18 hold
    unit  10         stacked              unit  11   returned
    host  0C         status?              unit  3E enabled | 5E disabled

Who sends: both sides, at any time, one or two bytes. Nothing is repeated or numbered; the only check is the parity.

Rules:
- 02 goes out in two cases only: after 80 8F, and when the cabinet orders Stack while a note is held. If a note is
  known when 80 8F arrives, 0F goes out first, so that a disturbed line cannot cause an accept.
- 10 is credit only for a note that the host accepted. A unit without escrow (switched off, or its receive wire is
  missing) keeps a note that must go back: a `Stacked` with the value of its type, for which the cabinet has no intent.
  During a start-up an older intent may be open; then it is `Unsolicited`, which closes no intent.
- 10 for a note without a decision of the cabinet is an alarm; if the note is not accepted then, it counts as kept. If
  another note or a power-up follows before the decision, it is `Unsolicited`.
- 10 during a start-up without a note, or after unknown bytes since the note, is an alarm. Otherwise it is a `Stacked`
  of unknown value.
- The unit reports no values: the value of type n comes from the settings.
- After every opening of the line 0F and 5E go out: a note in escrow goes back, an accepted one is in doubt.
- A unit has started when it answers and only known bytes have arrived for `settle_s`: noise has single known bytes.
- The host requests the status every two seconds; three requests without an answer are a fault of the line.
- 11 means that stacking failed, but only soon after Stack; later it may belong to a note whose report was lost. Soon
  after 10, without another note, it contradicts a credit: an alarm.
- No time-out turns an accepted note into a returned one: without a report for `stacking_patience_s` it is in doubt.
  The time starts again with the end of a jam, or when the jammed unit stops answering. A note that was never accepted
  has gone back when the unit answers, but does not report the note for `back_patience_s`.

Acknowledgement: none; a `Stacked` has no receipt. Re-reported after power-up: nothing but the power-up itself.

Why it is no `ConversationHost` with `PathNotes`: the unit speaks unasked, so there is no open question to repeat and no
answer to wait for; and the end of a note depends on the time and may begin a new start-up, which a note that knows no
time cannot decide. What both kinds of host have in common is in `AcceptorHost`.

Source: International Currency Technologies, ICT002, ICT004 and ICT-104U interface descriptions, and the public hosts
named in `drivers.bills.ict.codec`. Not known: a note that went in while the host was off; how long a unit waits in
escrow (about five seconds, extended by 18).
"""

from dataclasses import dataclass
from typing import assert_never

from drivers.bills.active_faults import STACKING_PATIENCE_S, ActiveFaults
from drivers.bills.conversation_host import ECHO, AcceptorHost
from drivers.bills.events import (
    BillOrder,
    Channel,
    Offered,
    Rejected,
    Return,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    Unsolicited,
)
from drivers.bills.ict.codec import (
    FAULT_ROW,
    FIRST_TYPE,
    FRAUDS,
    LASTING,
    DeviceByte,
    Fault,
    HostByte,
    read_fault,
    read_type,
)
from drivers.bills.path_notes import NoteInPath, Stage
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.protocol import Confirm, LineSettings, Parity

LINE = LineSettings(baud=9600, parity=Parity.EVEN)
_NO_ANSWER = (
    "no answer; check power, cable and the switches for serial mode; a unit that powered up while the cabinet was off "
    "must be switched off and on"
)
_NOISE = "most received bytes are not ICT; check baud rate, parity and cable, and that the unit is set to ICT"
_HOST_BYTES = frozenset(HostByte)
MISSES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class IctTiming:
    """The waits of the host, in seconds.

    The status is requested every `status_interval_s`, a held note is held again every `hold_interval_s`. A unit has
    started when only known bytes have come for `settle_s`. The second byte of a message comes within `half_s`, a note
    reported again within `repeat_s` is the same note. An accepted note comes back within `failed_within_s`; one that
    must go back is out after `back_patience_s`.
    """

    status_interval_s: float = 2.0
    hold_interval_s: float = 2.0
    settle_s: float = 2.0
    half_s: float = 0.5
    repeat_s: float = 1.0
    failed_within_s: float = 4.0
    back_patience_s: float = 10.0
    longest_hold_s: float = 30.0
    stacking_patience_s: float = STACKING_PATIENCE_S


@dataclass(slots=True, kw_only=True)
class _Note(NoteInPath):
    """The note in the path: HELD, ACCEPTED or BACK. `reported_at`: when the unit reported its type; `since`: when its
    stage began; `reported_stacked`: whether the unit reported it stacked before the cabinet decided."""

    reported_at: float
    since: float
    reported_stacked: bool = False


class IctProtocol(AcceptorHost):
    """The host's side of one ICT unit; a `WireProtocol[BillEvent, BillOrder]`.

    `channels` gives the values of the note types; number 1 is type 40. `fault_shift` is the shift of the model's
    fault codes from 20 to 2A.
    """

    def __init__(
        self,
        channels: tuple[Channel, ...],
        *,
        fault_shift: int = 0,
        timing: IctTiming = IctTiming(),
    ) -> None:
        super().__init__(line=LINE)
        self._channels = channels
        self._values = {channel.number: channel.value_cents for channel in channels}
        self._fault_shift = fault_shift
        self._timing = timing
        self._patience_s = {
            Stage.HELD: timing.longest_hold_s,
            Stage.ACCEPTED: timing.stacking_patience_s,
            Stage.BACK: timing.back_patience_s,
        }
        self._faults = ActiveFaults(named_once=(Trouble.CASHBOX_REMOVED,))
        self._sniffer = ProtocolSniffer(ours="ICT")
        self._open = self._started = self._answered = False
        self._started_at = self._answered_at = self._now = 0.0
        self._noise_at = -timing.settle_s
        self._misses = 0
        self._half: int | None = None
        self._half_at = 0.0
        self._note: _Note | None = None
        self._stacked_at = -timing.failed_within_s
        self._next_status = self._next_hold = self._apply_not_before = 0.0
        self._applied: bool | None = None
        self._owed = b""

    def opened(self, now: float) -> None:
        """Begins the start-up: a note in escrow goes back, no note is accepted."""
        self._now = now
        self._open = True
        self._owed = b""
        self._misses = 0
        self._begin()
        self._go_on()

    def closed(self, now: float) -> None:
        """Handles a closed line; the outcome of a note in the path stays unknown."""
        self._now = now
        self._open = False
        self._owed = b""
        self._half = None
        self._lose_contact()
        self._faults.fall_silent(Trouble.LINK, "the line is gone")

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes."""
        self._now = now
        self._sniffer.feed(data)
        for byte in data:
            self._on_byte(byte)
        self._go_on()

    def order(self, order: BillOrder, now: float) -> None:
        """Applies an order. Stack and Return count only while a note is held; Confirm has no effect."""
        self._now = now
        match order:
            case Stack():
                self._decide(Stage.ACCEPTED, HostByte.ACCEPT)
            case Return():
                self._decide(Stage.BACK, HostByte.REJECT)
            case Take():
                self._wanted = order
            case Confirm():
                pass
            case _:
                assert_never(order)
        self._go_on()

    def tick(self, now: float) -> None:
        """Sends what is due: a status request, a hold, or the end of a wait."""
        self._now = now
        self._go_on()

    def due(self) -> float | None:
        """Returns when the next byte to send or the end of a wait is due."""
        if not self._open:
            return None
        times = [self._next_status]
        if not self._started and self._answered:
            times.append(self._settled_at())
        if self._note is not None:
            times += [self._next_hold, self._note.since + self._patience_s[self._note.stage]]
        return min(time for time in times if time > self._now)

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send."""
        owed, self._owed = self._owed, b""
        return owed

    # From the unit.

    def _on_byte(self, byte: int) -> None:
        half = self._half if self._now <= self._half_at + self._timing.half_s else None
        self._half = None
        if (half, byte) == (DeviceByte.POWER_UP, DeviceByte.POWER_UP_END):
            self._on_power_up()
        elif half == DeviceByte.VALIDATED and (channel := read_type(byte)) is not None:
            self._on_validated(channel)
        elif byte in (DeviceByte.POWER_UP, DeviceByte.VALIDATED):
            self._half, self._half_at = byte, self._now
        elif byte == DeviceByte.STACKED:
            self._on_stacked()
        elif byte == DeviceByte.RETURNED:
            self._on_returned(byte, "sent back by the cabinet")
        elif byte in (DeviceByte.ENABLED, DeviceByte.DISABLED):
            self._on_status(enabled=byte == DeviceByte.ENABLED)
        elif byte == HostByte.STATUS and not self._started:
            self._on_echo()
        elif byte == DeviceByte.FAULT_OVER:
            self._end_faults()
        elif (fault := read_fault(byte, shift=self._fault_shift)) is not None:
            self._on_fault(fault, byte)
        elif byte not in _HOST_BYTES and byte not in FAULT_ROW:
            self._noise_at = self._now

    def _on_power_up(self) -> None:
        """Handles a power-up: the unit has lost its memory. A note that was in its path is in doubt."""
        if self._note is not None:
            self._send(HostByte.REJECT)
            if self._note.reported_stacked:
                self._on_kept(self._note)
            self._note = None
        self._send(HostByte.ACKNOWLEDGE_POWER_UP)
        self._lose_contact()
        self._end_faults()
        self._restart()
        self._answered = True

    def _on_validated(self, channel: int) -> None:
        """Handles a note in escrow. The same type, while held or just accepted, is the same note reported twice."""
        note = self._note
        if note is not None and note.channel == channel:
            just_accepted = note.stage is Stage.ACCEPTED and self._now < note.since + self._timing.repeat_s
            if note.stage is Stage.HELD or just_accepted:
                return
        self._close_unresolved()
        wanted = self._started and channel in self._fitting()
        stage = Stage.HELD if wanted else Stage.BACK
        self._note = _Note(channel=channel, offered=wanted, stage=stage, reported_at=self._now, since=self._now)
        self._next_hold = self._now
        if wanted:
            self._out.append(Offered(channel=channel, value_cents=self._values[channel]))

    def _close_unresolved(self) -> None:
        """Ends the earlier note, because another one is in escrow. The outcome of an accepted one was missed: a new
        start-up shows the cabinet its open intent, and the note in escrow goes back."""
        note, self._note = self._note, None
        if note is None:
            return
        if note.stage is Stage.ACCEPTED:
            self._alarm(f"a note of channel {note.channel} was accepted and its outcome was never reported")
            self._begin()
        elif note.reported_stacked:
            self._on_kept(note)
        elif note.offered:
            self._out.append(Returned(recovered=not self._started))

    def _on_stacked(self) -> None:
        note = self._note
        if note is not None and note.stage is Stage.ACCEPTED:
            self._note = None
            self._stacked_at = self._now
            self._out.append(Stacked(channel=note.channel, value_cents=self._values.get(note.channel), receipt=None))
        elif note is not None and note.stage is Stage.BACK:
            self._on_kept(note)
        elif note is not None or not self._started:
            if note is not None:
                note.reported_stacked = True
            self._alarm("the unit says stacked (10), but no note was accepted")
        else:
            self._out.append(Stacked(channel=0, value_cents=None, receipt=None))

    def _on_kept(self, note: _Note) -> None:
        """Reports a note in the box that had to go back: an attendant must settle its money."""
        self._note = None
        value_cents = self._values.get(note.channel)
        detail = f"the acceptor kept a note of type {FIRST_TYPE + note.channel - 1:02X} that was to go back"
        if self._noise_at >= note.reported_at:
            self._alarm(f"among unknown bytes: {detail}")
        elif self._started and note.stage is Stage.BACK:
            self._out.append(Stacked(channel=note.channel, value_cents=value_cents, receipt=None))
        else:
            self._out.append(Unsolicited(reported_cents=value_cents, detail=detail))

    def _on_returned(self, code: int, reason: str) -> None:
        """Handles a returned note. Long after Stack it may be a later one; then the accepted note is in doubt."""
        note, self._note = self._note, None
        if note is not None and note.stage is Stage.ACCEPTED and self._now > note.since + self._timing.failed_within_s:
            self._alarm(f"returned (11) long after a note of channel {note.channel} was accepted")
            self._begin()
            return
        if note is None and code == DeviceByte.RETURNED and self._now < self._stacked_at + self._timing.failed_within_s:
            self._alarm("the unit reports returned (11) for a note that it had reported stacked (10)")
        elif note is not None and note.offered:
            self._out.append(Returned(recovered=not self._started))
        else:
            self._out.append(Rejected(code=code, reason=reason))

    def _on_fault(self, fault: Fault, code: int) -> None:
        if fault in LASTING:
            trouble, detail = LASTING[fault]
            self._faults.begin(trouble, detail, fault.name)
            self._collect()
        elif fault in FRAUDS:
            self._out.append(TroubleBegan(trouble=Trouble.CHEAT, detail=FRAUDS[fault]))
        elif fault is Fault.REJECT and (self._note is None or self._note.stage is not Stage.ACCEPTED):
            self._on_returned(code, "note not recognised")

    def _on_status(self, *, enabled: bool) -> None:
        self._misses = 0
        self._answered, self._answered_at = True, self._now
        self._sniffer.forget()
        if self._started:
            self._report_taking(enabled)

    def _on_echo(self) -> None:
        """Handles an echo: no unit sends the host's question, but noise may. The host's own enable and disable would
        pass for answers."""
        if self._now < self._noise_at + self._timing.settle_s:
            return
        self._answered = False
        self._faults.fall_silent(Trouble.LINK, ECHO)

    def _end_faults(self) -> None:
        for trouble, _ in LASTING.values():
            self._faults.end(trouble)

    # To the unit.

    def _send(self, word: HostByte) -> None:
        self._owed += bytes((word,))

    def _begin(self) -> None:
        """Begins the start-up: return a note in escrow, disable, request the status."""
        self._lose_contact()
        self._send(HostByte.REJECT)
        self._restart()

    def _restart(self) -> None:
        self._send(HostByte.DISABLE)
        self._started = self._answered = False
        self._started_at = self._next_status = self._apply_not_before = self._now

    def _lose_contact(self) -> None:
        """Drops the contact. A held note goes back; an accepted one is an open intent at `Started`."""
        self._report_taking(None)
        self._applied = None
        if self._note is not None and self._note.stage is Stage.ACCEPTED:
            self._note = None
        elif self._note is not None:
            self._note.stage, self._note.since = Stage.BACK, self._now

    def _decide(self, stage: Stage, word: HostByte) -> None:
        if self._open and self._note is not None and self._note.stage is Stage.HELD:
            self._note.stage, self._note.since = stage, self._now
            self._next_hold = self._now + self._timing.hold_interval_s
            self._send(word)

    def _go_on(self) -> None:
        """Does what is due now."""
        if not self._open:
            return
        self._check_note()
        if self._now >= self._next_status:
            self._ask_status()
        settled = self._note is None and self._now >= self._settled_at()
        if not self._started and self._answered and settled:
            self._report_started()
        if self._started and self._note is None and self._must_switch():
            self._apply_take()

    def _settled_at(self) -> float:
        """Returns when the start-up may end."""
        return max(self._started_at, self._noise_at) + self._timing.settle_s

    def _check_note(self) -> None:
        note = self._note
        if note is None:
            return
        answers = self._now < self._answered_at + (MISSES + 1) * self._timing.status_interval_s
        if note.stage is Stage.ACCEPTED and Trouble.JAM in self._faults and answers:
            note.since = self._now
        if self._now >= note.since + self._patience_s[note.stage]:
            self._lose_patience(note)
        elif self._now >= self._next_hold and note.stage is not Stage.ACCEPTED:
            self._send(HostByte.HOLD if note.stage is Stage.HELD else HostByte.REJECT)
            self._next_hold = self._now + self._timing.hold_interval_s

    def _lose_patience(self, note: _Note) -> None:
        if note.stage is Stage.HELD:
            self._decide(Stage.BACK, HostByte.REJECT)
        elif note.stage is Stage.ACCEPTED:
            self._alarm(f"the end of an accepted note of channel {note.channel} was not reported in time")
            self._begin()
        elif note.reported_stacked:
            self._on_kept(note)
        else:
            self._note = None
            if note.offered and self._answered:
                self._out.append(Returned(recovered=not self._started))

    def _ask_status(self) -> None:
        """Requests the status again; without answers the line is silent. A unit busy with a note may not answer."""
        if self._misses >= MISSES:
            self._misses = 0
            self._faults.fall_silent(*self._sniffer.find_fault(otherwise=_NO_ANSWER))
            self._begin()
        elif not self._started and self._started_at + self._timing.settle_s < self._now < self._settled_at():
            self._faults.begin(*self._sniffer.find_fault(otherwise=_NOISE))
        self._send(HostByte.STATUS)
        self._next_status = self._now + self._timing.status_interval_s
        if self._note is None or not self._started:
            self._misses += 1

    def _report_started(self) -> None:
        self._started = True
        self._faults.end(Trouble.LINK)
        self._faults.answer_again()
        self._collect()
        self._out.append(Started(model="ICT, serial mode", firmware="", serial="", channels=self._channels))

    def _types_to_enable(self) -> bool:
        return bool(self._fitting())

    def _must_switch(self) -> bool:
        """Returns True if enable or disable must be sent: a new setting at once, an ignored one again with the next
        status."""
        if self._taking in (None, self._types_to_enable()) or self._now < self._apply_not_before:
            return self._applied is not self._types_to_enable()
        return True

    def _apply_take(self) -> None:
        """Enables or disables the unit and requests its status."""
        self._applied = self._types_to_enable()
        self._apply_not_before = self._now + self._timing.status_interval_s
        self._send(HostByte.ENABLE if self._applied else HostByte.DISABLE)
        self._send(HostByte.STATUS)

    def _alarm(self, detail: str) -> None:
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    def _collect(self) -> None:
        self._out.extend(self._faults.edges())
