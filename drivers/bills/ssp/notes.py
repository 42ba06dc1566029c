"""Applies the events of SSP poll replies to the one note in the path, to credits that wait for an ack, and to faults.

The note in the path, or the ticket with a bar code, has these stages of `drivers.bills.path_notes`:

    ARRIVED    a ticket in escrow whose number is not read yet
    HELD       offered to the cabinet, held with HOLD; any poll would accept it
    STACKING   accepted: the cabinet ordered Stack, or the device reports stacking
    GOING      to be returned: REJECT is not sent yet
    BACK       returned: REJECT was answered, or the device reports a reject

Rules:
- Only CREDIT (EE), CLEARED TO CASH BOX (E2) and the counter make a `Stacked`; STACKED (EB) alone never does. A
  CLEARED TO CASH BOX after the CREDIT of the same note is not reported twice.
- With poll-with-ack a credit waits for an event ack, which is due only when the cabinet has confirmed it. While the
  device repeats it, the channel identifies it, and it is not reported again. A credit that a complete reply no longer
  repeats cannot be mistaken for a later note.
- A note that went back is `Returned` if it was offered to the cabinet, otherwise `Rejected` with the device's reason.
  After a restart of the host the reason decides: returned by the host, or held too long. It decides only with
  poll-with-ack, where a credit of an earlier note would still be repeated. With the plain poll an earlier run may
  have received that credit, and the returned note may be a later one, so nothing is reported.
- A note that was never accepted and that two replies in a row do not show has gone back.
- No time-out ever turns an accepted note into a returned one.
- TICKET STACKED (D1) alone makes a `TicketStacked`. Its number is the one read in escrow; after a restart the host
  reads it once more from the unit.
- An accepted note or ticket that `GONE_REPLIES` replies in a row do not show, without a fault that may delay it, ends
  by a report of the unit: its counter is one higher or unchanged, or it names the place of the ticket. Without that
  report no outcome is reported: an alarm, and `unresolved` requests a new start-up, after which the cabinet treats
  the note as in doubt. STACKED without the credit does not end a note either.

Knows no commands, no time and no line.
"""

from collections.abc import Mapping

from drivers.bills.events import TAKE_NOTHING, Rejected, Returned, Take, TicketOffered, TicketStacked, Trouble
from drivers.bills.path_notes import PathNotes, Stage
from drivers.bills.ssp.codec import (
    ESCROW_TIMED_OUT,
    REJECTED_BY_HOST,
    REPEATED_UNTIL_ACK,
    BarCode,
    Code,
    Event,
    PollReport,
    TicketPlace,
    explain_reject,
)
from drivers.bills.ssp.path import CREDITS, KEPT, Owed, PathNote, Unnamed
from drivers.bills.ssp.unread import Unread

QUIET_REPLIES = 2
GONE_REPLIES = 10
"""Replies, about two seconds. An accepted note that none of them shows is gone: a unit shows every note that it
moves."""

_MOVING = frozenset({Code.READ, Code.STACKING, Code.REJECTING, Code.SAFE_JAM, Code.UNSAFE_JAM})
_BUSY = frozenset({Code.READ, Code.STACKING, Code.REJECTING, Code.INITIALISING, Code.SLAVE_RESET})
_HOLDS_UP = (Trouble.JAM, Trouble.STACKER_FULL, Trouble.CASHBOX_REMOVED, Trouble.HARDWARE)
"""Faults during which a note may wait in the path without being shown."""
_COUNTED = (Code.CREDIT, Code.STACKED, Code.CLEARED_TO_CASHBOX, Code.TICKET_STACKED)
_SHOWN_WHILE_THERE: Mapping[Trouble, tuple[Code, ...]] = {
    Trouble.JAM: (Code.SAFE_JAM, Code.UNSAFE_JAM),
    Trouble.STACKER_FULL: (Code.STACKER_FULL,),
    Trouble.HARDWARE: (Code.PATH_OPEN,),
}
_SHOWN = "shown in polls"
_JAMS: Mapping[Code, str] = {
    Code.SAFE_JAM: "deep in the unit, out of reach from outside",
    Code.UNSAFE_JAM: "in the outer part of the path, within reach from outside",
}


class Notes(PathNotes[PathNote]):
    """The notes of one acceptor; kept across a closed line."""

    NAMED_ONCE = (Trouble.CASHBOX_REMOVED,)

    def __init__(self) -> None:
        super().__init__()
        self.rejects_to_explain = 0
        self.counter_is_old = True
        self._counter: int | None = None
        self._unnamed: list[Unnamed] = []
        self._owed: list[Owed] = []
        self._credited_in_path: int | None = None
        self._credited: int | None = None
        """The channel of the last credit in this life of the host."""
        self._unread = Unread()
        self._hidden = False
        self._busy = False

    @property
    def settled(self) -> bool:
        """True if nothing moves in the device, and the outcome of an earlier note is known or stays unknown."""
        return not (self._busy or self._unnamed) and (self._note is None or self._note.quiet >= QUIET_REPLIES)

    @property
    def ticket_to_read(self) -> bool:
        """True if the number of a ticket must be read."""
        return bool(self._unnamed) or self.stage is Stage.ARRIVED

    @property
    def is_gone(self) -> bool:
        """True if the accepted note or ticket is no longer shown."""
        note = self._note
        gone = note is not None and note.stage is Stage.STACKING and note.quiet >= GONE_REPLIES
        return gone and not self._hidden and not any(trouble in self.faults for trouble in _HOLDS_UP)

    @property
    def has_ticket(self) -> bool:
        """True if the document in the path is a ticket."""
        return self._note is not None and self._note.is_ticket

    @property
    def count_due(self) -> bool:
        """True if the unit's counter must be read; not while the unit waits for an ack."""
        return self.counter_is_old and not self._owed

    @property
    def ack_due(self) -> bool:
        """True if every event that waits for an ack is durable or needs no confirmation."""
        return bool(self._owed) and all(owed.confirmed for owed in self._owed)

    def begin_start_up(self) -> None:
        """Begins a start-up of the device."""
        super().begin_start_up()
        if self._note:
            self._note.quiet = 0

    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""
        for owed in self._owed:
            if owed.receipt == receipt:
                owed.confirmed = True

    def acknowledged(self) -> None:
        """Handles the answer to the event ack."""
        self._owed.clear()

    def ticket_read(self, bar_code: BarCode | None) -> None:
        """Applies the unit's answer about a ticket."""
        if self._unnamed:
            ticket = self._unnamed.pop(0)
            number = bar_code.number if bar_code and bar_code.place is TicketPlace.STACKED else None
            self._out.append(TicketStacked(number=number or None, receipt=ticket.receipt, recovered=ticket.recovered))
            return
        note = self._note
        if note is None or note.stage is not Stage.ARRIVED:
            return
        if bar_code is None or bar_code.place is not TicketPlace.ESCROW or not bar_code.number:
            note.stage = Stage.GOING
            return
        note.stage, note.offered, note.number = Stage.HELD, True, bar_code.number
        self._out.append(TicketOffered(number=bar_code.number))

    def counted(self, counter: int | None) -> None:
        """Sets the unit's counter of notes kept; None when it has none."""
        self._counter, self.counter_is_old = counter, False

    def note_sought(self, counter: int | None) -> None:
        """Ends a note that is gone: a counter one higher means kept, an unchanged one means returned."""
        self.counted(counter)
        note = self._note
        if note is not None:
            known = counter is not None and note.counter is not None
            self._end_gone(
                note, kept={note.counter: False, (note.counter or 0) + 1: True}.get(counter) if known else None
            )

    def ticket_sought(self, bar_code: BarCode | None) -> None:
        """Ends a ticket that is gone, by the place of the last ticket if it is the same one."""
        note = self._note
        if note is not None:
            ours = bar_code is not None and bar_code.number == note.number
            self._end_gone(note, kept=KEPT.get(bar_code.place) if bar_code is not None and ours else None)

    def _end_gone(self, note: PathNote, *, kept: bool | None) -> None:
        """Ends a gone note or ticket; `kept` None: the unit cannot report its place. There is no receipt: an event
        that waits for an ack would still be shown."""
        self._note = None
        if kept is None:
            self.report_lost(f"the {note.name} was accepted and is no longer shown")
            self.unresolved = True
        elif not kept:
            self._out.append(Returned())
        elif note.is_ticket:
            self._out.append(TicketStacked(number=note.number, receipt=None, recovered=True))
        else:
            self._report_stacked(note.channel, receipt=None, recovered=True)

    def explained(self, code: int, *, repeating: bool) -> None:
        """Applies the last-reject code to the notes that went back without a reason; `repeating` as in `apply`."""
        was_in_escrow = self._starting and repeating and code in (REJECTED_BY_HOST, ESCROW_TIMED_OUT)
        for _ in range(self.rejects_to_explain):
            self._out.append(
                Returned(recovered=True) if was_in_escrow else Rejected(code=code, reason=explain_reject(code))
            )
        self.rejects_to_explain = 0

    def apply(self, report: PollReport, *, repeating: bool, allowed: Take) -> None:
        """Applies one poll reply. `repeating`: it answers a poll-with-ack; `allowed`: what is enabled now."""
        if report.lost or report.has(*_COUNTED):
            self._counter, self.counter_is_old = None, True
        self._busy = report.has(*_BUSY)
        remembered = [owed for owed in self._owed if owed.fresh]
        if repeating and not report.lost:
            for owed in self._owed:
                owed.fresh = False
        for event in report.events:
            if event.code in REPEATED_UNTIL_ACK and repeating:
                self._on_repeated(event, remembered)
            else:
                self._apply_event(event, allowed)
            self._collect_edges()
        self._report_lost(report)
        self._watch_quiet(report)

    def _on_repeated(self, event: Event, remembered: list[Owed]) -> None:
        """Applies an event that is repeated until its ack: it is new only when no remembered event explains it."""
        known = next((owed for owed in remembered if owed.is_repeated_by(event)), None)
        if known is not None:
            remembered.remove(known)
            known.fresh = True
            return
        receipt = None
        if event.code in CREDITS:
            receipt = self._on_credit(event, repeating=True)
        elif event.code is Code.TICKET_STACKED:
            receipt = self._on_ticket_stacked(repeating=True)
        else:
            self._apply_event(event, TAKE_NOTHING)
        self._owed.append(Owed(code=event.code, channel=event.channel, receipt=receipt, confirmed=receipt is None))

    def _apply_event(self, event: Event, allowed: Take) -> None:
        match event.code:
            case Code.READ:
                self._on_read(event.channel, allowed)
            case Code.TICKET_IN_ESCROW:
                self._arrive(PathNote(channel=0, is_ticket=True, stage=Stage.ARRIVED), allowed)
            case Code.TICKET_STACKED:
                self._on_ticket_stacked(repeating=False)
            case Code.CREDIT | Code.CLEARED_TO_CASHBOX:
                self._on_credit(event, repeating=False)
            case Code.CLEARED_FROM_FRONT:
                self._note = None
                self._out.append(Returned(recovered=True))
            case Code.STACKING:
                self._on_stacking()
            case Code.STACKED:
                self._on_stacked()
            case Code.REJECTING:
                self._on_rejecting()
            case Code.REJECTED:
                self._on_rejected()
            case Code.FRAUD:
                self._on_fraud()
            case _:
                self._on_fault(event)

    def _on_fault(self, event: Event) -> None:
        match event.code:
            case Code.SAFE_JAM | Code.UNSAFE_JAM:
                self.faults.begin(Trouble.JAM, _JAMS[event.code], _SHOWN)
            case Code.STACKER_FULL:
                self.faults.begin(Trouble.STACKER_FULL, "", _SHOWN)
            case Code.CASHBOX_REMOVED:
                self.faults.begin(Trouble.CASHBOX_REMOVED)
            case Code.CASHBOX_REPLACED | Code.SLAVE_RESET:
                self.faults.end(Trouble.CASHBOX_REMOVED)
            case Code.PATH_OPEN:
                self.faults.begin(Trouble.HARDWARE, "the note path is open", _SHOWN)
            case Code.STACKED_AT_POWER_UP | Code.STORED_AT_POWER_UP:
                self.report_lost(f"a note was moved at power-up, and its owner is not reported ({event.code:02X})")
            case _:
                pass

    def _on_read(self, channel: int, allowed: Take) -> None:
        """Handles a note that is being read (channel 0) or is in escrow."""
        if channel != 0:
            self._arrive(PathNote(channel=channel, stage=Stage.HELD, counter=self._counter), allowed)

    def _arrive(self, arrival: PathNote, allowed: Take) -> None:
        """Handles a document in escrow, which may be the known one."""
        note = self._note
        if self._starting:
            self._note = note or arrival
            self._note.stage = Stage.GOING
            return
        if note is not None and self._is_same(note, arrival):
            return
        self._close_earlier()
        self._credited_in_path = None
        self._note = arrival
        if not (allowed.tickets if arrival.is_ticket else arrival.channel in allowed.channels):
            arrival.stage = Stage.GOING
        elif not arrival.is_ticket:
            self._offer(arrival, counter=arrival.counter)

    @staticmethod
    def _is_same(note: PathNote, arrival: PathNote) -> bool:
        """Returns True if the note in escrow is the known one; after it moved or went back, it must be another."""
        alike = (note.channel, note.is_ticket) == (arrival.channel, arrival.is_ticket)
        return alike and note.stage is not Stage.BACK and not note.moving

    def _report_lost_note(self, note: PathNote) -> None:
        self.report_lost(f"the {note.name} was accepted and its credit was never reported")

    def _on_credit(self, event: Event, *, repeating: bool) -> int | None:
        """Reports the note as the machine's. Returns the receipt, or None when it is not reported or needs no ack.

        A note cleared at power-up may be the last credited one, reported once more although another was accepted
        since: a late escrow report looks like another note. Then it adds no money, and the open note ends by the
        counter of the start-up, or in doubt.
        """
        in_path, self._credited_in_path = self._credited_in_path, event.channel
        note, self._note = self._note, None
        credited, self._credited = self._credited, event.channel
        if event.code is Code.CLEARED_TO_CASHBOX:
            self._credited_in_path = None
            if in_path is not None and event.channel in (0, in_path):
                return None
            if note is not None and note.offered and credited is not None and event.channel in (0, credited):
                self._credited = credited
                self.unresolved = not self._starting
                return None
        receipt = next(self._receipts) if repeating else None
        recovered = self._starting or event.code is Code.CLEARED_TO_CASHBOX
        self._report_stacked(event.channel, receipt=receipt, recovered=recovered)
        return receipt

    def _on_ticket_stacked(self, *, repeating: bool) -> int | None:
        """Reports the ticket as the machine's. Returns the receipt, if it needs one."""
        receipt = next(self._receipts) if repeating else None
        note = self._note
        number = None
        if note is not None and note.is_ticket:
            self._note, number = None, note.number
        if number is None:
            self._unnamed.append(Unnamed(receipt=receipt, recovered=self._starting))
        else:
            self._out.append(TicketStacked(number=number, receipt=receipt, recovered=self._starting))
        return receipt

    def _on_stacked(self) -> None:
        """Handles STACKED, which is not money: an offered note stays open until its credit, or until it is gone."""
        self._credited_in_path = None
        if self._note is not None and self._note.offered:
            self._on_stacking()
        elif not self.has_ticket:
            self._note = None

    def _on_stacking(self) -> None:
        if self._note is not None:
            self._note.stage = Stage.STACKING
            self._note.moving = True

    def _on_rejecting(self) -> None:
        if self._note is not None:
            self._note.stage = Stage.BACK

    def _on_rejected(self) -> None:
        note, self._note = self._note, None
        if note is not None and note.offered:
            self._report_return()
        else:
            self.rejects_to_explain += 1

    def _on_fraud(self) -> None:
        """Handles a note that was pulled back. No credit follows, so an offered note is dropped."""
        note, self._note = self._note, None
        self._report_fraud()
        if note is not None and note.offered:
            self._report_return()

    def _report_lost(self, report: PollReport) -> None:
        """Reports the unreadable part of a reply."""
        self._hidden = report.hides_note
        alarm = self._unread.apply(report, self.faults)
        if alarm:
            self.report_lost(alarm)

    def _watch_quiet(self, report: PollReport) -> None:
        """Counts the replies that show neither the note nor a lasting fault."""
        for trouble, codes in _SHOWN_WHILE_THERE.items():
            if not report.has(*codes):
                self.faults.not_shown(trouble, _SHOWN)
        note = self._note
        if note is None or note.stage in (Stage.ARRIVED, Stage.HELD, Stage.GOING):
            return
        note.quiet = 0 if report.has(*_MOVING) else note.quiet + 1
        if note.stage is Stage.BACK and note.quiet >= QUIET_REPLIES:
            self._note = None
            if note.offered:
                self._report_return()
