"""The body of a simulated NV9: notes, tickets and user actions, without the line.

Rules:
- The state that money depends on survives `power_cycle`: the notes stacked and returned, and the events not yet
  reported or acknowledged. A waiting credit is repeated as "cleared to cash box".
- While a credit waits for its report or its ack the unit draws no further note in.
- No clock: `tick` gets the time; an action between takes effect at the next call.

Knows no frames and no commands.
"""

from collections.abc import Callable, Iterable

from drivers.bills.events import Channel
from drivers.bills.ssp.codec import ESCROW_TIMED_OUT, REJECTED_BY_DISABLE, Code, TicketPlace
from drivers.bills.ssp.secret import FIXED_KEY
from drivers.simulated.nv9_keys import Keys
from drivers.simulated.nv9_parts import Kept, Lasting, Note, Phase, Timings, Volatile

_INVALID_NOTE = 0x02
_CHANNEL_INHIBITED = 0x06
_TICKET_FAILED = 0x14
_NOTES_OFF, _TICKETS_OFF = 0x01, 0x02


def constant_bytes(size: int) -> bytes:
    """Returns constant bytes for a key that need not be secret."""
    return bytes(range(0x31, 0x31 + size))


class Body:
    """The mechanism of one unit, and the true notes and tickets that went through it.

    `loses_credits`: the report of a note in the box does not arrive, as in an unreadable reply.
    """

    def __init__(
        self,
        channels: Iterable[Channel],
        *,
        has_reader: bool = False,
        fixed_key: int = FIXED_KEY,
        draw: Callable[[int], bytes] = constant_bytes,
        timings: Timings | None = None,
    ) -> None:
        self.channels = tuple(channels)
        self.has_reader = has_reader
        self.timings = timings or Timings()
        self.stacked: list[int] = []
        self.returned: list[int] = []
        self.tickets_stacked: list[str] = []
        self.tickets_returned: list[str] = []
        self.loses_credits = False
        self._lasting = Lasting()
        self._fixed_key = fixed_key
        self._draw = draw
        self._kept: list[Kept] = []
        self._note: Note | None = None
        self._jam: Code | None = None
        self._full = False
        self._cashbox_out = False
        self._state = self._wake_up()
        self._now = 0.0
        self._boot_ends: float | None = None

    # Actions of users.

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""
        channel = next((each.number for each in self.channels if each.value_cents == value_cents), 0)
        return self._draw_in(Note(value_cents=value_cents, channel=channel, good=channel != 0))

    def insert_bad(self, value_cents: int = 0) -> bool:
        """Puts in a document that the unit does not recognise."""
        return self._draw_in(Note(value_cents=value_cents, channel=0, good=False))

    def insert_ticket(self, number: str) -> bool:
        """Puts in a ticket with this bar code. Returns False when the unit does not draw it in."""
        return self._draw_in(Note(number=number, good=number.isdigit()))

    def see_ghost(self, channel: int) -> None:
        """Makes the unit report once a note in escrow that is not there."""
        self._state.events.append((Code.READ, channel))

    def jam(self, *, safe: bool = False) -> None:
        """Jams the path, with or without a note in it; `safe` means out of the player's reach."""
        self._jam = Code.SAFE_JAM if safe else Code.UNSAFE_JAM

    def clear_jam(self) -> None:
        """Frees the path; a stuck note goes back to the player."""
        if self._jam is None:
            return
        self._jam = None
        if self._note is not None:
            self._hand_out(self._note)

    def cheat(self) -> None:
        """Pulls the note back on a string."""
        channel = self._note.channel if self._note is not None else 0
        if self._note is not None:
            self._hand_out(self._note)
        self._kept.append(Kept(code=Code.FRAUD, channel=channel))

    def remove_cashbox(self) -> None:
        """Removes the cash box."""
        if self._cashbox_out:
            return
        self._cashbox_out = True
        self._state.events.append((Code.CASHBOX_REMOVED, 0))

    def replace_cashbox(self) -> None:
        """Puts the cash box back, empty."""
        if not self._cashbox_out:
            return
        self._cashbox_out = self._full = False
        self._state.events.append((Code.CASHBOX_REPLACED, 0))

    def fill(self) -> None:
        """Makes the stacker full."""
        self._full = True

    def empty(self) -> None:
        """Makes room in the stacker."""
        self._full = False

    def power_cycle(self, *, to_cashbox: bool = True, knows_note: bool = True) -> None:
        """Cuts the power and restores it. A note being stacked ends in the box or comes out; the unit may not know
        which.

        A document before that point comes out at power-up.
        """
        note, self._note = self._note, None
        self._state = self._wake_up()
        self._boot_ends = self._now + self.timings.boot_s
        for kept in self._kept:
            kept.reported = False
            kept.code = Code.CLEARED_TO_CASHBOX if kept.code is Code.CREDIT else kept.code
        if note is None:
            return
        channel = note.channel if knows_note else 0
        if note.phase is Phase.STACKING and to_cashbox:
            self._keep(note, Kept(code=Code.CLEARED_TO_CASHBOX, channel=channel))
        else:
            self._hand_out(note)
            self._state.events.append((Code.CLEARED_FROM_FRONT, channel))

    # State seen from outside.

    @property
    def enabled(self) -> bool:
        """Whether the unit would draw a note in."""
        return self._state.enabled and not (self._jam or self._full or self._cashbox_out or self._owes_credit())

    @property
    def last_reject(self) -> int:
        """The reject code of the last note or ticket."""
        return self._lasting.last_reject

    @property
    def counters(self) -> dict[str, int]:
        """The counters since the unit was made."""
        return dict(self._lasting.counters)

    @property
    def busy(self) -> bool:
        """Whether a note is in the path."""
        return self._note is not None

    @property
    def phase(self) -> str:
        """The phase of the note in the path: "reading", "escrow", "stacking", "rejecting", or "" without one."""
        return self._note.phase.name.lower() if self._note else ""

    # Time.

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: notes move, the escrow times out, a unit without polls disables itself."""
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
        """Returns the time of the next movement."""
        if self._booting():
            return self._boot_ends
        ends = [self._note.until if self._note.until is not None else self._now] if self._note and not self._jam else []
        if self._state.last_poll is not None:
            ends.append(self._state.last_poll + self.timings.unpolled_s)
        return min(ends, default=None)

    def _booting(self) -> bool:
        return self._boot_ends is not None and self._now < self._boot_ends

    # Notes.

    def _draw_in(self, note: Note) -> bool:
        if self._note is not None or not self.enabled or self._booting():
            return False
        self._note = note
        return True

    def _wake_up(self) -> Volatile:
        return Volatile(keys=Keys(self._draw, self._fixed_key))

    def _hand_out(self, note: Note) -> None:
        self._note = None
        self._lasting.counters["rejected"] += 1
        if note.number:
            self.tickets_returned.append(note.number)
            self._lasting.ticket_place = TicketPlace.REJECTED
        else:
            self.returned.append(note.value_cents)

    def _keep(self, note: Note, credit: Kept) -> None:
        """Puts the note or ticket into the box."""
        self._note = None
        self._lasting.counters["stacked"] += 1
        if note.number:
            self.tickets_stacked.append(note.number)
            self._lasting.ticket_place = TicketPlace.STACKED
            credit = Kept(code=Code.TICKET_STACKED)
        else:
            self.stacked.append(note.value_cents)
        if not self.loses_credits:
            self._kept.append(credit)

    def _finish_phase(self, note: Note) -> None:
        match note.phase:
            case Phase.READING:
                self._judge(note)
            case Phase.ESCROW:
                self._reject(note, ESCROW_TIMED_OUT)
            case Phase.STACKING:
                self._keep(note, Kept(code=Code.CREDIT, channel=note.channel))
                self._state.events.append((Code.STACKED, 0))
            case Phase.REJECTING:
                self._hand_out(note)
                self._state.events.append((Code.REJECTED, 0))

    def _judge(self, note: Note) -> None:
        reason = self._why_not(note)
        if reason is not None:
            self._reject(note, reason)
            return
        if note.number:
            self._lasting.ticket, self._lasting.ticket_place = note.number, TicketPlace.ESCROW
        self._enter(note, Phase.ESCROW, self.timings.escrow_s)

    def _why_not(self, note: Note) -> int | None:
        """Returns the reject code for a note; None when it may enter escrow."""
        readers, _, digits = self._lasting.bar_code_setup
        if note.number and not (self.has_reader and readers and note.good and len(note.number) == digits):
            return _TICKET_FAILED
        if not note.good:
            return _INVALID_NOTE
        if not self._state.enabled:
            return REJECTED_BY_DISABLE
        inhibited = self._state.bar_code_inhibit & (_TICKETS_OFF if note.number else _NOTES_OFF)
        if inhibited or not (note.number or self._state.allowed >> (note.channel - 1) & 1):
            return _CHANNEL_INHIBITED
        return None

    def _reject(self, note: Note, reason: int) -> None:
        self._lasting.last_reject = reason
        self._enter(note, Phase.REJECTING, self.timings.rejecting_s)

    def _enter(self, note: Note, phase: Phase, lasts_s: float) -> None:
        note.phase = phase
        note.until = self._now + lasts_s

    def _owes_credit(self) -> bool:
        return any(kept.code is not Code.FRAUD for kept in self._kept)
