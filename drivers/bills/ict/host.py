"""ICT's RS-232 interface (V7, A7, L70, U70, P70, TP77, LV77 and relatives) in serial mode.

    unit  80 8F      powered up           host  02   within two seconds, or no serial operation
    unit  81 4n      note of type n       host  02 accept | 0F reject | 18 hold
    unit  10         stacked              unit  11   returned
    host  0C         status?              unit  3E enabled | 5E disabled

Who speaks: both, at any time, one or two bytes. Nothing is repeated, numbered or checked, except by the parity bit.

Rules:
- 02 goes out in two cases only: behind 80 8F, and when the cabinet orders Stack while a note is held. If a note is
  known when 80 8F comes, 0F goes out first, so that a disturbed line cannot make us take it.
- 10 is credit only for a note that we accepted. A unit without escrow (switched off, or its receive wire is missing)
  keeps a note that is to go back: that is a `Stacked` with the value of its type, for which the cabinet has no intent,
  so that it waits in suspense. During a start-up an older intent may be open: then it is `Unasked`, which closes none.
- 10 for a note on which the cabinet has not decided is an alarm; if the note is not accepted then, it counts as kept.
  Without a decision, because another note or a power-up follows, it is `Unasked`.
- 10 during a start-up without a note, or when the line has said anything that is no word since the note, is an alarm.
  Otherwise it is a `Stacked` of unknown value.
- The unit has no list of its notes: what type n is worth comes from the configuration.
- After every opening of the line 0F and 5E go out: a note still in escrow goes back. A note that had been accepted is
  in doubt then, because nothing is ever told again.
- A unit that answers has started once nothing but words of this language has come for `SETTLE_S`: a single byte is
  found in any noise.
- The status is asked for every two seconds; three times without an answer is a fault of the line.
- 11 tells that the stacking failed, but only soon after Stack; later it may belong to a note whose report was lost.
  Soon after 10, without another note, it contradicts a credit: an alarm.
- No time-out turns an accepted note into a returned one: without a word for `stacking_patience_s` it is in doubt. A jam
  holds it up: the time begins anew with the end of the jam, or when the jammed unit answers no more. A note that was
  never accepted has gone back at the latest when the unit, still answering, is silent about it for `BACK_PATIENCE_S`.

Acknowledgement: none; a `Stacked` has no receipt. Re-reported after power-up: nothing but the power-up itself.

Source: International Currency Technologies, ICT002, ICT004 and ICT-104U interface descriptions; the public hosts that
they were held against are named in `drivers.bills.ict.codec`. Does not know: which
note went in while it did not listen; how long a unit waits in escrow (five seconds or so, extended by 18).
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from drivers.bills.active_faults import STACKING_PATIENCE_S, ActiveFaults
from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Channel,
    Enabled,
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
from drivers.bills.ict.codec import FAULT_ROW, FIRST_TYPE, FRAUDS, LASTING, Fault, Hear, Say, read_fault, read_type
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.protocol import Confirm, LineSettings, Parity

LINE = LineSettings(baud=9600, parity=Parity.EVEN)
_ECHO = "the line gives back what is sent; take out the loop-back plug or the adapter's echo"
_NO_ANSWER = (
    "no answer; check power, cable and the switches for serial mode; a unit that powered up while nobody listened must "
    "be switched off and on"
)
_NOISE = "what comes in is mostly no word of ICT's; check baud rate, parity and cable, and that the unit speaks ICT"
_OUR_WORDS = frozenset(Say)
STATUS_INTERVAL_S = 2.0
HOLD_INTERVAL_S = 2.0
SETTLE_S = 2.0
HALF_S = 0.5
REPEAT_S = 1.0
BACK_PATIENCE_S = 10.0
FAILED_WITHIN_S = 4.0
MISSES = 3


class _Stage(Enum):
    HELD = auto()
    ACCEPTED = auto()
    BACK = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `told_at` is when the unit said its type, `since` when it came to its stage, `said_stacked`
    whether the unit called it stacked before the cabinet decided."""

    channel: int
    offered: bool
    stage: _Stage
    told_at: float
    since: float
    said_stacked: bool = False


class IctProtocol:
    """The host's side of one ICT unit; a `WireProtocol[BillEvent, BillOrder]`.

    `channels` say what the note types are worth, number 1 being type 40. `fault_shift` is by how much the model counts
    its fault codes higher than 20 to 2A.
    """

    def __init__(
        self,
        channels: tuple[Channel, ...],
        *,
        fault_shift: int = 0,
        longest_hold_s: float = 30.0,
        stacking_patience_s: float = STACKING_PATIENCE_S,
    ) -> None:
        self._channels = channels
        self._values = {channel.number: channel.value_cents for channel in channels}
        self._fault_shift = fault_shift
        self._longest_hold_s = longest_hold_s
        self._stacking_patience_s = stacking_patience_s
        self._levels = ActiveFaults(named_once=(Trouble.CASHBOX_REMOVED,))
        self._ears = ProtocolSniffer(ours="ICT")
        self._open = self._started = self._answered = False
        self._started_at = 0.0
        self._noise_at = -SETTLE_S
        self._misses = 0
        self._answered_at = 0.0
        self._half: int | None = None
        self._half_at = 0.0
        self._note: _Note | None = None
        self._stacked_at = -FAILED_WITHIN_S
        self._next_status = self._next_hold = self._apply_not_before = 0.0
        self._wanted: frozenset[int] = frozenset()
        self._applied: bool | None = None
        self._taking: bool | None = None
        self._now = 0.0
        self._owed = b""
        self._out: list[BillEvent] = []

    @property
    def line(self) -> LineSettings:
        """9600 baud, 8 data bits, even parity, 1 stop bit."""
        return LINE

    def opened(self, now: float) -> None:
        """Begin the start-up: what is in escrow goes back, nothing is taken."""
        self._now = now
        self._open = True
        self._owed = b""
        self._misses = 0
        self._begin()
        self._go_on()

    def closed(self, now: float) -> None:
        """The line is gone; what becomes of a note meanwhile nobody will say."""
        self._now = now
        self._open = False
        self._owed = b""
        self._half = None
        self._lose_contact()
        self._levels.fall_silent(Trouble.LINK, "the line is gone")

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came in."""
        self._now = now
        self._ears.hear(data)
        for byte in data:
            self._take_byte(byte)
        self._go_on()

    def order(self, order: BillOrder, now: float) -> None:
        """Stack and Return count only while a note is held; Confirm means nothing here."""
        self._now = now
        match order:
            case Stack():
                self._decide(_Stage.ACCEPTED, Say.ACCEPT)
            case Return():
                self._decide(_Stage.BACK, Say.REJECT)
            case Take(channels=channels):
                self._wanted = channels
            case Confirm():
                pass
            case _:
                assert_never(order)
        self._go_on()

    def tick(self, now: float) -> None:
        """Ask, hold, give up."""
        self._now = now
        self._go_on()

    def due(self) -> float | None:
        """When the next byte of ours or the end of a patience is due."""
        if not self._open:
            return None
        times = [self._next_status]
        if not self._started and self._answered:
            times.append(self._settled_at())
        if self._note is not None:
            times += [self._next_hold, self._note.since + self._patience_s(self._note.stage)]
        return min(time for time in times if time > self._now)

    def bytes_to_send(self) -> bytes:
        """The bytes owed to the unit."""
        owed, self._owed = self._owed, b""
        return owed

    def events(self) -> list[BillEvent]:
        """What has happened, each event once."""
        self._collect()
        out, self._out = self._out, []
        return out

    # What the unit says.

    def _take_byte(self, byte: int) -> None:
        half = self._half if self._now <= self._half_at + HALF_S else None
        self._half = None
        if (half, byte) == (Hear.POWER_UP, Hear.POWER_UP_END):
            self._take_power_up()
        elif half == Hear.VALIDATED and (channel := read_type(byte)) is not None:
            self._take_validated(channel)
        elif byte in (Hear.POWER_UP, Hear.VALIDATED):
            self._half, self._half_at = byte, self._now
        elif byte == Hear.STACKED:
            self._take_stacked()
        elif byte == Hear.RETURNED:
            self._take_returned(byte, "sent back by the cabinet")
        elif byte in (Hear.ENABLED, Hear.DISABLED):
            self._take_status(enabled=byte == Hear.ENABLED)
        elif byte == Say.STATUS and not self._started:
            self._take_echo()
        elif byte == Hear.FAULT_OVER:
            self._end_faults()
        elif (fault := read_fault(byte, shift=self._fault_shift)) is not None:
            self._take_fault(fault, byte)
        elif byte not in _OUR_WORDS and byte not in FAULT_ROW:
            self._noise_at = self._now

    def _take_power_up(self) -> None:
        """The unit has forgotten everything. A note that was in its path is in doubt."""
        if self._note is not None:
            self._say(Say.REJECT)
            if self._note.said_stacked:
                self._take_kept(self._note)
            self._note = None
        self._say(Say.ACKNOWLEDGE_POWER_UP)
        self._lose_contact()
        self._end_faults()
        self._restart()
        self._answered = True

    def _take_validated(self, channel: int) -> None:
        """A note waits in escrow. The same type again, while held or just accepted, is the same note told twice."""
        note = self._note
        if note is not None and note.channel == channel:
            just_accepted = note.stage is _Stage.ACCEPTED and self._now < note.since + REPEAT_S
            if note.stage is _Stage.HELD or just_accepted:
                return
        self._close_unresolved()
        wanted = self._started and channel in self._fitting()
        stage = _Stage.HELD if wanted else _Stage.BACK
        self._note = _Note(channel=channel, offered=wanted, stage=stage, told_at=self._now, since=self._now)
        self._next_hold = self._now
        if wanted:
            self._out.append(Offered(channel=channel, value_cents=self._values[channel]))

    def _close_unresolved(self) -> None:
        """Another note is in escrow, so the one before has left the path. The end of an accepted one was missed: with
        the start-up anew the cabinet sees its intent open, and the note in escrow goes back."""
        note, self._note = self._note, None
        if note is None:
            return
        if note.stage is _Stage.ACCEPTED:
            self._alarm(f"a note of channel {note.channel} was accepted and its end never told")
            self._begin()
        elif note.said_stacked:
            self._take_kept(note)
        elif note.offered:
            self._out.append(Returned(recovered=not self._started))

    def _take_stacked(self) -> None:
        note = self._note
        if note is not None and note.stage is _Stage.ACCEPTED:
            self._note = None
            self._stacked_at = self._now
            self._out.append(Stacked(channel=note.channel, value_cents=self._values.get(note.channel), receipt=None))
        elif note is not None and note.stage is _Stage.BACK:
            self._take_kept(note)
        elif note is not None or not self._started:
            if note is not None:
                note.said_stacked = True
            self._alarm("the unit says stacked (10), but no note was accepted")
        else:
            self._out.append(Stacked(channel=0, value_cents=None, receipt=None))

    def _take_kept(self, note: _Note) -> None:
        """A note that was to go back is in the box: an attendant must say whose money it is."""
        self._note = None
        value_cents = self._values.get(note.channel)
        detail = f"the acceptor kept a note of type {FIRST_TYPE + note.channel - 1:02X} that was to go back"
        if self._noise_at >= note.told_at:
            self._alarm(f"among bytes that are no words: {detail}")
        elif self._started and note.stage is _Stage.BACK:
            self._out.append(Stacked(channel=note.channel, value_cents=value_cents, receipt=None))
        else:
            self._out.append(Unsolicited(told_cents=value_cents, detail=detail))

    def _take_returned(self, code: int, reason: str) -> None:
        """A note went back. Long after Stack it may be a later one, not heard of; then the accepted one is in doubt."""
        note, self._note = self._note, None
        if note is not None and note.stage is _Stage.ACCEPTED and self._now > note.since + FAILED_WITHIN_S:
            self._alarm(f"returned (11) long after a note of channel {note.channel} was accepted")
            self._begin()
            return
        if note is None and code == Hear.RETURNED and self._now < self._stacked_at + FAILED_WITHIN_S:
            self._alarm("the unit says returned (11) of a note that it had called stacked (10)")
        elif note is not None and note.offered:
            self._out.append(Returned(recovered=not self._started))
        else:
            self._out.append(Rejected(code=code, reason=reason))

    def _take_fault(self, fault: Fault, code: int) -> None:
        if fault in LASTING:
            trouble, detail = LASTING[fault]
            self._levels.begin(trouble, detail, fault.name)
            self._collect()
        elif fault in FRAUDS:
            self._out.append(TroubleBegan(trouble=Trouble.CHEAT, detail=FRAUDS[fault]))
        elif fault is Fault.REJECT and (self._note is None or self._note.stage is not _Stage.ACCEPTED):
            self._take_returned(code, "note not recognised")

    def _take_status(self, *, enabled: bool) -> None:
        self._misses = 0
        self._answered, self._answered_at = True, self._now
        self._ears.forget()
        if self._started:
            self._tell_taking(enabled)

    def _take_echo(self) -> None:
        """No unit says our question, and noise any. Our own enable and disable would pass for its answers."""
        if self._now < self._noise_at + SETTLE_S:
            return
        self._answered = False
        self._levels.fall_silent(Trouble.LINK, _ECHO)

    def _end_faults(self) -> None:
        for trouble, _ in LASTING.values():
            self._levels.end(trouble)

    # What we say.

    def _say(self, word: Say) -> None:
        self._owed += bytes((word,))

    def _begin(self) -> None:
        """Start from the top: nothing in escrow, nothing taken, is anybody there?"""
        self._lose_contact()
        self._say(Say.REJECT)
        self._restart()

    def _restart(self) -> None:
        self._say(Say.DISABLE)
        self._started = self._answered = False
        self._started_at = self._next_status = self._apply_not_before = self._now

    def _lose_contact(self) -> None:
        """A held note goes back. An accepted one is left to the cabinet, which sees its intent open at `Started`."""
        self._tell_taking(None)
        self._applied = None
        if self._note is not None and self._note.stage is _Stage.ACCEPTED:
            self._note = None
        elif self._note is not None:
            self._note.stage, self._note.since = _Stage.BACK, self._now

    def _decide(self, stage: _Stage, word: Say) -> None:
        if self._open and self._note is not None and self._note.stage is _Stage.HELD:
            self._note.stage, self._note.since = stage, self._now
            self._next_hold = self._now + HOLD_INTERVAL_S
            self._say(word)

    def _go_on(self) -> None:
        """Do whatever is due now."""
        if not self._open:
            return
        self._look_after_note()
        if self._now >= self._next_status:
            self._ask_status()
        settled = self._note is None and self._now >= self._settled_at()
        if not self._started and self._answered and settled:
            self._report_started()
        if self._started and self._note is None and self._must_switch():
            self._apply_wishes()

    def _settled_at(self) -> float:
        """When a start-up may be over."""
        return max(self._started_at, self._noise_at) + SETTLE_S

    def _look_after_note(self) -> None:
        note = self._note
        if note is None:
            return
        answers = self._now < self._answered_at + (MISSES + 1) * STATUS_INTERVAL_S
        if note.stage is _Stage.ACCEPTED and Trouble.JAM in self._levels and answers:
            note.since = self._now
        if self._now >= note.since + self._patience_s(note.stage):
            self._lose_patience(note)
        elif self._now >= self._next_hold and note.stage is not _Stage.ACCEPTED:
            self._say(Say.HOLD if note.stage is _Stage.HELD else Say.REJECT)
            self._next_hold = self._now + HOLD_INTERVAL_S

    def _patience_s(self, stage: _Stage) -> float:
        match stage:
            case _Stage.HELD:
                return self._longest_hold_s
            case _Stage.ACCEPTED:
                return self._stacking_patience_s
            case _Stage.BACK:
                return BACK_PATIENCE_S
            case _:
                assert_never(stage)

    def _lose_patience(self, note: _Note) -> None:
        match note.stage:
            case _Stage.HELD:
                self._decide(_Stage.BACK, Say.REJECT)
            case _Stage.ACCEPTED:
                self._alarm(f"the end of an accepted note of channel {note.channel} was not told in time")
                self._begin()
            case _Stage.BACK if note.said_stacked:
                self._take_kept(note)
            case _Stage.BACK:
                self._note = None
                if note.offered and self._answered:
                    self._out.append(Returned(recovered=not self._started))
            case _:
                assert_never(note.stage)

    def _ask_status(self) -> None:
        """Ask again; without an answer for too long nobody is there. A unit busy with a note may be short of words."""
        if self._misses >= MISSES:
            self._misses = 0
            self._levels.fall_silent(*self._ears.name_stranger(otherwise=_NO_ANSWER))
            self._begin()
        elif not self._started and self._started_at + SETTLE_S < self._now < self._settled_at():
            self._levels.begin(*self._ears.name_stranger(otherwise=_NOISE))
        self._say(Say.STATUS)
        self._next_status = self._now + STATUS_INTERVAL_S
        if self._note is None or not self._started:
            self._misses += 1

    def _report_started(self) -> None:
        self._started = True
        self._levels.end(Trouble.LINK)
        self._levels.answer_again()
        self._collect()
        self._out.append(Started(model="ICT, serial mode", firmware="", serial="", channels=self._channels))

    def _fitting(self) -> frozenset[int]:
        return self._wanted & self._values.keys()

    def _wishes(self) -> bool:
        return bool(self._fitting())

    def _must_switch(self) -> bool:
        """A new wish goes out at once; one that the unit did not follow again with the next status."""
        if self._taking in (None, self._wishes()) or self._now < self._apply_not_before:
            return self._applied is not self._wishes()
        return True

    def _apply_wishes(self) -> None:
        """Switch the unit, and let it say at once what it is now."""
        self._applied = self._wishes()
        self._apply_not_before = self._now + STATUS_INTERVAL_S
        self._say(Say.ENABLE if self._applied else Say.DISABLE)
        self._say(Say.STATUS)

    def _tell_taking(self, taking: bool | None) -> None:
        """Report what the wire says; None: it says nothing any more, so that nothing can be taken."""
        if taking is not self._taking and (taking is not None or self._taking):
            self._out.append(Enabled(taking=bool(taking)))
        self._taking = taking

    def _alarm(self, detail: str) -> None:
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    def _collect(self) -> None:
        self._out.extend(self._levels.edges())
